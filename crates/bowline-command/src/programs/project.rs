//! Programs that run what a project says: recipes, scripts of packages, tests.
//!
//! How such a program takes its words apart is in `options.rs`, what they mean in `runner.rs`; the rest are tables.

mod cargo;
mod checkers;
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
pub(super) use self::python::run_module;
pub(super) use self::rows::ROWS;
pub(super) use self::runner::{Project, asks};
pub(super) use self::targets::ROWS as TARGETS;

use super::Meaning;
use super::line::{Order, parse};
use crate::{Pin, Word};

/// `cmake --build dir` does what was configured there; all else is spelt.
fn cmake(words: &[Word]) -> Meaning {
    if asks(words) {
        return Meaning::default();
    }
    let line = parse(words, "build= j/parallel= config= target/t= v/verbose", Order::Anywhere);
    let builds = matches!(words.get(1).and_then(Word::literal), Some("--build"))
        && words.get(2).and_then(Word::literal).is_some();
    let is_plain = builds && line.unsure.is_none() && line.dashes.is_none();
    let pin = if is_plain { Pin::Words(3) } else { Pin::Everything };
    let mut meaning = Meaning::code(pin, "`cmake` runs what the project says");
    meaning.executes(&Word::Literal(".".to_owned()));
    line.values("build").for_each(|directory| meaning.executes(directory));
    meaning
}
