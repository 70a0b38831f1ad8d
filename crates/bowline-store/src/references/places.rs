//! One answer as bytes: `1`, the files, the places in the order they were given, a checksum.
//!
//! Numbers are LEB128. A place is `file` (`0` for that of the place before, else its number from 1), its line (the
//! difference to the place before, where the file is the same), its column, how many lines it spans, and its last
//! column (the difference to the first, where it spans none). The checksum takes in the key: a row that lost its
//! key by a flipped bit must not answer another question.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use bowline_code::{Position, Span};
use flate2::Crc;

use super::{ReferenceKey, RelativePlace};
use crate::rows;

const FORMAT: u8 = 1;
/// Longer answers are not kept: one of them would push out thousands of others.
pub(crate) const MOST_BYTES: usize = 16 << 20;
/// As long as a path may be for the kernel.
const MOST_PATH: usize = 4096;
/// What an answer may take in memory once every place has its own path: small rows could ask for gigabytes.
const MOST_UNFOLDED: usize = 128 << 20;
/// What a place takes besides its path.
const PLACE_ITSELF: usize = 64;
const CHECKSUM: usize = 4;

/// Why an answer cannot be written down.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    Place { file: PathBuf, reason: &'static str },
    TooLarge,
}

/// Why bytes are no answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Flaw(pub(crate) &'static str);

pub(crate) fn encode(key: &ReferenceKey, places: &[RelativePlace]) -> Result<Vec<u8>, Unfit> {
    let mut files: Vec<&[u8]> = Vec::new();
    let mut numbers: HashMap<&Path, usize> = HashMap::new();
    let mut budget = MOST_UNFOLDED;
    for place in places {
        let unfit = |Flaw(reason)| Unfit::Place { file: place.file.clone(), reason };
        check_span(&place.span).map_err(unfit)?;
        if !numbers.contains_key(place.file.as_path()) {
            check_path(&place.file).map_err(unfit)?;
            files.push(rows::path_bytes(&place.file));
            numbers.insert(&place.file, files.len());
        }
        budget = spend(budget, &place.file).ok_or(Unfit::TooLarge)?;
    }
    let mut bytes = vec![FORMAT];
    push(&mut bytes, files.len() as u64);
    for file in files {
        push(&mut bytes, file.len() as u64);
        bytes.extend_from_slice(file);
    }
    push(&mut bytes, places.len() as u64);
    let mut before: Option<&RelativePlace> = None;
    for place in places {
        let Span { start, end } = place.span;
        match before.filter(|before| before.file == place.file) {
            Some(before) => {
                push(&mut bytes, 0);
                push(&mut bytes, zigzag(i64::from(start.line) - i64::from(before.span.start.line)));
            }
            None => {
                push(&mut bytes, numbers.get(place.file.as_path()).map_or(0, |number| *number as u64));
                push(&mut bytes, zigzag(i64::from(start.line)));
            }
        }
        push(&mut bytes, start.column.into());
        push(&mut bytes, (end.line - start.line).into());
        let from = if end.line == start.line { start.column } else { 0 };
        push(&mut bytes, (end.column - from).into());
        before = Some(place);
    }
    bytes.extend_from_slice(&checksum(key, &bytes));
    if bytes.len() > MOST_BYTES { Err(Unfit::TooLarge) } else { Ok(bytes) }
}

pub(crate) fn decode(key: &ReferenceKey, bytes: &[u8]) -> Result<Vec<RelativePlace>, Flaw> {
    let (content, sum) = bytes
        .len()
        .checked_sub(CHECKSUM)
        .and_then(|at| bytes.split_at_checked(at))
        .ok_or(Flaw("too short"))?;
    if bytes.len() > MOST_BYTES {
        return Err(Flaw("too long"));
    }
    if sum != checksum(key, content) {
        return Err(Flaw("wrong checksum"));
    }
    let mut reader = Reader(content);
    if reader.take(1)? != [FORMAT] {
        return Err(Flaw("unknown format"));
    }
    let files = (0..reader.count()?).map(|_| reader.path()).collect::<Result<Vec<_>, _>>()?;
    let count = reader.count()?;
    let mut places: Vec<RelativePlace> = Vec::with_capacity(count);
    let mut budget = MOST_UNFOLDED;
    for _ in 0..count {
        let place = reader.place(&files, places.last())?;
        budget = spend(budget, &place.file).ok_or(Flaw("too large"))?;
        places.push(place);
    }
    if reader.0.is_empty() { Ok(places) } else { Err(Flaw("bytes left over")) }
}

