//! What is said to an agent whose call breaks the order: why, where it stands, and what leads on from there.

use bowline_call::Effect;

use super::active::ActiveSkill;
use super::pattern::{CallPattern, Occasion};
use super::table::Phase;
use super::walk::Violation;

/// No more are named: a list that nobody reads helps nobody.
const MOST_NAMED: usize = 12;

/// Why it is a violation.
pub(super) fn reason(active: &ActiveSkill, tool: &str, violation: Violation) -> String {
    let phase = active.phase().map_or("", |phase| &phase.name);
    match violation {
        Violation::Globally => format!("{tool} is globally forbidden during the {} skill", active.skill),
        Violation::Forbidden => format!("{tool} is forbidden in the \"{phase}\" phase"),
        Violation::TooEarly { unfinished } => {
            let unfinished = active.table.phases.get(unfinished).map_or("", |phase| &phase.name);
            format!(
                "{tool} is too early in the \"{phase}\" phase: \"{unfinished}\" cannot be skipped and is not complete"
            )
        }
        Violation::Unnamed(effect) => {
            let does = if effect == Effect::Run { "runs programs" } else { "changes files" };
            format!("{tool} {does}, and is not among what the \"{phase}\" phase or a later one allows")
        }
    }
}

/// What to do instead. It never lists what was just refused.
pub(super) fn recovery(active: &ActiveSkill, occasion: &Occasion<'_>, violation: Violation) -> String {
    let Some(phase) = active.phase() else { return "call deactivate_skill".into() };
    let allowed = others(phase, occasion);
    if violation == Violation::Globally {
        return format!(
            "This tool is not used in the {} workflow. Go on with the \"{}\" phase: {allowed}",
            active.skill, phase.name
        );
    }
    if !active.at.complete {
        let by = match &phase.complete_when {
            Some(completing) => {
                format!(
                    " It is complete after one of {}.",
                    list(completing.iter().map(|one| one.call.text()))
                )
            }
            None => String::new(),
        };
        let on = match active.table.phases.get(active.at.phase + 1) {
            Some(next) if phase.skippable => {
                format!(" Or go on to \"{}\" with one of {}.", next.name, others(next, occasion))
            }
            _ => String::new(),
        };
        return format!("Complete the \"{}\" phase first. Allowed tools: {allowed}.{by}{on}", phase.name);
    }
    match active.table.phases.get(active.at.phase + 1) {
        Some(next) => {
            let tools = others(next, occasion);
            format!(
                "The \"{}\" phase is complete. Go on to \"{}\" with one of {tools}.",
                phase.name, next.name
            )
        }
        None => format!("The workflow is at its end: call deactivate_skill, or go on with {allowed}."),
    }
}

/// What a phase allows besides the very call that was made: the same tool with other arguments may be the way on.
fn others(phase: &Phase, occasion: &Occasion<'_>) -> String {
    list(phase.allowed.iter().filter(|pattern| !pattern.matches(occasion)).map(CallPattern::text))
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    let (shown, more) = words.split_at(words.len().min(MOST_NAMED));
    let more = if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
    format!("[{}{more}]", shown.join(", "))
}
