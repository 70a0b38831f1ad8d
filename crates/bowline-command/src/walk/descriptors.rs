//! Open files that have a name: `/dev/fd/3`, `/proc/self/fd/3`, `/dev/stdin`.
//!
//! Whoever opens such a name opens the file again, and not as it was opened before: a file that a redirection opened to be
//! read can be written through it. Numbers are compared over the whole text, whichever command opened them: a shell gives
//! its open files to everything it starts.

use std::path::{Component, Path, PathBuf};

use crate::{Access, Filter, Touch};

/// Touches that come of opening files again. A text that makes more is not followed.
const MAX_REOPENED: usize = 256;

/// Names of open files that lead to names of open files.
const MAX_STEPS: usize = 4;

/// From this number on a shell keeps copies of files that a redirection hides for a while.
const FIRST_SAVED: u32 = 10;

/// What a path is to the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// The open file of this number, or of any, and what follows: a directory may be open, too.
    Open(Option<u32>, PathBuf),
    /// Some file of a process about which nothing is known.
    OfAnotherProcess,
    /// The directory that the command runs in, and what follows it.
    CurrentDirectory(PathBuf),
    /// The same as another path.
    Path(PathBuf),
}

/// What redirections open, and what is opened again by name.
#[derive(Debug, Default)]
pub(super) struct Descriptors {
    opened: Vec<(Option<u32>, Opened)>,
    /// `3>&4`: both numbers are one file.
    copied: Vec<(u32, u32)>,
    /// A copy was made of a number that is not known.
    is_mixed: bool,
    reopened: Vec<Reopened>,
}

