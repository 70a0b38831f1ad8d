//! Subcommands of git that write names of commits, which are files of git's own, and packs.

use super::subs::Call;
use crate::programs::Meaning;
use crate::{Pin, Word};

/// `update-ref`, `symbolic-ref`: a name that is none of a branch or the like is a path below `.git`, and leads out of it by `..`.
pub(super) fn names(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    if line.has("stdin") {
        meaning.opaque(Pin::Everything, "which names are written is said on its standard input");
    }
    // One word alone is looked up.
    if line.operands.len() < 2 && !line.has("d") {
        return meaning;
    }
    let Some(name) = line.operand(0) else { return meaning };
    if name.literal().is_some_and(is_plain) {
        return meaning;
    }
    meaning.opaque(Pin::Everything, format!("`{}` is a path, and not the name of a branch", name.shown()));
    match name.literal() {
        Some(text) => meaning.writes_at(format!(".git/{text}"), false),
        None => meaning.unreadable("which file is written is known only when it runs"),
    }
    meaning
}

/// `HEAD`, `refs/heads/main`.
fn is_plain(name: &str) -> bool {
    let is_special =
        name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_') && name.ends_with("HEAD");
    is_special || name.starts_with("refs/") && !name.split('/').any(|part| part == "..")
}

/// `gc`, `repack`: what is taken out may go elsewhere.
pub(super) fn packs(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    for path in call.line.values("expire-to").chain(call.line.values("filter-to")) {
        meaning.opaque(Pin::Everything, "objects are written to another place");
        meaning.writes(path, true);
    }
    // It is the beginning of a name.
    for path in call.line.values("expire-to").chain(call.line.values("filter-to")) {
        if let Some((directory, _)) = path.literal().and_then(|path| path.rsplit_once('/')) {
            meaning.writes(&Word::Literal(directory.to_owned()), true);
        }
    }
    meaning
}
