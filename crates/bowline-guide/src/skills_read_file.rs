//! `skills_read_file`: the text of a file that a skill brings along.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guide::Guide;

/// Read a file that a skill brings along.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SkillsReadFileArgs {
    pub name: String,
    /// Such as `references/patterns.md`.
    pub path: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct SkillsReadFileOutput {
    path: String,
    content: String,
}

pub(crate) struct SkillsReadFile {
    pub guide: Arc<Guide>,
}

impl Tool for SkillsReadFile {
    type Args = SkillsReadFileArgs;
    type Output = SkillsReadFileOutput;
    const NAME: &'static str = "skills_read_file";
    const MOST: Effect = Effect::Read;
    const OWN_PAGES: bool = true;

    fn intent(&self, _args: &SkillsReadFileArgs) -> Intent {
        Intent::new(Effect::Read, [])
    }

    async fn run(
        &self,
        args: SkillsReadFileArgs,
        _cx: &CallContext,
    ) -> Result<Answer<SkillsReadFileOutput>, ToolError> {
        let SkillsReadFileArgs { name, path } = args;
        let read = format!("{}/{}", name.trim(), path.trim());
        let (max_bytes, wanted) = (self.guide.max_bytes, path.clone());
        match self.guide.ask(move |store| store.read_file(&name, &wanted, max_bytes)).await? {
            Ok(content) => Ok(Answer::new(SkillsReadFileOutput { path, content }).skill(read)),
            Err(error) => Err(self.guide.explain(error).await),
        }
    }
}