fn spend(budget: usize, file: &Path) -> Option<usize> {
    budget.checked_sub(file.as_os_str().len() + PLACE_ITSELF)
}

/// A path within the workspace, written in the one way that leads nowhere else.
fn check_path(path: &Path) -> Result<(), Flaw> {
    let bytes = rows::path_bytes(path);
    if bytes.is_empty() || bytes.len() > MOST_PATH {
        return Err(Flaw("its path is empty or too long"));
    }
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)))
        // `components` passes over these.
        && !bytes.contains(&0)
        && bytes.split(|byte| *byte == b'/').all(|part| !part.is_empty() && part != b".");
    if plain { Ok(()) } else { Err(Flaw("its path does not stay within the workspace")) }
}

fn check_span(span: &Span) -> Result<(), Flaw> {
    let counted_from_one = [span.start, span.end].iter().all(|at| at.line > 0 && at.column > 0);
    if counted_from_one && span.start <= span.end { Ok(()) } else { Err(Flaw("its span is impossible")) }
}

fn checksum(key: &ReferenceKey, content: &[u8]) -> [u8; CHECKSUM] {
    let mut sum = Crc::new();
    sum.update(&key.world);
    sum.update(&key.question);
    sum.update(content);
    sum.sum().to_le_bytes()
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Small numbers of either sign become small numbers.
fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// What is still to be read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Flaw> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Flaw("cut short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, Flaw> {
        let mut number = 0;
        // Nothing here needs more than the 34 bits of a zigzagged difference.
        for shift in (0..35).step_by(7) {
            let byte = self.take(1)?.first().copied().map_or(0, u64::from);
            number |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Flaw("a number is too large"))
    }

    /// How many of something follow. Each takes a byte at least, so a count cannot ask for more memory than that.
    fn count(&mut self) -> Result<usize, Flaw> {
        let count = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        if count <= self.0.len() { Ok(count) } else { Err(Flaw("cut short")) }
    }

    fn path(&mut self) -> Result<PathBuf, Flaw> {
        let length = self.count()?;
        let path = rows::path_from(self.take(length)?).ok_or(Flaw("a path is not text"))?;
        check_path(&path)?;
        Ok(path)
    }

    fn place(&mut self, files: &[PathBuf], before: Option<&RelativePlace>) -> Result<RelativePlace, Flaw> {
        let (file, line_before) = match (usize::try_from(self.number()?), before) {
            (Ok(0), Some(before)) => (&before.file, before.span.start.line),
            (Ok(number @ 1..), _) => (files.get(number - 1).ok_or(Flaw("no such file"))?, 0),
            _ => return Err(Flaw("no such file")),
        };
        let line = i64::from(line_before) + unzigzag(self.number()?);
        let start = Position::new(narrow(line)?, narrow(self.number()?)?);
        let lines = self.number()?;
        let from = if lines == 0 { start.column } else { 0 };
        let end_line = narrow(u64::from(start.line) + lines)?;
        let end = Position::new(end_line, narrow(u64::from(from) + self.number()?)?);
        let span = Span::new(start, end);
        check_span(&span)?;
        Ok(RelativePlace { file: file.clone(), span })
    }
}

fn narrow(number: impl TryInto<u32>) -> Result<u32, Flaw> {
    number.try_into().map_err(|_| Flaw("a number is too large"))
}

#[cfg(test)]
mod tests;
