//! Redirections, and where a touched path is.

use std::path::{Path, PathBuf};

use super::arithmetic::literal;
use super::descriptors::{self, Name};
use super::places::lexical;
use super::syntax::{Descriptor, Piece, Raw, Redirect, RedirectKind};
use super::walker::{Stdin, Walker};
use crate::programs::Found;
use crate::{Access, Creates, Filter, Touch, Word};

impl Walker {
    /// Runs `inner` with the redirections of a compound command.
    pub(super) fn redirected(&mut self, redirects: &[Redirect], inner: impl FnOnce(&mut Self)) {
        let stdin = self.redirects(redirects);
        let before = stdin.map(|stdin| std::mem::replace(&mut self.shell.stdin, stdin));
        inner(self);
        if let Some(before) = before {
            self.shell.stdin = before;
        }
    }

    /// What these redirections touch; the standard input, if they change it.
    pub(super) fn redirects(&mut self, redirects: &[Redirect]) -> Option<Stdin> {
        let mut stdin = None;
        for redirect in redirects {
            if let Descriptor::Variable(name) = &redirect.descriptor {
                self.assign(name, None);
            }
            let is_stdin = match &redirect.descriptor {
                Descriptor::Usual => {
                    !matches!(redirect.kind, RedirectKind::Write(_) | RedirectKind::CopyOut(_))
                }
                Descriptor::Number(number) => number.trim_start_matches('0').is_empty(),
                Descriptor::Variable(_) => false,
            };
            let number = number(redirect);
            let read = self.redirect(&redirect.kind, number);
            if is_stdin {
                // Two texts, one after the other: only the last one is read, and who writes both wants to be asked.
                stdin = Some(if stdin.is_some() { Stdin::Unknown } else { read });
            }
        }
        stdin
    }

    /// What it would be as standard input.
    fn redirect(&mut self, kind: &RedirectKind, number: Option<u32>) -> Stdin {
        match kind {
            RedirectKind::Read(target) => {
                self.target(target, &[Access::Read], number);
                if target.bare() == Some("/dev/null") { Stdin::Nothing } else { Stdin::Unknown }
            }
            RedirectKind::Write(target) => {
                self.target(target, &[Access::Write], number);
                Stdin::Unknown
            }
            RedirectKind::ReadWrite(target) => {
                self.target(target, &[Access::Read, Access::Write], number);
                Stdin::Unknown
            }
            RedirectKind::CopyIn(target) => {
                self.pieces(&target.pieces);
                self.copy(target, number);
                Stdin::Unknown
            }
            RedirectKind::CopyOut(target) => {
                let is_number = target
                    .bare()
                    .is_some_and(|text| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit()));
                if is_number {
                    self.pieces(&target.pieces);
                    self.copy(target, number);
                } else {
                    self.target(target, &[Access::Write], number);
                }
                Stdin::Unknown
            }
            RedirectKind::HereString(word) => {
                self.pieces(&word.pieces);
                match self.resolve(word).as_slice() {
                    [one] => Stdin::Text(one.word.literal().map(str::to_owned)),
                    _ => Stdin::Text(literal(&word.pieces)),
                }
            }
            RedirectKind::HereDocument(place) => match place.get() {
                Some(here) => {
                    self.pieces(&here.pieces);
                    debug_assert!(!here.is_verbatim || literal(&here.pieces).is_some());
                    Stdin::Text(literal(&here.pieces))
                }
                None => {
                    self.doubt("a here-document has no text");
                    Stdin::Unknown
                }
            },
        }
    }

    /// `3<&4`, `3>&4`, `3>&4-`; `3>&-` opens nothing.
    fn copy(&mut self, target: &Raw, number: Option<u32>) {
        let text = target.bare().map(|text| text.trim_end_matches('-'));
        if text != Some("") {
            self.descriptors.copy(number, text.and_then(|text| text.parse().ok()));
        }
    }

    fn target(&mut self, target: &Raw, accesses: &[Access], number: Option<u32>) {
        self.pieces(&target.pieces);
        if matches!(target.pieces.as_slice(), [Piece::Process(_)]) {
            return;
        }
        for resolved in self.resolve(target) {
            let start = match &resolved.word {
                Word::Literal(text) => text,
                Word::Unknown { start, .. } => start,
            };
            if start.starts_with("/dev/tcp") || start.starts_with("/dev/udp") {
                self.doubt(format!("`{start}` is a connection to another machine"));
            }
            for access in accesses {
                if !resolved.is_complete {
                    self.open(*access, &resolved.word, number);
                }
                for guess in &resolved.guesses {
                    let word = self.guessed(guess.join(" "));
                    self.open(*access, &word, number);
                }
            }
        }
    }

    /// A redirection opens a file.
    fn open(&mut self, access: Access, path: &Word, number: Option<u32>) {
        let before = self.script.touches.len();
        self.touch(access, path, false, &Filter::default());
        for touch in &self.script.touches[before..] {
            self.descriptors.open(number, touch);
        }
    }

    /// A file is touched.
    pub(super) fn touch(&mut self, access: Access, path: &Word, is_deep: bool, filter: &Filter) {
        if matches!(path, Word::Unknown { text, .. } if text == Found::WORD)
            && let Some(found) = self.found.take()
        {
            self.touch_found(access, &found, is_deep, filter);
            self.found = Some(found);
            return;
        }
        let mut filter = filter.clone();
        let (path, is_deep) = match path {
            Word::Literal(path) => (path.clone(), is_deep),
            Word::Unknown { text, .. } if text.starts_with(">(") || text.starts_with("<(") => return,
            Word::Unknown { start, text, .. } => match glob(start, text) {
                Some((directory, parts)) => {
                    filter.is_shallow = !is_deep && access == Access::Read && !parts.is_empty();
                    filter.parts = parts;
                    (directory, true)
                }
                None if self.tried.contains(text) => return,
                None if access == Access::Write => {
                    return self.doubt(format!("`{text}` is written, and is known only when it runs"));
                }
                None if access == Access::Execute => {
                    return self.doubt(format!("which code runs in `{text}` is known only when it runs"));
                }
                // It may be any file there is.
                None => ("/".to_owned(), true),
            },
        };
        if path.is_empty() {
            return;
        }
        if access == Access::Write && self.shell.places.is_lost && !Path::new(&path).is_absolute() {
            self.doubt(format!("`{path}` is written, and nobody knows in which directory"));
        }
        if access == Access::Execute && self.shell.places.is_lost && !Path::new(&path).is_absolute() {
            self.doubt(format!("code in `{path}` runs, and nobody knows in which directory"));
        }
        let mut paths = Vec::new();
        for path in self.shell.places.paths(Path::new(&path)) {
            self.follow_name(access, path, is_deep, &mut paths);
        }
        if !paths.is_empty() {
            self.push_touch(Touch { access, paths, is_deep, filter });
        }
    }

    /// The files that a search gives to a command.
    fn touch_found(&mut self, access: Access, found: &Found, is_deep: bool, filter: &Filter) {
        // Below a directory that was found are files with other names.
        let filter = match is_deep && !found.is_files {
            true => Filter { follows_links: true, creates: filter.creates.clone(), ..Filter::default() },
            false => Filter { creates: Creates::Nothing, ..found.filter.clone() },
        };
        for start in &found.starts {
            self.touch(access, start, true, &filter);
        }
    }

    pub(super) fn push_touch(&mut self, touch: Touch) {
        if self.script.touches.last() != Some(&touch) {
            self.script.touches.push(touch);
        }
    }

    /// Where a path leads, if it is a name of an open file or of something else in `/proc`.
    fn follow_name(&mut self, access: Access, path: PathBuf, is_deep: bool, paths: &mut Vec<PathBuf>) {
        let name = descriptors::name(&lexical(&path), is_deep);
        match name {
            None if is_no_file(&path) => {}
            None => paths.push(path),
            Some(Name::Open(number)) => {
                self.descriptors.reopen(access, number);
                if is_deep {
                    paths.push(path);
                }
            }
            Some(Name::OfAnotherProcess) => {
                if access == Access::Write {
                    self.doubt(format!("`{}` belongs to another process", path.display()));
                }
                paths.push(PathBuf::from("/proc"));
            }
            Some(Name::CurrentDirectory(rest)) => paths.extend(self.shell.places.paths(&rest)),
            Some(Name::Path(path)) => paths.push(path),
        }
    }
}

