//! Simple commands and redirections.

use std::cell::OnceCell;
use std::rc::Rc;

use super::words::Mode;
use super::{Dialect, Parsed, Parser, Pending, Sight, is_name, is_name_start};
use crate::walk::syntax::{Descriptor, Node, Piece, Raw, Redirect, RedirectKind, Simple};

impl Parser<'_> {
    /// Assignments, words and redirections; or the definition of a function.
    pub(super) fn simple(&mut self) -> Parsed<Node> {
        let mut simple = Simple::default();
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect()? {
                simple.redirects.push(redirect);
                continue;
            }
            let start = self.position;
            let mode = if simple.words.is_empty() { Mode::First } else { Mode::Argument };
            let Some(word) = self.word(mode)? else {
                break;
            };
            if simple.words.is_empty() {
                if self.is_assignment(&word) {
                    simple.assignments.push(word);
                    continue;
                }
                self.blanks();
                if self.peek() == Some(b'(') && simple.redirects.is_empty() && simple.assignments.is_empty() {
                    self.step(1);
                    self.close_paren()?;
                    return self.function_body(&word);
                }
                self.see(Sight::Command, start);
            }
            simple.words.push(word);
        }
        if simple.words.is_empty() && simple.assignments.is_empty() && simple.redirects.is_empty() {
            return self.unexpected();
        }
        Ok(Node::Simple(simple))
    }

    /// `name=…`; `name+=…` and `name[…]=…` for bash.
    fn is_assignment(&mut self, word: &Raw) -> bool {
        let Some(assignment) = assignment(word) else { return false };
        let is_plain = !assignment.is_added && !matches!(word.pieces.get(1), Some(Piece::Subscript(_)));
        is_plain || self.is_bash()
    }

    /// The redirections after a compound command.
    pub(super) fn redirects(&mut self) -> Parsed<Vec<Redirect>> {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => return Ok(redirects),
            }
        }
    }

    fn redirect(&mut self) -> Parsed<Option<Redirect>> {
        let start = self.position;
        let descriptor = self.descriptor();
        if self.dialect == Dialect::Posix && matches!(self.peek(), Some(b'<' | b'>')) {
            let is_here_string = self.peek_second() == Some(b'<') && self.peek_third() == Some(b'<');
            if self.peek_second() == Some(b'(') || self.peek() == Some(b'<') && is_here_string {
                return self.refuse("a redirection leads nowhere");
            }
        }
        let Some(operator) = self.operator() else {
            self.position = start;
            return Ok(None);
        };
        self.see(Sight::Redirect, start);
        self.blanks();
        if operator == "<<" || operator == "<<-" {
            let place = self.here_operator(operator == "<<-")?;
            return Ok(Some(Redirect { descriptor, kind: RedirectKind::HereDocument(place) }));
        }
        let Some(target) = self.word(Mode::Argument)? else {
            return self.refuse(format!("`{operator}` leads nowhere"));
        };
        let kind = match operator {
            "<" => RedirectKind::Read(target),
            "<>" => RedirectKind::ReadWrite(target),
            "<&" => RedirectKind::CopyIn(target),
            ">&" => RedirectKind::CopyOut(target),
            "<<<" => RedirectKind::HereString(target),
            _ => RedirectKind::Write(target),
        };
        Ok(Some(Redirect { descriptor, kind }))
    }

    /// `2` or `{name}` directly before an operator; nothing is taken that is not followed by one.
    fn descriptor(&mut self) -> Descriptor {
        let start = self.position;
        let is_variable = self.dialect == Dialect::Bash && self.eat(b'{');
        let mut text = String::new();
        while let Some(byte) = self.peek() {
            let fits = match is_variable {
                true if text.is_empty() => is_name_start(byte),
                true => is_name(byte),
                false => byte.is_ascii_digit(),
            };
            if !fits {
                break;
            }
            text.push(char::from(byte));
            self.position += 1;
        }
        let is_closed = !is_variable || self.eat(b'}');
        let is_process = self.peek_second() == Some(b'(');
        if text.is_empty() || !is_closed || !matches!(self.peek(), Some(b'<' | b'>')) || is_process {
            self.position = start;
            return Descriptor::Usual;
        }
        if is_variable {
            self.differs = true;
            return Descriptor::Variable(text);
        }
        // Elsewhere, more than one digit is a word.
        if text.len() > 1 && !self.is_bash() {
            self.position = start;
            return Descriptor::Usual;
        }
        Descriptor::Number(text)
    }

    fn operator(&mut self) -> Option<&'static str> {
        let next = (self.peek()?, self.peek_second().unwrap_or(0), self.peek_third().unwrap_or(0));
        let operator = match next {
            (b'<' | b'>', b'(', _) => return None,
            (b'<', b'<', b'<') => "<<<",
            (b'<', b'<', b'-') => "<<-",
            (b'<', b'<', _) => "<<",
            (b'<', b'>', _) => "<>",
            (b'<', b'&', _) => "<&",
            (b'<', ..) => "<",
            (b'>', b'>', _) => ">>",
            (b'>', b'|', _) => ">|",
            (b'>', b'&', _) => ">&",
            (b'>', ..) => ">",
            (b'&', b'>', third) if self.is_bash() => {
                if third == b'>' {
                    "&>>"
                } else {
                    "&>"
                }
            }
            _ => return None,
        };
        self.step(operator.len());
        Some(operator)
    }

    /// The delimiter of a here-document, whose text comes after the end of the line.
    fn here_operator(&mut self, strips_tabs: bool) -> Parsed<Rc<OnceCell<crate::walk::syntax::Here>>> {
        let Some(word) = self.word(Mode::Argument)? else {
            return self.fail("a here-document has no delimiter");
        };
        let mut delimiter = String::new();
        let mut is_verbatim = false;
        for piece in &word.pieces {
            match piece {
                Piece::Plain(text) => delimiter.push_str(text),
                Piece::Quoted(text) => {
                    is_verbatim = true;
                    delimiter.push_str(text);
                }
                _ => return self.fail(format!("`{}` is a strange delimiter", word.text)),
            }
        }
        if word.text.contains(['$', '`', '\n']) || delimiter.contains('\n') {
            return self.fail(format!("`{}` is a strange delimiter", word.text));
        }
        let place = Rc::new(OnceCell::new());
        self.pending.push(Pending { delimiter, is_verbatim, strips_tabs, place: Rc::clone(&place) });
        Ok(place)
    }
}

