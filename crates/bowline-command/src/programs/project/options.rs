//! Options of programs that run a project's code, in the ways in which these programs take their words apart.
//!
//! The lists are those of `programs/line.rs` (`o/output=`), with more signs. How the value is given: `=` in the same word or
//! the next, `?` in the same word only, `~` in the next word only if that is no option. What the value is: `<` a file that
//! is read, `>` one that is written, `>>` a directory that is written, `@` a place whose code runs, `%` a name, `&` flags
//! for a compiler, `$` a property that chooses tests, `^` the directory it works in, `+` a format and where it goes (`xml:FILE`), `:` a plugin, `;` code of the shell, and `!` anything that makes it do something else than the project
//! says: all of the command must be spelt.

use crate::Word;

/// How a program writes its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::programs) enum Dialect {
    /// Each by its whole name: clap, commander, yargs.
    Exact,
    /// Long names may be cut short, and the next word is the value whatever it is: getopt.
    Gnu,
    /// Long names may be cut short: argparse.
    Argparse,
    /// One dash is as good as two, and letters are not joined: Go.
    Single,
    /// One dash is as good as two, every name may be cut short, and `no-` may stand before it: npm.
    Nopt,
}

/// What a program does with the value of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Plain,
    Reads,
    Writes,
    WritesBelow,
    Executes,
    Moves,
    Name,
    Flags,
    Property,
    Report,
    Plugin,
    Warning,
    Shell,
    Loud,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    Attached,
    Maybe,
}

#[derive(Debug, Clone, Copy)]
struct Listed {
    name: &'static str,
    takes: Takes,
    usage: Use,
    is_harmless: bool,
}

/// An option that was given.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) name: &'static str,
    pub(super) value: Option<Word>,
    pub(super) usage: Use,
}

/// A command line, taken apart.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) given: Vec<Given>,
    /// With their places among the words.
    pub(super) operands: Vec<(usize, Word)>,
    /// Places of words that belong to harmless options.
    pub(super) harmless: Vec<usize>,
    /// Why the options may be others than these.
    pub(super) unsure: Option<String>,
    /// A word may be any option, or several. An option that is merely not listed is none of these.
    pub(super) is_loose: bool,
    /// Where the program's own words end: at `--`, or after the operand that takes the rest.
    pub(super) end: Option<usize>,
}

/// The options that count, harmless ones apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists<'a> {
    pub(super) dialect: Dialect,
    pub(super) harmless: &'static str,
    pub(super) others: &'a [&'static str],
    /// Maximum number of operands of the program itself; the rest belong to the program that it runs.
    pub(super) most: usize,
}

impl Parsed {
    pub(super) fn has(&self, names: &str) -> bool {
        self.given.iter().any(|given| names.split(' ').any(|name| name == given.name))
    }

    fn unsure(&mut self, why: String) {
        self.unsure.get_or_insert(why);
    }

    fn loose(&mut self, word: &Word) {
        self.is_loose = true;
        self.unsure(format!("`{}` may be any option", word.shown()));
    }

    /// Takes the words from `at` on apart.
    pub(super) fn go_on(&mut self, words: &[Word], mut at: usize, lists: Lists<'_>) {
        while let Some(word) = words.get(at) {
            if word.literal() == Some("--") {
                self.end = Some(at);
                return;
            }
            if !word.may_be_option() {
                self.operands.push((at, word.clone()));
                if self.operands.len() >= lists.most {
                    self.end = Some(at);
                    return;
                }
                at += 1;
                continue;
            }
            let before = self.given.len();
            let used = if word.start().starts_with('-') { self.option(words, at, lists) } else { None };
            match used {
                Some((count, is_harmless)) => {
                    if is_harmless {
                        self.harmless.extend(at..at + count);
                    }
                    if lists.dialect == Dialect::Single
                        && self.given[before..].iter().any(|given| given.name == "args")
                    {
                        self.end = Some(at);
                        return;
                    }
                    at += count;
                }
                None => {
                    self.loose(word);
                    self.operands.push((at, word.clone()));
                    at += 1;
                }
            }
        }
    }

