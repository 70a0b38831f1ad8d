//! Joins the memory that the workspace asks for with the database that keeps it. Neither knows the other.
//!
//! Opened at the first question. What a project brings along in `.bowline/cache.db.gz` is taken over then, once for each
//! version of that file; whatever is wrong with it is said and does no harm.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use bowline_code::Location;
use bowline_std::fs::{read_bounded, replace_private};
use bowline_store::{ImportLimits, Origin, ReferenceKey, ReferenceStore, RelativePlace, StoreError};
use bowline_workspace::{IndexStoreError, Recollected, Recollection, RecollectionKey};

pub(crate) struct KeptReferences {
    path: PathBuf,
    /// What the projects bring along.
    shared: Vec<PathBuf>,
    store: OnceLock<Result<ReferenceStore, String>>,
}

impl KeptReferences {
    pub(crate) fn at(path: PathBuf, roots: &[PathBuf]) -> Self {
        let shared = roots.iter().map(|root| root.join(".bowline").join("cache.db.gz")).collect();
        Self { path, shared, store: OnceLock::new() }
    }

    fn store(&self) -> Result<&ReferenceStore, IndexStoreError> {
        let opened = self.store.get_or_init(|| {
            let store = ReferenceStore::open(&self.path).map_err(|error| error.to_string())?;
            for shared in &self.shared {
                self.pick_up(&store, shared);
            }
            Ok(store)
        });
        opened.as_ref().map_err(|why| IndexStoreError::Failed(why.clone()))
    }

    /// Takes over a project's own file, unless this very one was.
    fn pick_up(&self, store: &ReferenceStore, shared: &Path) {
        // Not through a link: it is the project's, and the project is anybody's.
        let Some(metadata) = shared.symlink_metadata().ok().filter(std::fs::Metadata::is_file) else {
            return;
        };
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mark =
            format!("{} {} {:?}\n", shared.display(), metadata.len(), modified.map(|time| time.as_nanos()));
        let marks = self.beside("picked-up");
        let known = read_bounded(&marks, 1 << 20).map(|(bytes, _)| bytes).unwrap_or_default();
        let known = String::from_utf8_lossy(&known).into_owned();
        if known.contains(&mark) {
            return;
        }
        match self.take_over(store, shared, ImportLimits::BROUGHT_ALONG) {
            Ok(entries) => tracing::info!(entries, path = %shared.display(), "took over the shared cache"),
            Err(error) => tracing::warn!(%error, path = %shared.display(), "the shared cache is of no use"),
        }
        let ours = format!("{} ", shared.display());
        let others: String =
            known.lines().filter(|line| !line.starts_with(&ours)).map(|line| format!("{line}\n")).collect();
        if let Err(error) = replace_private(&marks, format!("{others}{mark}").as_bytes()) {
            tracing::debug!(%error, "the shared cache will be looked at again");
        }
    }

    fn take_over(
        &self,
        store: &ReferenceStore,
        from: &Path,
        most: ImportLimits,
    ) -> Result<usize, IndexStoreError> {
        let file =
            open(from).map_err(|error| failed(&format!("cannot read `{}`: {error}", from.display())))?;
        store.import(&mut BufReader::new(file), most, self.scratch()?).map_err(told)
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.path.with_file_name(name)
    }

    fn scratch(&self) -> Result<&Path, IndexStoreError> {
        self.path.parent().ok_or_else(|| failed("there is no room for a copy"))
    }
}

/// A pipe would block whoever opens it.
fn open(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    #[expect(clippy::disallowed_methods, reason = "it is looked at first, and read in bounded parts")]
    File::open(path)
}

fn failed(why: &str) -> IndexStoreError {
    IndexStoreError::Failed(why.to_owned())
}

fn told(error: StoreError) -> IndexStoreError {
    match error {
        StoreError::Busy => IndexStoreError::Busy,
        other => IndexStoreError::Failed(other.to_string()),
    }
}

fn key(key: &RecollectionKey) -> ReferenceKey {
    ReferenceKey { world: key.world, question: key.question }
}

