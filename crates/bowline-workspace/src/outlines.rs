//! The symbols of files that were looked at, by content: places are found in them again and again, and a file that has not
//! changed need not be parsed for that.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bowline_code::IndexedSymbol;

/// The symbols of one text, in its order.
pub(crate) type Outlined = Arc<[IndexedSymbol]>;

/// So many symbols are kept; then everything is forgotten, which costs one parse of what is still needed.
const MOST: usize = 200_000;

#[derive(Default)]
pub(crate) struct Outlines(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    files: HashMap<PathBuf, ([u8; 32], Outlined)>,
    symbols: usize,
}

impl Outlines {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, path: &Path, hash: &[u8; 32]) -> Option<Outlined> {
        let kept = self.lock();
        let (known, symbols) = kept.files.get(path)?;
        (known == hash).then(|| Arc::clone(symbols))
    }

    pub(crate) fn put(&self, path: PathBuf, hash: [u8; 32], symbols: Outlined) {
        let mut kept = self.lock();
        if kept.symbols + symbols.len() > MOST {
            *kept = Kept::default();
        }
        kept.symbols += symbols.len();
        if let Some((_, before)) = kept.files.insert(path, (hash, symbols)) {
            kept.symbols -= before.len();
        }
    }
}
