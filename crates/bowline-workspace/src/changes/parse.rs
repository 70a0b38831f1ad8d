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
    /// The two versions, where they are texts that git keeps: not in the working tree, no link, no submodule.
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
    /// What stands for what; `None` where git does not say.
    pub(super) hunks: Option<Vec<Hunk>>,
    /// How many pieces of the differences belong to it.
    pub(super) pieces: usize,
}

/// Lines of the old version, and those of the new one that stand in their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) old: LineRange,
    pub(super) new: LineRange,
}

impl Entry {
    /// Which lines of the new version; `None` where git does not say.
    pub(super) fn lines(&self) -> Option<Vec<LineRange>> {
        self.hunks.as_ref().map(|hunks| hunks.iter().map(|hunk| hunk.new).collect())
    }
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
    let (old, new) = (kept(old_mode, words.next()?), kept(new_mode, words.next()?));
    let letter = words.next()?.bytes().next()?;
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
    Some((Entry { letter, path, from, is_submodule, old, new, hunks: None, pieces }, rest))
}

/// The name of a text that git keeps. What it does not keep has a name of zeros.
fn kept(mode: &str, hash: &str) -> Option<String> {
    let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (mode.starts_with("100") && is_hash && hash.bytes().any(|byte| byte != b'0')).then(|| hash.to_owned())
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
    hunks: Vec<Hunk>,
}

fn pieces(differences: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for line in differences.split(|byte| *byte == b'\n') {
        if let Some(head) = line.strip_prefix(b"diff --git ") {
            pieces.push(Piece { head, is_bare: true, is_binary: false, hunks: Vec::new() });
        } else if let Some(piece) = pieces.last_mut() {
            piece.is_bare &= line.is_empty();
            piece.is_binary |= line.starts_with(b"Binary files ");
            piece.hunks.extend(hunk(line));
        }
    }
    pieces
}

/// `@@ -4,2 +3,0 @@ whatever`. Any other line says nothing.
fn hunk(line: &[u8]) -> Option<Hunk> {
    let mut words = line.strip_prefix(b"@@ ")?.split(|byte| *byte == b' ');
    Some(Hunk { old: side(words.next()?, '-')?, new: side(words.next()?, '+')? })
}

fn side(written: &[u8], sign: char) -> Option<LineRange> {
    let lines = std::str::from_utf8(written).ok()?.strip_prefix(sign)?;
    let (start, count) = match lines.split_once(',') {
        Some((start, count)) => (start.parse::<u32>().ok()?, count.parse::<u32>().ok()?),
        None => (lines.parse().ok()?, 1),
    };
    // Nothing is there: it was taken away, or will come, after the line that is named.
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
            entry.hunks = (!piece.is_binary).then(|| piece.hunks.clone());
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
