//! Open files that have a name: `/dev/fd/3`, `/proc/self/fd/3`, `/dev/stdin`.
//!
//! Whoever opens such a name opens the file again, and not as it was opened before: a file that a redirection opened to be
//! read can be written through it. Numbers are compared over the whole text, whichever command opened them: a shell gives
//! its open files to everything it starts.

use std::path::{Component, Path, PathBuf};

use crate::{Access, Filter, Touch};

/// What a path is to the kernel.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// The open file of this number; `None` if it may be any.
    Open(Option<u32>),
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
    opened: Vec<Opened>,
    /// `3>&4`: both numbers are one file.
    copied: Vec<(u32, u32)>,
    /// A copy was made of a number that is not known.
    is_mixed: bool,
    reopened: Vec<(Access, Option<u32>)>,
}

#[derive(Debug)]
struct Opened {
    number: Option<u32>,
    paths: Vec<PathBuf>,
    is_deep: bool,
}

impl Descriptors {
    /// A redirection opens a file with this number; `None` if it is known only when it runs.
    pub(super) fn open(&mut self, number: Option<u32>, touch: &Touch) {
        self.opened.push(Opened { number, paths: touch.paths.clone(), is_deep: touch.is_deep });
    }

    pub(super) fn copy(&mut self, number: Option<u32>, of: Option<u32>) {
        match (number, of) {
            (Some(number), Some(of)) => self.copied.push((number, of)),
            _ => self.is_mixed = true,
        }
    }

    pub(super) fn reopen(&mut self, access: Access, number: Option<u32>) {
        if !self.reopened.contains(&(access, number)) {
            self.reopened.push((access, number));
        }
    }

    /// What is touched because something is opened again.
    pub(super) fn touches(&self) -> Vec<Touch> {
        let mut touches = Vec::new();
        for (access, number) in &self.reopened {
            let numbers = number.map(|number| self.alike(number));
            for opened in &self.opened {
                let is_meant = match (&numbers, opened.number) {
                    (Some(numbers), Some(number)) => numbers.contains(&number),
                    _ => true,
                };
                if is_meant || self.is_mixed {
                    let (paths, is_deep) = (opened.paths.clone(), opened.is_deep);
                    touches.push(Touch { access: *access, paths, is_deep, filter: Filter::default() });
                }
            }
        }
        touches
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

/// What this path is, if it is more than a path. It is absolute, and `..` has been taken away.
pub(super) fn name(path: &Path, is_deep: bool) -> Option<Name> {
    let mut parts = path.components();
    if parts.next() != Some(Component::RootDir) {
        return None;
    }
    let parts: Vec<&str> = parts.filter_map(|part| part.as_os_str().to_str()).collect();
    match parts.as_slice() {
        ["dev", "stdin"] => Some(Name::Open(Some(0))),
        ["dev", "stdout"] => Some(Name::Open(Some(1))),
        ["dev", "stderr"] => Some(Name::Open(Some(2))),
        ["dev", "fd", number, ..] => Some(Name::Open(number.parse().ok())),
        [] | ["dev"] | ["dev", "fd"] | ["proc"] if is_deep => Some(Name::Open(None)),
        ["proc", process, inside @ ..] => {
            let is_own = matches!(*process, "self" | "thread-self");
            if !is_own && !process.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            of_process(is_own, inside, is_deep)
        }
        _ => None,
    }
}

fn of_process(is_own: bool, inside: &[&str], is_deep: bool) -> Option<Name> {
    match inside {
        ["task", _, inside @ ..] => of_process(is_own, inside, is_deep),
        ["fd" | "map_files", number, ..] if is_own => Some(Name::Open(number.parse().ok())),
        ["cwd", rest @ ..] if is_own => Some(Name::CurrentDirectory(rest.iter().collect())),
        ["root", rest @ ..] => Some(Name::Path(Path::new("/").join(rest.iter().collect::<PathBuf>()))),
        [] | ["fd" | "task"] if is_own => is_deep.then_some(Name::Open(None)),
        ["fd" | "map_files" | "cwd" | "exe" | "mem", ..] => Some(Name::OfAnotherProcess),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_open_files() {
        for (path, expected) in [
            ("/dev/stdin", Some(Name::Open(Some(0)))),
            ("/dev/stderr", Some(Name::Open(Some(2)))),
            ("/dev/fd/17", Some(Name::Open(Some(17)))),
            ("/dev/fd/x", Some(Name::Open(None))),
            ("/proc/self/fd/3", Some(Name::Open(Some(3)))),
            ("/proc/thread-self/fd/3", Some(Name::Open(Some(3)))),
            ("/proc/self/task/12/fd/3", Some(Name::Open(Some(3)))),
            ("/proc/12/fd/3", Some(Name::OfAnotherProcess)),
            ("/proc/self/cwd/a/b", Some(Name::CurrentDirectory("a/b".into()))),
            ("/proc/1/root/etc/x", Some(Name::Path("/etc/x".into()))),
            ("/proc/cpuinfo", None),
            ("/proc/self/status", None),
            ("/dev/null", None),
            ("dev/fd/3", None),
        ] {
            assert_eq!(name(Path::new(path), false), expected, "{path}");
        }
        assert_eq!(name(Path::new("/dev/fd"), true), Some(Name::Open(None)));
        assert_eq!(name(Path::new("/dev/fd"), false), None);
    }
}
