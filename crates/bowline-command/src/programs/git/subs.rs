//! What a subcommand of git does, by its row in the table and its words.

use super::table::SUBS;
use super::words::{Harm, Options, harm, parse};
use crate::programs::Meaning;
use crate::programs::line::{Line, Order};
use crate::{Pin, Word};

/// A subcommand, or a subcommand of one.
pub(super) struct Sub {
    /// All of its options.
    pub(super) options: Options,
    pub(super) order: Order,
    pub(super) does: Does,
}

pub(super) enum Does {
    /// Nothing but what its options say.
    Nothing,
    /// It changes files, or runs what the repository says: the subcommand must be spelt.
    Changes(&'static str),
    /// Everything must be spelt.
    Hides(&'static str),
    Special(fn(&Call<'_>) -> Meaning),
    /// It has subcommands of its own. Which one it is if none is named.
    Nested(&'static [(&'static str, Sub)], &'static str),
}

/// One command of git: `push`, `stash push`.
pub(super) struct Call<'a> {
    /// The first is the subcommand.
    pub(super) words: &'a [Word],
    pub(super) line: Line,
    /// How many words spell it, with `git`.
    pub(super) spelt: usize,
}

pub(super) type Row = (&'static str, Sub);

pub(super) const fn plain(options: Options) -> Sub {
    Sub { options, order: Order::Anywhere, does: Does::Nothing }
}

pub(super) const fn special(options: Options, does: fn(&Call<'_>) -> Meaning) -> Sub {
    Sub { options, order: Order::Anywhere, does: Does::Special(does) }
}

pub(super) const fn changing(options: Options) -> Sub {
    Sub { options, order: Order::Anywhere, does: Does::Changes("it changes files that are not named") }
}

/// History that git itself has not made may hold any file, also one that an agent must not write.
pub(super) const fn making(options: Options) -> Sub {
    Sub { options, order: Order::Anywhere, does: Does::Hides("it makes history that may hold any file") }
}

pub(super) const fn hides(why: &'static str) -> Sub {
    Sub { options: &[""], order: Order::Anywhere, does: Does::Hides(why) }
}

pub(super) fn sub_of<'a>(rows: &'a [Row], name: &str) -> Option<&'a Sub> {
    rows.iter().find(|(names, _)| names.split_ascii_whitespace().any(|each| each == name)).map(|(_, sub)| sub)
}

/// `words` begin with the subcommand, which is the second word of the whole.
pub(super) fn meaning(words: &[Word]) -> Meaning {
    let name = words[0].shown();
    // Only there, and only so, git shows its manual.
    if words.get(1).and_then(Word::literal) == Some("--help") {
        return Meaning::default();
    }
    match sub_of(SUBS, name) {
        Some(sub) => sub.meaning(words, 2),
        None => {
            Meaning::code(Pin::Words(2), format!("`git {name}` may be an alias, or a program of that name"))
        }
    }
}

impl Sub {
    fn meaning(&self, words: &[Word], spelt: usize) -> Meaning {
        let name = words[0].shown();
        let line = parse(words, self.options, self.order);
        let mut meaning = match &self.does {
            Does::Nested(rows, otherwise) => return self.nested(rows, otherwise, words, &line),
            Does::Nothing => Meaning::default(),
            Does::Changes(why) => {
                let mut meaning = Meaning::code(Pin::Words(spelt), *why);
                super::spec::changes_any(&mut meaning);
                meaning
            }
            Does::Hides(why) => {
                let mut meaning = Meaning::code(Pin::Everything, *why);
                line.words().for_each(|word| meaning.reads(word));
                meaning.uses(&line, &format!("git {name}"));
                return meaning;
            }
            Does::Special(does) => {
                let call = Call { words, line, spelt };
                let mut meaning = does(&call);
                self.by_options(&call.line, name, &mut meaning);
                return meaning;
            }
        };
        self.by_options(&line, name, &mut meaning);
        meaning
    }

    /// What the options read, write and run, and what is not known of them.
    fn by_options(&self, line: &Line, name: &str, meaning: &mut Meaning) {
        meaning.uses(line, &format!("git {name}"));
        let harm = harm(self.options);
        let does_something = !matches!(self.does, Does::Nothing);
        match &line.loose {
            Some(why) if harm == Harm::WritesOrRuns => {
                meaning.unreadable(format!(
                    "{why}: `git {name}` has options that run or write; write `--` before it"
                ));
            }
            // It may be `--file=` and any file.
            Some(why) if harm == Harm::Reads => {
                meaning.reads(&Word::Unknown { start: String::new(), text: why.clone(), splits: true });
            }
            Some(_) => {}
            None if harm > Harm::None || does_something => {
                if let Some(why) = line.unsure.as_ref().filter(|_| self.options != [""]) {
                    meaning.unreadable(format!("{why}: what `git {name}` does cannot be told"));
                }
            }
            None => {}
        }
    }

    fn nested(&self, rows: &'static [Row], otherwise: &str, words: &[Word], line: &Line) -> Meaning {
        let name = words[0].shown();
        let Some((at, sub)) = line.operands.first() else {
            let is_bare = words.len() == 1 || line.given.len() + 1 == words.len() && line.unsure.is_none();
            return match sub_of(rows, otherwise) {
                // `git stash -m x`, `git reflog --all`.
                Some(sub) if matches!(name, "stash" | "reflog") => {
                    let spelt = if words.len() == 1 { 2 } else { 3 };
                    sub.meaning(words, spelt.min(words.len() + 1))
                }
                Some(_) if is_bare => Meaning::default(),
                _ => Meaning::doubtful(format!("what `git {name}` does cannot be told")),
            };
        };
        match (sub.literal(), sub.literal().and_then(|sub| sub_of(rows, sub))) {
            (Some(_), Some(sub)) => {
                let mut meaning = sub.meaning(&words[*at..], at + 2);
                if let Some(why) = &line.unsure {
                    meaning.unreadable(format!("{why}: what `git {name}` does cannot be told"));
                }
                meaning
            }
            // `git reflog main` shows that one; `git stash -q -m x` has options in front.
            _ if matches!(name, "reflog" | "stash") => match sub_of(rows, otherwise) {
                Some(sub) => sub.meaning(words, 2),
                None => Meaning::default(),
            },
            (Some(sub), None) => {
                Meaning::code(Pin::Words(at + 2), format!("what `git {name} {sub}` does is not known"))
            }
            (None, _) => {
                Meaning::doubtful(format!("which command of `git {name}` runs is known only when it runs"))
            }
        }
    }
}
