//! What the tables said, compared with what the program did.

use std::path::{Path, PathBuf};

use bowline_command::{Access, Doubt, Filter, Pin, Script, Touch};
use globset::Glob;

use super::ground::Seen;

/// The outcome of one run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// What was done and not said.
    pub(crate) missed: Vec<String>,
    pub(crate) is_doubted: bool,
    /// Nothing was done that needs a doubt.
    pub(crate) is_plain: bool,
    /// Names that are said to be read, and were not.
    pub(crate) invented: Vec<String>,
}

pub(crate) fn judge(script: &Script, seen: &Seen, work: &Path) -> Verdict {
    let is_unreadable = script.doubts.iter().any(|doubt| matches!(doubt, Doubt::Unreadable(_)));
    let is_pinned = script.commands.iter().any(|command| command.pin == Some(Pin::Everything));
    let is_doubted = is_unreadable || is_pinned || !script.forbidden.is_empty();
    let runs_evil = script.commands.iter().any(|command| {
        command.words[0].literal().is_some_and(|program| program.rsplit('/').next() == Some("evil"))
    });
    let mut verdict = Verdict {
        is_doubted,
        is_plain: !seen.ran && seen.changed.is_empty() && seen.is_success,
        ..Verdict::default()
    };
    if seen.ran && !runs_evil && !is_doubted {
        verdict.missed.push("runs `evil`".to_owned());
    }
    for name in seen.read.iter().filter(|name| !(seen.ran && *name == "evil")) {
        if !is_doubted && !is_covered(script, &[Access::Read, Access::Execute], work, name) {
            verdict.missed.push(format!("reads `{name}`"));
        }
    }
    for name in &seen.changed {
        if !is_doubted && !is_covered(script, &[Access::Write], work, name) {
            verdict.missed.push(format!("writes `{name}`"));
        }
    }
    if seen.is_success {
        let reads = script.touches.iter().filter(|touch| touch.access == Access::Read && !touch.is_deep);
        for touch in reads {
            let names = touch.paths.iter().filter_map(|path| path.strip_prefix(work).ok()?.to_str());
            let is_file = |name: &&str| work.join(name).is_file() && !seen.opened.contains(*name);
            verdict.invented.extend(names.filter(is_file).map(str::to_owned));
        }
    }
    verdict
}

fn is_covered(script: &Script, accesses: &[Access], work: &Path, name: &str) -> bool {
    let path = work.join(name);
    let touches = script.touches.iter().filter(|touch| accesses.contains(&touch.access));
    touches.into_iter().any(|touch| touch.paths.iter().any(|start| means(touch, &plain(start), &path)))
}

/// Without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                plain.pop();
            }
            std::path::Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

fn means(touch: &Touch, start: &Path, path: &Path) -> bool {
    if start == path {
        return true;
    }
    touch.is_deep && path.strip_prefix(start).is_ok_and(|below| leaves_in(&touch.filter, below))
}

/// As the dispatcher reads a filter.
fn leaves_in(filter: &Filter, below: &Path) -> bool {
    let names: Vec<&str> = below.iter().filter_map(|name| name.to_str()).collect();
    let fits = |pattern: &str, name: &str| {
        Glob::new(pattern).is_ok_and(|glob| glob.compile_matcher().is_match(name))
    };
    let in_parts = filter
        .parts
        .iter()
        .zip(&names)
        .all(|(part, name)| fits(part, name) && (part.starts_with('.') || !name.starts_with('.')));
    let is_deep_enough =
        if filter.is_shallow { names.len() == filter.parts.len() } else { names.len() >= filter.parts.len() };
    let is_only = filter.only.is_empty()
        || names.last().is_some_and(|name| filter.only.iter().any(|only| fits(only, name)));
    let is_hidden = filter.skips_hidden && names.iter().any(|name| name.starts_with('.'));
    let (last, above) = names.split_last().unwrap_or((&"", &[]));
    let is_skipped = is_hidden
        || filter.except.iter().any(|except| fits(except, last))
        || above.iter().any(|name| filter.except_directories.iter().any(|except| fits(except, name)));
    in_parts && is_deep_enough && is_only && !is_skipped
}
