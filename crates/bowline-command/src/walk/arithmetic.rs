//! Arithmetic, and expansions that hide some: bash follows names to values, and runs what stands in a subscript there.

use super::syntax::{Param, Piece, Raw};
use super::walker::Walker;

impl Walker {
    /// Arithmetic of any kind: its parts are expanded, and every name in it must hold a number.
    pub(super) fn arithmetic(&mut self, pieces: &[Piece]) {
        self.pieces(pieces);
        for piece in pieces {
            match piece {
                Piece::Plain(text) => self.expression(text),
                Piece::Arithmetic(_) => {}
                Piece::Quoted(text) if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ') => {}
                Piece::Param(param) if is_number(param) => {}
                Piece::Param(param) if is_plain(param) => {
                    self.reckoned.insert(param.name.clone());
                }
                _ => self.doubt("arithmetic is done with text that is known only when it runs"),
            }
        }
    }

    /// The names in the text of an expression.
    fn expression(&mut self, text: &str) {
        if text.contains('[') {
            self.doubt("arithmetic looks into an array");
        }
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if !(bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
                continue;
            }
            let start = at;
            while at < bytes.len()
                && (bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'_' | b'#' | b'@'))
            {
                at += 1;
            }
            if bytes[start].is_ascii_digit() {
                continue;
            }
            let name = &text[start..at];
            if is_assigned(&text[..start], &text[at..]) {
                self.assign_number(name);
            }
            // `x=…` alone does not look at `x`.
            let after = text[at..].trim_start();
            if !after.starts_with('=') || after.starts_with("==") {
                self.reckoned.insert(name.to_owned());
            }
        }
    }

    /// `${…}`: what runs while it is expanded.
    pub(super) fn param(&mut self, param: &Param) {
        let is_list = param.subscript.as_deref().is_some_and(is_every);
        if let Some(subscript) = &param.subscript
            && !is_list
        {
            self.arithmetic(subscript);
        }
        let is_listing = is_list || param.operator == "@" || param.operator == "*";
        if param.is_indirect && !is_listing {
            self.doubt(format!("`${{!{}}}` is the variable that another one names", param.name));
        }
        match param.operator.as_str() {
            ":" => {
                self.arithmetic(&param.argument);
                return;
            }
            "=" | ":=" => {
                let value = literal(&param.argument);
                self.assign(&param.name, value.as_deref());
            }
            operator
                if operator.starts_with('@')
                    && !matches!(operator, "@" | "@U" | "@u" | "@L" | "@Q" | "@a") =>
            {
                self.doubt(format!("`{operator}` expands what the variable holds once more"));
            }
            _ => {}
        }
        self.pieces(&param.argument);
    }

    /// A word in an array's parentheses.
    pub(super) fn element(&mut self, word: &Raw) {
        self.pieces(&word.pieces);
        if let Some(Piece::Plain(text)) = word.pieces.first()
            && let Some(rest) = text.strip_prefix('[')
        {
            let is_index = rest
                .split_once(']')
                .is_some_and(|(index, _)| index.bytes().all(|byte| byte.is_ascii_digit()));
            if !is_index {
                self.doubt("an array is filled by subscripts");
            }
        }
    }

    /// `[[ … ]]`
    pub(super) fn test(&mut self, words: &[Raw]) {
        for word in words {
            self.pieces(&word.pieces);
        }
        for (index, word) in words.iter().enumerate() {
            match word.bare() {
                Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") => {
                    let before = index.checked_sub(1).and_then(|index| words.get(index));
                    for side in [before, words.get(index + 1)].into_iter().flatten() {
                        self.arithmetic_word(side);
                    }
                }
                Some("-v" | "-R") => {
                    let named = words.get(index + 1).and_then(Raw::bare);
                    if !named.is_some_and(|name| {
                        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                    }) {
                        self.doubt("`-v` looks into a variable whose name is no plain name");
                    }
                }
                _ => {}
            }
        }
    }

    fn arithmetic_word(&mut self, word: &Raw) {
        for piece in &word.pieces {
            match piece {
                Piece::Quoted(text) => self.expression(text),
                other => self.arithmetic(std::slice::from_ref(other)),
            }
        }
    }
}

/// Is the name that stands between these given a new value?
fn is_assigned(before: &str, after: &str) -> bool {
    let after = after.trim_start();
    let before = before.trim_end();
    let operators = ["+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|=", "++", "--"];
    after.starts_with('=') && !after.starts_with("==")
        || operators.iter().any(|operator| after.starts_with(operator))
        || before.ends_with("++")
        || before.ends_with("--")
}

/// `@` or `*` in brackets: all of an array.
fn is_every(subscript: &[Piece]) -> bool {
    matches!(subscript, [Piece::Plain(text)] if text == "@" || text == "*")
}

/// Always a number, whoever runs it.
pub(super) fn is_number(param: &Param) -> bool {
    let is_counted = matches!(param.name.as_str(), "?" | "#" | "$" | "!");
    !param.is_indirect
        && param.operator.is_empty()
        && (param.is_length || is_counted && param.subscript.is_none())
}

/// `$x` or `${x}` and nothing else.
pub(super) fn is_plain(param: &Param) -> bool {
    !param.is_indirect
        && !param.is_length
        && param.operator.is_empty()
        && param.subscript.is_none()
        && param.name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
}

/// The text, if nothing is expanded in it.
pub(super) fn literal(pieces: &[Piece]) -> Option<String> {
    let mut made = String::new();
    for piece in pieces {
        match piece {
            Piece::Plain(text) | Piece::Quoted(text) => made.push_str(text),
            _ => return None,
        }
    }
    Some(made)
}
