//! Names of files that a program would take for options: a file `-rf` makes `rm *` remove directories.

use std::ffi::OsStr;
use std::path::Path;

use bowline_gate::{Bare, Doubt, Filter, Script};

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
