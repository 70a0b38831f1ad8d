//! Subcommands of git that change files by name.

use crate::programs::Meaning;
use crate::programs::line::Line;
use crate::programs::meaning::{below, last_part};
use crate::{Pin, Word};

const WHY: &str = "it changes files that are not named";

/// A pathspec: a path, a pattern, or magic that is not followed.
fn spec(word: &Word, meaning: &mut Meaning) {
    match word.literal() {
        Some(text) if text.starts_with(':') => {
            meaning.unreadable(format!("which files `{text}` means cannot be told"));
        }
        Some(text) => match text.find(['*', '?', '[', '\\']) {
            Some(at) => {
                let directory = text[..at].rsplit_once('/').map_or(".", |(directory, _)| directory);
                meaning.writes_at(directory, true);
            }
            None => meaning.writes(word, true),
        },
        None => meaning.writes(word, true),
    }
}

/// The operands after `--`. Without `--` there are none.
fn after_dashes(line: &Line) -> Vec<Word> {
    let Some(dashes) = line.dashes else { return Vec::new() };
    line.operands.iter().filter(|(at, _)| *at > dashes).map(|(_, word)| word.clone()).collect()
}

fn from_file(line: &Line, meaning: &mut Meaning) {
    if line.has("pathspec-from-file") {
        meaning.opaque(Pin::Everything, "which files are meant is said by a file");
    }
}

pub(super) fn checkout(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    from_file(line, &mut meaning);
    let specs = after_dashes(line);
    if !specs.is_empty() {
        specs.iter().for_each(|word| spec(word, &mut meaning));
        return meaning;
    }
    meaning.opaque(Pin::Words(place + 1), WHY);
    if line.has("b B orphan") {
        return meaning;
    }
    // The first may be a branch or a file, all others are files.
    for (at, word) in line.words().enumerate() {
        let is_file = |text: &str| at > 0 || last_part(text).contains('.') || text.ends_with('/');
        if word.literal().is_some_and(is_file) {
            spec(word, &mut meaning);
        }
    }
    meaning
}

pub(super) fn restore(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    from_file(line, &mut meaning);
    if line.has("S") && !line.has("W") {
        return meaning;
    }
    if line.operands.is_empty() {
        meaning.opaque(Pin::Words(place + 1), WHY);
    }
    line.words().for_each(|word| spec(word, &mut meaning));
    meaning
}

/// Only some of its ways touch files; the others move a name.
pub(super) fn reset(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    if line.has("hard merge keep") || line.loose.is_some() || line.unsure.is_some() {
        meaning.opaque(Pin::Words(place + 1), WHY);
    }
    meaning
}

pub(super) fn clean(_: &[Word], place: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    if line.has("n") && !line.has("f") {
        return meaning;
    }
    if line.operands.is_empty() || line.loose.is_some() {
        meaning.opaque(Pin::Words(place + 1), WHY);
    }
    line.words().for_each(|word| spec(word, &mut meaning));
    meaning
}

pub(super) fn rm(_: &[Word], _: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    from_file(line, &mut meaning);
    if line.has("cached n") {
        return meaning;
    }
    line.words().for_each(|word| spec(word, &mut meaning));
    meaning
}

pub(super) fn mv(_: &[Word], _: usize, line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    if line.has("n") {
        return meaning;
    }
    let words: Vec<&Word> = line.words().collect();
    words.iter().for_each(|word| meaning.writes(word, true));
    if let Some((target, sources)) = words.split_last() {
        let names = sources.iter().filter_map(|source| source.literal()).map(last_part);
        let target = target.literal().unwrap_or_default();
        names.for_each(|name| meaning.writes_at(below(target, name), true));
    }
    meaning
}
