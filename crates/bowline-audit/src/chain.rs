//! From record to line and back: bounded, sealed with a hash, and linked to the writer's previous record.

use uuid::Uuid;

use crate::AuditError;
use crate::record::{Bounds, Record};

/// The longest line, its end included. A page: one `write(2)` of it goes to the file as a whole. One byte is left for
/// a newline in front, which ends a line that somebody else left torn.
pub(crate) const MAX_LINE: usize = 4095;
/// How every line begins. Inside a JSON string the quotes would be escaped: where this stands, a record begins.
pub(crate) const BEGIN: &[u8] = b"{\"timestamp\":\"";
const SEAL: &[u8] = b",\"hash\":\"";
const HASH_DIGITS: usize = 64;

/// One writer's chain: how many records are on disk, and the hash of the last.
#[derive(Debug)]
pub(crate) struct Chain {
    writer: Uuid,
    written: u64,
    prev: String,
}

/// A record as it goes to disk.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) line: Vec<u8>,
    hash: String,
}

impl Chain {
    pub(crate) fn new() -> Self {
        Self { writer: Uuid::now_v7(), written: 0, prev: first_prev() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// The record's line, as the next of this chain. It becomes that by [`Chain::advance`].
    pub(crate) fn seal(&self, record: &mut Record) -> Result<Sealed, AuditError> {
        record.writer = self.writer;
        record.seq = self.written + 1;
        record.prev.clone_from(&self.prev);
        record.hash.clear();
        record.cut(Bounds::FULL);
        let mut line = serde_json::to_vec(record)?;
        for bounds in Bounds::TIGHTER {
            if line.len() + SEAL.len() + HASH_DIGITS + b"\"}\n".len() - b"}".len() <= MAX_LINE {
                break;
            }
            record.cut(bounds);
            line = serde_json::to_vec(record)?;
        }
        line.pop();
        let hash = blake3::hash(&line).to_hex().to_string();
        line.extend_from_slice(SEAL);
        line.extend_from_slice(hash.as_bytes());
        line.extend_from_slice(b"\"}\n");
        Ok(Sealed { line, hash })
    }

    /// The sealed record is wholly on disk.
    pub(crate) fn advance(&mut self, sealed: Sealed) {
        self.written += 1;
        self.prev = sealed.hash;
    }
}

/// What the first record of a chain has in place of a previous hash.
pub(crate) fn first_prev() -> String {
    "0".repeat(HASH_DIGITS)
}

/// The hash that a line, without its end, ought to carry; nothing where it carries none.
pub(crate) fn hash_of(line: &[u8]) -> Option<String> {
    let sealed = line.len().checked_sub(SEAL.len() + HASH_DIGITS + b"\"}".len())?;
    let (content, seal) = line.split_at(sealed);
    (seal.starts_with(SEAL) && seal.ends_with(b"\"}")).then(|| blake3::hash(content).to_hex().to_string())
}

#[cfg(test)]
mod tests;