    /// One word that is an option: how many words it takes, and whether it is harmless. `None` if it may be anything.
    fn option(&mut self, words: &[Word], at: usize, lists: Lists<'_>) -> Option<(usize, bool)> {
        let word = &words[at];
        let text = word.start();
        let dashes = text.len() - text.trim_start_matches('-').len();
        let (name, attached) = match text.split_once('=') {
            Some((name, _)) => (&name[dashes.min(name.len())..], Some(word.after(name.len() + 1))),
            None => (&text[dashes..], None),
        };
        let is_whole = attached.is_some() || word.literal().is_some();
        if word.is_loose() {
            return None;
        }
        let is_long = dashes > 1 || matches!(lists.dialect, Dialect::Single | Dialect::Nopt);
        let found = is_whole.then(|| lists.long(name, is_long, dashes)).flatten();
        if let Some(found) = found {
            return Some(self.take(found, attached, words, at, lists));
        }
        if dashes == 1 && lists.dialect != Dialect::Single || lists.dialect == Dialect::Nopt {
            return self.letters(words, at, lists, dashes);
        }
        if !is_whole {
            return None;
        }
        self.unsure(format!("the option `{}` is not known", text.split('=').next().unwrap_or_default()));
        Some((1, false))
    }

    /// A cluster of letters: `-xvs`, `-j4`, `-ofile`.
    fn letters(
        &mut self,
        words: &[Word],
        at: usize,
        lists: Lists<'_>,
        dashes: usize,
    ) -> Option<(usize, bool)> {
        let word = &words[at];
        let text = word.start();
        let mut is_harmless = true;
        for (place, letter) in text.char_indices().skip(dashes) {
            let end = place + letter.len_utf8();
            let Some(found) = lists.exact(&text[place..end]) else {
                self.unsure(format!("the option `-{letter}` is not known"));
                is_harmless = false;
                continue;
            };
            is_harmless &= found.is_harmless;
            let is_last = end == text.len();
            if found.takes == Takes::Nothing {
                self.given.push(Given { name: found.name, value: None, usage: found.usage });
            } else if is_last && word.literal().is_some() {
                let (count, last) = self.take(found, None, words, at, lists);
                return Some((count, last && is_harmless));
            } else {
                let rest = word.after(end);
                let is_set = lists.dialect != Dialect::Gnu && rest.start().starts_with('=');
                let value = Some(if is_set { rest.after(1) } else { rest });
                self.given.push(Given { name: found.name, value, usage: found.usage });
                return Some((1, is_harmless));
            }
        }
        word.literal().map(|_| (1, is_harmless))
    }

    fn take(
        &mut self,
        found: Listed,
        attached: Option<Word>,
        words: &[Word],
        at: usize,
        lists: Lists<'_>,
    ) -> (usize, bool) {
        let Listed { name, takes, usage, is_harmless } = found;
        let next = words.get(at + 1);
        let is_value = |next: &&Word| match (takes, lists.dialect) {
            (Takes::Maybe, Dialect::Gnu) => is_number(next),
            (Takes::Value, _) => true,
            (Takes::Maybe, _) => !next.literal().is_some_and(|text| text.starts_with('-')),
            (Takes::Nothing, Dialect::Nopt) => {
                matches!(next.literal(), Some("true" | "false" | "null"))
            }
            _ => false,
        };
        let (value, count) = match attached {
            Some(value) => (Some(value), 1),
            None => match next.filter(is_value) {
                Some(value) => {
                    let takes_any =
                        takes == Takes::Value && matches!(lists.dialect, Dialect::Gnu | Dialect::Single);
                    let may_be_other = !takes_any && value.may_be_option();
                    if may_be_other || matches!(value, Word::Unknown { splits: true, .. }) {
                        self.loose(value);
                    }
                    (Some(value.clone()), 2)
                }
                None => (None, 1),
            },
        };
        self.given.push(Given { name, value, usage });
        (count, is_harmless)
    }
}

