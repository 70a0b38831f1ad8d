//! The index without a file: what answers when no store was given, or the one given failed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bowline_code::{IndexedFile, IndexedSymbol};

use crate::{FileStamp, IndexStore, IndexStoreError, SymbolRow};

/// Letters in order fit almost every name when there are few of them.
const SHORTEST_LETTERS: usize = 3;

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
        if found.is_empty() && folded.chars().count() >= SHORTEST_LETTERS {
            found = self.ranked(|name| has_letters(&name.to_lowercase(), &folded).then_some(0));
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

/// Whether the letters stand in the name in this order.
fn has_letters(name: &str, letters: &str) -> bool {
    let mut rest = name.chars();
    letters.chars().all(|letter| rest.any(|other| other == letter))
}
