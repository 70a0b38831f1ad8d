//! Subcommands of git that change files of the tree.
//!
//! What is named is a write of it. `switch`, `pull`, `merge`, `rebase` and their like bring the whole tree to another state of the
//! repository. That is no code that was not read, so nothing needs to be spelt; it counts as a write of some file that the
//! repository holds, which the gate asks about only if a rule denies one of those that are there.

use super::addresses;
use super::spec::{after_dashes, before_dashes, changes_any, shows_any, touch, tracked, unignored};
use super::subs::Call;
use crate::programs::Meaning;
use crate::programs::line::Line;
use crate::programs::meaning::last_part;
use crate::{Access, Creates, Filter, Pin, Word};

const WHY: &str = "it changes files that are not named";

/// Files that are taken from a state of the repository other than the one that is checked out may be new.
fn spec(word: &Word, creates: Creates, meaning: &mut Meaning) -> bool {
    touch(Access::Write, word, &Filter { creates, ..tracked() }, meaning)
}

fn from_file(line: &Line, meaning: &mut Meaning) {
    if line.has("pathspec-from-file") {
        meaning.opaque(Pin::Everything, "which files are meant is said by a file");
    }
}

/// What is to be chosen is shown first.
fn asks(line: &Line, meaning: &mut Meaning) {
    if line.has("p") {
        shows_any(meaning);
    }
}

pub(super) fn checkout(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    from_file(line, &mut meaning);
    asks(line, &mut meaning);
    let (first, paths) = (before_dashes(line), after_dashes(line));
    let creates = if first.is_empty() { Creates::Nothing } else { Creates::Anything };
    let mut is_limited = false;
    for word in &paths {
        is_limited |= spec(word, creates.clone(), &mut meaning);
    }
    if is_limited {
        return meaning;
    }
    // A branch that begins here leaves the tree as it is.
    let is_new = line.has("b B orphan") && line.operands.is_empty() && !line.has("f m t");
    if !is_new {
        changes_any(&mut meaning);
    }
    if line.has("b B orphan") {
        return meaning;
    }
    // The first may be a branch or a file, all others are files.
    for (at, word) in first.iter().enumerate() {
        let is_file = |text: &str| {
            at > 0 || last_part(text).contains('.') || text.ends_with('/') || text.starts_with(':')
        };
        if word.literal().is_some_and(is_file) || (at > 0 && word.literal().is_none()) {
            let creates = if at > 0 { Creates::Anything } else { Creates::Nothing };
            spec(word, creates, &mut meaning);
        }
    }
    meaning
}

pub(super) fn switch(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    let is_new = line.has("c C") && line.operands.is_empty() && !line.has("f discard-changes m t");
    if !is_new {
        changes_any(&mut meaning);
    }
    meaning
}

pub(super) fn restore(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    from_file(line, &mut meaning);
    asks(line, &mut meaning);
    if line.has("S") && !line.has("W") {
        return meaning;
    }
    let creates = if line.has("s") { Creates::Anything } else { Creates::Nothing };
    let mut is_limited = false;
    for word in line.words() {
        is_limited |= spec(word, creates.clone(), &mut meaning);
    }
    if !is_limited && (!line.operands.is_empty() || line.has("p")) {
        changes_any(&mut meaning);
    }
    meaning
}

/// Only some of its ways touch files; the others move a name.
pub(super) fn reset(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    asks(&call.line, &mut meaning);
    if call.line.has("hard merge keep") || call.line.loose.is_some() {
        changes_any(&mut meaning);
    }
    meaning
}

pub(super) fn clean(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    if line.has("n") {
        return meaning;
    }
    let filter = Filter { skips_ignored: !line.has("x X"), ..unignored() };
    let mut is_limited = false;
    for word in line.words() {
        is_limited |= touch(Access::Write, word, &filter, &mut meaning);
    }
    if !is_limited || line.loose.is_some() {
        meaning.opaque(Pin::Words(call.spelt), WHY);
        meaning.touch(Access::Write, &Word::Literal(".".to_owned()), true, filter);
    }
    meaning
}

pub(super) fn rm(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    from_file(line, &mut meaning);
    if line.has("cached n") {
        return meaning;
    }
    for word in line.words() {
        spec(word, Creates::Nothing, &mut meaning);
    }
    meaning
}

pub(super) fn mv(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    if line.has("n") {
        return meaning;
    }
    // Files go where `mv` would bring them.
    let words =
        ["mv", "--"].map(|word| Word::Literal(word.to_owned())).into_iter().chain(line.words().cloned());
    let moved = crate::programs::meaning(&words.collect::<Vec<_>>());
    meaning.touches.extend(moved.touches);
    meaning.doubts.extend(moved.doubts);
    meaning
}

/// Ways to merge that come with git.
const STRATEGIES: &[&str] = &["ort", "recursive", "resolve", "octopus", "ours", "subtree"];

/// Another name is a program `git-merge-NAME`.
pub(super) fn strategy(line: &Line, meaning: &mut Meaning) {
    let mut named = line.values("s").chain(line.values("strategy"));
    if named.any(|name| name.literal().is_none_or(|name| !STRATEGIES.contains(&name))) {
        meaning.opaque(Pin::Everything, "a strategy of another name is a program that git runs");
    }
    // So a file of any name comes to stand in any directory.
    let moves = |word: &Word| word.literal().is_none_or(|text| text.starts_with("subtree"));
    let mut options = line.values("X").chain(line.values("s")).chain(line.values("strategy"));
    if options.any(moves) {
        meaning.opaque(Pin::Everything, "it moves what is merged into another directory");
    }
}

/// `merge`, `cherry-pick`, `revert`.
pub(super) fn merge(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    strategy(&call.line, &mut meaning);
    if !call.line.has("quit") {
        changes_any(&mut meaning);
    }
    meaning
}

pub(super) fn rebase(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    strategy(line, &mut meaning);
    if line.has("show-current-patch") {
        shows_any(&mut meaning);
        return meaning;
    }
    changes_any(&mut meaning);
    if line.loose.is_some() {
        meaning.unreadable("a word of `git rebase` may be `--exec`");
    }
    if line.has("x") {
        meaning.shell.extend(line.values("x").cloned());
        meaning.opaque(Pin::Everything, "`git rebase` was told to run something");
    }
    meaning
}

/// What it changes is said by the branch that is fetched.
pub(super) fn stashes(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    from_file(line, &mut meaning);
    asks(line, &mut meaning);
    let is_push = call.words[0].literal() == Some("push");
    let words = if is_push { line.words().cloned().collect() } else { after_dashes(line) };
    let mut is_limited = false;
    for word in &words {
        is_limited |= spec(word, Creates::Nothing, &mut meaning);
    }
    if !is_limited {
        changes_any(&mut meaning);
    }
    // What git does not track goes as well, and can be shown from then on.
    if line.has("a u") {
        let filter = Filter { skips_ignored: !line.has("a"), whole_repository: true, ..unignored() };
        let here = Word::Literal(".".to_owned());
        meaning.touch(Access::Read, &here, true, Filter { may_be_fewer: true, ..filter.clone() });
        if line.has("a") {
            meaning.touch(Access::Write, &here, true, filter);
        }
    }
    meaning
}

/// As `stash apply`: what is brought is in the repository.
pub(super) fn any(_: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    changes_any(&mut meaning);
    meaning
}

pub(super) fn pull(line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    changes_any(&mut meaning);
    strategy(line, &mut meaning);
    addresses::addresses(line, &mut meaning);
    addresses::from_here(line, &mut meaning);
    addresses::foreign(line, &mut meaning);
    meaning
}