/// What a word assigns to a variable.
pub(in crate::walk) struct Assignment<'w> {
    pub(in crate::walk) name: &'w str,
    /// What follows the `=`.
    pub(in crate::walk) value: Vec<Piece>,
    /// `+=`: the value is added to what the variable holds.
    pub(in crate::walk) is_added: bool,
}

/// The name that a word assigns to, and what follows the `=`.
pub(in crate::walk) fn assignment(word: &Raw) -> Option<Assignment<'_>> {
    let Piece::Plain(first) = word.pieces.first()? else {
        return None;
    };
    let length = first.bytes().take_while(|byte| is_name(*byte)).count();
    if length == 0 || !is_name_start(first.as_bytes()[0]) {
        return None;
    }
    let (name, rest) = first.split_at(length);
    let (rest, after) = match word.pieces.get(1) {
        Some(Piece::Subscript(_)) if rest.is_empty() => {
            let Some(Piece::Plain(text)) = word.pieces.get(2) else {
                return None;
            };
            (text.as_str(), 3)
        }
        _ => (rest, 1),
    };
    let added = rest.strip_prefix("+=");
    let value = added.or_else(|| rest.strip_prefix('='))?;
    let mut pieces = Vec::new();
    if !value.is_empty() {
        pieces.push(Piece::Plain(value.to_owned()));
    }
    pieces.extend(word.pieces[after..].iter().cloned());
    Some(Assignment { name, value: pieces, is_added: added.is_some() })
}
