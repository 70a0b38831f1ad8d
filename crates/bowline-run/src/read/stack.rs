//! Stacks of JavaScript: the message above the frames, and the frame nearest to the throw that is in the test's file.

use super::text::{base_name, leading_number, unescaped};

/// The message, and the frames.
pub(crate) fn split(stack: &str) -> (&str, &str) {
    let mut at = 0;
    for line in stack.split_inclusive('\n') {
        if is_frame(line) {
            return stack.split_at(at);
        }
        at += line.len();
    }
    (stack, "")
}

fn is_frame(line: &str) -> bool {
    line.trim_start().strip_prefix("at ").is_some_and(|rest| {
        rest.trim_end().trim_end_matches(')').ends_with(|c: char| c.is_ascii_digit())
            || rest.contains("<anonymous>")
            || rest.contains(" (native)")
    })
}

/// The line in `file` where the text first names it as `file:3:4`, relative or whole.
pub(crate) fn line_in(text: &str, file: &str) -> Option<u32> {
    let name = base_name(file);
    if name.is_empty() {
        return None;
    }
    text.lines().find_map(|line| {
        let line = if line.contains("file://") { unescaped(line) } else { line.into() };
        line.match_indices(name).find_map(|(at, _)| {
            let number = line[at + name.len()..].strip_prefix(':').and_then(leading_number)?.0;
            names(&line[..at + name.len()], file).then_some(number)
        })
    })
}

/// Whether the text ends with the file's path: the whole of it, or whole parts at its end and nothing before them.
fn names(text: &str, file: &str) -> bool {
    let slashed = |c: char| if c == '\\' { '/' } else { c };
    let mut of_text = text.chars().rev().map(slashed).peekable();
    let mut of_file = file.chars().rev().map(slashed).peekable();
    let mut last = None;
    while of_file.peek().is_some() && of_file.peek() == of_text.peek() {
        last = of_file.next();
        of_text.next();
    }
    if of_file.peek().is_none() {
        return true;
    }
    if last == Some('/') {
        // `./a.js`
        of_text.next_if_eq(&'.');
    } else if of_file.peek() != Some(&'/') {
        return false;
    }
    matches!(of_text.peek(), None | Some(' ' | '(' | '\'' | '"' | '`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_ends_where_frames_begin() {
        let stack = "Error: a\n\n    at noon (not a frame\n    at f (/x/a.js:1:2)\n    at b\n";
        assert_eq!(
            split(stack),
            ("Error: a\n\n    at noon (not a frame\n", "    at f (/x/a.js:1:2)\n    at b\n")
        );
        assert_eq!(split("no frames"), ("no frames", ""));
    }

    #[test]
    fn frames_name_the_file_in_many_ways() {
        for (text, file, line) in [
            ("at f (/x/src/a.js:1:2)\nat /x/a.js:3:4", "/x/a.js", Some(3)),
            ("at f (/x (y) z/a.js:3:4)", "/x (y) z/a.js", Some(3)),
            ("at async file:///x%20y/a.js:3:4", "/x y/a.js", Some(3)),
            ("at file:///C:/x/a.js:3:4", r"C:\x\a.js", Some(3)),
            ("at Context.<anonymous> (test/a.js:3:4)", "/x/test/a.js", Some(3)),
            ("At file: /test/a.js:3:4", "/x/test/a.js", Some(3)),
            ("at f (/x/node_modules/y/index.js:1:2)", "/x/index.js", None),
            ("at f (/x/ba.js:1:2)", "/x/a.js", None),
            ("at f (a.js:x)", "/x/a.js", None),
        ] {
            assert_eq!(line_in(text, file), line, "{text}");
        }
    }
}
