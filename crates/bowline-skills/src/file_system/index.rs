//! The files beside a skill, on the disk.

use std::ffi::OsStr;
use std::fs::File;

use crate::Finding;
use crate::bundled::{FOLDERS, MOST};
use crate::disk::{Dir, Kind, Refusal};

/// Every file one level below the three folders, and what is doubtful about them.
pub(crate) fn files(skill: &Dir) -> (Vec<String>, Vec<Finding>) {
    let mut files = Vec::new();
    let mut warnings = Vec::new();
    for folder in FOLDERS {
        let dir = match skill.dir(OsStr::new(folder)) {
            Ok(dir) => dir,
            Err(Refusal::Missing) => continue,
            Err(refusal) => {
                warnings.push(Finding::new(folder, None, refusal.about(&format!("`{folder}`"))));
                continue;
            }
        };
        let first = files.len();
        let mut more = false;
        let listed = dir.each(|name, kind| {
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                return true;
            };
            match kind {
                Kind::File => {}
                Kind::Link => match link(skill, &dir, OsStr::new(name)) {
                    Ok(_) => {}
                    Err(Refusal::Leaves) => {
                        let message = format!("`{folder}/{name}` is a link that leads out of the skill");
                        warnings.push(Finding::new(folder, None, message));
                        return warnings.len() < MOST;
                    }
                    Err(_) => return true,
                },
                Kind::Directory | Kind::Other => return true,
            }
            files.push(format!("{folder}/{name}"));
            more = files.len() - first > MOST;
            !more
        });
        if let Err(error) = listed {
            warnings.push(Finding::new(folder, None, format!("`{folder}` cannot be listed: {error}")));
        }
        if more {
            files.truncate(first + MOST);
            warnings.push(Finding::new(
                folder,
                None,
                format!("`{folder}` has more than {MOST} files; the rest is not listed"),
            ));
        }
    }
    files.sort_unstable();
    (files, warnings)
}

/// The file that `files` lists by this name. None where it lists none.
pub(super) fn open(skill: &Dir, folder: &Dir, name: &OsStr) -> Option<File> {
    folder.file(name).or_else(|_| link(skill, folder, name)).ok()
}

/// A link in a folder may lead to anywhere in the skill.
fn link(skill: &Dir, folder: &Dir, name: &OsStr) -> Result<File, Refusal> {
    match folder.real.strip_prefix(&skill.real) {
        Ok(inside) => skill.file_below(&inside.join(name)),
        Err(_) => Err(Refusal::Leaves),
    }
}
