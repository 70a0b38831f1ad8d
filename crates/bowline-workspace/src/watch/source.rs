//! The system's watcher. Nobody else here knows the library that speaks to it.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, ModifyKind, RemoveKind, RenameMode};
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::inbox::{Sign, Slot, What};

/// Each directory is watched by itself where the system's own way of watching a tree would be just that, without
/// regard to what is ignored. Elsewhere a tree costs no more than a directory.
pub(super) const EACH_DIRECTORY: bool = cfg!(any(target_os = "linux", target_os = "android"));

pub(super) struct Source {
    /// `None` once it has failed us.
    watcher: Option<RecommendedWatcher>,
}

/// Why a directory is not watched.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is no longer there, or we may not look into it: there is nothing for us in it.
    NotForUs,
    /// There will be no more watches.
    Limit,
    Failed(String),
    /// There is no watcher any more.
    Ended(String),
}

impl Source {
    /// A watcher that watches nothing yet. It puts its signs into the slot.
    pub(super) fn new(slot: Slot, generation: u64) -> Result<Self, String> {
        let handler = move |event| signs(event, &mut |sign| slot.put(generation, sign));
        let watcher = RecommendedWatcher::new(handler, Config::default().with_follow_symlinks(false));
        Ok(Self { watcher: Some(watcher.map_err(|error| error.to_string())?) })
    }

    pub(super) fn watch(&mut self, directory: &Path) -> Result<(), Refusal> {
        let mode = if EACH_DIRECTORY { RecursiveMode::NonRecursive } else { RecursiveMode::Recursive };
        self.guarded(|watcher| watcher.watch(directory, mode)).map_err(|error| match self.watcher {
            Some(_) => refusal(error),
            None => Refusal::Ended(error.to_string()),
        })
    }

    /// That it is not watched any more is no failure: the system may have seen to it already.
    pub(super) fn unwatch(&mut self, directory: &Path) {
        if let Err(error) = self.guarded(|watcher| watcher.unwatch(directory)) {
            tracing::trace!(%error, "not watched any more");
        }
    }

    /// The library panics if its own thread is gone, and does not say if that thread could not be started.
    fn guarded(
        &mut self,
        work: impl FnOnce(&mut RecommendedWatcher) -> notify::Result<()>,
    ) -> notify::Result<()> {
        let gone = || notify::Error::generic("the system's watcher has ended");
        let watcher = self.watcher.as_mut().ok_or_else(gone)?;
        catch_unwind(AssertUnwindSafe(|| work(watcher))).unwrap_or_else(|_| {
            self.close();
            Err(gone())
        })
    }

    fn close(&mut self) {
        let watcher = self.watcher.take();
        // It panics here, too, for the same reason.
        if catch_unwind(AssertUnwindSafe(|| drop(watcher))).is_err() {
            tracing::debug!("the system's watcher had ended before it was closed");
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.close();
    }
}

fn refusal(error: notify::Error) -> Refusal {
    match error.kind {
        notify::ErrorKind::MaxFilesWatch => Refusal::Limit,
        notify::ErrorKind::PathNotFound => Refusal::NotForUs,
        notify::ErrorKind::Io(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied => {
                Refusal::NotForUs
            }
            io::ErrorKind::StorageFull | io::ErrorKind::OutOfMemory => Refusal::Limit,
            _ => Refusal::Failed(error.to_string()),
        },
        _ => Refusal::Failed(error.to_string()),
    }
}

/// What an event means to us. Runs on the library's thread, for every file that anybody opens: it must be quick.
fn signs(event: notify::Result<Event>, tell: &mut dyn FnMut(Sign)) {
    let Ok(event) = event else { return tell(Sign::Lost) };
    if event.need_rescan() {
        return tell(Sign::Lost);
    }
    let what = match event.kind {
        // Whoever writes through a mapping shows no other sign of it.
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => What::Written,
        EventKind::Access(_) => return,
        EventKind::Create(_) => What::Appeared,
        EventKind::Modify(ModifyKind::Data(_)) => What::Written,
        EventKind::Modify(ModifyKind::Name(RenameMode::From)) => What::Vanished,
        EventKind::Modify(ModifyKind::Name(RenameMode::To)) => What::Appeared,
        // Both ends have been told one by one.
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => return,
        EventKind::Modify(ModifyKind::Name(_)) | EventKind::Any | EventKind::Other => What::Unclear,
        EventKind::Modify(_) => What::Touched,
        EventKind::Remove(RemoveKind::Folder) => What::DirectoryVanished,
        EventKind::Remove(_) => What::Vanished,
    };
    event.paths.into_iter().for_each(|path: PathBuf| tell(Sign::At(what, path)));
}

#[cfg(test)]
mod tests {
    use notify::event::{DataChange, Flag, MetadataKind};

    use super::*;

    fn read(event: notify::Result<Event>) -> Vec<Sign> {
        let mut all = Vec::new();
        signs(event, &mut |sign| all.push(sign));
        all
    }

    fn of(kind: EventKind) -> Option<What> {
        match &read(Ok(Event::new(kind).add_path("/a".into())))[..] {
            [] => None,
            [Sign::At(what, path)] if path == Path::new("/a") => Some(*what),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn reading_is_no_sign_and_the_end_of_writing_is() {
        assert_eq!(of(EventKind::Access(AccessKind::Open(AccessMode::Any))), None);
        assert_eq!(of(EventKind::Access(AccessKind::Close(AccessMode::Read))), None);
        assert_eq!(of(EventKind::Access(AccessKind::Close(AccessMode::Write))), Some(What::Written));
        assert_eq!(of(EventKind::Modify(ModifyKind::Data(DataChange::Any))), Some(What::Written));
        assert_eq!(of(EventKind::Modify(ModifyKind::Metadata(MetadataKind::Any))), Some(What::Touched));
        assert_eq!(of(EventKind::Remove(RemoveKind::Folder)), Some(What::DirectoryVanished));
    }

    #[test]
    fn a_full_queue_and_a_failed_read_lose_signs() {
        assert_eq!(read(Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan))), [Sign::Lost]);
        assert_eq!(read(Err(notify::Error::generic("broken"))), [Sign::Lost]);
    }

    #[test]
    fn tells_limits_from_what_does_not_concern_us() {
        let io = |kind: io::ErrorKind| refusal(notify::Error::io(kind.into()));
        assert_eq!(refusal(notify::Error::new(notify::ErrorKind::MaxFilesWatch)), Refusal::Limit);
        assert_eq!(io(io::ErrorKind::StorageFull), Refusal::Limit);
        assert_eq!(io(io::ErrorKind::PermissionDenied), Refusal::NotForUs);
        assert_eq!(refusal(notify::Error::path_not_found()), Refusal::NotForUs);
        assert!(matches!(io(io::ErrorKind::InvalidInput), Refusal::Failed(_)));
    }
}
