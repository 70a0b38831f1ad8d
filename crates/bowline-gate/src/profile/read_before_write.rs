//! `read_before_write`: a file that exists is changed by those who know what is in it.

use std::path::Path;

use bowline_call::{Effect, Targets, ToolIdentity};
use bowline_command::Access;
use serde_json::Value;

use super::policy::{PolicyContext, PolicyDecision, PolicyState, ToolPolicy};
use crate::{Facts, PathFact, PathKind, RuleFailed, TouchFact};

/// Reading a file is a call that succeeded and whose answer shows what stands in it, or a part of it; or a command that prints it.
/// A call that merely names the file shows nothing. A file that the conversation has written is known too. What is known is the
/// content: a file that was changed meanwhile must be read again.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadBeforeWrite;

impl ToolPolicy for ReadBeforeWrite {
    fn name(&self) -> &str {
        "read_before_write"
    }

    fn check(
        &self,
        tool: &ToolIdentity,
        _params: &Value,
        context: &PolicyContext<'_>,
    ) -> Result<PolicyDecision, RuleFailed> {
        let PolicyContext { intent, facts, .. } = context;
        if facts.paths.len() != intent.paths().count() {
            return Err(RuleFailed("the facts do not cover every path of the call".into()));
        }
        let state = context.state();
        let mut against = Vec::new();
        if intent.effect == Effect::Write {
            against.extend(facts.paths.iter().filter_map(|path| unknown(path, facts, state)));
            // What our own tools find out on the way is judged before it is written; what others do is not.
            if intent.targets == Targets::Unknown && tool.own().is_none() {
                against.push(format!("which files `{}` would write cannot be told", tool.bare()));
            }
        }
        for touched in facts.written_by_commands() {
            against.extend(touched.readings.iter().filter_map(|path| match path.kind {
                PathKind::Directory if touched.is_deep => {
                    Some(format!("everything in `{}` would be changed", path.absolute.display()))
                }
                PathKind::Directory => None,
                _ => unknown(path, facts, state),
            }));
        }
        against.dedup();
        Ok(match against.as_slice() {
            [] => PolicyDecision::allow(),
            [one] => PolicyDecision::deny(one),
            [first, more @ ..] => {
                PolicyDecision::deny(format!("{first} (and {} more of its kind)", more.len()))
            }
        })
    }

    fn on_result(
        &self,
        _tool: &ToolIdentity,
        _params: &Value,
        _result: &Value,
        context: &mut PolicyContext<'_>,
    ) -> Result<(), RuleFailed> {
        let facts = context.facts;
        let state = context.state_mut();
        if facts.shows_content {
            facts.paths.iter().for_each(|path| know(state, path));
        }
        for command in &facts.commands {
            let read =
                command.touched.iter().filter(|touched| touched.access == Access::Read && !touched.is_deep);
            let paths = read.flat_map(|TouchFact { readings, .. }| readings);
            paths
                .filter(|path| command.script.shown.contains(&path.written))
                .for_each(|path| know(state, path));
        }
        // What was written is known as it stands there now.
        facts.after.iter().for_each(|path| know(state, path));
        Ok(())
    }

    fn wants_content(&self) -> bool {
        true
    }
}

/// What is to be said against writing there, if anything is.
fn unknown(path: &PathFact, facts: &Facts, state: &PolicyState) -> Option<String> {
    let shown = path.absolute.display();
    let Ok(real) = &path.real else {
        return Some(format!("where `{shown}` leads cannot be told, so nobody can have read it"));
    };
    match path.kind {
        PathKind::Missing if facts.roots.iter().any(|root| real.starts_with(root)) => return None,
        PathKind::Missing => {
            return Some(format!("`{shown}` is outside the workspace, and not a new file of it"));
        }
        // It has no content that could be lost.
        PathKind::Other => return None,
        PathKind::File | PathKind::Directory => {}
    }
    let known = state.note(&key(real));
    match (known, path.hash) {
        (Some(known), Some(now)) if known == hex(&now) => None,
        (None, _) => Some(format!("`{shown}` exists and was not read: read it first")),
        (Some(_), Some(_)) => Some(format!("`{shown}` has changed since it was read: read it again")),
        (Some(_), None) => Some(format!(
            "`{shown}` cannot be compared with what was read: it is too large, or cannot be opened"
        )),
    }
}

/// A file whose content nobody knows is not known any more.
fn know(state: &mut PolicyState, path: &PathFact) {
    let Ok(real) = &path.real else { return };
    match path.hash {
        Some(hash) if path.kind == PathKind::File => state.set_note(key(real), hex(&hash)),
        _ => state.forget(&key(real)),
    }
}

/// A path as a text that means no other path.
fn key(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.to_owned(),
        None => format!("\0{}", hex(path.as_os_str().as_encoded_bytes())),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
