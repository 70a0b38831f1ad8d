//! Where a program is.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// Where a program of this name is on a `PATH`-like value. A name with a separator is a path, relative to `dir`, and
/// is taken as it is if anything is there: [`super::spawn`] says what is wrong with it.
///
/// Relative and empty entries of the `PATH` are passed over. They would mean the working directory, which is the
/// project somebody else wrote: no program is taken from there by its mere name.
pub fn find_program(name: &OsStr, path_var: &OsStr, dir: &Path) -> Option<PathBuf> {
    if has_separator(name) {
        return Some(dir.join(name)).filter(|path| path.exists());
    }
    std::env::split_paths(path_var)
        .filter(|entry| entry.is_absolute())
        .map(|entry| entry.join(name))
        .find(|path| is_executable(path))
}

pub(super) fn has_separator(name: &OsStr) -> bool {
    name.as_bytes().contains(&b'/')
}

pub(super) fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "fixtures")]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn finds_the_first_executable_file_and_takes_paths_as_they_are() {
        let keep = tempfile::tempdir().unwrap();
        let dir = keep.path();
        let put = |name: &str, mode: u32| {
            let file = dir.join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, "").unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        put("first/tool", 0o644);
        put("second/tool", 0o755);
        put("third/tool", 0o755);
        put("tool", 0o755);
        std::fs::create_dir(dir.join("first/folder")).unwrap();

        let path = format!(".::first:{0}/first:{0}/second:{0}/third", dir.display());
        let find = |name: &str| find_program(OsStr::new(name), OsStr::new(&path), dir);
        assert_eq!(find("tool"), Some(dir.join("second/tool")));
        assert_eq!(find("./tool"), Some(dir.join("./tool")));
        assert_eq!(find("first/tool"), Some(dir.join("first/tool")));
        assert_eq!(find("/bin/sh"), Some("/bin/sh".into()));
        for nowhere in ["folder", "none", "first/none", "/none", "", ".", ".."] {
            assert_eq!(find(nowhere), None, "{nowhere}");
        }
    }
}