/// Where a redirection leads.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Opened {
    Paths {
        paths: Vec<PathBuf>,
        is_deep: bool,
    },
    /// Through a name of another open file.
    Through(Option<u32>, PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Reopened {
    access: Access,
    number: Option<u32>,
    /// What follows the name.
    rest: PathBuf,
    is_deep: bool,
}

/// There are more files that may be meant than are followed.
pub(super) struct TooMany;

impl Descriptors {
    /// A redirection opens a file with this number; `None` if it is known only when it runs.
    pub(super) fn open(&mut self, number: Option<u32>, touch: &Touch) {
        self.add(number, Opened::Paths { paths: touch.paths.clone(), is_deep: touch.is_deep });
    }

    /// A redirection opens what another number has open already.
    pub(super) fn open_again(&mut self, number: Option<u32>, of: Option<u32>, rest: PathBuf) {
        match rest.as_os_str().is_empty() {
            true => self.copy(number, of),
            false => self.add(number, Opened::Through(of, rest)),
        }
    }

    fn add(&mut self, number: Option<u32>, file: Opened) {
        // One more than are followed says that there are too many.
        if self.opened.len() <= MAX_REOPENED && !self.opened.contains(&(number, file.clone())) {
            self.opened.push((number, file));
        }
    }

    pub(super) fn copy(&mut self, number: Option<u32>, of: Option<u32>) {
        match (number, of) {
            (Some(number), Some(of)) if number == of || self.copied.contains(&(number, of)) => {}
            (Some(number), Some(of)) if self.copied.len() < MAX_REOPENED => self.copied.push((number, of)),
            _ => self.is_mixed = true,
        }
    }

    pub(super) fn reopen(&mut self, access: Access, number: Option<u32>, rest: PathBuf, is_deep: bool) {
        let reopened = Reopened { access, number, rest, is_deep };
        if self.reopened.len() <= MAX_REOPENED && !self.reopened.contains(&reopened) {
            self.reopened.push(reopened);
        }
    }

    /// What is touched because something is opened again.
    pub(super) fn touches(&self) -> Result<Vec<Touch>, TooMany> {
        let mut touches = Vec::new();
        for reopened in &self.reopened {
            let mut files = Vec::new();
            self.files(reopened.number, &reopened.rest, MAX_STEPS, &mut files)?;
            for (paths, is_deep) in files {
                let (access, is_deep) = (reopened.access, is_deep || reopened.is_deep);
                let touch = Touch { access, paths, is_deep, filter: Filter::default() };
                if !touches.contains(&touch) {
                    touches.push(touch);
                }
            }
            if self.opened.len() > MAX_REOPENED || touches.len() > MAX_REOPENED {
                return Err(TooMany);
            }
        }
        Ok(touches)
    }

    /// Every file that this number may be, and whether all below is meant.
    fn files(
        &self,
        number: Option<u32>,
        rest: &Path,
        steps: usize,
        found: &mut Vec<(Vec<PathBuf>, bool)>,
    ) -> Result<(), TooMany> {
        let steps = steps.checked_sub(1).ok_or(TooMany)?;
        let numbers = number.filter(|number| *number < FIRST_SAVED).map(|number| self.alike(number));
        for (number, opened) in &self.opened {
            let is_meant = match (&numbers, number) {
                (Some(numbers), Some(number)) => self.is_mixed || numbers.contains(number),
                _ => true,
            };
            if !is_meant {
                continue;
            }
            if found.len() > MAX_REOPENED {
                return Err(TooMany);
            }
            match opened {
                Opened::Paths { paths, is_deep } => {
                    found.push((paths.iter().map(|path| below(path, rest)).collect(), *is_deep));
                }
                Opened::Through(of, between) => self.files(*of, &below(between, rest), steps, found)?,
            }
        }
        Ok(())
    }

    /// The number, and all that are copies of it.
    fn alike(&self, number: u32) -> Vec<u32> {
        // `&>` opens both.
        let pairs = || self.copied.iter().chain(&[(1, 2)]);
        let mut alike = vec![number];
        let mut next = 0;
        while let Some(number) = alike.get(next).copied() {
            for (one, other) in pairs() {
                let found = match number {
                    _ if number == *one => *other,
                    _ if number == *other => *one,
                    _ => continue,
                };
                if !alike.contains(&found) {
                    alike.push(found);
                }
            }
            next += 1;
        }
        alike
    }
}

fn below(path: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() { path.to_owned() } else { path.join(rest) }
}

/// What this absolute path is, if it is more than a path. The links of `/dev` and `/proc` are followed; `..` leads to where
/// the kernel would go from there.
pub(super) fn name(path: &Path, is_deep: bool) -> Option<Name> {
    let mut parts = path.components();
    if parts.next() != Some(Component::RootDir) {
        return None;
    }
    let mut at: Vec<&str> = Vec::new();
    let mut is_other_path = false;
    while let Some(part) = parts.next() {
        match part {
            Component::ParentDir => {
                at.pop();
            }
            Component::Normal(name) => at.push(name.to_str().unwrap_or("?")),
            _ => {}
        }
        let rest = || parts.as_path().to_owned();
        match at.as_slice() {
            ["dev", "stdin"] => return Some(Name::Open(Some(0), rest())),
            ["dev", "stdout"] => return Some(Name::Open(Some(1), rest())),
            ["dev", "stderr"] => return Some(Name::Open(Some(2), rest())),
            ["dev", "fd"] => at = vec!["proc", "self", "fd"],
            ["dev", "core"] => return Some(Name::OfAnotherProcess),
            ["proc", "net" | "mounts"] => at.insert(1, "self"),
            ["proc", process, inside @ ..] => {
                let is_own = matches!(*process, "self" | "thread-self");
                if !is_own && !process.bytes().all(|byte| byte.is_ascii_digit()) {
                    continue;
                }
                let inside = match inside {
                    ["task", _, inside @ ..] => inside,
                    inside => inside,
                };
                match inside {
                    ["fd" | "map_files", number] if is_own => {
                        return Some(Name::Open(number.parse().ok(), rest()));
                    }
                    ["cwd"] if is_own => return Some(Name::CurrentDirectory(rest())),
                    ["root"] => {
                        at = Vec::new();
                        is_other_path = true;
                    }
                    ["fd" | "map_files" | "cwd" | "exe" | "mem", ..] if !is_own => {
                        return Some(Name::OfAnotherProcess);
                    }
                    ["mem", ..] => return Some(Name::OfAnotherProcess),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    if is_deep {
        // Below a process are its open files, and all that its directories lead to.
        let is_process = |name: &str| {
            matches!(name, "self" | "thread-self") || name.bytes().all(|byte| byte.is_ascii_digit())
        };
        match at.as_slice() {
            [] | ["dev"] | ["proc", "self" | "thread-self", "fd"] => {
                return Some(Name::Open(None, PathBuf::new()));
            }
            ["proc"] => return Some(Name::OfAnotherProcess),
            ["proc", process] | ["proc", process, "fd" | "task", ..] if is_process(process) => {
                return Some(Name::OfAnotherProcess);
            }
            _ => {}
        }
    }
    is_other_path.then(|| Name::Path(Path::new("/").join(at.iter().collect::<PathBuf>())))
}

/// The number that this path may be a name of, if what stands before its end leads to `/dev` or `/proc` by a link or by a
/// directory that is not known.
pub(super) fn may_be_open(path: &Path) -> Option<u32> {
    let mut parts = path.components().rev().map(|part| part.as_os_str().to_str().unwrap_or("?"));
    let (last, before) = (parts.next()?, parts.next());
    match (last, before) {
        ("stdin", None | Some("dev" | "..")) => Some(0),
        ("stdout", None | Some("dev" | "..")) => Some(1),
        ("stderr", None | Some("dev" | "..")) => Some(2),
        (number, None | Some("fd" | "..")) => number.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(number: impl Into<Option<u32>>, rest: &str) -> Option<Name> {
        Some(Name::Open(number.into(), rest.into()))
    }

    #[test]
    fn names_of_open_files() {
        for (path, expected) in [
            ("/dev/stdin", open(0, "")),
            ("/dev/stderr", open(2, "")),
            ("/dev/fd/17", open(17, "")),
            ("/dev/fd/03", open(3, "")),
            ("/dev/fd/x", open(None, "")),
            ("/dev/fd/3/../a", open(3, "../a")),
            ("/dev/../dev/./fd/3", open(3, "")),
            ("/dev/fd/../fd/3", open(3, "")),
            ("/dev/fd/../../self/fd/3", open(3, "")),
            ("/dev/fd/../cwd/a", Some(Name::CurrentDirectory("a".into()))),
            ("/proc/self/fd/3", open(3, "")),
            ("/proc/thread-self/fd/3", open(3, "")),
            ("/proc/self/task/12/fd/3", open(3, "")),
            ("/proc/self/../self/fd/3", open(3, "")),
            ("/proc/mounts/../fd/3", open(3, "")),
            ("/proc/self/root/dev/fd/3", open(3, "")),
            ("/proc/1/root/proc/self/cwd/x", Some(Name::CurrentDirectory("x".into()))),
            ("/proc/12/fd/3", Some(Name::OfAnotherProcess)),
            ("/proc/12/cwd/x", Some(Name::OfAnotherProcess)),
            ("/proc/12/task/12/fd/3", Some(Name::OfAnotherProcess)),
            ("/dev/core", Some(Name::OfAnotherProcess)),
            ("/proc/self/cwd/a/b", Some(Name::CurrentDirectory("a/b".into()))),
            ("/proc/1/root/etc/x", Some(Name::Path("/etc/x".into()))),
            ("/proc/cpuinfo", None),
            ("/proc/self/status", None),
            ("/proc/12/status", None),
            ("/dev/null", None),
            ("dev/fd/3", None),
        ] {
            assert_eq!(name(Path::new(path), false), expected, "{path}");
        }
        for path in ["/", "/dev", "/dev/fd", "/proc/self/fd"] {
            assert_eq!(name(Path::new(path), true), open(None, ""), "{path}");
        }
        for path in ["/proc", "/proc/self", "/proc/self/task/1", "/proc/12/fd"] {
            assert_eq!(name(Path::new(path), true), Some(Name::OfAnotherProcess), "{path}");
        }
        assert_eq!(name(Path::new("/dev/fd"), false), None);
        assert_eq!(name(Path::new("/proc/12"), true), Some(Name::OfAnotherProcess));
    }

    #[test]
    fn endings_that_may_be_names() {
        for (path, expected) in [
            ("/x/dev/fd/3", Some(3)),
            ("/x/../fd/3", Some(3)),
            ("3", Some(3)),
            ("/x/dev/stdin", Some(0)),
            ("stdin", Some(0)),
            ("/x/3", None),
            ("/x/stdin", None),
            ("/x/fd/a", None),
        ] {
            assert_eq!(may_be_open(Path::new(path)), expected, "{path}");
        }
    }
}
