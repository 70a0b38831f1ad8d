//! The language of `sed`, as far as it must be known to see what runs and what is written.

use std::iter::Peekable;
use std::str::Chars;

/// What a script does besides editing lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Does {
    pub(super) reads: Vec<String>,
    pub(super) writes: Vec<String>,
    pub(super) runs: bool,
    /// What it runs, where the text says so.
    pub(super) commands: Vec<String>,
}

type Text<'a> = Peekable<Chars<'a>>;

/// Nothing, if it was not understood.
pub(super) fn read(script: &str) -> Option<Does> {
    let mut does = Does::default();
    let mut text = script.chars().peekable();
    loop {
        while text.next_if(|&letter| letter.is_ascii_whitespace() || letter == ';').is_some() {}
        if text.peek().is_none() {
            return Some(does);
        }
        address(&mut text)?;
        blanks(&mut text);
        while text.next_if_eq(&'!').is_some() {
            blanks(&mut text);
        }
        command(&mut text, &mut does)?;
    }
}

fn blanks(text: &mut Text<'_>) {
    while text.next_if(|&letter| letter == ' ' || letter == '\t').is_some() {}
}

/// `1`, `$`, `/x/I`, `\,x,`, `1~2`, `/a/,+3`.
fn address(text: &mut Text<'_>) -> Option<()> {
    one_address(text)?;
    blanks(text);
    if text.next_if_eq(&',').is_some() {
        blanks(text);
        text.next_if(|&letter| letter == '+' || letter == '~');
        one_address(text)?;
    }
    Some(())
}

fn one_address(text: &mut Text<'_>) -> Option<()> {
    match text.peek() {
        Some('0'..='9') => {
            while text.next_if(|letter| letter.is_ascii_digit() || *letter == '~').is_some() {}
        }
        Some('$') => {
            text.next();
        }
        Some('/') => {
            text.next();
            until(text, '/', true)?;
            while text.next_if(|&letter| letter == 'I' || letter == 'M').is_some() {}
        }
        Some('\\') => {
            text.next();
            let mark = text.next().filter(|&mark| mark != '\n' && mark != '\\')?;
            until(text, mark, true)?;
            while text.next_if(|&letter| letter == 'I' || letter == 'M').is_some() {}
        }
        _ => {}
    }
    Some(())
}

/// Up to the mark. Nothing, if it stands between brackets, where dialects differ, or does not stand there at all.
fn until(text: &mut Text<'_>, mark: char, is_pattern: bool) -> Option<String> {
    let mut found = String::new();
    let mut is_bracket = false;
    loop {
        match text.next()? {
            letter if letter == mark => return (!is_bracket).then_some(found),
            '\\' => {
                found.push('\\');
                found.push(text.next()?);
            }
            '\n' if is_pattern => return None,
            '[' if is_pattern && !is_bracket => {
                // A bracket that closes at once does not close.
                if matches!(text.peek(), Some(']' | '^')) {
                    let first = text.next()?;
                    found.push(first);
                    if first == '^' && text.next_if_eq(&']').is_some() {
                        found.push(']');
                    }
                }
                is_bracket = true;
            }
            ']' => is_bracket = false,
            letter => found.push(letter),
        }
    }
}

fn rest_of_line(text: &mut Text<'_>) -> String {
    let mut line = String::new();
    while let Some(letter) = text.next_if(|&letter| letter != '\n') {
        line.push(letter);
    }
    line
}

/// Text for `a`, `i`, `c`: lines go on after a backslash.
fn skip_text(text: &mut Text<'_>) {
    while let Some(letter) = text.next() {
        match letter {
            '\\' => {
                text.next();
            }
            '\n' => return,
            _ => {}
        }
    }
}

/// A command ends at `;`, at a brace, at a comment or with its line.
fn end(text: &mut Text<'_>) -> Option<()> {
    blanks(text);
    matches!(text.peek(), None | Some(';' | '\n' | '}' | '#')).then_some(())
}

fn command(text: &mut Text<'_>, does: &mut Does) -> Option<()> {
    match text.next()? {
        '{' => Some(()),
        '}' | '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'F' | 'z' => end(text),
        'l' | 'L' | 'q' | 'Q' => {
            blanks(text);
            while text.next_if(char::is_ascii_digit).is_some() {}
            end(text)
        }
        'a' | 'i' | 'c' => {
            skip_text(text);
            Some(())
        }
        ':' | 'b' | 't' | 'T' | 'v' => {
            blanks(text);
            // A dialect that takes the rest of the line for the label runs less of it than this.
            while text
                .next_if(|&letter| letter != ';' && letter != '}' && !letter.is_ascii_whitespace())
                .is_some()
            {}
            Some(())
        }
        '#' => {
            rest_of_line(text);
            Some(())
        }
        'r' | 'R' => {
            does.reads.push(rest_of_line(text).trim_start().to_owned());
            Some(())
        }
        'w' | 'W' => {
            does.writes.push(rest_of_line(text).trim_start().to_owned());
            Some(())
        }
        'e' => {
            does.runs = true;
            let command = rest_of_line(text).trim().to_owned();
            does.commands.extend((!command.is_empty()).then_some(command));
            Some(())
        }
        'y' => {
            let mark = text.next().filter(|&mark| mark != '\n' && mark != '\\')?;
            until(text, mark, false)?;
            until(text, mark, false)?;
            end(text)
        }
        's' => {
            let mark = text.next().filter(|&mark| mark != '\n' && mark != '\\')?;
            until(text, mark, true)?;
            until(text, mark, false)?;
            flags(text, does)
        }
        _ => None,
    }
}

fn flags(text: &mut Text<'_>, does: &mut Does) -> Option<()> {
    loop {
        match text.peek() {
            Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                text.next();
            }
            Some('e') => {
                text.next();
                does.runs = true;
            }
            Some('w') => {
                text.next();
                does.writes.push(rest_of_line(text).trim_start().to_owned());
                return Some(());
            }
            _ => return end(text),
        }
    }
}
