//! Programs that only read, whatever they are told, or unless they are told otherwise.

pub(super) mod binaries;
pub(super) mod compare;
pub(super) mod encodings;
pub(super) mod names;
pub(super) mod pagers;
pub(super) mod search;
pub(super) mod structured;
pub(super) mod system;
pub(super) mod text;

use super::Meaning;
use super::line::{Line, Order, parse};
use super::table::Kind;
use crate::Word;

/// A program that reads the files it is given.
pub(super) struct Reader {
    /// What its options do; see `line::parse`. An option that takes a value in one system and none in another is written as
    /// one that takes none: its value counts as an operand.
    pub(super) options: &'static str,
    /// Operands before the files, such as a pattern; none of them if one of these options is given.
    pub(super) own: usize,
    pub(super) unless: &'static str,
    /// Options with which it reads everything below.
    pub(super) deep: &'static str,
    /// Some option runs or writes something: the list is whole, and one that is not in it is a doubt.
    pub(super) is_strict: bool,
}

const PLAIN: Reader = Reader { options: "", own: 0, unless: "", deep: "", is_strict: false };

/// Nothing it may be told writes or runs anything: an option that is not in the list is none that matters.
const fn reads(options: &'static str) -> Kind {
    Kind::Reads(Reader { options, ..PLAIN })
}

/// Some option writes or runs something.
const fn beware(options: &'static str) -> Kind {
    Kind::Reads(Reader { options, is_strict: true, ..PLAIN })
}

/// As `beware`, and its operands are no files.
const fn tells(options: &'static str) -> Kind {
    Kind::Reads(Reader { options, own: NO_FILES, is_strict: true, ..PLAIN })
}

/// As `reads`, and its operands are no files.
const fn looks(options: &'static str) -> Kind {
    Kind::Reads(Reader { options, own: NO_FILES, ..PLAIN })
}

/// None of its operands is a file.
const NO_FILES: usize = usize::MAX;

impl Reader {
    pub(super) fn meaning(&self, words: &[Word]) -> Meaning {
        self.told(words).0
    }

    fn told(&self, words: &[Word]) -> (Meaning, Line) {
        let line = parse(words, self.options, Order::Anywhere);
        let mut meaning = Meaning::default();
        options_of(&line, words, self.is_strict, &mut meaning);
        let is_own = self.own == NO_FILES || (line.unsure.is_none() && !line.has(self.unless));
        let is_deep = line.has(self.deep);
        for path in line.files(if is_own { self.own } else { 0 }).filter(|_| !is_own || self.own != NO_FILES)
        {
            if is_deep { meaning.reads_below(path) } else { meaning.reads(path) }
        }
        (meaning, line)
    }
}

/// What the options of a reader do.
fn options_of(line: &Line, words: &[Word], is_strict: bool, meaning: &mut Meaning) {
    let program = words[0].shown();
    if let Some(why) = line.unsure.as_ref().filter(|_| is_strict) {
        meaning.unreadable(format!("{why}: `{program}` has options that run or write something"));
    }
    meaning.uses(line, program);
    line.strange.iter().for_each(|value| meaning.reads(value));
    // Where options come first (BSD, `POSIXLY_CORRECT`), what looks like the value of a later one is a file.
    let late = line.given.iter().filter(|given| given.is_late);
    for value in late.filter_map(|given| given.value.as_ref()) {
        let is_there = meaning.touches.iter().any(|touched| touched.path == *value);
        if !is_there && words.contains(value) {
            meaning.reads(value);
        }
    }
}
