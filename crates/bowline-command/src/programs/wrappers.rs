//! Programs that run the rest of their words: `timeout 5 make`, `env X=1 make`, `sudo make`.

mod env;
mod rows;
mod shellwords;
mod special;
mod traces;
mod users;
mod xargs;

pub(crate) use xargs::INPUT;
pub(super) use xargs::XARGS;

use super::Meaning;
use super::line::{Line, Order, Use, parse};
use super::table::Kind;
pub(super) use rows::ROWS;

use crate::{Pin, Word};

/// A program whose operands are a command.
pub(super) struct Wrapper {
    pub(super) options: &'static str,
    /// Operands of its own before the command.
    pub(super) own: usize,
    /// It does nothing besides, and people write rules as if it were not there.
    pub(super) strips: bool,
    /// With one of these options it runs nothing.
    pub(super) unless: &'static str,
    /// The command runs where paths and programs are others: why.
    pub(super) elsewhere: Option<&'static str>,
}

const PLAIN: Wrapper = Wrapper { options: "", own: 0, strips: false, unless: "", elsewhere: None };

const fn wraps(options: &'static str, own: usize) -> Kind {
    Kind::Runs(Wrapper { options, own, ..PLAIN })
}

const fn strips(options: &'static str, own: usize) -> Kind {
    Kind::Runs(Wrapper { options, own, strips: true, ..PLAIN })
}

const fn wraps_unless(options: &'static str, own: usize, unless: &'static str) -> Kind {
    Kind::Runs(Wrapper { options, own, unless, ..PLAIN })
}

const fn hides(options: &'static str, own: usize, why: &'static str) -> Kind {
    Kind::Runs(Wrapper { options, own, elsewhere: Some(why), ..PLAIN })
}

impl Wrapper {
    pub(super) fn meaning(&self, words: &[Word]) -> Meaning {
        let line = parse(words, self.options, Order::First);
        let mut meaning = Meaning { is_wrapper: self.strips, ..Meaning::default() };
        uses(words, &line, &mut meaning);
        if !self.unless.is_empty() && line.has(self.unless) {
            return meaning;
        }
        self.run(words, &line, &mut meaning);
        if let Some(why) = self.elsewhere {
            meaning.opaque(Pin::Everything, why);
        }
        meaning
    }

    fn run(&self, words: &[Word], line: &Line, meaning: &mut Meaning) {
        doubt_options(words, line, meaning);
        let own = line.operands.iter().take(self.own);
        if own.into_iter().any(|(_, word)| matches!(word, Word::Unknown { splits: true, .. })) {
            meaning
                .unreadable(format!("which command `{}` runs is known only when it runs", words[0].shown()));
        }
        let rest: Vec<Word> = line.words().skip(self.own).cloned().collect();
        if !rest.is_empty() {
            meaning.runs.push(rest);
        }
    }
}

/// What its own options read, write and run. A file that is written may be a pipe to a command.
fn uses(words: &[Word], line: &Line, meaning: &mut Meaning) {
    meaning.uses(line, words[0].shown());
    let written = line.given.iter().filter(|given| given.usage == Use::Writes);
    for path in written.filter_map(|given| given.value.as_ref()) {
        if path.start().starts_with(['|', '!']) {
            meaning.shell.push(path.after(1));
            meaning.unreadable(format!("`{}` may be a command", path.shown()));
        }
    }
}

/// With an option that nobody knows it cannot be told where the command begins.
fn doubt_options(words: &[Word], line: &Line, meaning: &mut Meaning) {
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: which command `{}` runs cannot be told", words[0].shown()));
    }
}
