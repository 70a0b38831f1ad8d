//! The receipts of what was written, and how long they are kept.

use std::path::PathBuf;

use super::{State, disk, journal};
use crate::error::{At, WriteError};
use crate::receipt::{Receipt, is_id};

impl State {
    pub(super) fn receipt_path(&self, id: &str) -> PathBuf {
        self.dir.join("receipts").join(format!("{id}.json"))
    }

    pub(crate) fn receipt(&self, id: &str) -> Option<Receipt> {
        // An id may come from anywhere; it becomes part of a path.
        is_id(id)
            .then(|| journal::record(&self.receipt_path(id), id).ok())
            .flatten()
            .or_else(|| self.committed(id))
    }

    /// All that can be read, newest first.
    pub(crate) fn receipts(&self) -> Result<Vec<Receipt>, WriteError> {
        // In this order: a record that moves from one to the other meanwhile is seen at least once.
        let mut names = self.names("journal")?;
        names.retain(|name| name.ends_with(".committed"));
        names.extend(self.names("receipts")?);
        let mut ids: Vec<&str> = names.iter().filter_map(|name| name.split('.').next()).collect();
        ids.sort_unstable();
        ids.dedup();
        Ok(ids.into_iter().rev().filter_map(|id| self.receipt(id)).collect())
    }

    /// Drops the oldest receipts, with what they replaced, until the rest is within the limits. The newest stays,
    /// however large it is.
    pub(crate) fn retain(&self) -> Result<(), WriteError> {
        let names = self.names("receipts")?;
        let ids: Vec<&str> =
            names.iter().filter_map(|name| name.strip_suffix(".json")).filter(|id| is_id(id)).collect();
        let (mut count, mut bytes) = (0, 0_u64);
        for (age, id) in ids.iter().rev().enumerate() {
            count += 1;
            bytes = bytes.saturating_add(self.pack_size(id));
            if age > 0 && (count > self.limits.receipts || bytes > self.limits.pack_bytes) {
                let path = self.receipt_path(id);
                disk::remove(&path).at(&path, "dropping an old receipt")?;
                self.drop_pack(id)?;
            }
        }
        Ok(())
    }
}
