//! A piece of source on one line, short enough to stand beside a name.

/// The most characters of a detail.
const MOST: usize = 200;

/// The text with every run of white space as one space, cut at `MOST` characters.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut gap = false;
    for character in text.chars() {
        if character.is_whitespace() || character == '\u{feff}' {
            gap = length > 0;
            continue;
        }
        if length + usize::from(gap) >= MOST {
            line.push('…');
            return line;
        }
        if gap {
            line.push(' ');
            length += 1;
            gap = false;
        }
        line.push(character);
        length += 1;
    }
    line
}

/// The head of a declaration: what is left when the body is gone.
pub(crate) fn head(text: &str) -> String {
    let line = one_line(text);
    let head = line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '{' | ';' | ',' | '='));
    head.strip_suffix(" =>").or_else(|| head.strip_suffix(':')).unwrap_or(head).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_and_joins() {
        assert_eq!(one_line("a\n\t b\r\n"), "a b");
        assert_eq!(one_line(&"x".repeat(500)).chars().count(), MOST + 1);
        assert_eq!(one_line(&"x".repeat(MOST)).chars().count(), MOST);
        assert_eq!(head("fn a(\n    b: u8,\n) {"), "fn a( b: u8, )");
        assert_eq!(head("def f(x):\n   "), "def f(x)");
    }
}
