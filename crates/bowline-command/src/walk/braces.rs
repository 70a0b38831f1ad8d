//! Brace expansion: `{a,b}` and `{1..5}`, before anything else is expanded.

use super::syntax::Piece;

/// More words than this are not made.
const MOST: usize = 256;

/// Letters in all words that one becomes.
const MAX_LETTERS: usize = 1 << 14;

/// A piece cut so small that each unquoted character stands alone.
#[derive(Debug, Clone)]
enum Atom {
    Plain(char),
    Whole(Piece),
}

/// Every word that the pieces make; `None` if there are too many.
pub(super) fn expand(pieces: &[Piece]) -> Option<Vec<Vec<Piece>>> {
    let has_brace = pieces.iter().any(|piece| matches!(piece, Piece::Plain(text) if text.contains('{')));
    if !has_brace {
        return Some(vec![pieces.to_vec()]);
    }
    let mut atoms = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Plain(text) => atoms.extend(text.chars().map(Atom::Plain)),
            other => atoms.push(Atom::Whole(other.clone())),
        }
    }
    if atoms.iter().filter(|atom| is(atom, '{')).count() > 32 {
        return None;
    }
    let words = expand_atoms(&atoms)?;
    Some(words.into_iter().map(joined).collect())
}

fn expand_atoms(atoms: &[Atom]) -> Option<Vec<Vec<Atom>>> {
    let mut from = 0;
    while let Some(open) = (from..atoms.len()).find(|at| is(&atoms[*at], '{')) {
        let Some(close) = matching(atoms, open) else {
            from = open + 1;
            continue;
        };
        let inside = &atoms[open + 1..close];
        let parts = split(inside);
        let middles = if parts.len() > 1 {
            let mut middles = Vec::new();
            for part in parts {
                middles.extend(expand_atoms(part)?);
            }
            middles
        } else if let Some(sequence) = sequence(inside) {
            sequence?
        } else {
            from = open + 1;
            continue;
        };
        let tails = expand_atoms(&atoms[close + 1..])?;
        let count = middles.len().saturating_mul(tails.len());
        if count > MOST || count.saturating_mul(atoms.len()) > MAX_LETTERS {
            return None;
        }
        let mut words = Vec::new();
        for middle in &middles {
            for tail in &tails {
                words.push([&atoms[..open], middle, tail].concat());
            }
        }
        return Some(words);
    }
    Some(vec![atoms.to_vec()])
}

fn matching(atoms: &[Atom], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, atom) in atoms.iter().enumerate().skip(open) {
        if is(atom, '{') {
            depth += 1;
        } else if is(atom, '}') {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// At the commas that stand in no inner braces.
fn split(atoms: &[Atom]) -> Vec<&[Atom]> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0usize);
    for (at, atom) in atoms.iter().enumerate() {
        if is(atom, '{') {
            depth += 1;
        } else if is(atom, '}') {
            depth = depth.saturating_sub(1);
        } else if is(atom, ',') && depth == 0 {
            parts.push(&atoms[from..at]);
            from = at + 1;
        }
    }
    parts.push(&atoms[from..]);
    parts
}

/// `1..5`, `a..e`, `1..9..2`; `Some(None)` if it is one and too long.
#[expect(clippy::option_option, reason = "no sequence, and a sequence that is too long, are two things")]
fn sequence(atoms: &[Atom]) -> Option<Option<Vec<Vec<Atom>>>> {
    let mut text = String::new();
    for atom in atoms {
        match atom {
            Atom::Plain(letter) => text.push(*letter),
            Atom::Whole(_) => return None,
        }
    }
    let parts: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => (*first, *last, step.parse::<i64>().ok()?),
        _ => return None,
    };
    let step = step.unsigned_abs().max(1);
    let made: Vec<String> = if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        if from.abs_diff(to) / step > MOST as u64 {
            return Some(None);
        }
        let is_padded = [first, last]
            .iter()
            .any(|side| side.trim_start_matches(['-', '+']).starts_with('0') && side.len() > 1);
        let width = if is_padded { first.len().max(last.len()) } else { 0 };
        steps(from, to, step).map(|value| format!("{value:0width$}")).collect()
    } else {
        let (Some(from), Some(to)) = (letter(first), letter(last)) else {
            return None;
        };
        steps(from, to, step)
            .filter_map(|value| u8::try_from(value).ok())
            .map(|byte| char::from(byte).to_string())
            .collect()
    };
    Some(Some(made.into_iter().map(|word| word.chars().map(Atom::Plain).collect()).collect()))
}

fn letter(text: &str) -> Option<i64> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
        _ => None,
    }
}

fn steps(from: i64, to: i64, step: u64) -> impl Iterator<Item = i64> {
    let count = from.abs_diff(to) / step;
    (0..=count).map(move |index| {
        let distance = i64::try_from(index * step).unwrap_or(i64::MAX);
        if from <= to { from.saturating_add(distance) } else { from.saturating_sub(distance) }
    })
}

fn is(atom: &Atom, wanted: char) -> bool {
    matches!(atom, Atom::Plain(letter) if *letter == wanted)
}

fn joined(atoms: Vec<Atom>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for atom in atoms {
        match (atom, pieces.last_mut()) {
            (Atom::Plain(letter), Some(Piece::Plain(text))) => text.push(letter),
            (Atom::Plain(letter), _) => pieces.push(Piece::Plain(letter.to_string())),
            (Atom::Whole(piece), _) => pieces.push(piece),
        }
    }
    pieces
}
