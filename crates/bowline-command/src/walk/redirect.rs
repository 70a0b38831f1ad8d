//! Redirections, and where a touched path is.

use std::path::Path;

use super::arithmetic::literal;
use super::syntax::{Descriptor, Piece, Raw, Redirect, RedirectKind};
use super::walker::{Stdin, Walker};
use crate::{Access, Touch, Word};

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
            let read = self.redirect(&redirect.kind);
            if is_stdin {
                // Two texts, one after the other: only the last one is read, and who writes both wants to be asked.
                stdin = Some(if stdin.is_some() { Stdin::Unknown } else { read });
            }
        }
        stdin
    }

    /// What it would be as standard input.
    fn redirect(&mut self, kind: &RedirectKind) -> Stdin {
        match kind {
            RedirectKind::Read(target) => {
                self.target(target, &[Access::Read]);
                if target.bare() == Some("/dev/null") { Stdin::Nothing } else { Stdin::Unknown }
            }
            RedirectKind::Write(target) => {
                self.target(target, &[Access::Write]);
                Stdin::Unknown
            }
            RedirectKind::ReadWrite(target) => {
                self.target(target, &[Access::Read, Access::Write]);
                Stdin::Unknown
            }
            RedirectKind::CopyIn(target) => {
                self.pieces(&target.pieces);
                Stdin::Unknown
            }
            RedirectKind::CopyOut(target) => {
                let is_number = target
                    .bare()
                    .is_some_and(|text| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit()));
                if is_number {
                    self.pieces(&target.pieces);
                } else {
                    self.target(target, &[Access::Write]);
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

    fn target(&mut self, target: &Raw, accesses: &[Access]) {
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
                self.touch(*access, &resolved.word, false);
                for guess in &resolved.guesses {
                    self.touch(*access, &Word::Literal(guess.join(" ")), false);
                }
            }
        }
    }

    /// A file is touched.
    pub(super) fn touch(&mut self, access: Access, path: &Word, is_deep: bool) {
        let (path, is_deep) = match path {
            Word::Literal(path) => (path.clone(), is_deep),
            Word::Unknown { text, .. } if text.starts_with(">(") || text.starts_with("<(") => return,
            Word::Unknown { start, text, .. } => match glob_directory(start, text) {
                Some(directory) => (directory, true),
                None => {
                    if access == Access::Write {
                        self.doubt(format!("`{text}` is written, and is known only when it runs"));
                    }
                    return;
                }
            },
        };
        if path.is_empty() || is_no_file(&path) {
            return;
        }
        if access == Access::Write && self.shell.places.is_lost && !Path::new(&path).is_absolute() {
            self.doubt(format!("`{path}` is written, and nobody knows in which directory"));
        }
        let touch = Touch { access, paths: self.shell.places.paths(Path::new(&path)), is_deep };
        if self.script.touches.last() != Some(&touch) {
            self.script.touches.push(touch);
        }
    }
}

/// Streams that are open already.
fn is_no_file(path: &str) -> bool {
    let is_numbered =
        path.strip_prefix("/dev/fd/").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    is_numbered
        || matches!(
            path,
            "/dev/null"
                | "/dev/stdout"
                | "/dev/stderr"
                | "/dev/stdin"
                | "/dev/tty"
                | "/dev/zero"
                | "/dev/full"
        )
}

/// The directory before the first glob, if nothing but a glob makes the word unknown.
fn glob_directory(start: &str, text: &str) -> Option<String> {
    let is_glob = !text.contains(['$', '`', '~', '{', '(', '<', '>']) && text.contains(['*', '?', '[']);
    let after = text.split_once(['*', '?', '[']).map_or("", |(_, after)| after);
    if !is_glob || after.contains("..") || after.contains(['"', '\'', '\\']) {
        return None;
    }
    Some(match start.rfind('/') {
        Some(0) => "/".to_owned(),
        Some(at) => start[..at].to_owned(),
        None => ".".to_owned(),
    })
}
