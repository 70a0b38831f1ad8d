//! From a word as it is written to the words that the program gets, as far as the text tells.

use std::rc::Rc;

use super::arithmetic::{is_number, is_plain, literal};
use super::braces;
use super::reading::Shells;
use super::redirect::glob;
use super::syntax::{Descriptor, Node, Param, Piece, Raw, Redirect, RedirectKind};
use super::variables::is_of_shell;
use super::walker::Walker;
use crate::Word;
use crate::programs::names::{MARK, Marks};
use crate::word::counts_processors;

/// Guesses for one word.
const MOST: usize = 8;

/// Longer guesses are not made.
const LONGEST: usize = 65_536;

/// One word of a command.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    pub(super) word: Word,
    /// What it would be if every variable held what this text assigns to it: the words of each guess.
    pub(super) guesses: Vec<Vec<String>>,
    /// It holds nothing but variables of which every value is among the guesses.
    pub(super) is_complete: bool,
}

impl Walker {
    /// The words that this one becomes: more than one if there are braces, none if it is empty and unquoted.
    pub(super) fn resolve(&mut self, raw: &Raw) -> Vec<Resolved> {
        self.substituted(raw).unwrap_or_else(|| self.resolve_as(raw, false))
    }

    /// The same for the word that is the program: a variable that nobody assigns to is taken for an empty one.
    pub(super) fn resolve_program(&mut self, raw: &Raw) -> Vec<Resolved> {
        self.resolve_as(raw, true)
    }

