//! Subcommands of git that reach other repositories.

use super::changes;
use super::subs::Call;
use crate::programs::Meaning;
use crate::programs::line::Line;
use crate::programs::meaning::last_part;
use crate::{Access, Filter, Pin, Word};

/// An address may name a program: `ext::sh -c …`.
pub(super) fn addresses(line: &Line, meaning: &mut Meaning) {
    let is_program = |word: &Word| word.start().contains("::");
    if line.words().chain(line.values("repo")).chain(line.values("remote")).any(is_program) {
        meaning.opaque(Pin::Everything, "the address names a program");
    }
}

/// Repositories by their names.
pub(super) fn named(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    addresses(&call.line, &mut meaning);
    meaning
}

pub(super) fn fetch(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    addresses(&call.line, &mut meaning);
    from_here(&call.line, &mut meaning);
    foreign(&call.line, &mut meaning);
    meaning
}

/// History from a repository that is no remote of this one may hold any file, also one that an agent must not write.
pub(super) fn foreign(line: &Line, meaning: &mut Meaning) {
    let first = line.words().next().into_iter().chain(line.values("repo")).chain(line.values("remote"));
    let is_foreign = |word: &Word| match word.literal() {
        Some(".") => false,
        Some(name) => name.starts_with('.') || name.ends_with(".bundle") || name.contains(['/', ':', '\\']),
        None => true,
    };
    if first.into_iter().any(is_foreign) {
        meaning.opaque(Pin::Everything, "it takes history from a place that is no remote of this repository");
    }
}

/// What is no address is a repository or a bundle on this machine: it is read, whatever it is. Any operand may be the first
/// one to a version of git that knows other options.
pub(super) fn from_here(line: &Line, meaning: &mut Meaning) {
    for word in line.words().chain(line.values("repo")).chain(line.values("remote")) {
        let Some(path) = path_of(word) else { continue };
        meaning.reads(&path);
    }
    // A repository runs what its configuration names.
    let is_path = |word: &&Word| word.start().starts_with('.') || word.start().contains('/');
    let first = line.words().next().filter(is_path);
    first.and_then(path_of).iter().for_each(|path| meaning.executes(path));
}

/// The path, unless it is on another machine: `host:path`, if no slash stands before the colon.
fn path_of(word: &Word) -> Option<Word> {
    const FILE: &str = "file://";
    let bytes = if word.start().starts_with(FILE) { FILE.len() } else { 0 };
    let is_elsewhere = word.start().split('/').next().is_some_and(|first| first.contains(':')) && bytes == 0;
    (!is_elsewhere).then(|| word.after(bytes))
}

pub(super) fn pull(call: &Call<'_>) -> Meaning {
    changes::pull(&call.line)
}

/// A repository on this machine runs its own hooks when something is pushed to it.
pub(super) fn push(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    addresses(line, &mut meaning);
    let first = line.words().next();
    for word in first.into_iter().chain(line.values("repo")).chain(line.values("remote")) {
        let text = word.start();
        let path = text.strip_prefix("file://").unwrap_or(text);
        // `host:path` is on another machine, unless a slash stands before the colon.
        let is_elsewhere = path.split('/').next().is_some_and(|first| first.contains(':'));
        let is_path =
            text.starts_with("file://") || path.contains('/') && !is_elsewhere || path.starts_with('.');
        match word.literal() {
            Some(_) if is_path => meaning.executes(&Word::Literal(path.to_owned())),
            None if is_path => meaning.executes(word),
            _ => {}
        }
    }
    meaning
}

pub(super) fn clone(call: &Call<'_>) -> Meaning {
    let line = &call.line;
    let mut meaning = Meaning::code(Pin::Words(call.spelt), "what is cloned may say what runs");
    if line.has(
        "c recurse-submodules recursive template separate-git-dir reference reference-if-able bundle-uri",
    ) {
        meaning
            .opaque(Pin::Everything, "`git clone` was told to run something, or to take it from elsewhere");
    }
    addresses(line, &mut meaning);
    if let Some(address) = line.operand(0).and_then(path_of) {
        meaning.reads(&address);
    }
    // What is copied from this machine can be read by its new name.
    if let Some(address) = line.operand(0).filter(|address| !address.start().contains(':')) {
        meaning.touch(
            Access::Read,
            address,
            true,
            Filter { tracked_only: true, may_be_fewer: true, ..Filter::default() },
        );
    }
    match (line.operand(1), line.operand(0)) {
        (Some(path), _) => meaning.writes(path, true),
        (None, Some(address)) => match address.literal() {
            Some(address) => {
                let name = last_part(address.trim_end_matches('/').trim_end_matches("/.git"));
                let name = name.rsplit(':').next().unwrap_or(name);
                let name = name.strip_suffix(".git").or_else(|| name.strip_suffix(".bundle")).unwrap_or(name);
                let bare = line.has("bare mirror").then(|| format!("{name}.git"));
                meaning.writes_at(bare.unwrap_or_else(|| name.to_owned()), true);
            }
            None => meaning.unreadable("where the clone goes is known only when it runs"),
        },
        (None, None) => {}
    }
    meaning
}
