//! What begins with `$` or a backtick, and `<(…)`.

use std::rc::Rc;

use super::list::End;
use super::words::{plain, quoted};
use super::{Dialect, Parsed, Parser, Sight, is_name, is_name_start};
use crate::walk::syntax::{Param, Piece};

impl Parser<'_> {
    /// At a `$`.
    pub(super) fn dollar(&mut self, pieces: &mut Vec<Piece>, is_quoted: bool) -> Parsed<()> {
        let start = self.position;
        match self.peek_second() {
            Some(b'(') if self.peek_third() == Some(b'(') => {
                let piece = self.dollar_double_paren(is_quoted)?;
                pieces.push(piece);
            }
            Some(b'(') => {
                let piece = self.substitution(is_quoted)?;
                pieces.push(piece);
            }
            Some(b'{') => {
                self.step(2);
                let param = self.deeper(|parser| parser.braces(is_quoted))?;
                pieces.push(Piece::Param(Box::new(param)));
            }
            Some(b'[') if self.is_bash() => {
                self.step(2);
                self.doubt("`$[` is arithmetic of old shells");
                let inner = self.deeper(Self::subscript)?;
                pieces.push(Piece::Arithmetic(inner));
            }
            Some(b'\'') if !is_quoted && self.is_bash() => {
                self.step(2);
                let text = self.ansi()?;
                quoted(pieces, &text);
            }
            Some(b'"') if !is_quoted && self.is_bash() => {
                self.step(2);
                quoted(pieces, "");
                self.double(pieces)?;
            }
            Some(next) if is_name_start(next) => {
                self.step(1);
                let mut name = String::new();
                while let Some(byte) = self.peek().filter(|byte| is_name(*byte)) {
                    name.push(char::from(byte));
                    self.position += 1;
                }
                pieces.push(Piece::Param(Box::new(Param { name, is_quoted, ..Param::default() })));
            }
            Some(next) if next.is_ascii_digit() || b"@*#?-$!".contains(&next) => {
                self.step(2);
                let name = char::from(next).to_string();
                pieces.push(Piece::Param(Box::new(Param { name, is_quoted, ..Param::default() })));
            }
            _ => {
                self.position = start;
                self.step(1);
                if is_quoted { quoted(pieces, "$") } else { plain(pieces, "$") }
            }
        }
        Ok(())
    }

    /// `$( … )`
    fn substitution(&mut self, is_quoted: bool) -> Parsed<Piece> {
        let start = self.position;
        self.see(Sight::Substitution, start);
        self.step(2);
        let body = self.enclosed()?;
        Ok(Piece::Code { body: Rc::new(body), is_quoted })
    }

    /// `<( … )` and `>( … )`
    pub(super) fn process(&mut self) -> Parsed<Piece> {
        let start = self.position;
        self.see(Sight::Substitution, start);
        self.step(2);
        Ok(Piece::Process(Rc::new(self.enclosed()?)))
    }

    /// Commands up to `)`, with here-documents of their own.
    fn enclosed(&mut self) -> Parsed<crate::walk::syntax::Body> {
        let around = std::mem::take(&mut self.pending);
        self.substitutions += 1;
        let body = self.list(End::Paren)?;
        self.close_paren()?;
        self.substitutions -= 1;
        if !self.pending.is_empty() {
            return self.fail("a here-document has no text within its substitution");
        }
        self.pending = around;
        Ok(body)
    }

    /// `$(( … ))`, or a substitution that begins with a subshell.
    fn dollar_double_paren(&mut self, is_quoted: bool) -> Parsed<Piece> {
        let (start, seen, doubts) = (self.position, self.sights.len(), self.doubts.len());
        self.step(3);
        if let Ok(Some(pieces)) = self.deeper(Self::arithmetic_pieces) {
            return Ok(Piece::Arithmetic(pieces));
        }
        self.position = start;
        self.sights.truncate(seen);
        self.doubts.truncate(doubts);
        self.retry()?;
        self.doubt("`$((` is no arithmetic");
        self.substitution(is_quoted)
    }

    /// Arithmetic up to `))`, which is taken. `None` if a parenthesis closes alone.
    pub(super) fn arithmetic_pieces(&mut self) -> Parsed<Option<Vec<Piece>>> {
        let mut pieces = Vec::new();
        let mut parens = 0usize;
        loop {
            match self.peek() {
                None => return Ok(None),
                Some(b')') if parens == 0 => {
                    if self.peek_second() != Some(b')') {
                        return Ok(None);
                    }
                    self.step(2);
                    return Ok(Some(pieces));
                }
                Some(byte @ (b'(' | b')')) => {
                    parens = if byte == b'(' { parens + 1 } else { parens - 1 };
                    self.step(1);
                    plain(&mut pieces, if byte == b'(' { "(" } else { ")" });
                }
                Some(b'\'' | b'"' | b'\\') => {
                    self.doubt("arithmetic holds quotes");
                    self.piece(&mut pieces)?;
                }
                Some(_) => self.piece(&mut pieces)?,
            }
        }
    }

    /// Between backticks: a text of its own, of which some backslashes are taken away first.
    pub(super) fn backticks(&mut self, is_quoted: bool) -> Parsed<Piece> {
        let start = self.position;
        self.see(Sight::Substitution, start);
        self.step(1);
        let inside = self.position;
        let mut code = String::new();
        loop {
            match self.take() {
                None => return self.refuse("a backtick is not closed"),
                Some('`') => break,
                Some('\\') => match self.take() {
                    None => return self.refuse("a backtick is not closed"),
                    Some(next @ ('$' | '`' | '\\')) => code.push(next),
                    Some('"') if is_quoted => code.push('"'),
                    Some(next) => {
                        code.push('\\');
                        code.push(next);
                    }
                },
                Some(next) => code.push(next),
            }
        }
        let is_same = self.text.get(inside..self.position - 1) == Some(code.as_str());
        let base = self.base.filter(|_| is_same).map(|base| base + inside);
        let body = self.deeper(|outer| {
            let mut inner = outer.inner(&code, base);
            let mut body = crate::walk::syntax::Body::new();
            let outcome = inner.script(&mut body);
            outer.adopt(inner, outcome)?;
            Ok(body)
        })?;
        Ok(Piece::Code { body: Rc::new(body), is_quoted })
    }

    /// After `${`, up to `}`.
    fn braces(&mut self, is_quoted: bool) -> Parsed<Param> {
        let mut param = Param { is_quoted, ..Param::default() };
        let second = self.peek_second();
        let begins_name = second.is_some_and(|next| is_name(next) || next == b'@' || next == b'*');
        match self.peek() {
            Some(b'!') if begins_name => {
                param.is_indirect = true;
                self.step(1);
            }
            Some(b'#')
                if begins_name
                    || second.is_some_and(|next| b"?$!-#".contains(&next))
                        && self.peek_third() == Some(b'}') =>
            {
                param.is_length = true;
                self.step(1);
            }
            _ => {}
        }
        match self.peek() {
            Some(byte) if is_name_start(byte) => {
                while let Some(byte) = self.peek().filter(|byte| is_name(*byte)) {
                    param.name.push(char::from(byte));
                    self.position += 1;
                }
            }
            Some(byte) if byte.is_ascii_digit() => {
                while let Some(byte) = self.peek().filter(u8::is_ascii_digit) {
                    param.name.push(char::from(byte));
                    self.position += 1;
                }
            }
            Some(byte) if b"@*#?-$!".contains(&byte) => {
                param.name.push(char::from(byte));
                self.step(1);
            }
            _ => return self.fail("`${` is followed by no name"),
        }
        if self.eat(b'[') {
            param.subscript = Some(self.subscript()?);
        }
        self.expansion_operator(&mut param);
        self.argument(&mut param)?;
        Ok(param)
    }

    fn expansion_operator(&mut self, param: &mut Param) {
        let first = match self.peek() {
            Some(b'}') | None => return,
            Some(first) => first,
        };
        let takes_two = match first {
            b':' => self.peek_second().is_some_and(|next| b"-=?+".contains(&next)),
            b'#' | b'%' | b'^' | b',' | b'/' => self.peek_second() == Some(first),
            b'@' => self.peek_second().is_some_and(|next| next != b'}'),
            b'-' | b'=' | b'?' | b'+' => false,
            _ => {
                self.doubt("an expansion has an operator that is not known");
                false
            }
        };
        for _ in 0..=usize::from(takes_two) {
            self.peek();
            param.operator.extend(self.take());
        }
    }

    /// What follows the operator, up to the closing brace.
    fn argument(&mut self, param: &mut Param) -> Parsed<()> {
        let mut pieces = Vec::new();
        loop {
            match self.peek() {
                None => return self.refuse("`${` is not closed"),
                Some(b'}') => {
                    self.position += 1;
                    param.argument = pieces;
                    return Ok(());
                }
                Some(b'\'') if param.is_quoted => {
                    self.doubt("a single quote stands in an expansion within double quotes");
                    self.step(1);
                    quoted(&mut pieces, "'");
                }
                Some(b'"') if param.is_quoted => {
                    if self.is_here {
                        self.doubt("a double quote stands in an expansion of a here-document");
                    }
                    self.step(1);
                    self.double(&mut pieces)?;
                }
                Some(b'<' | b'>')
                    if self.peek_second() == Some(b'(')
                        && !param.is_quoted
                        && self.dialect == Dialect::Bash =>
                {
                    let process = self.process()?;
                    pieces.push(process);
                }
                Some(_) if param.is_quoted => self.piece_in_quotes(&mut pieces, b"$`\"\\}")?,
                Some(_) => self.piece(&mut pieces)?,
            }
        }
    }

    /// After `$'`, up to the closing quote.
    fn ansi(&mut self) -> Parsed<String> {
        let mut bytes: Vec<u8> = Vec::new();
        // A zero byte ends the string, though not the quotation.
        let mut is_cut = false;
        loop {
            let mut piece: Vec<u8> = Vec::new();
            match self.take() {
                None => return self.fail("`$'` is not closed"),
                Some('\'') => break,
                Some('\\') => {
                    let Some(next) = self.take() else {
                        return self.fail("`$'` is not closed");
                    };
                    self.escape(next, &mut piece);
                }
                Some(next) => piece.extend(next.encode_utf8(&mut [0; 4]).bytes()),
            }
            is_cut |= piece.contains(&0);
            if !is_cut {
                bytes.append(&mut piece);
            }
        }
        String::from_utf8(bytes).or_else(|bad| {
            self.doubt("`$'…'` makes bytes that are no text");
            Ok(String::from_utf8_lossy(bad.as_bytes()).into_owned())
        })
    }

    fn escape(&mut self, next: char, bytes: &mut Vec<u8>) {
        match next {
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'e' | 'E' => bytes.push(27),
            'f' => bytes.push(12),
            'n' => bytes.push(10),
            'r' => bytes.push(13),
            't' => bytes.push(9),
            'v' => bytes.push(11),
            '\\' | '\'' | '"' | '?' => bytes.push(next as u8),
            '0'..='7' => {
                let first = next as u32 - 48;
                let value = self.digits(8, 2, first).0;
                bytes.push((value & 0xff) as u8);
            }
            'x' => {
                if self.raw() == Some(b'{') {
                    self.doubt("`\\x{` means different things in different shells");
                }
                match self.digits(16, 2, 0) {
                    (_, 0) => bytes.extend(b"\\x"),
                    (value, _) => bytes.push((value & 0xff) as u8),
                }
            }
            'u' | 'U' => match self.digits(16, if next == 'u' { 4 } else { 8 }, 0) {
                (_, 0) => bytes.extend([b'\\', next as u8]),
                (value, _) => match char::from_u32(value) {
                    Some(made) => bytes.extend(made.encode_utf8(&mut [0; 4]).bytes()),
                    None => self.doubt("`$'…'` makes a character that does not exist"),
                },
            },
            'c' => match self.take() {
                Some('\\') if self.raw() == Some(b'\\') => {
                    self.position += 1;
                    bytes.push(28);
                }
                Some(control) if control.is_ascii() => {
                    bytes.push((control.to_ascii_uppercase() as u8) & 0x1f);
                }
                _ => self.doubt("`\\c` is followed by no letter"),
            },
            other => {
                bytes.push(b'\\');
                bytes.extend(other.encode_utf8(&mut [0; 4]).bytes());
            }
        }
    }

    /// At most so many digits: their value, and how many there were.
    fn digits(&mut self, radix: u32, most: usize, first: u32) -> (u32, usize) {
        let (mut value, mut count) = (first, 0);
        while count < most {
            let Some(digit) = self.raw().and_then(|byte| char::from(byte).to_digit(radix)) else {
                break;
            };
            value = value.wrapping_mul(radix).wrapping_add(digit);
            self.position += 1;
            count += 1;
        }
        (value, count)
    }
}
