//! One installer at a time for each directory: whoever holds it may tidy up after one that was killed.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

/// What a directory begins with that a skill is written in before it is put in its place.
pub(super) const STAGE: &str = ".bowline-";
/// And so many letters or digits follow.
pub(super) const STAGE_LETTERS: usize = 6;

/// All of our skills are installed in a fraction of it.
const PATIENCE: Duration = Duration::from_secs(30);

/// A directory that no other installer writes into until this goes.
#[derive(Debug)]
pub(super) struct Held {
    _lock: File,
}

/// Makes the directory, waits until nobody else installs into it, and removes what a run left that was killed. None where
/// the file system cannot say who holds a directory: then nothing is removed.
pub(super) fn hold(directory: &Path) -> anyhow::Result<Option<Held>> {
    within(directory, PATIENCE)
}

fn within(directory: &Path, patience: Duration) -> anyhow::Result<Option<Held>> {
    std::fs::create_dir_all(directory).context("the directory cannot be made")?;
    let lock = OpenOptions::new().read(true).open(directory).context("the directory cannot be read")?;
    let started = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if started.elapsed() < patience => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => bail!("another bowline has been installing here for too long"),
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
    tidy(directory);
    Ok(Some(Held { _lock: lock }))
}

/// What cannot be removed does no harm.
fn tidy(directory: &Path) {
    for entry in directory.read_dir().into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(is_stage);
        if ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_stage(name: &str) -> bool {
    name.strip_prefix(STAGE).is_some_and(|letters| {
        letters.len() == STAGE_LETTERS && letters.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "fixtures")]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_left_is_removed_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::create_dir_all(path(".bowline-aB3xYz/lsp-rename")).unwrap();
        for kept in [".bowline-notes", ".bowline-", ".bowline-abcde1x", "lsp-rename"] {
            std::fs::create_dir_all(path(kept)).unwrap();
        }
        std::fs::write(path(".bowline-abcdef"), "a file").unwrap();
        std::os::unix::fs::symlink(path("lsp-rename"), path(".bowline-abcdeg")).unwrap();
        drop(hold(dir.path()).unwrap().unwrap());
        let mut left: Vec<String> = dir
            .path()
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort_unstable();
        assert_eq!(
            left,
            [
                ".bowline-",
                ".bowline-abcde1x",
                ".bowline-abcdef",
                ".bowline-abcdeg",
                ".bowline-notes",
                "lsp-rename"
            ]
        );
    }

    #[test]
    fn one_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let first = hold(dir.path()).unwrap().unwrap();
        let second = within(dir.path(), Duration::ZERO).unwrap_err();
        assert!(second.to_string().contains("another bowline"), "{second}");
        drop(first);
        assert!(within(dir.path(), Duration::ZERO).unwrap().is_some());
    }
}
