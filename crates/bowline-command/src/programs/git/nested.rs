//! Subcommands of git with subcommands or ways of their own.

use super::subs::addresses;
use crate::programs::Meaning;
use crate::programs::line::Line;
use crate::programs::meaning::{joined, last_part};
use crate::{Pin, Word};

fn second(words: &[Word]) -> Option<&str> {
    words.get(1).and_then(Word::literal)
}

/// The subcommand's own subcommand must be spelt as well.
fn spelt(words: &[Word], place: usize, why: &str) -> Meaning {
    match second(words) {
        Some(text) if !text.starts_with('-') => Meaning::code(Pin::Words(place + 2), why),
        None if words.len() == 1 => Meaning::code(Pin::Words(place + 1), why),
        _ => Meaning::code(Pin::Everything, why),
    }
}

pub(super) fn rebase(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(place + 1), "it changes files that are not named");
    if line.loose.is_some() {
        meaning.unreadable("a word of `git rebase` may be `--exec`");
    }
    if line.has("x s") {
        meaning.shell.extend(line.values("x").cloned());
        meaning.opaque(Pin::Everything, "`git rebase` was told to run something");
    }
    meaning
}

pub(super) fn stash(words: &[Word], place: usize, _: &Line) -> Meaning {
    match second(words) {
        Some("list" | "show" | "create" | "store" | "drop" | "clear") => {
            let writes = words[1..]
                .iter()
                .any(|word| word.start().starts_with("--out") || word.start().starts_with("--ext"));
            if writes {
                Meaning::code(Pin::Everything, "it was told to write a file")
            } else {
                Meaning::default()
            }
        }
        _ => spelt(words, place, "it changes files that are not named"),
    }
}

/// What is set may run: `core.pager`, `core.hooksPath`, an alias.
pub(super) fn config(words: &[Word], _: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    let is_new_get = matches!(second(words), Some("get" | "list"));
    let sets = line.has("add replace-all unset unset-all rename-section remove-section e");
    let asks = line.has("get get-all get-regexp get-urlmatch get-color get-colorbool l") || is_new_get;
    let is_single = line.operands.len() == 1 && !matches!(second(words), Some("set" | "unset" | "edit"));
    if (asks || is_single) && !sets && line.loose.is_none() {
        return meaning;
    }
    meaning.opaque(Pin::Everything, "what git is told here may run later");
    if line.has("f") {
        line.values("f").for_each(|path| meaning.writes(path, false));
    } else if !line.has("global system") {
        meaning.writes_at(".git/config", false);
    }
    meaning
}

pub(super) fn remote(words: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = match second(words) {
        None if words.len() == 1 => Meaning::default(),
        Some("-v" | "--verbose" | "show" | "get-url" | "update" | "prune") => Meaning::default(),
        _ => spelt(words, place, "it changes where git fetches from"),
    };
    addresses(line, &mut meaning);
    meaning
}

pub(super) fn submodule(words: &[Word], _: usize, _: &Line) -> Meaning {
    match second(words) {
        Some("status" | "summary") => Meaning::default(),
        None if words.len() == 1 => Meaning::default(),
        Some("foreach") => {
            let mut meaning = Meaning::code(Pin::Everything, "it runs a command in every submodule");
            let code = words[2..]
                .iter()
                .skip_while(|word| word.start().starts_with('-'))
                .cloned()
                .collect::<Vec<_>>();
            meaning.shell.extend(joined(&code));
            meaning
        }
        _ => Meaning::code(Pin::Everything, "a submodule may say what runs"),
    }
}

pub(super) fn bisect(words: &[Word], place: usize, _: &Line) -> Meaning {
    match second(words) {
        Some("log" | "view" | "terms" | "help") => Meaning::default(),
        Some("run") => {
            let mut meaning =
                Meaning::code(Pin::Everything, "it runs a command in many versions of the project");
            meaning.runs.extend((words.len() > 2).then(|| words[2..].to_vec()));
            meaning
        }
        _ => spelt(words, place, "it changes files that are not named"),
    }
}

pub(super) fn worktree(words: &[Word], place: usize, line: &Line) -> Meaning {
    if second(words) == Some("list") {
        return Meaning::default();
    }
    let mut meaning = spelt(words, place, "it makes or removes a whole tree, and runs hooks");
    if let (Some("add" | "remove" | "move"), Some(path)) = (second(words), line.operand(1)) {
        meaning.writes(path, true);
    }
    if let (Some("move"), Some(path)) = (second(words), line.operand(2)) {
        meaning.writes(path, true);
    }
    meaning
}

pub(super) fn clone(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(place + 1), "what is cloned may say what runs");
    if line.loose.is_some()
        || line.has(
            "u c template separate-git-dir recurse-submodules recursive \
        reference reference-if-able bundle-uri",
        )
    {
        meaning
            .opaque(Pin::Everything, "`git clone` was told to run something, or to take it from elsewhere");
    }
    addresses(line, &mut meaning);
    match (line.operand(1), line.operand(0)) {
        (Some(path), _) => meaning.writes(path, true),
        (None, Some(address)) => match address.literal() {
            Some(address) => {
                let name = last_part(address.trim_end_matches('/').trim_end_matches("/.git"));
                let name = name.rsplit(':').next().unwrap_or(name);
                meaning.writes_at(name.strip_suffix(".git").unwrap_or(name), true);
            }
            None => meaning.unreadable("where the clone goes is known only when it runs"),
        },
        (None, None) => {}
    }
    meaning
}

pub(super) fn init(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(place + 1), "it makes a repository");
    if line.loose.is_some() || line.has("template separate-git-dir") {
        meaning.opaque(Pin::Everything, "a template brings hooks, which run");
    }
    if let Some(path) = line.operand(0) {
        meaning.writes(path, true);
    }
    meaning
}

pub(super) fn bundle(words: &[Word], place: usize, line: &Line) -> Meaning {
    match second(words) {
        Some("verify" | "list-heads") => Meaning::default(),
        Some("create") => {
            let mut meaning = Meaning::default();
            if line.loose.is_some() {
                meaning.unreadable("what `git bundle` writes cannot be told");
            }
            if let Some(path) = line.operand(1).filter(|path| path.literal() != Some("-")) {
                meaning.writes(path, false);
            }
            meaning
        }
        _ => spelt(words, place, "it takes what a file says"),
    }
}

pub(super) fn format_patch(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    if line.loose.is_some() {
        meaning.unreadable("a word of `git format-patch` may be an option that writes");
    }
    line.values("output").for_each(|path| meaning.writes(path, false));
    line.values("o").for_each(|path| meaning.writes(path, true));
    if line.has("ext-diff") {
        meaning.opaque(Pin::Everything, "it was told to run something");
    }
    if !line.has("o stdout output") {
        meaning.opaque(Pin::Words(place + 1), "it writes files by names that it makes up");
    }
    meaning
}

pub(super) fn maintenance(words: &[Word], _: usize, _: &Line) -> Meaning {
    match second(words) {
        Some("run") => Meaning::default(),
        _ => Meaning::code(Pin::Everything, "it runs later, outside the gate"),
    }
}

pub(super) fn tool(_: &[Word], _: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, "it starts another program");
    meaning.shell.extend(line.values("x").cloned());
    meaning
}

pub(super) fn lfs(words: &[Word], place: usize, _: &Line) -> Meaning {
    match second(words) {
        Some("ls-files" | "status" | "env" | "version" | "locks") => Meaning::default(),
        _ => spelt(words, place, "it changes files that are not named"),
    }
}
