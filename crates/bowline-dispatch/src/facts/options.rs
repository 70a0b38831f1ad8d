//! What the text of a command leaves open, and a look at the disk decides.
//!
//! A file `-rf` makes `rm *` remove directories. `cp a b` writes `b/a` if `b` is a directory, and never if it is a file.

use std::ffi::OsStr;
use std::path::Path;

use bowline_gate::{Access, Bare, Doubt, Filter, Script};
use bowline_std::fs::absolute;

use super::tree::NameFilter;

/// Entries of one directory that are looked at.
const MAX_NAMES: usize = 20_000;

/// What speaks against knowing the options of these commands, if anything does.
pub(super) fn hidden(script: &Script, base: &Path) -> Option<Doubt> {
    script.bare.iter().find_map(|bare| {
        let filter = Filter { parts: vec![bare.pattern.clone()], ..Filter::default() };
        let Some(pattern) = NameFilter::new(&filter) else {
            return Some(doubt(bare, "which names it stands for cannot be told"));
        };
        let is_option =
            |name: &OsStr| name.as_encoded_bytes().starts_with(b"-") && pattern.enters(Path::new(name));
        if is_made(script, is_option) {
            return Some(doubt(bare, "a name that begins with a dash is an option"));
        }
        bare.directories.iter().find_map(|directory| found(&base.join(directory), bare, is_option))
    })
}

fn doubt(bare: &Bare, why: &str) -> Doubt {
    Doubt::Unreadable(format!("`{}` stands where options may stand, and {why}; write `./{0}`", bare.pattern))
}

/// The command line makes such a name itself.
fn is_made(script: &Script, is_option: impl Fn(&OsStr) -> bool) -> bool {
    let paths = script.writes().flat_map(|touch| &touch.paths);
    paths.filter_map(|path| path.file_name()).any(is_option)
}

fn found(directory: &Path, bare: &Bare, is_option: impl Fn(&OsStr) -> bool) -> Option<Doubt> {
    // A directory that cannot be read gives the shell no names either.
    let entries = std::fs::read_dir(directory).ok()?;
    for (count, entry) in entries.enumerate() {
        let Some(entry) = entry.ok().filter(|_| count < MAX_NAMES) else {
            return Some(doubt(bare, "the directory is too large to be looked at"));
        };
        if is_option(&entry.file_name()) {
            let name = entry.file_name();
            return Some(doubt(bare, &format!("`{}` would be one", name.to_string_lossy())));
        }
    }
    None
}

/// Nothing can stand at this path, because a file stands above it, and no other part of the command line changes that.
pub(super) fn is_below_a_file(script: &Script, base: &Path, path: &Path) -> bool {
    let path = absolute(base, path);
    let Some(file) = path.ancestors().skip(1).find(|above| above.symlink_metadata().is_ok()) else {
        return false;
    };
    if !file.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let changes = script.touches.iter().filter(|touch| touch.access == Access::Write).filter(|touch| {
        let mut paths = touch.paths.iter().map(|path| absolute(base, path));
        paths.any(|path| file == path || touch.is_deep && file.starts_with(&path))
    });
    changes.count() <= 1
}
