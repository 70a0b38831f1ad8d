//! Lists, chains and pipes.

use super::{Dialect, Parsed, Parser, Sight};
use crate::walk::syntax::{Body, Joint, Node};

/// What may end a list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End<'w> {
    Text,
    /// `)`
    Paren,
    /// One of these reserved words.
    Words(&'w [&'w str]),
    /// `;;`, `;&`, `;;&` or `esac`.
    Case,
}

impl Parser<'_> {
    /// The whole text. What was read before a failure stays in `body`: bash runs it, too.
    pub(super) fn script(&mut self, body: &mut Body) -> Parsed<()> {
        self.statements(End::Text, body)?;
        if self.pending.is_empty() { Ok(()) } else { self.fail("a here-document has no text") }
    }

    /// Statements up to `end`, which is not taken.
    pub(super) fn list(&mut self, end: End<'_>) -> Parsed<Body> {
        let mut body = Body::new();
        self.deeper(|parser| parser.statements(end, &mut body))?;
        Ok(body)
    }

    fn statements(&mut self, end: End<'_>, body: &mut Body) -> Parsed<()> {
        loop {
            self.newlines()?;
            if self.is_at(end) {
                return Ok(());
            }
            let statement = self.chain()?;
            self.blanks();
            match self.peek() {
                Some(b';') if self.peek_second() == Some(b';') || self.peek_second() == Some(b'&') => {
                    body.push(statement);
                    return if end == End::Case {
                        Ok(())
                    } else {
                        self.refuse("`;;` stands outside of `case`")
                    };
                }
                Some(b'&') => {
                    self.step(1);
                    body.push(Node::Background(Box::new(statement)));
                }
                Some(b';') => {
                    self.step(1);
                    body.push(statement);
                }
                Some(b'\n') => body.push(statement),
                None => body.push(statement),
                Some(b')') if end == End::Paren || end == End::Case => body.push(statement),
                Some(_) => {
                    body.push(statement);
                    // Reserved words that end a compound command may follow a compound command directly: `( a ) done`.
                    if !self.is_at(end) {
                        return self.unexpected();
                    }
                }
            }
            if self.raw().is_none() && end == End::Text {
                return Ok(());
            }
        }
    }

    /// `a && b || c`
    fn chain(&mut self) -> Parsed<Node> {
        self.token()?;
        let first = self.pipe()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let joint = match (self.peek(), self.peek_second()) {
                (Some(b'&'), Some(b'&')) => Joint::And,
                (Some(b'|'), Some(b'|')) => Joint::Or,
                _ => break,
            };
            self.step(2);
            self.newlines()?;
            rest.push((joint, self.pipe()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        rest.insert(0, (Joint::First, first));
        Ok(Node::Chain(rest))
    }

    /// `! a | b |& c`, with `time` before it.
    fn pipe(&mut self) -> Parsed<Node> {
        self.blanks();
        let (mut is_timed, mut is_negated) = (false, false);
        loop {
            if self.eat_reserved("!") {
                is_negated = true;
                if self.peek() == Some(b'(') {
                    self.doubt("`!(` means different things in different shells");
                }
                self.blanks();
                continue;
            }
            let start = self.position;
            if !is_timed && self.is_at_reserved("time") && self.is_bash() {
                self.step("time".len());
                is_timed = true;
                self.see(Sight::Command, start);
                self.blanks();
                let _ = self.eat_reserved("-p");
                self.blanks();
                let _ = self.eat_reserved("--");
                self.blanks();
                continue;
            }
            break;
        }
        if is_timed && matches!(self.peek(), None | Some(b'\n' | b';' | b'&' | b')')) {
            return Ok(Node::Group(Body::new(), Vec::new()));
        }
        let seen = self.sights.len();
        let first = self.deeper(Self::command)?;
        if is_timed {
            // For the grammar, `time` is a command and what it times are its words.
            if let Some(at) = (seen..self.sights.len()).find(|index| self.sights[*index].0 == Sight::Command)
            {
                self.sights.remove(at);
            }
        }
        let mut parts = vec![first];
        loop {
            self.blanks();
            if self.peek() != Some(b'|') || self.peek_second() == Some(b'|') {
                break;
            }
            self.step(1);
            if self.dialect == Dialect::Bash {
                self.eat(b'&');
            }
            self.newlines()?;
            // `a | ! b` and `a | time b` are allowed.
            while self.eat_reserved("!") || self.eat_reserved("time") {
                self.doubt("`!` or `time` stands within a pipe");
                self.blanks();
            }
            let next = self.deeper(Self::command)?;
            parts.push(next);
        }
        let pipe = if parts.len() == 1 { parts.remove(0) } else { Node::Pipe(parts) };
        // What follows `! cd x &&` runs where `cd` has failed: it is no command that succeeds.
        Ok(if is_negated { Node::Group(vec![pipe], Vec::new()) } else { pipe })
    }

    /// Steps over blanks, comments and ends of lines, and reads the here-documents that begin there.
    pub(super) fn newlines(&mut self) -> Parsed<()> {
        loop {
            self.blanks();
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.line_end()?;
        }
    }

    pub(super) fn is_at(&mut self, end: End<'_>) -> bool {
        self.blanks();
        match end {
            End::Text => self.peek().is_none(),
            End::Paren => self.peek() == Some(b')'),
            End::Words(words) => words.iter().any(|word| self.is_at_reserved(word)),
            End::Case => {
                self.is_at_reserved("esac")
                    || self.peek() == Some(b';') && matches!(self.peek_second(), Some(b';' | b'&'))
            }
        }
    }

    /// Is the next word this one, bare and whole?
    pub(super) fn is_at_reserved(&mut self, word: &str) -> bool {
        let start = self.position;
        let found = self.eat_reserved(word);
        self.position = start;
        found
    }

    /// Steps over the next word, if it is this one, bare and whole.
    pub(super) fn eat_reserved(&mut self, word: &str) -> bool {
        let start = self.position;
        let is_whole = word.bytes().all(|byte| self.eat(byte))
            && matches!(
                self.peek(),
                None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
            )
            && !(matches!(self.peek(), Some(b'<' | b'>')) && self.peek_second() == Some(b'('));
        if !is_whole {
            self.position = start;
        }
        is_whole
    }

    pub(super) fn expect_reserved(&mut self, word: &str) -> Parsed<()> {
        self.blanks();
        if self.eat_reserved(word) { Ok(()) } else { self.refuse(format!("`{word}` is missing")) }
    }

    pub(super) fn unexpected<T>(&mut self) -> Parsed<T> {
        match self.peek() {
            Some(_) => {
                let next: String = self.text[self.position..].chars().take(1).collect();
                self.refuse(format!("`{next}` cannot stand where it stands"))
            }
            None => self.refuse("it ends in the middle"),
        }
    }
}