    /// What a variable is given: nothing is split, and nothing is a pattern.
    pub(super) fn resolve_value(&self, pieces: &[Piece]) -> Resolved {
        let quoted: Vec<Piece> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Plain(text) => Piece::Quoted(text.clone()),
                Piece::Param(param) => {
                    Piece::Param(Box::new(Param { is_quoted: true, ..param.as_ref().clone() }))
                }
                Piece::Code { body, .. } => Piece::Code { body: Rc::clone(body), is_quoted: true },
                other => other.clone(),
            })
            .collect();
        self.resolve_one(&quoted, "$", false)
    }

    fn resolve_as(&self, raw: &Raw, is_program: bool) -> Vec<Resolved> {
        if self.is_spent() {
            return Vec::new();
        }
        let alternatives = match self.shells {
            Shells::Posix => Some(vec![raw.pieces.clone()]),
            Shells::Bash | Shells::Any => braces::expand(&raw.pieces),
        };
        let Some(alternatives) = alternatives else {
            let start = match raw.pieces.first() {
                Some(Piece::Plain(text)) => text.split('{').next().unwrap_or_default().to_owned(),
                _ => String::new(),
            };
            let word = Word::Unknown { start, text: raw.text.clone(), splits: true };
            return vec![Resolved { word, guesses: Vec::new(), is_complete: false }];
        };
        let is_plain = |piece: &Piece| matches!(piece, Piece::Plain(_));
        self.spend(alternatives.len());
        alternatives
            .iter()
            .take_while(|_| !self.is_spent())
            .filter(|pieces| {
                !literal(pieces).is_some_and(|text| text.is_empty() && pieces.iter().all(is_plain))
            })
            .map(|pieces| self.resolve_one(pieces, &raw.text, is_program))
            .collect()
    }

    fn resolve_one(&self, pieces: &[Piece], text: &str, is_program: bool) -> Resolved {
        self.spend(1 + pieces.len() / 4 + text.len() / 1024);
        let mut known = String::new();
        let mut start: Option<String> = None;
        let mut splits = false;
        let mut unknown = |known: &str, may_split: bool| {
            splits |= may_split;
            if start.is_none() {
                start = Some(known.to_owned());
            }
        };
        let has_bracket_end =
            pieces.iter().any(|piece| matches!(piece, Piece::Plain(text) if text.contains(']')));
        for (index, piece) in pieces.iter().enumerate() {
            match piece {
                // It would be taken for our own.
                Piece::Quoted(text) if text.contains(MARK) => unknown("", true),
                Piece::Quoted(text) => known.push_str(text),
                Piece::Plain(plain) => {
                    let is_alone = pieces.len() == 1;
                    let text = match self.tilde(plain, index, is_alone) {
                        Some(text) => text,
                        None => {
                            unknown("", false);
                            plain.clone()
                        }
                    };
                    // `[` and `[[` alone are programs.
                    let glob =
                        text.find(|letter| matches!(letter, '*' | '?') || letter == '[' && has_bracket_end);
                    match glob {
                        Some(at) => {
                            known.push_str(&text[..at]);
                            unknown(&known, true);
                            known.push_str(&text[at..]);
                        }
                        None => known.push_str(&text),
                    }
                }
                Piece::Param(param) => match self.known(param) {
                    Some(value) => known.push_str(&value),
                    None => {
                        let is_every = matches!(param.name.as_str(), "@")
                            || param.subscript.as_deref().and_then(literal).as_deref() == Some("@");
                        unknown(&known, !param.is_quoted && !is_number(param) || is_every);
                    }
                },
                Piece::Code { body, is_quoted } => unknown(&known, !is_quoted && !is_count(body)),
                Piece::Process(_) => unknown(&format!("{known}/dev/fd/"), false),
                Piece::Arithmetic(_) => unknown(&known, false),
                Piece::Pattern(_) | Piece::Subscript(_) | Piece::Array(_) => unknown(&known, true),
            }
        }
        match start {
            None => Resolved { word: Word::Literal(known), guesses: Vec::new(), is_complete: false },
            Some(start) => Resolved {
                word: Word::Unknown { start, text: text.to_owned(), splits },
                guesses: self.guesses(pieces, is_program),
                is_complete: self.is_complete(pieces),
            },
        }
    }

    /// An unquoted piece with its `~` resolved; `None` if nobody can tell.
    pub(super) fn tilde(&self, plain: &str, index: usize, is_alone: bool) -> Option<String> {
        if index > 0 {
            return Some(plain.to_owned());
        }
        let (before, rest) = match plain.split_once('=') {
            Some((name, rest)) if is_name(name.strip_suffix('+').unwrap_or(name)) => {
                if rest.contains(":~") {
                    return None;
                }
                (&plain[..plain.len() - rest.len()], rest)
            }
            _ => ("", plain),
        };
        let Some(after) = rest.strip_prefix('~') else {
            return Some(plain.to_owned());
        };
        let is_home = after.starts_with('/') || after.is_empty() && is_alone;
        if !is_home || self.variables.contains_key("HOME") {
            return None;
        }
        let home = self.home.as_deref()?.to_str()?;
        Some(format!("{before}{}{after}", home.trim_end_matches('/')))
    }

    /// The value of a variable that the surroundings tell.
    fn known(&self, param: &Param) -> Option<String> {
        if !is_plain(param) || self.variables.contains_key(&param.name) {
            return None;
        }
        let value = match param.name.as_str() {
            "PWD" => self.shell.places.only()?.to_str()?,
            "HOME" => self.home.as_deref()?.to_str()?,
            _ => return None,
        };
        let is_one_word = !value.contains([' ', '\t', '\n', '*', '?', '[', '\\']);
        (param.is_quoted || is_one_word).then(|| value.to_owned())
    }

    /// What the word would be by the assignments that were seen.
    fn guesses(&self, pieces: &[Piece], is_program: bool) -> Vec<Vec<String>> {
        if pieces.iter().all(|piece| matches!(piece, Piece::Plain(_) | Piece::Quoted(_))) {
            return Vec::new();
        }
        let mut texts = vec![String::new()];
        let mut splits = false;
        for piece in pieces {
            let parts = match piece {
                Piece::Plain(text) | Piece::Quoted(text) if !text.contains(MARK) => vec![text.clone()],
                Piece::Param(param) => {
                    splits |= !param.is_quoted || param.name == "@" || param.subscript.is_some();
                    let mut values = self.values(param, is_program);
                    if !param.is_quoted {
                        let names = values.iter_mut().filter(|value| self.globs.contains(*value));
                        names.for_each(|value| *value = Marks::split(value));
                    }
                    values
                }
                Piece::Code { body, is_quoted } => {
                    splits |= !is_quoted;
                    body.first().and_then(printed).into_iter().collect()
                }
                _ => Vec::new(),
            };
            if parts.is_empty() {
                return Vec::new();
            }
            self.spend(texts.iter().map(String::len).sum::<usize>() / 1024);
            if self.is_spent() {
                return Vec::new();
            }
            let mut made = Vec::new();
            for text in &texts {
                for part in parts.iter().take(MOST.div_ceil(texts.len())) {
                    if text.len() + part.len() <= LONGEST {
                        made.push(format!("{text}{part}"));
                    }
                }
            }
            texts = made;
        }
        let words = |text: String| match splits {
            true => text.split_whitespace().map(str::to_owned).collect(),
            false => vec![text],
        };
        texts.into_iter().map(words).collect()
    }

    /// Whether the guesses are all that the word can be.
    fn is_complete(&self, pieces: &[Piece]) -> bool {
        let mut count = 1usize;
        let is_known = pieces.iter().all(|piece| match piece {
            Piece::Quoted(text) => !text.contains(MARK),
            Piece::Plain(text) => !text.contains(['*', '?', '[', '~']),
            Piece::Param(param) if is_plain(param) => {
                let held = self.variables.get(&param.name);
                count = held.map_or(1, |held| held.texts.len()).saturating_mul(count);
                // Without quotes, a value that looks like a pattern is one.
                let is_whole = |text: &String| {
                    param.is_quoted || self.globs.contains(text) || !text.contains(['*', '?', '['])
                };
                let is_known = held.is_some_and(|held| {
                    !held.is_unknown && !held.texts.is_empty() && held.texts.iter().all(is_whole)
                });
                // Otherwise it may be empty, or hold what the environment says.
                is_known
                    && self.shell.assigned.contains(&param.name)
                    && !is_of_shell(&param.name)
                    && self.rely(&param.name, held.map_or(0, |held| held.texts.len()))
            }
            _ => false,
        });
        is_known && count <= MOST
    }

    /// What follows counts on these values being all that there are.
    fn rely(&self, name: &str, count: usize) -> bool {
        self.relied.borrow_mut().entry(name.to_owned()).or_insert(count);
        true
    }

    /// The word that a guess is: a pattern, if one was assigned.
    pub(super) fn guessed(&self, text: String) -> Word {
        if text.contains(MARK) {
            return self.guessed_names(text);
        }
        match self.globs.iter().any(|glob| text.contains(glob.as_str())) {
            true => {
                let start = text.split(['*', '?', '[']).next().unwrap_or_default().to_owned();
                Word::Unknown { start, text, splits: false }
            }
            false => Word::Literal(text),
        }
    }

    /// Names that a program printed are what they are only as a whole; a pattern may have more around it.
    fn guessed_names(&self, text: String) -> Word {
        let split = Marks { splits: true, expands: true, ..Marks::default() }.on("");
        let start = |text: &str| text.split(['*', '?', '[']).next().unwrap_or_default().to_owned();
        if self.globs.contains(&text) {
            return Word::Unknown { start: start(&text), text, splits: false };
        }
        let pattern = text.replace(&split, "");
        match pattern.contains(MARK) {
            true => Word::filled("", "<names that a program prints>", false),
            false => {
                Word::Unknown { start: start(&pattern), text: format!("{pattern}{split}"), splits: false }
            }
        }
    }

    /// A variable is given what this word becomes.
    pub(super) fn assign_resolved(&mut self, name: &str, value: &Resolved) {
        if value.is_complete {
            for guess in &value.guesses {
                self.assign(name, Some(&guess.join(" ")));
            }
            return;
        }
        match &value.word {
            Word::Literal(text) => self.assign(name, Some(text)),
            Word::Unknown { start, text, .. } if text.contains(MARK) => {
                let whole = format!("{start}{}", text.get(start.len()..).unwrap_or_default());
                self.globs.extend([whole.clone(), Marks::split(&whole)]);
                self.assign(name, Some(&whole));
            }
            Word::Unknown { start, text, .. } => match (glob(start, text), text.find(['*', '?', '['])) {
                (Some(_), Some(at)) => {
                    let text = format!("{start}{}", &text[at..]);
                    self.globs.insert(text.clone());
                    self.assign(name, Some(&text));
                }
                _ => self.assign(name, None),
            },
        }
    }

    fn values(&self, param: &Param, is_program: bool) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        if !param.is_length && !param.is_indirect {
            match self.variables.get(&param.name) {
                Some(held) => values.extend(held.texts.iter().cloned()),
                None if param.name == "PWD" => {
                    values.extend(
                        self.shell.places.known().filter_map(|place| place.to_str()).map(str::to_owned),
                    );
                }
                None if is_program => values.push(String::new()),
                None => {}
            }
        }
        if matches!(param.operator.as_str(), "-" | ":-" | "=" | ":=" | "+" | ":+") {
            values.extend(literal(&param.argument));
        }
        values
    }
}

/// Whether these commands print nothing but how many processors there are.
pub(super) fn is_count(body: &[Node]) -> bool {
    let [Node::Simple(simple)] = body else { return false };
    let words: Option<Vec<&str>> = simple.words.iter().map(Raw::bare).collect();
    simple.assignments.is_empty()
        && simple.redirects.iter().all(is_idle)
        && words.is_some_and(|words| counts_processors(&words.join(" ")))
}

/// `2>/dev/null`
fn is_idle(redirect: &Redirect) -> bool {
    matches!(&redirect.kind, RedirectKind::Write(target) if target.bare() == Some("/dev/null"))
        && redirect.descriptor == Descriptor::Number("2".to_owned())
}

/// What `echo` or `printf` would print, if it is the whole of a substitution.
fn printed(node: &Node) -> Option<String> {
    let Node::Simple(simple) = node else {
        return None;
    };
    let words: Option<Vec<String>> = simple.words.iter().map(|word| literal(&word.pieces)).collect();
    match words?.as_slice() {
        [program, words @ ..] if program == "echo" || program == "printf" => Some(words.join(" ")),
        _ => None,
    }
}

pub(super) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
