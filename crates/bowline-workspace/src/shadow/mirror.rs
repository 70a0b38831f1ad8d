//! The mirror of a project, with a draft laid over it.
//!
//! The whole way from `/` to the Cargo workspace has its place in the tree, so that every `..` leads where it leads in
//! the project. Beside the way there are links. The workspace itself is made of directories and copies of its files:
//! - Whatever cargo or a build script writes beside the sources, it writes here: a lock file, generated code.
//! - Cargo goes by the times of files. A file that goes back to what it said before, or that got an old time with a
//!   new content, would be taken for one that was compiled already. A copy has the time at which it was written, and
//!   it is written whenever it is to say something else than it does.

mod entries;
mod packages;
mod scripts;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bowline_std::fs::{read_bounded, replace_private};

use super::ShadowError;
use super::place::Held;
use super::record::{self, Record, Records, Seen};
use crate::WorkspaceError;
use crate::stamp::kept_ns;
use entries::{Want, Wanted};
use packages::Packages;

/// A project with more files than this is not mirrored.
const MOST_FILES: usize = 100_000;
/// No source is larger.
const MOST_BYTES: u64 = 64 << 20;

/// What the mirror is to show.
pub(super) struct Draft {
    /// Of the Cargo workspace, by its real path.
    pub(super) root: PathBuf,
    pub(super) drafted: BTreeMap<PathBuf, Option<String>>,
    pub(super) environment: Vec<(OsString, OsString)>,
}

struct Mirror<'a> {
    held: &'a Held,
    draft: &'a Draft,
    wanted: Wanted<'a>,
    before: Records,
    after: Records,
    /// When cargo was last here. What is written now must be younger.
    last_check: SystemTime,
    now: SystemTime,
    /// Where something changed of which cargo may not know that the code depends on it.
    unsettled: BTreeSet<PathBuf>,
    files: usize,
    /// Whether the record says what is here.
    remembered: bool,
    stopped: &'a dyn Fn() -> bool,
}

/// Makes the tree show the project as it is now, and the draft.
pub(super) fn mirror(held: &Held, draft: &Draft, stopped: &dyn Fn() -> bool) -> Result<(), ShadowError> {
    let _alone = held.alone();
    let before = record::load(&held.record());
    let mut mirror = Mirror {
        held,
        draft,
        wanted: Wanted::new(held.above(), draft, before.keys().map(Path::new)),
        before,
        after: Records::new(),
        last_check: held.last_check(),
        now: SystemTime::now(),
        unsettled: BTreeSet::new(),
        files: 0,
        remembered: true,
        stopped,
    };
    let done = mirror.directory(Path::new("/")).and_then(|()| mirror.settle());
    mirror.remember(done.is_ok())?;
    done
}

