//! How a program takes its words apart: options, their values, operands.

use crate::Word;

/// Where options may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Anywhere before `--`, as GNU programs have it.
    Anywhere,
    /// Before the first operand: what follows belongs to another command.
    First,
}

/// An option that was given.
#[derive(Debug)]
pub(super) struct Given {
    /// The first of its names in the list: `o` for `o/output=`.
    pub(super) name: &'static str,
    pub(super) value: Option<Word>,
}

/// A command line, taken apart.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) given: Vec<Given>,
    /// With their places among the words.
    pub(super) operands: Vec<(usize, Word)>,
    /// Why the options may be others than these.
    pub(super) unsure: Option<String>,
    /// A word of which nobody knows whether it is an option. An option that is merely not in the list is none of these.
    pub(super) loose: Option<String>,
    /// Where `--` stood.
    pub(super) dashes: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    /// Only if it is attached.
    Attached,
}

/// Takes `words` apart, of which the first is the program. `options` lists what it knows, separated by blanks: names that
/// mean the same are joined by `/`, `=` takes a value, `?` may have one attached, and `#` stands for numbers (`-5`).
/// Names of one letter follow one dash, others two; those that begin with a dash themselves are written as they are.
pub(super) fn parse(words: &[Word], options: &'static str, order: Order) -> Line {
    let mut line = Line::default();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.start();
        let is_operand = line.dashes.is_some()
            || (order == Order::First && !line.operands.is_empty())
            || !word.may_be_option();
        if is_operand {
            line.operands.push((at, word.clone()));
        } else if word.literal() == Some("--") {
            line.dashes = Some(at);
        } else if !text.starts_with('-') {
            line.loose(format!("`{}` may be an option", word.shown()));
            line.operands.push((at, word.clone()));
        } else if takes(options, text.split('=').next().unwrap_or_default()).is_some()
            || text.starts_with("--")
        {
            at += line.long(word, words.get(at + 1), options);
        } else {
            at += line.short(word, words.get(at + 1), options);
        }
        at += 1;
    }
    line
}

impl Line {
    pub(super) fn has(&self, names: &str) -> bool {
        self.given.iter().any(|given| names.split(' ').any(|name| name == given.name))
    }

    /// The values of one option, in order.
    pub(super) fn values<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a Word> {
        self.given.iter().filter(move |given| given.name == name).filter_map(|given| given.value.as_ref())
    }

    pub(super) fn operand(&self, at: usize) -> Option<&Word> {
        self.operands.get(at).map(|(_, word)| word)
    }

    pub(super) fn words(&self) -> impl DoubleEndedIterator<Item = &Word> {
        self.operands.iter().map(|(_, word)| word)
    }

    fn loose(&mut self, why: String) {
        self.unsure.get_or_insert_with(|| why.clone());
        self.loose.get_or_insert(why);
    }

    fn unsure(&mut self, why: String) {
        self.unsure.get_or_insert(why);
    }

    /// How many of the words after it were its value.
    fn long(&mut self, word: &Word, next: Option<&Word>, options: &'static str) -> usize {
        let text = word.start();
        let (name, attached) = match text.split_once('=') {
            Some((name, _)) => (name, Some(word.after(name.len() + 1))),
            None => (text, None),
        };
        let known = takes(options, name);
        if word.literal().is_none() && (attached.is_none() || word.is_loose()) {
            self.loose(format!("`{}` may be any option", word.shown()));
        }
        match (known, attached) {
            (None, _) => {
                self.unsure(format!("the option `{name}` is not known"));
                0
            }
            (Some((name, Takes::Value)), None) => self.take(name, next),
            (Some((name, _)), value) => {
                self.given.push(Given { name, value });
                0
            }
        }
    }

    /// A cluster of letters: `-rf`, `-n5`, `-ofile`.
    fn short(&mut self, word: &Word, next: Option<&Word>, options: &'static str) -> usize {
        let text = word.start();
        if options.split(' ').any(|option| option == "#")
            && text[1..].starts_with(|first: char| first.is_ascii_digit())
        {
            return 0;
        }
        for (at, letter) in text.char_indices().skip(1) {
            let end = at + letter.len_utf8();
            let Some((name, takes)) = takes(options, &text[at..end]) else {
                self.unsure(format!("the option `-{letter}` is not known"));
                continue;
            };
            let is_last = end == text.len() && word.literal().is_some();
            match takes {
                Takes::Nothing => self.given.push(Given { name, value: None }),
                Takes::Value if is_last => return self.take(name, next),
                Takes::Attached if is_last => self.given.push(Given { name, value: None }),
                Takes::Value | Takes::Attached => {
                    if word.is_loose() {
                        self.loose(format!("`{}` may be any option", word.shown()));
                    }
                    self.given.push(Given { name, value: Some(word.after(end)) });
                    return 0;
                }
            }
        }
        if word.literal().is_none() {
            self.loose(format!("`{}` may be any option", word.shown()));
        }
        0
    }

    fn take(&mut self, name: &'static str, next: Option<&Word>) -> usize {
        if next.is_some_and(|next| matches!(next, Word::Unknown { splits: true, .. })) {
            self.loose(format!("`{}` may be several words", next.map_or("", Word::shown)));
        }
        self.given.push(Given { name, value: next.cloned() });
        usize::from(next.is_some())
    }
}

/// The first of its names, and what it takes. A long name may be cut short, as long as only one begins like it.
fn takes(options: &'static str, name: &str) -> Option<(&'static str, Takes)> {
    let long = name.strip_prefix("--");
    let mut begins = None;
    for option in options.split_ascii_whitespace() {
        let (names, takes) = match option.as_bytes().last() {
            Some(b'=') => (&option[..option.len() - 1], Takes::Value),
            Some(b'?') if option.len() > 1 => (&option[..option.len() - 1], Takes::Attached),
            _ => (option, Takes::Nothing),
        };
        let first = names.split('/').next().unwrap_or_default();
        for each in names.split('/') {
            if each == name || (each.len() > 1 && Some(each) == long) {
                return Some((first, takes));
            }
            if long.is_some_and(|long| !long.is_empty() && each.len() > 1 && each.starts_with(long)) {
                // Two that begin alike: the program itself would refuse to guess.
                begins = match begins {
                    None => Some(Some((first, takes))),
                    Some(Some((other, _))) if other == first => begins,
                    Some(_) => Some(None),
                };
            }
        }
    }
    begins.flatten()
}
