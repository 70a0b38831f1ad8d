//! What is found on one line: a record, or something that is none any more.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::lines::{End, Line, Size};
use crate::chain::{BEGIN, hash_of};
use crate::record::Record;

/// One thing found in a trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Record(Box<Entry>),
    Damaged(Damaged),
}

impl Item {
    pub fn entry(&self) -> Option<&Entry> {
        match self {
            Self::Record(entry) => Some(entry),
            Self::Damaged(_) => None,
        }
    }
}

/// A record, and where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub file: Arc<Path>,
    /// Counted from 1, where the file was read from its beginning.
    pub line: Option<u64>,
    /// Where in the file its line begins.
    pub offset: u64,
    pub record: Record,
    /// The hash that its bytes have. Differs from the record's own where somebody changed it.
    pub computed: Option<String>,
}

impl Entry {
    /// Whether the record is, byte for byte, what was written.
    pub fn is_genuine(&self) -> bool {
        self.computed.as_ref() == Some(&self.record.hash)
    }
}

/// A line, or a whole file, that cannot be read as records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damaged {
    pub file: PathBuf,
    /// Counted from 1, where the file was read from its beginning.
    pub line: Option<u64>,
    pub offset: u64,
    pub damage: Damage,
}

/// What is wrong with a line. Serialised as the sentence that people read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Its writer was killed, or had no more space, in the middle of it.
    #[error("the line is torn")]
    Torn,
    #[error("the line is too long to be a record")]
    TooLong,
    #[error("the line is not a record: {0}")]
    NotARecord(String),
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
}

impl Serialize for Damage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Damaged {
    pub(super) fn unreadable(file: &Path, error: &io::Error) -> Self {
        Self { file: file.to_owned(), line: None, offset: 0, damage: Damage::Unreadable(error.to_string()) }
    }
}

/// Usually one item. A torn line that another writer has continued gives two; an empty one, which a careful writer left
/// in front of its own, none.
pub(super) fn items_of(file: &Arc<Path>, line: &Line) -> Vec<Item> {
    let damaged = |offset, damage| {
        Item::Damaged(Damaged { file: file.to_path_buf(), line: line.number, offset, damage })
    };
    if line.size == Size::TooLong {
        return vec![damaged(line.offset, Damage::TooLong)];
    }
    let pieces = pieces(&line.bytes);
    let last = pieces.len().saturating_sub(1);
    let item = |(index, (at, bytes)): (usize, (usize, &[u8]))| {
        let offset = line.offset + at as u64;
        match serde_json::from_slice(bytes) {
            Ok(record) => Item::Record(Box::new(Entry {
                file: Arc::clone(file),
                line: line.number,
                offset,
                record,
                computed: hash_of(bytes),
            })),
            // What another record, or the file's end, cut short is torn, whatever it looks like.
            Err(error) if error.is_eof() || index < last || line.end == End::File => {
                damaged(offset, Damage::Torn)
            }
            Err(error) => damaged(offset, Damage::NotARecord(error.to_string())),
        }
    };
    pieces.into_iter().enumerate().map(item).collect()
}

/// The line, cut wherever a record begins in the middle of it.
fn pieces(line: &[u8]) -> Vec<(usize, &[u8])> {
    let inner = line.windows(BEGIN.len()).enumerate().skip(1).filter(|(_, window)| *window == BEGIN);
    let mut cuts: Vec<usize> = std::iter::once(0).chain(inner.map(|(at, _)| at)).collect();
    cuts.push(line.len());
    let pieces = cuts.windows(2).map(|cut| (cut[0], &line[cut[0]..cut[1]]));
    pieces.filter(|(_, bytes)| !bytes.is_empty()).collect()
}
