//! What the files of a trail are called: the current one, and those that grew too large, in order.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bowline_std::clock::rfc3339;

/// The place of a rotated file among its like: `<stem>-<stamp>-<number>.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn {
    stamp: String,
    number: u64,
}

/// Tells one file from another, whatever it is called now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identity(u64, u64);

impl Identity {
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(metadata.dev(), metadata.ino())
    }

    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let created = metadata.created().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        created.map_or(Self(0, 0), |since| Self(since.as_secs(), since.subsec_nanos().into()))
    }
}

/// The rotated files of the trail, oldest first.
pub(crate) fn rotated(path: &Path) -> io::Result<Vec<(Turn, PathBuf)>> {
    let directory = directory_of(path);
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if let Some(turn) = name.to_str().and_then(|name| turn_of(path, name)) {
            found.push((turn, directory.join(name)));
        }
    }
    found.sort();
    Ok(found)
}

/// Where the current file goes when it is full. Later than all others, even where the clock was turned back.
pub(crate) fn next_rotated(path: &Path, now: SystemTime) -> io::Result<PathBuf> {
    let stamp = rfc3339(now).replace(['-', ':'], "");
    let turn = match rotated(path)?.pop() {
        Some((last, _)) if last.stamp >= stamp => Turn { number: last.number + 1, ..last },
        _ => Turn { stamp, number: 1 },
    };
    let (stem, extension) = parts(path);
    Ok(directory_of(path).join(format!("{stem}-{}-{}{extension}", turn.stamp, turn.number)))
}

/// Its lock is held while the current file changes its name.
pub(crate) fn lock_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn parts(path: &Path) -> (String, String) {
    let text = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let extension = text(path.extension()).map_or_else(String::new, |extension| format!(".{extension}"));
    (text(path.file_stem()).unwrap_or_default(), extension)
}

/// `20261116T083000.000Z-1` between the trail's own stem and extension.
fn turn_of(path: &Path, name: &str) -> Option<Turn> {
    let (stem, extension) = parts(path);
    let middle = name.strip_prefix(&stem)?.strip_prefix('-')?.strip_suffix(&extension)?;
    let (stamp, number) = middle.split_once('-')?;
    let shape = "########T######.###Z";
    let fits = |(written, shape): (u8, u8)| {
        if shape == b'#' { written.is_ascii_digit() } else { written == shape }
    };
    let is_stamp = stamp.len() == shape.len() && stamp.bytes().zip(shape.bytes()).all(fits);
    let number = number.parse().ok()?;
    is_stamp.then(|| Turn { stamp: stamp.to_owned(), number })
}
