//! Writers with ways of their own: `dd of=`, `split`, `csplit`, `patch`.

use super::line::{Line, Order, parse};
use super::look::only_asks_about_itself;
use super::meaning::below;
use super::table::{Kind, Row};
use super::{Meaning, patch as patches};
use crate::{Access, Creates, Filter, Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("dd gdd dcfldd dc3dd", Kind::Does(dd)),
    ("split gsplit", Kind::Does(split)),
    ("csplit gcsplit", Kind::Does(csplit)),
    ("patch gpatch", Kind::Does(patch)),
    ("apply_patch applypatch", Kind::Does(apply_patch)),
];

/// Names that are made from a number are told one by one up to here.
const MAX_NAMES: usize = 1_000;

fn dd(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    for word in &words[1..] {
        let key = word.start().split_once('=').map(|(key, _)| key);
        match key {
            Some(key) if key == "of" || key.ends_with("of") || key.ends_with("log") => {
                meaning.writes(&word.after(key.len() + 1), false);
            }
            Some("if" | "vf" | "pattern" | "textpattern") if !word.is_loose() => {
                meaning.reads(&word.after(word.start().find('=').map_or(0, |at| at + 1)));
            }
            Some(_) if !word.is_loose() => {}
            None if word.literal().is_some() => {}
            _ => meaning.unreadable(format!("`{}` may say what is written", word.shown())),
        }
    }
    meaning
}

fn split(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "# -io-blksize= a/suffix-length= additional-suffix= b/bytes= C/line-bytes= d e/elide-empty-files \
            filter= hex-suffixes? l/lines= n/number= numeric-suffixes? p= t/separator= u/unbuffered verbose x \
            help version",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `split` writes cannot be told"));
    }
    meaning.shell.extend(line.values("filter").cloned());
    if let Some(input) = line.operand(0) {
        meaning.reads(input);
    }
    if line.has("filter") {
        return meaning;
    }
    let prefix = line.operand(1).cloned().unwrap_or_else(|| Word::Literal("x".to_owned()));
    let alphabet = match line.has("d numeric-suffixes") {
        true => "0123456789",
        false if line.has("x hex-suffixes") => "0123456789abcdef",
        false => "abcdefghijklmnopqrstuvwxyz",
    };
    match ends(&line, alphabet) {
        Some(ends) => named(&prefix, &ends, &mut meaning),
        None => {
            meaning.writes(&prefix, false);
            meaning.unreadable("which names `split` makes cannot be told");
        }
    }
    meaning
}

/// What follows the prefix in the names that `split` makes.
fn ends(line: &Line, alphabet: &str) -> Option<Vec<String>> {
    let length = match line.values("a").next_back() {
        Some(length) => length.literal()?.parse::<usize>().ok()?,
        None => 2,
    };
    let last = match line.values("additional-suffix").next_back() {
        Some(last) => last.literal()?,
        None => "",
    };
    let mut made = vec![String::new()];
    // With a length of nothing it takes the one that it needs, which is two for as many files as can be told.
    for _ in 0..if length == 0 { 2 } else { length } {
        if made.len() * alphabet.len() > MAX_NAMES {
            return None;
        }
        made = made
            .iter()
            .flat_map(|start| alphabet.chars().map(move |letter| format!("{start}{letter}")))
            .collect();
    }
    Some(made.into_iter().map(|end| format!("{end}{last}")).collect())
}

fn csplit(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "b/suffix-format= elide-empty-files/z f/prefix= k/keep-files n/digits= s/quiet/silent suppress-matched \
            help version",
        Order::Anywhere,
    );
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `csplit` writes cannot be told"));
    }
    let prefix = line.values("f").next_back().cloned().unwrap_or_else(|| Word::Literal("xx".to_owned()));
    if let Some(file) = line.operand(0) {
        meaning.reads(file);
    }
    let digits = line.values("n").next_back().map_or(Some(2), |digits| digits.literal()?.parse().ok());
    let format = match line.values("b").next_back() {
        Some(format) => format.literal().and_then(simple_format),
        None => digits.map(|digits| (String::new(), digits, String::new())),
    };
    match format.filter(|(_, digits, _)| *digits < 9) {
        Some((before, digits, after)) => {
            let ends: Vec<String> =
                (0..100).map(|number| format!("{before}{number:0digits$}{after}")).collect();
            named(&prefix, &ends, &mut meaning);
        }
        None => {
            meaning.writes(&prefix, false);
            meaning.unreadable("which names `csplit` makes cannot be told");
        }
    }
    meaning
}

