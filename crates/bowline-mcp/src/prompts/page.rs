//! `prompts/list`: one page of it. Where the next one begins is told by name, so that skills may come and go between two.

use std::sync::Arc;

use bowline_skills::{Summary, prompt};
use rmcp::model::{ListPromptsResult, Prompt, PromptArgument};

use super::{AVAILABLE, PromptError, start};

/// A page has so many prompts, and so many bytes.
const MOST: usize = 500;
const MOST_BYTES: usize = 128 * 1024;
/// As long as the format allows; lenient reading takes longer ones.
const LONGEST_DESCRIPTION: usize = 1024;
const LONGEST_HINT: usize = 200;
/// What a directory can be called.
const LONGEST_NAME: usize = 255;

const CURSOR: &str = "after:";

/// The last name of the page before, from the cursor that was handed out with it.
pub(super) fn after(cursor: &str) -> Result<String, PromptError> {
    match cursor.strip_prefix(CURSOR) {
        Some(name) if !name.is_empty() && name.len() <= LONGEST_NAME => Ok(name.to_owned()),
        _ => Err(PromptError::Asked("this cursor was not handed out here; begin without one".into())),
    }
}

/// The skills, in the order of their names, from behind this one on.
pub(super) fn of(skills: &[Arc<Summary>], after: Option<&str>) -> ListPromptsResult {
    let mut bytes = 0;
    let mut prompts = Vec::new();
    if after.is_none() && has_block(skills) {
        let description = "The skills that there are, as a block for a model's context.";
        prompts.push(Prompt::new(AVAILABLE, Some(description), None));
    }
    let (mut last, mut cursor) = (None, None);
    for skill in skills.iter().filter(|skill| after.is_none_or(|after| skill.name.as_str() > after)) {
        let prompt = entry(skill);
        bytes += serde_json::to_string(&prompt).map_or(0, |text| text.len());
        // One is always there: a page of none would lead nowhere.
        if let Some(last) = last
            && (prompts.len() >= MOST || bytes > MOST_BYTES)
        {
            cursor = Some(format!("{CURSOR}{last}"));
            break;
        }
        last = Some(&skill.name);
        prompts.push(prompt);
    }
    let mut page = ListPromptsResult::with_all_items(prompts);
    page.next_cursor = cursor;
    page
}

/// Whether the block is a prompt: there is something in it, and no skill has its name.
pub(super) fn has_block(skills: &[Arc<Summary>]) -> bool {
    !skills.is_empty() && skills.iter().all(|skill| skill.name != AVAILABLE)
}

fn entry(skill: &Summary) -> Prompt {
    let arguments: Vec<PromptArgument> = prompt::arguments(skill).into_iter().map(argument).collect();
    let description = start(&skill.description, LONGEST_DESCRIPTION);
    Prompt::new(skill.name.clone(), Some(description), (!arguments.is_empty()).then_some(arguments))
}

fn argument(argument: prompt::PromptArgument) -> PromptArgument {
    PromptArgument::new(argument.name)
        .with_description(start(&argument.description, LONGEST_HINT))
        .with_required(argument.required)
}