/// The number that a redirection opens; `None` if it is known only when it runs.
fn number(redirect: &Redirect) -> Option<u32> {
    match &redirect.descriptor {
        Descriptor::Number(number) => number.parse().ok(),
        Descriptor::Variable(_) => None,
        Descriptor::Usual => match redirect.kind {
            RedirectKind::Write(_) | RedirectKind::CopyOut(_) => Some(1),
            _ => Some(0),
        },
    }
}

/// Devices that keep nothing.
fn is_no_file(path: &Path) -> bool {
    matches!(path.to_str(), Some("/dev/null" | "/dev/tty" | "/dev/zero" | "/dev/full"))
}

/// The directory before the first glob, and the patterns of the names that follow it, if nothing but a glob makes the word
/// unknown.
pub(super) fn glob(start: &str, text: &str) -> Option<(String, Vec<String>)> {
    let at = text.find(['*', '?', '['])?;
    let (before, after) = text.split_at(at);
    let is_glob = !text.contains(['$', '`', '~', '{', '(', '<', '>']);
    if !is_glob || after.contains("..") || after.contains(['"', '\'', '\\']) {
        return None;
    }
    let (directory, beginning) = match start.rfind('/') {
        Some(0) => ("/", &start[1..]),
        Some(at) => (&start[..at], &start[at + 1..]),
        None => (".", start),
    };
    // What was quoted may look like a glob and is none: then nothing is said of the names.
    if before.contains(['"', '\'', '\\']) && beginning.contains(['*', '?', '[', ']']) {
        return Some((directory.to_owned(), Vec::new()));
    }
    let parts: Vec<String> = format!("{beginning}{after}").split('/').map(str::to_owned).collect();
    let is_plain = parts.iter().all(|part| !part.is_empty() && part != "." && !part.contains("**"));
    Some((directory.to_owned(), if is_plain { parts } else { Vec::new() }))
}
