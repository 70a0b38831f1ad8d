//! `skills_list`: the skills that there are.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounded::{description, on_wire};
use crate::guide::Guide;

/// No more at once: each is read by a model.
const PAGE: usize = 200;
/// Nor more bytes than these, as they travel.
const PAGE_BYTES: usize = 36_000;
/// What stands around a name and a description.
const FRAME: usize = r#"{"name":"","description":""},"#.len();

/// List the skills: workflows that can be loaded when one fits the task.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SkillsListArgs {
    /// Where to go on, for those whose skills do not fit one answer.
    #[serde(default)]
    #[schemars(extend("unlisted" = true))]
    pub offset: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct SkillsListOutput {
    skills: Vec<Listed>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
    /// How many skills could not be read.
    #[serde(skip_serializing_if = "is_none")]
    rejected: usize,
}

#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    description: String,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

pub(crate) struct SkillsList {
    pub guide: Arc<Guide>,
}

impl Tool for SkillsList {
    type Args = SkillsListArgs;
    type Output = SkillsListOutput;
    const NAME: &'static str = "skills_list";
    const MOST: Effect = Effect::Read;
    const OWN_PAGES: bool = true;

    fn intent(&self, _args: &SkillsListArgs) -> Intent {
        Intent::new(Effect::Read, [])
    }

    async fn run(
        &self,
        args: SkillsListArgs,
        _cx: &CallContext,
    ) -> Result<Answer<SkillsListOutput>, ToolError> {
        let catalogue = self.guide.list().await?;
        let total = catalogue.skills.len();
        let mut taken = 0;
        let page =
            catalogue.skills.iter().skip(args.offset).take(PAGE).map(|skill| Listed {
                name: skill.name.clone(),
                description: description(&skill.description),
            });
        let page = page.take_while(|listed| {
            // The first one always fits: its description is cut.
            let is_first = taken == 0;
            taken += on_wire(&listed.name) + on_wire(&listed.description) + FRAME;
            is_first || taken <= PAGE_BYTES
        });
        let skills: Vec<Listed> = page.collect();
        let next = args.offset.saturating_add(skills.len());
        let rejected = catalogue.rejected.len();
        let answer = Answer::new(SkillsListOutput {
            next_offset: (next < total && !skills.is_empty()).then_some(next),
            skills,
            rejected,
        });
        Ok(if rejected == 0 {
            answer
        } else {
            answer.hint("`bowline skills list` tells the person you work for why some were left out")
        })
    }
}
