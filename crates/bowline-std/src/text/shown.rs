//! Somebody else's words, shaped for a person who is to decide about them: nothing moves a cursor, nothing is hidden, and
//! nothing pushes the end out of sight.

use std::fmt::Write;

use super::prefix;

/// A run of blanks, or of characters that show nothing, is counted where it is longer than this.
const RUN: usize = 8;
/// So many bytes at each end of a text are looked at: megabytes are not taken apart to show a line of them.
const LOOKED_AT: usize = 16 << 10;

/// The text on one line: controls, line ends and what cannot be seen are spelt out.
pub fn tame(text: &str) -> String {
    let mut tamed = String::with_capacity(text.len());
    for character in text.chars() {
        spell(&mut tamed, character);
    }
    tamed
}

/// The text on one line of at most about `max` characters. Long runs of blanks are counted instead of shown, and where
/// something is left out, it is from the middle: whoever hides something puts it at the end.
pub fn shown(text: &str, max: usize) -> String {
    if text.len() <= 2 * LOOKED_AT {
        return without_the_middle(&pieces(text), max);
    }
    let head = prefix(text, LOOKED_AT);
    let tail = (text.len() - LOOKED_AT..).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let (middle, tail) = text[head.len()..].split_at(tail - head.len());
    let mut all = pieces(head);
    all.push(left_out(middle.chars().count()));
    all.extend(pieces(tail));
    without_the_middle(&all, max)
}

fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut run: Vec<char> = Vec::new();
    for character in text.chars() {
        if is_blank(character) || is_hidden(character) {
            run.push(character);
            continue;
        }
        end_run(&mut pieces, &mut run);
        pieces.push(spelt(character));
    }
    end_run(&mut pieces, &mut run);
    pieces
}

fn left_out(characters: usize) -> String {
    format!("⟨… {characters} more characters …⟩")
}

fn end_run(pieces: &mut Vec<String>, run: &mut Vec<char>) {
    if run.len() > RUN {
        pieces.push(format!("⟨{} blanks⟩", run.len()));
        run.clear();
    }
    pieces.extend(run.drain(..).map(spelt));
}

/// Two thirds of the room are for the beginning, the rest for the end.
fn without_the_middle(pieces: &[String], max: usize) -> String {
    let length = |pieces: &[String]| pieces.iter().map(|piece| piece.chars().count()).sum::<usize>();
    if length(pieces) <= max {
        return pieces.concat();
    }
    let fits = |pieces: &mut dyn Iterator<Item = &String>, room: usize| {
        let mut left = room;
        pieces
            .take_while(|piece| {
                let fits = piece.chars().count() <= left;
                left = left.saturating_sub(piece.chars().count());
                fits
            })
            .count()
    };
    let tail = max / 3;
    let head = fits(&mut pieces.iter(), max - tail);
    let tail = fits(&mut pieces.iter().rev(), tail).min(pieces.len() - head);
    let (head, rest) = pieces.split_at(head);
    let (middle, tail) = rest.split_at(rest.len() - tail);
    format!("{}{}{}", head.concat(), left_out(length(middle)), tail.concat())
}

fn spelt(character: char) -> String {
    let mut text = String::new();
    spell(&mut text, character);
    text
}

fn spell(text: &mut String, character: char) {
    match character {
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        c if c.is_control() || is_hidden(c) || (c != ' ' && is_blank(c)) => {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(c));
        }
        // Our own marks are not to be imitated.
        '⟨' | '⟩' => {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(character));
        }
        c => text.push(c),
    }
}

/// Shows as nothing, and takes room.
fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{115f}' | '\u{1160}')
}

/// Shows as nothing at all, or makes text read in another order than it is written.
fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_cannot_be_seen_is_spelt_out() {
        assert_eq!(tame("a\u{1b}[2K\nb\u{202e}c é"), "a\\u{1b}[2K\\nb\\u{202e}c é");
        assert_eq!(
            shown("rm\u{200b} x\u{feff}\u{a0}y ⟨ok⟩", 100),
            "rm\\u{200b} x\\u{feff}\\u{a0}y \\u{27e8}ok\\u{27e9}"
        );
    }

    #[test]
    fn padding_is_counted_and_the_end_is_there() {
        let padded = format!("git status{}; evil", "\t".repeat(500));
        assert_eq!(shown(&padded, 60), "git status⟨500 blanks⟩; evil");
        let lines = format!("ls{}rm -rf .", "\n ".repeat(300));
        assert_eq!(shown(&lines, 60), "ls⟨600 blanks⟩rm -rf .");
        let invisible = format!("ls{}; evil", "\u{200b}".repeat(5000));
        assert_eq!(shown(&invisible, 60), "ls⟨5000 blanks⟩; evil");
        let long = format!("echo {}; evil", "a".repeat(5000));
        assert_eq!(shown(&long, 30), "echo aaaaaaaaaaaaaaa⟨… 4981 more characters …⟩aaaa; evil");
    }

    #[test]
    fn megabytes_have_an_end_too() {
        let huge = format!("é{}é; evil", " x".repeat(1 << 20));
        let shaped = shown(&huge, 60);
        assert!(shaped.starts_with("é x x") && shaped.ends_with("é; evil") && shaped.len() < 200, "{shaped}");
        assert_eq!(shown(&format!("a{}z", " ".repeat(1 << 20)), 90).matches("blanks").count(), 2);
    }

    #[test]
    fn short_texts_stay_as_they_are() {
        assert_eq!(shown("if a {  b }", 20), "if a {  b }");
        assert_eq!(shown("", 0), "");
    }

    proptest! {
        #[test]
        fn it_is_bounded_and_has_no_control(text in any::<String>(), max in 0usize..200) {
            let shaped = shown(&text, max);
            prop_assert!(shaped.chars().count() <= max + 40, "{shaped}");
            prop_assert!(!shaped.chars().any(|c| c.is_control() || is_hidden(c)));
        }

        #[test]
        fn the_end_is_always_there(head in "[ -~\t]{0,400}", tail in "[!-~]{1,9}") {
            let text = format!("{head}{tail}");
            prop_assert!(shown(&text, 90).ends_with(&tail));
        }
    }
}
