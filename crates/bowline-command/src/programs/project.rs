//! Programs that run what a project says: recipes, scripts of packages, tests.
//!
//! How such a program takes its words apart is in `options.rs`, what they mean in `runner.rs`; the rest are tables.

mod cargo;
mod checkers;
mod compilers;
mod delegate;
mod golang;
mod npm;
mod options;
mod python;
mod rows;
mod runner;
mod targets;
mod touches;

pub(super) use self::checkers::ROWS as CHECKERS;
pub(super) use self::compilers::ROWS as COMPILERS;
pub(super) use self::python::run_module;
pub(super) use self::rows::ROWS;
pub(super) use self::runner::{Project, asks};
pub(super) use self::targets::ROWS as TARGETS;

use super::Meaning;
use crate::{Pin, Word};

/// `cmake --build dir` does what was configured there, and the directory is spelt; all but that is the table's.
fn cmake(words: &[Word]) -> Meaning {
    let mut meaning = targets::CMAKE.meaning(words);
    let builds = words.iter().any(|word| word.start().starts_with("--build"));
    if builds {
        let is_first = words.get(1).and_then(Word::literal) == Some("--build")
            && words.get(2).and_then(Word::literal).is_some()
            // What follows is for make or ninja.
            && !words.iter().any(|word| word.literal() == Some("--"));
        let pin = if is_first { Pin::Words(3) } else { Pin::Everything };
        meaning.opaque(pin, runner::why(words));
        meaning.core = None;
    }
    meaning
}
