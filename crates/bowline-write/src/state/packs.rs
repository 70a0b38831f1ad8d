//! The old versions of one write's files, one after the other in one file. Where each begins follows from the sizes
//! in the record; whether it is the right one, from its hash.

use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use rustix::fs::OFlags;

use super::{State, disk};
use crate::error::{At, WriteError};
use crate::hash::ContentHash;
use crate::receipt::Receipt;

impl State {
    fn pack(&self, id: &str) -> PathBuf {
        self.dir.join("packs").join(format!("{id}.pack"))
    }

    /// Written before the journal: a pack that no record knows is swept.
    pub(crate) fn put_pack<'a>(
        &self,
        id: &str,
        old: impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), WriteError> {
        let (path, dir) = (self.pack(id), self.dir.join("packs"));
        let written = disk::write(&path, old).and_then(|()| disk::sync_directory(&dir));
        if written.is_err() {
            let _ = std::fs::remove_file(&path);
        }
        written.at(&path, "keeping the old versions")
    }

    pub(crate) fn drop_pack(&self, id: &str) -> Result<(), WriteError> {
        let path = self.pack(id);
        disk::remove(&path).at(&path, "removing old versions")
    }

    /// The old version of one file, if it is there and whole.
    pub(crate) fn old_version(&self, receipt: &Receipt, number: usize) -> Option<Vec<u8>> {
        let sizes = receipt.files.get(..number)?.iter().map(|file| file.size);
        self.old_version_at(receipt, number, sizes.fold(0, u64::saturating_add))
    }

    /// The same, for whoever goes through all of them and knows where this one begins.
    pub(crate) fn old_version_at(&self, receipt: &Receipt, number: usize, start: u64) -> Option<Vec<u8>> {
        let file = receipt.files.get(number)?;
        let wanted = file.before?;
        let mut pack = disk::open(&self.pack(&receipt.id), OFlags::RDONLY).ok()?;
        pack.seek(SeekFrom::Start(start)).ok()?;
        let mut bytes = Vec::new();
        pack.take(file.size.min(self.limits.file_bytes)).read_to_end(&mut bytes).ok()?;
        (ContentHash::of(&bytes) == wanted).then_some(bytes)
    }

    pub(super) fn pack_size(&self, id: &str) -> u64 {
        self.pack(id).symlink_metadata().map_or(0, |metadata| metadata.len())
    }

    pub(crate) fn sweep_packs(&self) -> Result<(), WriteError> {
        for name in self.stray_packs()? {
            let _ = std::fs::remove_file(self.dir.join("packs").join(&name));
        }
        Ok(())
    }

    /// The packs that no record knows: of a write that ended before its journal began.
    pub(super) fn stray_packs(&self) -> Result<Vec<String>, WriteError> {
        let mut packs = self.names("packs")?;
        // In this order: a record that moves from one to the other meanwhile is seen at least once.
        let known = [self.names("journal")?, self.names("receipts")?].concat();
        let known: HashSet<&str> = known.iter().map(|name| id_of(name)).collect();
        packs.retain(|name| !known.contains(id_of(name)));
        Ok(packs)
    }
}

fn id_of(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}