impl Mirror<'_> {
    fn directory(&mut self, real: &Path) -> Result<(), ShadowError> {
        if (self.stopped)() {
            return Err(WorkspaceError::Cancelled.into());
        }
        let at = |source| ShadowError::Mirror { path: real.to_owned(), source };
        let mine = self.held.within(real);
        if !mine.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            self.forget().and_then(|()| remove(&mine)).map_err(at)?;
            std::fs::create_dir_all(&mine).map_err(at)?;
        }
        let wanted = self.wanted.of(real).map_err(at)?;
        for entry in mine.read_dir().map_err(at)? {
            let name = entry.map_err(at)?.file_name();
            if !wanted.contains_key(&name) {
                self.clear(&real.join(&name)).map_err(at)?;
            }
        }
        for (name, want) in wanted {
            let path = real.join(name);
            self.files += usize::from(path.starts_with(&self.draft.root));
            if self.files > MOST_FILES {
                return Err(ShadowError::TooLarge { root: self.draft.root.clone(), most: MOST_FILES });
            }
            let at = |source| ShadowError::Mirror { path: path.clone(), source };
            match want {
                Want::Directory => self.directory(&path)?,
                Want::Link(target) => self.link(&path, &self.translated(target)).map_err(at)?,
                Want::Copy(metadata) => self.copy(&path, metadata.as_ref()).map_err(at)?,
            }
        }
        Ok(())
    }

    /// Takes away what is not the project's: a draft's, and what was made while there was one. Only the lock file that
    /// cargo made stays, since no draft has a say in it.
    fn clear(&mut self, real: &Path) -> io::Result<()> {
        let mine = self.held.within(real);
        let kind = mine.symlink_metadata()?.file_type();
        if kind.is_dir() {
            for entry in mine.read_dir()? {
                self.clear(&real.join(entry?.file_name()))?;
            }
            return std::fs::remove_dir(&mine);
        }
        if real == self.draft.root.join("Cargo.lock") && kind.is_file() {
            return Ok(());
        }
        self.forget()?;
        if !real.to_str().is_some_and(|key| self.before.contains_key(key)) {
            // A build script that made it would not be run again as long as its sources stay the same.
            let dir =
                real.parent().and_then(|dir| Packages::default().around(self.held, &self.draft.root, dir));
            scripts::run_again(self.held, dir.as_deref())?;
        }
        std::fs::remove_file(&mine)?;
        self.unsettle(real);
        Ok(())
    }

    /// A link that names a file of the project by its whole path must not lead out of the mirror.
    fn translated(&self, target: PathBuf) -> PathBuf {
        if target.starts_with(&self.draft.root) { self.held.within(&target) } else { target }
    }

    fn link(&mut self, real: &Path, target: &Path) -> io::Result<()> {
        let mine = self.held.within(real);
        if mine.read_link().is_ok_and(|now| now == target) {
            return Ok(());
        }
        self.forget()?;
        remove(&mine)?;
        symlink(target, &mine)?;
        self.unsettle(real);
        Ok(())
    }

    fn copy(&mut self, real: &Path, metadata: Option<&Metadata>) -> io::Result<()> {
        let Some(key) = real.to_str() else { return Ok(()) };
        let mine = self.held.within(real);
        let known = self.before.get(key);
        let held = mine.symlink_metadata().ok().filter(Metadata::is_file).map(|metadata| Seen::of(&metadata));
        let holds = known.filter(|known| Some(known.held) == held);

        let source = metadata.map(Seen::of);
        let drafted = self.draft.drafted.get(real).and_then(Option::as_deref);
        if let Some(holds) =
            holds.filter(|holds| drafted.is_none() && source.is_some() && holds.source == source)
        {
            self.after.insert(key.to_owned(), holds.clone());
            return Ok(());
        }
        let bytes = match drafted {
            Some(text) => text.as_bytes().to_owned(),
            None => match read_bounded(real, MOST_BYTES) {
                Ok((bytes, _)) => bytes,
                // Gone since the directory was read, or not for us to read: cargo will say so if it matters.
                Err(_) => return self.link(real, real),
            },
        };
        let hash = blake3::hash(&bytes).to_hex().to_string();
        let is_new = known.is_none();
        let same = known.filter(|known| known.hash == hash).map(|known| known.held);
        let held = match same.filter(|_| held.is_some()) {
            // If it is not as we left it, a build script wrote there what belongs to this very source.
            Some(left) => left,
            None => {
                self.forget()?;
                self.write(&mine, &bytes, metadata)?;
                if is_new || !is_rust(real) {
                    self.unsettle(real);
                }
                Seen::of(&mine.symlink_metadata()?)
            }
        };
        // A file that changed a moment ago may change again and look the same: it is read again next time.
        let kept = |seen: Seen| Seen { changed_ns: kept_ns(seen.changed_ns, self.now), ..seen };
        let source = source.filter(|_| drafted.is_none()).map(kept);
        self.after.insert(key.to_owned(), Record { source, hash, held });
        Ok(())
    }

    /// While something is changed here nothing is remembered: whoever finds no record compares every file.
    fn forget(&mut self) -> io::Result<()> {
        if self.remembered {
            remove(&self.held.record())?;
            self.remembered = false;
        }
        Ok(())
    }

    /// Remembers what was done, and if that is not all, also what was left as it was.
    fn remember(&mut self, is_all: bool) -> Result<(), ShadowError> {
        if is_all && self.remembered && self.after == self.before {
            return Ok(());
        }
        if !is_all {
            // Nobody would know any more what else has to be compiled for it: then all of it is.
            if !self.unsettled.is_empty() {
                return Ok(());
            }
            for (path, record) in std::mem::take(&mut self.before) {
                self.after.entry(path).or_insert(record);
            }
        }
        let path = self.held.record();
        record::save(&path, &self.after).map_err(|source| ShadowError::Mirror { path, source })
    }

    fn write(&self, mine: &Path, bytes: &[u8], metadata: Option<&Metadata>) -> io::Result<()> {
        if mine.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            remove(mine)?;
        }
        replace_private(mine, bytes)?;
        if metadata.is_some_and(|metadata| metadata.permissions().mode() & 0o100 != 0) {
            std::fs::set_permissions(mine, std::fs::Permissions::from_mode(0o700))?;
        }
        if mine.symlink_metadata()?.modified()? > self.last_check { Ok(()) } else { self.freshen(mine) }
    }

    /// Gives a file a time after the last check, whatever the clock says.
    fn freshen(&self, mine: &Path) -> io::Result<()> {
        let after = self.last_check + Duration::from_millis(1);
        OpenOptions::new().write(true).open(mine)?.set_modified(after.max(SystemTime::now()))
    }

    /// Something is there or gone, or is no Rust: a macro may have read it, or a module may now be found elsewhere.
    fn unsettle(&mut self, real: &Path) {
        let is_cargos = real.file_name().is_some_and(|name| name == "Cargo.lock" || name == "Cargo.toml");
        if let Some(dir) = real.parent().filter(|dir| dir.starts_with(&self.draft.root) && !is_cargos) {
            self.unsettled.insert(dir.to_owned());
        }
    }

    /// Makes cargo compile the packages in which something changed that it cannot know of.
    fn settle(&mut self) -> Result<(), ShadowError> {
        if self.unsettled.is_empty() || self.before.is_empty() {
            return Ok(());
        }
        let mut packages = Packages::default();
        let unsettled: BTreeSet<PathBuf> = self
            .unsettled
            .iter()
            .filter_map(|dir| packages.around(self.held, &self.draft.root, dir))
            .collect();
        self.forget().map_err(|source| ShadowError::Mirror { path: self.held.record(), source })?;
        for path in self.after.keys().map(PathBuf::from).filter(|path| is_rust(path)).collect::<Vec<_>>() {
            let package = path.parent().and_then(|dir| packages.around(self.held, &self.draft.root, dir));
            if !package.is_some_and(|package| unsettled.contains(&package)) {
                continue;
            }
            let mine = self.held.within(&path);
            let fresh = self.freshen(&mine).and_then(|()| mine.symlink_metadata());
            let metadata = fresh.map_err(|source| ShadowError::Mirror { path: path.clone(), source })?;
            if let Some(record) = path.to_str().and_then(|key| self.after.get_mut(key)) {
                record.held = Seen::of(&metadata);
            }
        }
        self.unsettled.clear();
        Ok(())
    }
}

fn is_rust(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("rs"))
}

/// Takes away whatever is there. Links are not followed.
fn remove(mine: &Path) -> io::Result<()> {
    match mine.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => std::fs::remove_dir_all(mine),
        Ok(_) => std::fs::remove_file(mine),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
