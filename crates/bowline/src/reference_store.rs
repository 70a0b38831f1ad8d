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
use bowline_store::{
    ImportLimits, Origin, ReferenceKey, ReferenceStore, RelativePlace, StoreError, is_exported,
};
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

    /// The directory for an export, if nothing else is in its place: what was exported before is all it replaces.
    fn room_for<'a>(&self, to: &'a Path) -> Result<&'a Path, IndexStoreError> {
        let refused = |why: &str| failed(&format!("cannot write `{}`: {why}", to.display()));
        let directory = to.parent().ok_or_else(|| refused("it is no place for a file"))?;
        if to.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".git")) {
            return Err(refused("nothing is written among git's own files"));
        }
        if let Ok(there) = to.symlink_metadata() {
            if !there.is_file() {
                return Err(refused("it is not a file"));
            }
            let ours = open(to).is_ok_and(|mut file| is_exported(&mut file));
            return if ours {
                Ok(directory)
            } else {
                Err(refused(
                    "something else is there, and only an exported cache is replaced; name a new file",
                ))
            };
        }
        if !directory.is_dir() {
            if !self.is_own(directory) {
                return Err(refused("its directory does not exist; make it first, or name another"));
            }
            std::fs::create_dir(directory).map_err(|error| refused(&error.to_string()))?;
        }
        Ok(directory)
    }

    /// Whether this is where a project keeps what it brings along: `.bowline`, directly below a root.
    fn is_own(&self, directory: &Path) -> bool {
        let mut own = self.shared.iter().filter_map(|shared| shared.parent());
        own.any(|own| bowline_std::fs::real_path(own).is_ok_and(|own| own == directory) || own == directory)
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
    fn is_there(&self) -> bool {
        self.store().is_ok()
    }

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
        let directory = self.room_for(to)?;
        // Beside it, so that it comes into its place whole. Of an error only the kind counts: it would name this file.
        let mut new = tempfile::Builder::new()
            .prefix(".bowline-")
            .tempfile_in(directory)
            .map_err(|error| io(error.kind().into()))?;
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
    #[expect(clippy::disallowed_methods, reason = "the test makes files on purpose")]
    fn an_export_replaces_nothing_but_an_export() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("root");
        std::fs::create_dir_all(root.join(".git")).unwrap();
        let store = KeptReferences::at(dir.path().join("cache/references.db"), std::slice::from_ref(&root));
        store.remember(vec![(KEY, places("a.go"))]).unwrap();
        let said = |to: &str| store.export(&root.join(to)).map_err(|error| error.to_string());
        // The directory for it is made, and it can be written again.
        assert_eq!((said(".bowline/cache.db.gz"), said(".bowline/cache.db.gz")), (Ok(1), Ok(1)));
        assert_eq!(said("cache.gz"), Ok(1));
        let mut foreign = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        foreign.extend_from_slice(b"\x01\x04\x00\xfb\xfftext");
        for (name, content) in [("main.rs", &b"fn main() {}"[..]), ("empty", b""), ("other.gz", &foreign)] {
            std::fs::write(root.join(name), content).unwrap();
            let why = said(name).unwrap_err();
            assert!(why.contains("only an exported cache is replaced"), "{why}");
            assert_eq!(std::fs::read(root.join(name)).unwrap(), content);
        }
        for (name, part) in [
            (".git/hooks", "nothing is written among git's own files"),
            ("sub/.git/x/config", "nothing is written among git's own files"),
            ("new/cache.gz", "its directory does not exist"),
            ("new/.bowline/cache.gz", "its directory does not exist"),
            (".bowline", "it is not a file"),
            ("main.rs/cache.gz", "its directory does not exist"),
        ] {
            let why = said(name).unwrap_err();
            assert!(why.contains(part) && !why.contains(".bowline-"), "{name}: {why}");
        }
        let names: Vec<_> =
            std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 6, "{names:?}");
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
