//! The index without a file: what answers when no store was given, or the one given failed.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bowline_code::{IndexedFile, IndexedSymbol, MOST_BY_LETTERS, fits_letters};

use crate::{FileStamp, IndexStore, IndexStoreError, SymbolRow};

/// Keeps the index in memory. It answers exactly as a store on disk does.
#[derive(Debug, Default)]
pub struct MemoryStore {
    files: RwLock<BTreeMap<PathBuf, IndexedFile>>,
}

impl MemoryStore {
    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<PathBuf, IndexedFile>> {
        self.files.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<PathBuf, IndexedFile>> {
        self.files.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// All symbols that `rank` ranks, best first.
    fn ranked(&self, rank: impl Fn(&str) -> Option<u8>) -> Vec<SymbolRow> {
        let files = self.read();
        let mut found: Vec<_> = files
            .values()
            .flat_map(|file| file.symbols.iter().map(move |symbol| (file, symbol)))
            .filter_map(|(file, symbol)| Some((rank(&symbol.name)?, file, symbol)))
            .collect();
        found.sort_by(|left, right| {
            let key = |(rank, _, symbol): &(u8, _, &IndexedSymbol)| (*rank, symbol.name.clone());
            // By bytes, as a store on disk sorts paths.
            let place = |(_, file, symbol): &(u8, &IndexedFile, &IndexedSymbol)| {
                (file.path.as_os_str().as_encoded_bytes().to_owned(), symbol.selection)
            };
            key(left).cmp(&key(right)).then_with(|| place(left).cmp(&place(right)))
        });
        found
            .into_iter()
            .map(|(_, file, symbol)| (file.path.clone(), file.language.clone(), symbol.clone()))
            .collect()
    }
}

impl IndexStore for MemoryStore {
    fn files(&self) -> Result<Vec<FileStamp>, IndexStoreError> {
        let stamp = |file: &IndexedFile| (file.path.clone(), file.modified_ns, file.size, file.hash);
        Ok(self.read().values().map(stamp).collect())
    }

    fn replace(&self, batch: &[IndexedFile], removed: &[PathBuf]) -> Result<(), IndexStoreError> {
        let mut files = self.write();
        for path in removed {
            files.remove(path);
        }
        files.extend(batch.iter().map(|file| (file.path.clone(), file.clone())));
        Ok(())
    }

    fn restamp(&self, stamps: &[(PathBuf, i64, u64)]) -> Result<(), IndexStoreError> {
        let mut files = self.write();
        for (path, modified_ns, size) in stamps {
            if let Some(file) = files.get_mut(path) {
                (file.modified_ns, file.size) = (*modified_ns, *size);
            }
        }
        Ok(())
    }

    fn search(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
    ) -> Result<(Vec<SymbolRow>, usize), IndexStoreError> {
        let folded = query.to_lowercase();
        let mut found = self.ranked(|name| rank(name, query, &folded));
        if found.is_empty() {
            found = self.ranked(|name| fits_letters(&name.to_lowercase(), &folded).then_some(0));
            let names: HashSet<String> = found.iter().map(|row| row.2.name.to_lowercase()).collect();
            if names.len() > MOST_BY_LETTERS {
                found.clear();
            }
        }
        let total = found.len();
        Ok((found.into_iter().skip(offset).take(limit).collect(), total))
    }

    fn named(&self, name: &str) -> Result<Vec<SymbolRow>, IndexStoreError> {
        Ok(self.ranked(|other| (other == name).then_some(0)))
    }

    fn holding(&self, word: u32) -> Result<Vec<PathBuf>, IndexStoreError> {
        let holds = |file: &&IndexedFile| file.words.binary_search(&word).is_ok();
        Ok(self.read().values().filter(holds).map(|file| file.path.clone()).collect())
    }
}

fn rank(name: &str, query: &str, folded: &str) -> Option<u8> {
    if name == query {
        return Some(0);
    }
    let name = name.to_lowercase();
    match name.find(folded)? {
        0 if name.len() == folded.len() => Some(1),
        0 => Some(2),
        _ => Some(3),
    }
}
