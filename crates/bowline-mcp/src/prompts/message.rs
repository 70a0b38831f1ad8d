//! `prompts/get`: one message, as if the person had written it.

use std::collections::BTreeMap;
use std::sync::Arc;

use bowline_call::nearest;
use bowline_skills::{Locations, Skill, SkillError, Store, Summary, available_skills, prompt};
use rmcp::model::{GetPromptResult, JsonObject, PromptMessage, Role};
use serde_json::Value;

use super::{PromptError, page, start};

/// Enough of a name to know which is meant.
const LONGEST_NAME: usize = 100;

/// What the client gives, as text. Nothing is the same as absent: some clients send every field of their form.
pub(super) fn values(given: JsonObject, max_bytes: usize) -> Result<BTreeMap<String, String>, PromptError> {
    let mut values = BTreeMap::new();
    let mut bytes = 0;
    for (name, value) in given {
        let text = match value {
            Value::Null => continue,
            Value::String(text) => text,
            _ => {
                let name = start(&name, LONGEST_NAME);
                return Err(PromptError::Asked(format!("the argument `{name}` must be text")));
            }
        };
        bytes += name.len() + text.len();
        if bytes > max_bytes {
            return Err(PromptError::Asked(format!("the arguments have more than {max_bytes} bytes")));
        }
        values.insert(name, text);
    }
    Ok(values)
}

/// The skill of this name, at most so many bytes of it.
pub(super) fn of(
    store: &dyn Store,
    name: &str,
    values: &BTreeMap<String, String>,
    max_bytes: usize,
) -> Result<GetPromptResult, PromptError> {
    let skill = store.load(name, max_bytes).map_err(|error| explain(store, error))?;
    let mut text = prompt::render(&skill, values)
        .map_err(|missing| PromptError::Asked(format!("prompt `{}`: {missing}", skill.summary.name)))?;
    let Skill { summary, truncated, .. } = skill;
    if let Some(cut) = truncated {
        text.push_str(&format!(
            "\n\n(These are the first {} of {} bytes of this skill; the rest is left out.)",
            cut.kept_bytes, cut.total_bytes
        ));
    }
    Ok(said(text).with_description(summary.description))
}

/// The block of all skills, as many as fit. None where it is no prompt.
pub(super) fn block(
    skills: &[Arc<Summary>],
    locations: Locations,
    max_bytes: usize,
) -> Option<GetPromptResult> {
    if !page::has_block(skills) {
        return None;
    }
    let mut bytes = 0;
    let fitting = skills.iter().take_while(|skill| {
        bytes += available_skills(std::slice::from_ref(*skill), locations).map_or(0, |one| one.len());
        bytes <= max_bytes
    });
    let fitting = fitting.count();
    let mut text = available_skills(&skills[..fitting], locations).unwrap_or_default();
    if fitting < skills.len() {
        let left = skills.len() - fitting;
        text.push_str(&format!("\n\n({left} skills are left out here; skills_list has all of them.)"));
    }
    Some(said(text).with_description("The skills that there are."))
}

fn said(text: String) -> GetPromptResult {
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)])
}

/// Why there is no such prompt, with the name that was probably meant.
fn explain(store: &dyn Store, error: SkillError) -> PromptError {
    let SkillError::NotFound { name } = &error else { return error.into() };
    let name = start(name, LONGEST_NAME);
    let mut message = format!("there is no prompt `{name}`");
    if let Some(meant) = nearest(&name, store.list().skills.iter().map(|skill| skill.name.as_str())) {
        message.push_str(&format!("; did you mean `{meant}`?"));
    }
    PromptError::Asked(message)
}
