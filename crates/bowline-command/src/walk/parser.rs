//! Reads shell text as bash does, or as a shell that knows nothing but the standard: tokens, quotes, here-documents, commands.
//!
//! It never guesses: what is not the language, or means different things in different shells, is a failure or a doubt. What
//! `dash` takes for something else than bash does is told by `differs`; what `dash` refuses is a failure there.

mod compound;
mod dollar;
mod here;
mod list;
mod simple;
mod words;

use std::cell::OnceCell;
use std::rc::Rc;

use crate::walk::syntax::{Body, Here};

pub(super) use simple::{Assignment, assignment};

/// Deeper text is not followed: the stack is not endless, and nobody writes it.
const DEEPEST: usize = 40;

/// Nobody writes `((` so often for something that is no arithmetic.
const MOST_RETRIES: usize = 20;

/// Words, pieces of words and commands in one text.
const MAX_TOKENS: usize = 8_000;

/// Whose language it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Bash,
    /// That of `dash`, which is `sh` in many places: no `[[`, no `&>`, no braces, no `$'…'`.
    Posix,
}

/// Why the text could not be read on.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) why: String,
    /// A shell would refuse it as well: nothing that follows runs.
    pub(super) is_refused: bool,
}

pub(super) type Parsed<T> = Result<T, Failure>;

/// Something that another reader of the same text must have seen at the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sight {
    Command,
    Substitution,
    Redirect,
}

/// All that is known of a text.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) body: Body,
    pub(super) doubts: Vec<String>,
    pub(super) sights: Vec<(Sight, usize)>,
    /// The text could not be read to its end.
    pub(super) is_broken: bool,
    /// It holds something that the other dialect takes for something else.
    pub(super) differs: bool,
    /// Words, pieces of words and commands that were read.
    pub(super) tokens: usize,
    /// There are more of them than are read.
    pub(super) is_too_long: bool,
}

/// Reads a whole text. `depth` counts the texts around it.
pub(super) fn parse(text: &str, dialect: Dialect) -> Reading {
    let mut parser = Parser::new(text, 0, Some(0), dialect);
    let mut body = Body::new();
    let outcome = parser.script(&mut body);
    let is_broken = outcome.is_err();
    if let Err(failure) = outcome
        && !(failure.is_refused && dialect == Dialect::Posix)
    {
        parser.doubts.push(failure.why);
    }
    let Parser { doubts, sights, differs, tokens, .. } = parser;
    let is_too_long = tokens > MAX_TOKENS;
    Reading { body, doubts, sights, is_broken, differs: differs || is_broken, tokens, is_too_long }
}

struct Parser<'t> {
    text: &'t str,
    position: usize,
    depth: usize,
    /// Where the text begins in what was given; `None` if places cannot be counted any more.
    base: Option<usize>,
    /// Here-documents whose text begins after this line.
    pending: Vec<Pending>,
    /// How many `$(` are open.
    substitutions: usize,
    is_here: bool,
    /// How often text was read a second time, in another way.
    retries: usize,
    doubts: Vec<String>,
    sights: Vec<(Sight, usize)>,
    dialect: Dialect,
    differs: bool,
    tokens: usize,
}

struct Pending {
    delimiter: String,
    is_verbatim: bool,
    strips_tabs: bool,
    place: Rc<OnceCell<Here>>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, depth: usize, base: Option<usize>, dialect: Dialect) -> Self {
        Self {
            text,
            position: 0,
            depth,
            base,
            pending: Vec::new(),
            substitutions: 0,
            is_here: false,
            retries: 0,
            doubts: Vec::new(),
            sights: Vec::new(),
            dialect,
            differs: false,
            tokens: 0,
        }
    }

    /// One more token is about to be read.
    fn token(&mut self) -> Parsed<()> {
        self.tokens += 1;
        if self.tokens > MAX_TOKENS { self.fail("it holds more words than are read") } else { Ok(()) }
    }

    fn fail<T>(&self, why: impl Into<String>) -> Parsed<T> {
        Err(Failure { why: why.into(), is_refused: false })
    }

    /// Every shell refuses such text.
    fn refuse<T>(&self, why: impl Into<String>) -> Parsed<T> {
        Err(Failure { why: why.into(), is_refused: true })
    }

    /// Bash reads on in its own way, and what begins here means something else to another shell.
    fn is_bash(&mut self) -> bool {
        self.differs = true;
        self.dialect == Dialect::Bash
    }

    fn doubt(&mut self, why: impl Into<String>) {
        let why = why.into();
        if !self.doubts.contains(&why) {
            self.doubts.push(why);
        }
    }

    fn see(&mut self, sight: Sight, position: usize) {
        if let Some(base) = self.base {
            self.sights.push((sight, base + position));
        }
    }

    /// Text is about to be read in another way. Each time may read all that follows, so there is an end to it.
    fn retry(&mut self) -> Parsed<()> {
        self.retries += 1;
        if self.retries > MOST_RETRIES { self.fail("it can be read in too many ways") } else { Ok(()) }
    }

    /// What was learned of a text that this one holds, or why it could not be read.
    fn adopt<T>(&mut self, inner: Parser<'_>, outcome: Parsed<T>) -> Parsed<T> {
        self.retries = inner.retries;
        self.differs |= inner.differs;
        self.tokens = inner.tokens;
        self.sights.extend(inner.sights);
        for doubt in inner.doubts {
            self.doubt(doubt);
        }
        outcome
    }

    /// A reader for a text that this one holds.
    fn inner<'i>(&self, text: &'i str, base: Option<usize>) -> Parser<'i> {
        Parser {
            retries: self.retries,
            tokens: self.tokens,
            ..Parser::new(text, self.depth, base, self.dialect)
        }
    }

    /// Runs `inner` one level deeper.
    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return self.fail(format!("it is nested more than {DEEPEST} deep"));
        }
        self.depth += 1;
        let outcome = inner(self);
        self.depth -= 1;
        outcome
    }

    /// The byte at the position, as it is.
    fn raw(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    /// The next byte that counts: a backslash before the end of a line joins it with the next.
    fn peek(&mut self) -> Option<u8> {
        self.position = self.joined(self.position);
        self.raw()
    }

    /// The byte after the next one.
    fn peek_second(&mut self) -> Option<u8> {
        self.peek()?;
        let after = self.joined(self.position + 1);
        self.text.as_bytes().get(after).copied()
    }

    fn peek_third(&mut self) -> Option<u8> {
        self.peek_second()?;
        let second = self.joined(self.position + 1);
        let third = self.joined(second + 1);
        self.text.as_bytes().get(third).copied()
    }

    fn joined(&self, mut position: usize) -> usize {
        while self.text.as_bytes().get(position..position + 2) == Some(b"\\\n") {
            position += 2;
        }
        position
    }

    /// Steps over so many bytes that count, all of them ASCII.
    fn step(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek().is_some() {
                self.position += 1;
            }
        }
    }

    /// Takes the next character, whatever it is.
    fn take(&mut self) -> Option<char> {
        let next = self.text.get(self.position..)?.chars().next()?;
        self.position += next.len_utf8();
        Some(next)
    }

    /// Steps over `wanted` if it is next.
    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.position += 1;
        }
        found
    }

    /// Steps over blanks and a comment. Only where a token may begin.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.position += 1,
                Some(b'#') => {
                    let rest = &self.text[self.position..];
                    self.position += rest.find('\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// The text from a place up to here, as it was written.
    fn since(&self, start: usize) -> String {
        self.text.get(start..self.position).unwrap_or_default().to_owned()
    }
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