impl Lists<'_> {
    fn all(&self) -> impl Iterator<Item = (&'static str, Listed)> {
        let harmless = self.harmless.split_ascii_whitespace().map(|option| listed(option, true));
        let others = self.others.iter().flat_map(|list| list.split_ascii_whitespace());
        harmless.chain(others.map(|option| listed(option, false)))
    }

    fn exact(&self, name: &str) -> Option<Listed> {
        self.all().find_map(|(names, listed)| names.split('/').any(|each| each == name).then_some(listed))
    }

    /// The option with this name of more than one letter, or cut short where the dialect has that.
    fn long(&self, name: &str, is_long: bool, dashes: usize) -> Option<Listed> {
        let is_single = matches!(self.dialect, Dialect::Single | Dialect::Nopt);
        let fits = |each: &str| each == name && (is_single || (each.chars().count() > 1) == (dashes > 1));
        // A list may say with its own dash that one stands before a long name: `-exec`.
        let dashed = |each: &str| dashes == 1 && each.strip_prefix('-') == Some(name);
        let exact = self.all().find_map(|(names, listed)| {
            names.split('/').any(|each| fits(each) || dashed(each)).then_some(listed)
        });
        if exact.is_some() || !is_long || name.is_empty() {
            return exact;
        }
        match self.dialect {
            Dialect::Exact => None,
            Dialect::Single => name.strip_prefix("test.").and_then(|name| self.long(name, true, dashes)),
            Dialect::Gnu | Dialect::Argparse => self.begun(name),
            Dialect::Nopt => {
                let is_no = name.get(..3).is_some_and(|no| no.eq_ignore_ascii_case("no-"));
                let is_letters =
                    name.chars().all(|letter| self.exact(letter.encode_utf8(&mut [0; 4])).is_some());
                if is_no {
                    let found = self.long(&name[3..], true, dashes)?;
                    return Some(Listed { takes: Takes::Nothing, ..found });
                }
                if is_letters { None } else { self.begun(name) }
            }
        }
    }

    /// The one option that begins so. Of two, the program itself would not choose.
    fn begun(&self, name: &str) -> Option<Listed> {
        let mut begun: Option<Listed> = None;
        for (names, listed) in self.all() {
            if names.split('/').any(|each| each.chars().count() > 1 && each.starts_with(name)) {
                if begun.is_some_and(|other| other.name != listed.name) {
                    return None;
                }
                begun = Some(listed);
            }
        }
        begun
    }
}

fn listed(option: &'static str, is_harmless: bool) -> (&'static str, Listed) {
    let signs = [
        (">>", Use::WritesBelow),
        (">", Use::Writes),
        ("<", Use::Reads),
        ("@", Use::Executes),
        ("^", Use::Moves),
        ("%", Use::Name),
        ("&", Use::Flags),
        ("$", Use::Property),
        ("+", Use::Report),
        (":", Use::Plugin),
        ("*", Use::Warning),
        (";", Use::Shell),
        ("!", Use::Loud),
    ];
    let (rest, usage) = signs
        .iter()
        .find_map(|(sign, usage)| option.strip_suffix(sign).map(|rest| (rest, *usage)))
        .filter(|(rest, _)| !rest.is_empty())
        .unwrap_or((option, Use::Plain));
    let (names, takes) = match rest.as_bytes() {
        [_, .., b'='] => (&rest[..rest.len() - 1], Takes::Value),
        [_, .., b'?'] => (&rest[..rest.len() - 1], Takes::Attached),
        [_, .., b'~'] => (&rest[..rest.len() - 1], Takes::Maybe),
        _ => (rest, Takes::Nothing),
    };
    let name = names.split('/').next().unwrap_or_default();
    (names, Listed { name, takes, usage, is_harmless })
}

fn is_number(word: &Word) -> bool {
    word.literal().is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}
