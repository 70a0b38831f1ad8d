//! Text for terminals, made text for readers.

/// Without colours, titles, links and overstrikes; a carriage return before a line end goes, too.
pub(super) fn strip(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => skip_sequence(&mut letters),
            // The one-letter form of what begins with `ESC [`.
            '\u{9b}' => skip_parameters(&mut letters),
            // Bold is written `x\bx` and underlined `_\bx`: what is struck over counts.
            '\u{8}' => {
                if clean.ends_with(|last: char| last != '\n') {
                    clean.pop();
                }
            }
            '\n' | '\t' => clean.push(letter),
            letter if letter.is_control() => {}
            letter => clean.push(letter),
        }
    }
    clean
}

type Letters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// What follows `ESC`.
fn skip_sequence(letters: &mut Letters<'_>) {
    match letters.peek() {
        Some('[') => {
            letters.next();
            skip_parameters(letters);
        }
        // A string for the terminal: titles, links. It ends with a bell or `ESC \`; without an end it is no string.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            letters.next();
            let end = letters.clone().position(|letter| matches!(letter, '\u{7}' | '\u{1b}' | '\u{9c}'));
            if let Some(end) = end
                && letters.nth(end) == Some('\u{1b}')
            {
                letters.next_if_eq(&'\\');
            }
        }
        // `ESC ( B` and its like: letters in between, then a last one.
        Some(' '..='/') => {
            while letters.next_if(|letter| matches!(letter, ' '..='/')).is_some() {}
            letters.next_if(|letter| matches!(letter, '0'..='~'));
        }
        Some('0'..='~') => {
            letters.next();
        }
        _ => {}
    }
}

/// Parameters, and the letter that ends them.
fn skip_parameters(letters: &mut Letters<'_>) {
    while letters.next_if(|letter| matches!(letter, ' '..='?')).is_some() {}
    letters.next_if(|letter| matches!(letter, '@'..='~'));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_what_a_reader_sees() {
        assert_eq!(strip("\u{1b}[1;31mred\u{1b}[0m \u{1b}[38:5:1mx\u{1b}[m"), "red x");
        assert_eq!(strip("N\u{8}NA\u{8}AM\u{8}ME\u{8}E _\u{8}u"), "NAME u");
        assert_eq!(strip("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\"), "alink");
        assert_eq!(strip("a\u{1b}(Bb\u{1b}=c\u{9b}2Jd"), "abcd");
        assert_eq!(strip("one\r\ntwo\tthree\u{0}\u{7}"), "one\ntwo\tthree");
        assert_eq!(strip("größe 😀"), "größe 😀");
    }

    #[test]
    fn what_is_broken_loses_little() {
        assert_eq!(strip("a\u{1b}"), "a");
        assert_eq!(strip("a\u{1b}["), "a");
        assert_eq!(strip("a\u{1b}]no end\nof it"), "ano end\nof it");
        assert_eq!(strip("\u{8}\u{8}a\n\u{8}b"), "a\nb");
    }
}
