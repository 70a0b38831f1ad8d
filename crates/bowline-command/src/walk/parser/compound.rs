//! Commands that hold commands: groups, branches, loops, tests, functions.

use std::rc::Rc;

use super::list::End;
use super::words::Mode;
use super::{Dialect, Parsed, Parser, Sight, is_name, is_name_start};
use crate::walk::syntax::{Body, Node, Piece, Raw};

impl Parser<'_> {
    /// One command of a pipe, of any kind.
    pub(super) fn command(&mut self) -> Parsed<Node> {
        self.blanks();
        if let Some(node) = self.compound()? {
            return Ok(node);
        }
        if self.is_at_reserved("function") && self.is_bash() {
            self.step("function".len());
            return self.function_by_word();
        }
        if self.is_at_reserved("coproc") && self.is_bash() {
            return self.coprocess();
        }
        let stray = ["then", "elif", "else", "fi", "do", "done", "esac", "}"];
        if stray.iter().any(|word| self.is_at_reserved(word)) {
            return self.unexpected();
        }
        self.simple()
    }

    /// A compound command with its redirections, if one begins here.
    fn compound(&mut self) -> Parsed<Option<Node>> {
        let node = if self.peek() == Some(b'(') {
            if self.peek_second() == Some(b'(')
                && self.is_bash()
                && let Some(pieces) = self.double_paren()?
            {
                let redirects = self.redirects()?;
                return Ok(Some(Node::Arithmetic(pieces, redirects)));
            }
            self.step(1);
            let body = self.list(End::Paren)?;
            self.close_paren()?;
            if body.is_empty() {
                return self.refuse("`()` holds no command");
            }
            Node::Subshell(body, self.redirects()?)
        } else if self.eat_reserved("{") {
            let body = self.list(End::Words(&["}"]))?;
            self.expect_reserved("}")?;
            Node::Group(body, self.redirects()?)
        } else if self.is_at_reserved("[[") && self.is_bash() {
            let start = self.position;
            self.see(Sight::Command, start);
            self.step(2);
            let words = self.test_words()?;
            Node::Test(words, self.redirects()?)
        } else if self.eat_reserved("if") {
            self.branches()?
        } else if self.eat_reserved("while") || self.eat_reserved("until") {
            let head = self.list(End::Words(&["do"]))?;
            let body = self.do_body()?;
            Node::Loop { head, arithmetic: Vec::new(), body, redirects: self.redirects()? }
        } else if self.eat_reserved("for") {
            self.for_loop()?
        } else if self.is_at_reserved("select") && self.is_bash() {
            self.step("select".len());
            self.for_loop()?
        } else if self.eat_reserved("case") {
            self.case()?
        } else {
            return Ok(None);
        };
        Ok(Some(node))
    }

    pub(super) fn close_paren(&mut self) -> Parsed<()> {
        self.blanks();
        if self.eat(b')') { Ok(()) } else { self.refuse("`)` is missing") }
    }

    /// `(( … ))`; `None`, and nothing taken, if it is a subshell within a subshell.
    fn double_paren(&mut self) -> Parsed<Option<Vec<Piece>>> {
        let (start, seen, doubts) = (self.position, self.sights.len(), self.doubts.len());
        self.step(2);
        match self.deeper(Self::arithmetic_pieces) {
            Ok(Some(pieces)) => Ok(Some(pieces)),
            Ok(None) | Err(_) => {
                self.position = start;
                self.sights.truncate(seen);
                self.doubts.truncate(doubts);
                self.retry()?;
                self.doubt("`((` is no arithmetic");
                Ok(None)
            }
        }
    }

    fn branches(&mut self) -> Parsed<Node> {
        let (mut conditions, mut branches) = (Vec::new(), Vec::new());
        conditions.push(self.list(End::Words(&["then"]))?);
        self.expect_reserved("then")?;
        loop {
            branches.push(self.list(End::Words(&["elif", "else", "fi"]))?);
            self.blanks();
            if self.eat_reserved("elif") {
                conditions.push(self.list(End::Words(&["then"]))?);
                self.expect_reserved("then")?;
            } else if self.eat_reserved("else") {
                branches.push(self.list(End::Words(&["fi"]))?);
                self.expect_reserved("fi")?;
                break;
            } else {
                self.expect_reserved("fi")?;
                break;
            }
        }
        Ok(Node::If { conditions, branches, redirects: self.redirects()? })
    }

    /// `do … done`, or `{ … }`, which bash takes for `for` as well.
    fn do_body(&mut self) -> Parsed<Body> {
        self.newlines()?;
        if self.dialect == Dialect::Bash && self.eat_reserved("{") {
            let body = self.list(End::Words(&["}"]))?;
            self.expect_reserved("}")?;
            return Ok(body);
        }
        self.expect_reserved("do")?;
        let body = self.list(End::Words(&["done"]))?;
        self.expect_reserved("done")?;
        Ok(body)
    }

    fn for_loop(&mut self) -> Parsed<Node> {
        self.blanks();
        if self.dialect == Dialect::Bash && self.peek() == Some(b'(') && self.peek_second() == Some(b'(') {
            let Some(pieces) = self.double_paren()? else {
                return self.unexpected();
            };
            self.blanks();
            if self.peek() == Some(b';') {
                self.step(1);
            }
            let body = self.do_body()?;
            let redirects = self.redirects()?;
            return Ok(Node::Loop { head: Body::new(), arithmetic: vec![pieces], body, redirects });
        }
        let name = self.name()?;
        self.newlines()?;
        let mut words = Vec::new();
        if self.eat_reserved("in") {
            self.blanks();
            while let Some(word) = self.word(Mode::Argument)? {
                words.push(word);
                self.blanks();
            }
            if !matches!(self.peek(), Some(b';' | b'\n')) {
                return self.unexpected();
            }
        }
        self.blanks();
        if self.peek() == Some(b';') && self.peek_second() != Some(b';') {
            self.step(1);
        }
        let body = self.do_body()?;
        Ok(Node::For { name, words, body, redirects: self.redirects()? })
    }

    fn case(&mut self) -> Parsed<Node> {
        self.blanks();
        let Some(value) = self.word(Mode::Argument)? else {
            return self.unexpected();
        };
        self.newlines()?;
        self.expect_reserved("in")?;
        let (mut patterns, mut branches) = (Vec::new(), Vec::new());
        loop {
            self.newlines()?;
            if self.eat_reserved("esac") {
                break;
            }
            self.eat(b'(');
            loop {
                self.blanks();
                let Some(pattern) = self.word(Mode::Argument)? else {
                    return self.unexpected();
                };
                patterns.push(pattern);
                self.blanks();
                if !self.eat(b'|') {
                    break;
                }
            }
            self.close_paren()?;
            branches.push(self.list(End::Case)?);
            self.newlines()?;
            if self.eat(b';') {
                // `;;`, `;&` or `;;&`
                let is_bash = self.dialect == Dialect::Bash;
                if self.eat(b';') {
                    let _ = is_bash && self.eat(b'&');
                } else if !(is_bash && self.eat(b'&')) {
                    return self.unexpected();
                }
            }
        }
        Ok(Node::Case { value, patterns, branches, redirects: self.redirects()? })
    }

    /// Words and operators up to `]]`.
    fn test_words(&mut self) -> Parsed<Vec<Raw>> {
        let mut words: Vec<Raw> = Vec::new();
        loop {
            self.newlines()?;
            if self.eat_reserved("]]") {
                return Ok(words);
            }
            let start = self.position;
            let pair = (self.peek(), self.peek_second());
            let operator = match pair {
                (Some(b'&'), Some(b'&')) | (Some(b'|'), Some(b'|')) => 2,
                (Some(b'(' | b')'), _) => 1,
                (Some(b'<' | b'>'), second) if second != Some(b'(') => 1,
                _ => 0,
            };
            if operator > 0 {
                self.step(operator);
                let text = self.since(start);
                words.push(Raw { pieces: vec![Piece::Plain(text.clone())], text });
                continue;
            }
            let mode = match words.last().and_then(Raw::bare) {
                Some("=~") => Mode::Regex,
                _ => Mode::Pattern,
            };
            match self.word(mode)? {
                Some(word) => words.push(word),
                None => return self.unexpected(),
            }
        }
    }

    fn function_by_word(&mut self) -> Parsed<Node> {
        self.blanks();
        let Some(word) = self.word(Mode::Argument)? else {
            return self.unexpected();
        };
        self.blanks();
        if self.peek() == Some(b'(') && self.peek_second() == Some(b')') {
            self.step(2);
        }
        self.function_body(&word)
    }

    /// The body of a function whose name and parentheses have been read.
    pub(super) fn function_body(&mut self, name: &Raw) -> Parsed<Node> {
        let bare = name.bare().map(str::to_owned);
        let is_name =
            |text: &str| text.bytes().all(is_name) && text.bytes().next().is_some_and(is_name_start);
        if self.dialect == Dialect::Posix && !bare.as_deref().is_some_and(is_name) {
            return self.refuse(format!("`{}` is no name for a function", name.text));
        }
        if bare.is_none() {
            self.doubt(format!("`{}` is a strange name for a function", name.text));
        }
        self.newlines()?;
        let body = match self.dialect {
            Dialect::Bash => self.deeper(Self::compound)?,
            Dialect::Posix => Some(self.deeper(Self::command)?),
        };
        match body {
            Some(body) => Ok(Node::Function { name: bare.unwrap_or_default(), body: Rc::new(body) }),
            None => self.refuse("a function has no body"),
        }
    }

    fn coprocess(&mut self) -> Parsed<Node> {
        let start = self.position;
        self.see(Sight::Command, start);
        self.step("coproc".len());
        self.blanks();
        let seen = self.sights.len();
        let mut name = "COPROC".to_owned();
        let body = match self.deeper(Self::compound)? {
            Some(body) => body,
            None => {
                let before = self.position;
                // `coproc NAME { … }`: a name only if a compound command follows.
                let named = self.name().ok().and_then(|name| {
                    self.blanks();
                    Some((name, self.deeper(Self::compound).ok()??))
                });
                match named {
                    Some((given, body)) => {
                        name = given;
                        body
                    }
                    None => {
                        self.position = before;
                        self.sights.truncate(seen);
                        self.retry()?;
                        self.deeper(Self::simple)?
                    }
                }
            }
        };
        if let Some(at) = (seen..self.sights.len()).find(|index| self.sights[*index].0 == Sight::Command) {
            self.sights.remove(at);
        }
        Ok(Node::Coprocess { name, body: Box::new(body) })
    }

    fn name(&mut self) -> Parsed<String> {
        let mut name = String::new();
        while let Some(byte) = self.peek() {
            let fits = if name.is_empty() { is_name_start(byte) } else { is_name(byte) };
            if !fits {
                break;
            }
            name.push(char::from(byte));
            self.position += 1;
        }
        let is_whole = matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'(' | b')'));
        if name.is_empty() || !is_whole {
            return self.refuse("a name is missing");
        }
        Ok(name)
    }
}
