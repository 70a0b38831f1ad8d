//! `awk`: its program is read as far as it can run or write anything.

use super::Meaning;
use super::line::{Order, parse};
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[("awk gawk mawk nawk original-awk goawk", Kind::Does(awk))];

/// A program in a file, a library and what is written without being asked: all of it must be spelt.
const OPTIONS: &str = "F/field-separator= v/assign= f/file=^ E/exec=^ i/include=^ l/load=^ e/source= P/posix \
    c/traditional r/re-interval b/characters-as-bytes n/non-decimal-data s/no-optimize O/optimize S/sandbox \
    t/lint-old L? lint? M/bignum N/use-lc-numeric I/trace C/copyright V/version h/help g/gen-pot k/csv \
    d/dump-variables?^ D/debug?^ o/pretty-print?^ p/profile?^ re-interval W=^";

fn awk(words: &[Word]) -> Meaning {
    if super::look::only_asks_about_itself(words) {
        return Meaning::default();
    }
    let line = parse(words, OPTIONS, Order::First);
    let mut meaning = Meaning::default();
    if line.unsure.is_some() {
        meaning.opaque(Pin::Everything, "what `awk` runs is not read");
    }
    meaning.uses(&line, words[0].shown());
    let mut programs: Vec<&Word> = line.values("e").collect();
    let is_elsewhere = line.has("f E e");
    programs.extend(line.operand(0).filter(|_| !is_elsewhere));
    for program in programs {
        match program.literal().map(is_harmless) {
            Some(true) => {}
            Some(false) => {
                meaning.opaque(
                    Pin::Everything,
                    "the program of `awk` may run commands, write files or read others",
                );
            }
            None => meaning.opaque(Pin::Everything, "the program of `awk` is known only when it runs"),
        }
    }
    let files = line.files(usize::from(!is_elsewhere));
    files.filter(|word| !is_assignment(word)).for_each(|path| meaning.reads(path));
    meaning
}

/// `name=value` sets a variable; `./a=b` is a file.
fn is_assignment(word: &Word) -> bool {
    let Some((name, _)) = word.start().split_once('=') else { return false };
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && name.chars().all(is_letter)
}

/// What stood before a slash decides whether it divides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A pattern may begin here.
    Operator,
    /// A slash divides.
    Operand,
    /// It depends on the grammar, and dialects differ.
    Either,
}

/// Words after which an expression begins.
const KEYWORDS: &[&str] = &[
    "print", "printf", "return", "in", "else", "do", "case", "exit", "BEGIN", "END", "if", "while", "for",
    "switch", "delete",
];

/// It neither runs a command nor writes a file. What is not understood is not harmless.
fn is_harmless(program: &str) -> bool {
    let text: Vec<char> = program.chars().collect();
    let mut at = 0;
    let mut before = Before::Operator;
    // The parentheses that are open: whether one belongs to `if`, `while` and their like, after which a statement begins.
    let mut open: Vec<bool> = Vec::new();
    let mut is_head = false;
    // What a line that goes on ends with.
    let mut last = ' ';
    // Within a statement that prints, and how deep it stands.
    let mut prints: Option<usize> = None;
    while let Some(&letter) = text.get(at) {
        match letter {
            '\\' if text.get(at + 1) == Some(&'\n') => at += 2,
            ' ' | '\t' | '\r' => at += 1,
            '#' => {
                let end = text[at..]
                    .iter()
                    .position(|&letter| letter == '\n')
                    .map_or(text.len(), |length| at + length);
                if text[..end].last() == Some(&'\\') {
                    return false;
                }
                at = end;
            }
            '"' => {
                let Some(end) = quoted(&text, at) else { return false };
                at = end;
                before = Before::Operand;
                last = '"';
            }
            '/' if before == Before::Operator => {
                let Some(end) = pattern(&text, at) else { return false };
                at = end;
                before = Before::Operand;
                last = '"';
            }
            '/' if before == Before::Either => return false,
            '|' if text.get(at + 1) == Some(&'|') => {
                at += 2;
                before = Before::Operator;
                last = '|';
            }
            '|' | '@' | '\\' => return false,
            '>' if prints == Some(open.len()) => {
                // Only these two are known to be no files, and only if nothing is joined to them.
                let Some(end) = standard(&text, at) else { return false };
                at = end;
                before = Before::Operand;
                last = '"';
            }
            _ if letter.is_alphabetic() || letter == '_' => {
                let length = text[at..]
                    .iter()
                    .take_while(|letter| letter.is_alphanumeric() || **letter == '_')
                    .count();
                let word: String = text[at..at + length].iter().collect();
                at += length;
                match word.as_str() {
                    // The names of the files it reads stand in `ARGV`, and it may change them.
                    "system" | "getline" | "extension" | "ARGV" | "SYMTAB" => return false,
                    "print" | "printf" => prints = Some(open.len()),
                    _ => {}
                }
                is_head = matches!(word.as_str(), "if" | "while" | "for" | "switch");
                last = 'w';
                before = match word.as_str() {
                    "length" => Before::Either,
                    word if KEYWORDS.contains(&word) => Before::Operator,
                    _ => Before::Operand,
                };
            }
            _ => {
                let mut closes_head = false;
                match letter {
                    '(' | '[' => open.push(is_head),
                    ')' | ']' => closes_head = open.pop().unwrap_or(true),
                    ';' | '{' | '}' => (prints, open) = (None, Vec::new()),
                    '\n' if !matches!(last, ',' | '&' | '|' | '?' | ':') && open.is_empty() => prints = None,
                    _ => {}
                }
                is_head = false;
                if letter != '\n' {
                    last = letter;
                }
                let is_double = text.get(at + 1) == Some(&letter) && matches!(letter, '+' | '-');
                before = match letter {
                    ')' if !closes_head => Before::Operand,
                    ')' | '$' => Before::Either,
                    '+' | '-' if is_double => Before::Either,
                    ']' | '.' => Before::Operand,
                    _ if letter.is_ascii_digit() => Before::Operand,
                    _ => Before::Operator,
                };
                at += if is_double { 2 } else { 1 };
            }
        }
    }
    true
}

/// The end of a string.
fn quoted(text: &[char], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match text.get(at)? {
            '"' => return Some(at + 1),
            '\n' => return None,
            '\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The end of a pattern. Dialects differ about a slash between brackets: that is not followed.
fn pattern(text: &[char], start: usize) -> Option<usize> {
    let mut at = start + 1;
    let mut is_bracket = false;
    loop {
        match text.get(at)? {
            '/' if is_bracket => return None,
            '/' => return Some(at + 1),
            '\n' => return None,
            '\\' => {
                at += 2;
                continue;
            }
            // A bracket that closes at once does not close.
            '[' if text.get(at + 1) == Some(&']') || text.get(at + 1..at + 3) == Some(&['^', ']']) => {
                return None;
            }
            '[' => is_bracket = true,
            ']' => is_bracket = false,
            _ => {}
        }
        at += 1;
    }
}

/// `> "/dev/stderr"`, and the statement ends.
fn standard(text: &[char], start: usize) -> Option<usize> {
    let rest: String = text[start..].iter().collect();
    let target = rest.trim_start_matches('>').trim_start_matches([' ', '\t']);
    let after = ["\"/dev/stderr\"", "\"/dev/stdout\""].iter().find_map(|name| target.strip_prefix(name))?;
    let after = after.trim_start_matches([' ', '\t']);
    (after.is_empty() || after.starts_with([';', '\n', '}'])).then(|| text.len() - after.chars().count())
}
