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

/// What a program does with the value of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// It names no file.
    Plain,
    /// `=<`: a file that is read.
    Reads,
    /// `=>`: a file that is written.
    Writes,
    /// `=!`: a program or code that is run. On an option without a value: it makes the program run something.
    Runs,
    /// `=^`: a file is read that says what runs, or what is written.
    Obeys,
    /// `=@`: a file with the names of files that are read.
    Lists,
}

/// An option that was given.
#[derive(Debug)]
pub(super) struct Given {
    /// The first of its names in the list: `o` for `o/output=`.
    pub(super) name: &'static str,
    pub(super) value: Option<Word>,
    pub(super) usage: Use,
    /// It stands after an operand: where options come first, it and its value are operands as well.
    pub(super) is_late: bool,
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
    /// What is attached to options that are not in the list: they may be values.
    pub(super) strange: Vec<Word>,
    /// Where `--` stood.
    pub(super) dashes: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    /// Two words, of which the second counts.
    Two,
    /// Only if it is attached.
    Attached,
}

/// An option of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Listed {
    name: &'static str,
    takes: Takes,
    usage: Use,
}

/// Takes `words` apart, of which the first is the program. `options` lists what it knows, separated by blanks: names that
/// mean the same are joined by `/`, `=` takes a value, `==` two, `?` may have one attached, and `#` stands for numbers (`-5`).
/// After that, a sign says what becomes of the value, or of the option; see `Use`.
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
            at += line.long(word, &words[at + 1..], options);
        } else {
            at += line.short(word, &words[at + 1..], options);
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

    /// The operands after the first so many, which are no files. One of these that is a pattern without quotation marks may be
    /// several words, of which only the first is none.
    pub(super) fn files(&self, own: usize) -> impl Iterator<Item = &Word> {
        self.words()
            .enumerate()
            .filter(move |(at, word)| *at >= own || word.may_be_several())
            .map(|(_, word)| word)
    }

    fn loose(&mut self, why: String) {
        self.unsure.get_or_insert_with(|| why.clone());
        self.loose.get_or_insert(why);
    }

    fn give(&mut self, name: &'static str, value: Option<Word>, usage: Use) {
        let is_late = !self.operands.is_empty();
        self.given.push(Given { name, value, usage, is_late });
    }

    fn unsure(&mut self, why: String) {
        self.unsure.get_or_insert(why);
    }

    /// How many of the words after it were its value.
    fn long(&mut self, word: &Word, rest: &[Word], options: &'static str) -> usize {
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
            (None, attached) => {
                self.unsure(format!("the option `{name}` is not known"));
                self.strange.extend(attached);
                0
            }
            (Some(option), None) if matches!(option.takes, Takes::Value | Takes::Two) => {
                self.take(option, rest)
            }
            (Some(Listed { name, usage, .. }), value) => {
                self.give(name, value, usage);
                0
            }
        }
    }

    /// A cluster of letters: `-rf`, `-n5`, `-ofile`.
    fn short(&mut self, word: &Word, rest: &[Word], options: &'static str) -> usize {
        let text = word.start();
        let has_numbers = options.split_ascii_whitespace().any(|option| option == "#");
        if has_numbers && text[1..].starts_with(|first: char| first.is_ascii_digit()) {
            return 0;
        }
        let mut is_strange = false;
        for (at, letter) in text.char_indices().skip(1) {
            let end = at + letter.len_utf8();
            if letter.is_ascii_digit() && has_numbers {
                continue;
            }
            let Some(option) = takes(options, &text[at..end]) else {
                self.unsure(format!("the option `-{letter}` is not known"));
                // The letters after it may be its value.
                self.strange.extend((end < text.len() || word.literal().is_none()).then(|| word.after(end)));
                is_strange = true;
                continue;
            };
            let Listed { name, takes, usage } = option;
            let is_last = end == text.len() && word.literal().is_some();
            match takes {
                Takes::Nothing => self.give(name, None, usage),
                Takes::Value | Takes::Two if is_last => {
                    let taken = self.take(option, rest);
                    // If this letter is a value, the next word is an operand.
                    return if is_strange { 0 } else { taken };
                }
                Takes::Attached if is_last => self.give(name, None, usage),
                Takes::Two => {
                    self.give(name, rest.first().cloned(), usage);
                    return if is_strange { 0 } else { rest.len().min(1) };
                }
                Takes::Value | Takes::Attached => {
                    if word.is_loose() {
                        self.loose(format!("`{}` may be any option", word.shown()));
                    }
                    self.give(name, Some(word.after(end)), usage);
                    return 0;
                }
            }
        }
        if word.literal().is_none() {
            self.loose(format!("`{}` may be any option", word.shown()));
        }
        0
    }

    /// The words that follow it are its values. How many they are.
    fn take(&mut self, option: Listed, rest: &[Word]) -> usize {
        let count = rest.len().min(if option.takes == Takes::Two { 2 } else { 1 });
        let values = &rest[..count];
        if let Some(loose) = values.iter().find(|value| matches!(value, Word::Unknown { splits: true, .. })) {
            self.loose(format!("`{}` may be several words", loose.shown()));
        }
        self.give(option.name, values.last().cloned(), option.usage);
        count
    }
}

