//! Patterns of entries that ask or deny: every way to write a command counts, and what is not known of it is a maybe.

use std::cell::OnceCell;
use std::sync::OnceLock;

use bowline_command::{Command, Word};

use super::options::{Needs, Taken};
use super::{CommandPattern, Match, beginning, last_part, split};
use crate::pattern::stars;

/// A pattern that is read as broadly as it can be.
#[derive(Debug)]
pub(crate) struct BroadPattern {
    pub(crate) pattern: CommandPattern,
    /// Made when a command is compared with it first: most entries are never looked at.
    needs: OnceLock<Option<Needs>>,
}

/// A command that is compared with many of them.
pub(crate) struct BroadCommand<'a> {
    forms: Vec<Form<'a>>,
}

/// The words of a command, or of its core.
struct Form<'a> {
    words: &'a [Word],
    taken: OnceCell<Taken<'a>>,
}

impl<'a> BroadCommand<'a> {
    pub(crate) fn of(command: &'a Command) -> Self {
        let core = command.core.as_ref().map(|core| core.words.as_slice());
        let forms = std::iter::once(command.words.as_slice()).chain(core);
        Self { forms: forms.map(|words| Form { words, taken: OnceCell::new() }).collect() }
    }
}

impl Form<'_> {
    fn taken(&self) -> &Taken<'_> {
        self.taken.get_or_init(|| Taken::of(self.words))
    }
}

impl BroadPattern {
    pub(crate) fn new(pattern: CommandPattern) -> Self {
        Self { pattern, needs: OnceLock::new() }
    }

    /// Whether it means this command in some reading of it.
    pub(crate) fn finds(&self, command: &BroadCommand<'_>) -> Match {
        command.forms.iter().map(|form| self.finds_form(form)).max().unwrap_or(Match::No)
    }

    fn finds_form(&self, form: &Form<'_>) -> Match {
        let (spelt, is_whole) = match &self.pattern {
            CommandPattern::Any => return Match::Yes,
            CommandPattern::Prefix(words) => (words, false),
            CommandPattern::Exact(words) => (words, true),
            CommandPattern::Wild { text, .. } => {
                let found = wild(text, form.words);
                let needs = self.needs.get_or_init(|| needs_of_wild(text));
                return needs.as_ref().map_or(found, |needs| found.max(needs.met_by(form.taken(), false)));
            }
        };
        if is_literally(spelt, form.words, is_whole) {
            return Match::Yes;
        }
        let needs = self.needs.get_or_init(|| Needs::of(spelt));
        needs.as_ref().map_or(Match::No, |needs| needs.met_by(form.taken(), is_whole))
    }
}

/// Word by word. The program may be spelt with its path.
fn is_literally(spelt: &[String], words: &[Word], is_whole: bool) -> bool {
    let is = |(at, pattern): (usize, &String)| match &words[at] {
        Word::Literal(word) => word == pattern || (at == 0 && last_part(word) == pattern),
        Word::Unknown { .. } => false,
    };
    let is_long_enough = if is_whole { words.len() == spelt.len() } else { words.len() >= spelt.len() };
    is_long_enough && spelt.iter().enumerate().all(is)
}

/// What `git push * --force` and `rm -rf*` need, by their options: a star that stands alone is any words, or none.
fn needs_of_wild(text: &str) -> Option<Needs> {
    let words = split(text.strip_suffix('*').filter(|text| !text.ends_with([' ', '*'])).unwrap_or(text));
    let words: Vec<String> = words.into_iter().filter(|word| word != "*").collect();
    let has_options = words.iter().skip(1).any(|word| word.starts_with('-') && word.len() > 1);
    (has_options && !words.iter().any(|word| word.contains('*'))).then(|| Needs::of(&words)).flatten()
}

fn wild(text: &str, words: &[Word]) -> Match {
    let literals: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
    let Some(literals) = literals else {
        let head = text.split(['*', ' ', '\t']).next().unwrap_or_default();
        let program = words.first().map_or("", beginning);
        let may =
            program.starts_with(head) || last_part(program).starts_with(head) || head.starts_with(program);
        return if may { Match::Maybe } else { Match::No };
    };
    let whole = literals.join(" ");
    let bare = match literals.split_first() {
        Some((program, rest)) => {
            std::iter::once(last_part(program)).chain(rest.iter().copied()).collect::<Vec<_>>().join(" ")
        }
        None => String::new(),
    };
    if stars(text, &whole) || stars(text, &bare) { Match::Yes } else { Match::No }
}
