//! `sed`: its script is read, command by command.

mod script;

use self::script::Does;
use super::Meaning;
use super::line::{Order, parse};
use super::table::{Kind, Row};
use crate::{Creates, Pin, Word};

pub(super) const ROWS: &[Row] = &[("sed gsed ssed", Kind::Does(sed))];

const OPTIONS: &str = "n/quiet/silent e/expression= f/file=^ E/r/regexp-extended i/in-place? I? \
    l/line-length= a debug posix b/binary s/separate u/unbuffered z/null-data follow-symlinks sandbox help \
    version";

fn sed(words: &[Word]) -> Meaning {
    if super::look::only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, OPTIONS, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `sed` may run commands and write files"));
    }
    meaning.uses(&line, "sed");
    let is_in_place = line.has("i I");
    let mut files: Vec<Word> = line.words().cloned().collect();
    let mut scripts: Vec<Word> = line.values("e").cloned().collect();
    if !line.has("e f") && !files.is_empty() {
        scripts.push(files.remove(0));
        // Elsewhere than with GNU the suffix is a word of its own, and often an empty one.
        if is_in_place && scripts[0].literal() == Some("") && !files.is_empty() {
            scripts.push(files.remove(0));
        }
    }
    let literal: Option<Vec<&str>> = scripts.iter().map(Word::literal).collect();
    match literal.map(|scripts| script::read(&scripts.join("\n"))) {
        Some(Some(does)) => apply(does, &mut meaning),
        Some(None) => meaning.opaque(Pin::Everything, "the script of `sed` was not understood"),
        None => meaning.opaque(Pin::Everything, "the script of `sed` is known only when it runs"),
    }
    for file in &files {
        if is_in_place {
            rewrite(
                file,
                line.values("i").next_back().or_else(|| line.values("I").next_back()),
                &mut meaning,
            );
        } else {
            meaning.reads(file);
        }
    }
    meaning
}

fn apply(does: Does, meaning: &mut Meaning) {
    does.reads.into_iter().for_each(|path| meaning.reads(&Word::Literal(path)));
    does.writes.into_iter().for_each(|path| meaning.writes_at(path, false));
    if does.runs {
        meaning.opaque(Pin::Everything, "the script of `sed` runs commands");
    }
    meaning.shell.extend(does.commands.into_iter().map(Word::Literal));
}

fn rewrite(file: &Word, suffix: Option<&Word>, meaning: &mut Meaning) {
    // What it reads there it may show, or leave in the copy.
    meaning.reads(file);
    match (file, suffix) {
        // Of what a pattern names, all is there.
        (Word::Unknown { .. }, None) => meaning.changes(file, false, Creates::Nothing),
        _ => meaning.writes(file, false),
    }
    match suffix.map(|suffix| (suffix, suffix.literal())) {
        None => {}
        Some((_, Some(suffix))) if !suffix.contains(['*', '/']) => {
            let copy = match file {
                Word::Literal(file) => Word::Literal(format!("{file}{suffix}")),
                Word::Unknown { start, text, splits } => {
                    Word::Unknown { start: start.clone(), text: format!("{text}{suffix}"), splits: *splits }
                }
            };
            meaning.writes(&copy, false);
        }
        Some((suffix, _)) => {
            meaning.unreadable(format!("where `{}` puts the copies cannot be told", suffix.shown()));
        }
    }
}
