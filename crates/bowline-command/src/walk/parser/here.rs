//! Here-documents: their text begins after the end of the line.

use super::words::quoted;
use super::{Parsed, Parser, Pending};
use crate::walk::syntax::{Here, Piece};

impl Parser<'_> {
    /// At the end of a line: steps over it, and over the here-documents that wait for it.
    pub(super) fn line_end(&mut self) -> Parsed<()> {
        self.position += 1;
        for pending in std::mem::take(&mut self.pending) {
            self.here(&pending)?;
        }
        Ok(())
    }

    fn here(&mut self, pending: &Pending) -> Parsed<()> {
        let start = self.position;
        // Every line that belongs to the text, as bash would hand it on.
        let mut body = String::new();
        let mut is_same = true;
        loop {
            if self.position >= self.text.len() {
                return self.fail(format!("the here-document `{}` has no end", pending.delimiter));
            }
            let line = self.here_line(pending.is_verbatim, &mut is_same);
            let stripped = if pending.strips_tabs { line.trim_start_matches('\t') } else { line.as_str() };
            is_same &= stripped.len() == line.len();
            if stripped == pending.delimiter {
                break;
            }
            if self.substitutions > 0 && stripped.starts_with(&pending.delimiter) && stripped.contains(')') {
                return self.fail(format!("the here-document `{}` may end within a line", pending.delimiter));
            }
            if self.position >= self.text.len() && !self.text.ends_with('\n') {
                return self.fail(format!("the here-document `{}` has no end", pending.delimiter));
            }
            body.push_str(stripped);
            body.push('\n');
        }
        let mut pieces = Vec::new();
        if pending.is_verbatim {
            quoted(&mut pieces, &body);
        } else {
            let base = self.base.filter(|_| is_same).map(|base| base + start);
            pieces = self.deeper(|outer| {
                let mut inner = outer.inner(&body, base);
                inner.is_here = true;
                let outcome = inner.here_pieces();
                outer.adopt(inner, outcome)
            })?;
        }
        let _ = pending.place.set(Here { is_verbatim: pending.is_verbatim, pieces });
        Ok(())
    }

    /// The whole text, in which only `$`, backticks and backslashes count.
    fn here_pieces(&mut self) -> Parsed<Vec<Piece>> {
        let mut pieces = Vec::new();
        while self.peek().is_some() {
            self.piece_in_quotes(&mut pieces, b"$`\\")?;
        }
        Ok(pieces)
    }

    /// The next line without its end. Unless the delimiter was quoted, a backslash joins two lines.
    fn here_line(&mut self, is_verbatim: bool, is_same: &mut bool) -> String {
        let mut line = String::new();
        while let Some(next) = self.take() {
            match next {
                '\n' => break,
                '\\' if !is_verbatim => match self.take() {
                    Some('\n') => *is_same = false,
                    Some(after) => {
                        line.push('\\');
                        line.push(after);
                    }
                    None => line.push('\\'),
                },
                _ => line.push(next),
            }
        }
        line
    }
}
