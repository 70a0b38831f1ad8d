//! Whether two texts of C or C++ are the same but for comments and white space, without a tree: headers full of macros, and
//! those of C++ that are called like C, are read with errors.

use super::MEANS_SOMETHING;

/// `false` also where that cannot be told.
pub(super) fn same_but_for_comments(before: &str, after: &str) -> bool {
    match (Code::of(before), Code::of(after)) {
        (Some(before), Some(after)) => before == after,
        _ => false,
    }
}

/// A text without its comments.
#[derive(PartialEq, Eq, Default)]
struct Code {
    /// White space between tokens is one blank. Ends of lines count in directives alone.
    text: String,
    /// Comments that mean something all the same.
    telling: Vec<String>,
}

impl Code {
    /// `None`: it holds a text that goes on over lines as it is, whose end only the compiler finds.
    fn of(text: &str) -> Option<Self> {
        let mut code = Self::default();
        let mut rest = text;
        let mut in_directive = false;
        while let Some(next) = rest.chars().next() {
            if rest.starts_with("R\"") {
                return None;
            }
            let length = if let Some(length) = splice(rest) {
                // A mark that is equal to nothing else: it may stand within a token.
                code.text.push('\u{1}');
                length
            } else if rest.starts_with("//") {
                let end = end_of_line_comment(rest);
                code.comment(&rest[..end]);
                end
            } else if let Some(inside) = rest.strip_prefix("/*") {
                let end = inside.find("*/")? + 4;
                code.comment(&rest[..end]);
                end
            } else if next == '"' || next == '\'' && !code.is_in_number() {
                let end = end_of_literal(rest, next)?;
                code.text.push_str(&rest[..end]);
                end
            } else if next == '\n' {
                let mark = if in_directive { '\n' } else { ' ' };
                in_directive = false;
                code.blank(mark);
                1
            } else if next.is_whitespace() {
                code.blank(' ');
                next.len_utf8()
            } else {
                in_directive |= next == '#' && code.begins_line(text, rest);
                code.text.push(next);
                next.len_utf8()
            };
            rest = &rest[length..];
        }
        code.text.truncate(code.text.trim_end().len());
        Some(code)
    }

    /// A comment separates tokens like a blank.
    fn comment(&mut self, text: &str) {
        if MEANS_SOMETHING.iter().any(|word| text.contains(word)) {
            self.telling.push(text.to_owned());
        }
        self.blank(' ');
    }

    fn blank(&mut self, mark: char) {
        if mark == '\n' {
            self.text.truncate(self.text.trim_end_matches(' ').len());
            self.text.push('\n');
        } else if !self.text.is_empty() && !self.text.ends_with([' ', '\n']) {
            self.text.push(' ');
        }
    }

    /// `1'000`
    fn is_in_number(&self) -> bool {
        let word = self.text.rsplit(|c: char| !(c == '\'' || c.is_ascii_alphanumeric())).next();
        word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn begins_line(&self, text: &str, rest: &str) -> bool {
        let before = &text[..text.len() - rest.len()];
        let line = before.rsplit('\n').next().unwrap_or(before);
        line.trim().is_empty() || line.trim_end().ends_with("*/")
    }
}

/// The length of a backslash with the end of a line, which joins two lines.
fn splice(text: &str) -> Option<usize> {
    ["\\\n", "\\\r\n"].iter().find(|mark| text.starts_with(**mark)).map(|mark| mark.len())
}

/// A comment goes on behind a backslash at the end of its line.
fn end_of_line_comment(text: &str) -> usize {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        if !body.trim_end().ends_with('\\') {
            return end + body.len();
        }
        end += line.len();
    }
    end
}

fn end_of_literal(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        match next {
            _ if is_escaped => is_escaped = false,
            '\n' => return None,
            '\\' => is_escaped = true,
            _ if next == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_are_told_from_code() {
        for (before, after) in [
            ("int a; // one\n", "int a; // two\n"),
            ("/* one */ int a;\n", "int a;\n"),
            ("int a;\nint b;\n", "int a;\n\n\nint   b;\n"),
            ("#define A 1 /* one */\nint a;\n", "#define A 1 // two\nint a;\n"),
            ("int a = 1'000; // it's\n", "int a = 1'000;\n"),
            ("char *a = \"// no\"; // x\n", "char *a = \"// no\";\n"),
            ("#define A \\\n  1 /* one */\nint a;\n", "#define A \\\n  1\nint a;\n"),
            ("int a;\n// one \\\n two\nint b;\n", "int a;\nint b;\n"),
        ] {
            assert!(same_but_for_comments(before, after), "{before}\n->\n{after}");
        }
        for (before, after) in [
            ("int a;\n", "int b;\n"),
            ("#define A 1\nint a;\n", "#define A 1 int a;\n"),
            ("char *a = \"// no\";\n", "char *a = \"// yes\";\n"),
            ("int a/**/b;\n", "int ab;\n"),
            ("int a\\\nb;\n", "int a b;\n"),
            ("int a; /*/ int b; /*/\n", "int a; /*/ int c;\n"),
            ("// one \\\nint a;\n", "// one\nint a;\n"),
            ("auto a = R\"(//)\";\n", "auto a = R\"(//)\"; // x\n"),
            ("/* IWYU pragma: keep */\n", "/* */\n"),
            ("int a; /* open", "int a;"),
        ] {
            assert!(!same_but_for_comments(before, after), "{before}\n->\n{after}");
        }
    }
}
