//! What `git diff --raw -z --patch --unified=0` writes: one record for each file, then the differences in the same
//! order.
//!
//! Names are taken from the records, where they stand byte for byte. The differences only lend their line numbers: the
//! head that a record must have is written here as git would write it, and compared. A line of a file always begins
//! with a sign, so none can be mistaken for a head.

use super::{ChangesError, LineRange};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letter {
    Added,
    Modified,
    Deleted,
    Renamed,
    Unmerged,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) letter: Letter,
    pub(super) path: Vec<u8>,
    pub(super) from: Option<Vec<u8>>,
    pub(super) is_submodule: bool,
    /// Which lines of the new version; `None` where git does not say.
    pub(super) lines: Option<Vec<LineRange>>,
    /// How many pieces of the differences belong to it.
    pieces: usize,
}

pub(super) fn entries(said: &[u8]) -> Result<Vec<Entry>, ChangesError> {
    let mut rest = said;
    let mut entries = Vec::new();
    while let [b':', ..] = rest {
        let (entry, after) = record(rest).ok_or(ChangesError::Unreadable { what: "a record of a file" })?;
        entries.push(entry);
        rest = after;
    }
    // Without any record there are no differences, and after the last one stands one more NUL if any were asked for.
    if let [0, differences @ ..] = rest {
        lend_lines(&mut entries, &pieces(differences));
    }
    Ok(entries)
}

/// `:100644 100644 <hash> <hash> R100\0from\0to\0`
fn record(said: &[u8]) -> Option<(Entry, &[u8])> {
    let (head, rest) = until_nul(said)?;
    let mut words = std::str::from_utf8(head).ok()?.strip_prefix(':')?.split(' ');
    let (old_mode, new_mode) = (words.next()?, words.next()?);
    let letter = words.nth(2)?.bytes().next()?;
    let (first, rest) = until_nul(rest)?;
    // Of two names the second is the new one.
    let (path, from, rest) = match letter {
        b'R' | b'C' => {
            let (second, rest) = until_nul(rest)?;
            (second, Some(first), rest)
        }
        _ => (first, None, rest),
    };
    let (letter, pieces) = match letter {
        b'A' | b'C' => (Letter::Added, 1),
        b'D' => (Letter::Deleted, 1),
        b'R' => (Letter::Renamed, 1),
        // Something of another kind: the old one goes, the new one comes.
        b'T' => (Letter::Modified, 2),
        b'U' => (Letter::Unmerged, 0),
        _ => (Letter::Modified, 1),
    };
    let is_submodule = [old_mode, new_mode].contains(&"160000");
    let (path, from) = (path.to_owned(), from.map(<[u8]>::to_owned));
    Some((Entry { letter, path, from, is_submodule, lines: None, pieces }, rest))
}

fn until_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == 0)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

/// What is said of one file, or of one half of its change.
struct Piece<'a> {
    head: &'a [u8],
    /// Nothing but its head, which older versions of git write where nothing has changed.
    is_bare: bool,
    /// Git does not say which lines.
    is_binary: bool,
    lines: Vec<LineRange>,
}

fn pieces(differences: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for line in differences.split(|byte| *byte == b'\n') {
        if let Some(head) = line.strip_prefix(b"diff --git ") {
            pieces.push(Piece { head, is_bare: true, is_binary: false, lines: Vec::new() });
        } else if let Some(piece) = pieces.last_mut() {
            piece.is_bare &= line.is_empty();
            piece.is_binary |= line.starts_with(b"Binary files ");
            piece.lines.extend(hunk(line));
        }
    }
    pieces
}

/// `@@ -4,2 +3,0 @@ whatever`: what is said of the new version. Any other line says nothing.
fn hunk(line: &[u8]) -> Option<LineRange> {
    let head = line.strip_prefix(b"@@ ")?.split(|byte| *byte == b' ').nth(1)?;
    let new = std::str::from_utf8(head).ok()?.strip_prefix('+')?;
    let (start, count) = match new.split_once(',') {
        Some((start, count)) => (start.parse::<u32>().ok()?, count.parse::<u32>().ok()?),
        None => (new.parse().ok()?, 1),
    };
    // Nothing is left: it was taken away after the line that is named.
    let first = if count == 0 { start.checked_add(1)? } else { start };
    Some(LineRange { first, last: first.checked_add(count)?.saturating_sub(1) })
}

/// Gives each record the lines of its pieces, and takes out what has not changed: a file that only has another time
/// has a record and no piece. If they do not go together, nobody gets any.
fn lend_lines(entries: &mut Vec<Entry>, mut pieces: &[Piece<'_>]) {
    let mut lent = Vec::with_capacity(entries.len());
    for entry in entries.iter() {
        let head = head_of(entry);
        let count = pieces.iter().take(entry.pieces).take_while(|piece| piece.head == head).count();
        let (own, rest) = pieces.split_at(count);
        lent.push(own.last());
        pieces = rest;
    }
    if !pieces.is_empty() {
        return;
    }
    let mut lent = lent.into_iter();
    entries.retain_mut(|entry| match lent.next().flatten() {
        Some(piece) => {
            entry.lines = (!piece.is_binary).then(|| piece.lines.clone());
            !piece.is_bare
        }
        None => entry.pieces == 0 || entry.is_submodule || entry.letter != Letter::Modified,
    });
}

/// `a/from b/to`, with each in quotes if it has letters that git does not write as they are.
fn head_of(entry: &Entry) -> Vec<u8> {
    let from = entry.from.as_ref().unwrap_or(&entry.path);
    [quoted(b"a/", from), b" ".to_vec(), quoted(b"b/", &entry.path)].concat()
}

fn quoted(prefix: &[u8], name: &[u8]) -> Vec<u8> {
    let mut written = prefix.to_vec();
    for byte in name {
        match byte {
            7 => written.extend(b"\\a"),
            8 => written.extend(b"\\b"),
            b'\t' => written.extend(b"\\t"),
            b'\n' => written.extend(b"\\n"),
            11 => written.extend(b"\\v"),
            12 => written.extend(b"\\f"),
            b'\r' => written.extend(b"\\r"),
            b'"' | b'\\' => written.extend([b'\\', *byte]),
            0..32 | 127.. => written.extend(format!("\\{byte:03o}").bytes()),
            _ => written.push(*byte),
        }
    }
    // Every letter that is written in another way is written in more.
    if written.len() == prefix.len() + name.len() { written } else { [b"\"", &written[..], b"\""].concat() }
}