/// The option of this name. A long name may be cut short, as long as only one begins like it.
fn takes(options: &'static str, name: &str) -> Option<Listed> {
    let long = name.strip_prefix("--");
    let mut begins: Option<Option<Listed>> = None;
    for option in options.split_ascii_whitespace() {
        let (names, takes, usage) = listed(option);
        let first = names.split('/').next().unwrap_or_default();
        let found = Listed { name: first, takes, usage };
        for each in names.split('/') {
            if each == name || (each.len() > 1 && Some(each) == long) {
                return Some(found);
            }
            if long.is_some_and(|long| !long.is_empty() && each.len() > 1 && each.starts_with(long)) {
                // Two that begin alike: the program itself would refuse to guess.
                begins = match begins {
                    None => Some(Some(found)),
                    Some(Some(other)) if other.name == first => begins,
                    Some(_) => Some(None),
                };
            }
        }
    }
    begins.flatten()
}

/// The names of an option, and what the signs after them say.
fn listed(option: &'static str) -> (&'static str, Takes, Use) {
    let (rest, usage) = match option.as_bytes() {
        [_, .., b'<'] => (&option[..option.len() - 1], Use::Reads),
        [_, .., b'>'] => (&option[..option.len() - 1], Use::Writes),
        [_, .., b'!'] => (&option[..option.len() - 1], Use::Runs),
        [_, .., b'^'] => (&option[..option.len() - 1], Use::Obeys),
        [_, .., b'@'] => (&option[..option.len() - 1], Use::Lists),
        _ => (option, Use::Plain),
    };
    let (names, takes) = match rest.as_bytes() {
        [_, .., b'=', b'='] => (&rest[..rest.len() - 2], Takes::Two),
        [_, .., b'='] => (&rest[..rest.len() - 1], Takes::Value),
        [_, .., b'?'] => (&rest[..rest.len() - 1], Takes::Attached),
        _ => (rest, Takes::Nothing),
    };
    (names, takes, usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str, options: &'static str) -> Vec<(&'static str, Option<String>, Use)> {
        let words: Vec<Word> = text.split(' ').map(|word| Word::Literal(word.to_owned())).collect();
        let line = parse(&words, options, Order::Anywhere);
        let given = line.given.into_iter();
        given
            .map(|given| (given.name, given.value.map(|value| value.shown().to_owned()), given.usage))
            .collect()
    }

    #[test]
    fn signs_say_what_a_value_is() {
        const OPTIONS: &str = "f/from-file=< o/output=> x/exec=! arg== rawfile==< color? C/compile! n=";
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(
            given("jq -f a --output=b", OPTIONS),
            [("f", is("a"), Use::Reads), ("o", is("b"), Use::Writes)]
        );
        assert_eq!(
            given("jq --arg n v --rawfile n p -nx", OPTIONS),
            [("arg", is("v"), Use::Plain), ("rawfile", is("p"), Use::Reads), ("n", is("x"), Use::Plain),]
        );
        assert_eq!(
            given("jq -C --color=a --ex y", OPTIONS),
            [("C", None, Use::Runs), ("color", is("a"), Use::Plain), ("x", is("y"), Use::Runs),]
        );
    }
}
