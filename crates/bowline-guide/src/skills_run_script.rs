//! `skills_run_script`: what it is called for is the host's business, and it says so.

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use schemars::JsonSchema;
use serde::Deserialize;

/// Not implemented: scripts of skills are run by the host, if at all.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "what it takes is what others' take; nothing is done with it")]
pub(crate) struct SkillsRunScriptArgs {
    pub name: String,
    pub script: String,
    #[serde(default)]
    pub args: Vec<String>,
}

pub(crate) struct SkillsRunScript;

impl Tool for SkillsRunScript {
    type Args = SkillsRunScriptArgs;
    type Output = ();
    const NAME: &'static str = "skills_run_script";
    const MOST: Effect = Effect::Read;

    fn intent(&self, _args: &SkillsRunScriptArgs) -> Intent {
        Intent::new(Effect::Read, [])
    }

    async fn run(&self, _args: SkillsRunScriptArgs, _cx: &CallContext) -> Result<Answer<()>, ToolError> {
        let message = "bowline runs no scripts of skills";
        Err(ToolError::coded("NOT_IMPLEMENTED", message).hint(
            "skills_read_file shows what it would do; run it with your own tools, if your host lets you",
        ))
    }
}
