//! The files that git tracks, by the index of the repository around a directory.

use std::path::{Path, PathBuf};

use bowline_std::fs::{absolute, read_bounded, read_text};

/// A larger index is not read: half a million files have one of about 60 MB.
const MAX_INDEX_BYTES: u64 = 64 << 20;
const MAX_LINK_BYTES: u64 = 4096;

/// Times, device, inode, mode, owner and size, the hash, the flags.
const FIXED_BYTES: usize = 40 + HASH_BYTES + 2;
const HASH_BYTES: usize = 20;
const MODE_AT: usize = 24;

/// What git tracks below `start`, by names from `start` on. `None` if that cannot be told.
pub(super) fn below(start: &Path) -> Option<Vec<PathBuf>> {
    let Some(top) = top(start) else {
        // Outside a repository git tracks nothing.
        return Some(Vec::new());
    };
    let index = git_directory(top)?.join("index");
    if index.symlink_metadata().is_err() {
        return Some(Vec::new());
    }
    let (bytes, _) = read_bounded(&index, MAX_INDEX_BYTES).ok()?;
    let names = names(&bytes)?;
    let prefix = start.strip_prefix(top).ok()?;
    Some(names.iter().filter_map(|name| name.strip_prefix(prefix).ok()).map(Path::to_owned).collect())
}

/// The directory of the repository that `start` lies in.
pub(super) fn top(start: &Path) -> Option<&Path> {
    start.ancestors().find(|directory| directory.join(".git").symlink_metadata().is_ok())
}

/// `.git` is the directory itself, or a file that names it.
fn git_directory(top: &Path) -> Option<PathBuf> {
    let dot_git = top.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let (text, _) = read_text(&dot_git, MAX_LINK_BYTES).ok()?;
    let place = text.trim_end_matches(['\n', '\r']).strip_prefix("gitdir: ")?;
    Some(absolute(top, Path::new(place)))
}

/// The names in an index of version 2, 3 or 4. `None` for what this reader does not know: a split or sparse index, other hashes.
fn names(bytes: &[u8]) -> Option<Vec<PathBuf>> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut names: Vec<PathBuf> = Vec::new();
    let (mut at, mut last) = (12, Vec::new());
    for _ in 0..count {
        let begin = at;
        if !matches!(number(at + MODE_AT)?, 0o100_644 | 0o100_755 | 0o120_000 | 0o160_000) {
            return None;
        }
        let is_extended = version >= 3 && bytes.get(at + FIXED_BYTES - 2)? & 0x40 != 0;
        at += FIXED_BYTES + if is_extended { 2 } else { 0 };
        if version == 4 {
            let (stripped, next) = offset(bytes, at)?;
            last.truncate(last.len().checked_sub(stripped)?);
            at = next;
        } else {
            last.clear();
        }
        let length = bytes.get(at..)?.iter().position(|byte| *byte == 0)?;
        last.extend_from_slice(&bytes[at..at + length]);
        at += length + 1;
        if version < 4 {
            // Entries end at a multiple of eight bytes.
            at = begin + (at - begin).next_multiple_of(8);
        }
        names.push(path(&last));
    }
    // What follows are extensions, of which those in small letters change what the entries mean.
    while at + HASH_BYTES < bytes.len() {
        if bytes.get(at)?.is_ascii_lowercase() {
            return None;
        }
        at = at.checked_add(8)?.checked_add(number(at + 4)? as usize)?;
    }
    (at + HASH_BYTES == bytes.len()).then_some(names)
}

/// A number of any length: seven bits in each byte.
fn offset(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some((value, at + 1))
}

fn path(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "the real git is the judge, in a directory of its own")]
    fn git(directory: &Path, arguments: &[&str]) {
        let status = std::process::Command::new("git")
            .args(["-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(directory)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("HOME", directory)
            .status();
        assert!(status.unwrap().success(), "git {arguments:?}");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    fn every_version_of_the_index_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        git(root, &["init", "--quiet"]);
        let all = ["a", "src/deep/b.rs", "src/deep/c.rs", "src/exactly-eight-more", "z ä"];
        for name in all.iter().chain(&["untracked", "src/intended"]) {
            std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            std::fs::write(root.join(name), "text\n").unwrap();
        }
        git(root, &[&["add"][..], &all].concat());
        let tracked = |start: &str| {
            below(&root.join(start)).map(|names| {
                let mut names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
                names.sort();
                names
            })
        };
        assert_eq!(tracked(""), Some(all.map(str::to_owned).to_vec()));
        git(root, &["add", "--intent-to-add", "src/intended"]);
        for version in ["2", "3", "4"] {
            git(root, &["update-index", "--index-version", version]);
            assert_eq!(
                tracked("src"),
                Some(
                    ["deep/b.rs", "deep/c.rs", "exactly-eight-more", "intended"].map(str::to_owned).to_vec()
                ),
                "version {version}"
            );
        }
        git(root, &["update-index", "--split-index"]);
        assert_eq!(tracked("src"), None, "a split index keeps its entries elsewhere");
    }

    #[test]
    fn what_is_no_index_is_not_known() {
        assert_eq!(names(b""), None);
        assert_eq!(names(b"DIRC\0\0\0\x02\0\0\0\x01"), None);
        assert_eq!(names(&[b"DIRC\0\0\0\x02\xff\xff\xff\xff".as_slice(), &[0; 400]].concat()), None);
        assert_eq!(names(&[b"DIRC\0\0\0\x02\0\0\0\0".as_slice(), &[0; 20]].concat()), Some(Vec::new()));
    }
}
