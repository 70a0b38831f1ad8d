//! What is replaced is kept: moved to the state directory, or copied there where that is on another file system.

use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, bail};
use bowline_std::clock::rfc3339;

/// More than a skill has. What is larger is for its owner to move.
const MOST_ENTRIES: usize = 2_000;
const MOST_BYTES: u64 = 64 << 20;

/// Where the old one is now.
#[derive(Debug)]
pub(super) struct Kept {
    /// Where it is kept.
    pub(super) path: PathBuf,
    /// From where it could be put back by a rename.
    pub(super) moved: PathBuf,
}

/// Takes a directory away from its place, into a new directory below `aside`. `spare` is a directory beside it that goes away
/// later.
pub(super) fn put(target: &Path, aside: &Path, spare: &Path) -> anyhow::Result<Kept> {
    let name = target.file_name().context("it has no name")?;
    // Unless the old one ends up in it, the room goes away again.
    let room = room(aside)?;
    let kept = room.path().join(name);
    match std::fs::rename(target, &kept) {
        Ok(()) => {
            let _ = room.keep();
            return Ok(Kept { moved: kept.clone(), path: kept });
        }
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
        Err(error) => return Err(error).context("the old one cannot be moved away"),
    }
    let copied = copy(target, &kept, &mut Limits { entries: MOST_ENTRIES, bytes: MOST_BYTES });
    copied
        .context("the old one cannot be copied to the state directory, so it stays; move it away yourself")?;
    let moved = spare.join("old");
    std::fs::rename(target, &moved).context("the old one cannot be moved away")?;
    let _ = room.keep();
    Ok(Kept { path: kept, moved })
}

/// A new directory, named after the moment.
fn room(aside: &Path) -> anyhow::Result<tempfile::TempDir> {
    let why = || format!("nothing can be kept in `{}`", aside.display());
    std::fs::create_dir_all(aside).with_context(why)?;
    let stamp = rfc3339(SystemTime::now()).replace(['-', ':'], "");
    tempfile::Builder::new().prefix(&format!("{stamp}-")).tempdir_in(aside).with_context(why)
}

struct Limits {
    entries: usize,
    bytes: u64,
}

/// Everything below a directory, links as links.
fn copy(from: &Path, to: &Path, limits: &mut Limits) -> anyhow::Result<()> {
    std::fs::create_dir(to)?;
    for entry in from.read_dir()? {
        let entry = entry?;
        let (kind, path, new) = (entry.file_type()?, entry.path(), to.join(entry.file_name()));
        let left = limits.entries.checked_sub(1);
        limits.entries = left.with_context(|| format!("it has more than {MOST_ENTRIES} files"))?;
        if kind.is_dir() {
            copy(&path, &new, limits)?;
        } else if kind.is_symlink() {
            symlink(std::fs::read_link(&path)?, &new)?;
        } else if kind.is_file() {
            let left = limits.bytes.checked_sub(entry.metadata()?.len());
            limits.bytes = left.with_context(|| format!("it has more than {MOST_BYTES} bytes"))?;
            std::fs::copy(&path, &new)?;
        } else {
            bail!("`{}` is neither a file nor a directory", path.display());
        }
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "fixtures")]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits { entries: 10, bytes: 100 }
    }

    #[test]
    fn a_copy_has_everything_and_follows_no_link() {
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old");
        std::fs::create_dir_all(old.join("references/deep")).unwrap();
        std::fs::write(old.join("references/deep/a.md"), "mine").unwrap();
        symlink("/etc/passwd", old.join("link")).unwrap();
        let new = dir.path().join("new");
        copy(&old, &new, &mut limits()).unwrap();
        assert_eq!(std::fs::read_to_string(new.join("references/deep/a.md")).unwrap(), "mine");
        assert_eq!(std::fs::read_link(new.join("link")).unwrap(), Path::new("/etc/passwd"));
    }

    #[test]
    fn what_is_too_large_or_strange_is_not_copied() {
        let dir = tempfile::tempdir().unwrap();
        let old = dir.path().join("old");
        std::fs::create_dir(&old).unwrap();
        std::fs::write(old.join("large"), "x".repeat(101)).unwrap();
        let wrong = |to: &str| copy(&old, &dir.path().join(to), &mut limits()).unwrap_err().to_string();
        assert!(wrong("a").contains("bytes"));
        std::fs::remove_file(old.join("large")).unwrap();
        (0..11).for_each(|number| std::fs::write(old.join(number.to_string()), "").unwrap());
        assert!(wrong("b").contains("files"));
    }

    #[test]
    fn what_is_taken_away_is_kept_under_its_name_each_in_its_room() {
        let dir = tempfile::tempdir().unwrap();
        let (aside, target) = (dir.path().join("state/aside"), dir.path().join("skill"));
        let keep = |text: &str| {
            std::fs::create_dir(&target).unwrap();
            std::fs::write(target.join("SKILL.md"), text).unwrap();
            put(&target, &aside, dir.path()).unwrap().path
        };
        let (first, second) = (keep("first"), keep("second"));
        assert!(!target.exists());
        assert_eq!(std::fs::read_to_string(first.join("SKILL.md")).unwrap(), "first");
        assert_eq!(std::fs::read_to_string(second.join("SKILL.md")).unwrap(), "second");
    }
}
