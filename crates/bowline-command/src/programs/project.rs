//! Programs that run what a project says: recipes, scripts of packages, tests.

mod rows;

pub(super) use self::rows::ROWS;

use super::line::{Order, parse};
use super::look::only_asks_about_itself;
use super::meaning::last_part;
use super::{Meaning, agents};
use crate::{Pin, Word};

/// A program with subcommands, targets or scripts. What must be spelt is the program and the words that say what runs.
pub(super) struct Project {
    /// Options before the subcommand. One that is not listed means that everything must be spelt.
    pub(super) options: &'static str,
    /// Options anywhere after which everything must be spelt: other files, other programs, other places. A name of one letter
    /// follows one dash, others one or two.
    pub(super) loud: &'static str,
    /// Subcommands that neither run nor write anything; with `:` only if that option is there (`fmt:--check`).
    pub(super) quiet: &'static str,
    /// Subcommands that say what runs with one word more: `npm run build`.
    pub(super) deeper: &'static str,
    /// Subcommands that run the code they are given: everything must be spelt.
    pub(super) hides: &'static str,
    pub(super) names: Names,
}

/// Which words say what runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// The first operand; without one everything must be spelt.
    First,
    /// The first operand; without one there is nothing more to say.
    FirstIfAny,
    /// Every operand: targets, files of tests.
    All,
    /// Every operand; without one the program's own name says it.
    AllIfAny,
    /// The program's own name says it: it does what the project's configuration says.
    Itself,
}

impl Project {
    pub(super) fn meaning(&self, words: &[Word]) -> Meaning {
        if only_asks_about_itself(words) {
            return Meaning::default();
        }
        let program = words[0].shown();
        let is_subcommand = matches!(self.names, Names::First | Names::FirstIfAny);
        let line = parse(words, self.options, if is_subcommand { Order::First } else { Order::Anywhere });
        let first =
            line.operands.iter().position(|(_, word)| !word.start().starts_with('+')).unwrap_or_default();
        let operands = line.operands.get(first..).unwrap_or_default();
        let sub = operands.first().and_then(|(_, word)| word.literal());
        let mut meaning = Meaning::default();
        if let Some(flags) = sub.and_then(|sub| {
            agents::forbidden(last_part(sub.split('@').find(|part| !part.is_empty()).unwrap_or(sub)), words)
        }) {
            meaning.forbidden = Some(flags);
        }
        let is_quiet = |quiet: &str| match quiet.split_once(':') {
            Some((quiet, option)) => {
                sub == Some(quiet) && words.iter().any(|word| word.literal() == Some(option))
            }
            None => sub == Some(quiet),
        };
        if self.quiet.split(' ').any(is_quiet) && line.unsure.is_none() && !self.is_loud(words) {
            return meaning;
        }
        let why = format!("`{program}` runs what the project says");
        let is_assigning = operands.iter().any(|(_, word)| word.start().contains('=')) && !is_subcommand;
        // A program that has but one way is not changed by an option that nobody listed.
        let unsure = if self.names == Names::Itself { &line.loose } else { &line.unsure };
        let hides = sub.is_some_and(|sub| self.hides.split(' ').any(|hides| hides == sub));
        if unsure.is_some() || self.is_loud(words) || is_assigning || hides {
            meaning.opaque(Pin::Everything, why);
            return meaning;
        }
        let is_deeper = sub.is_some_and(|sub| self.deeper.split(' ').any(|deeper| deeper == sub));
        let last = match self.names {
            Names::Itself => Some(0),
            Names::All => operands.last().map(|(at, _)| *at),
            Names::AllIfAny => Some(operands.last().map_or(0, |(at, _)| *at)),
            Names::First if is_deeper => next_operand(words, operands),
            Names::FirstIfAny if is_deeper => next_operand(words, operands),
            Names::First => operands.first().map(|(at, _)| *at),
            Names::FirstIfAny => Some(operands.first().map_or(0, |(at, _)| *at)),
        };
        match last {
            Some(last) if words[..=last].iter().all(|word| word.literal().is_some()) => {
                meaning.opaque(Pin::Words(last + 1), why);
            }
            Some(_) => meaning.unreadable(format!("what `{program}` runs is known only when it runs")),
            None => meaning.opaque(Pin::Everything, why),
        }
        meaning
    }

    fn is_loud(&self, words: &[Word]) -> bool {
        let before_dashes = words[1..].iter().take_while(|word| word.literal() != Some("--"));
        before_dashes.into_iter().any(|word| {
            let text = word.start();
            let long = text.trim_start_matches('-').split('=').next().unwrap_or_default();
            let dashes = text.len() - text.trim_start_matches('-').len();
            match dashes {
                0 => word.may_be_option() && !self.loud.is_empty(),
                _ => self.loud.split(' ').any(|loud| match loud.len() {
                    0 => false,
                    1 => dashes == 1 && text.contains(loud),
                    // Many programs let a long name be cut short.
                    _ => loud == long || (dashes == 2 && long.len() > 2 && loud.starts_with(long)),
                }),
            }
        })
    }
}

/// The first word after the subcommand that is no option. With options before it their values cannot be told apart.
fn next_operand(words: &[Word], operands: &[(usize, Word)]) -> Option<usize> {
    let (at, _) = operands.first()?;
    let next = words.get(at + 1)?;
    (!next.may_be_option()).then_some(at + 1)
}

/// `cmake --build dir` does what was configured there; all else is spelt.
fn cmake(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, "build= j/parallel= config= target/t= v/verbose", Order::Anywhere);
    let builds = matches!(words.get(1).and_then(Word::literal), Some("--build"))
        && words.get(2).and_then(Word::literal).is_some();
    let is_plain = builds && line.unsure.is_none() && line.dashes.is_none();
    let pin = if is_plain { Pin::Words(3) } else { Pin::Everything };
    Meaning::code(pin, "`cmake` runs what the project says")
}
