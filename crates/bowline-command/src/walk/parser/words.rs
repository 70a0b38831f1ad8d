//! Words: quotes, escapes, and the pieces between them.

use super::{Dialect, Parsed, Parser, is_name, is_name_start};
use crate::walk::syntax::{Piece, Raw};

/// Where a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Where a command begins: `name[…]=` is one word, whatever is in the brackets.
    First,
    Argument,
    /// Within `[[ ]]`, where `@(…)` is a pattern in every shell.
    Pattern,
    /// After `=~`, where parentheses are letters.
    Regex,
}

impl Parser<'_> {
    /// The next word, or `None` if none begins here.
    pub(super) fn word(&mut self, mode: Mode) -> Parsed<Option<Raw>> {
        self.peek();
        self.token()?;
        let start = self.position;
        let mut pieces = Vec::new();
        if mode == Mode::First && self.dialect == Dialect::Bash {
            self.subscripted_name(&mut pieces)?;
        }
        let mut parens = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' if parens == 0 => break,
                b'(' if mode == Mode::Regex => {
                    parens += 1;
                    self.plain(&mut pieces);
                }
                b')' if mode == Mode::Regex && parens > 0 => {
                    parens -= 1;
                    self.plain(&mut pieces);
                }
                b'|' if mode == Mode::Regex => self.plain(&mut pieces),
                b'(' if opens_array(&pieces) && self.dialect == Dialect::Bash => {
                    let array = self.deeper(Self::array)?;
                    pieces.push(array);
                }
                b'<' | b'>' if self.dialect == Dialect::Bash && self.peek_second() == Some(b'(') => {
                    let process = self.process()?;
                    pieces.push(process);
                }
                b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>' => {
                    if parens > 0 {
                        return self.unexpected();
                    }
                    break;
                }
                b'?' | b'*' | b'+' | b'@' | b'!'
                    if mode != Mode::Regex
                        && self.peek_second() == Some(b'(')
                        && self.dialect == Dialect::Bash =>
                {
                    if mode != Mode::Pattern {
                        self.doubt("an extended pattern means different things in different shells");
                    }
                    self.step(2);
                    let inner = self.deeper(Self::pattern)?;
                    pieces.push(Piece::Pattern(inner));
                }
                _ => self.piece(&mut pieces)?,
            }
        }
        if parens > 0 {
            return self.fail("a regular expression does not end");
        }
        if pieces.is_empty() {
            return Ok(None);
        }
        Ok(Some(Raw { pieces, text: self.since(start) }))
    }

    /// One character, quotation or expansion outside of double quotes.
    pub(super) fn piece(&mut self, pieces: &mut Vec<Piece>) -> Parsed<()> {
        // Letters that are read one by one cost little.
        if self.peek().is_some_and(|next| b"'\"$`".contains(&next)) {
            self.token()?;
        }
        match self.peek() {
            Some(b'\\') => {
                self.position += 1;
                match self.take() {
                    Some(next) => quoted(pieces, next.encode_utf8(&mut [0; 4])),
                    None => {
                        self.doubt("it ends with a backslash");
                        quoted(pieces, "\\");
                    }
                }
            }
            Some(b'\'') => {
                self.position += 1;
                let text = self.single()?;
                quoted(pieces, &text);
            }
            Some(b'"') => {
                self.position += 1;
                quoted(pieces, "");
                self.double(pieces)?;
            }
            Some(b'$') => self.dollar(pieces, false)?,
            Some(b'`') => {
                let code = self.backticks(false)?;
                pieces.push(code);
            }
            _ => self.plain(pieces),
        }
        Ok(())
    }

    /// One character without a meaning of its own, and those after it that never have one.
    fn plain(&mut self, pieces: &mut Vec<Piece>) {
        let start = self.position;
        if let Some(next) = self.take() {
            if !next.is_ascii() && (next.is_whitespace() || is_invisible(next)) {
                self.doubt("it holds a blank that some shells take for one");
            }
            let is_idle = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-:,%".contains(byte);
            self.position +=
                self.text.as_bytes()[self.position..].iter().take_while(|byte| is_idle(byte)).count();
            // Braces are letters elsewhere; `{}` and `{` alone are so everywhere.
            let after = self.text.as_bytes().get(start + 1);
            self.differs |= next == '{' && !matches!(after, None | Some(b'}' | b' ' | b'\t' | b'\n' | b';'));
            plain(pieces, &self.text[start..self.position]);
        }
    }

    /// Up to the closing single quote.
    fn single(&mut self) -> Parsed<String> {
        let rest = &self.text[self.position..];
        let Some(length) = rest.find('\'') else {
            return self.refuse("a single quote is not closed");
        };
        self.position += length + 1;
        Ok(rest[..length].to_owned())
    }

    /// Up to the closing double quote.
    pub(super) fn double(&mut self, pieces: &mut Vec<Piece>) -> Parsed<()> {
        loop {
            match self.peek() {
                None => return self.refuse("a double quote is not closed"),
                Some(b'"') => {
                    self.position += 1;
                    return Ok(());
                }
                Some(_) => self.piece_in_quotes(pieces, b"$`\"\\")?,
            }
        }
    }

    /// One character or expansion within double quotes, where a backslash is one only before `escapable`.
    pub(super) fn piece_in_quotes(&mut self, pieces: &mut Vec<Piece>, escapable: &[u8]) -> Parsed<()> {
        if self.peek().is_some_and(|next| b"$`".contains(&next)) {
            self.token()?;
        }
        match self.peek() {
            Some(b'\\') => {
                self.position += 1;
                match self.raw() {
                    Some(next) if escapable.contains(&next) => {
                        self.position += 1;
                        quoted(pieces, char::from(next).encode_utf8(&mut [0; 4]));
                    }
                    // The backslash stays, and what follows it is looked at anew, as bash does.
                    _ => quoted(pieces, "\\"),
                }
            }
            Some(b'$') => self.dollar(pieces, true)?,
            Some(b'`') => {
                let code = self.backticks(true)?;
                pieces.push(code);
            }
            _ => {
                let start = self.position;
                if self.take().is_some() {
                    let counts = |byte: &u8| b"$`\"\\}'".contains(byte);
                    let rest = &self.text.as_bytes()[self.position..];
                    self.position += rest.iter().take_while(|byte| !counts(byte)).count();
                    quoted(pieces, &self.text[start..self.position]);
                }
            }
        }
        Ok(())
    }

    /// `(a b c)` after `name=`.
    fn array(&mut self) -> Parsed<Piece> {
        self.step(1);
        let mut words = Vec::new();
        loop {
            self.newlines()?;
            if self.eat(b')') {
                return Ok(Piece::Array(words));
            }
            match self.word(Mode::Argument)? {
                Some(word) => words.push(word),
                None => return self.unexpected(),
            }
        }
    }

    /// The inside of an extended pattern, up to its `)`.
    fn pattern(&mut self) -> Parsed<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut parens = 0usize;
        loop {
            match self.peek() {
                None => return self.fail("a pattern does not end"),
                Some(b')') if parens == 0 => {
                    self.position += 1;
                    return Ok(pieces);
                }
                Some(b')') => {
                    parens -= 1;
                    self.plain(&mut pieces);
                }
                Some(b'(') => {
                    parens += 1;
                    self.plain(&mut pieces);
                }
                Some(b'<' | b'>') if self.peek_second() == Some(b'(') => {
                    let process = self.process()?;
                    pieces.push(process);
                }
                Some(_) => self.piece(&mut pieces)?,
            }
        }
    }

    /// `name[…]` before `=` where a command begins: one word, even with blanks in the brackets.
    fn subscripted_name(&mut self, pieces: &mut Vec<Piece>) -> Parsed<()> {
        let start = self.position;
        let mut name = String::new();
        while let Some(byte) = self.peek() {
            if !is_name(byte) || name.is_empty() && !is_name_start(byte) {
                break;
            }
            name.push(char::from(byte));
            self.position += 1;
        }
        if name.is_empty() || self.peek() != Some(b'[') {
            self.position = start;
            return Ok(());
        }
        self.differs = true;
        self.step(1);
        let inside = self.position;
        let subscript = self.deeper(Self::subscript)?;
        let has_blanks =
            self.text[inside..self.position].contains([' ', '\t', '\n', ';', '&', '|', '<', '>', '(']);
        let is_assignment =
            self.peek() == Some(b'=') || self.peek() == Some(b'+') && self.peek_second() == Some(b'=');
        if !is_assignment && has_blanks {
            self.doubt(format!("`{}` is a strange word", self.text[start..self.position].escape_debug()));
        }
        plain(pieces, &name);
        if is_assignment {
            pieces.push(Piece::Subscript(subscript));
        } else {
            plain(pieces, "[");
            pieces.extend(subscript);
            plain(pieces, "]");
        }
        Ok(())
    }

    /// Up to the `]` that closes the bracket.
    pub(super) fn subscript(&mut self) -> Parsed<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut brackets = 0usize;
        loop {
            match self.peek() {
                None => return self.fail("a subscript does not end"),
                Some(b']') if brackets == 0 => {
                    self.position += 1;
                    return Ok(pieces);
                }
                Some(b']') => {
                    brackets -= 1;
                    self.plain(&mut pieces);
                }
                Some(b'[') => {
                    brackets += 1;
                    self.plain(&mut pieces);
                }
                Some(_) => self.piece(&mut pieces)?,
            }
        }
    }
}

/// `name=` or `name[…]=` and nothing else so far: `(` opens an array.
fn opens_array(pieces: &[Piece]) -> bool {
    let (name, rest) = match pieces {
        [Piece::Plain(text)] => match text.split_once('=') {
            Some((name, "")) => (name.strip_suffix('+').unwrap_or(name), true),
            _ => return false,
        },
        [Piece::Plain(name), Piece::Subscript(_), Piece::Plain(text)] => {
            (name.as_str(), text == "=" || text == "+=")
        }
        _ => return false,
    };
    rest && name.bytes().next().is_some_and(is_name_start) && name.bytes().all(is_name)
}

/// Marks of direction, and letters without width.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

pub(super) fn plain(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        Some(Piece::Plain(before)) => before.push_str(text),
        _ => pieces.push(Piece::Plain(text.to_owned())),
    }
}

pub(super) fn quoted(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        Some(Piece::Quoted(before)) => before.push_str(text),
        _ => pieces.push(Piece::Quoted(text.to_owned())),
    }
}