/// `a%02d.txt`: what stands before the number, its digits, what follows.
fn simple_format(format: &str) -> Option<(String, usize, String)> {
    let (before, rest) = format.split_once('%')?;
    let (digits, after) = rest.split_once('d')?;
    let digits = if digits.is_empty() { "1" } else { digits.strip_prefix('0')? };
    (!after.contains('%')).then_some(())?;
    Some((before.to_owned(), digits.parse().ok()?, after.to_owned()))
}

/// Files that are called by a prefix and one of these ends.
fn named(prefix: &Word, ends: &[String], meaning: &mut Meaning) {
    let Some(path) = prefix.literal() else { return meaning.writes(prefix, true) };
    let (directory, start) = match path.rsplit_once('/') {
        Some(("", start)) => ("/", start),
        Some((directory, start)) => (directory, start),
        None => (".", path),
    };
    let creates = Creates::Names(ends.iter().map(|end| format!("{start}{end}")).collect());
    let directory = Word::Literal(directory.to_owned());
    meaning.touch(Access::Write, &directory, true, Filter { creates, ..Filter::default() });
    if let Some(first) = ends.first() {
        meaning.writes_at(format!("{path}{first}"), false);
    }
}

const PATCH: &str = "B/prefix= b/backup backup-if-mismatch binary c/context D/ifdef= d/directory= dry-run E/remove-empty-files \
    e/ed F/fuzz= f/force follow-symlinks g/get= i/input=< l/ignore-whitespace merge? N/forward n/normal \
    no-backup-if-mismatch o/output=> p/strip= posix quoting-style= R/reverse r/reject-file=> read-only= \
    reject-format= s/quiet/silent T/set-time t/batch u/unified V/version-control= v/version verbose x/debug= \
    Y/basename-prefix= Z/set-utc z/suffix= help";

/// Which files change is said by the patch.
fn patch(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, PATCH, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `patch` writes cannot be told"));
    }
    meaning.uses(&line, "patch");
    meaning.touches.retain(|touched| touched.path.literal() != Some("-"));
    if let Some(patch) = line.operand(1) {
        meaning.reads(patch);
    }
    // It only says whether the patch would fit.
    if line.has("dry-run") {
        line.operand(0).into_iter().for_each(|path| meaning.reads(path));
        return meaning;
    }
    meaning.opaque(Pin::Everything, "which files change is said by the patch");
    let directory = line.values("d").next_back().and_then(Word::literal).unwrap_or_default();
    match (line.operand(0), line.operand(0).and_then(Word::literal)) {
        (_, Some(path)) => meaning.writes_at(below(directory, path), false),
        (Some(path), None) => meaning.writes(path, false),
        (None, _) if !directory.is_empty() => meaning.writes_at(directory, true),
        (None, _) => {}
    }
    meaning
}

/// The patch is its argument, or comes on its standard input.
fn apply_patch(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    match words.get(1) {
        None => meaning.patch_from_stdin = true,
        Some(word) => match word.literal() {
            Some(text) if text.contains("*** Begin Patch") => match patches::files(text) {
                Some(files) => files.into_iter().for_each(|path| meaning.writes_at(path, false)),
                None => meaning.unreadable("a patch names its files in a way that is not known"),
            },
            Some("-") => meaning.patch_from_stdin = true,
            _ => meaning.unreadable("which files change is said by the patch"),
        },
    }
    meaning
}