impl Recollection for KeptReferences {
    fn recall(&self, keys: &[RecollectionKey]) -> Result<Vec<Option<Recollected>>, IndexStoreError> {
        let store = self.store()?;
        keys.iter()
            .map(|wanted| {
                let found = store.get(&key(wanted)).map_err(told)?;
                Ok(found.map(|found| Recollected {
                    places: found
                        .places
                        .into_iter()
                        .map(|place| Location::new(place.file, place.span))
                        .collect(),
                    shared: found.origin == Origin::Shared,
                }))
            })
            .collect()
    }

    fn remember(&self, entries: Vec<(RecollectionKey, Vec<Location>)>) -> Result<(), IndexStoreError> {
        let place = |place: Location| RelativePlace { span: place.span(), file: place.file };
        let entries: Vec<(ReferenceKey, Vec<RelativePlace>)> = entries
            .into_iter()
            .map(|(of, places)| (key(&of), places.into_iter().map(place).collect()))
            .collect();
        self.store()?.put(&entries).map_err(told)
    }

    fn export(&self, to: &Path) -> Result<usize, IndexStoreError> {
        let store = self.store()?;
        let io = |error: io::Error| failed(&format!("cannot write `{}`: {error}", to.display()));
        let directory = to.parent().ok_or_else(|| failed("it is no place for a file"))?;
        if to.symlink_metadata().is_ok_and(|there| !there.is_file()) {
            return Err(failed(&format!("`{}` is not a file", to.display())));
        }
        // Beside it, so that it comes into its place whole.
        let mut new = tempfile::Builder::new().prefix(".bowline-").tempfile_in(directory).map_err(io)?;
        let mut writer = BufWriter::new(new.as_file_mut());
        let entries = store.export(&mut writer, self.scratch()?).map_err(told)?;
        writer.flush().map_err(io)?;
        drop(writer);
        new.as_file().sync_all().map_err(io)?;
        new.persist(to).map_err(|error| io(error.error))?;
        Ok(entries)
    }

    fn import(&self, from: &Path) -> Result<usize, IndexStoreError> {
        self.take_over(self.store()?, from, ImportLimits::ASKED_FOR)
    }
}

#[cfg(test)]
mod tests {
    use bowline_code::{Position, Span};

    use super::*;

    fn places(file: &str) -> Vec<Location> {
        vec![Location::new(file, Span::new(Position::new(1, 2), Position::new(1, 5)))]
    }

    const KEY: RecollectionKey = RecollectionKey { world: [1; 32], question: [2; 32] };

    #[test]
    fn what_a_project_brings_along_is_picked_up_and_marked_as_such() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir_all(root.join(".bowline")).unwrap();
        let first = KeptReferences::at(dir.path().join("a/references.db"), &[]);
        first.remember(vec![(KEY, places("src/a.go"))]).unwrap();
        assert_eq!(first.export(&root.join(".bowline/cache.db.gz")).unwrap(), 1);
        let second = KeptReferences::at(dir.path().join("b/references.db"), std::slice::from_ref(&root));
        let expected = Recollected { places: places("src/a.go"), shared: true };
        assert_eq!(second.recall(&[KEY]).unwrap(), [Some(expected)]);
        assert_eq!(first.recall(&[KEY]).unwrap()[0].as_ref().map(|found| found.shared), Some(false));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test makes a file on purpose")]
    fn a_project_that_brings_rubbish_along_does_no_harm() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join(".bowline")).unwrap();
        std::fs::write(dir.path().join(".bowline/cache.db.gz"), "rubbish").unwrap();
        let store = KeptReferences::at(dir.path().join("cache/references.db"), &[dir.path().to_owned()]);
        assert_eq!(store.recall(&[KEY]).unwrap(), [None]);
        store.remember(vec![(KEY, places("a.go"))]).unwrap();
        assert!(store.recall(&[KEY]).unwrap()[0].is_some());
        let error = store.import(&dir.path().join(".bowline/cache.db.gz")).unwrap_err();
        assert!(!error.to_string().is_empty());
        assert!(store.recall(&[KEY]).unwrap()[0].is_some(), "nothing is lost");
    }
}
