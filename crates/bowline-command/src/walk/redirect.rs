//! Redirections, and where a touched path is.

use std::path::{Path, PathBuf};

use super::arithmetic::literal;
use super::descriptors::{self, Name};
use super::places::Places;
use super::reading::Shells;
use super::syntax::{Descriptor, Piece, Raw, Redirect, RedirectKind};
use super::walker::{Stdin, Walker};
use crate::programs;
use crate::programs::names::{MARK, Marks};
use crate::{Access, Creates, Filter, Source, Touch, Word};

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
                let is_number =
                    |text: String| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
                // `dash` takes nothing but a number there.
                if self.shells == Shells::Posix || literal(&target.pieces).is_some_and(is_number) {
                    self.pieces(&target.pieces);
                    self.copy(target, number);
                } else {
                    // What is known only when it runs may be a number as well.
                    if literal(&target.pieces).is_none() {
                        self.copy(target, number);
                    }
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
        let text = literal(&target.pieces);
        let text = text.as_deref().map(|text| text.trim_end_matches('-'));
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
            let guesses: Vec<Word> =
                resolved.guesses.iter().map(|guess| self.guessed(guess.join(" "))).collect();
            for word in guesses.iter().chain(std::iter::once(&resolved.word)) {
                if let Some(address) = connection(word) {
                    self.doubt(format!("`{address}` is a connection to another machine"));
                }
            }
            for access in accesses {
                if !resolved.is_complete {
                    self.open(*access, &resolved.word, number);
                }
                for word in &guesses {
                    self.open(*access, word, number);
                }
            }
        }
    }

    /// A redirection opens a file.
    fn open(&mut self, access: Access, path: &Word, number: Option<u32>) {
        let Some(found) = self.find(access, path, false, &Filter::default()) else { return };
        for (of, rest) in found.reopened {
            self.descriptors.open_again(number, of, rest);
        }
        for touch in found.touches {
            self.descriptors.open(number, &touch);
            self.push_touch(touch);
        }
    }

    /// A file is touched.
    pub(super) fn touch(&mut self, access: Access, path: &Word, is_deep: bool, filter: &Filter) {
        if matches!(path, Word::Unknown { text, .. } if text == programs::Found::WORD)
            && let Some(found) = self.found.take()
        {
            self.touch_found(access, &found, is_deep, filter);
            self.found = Some(found);
            return;
        }
        let found = self.find(access, path, is_deep, filter);
        for touch in found.into_iter().flat_map(|found| found.touches) {
            self.push_touch(touch);
        }
    }

    /// What a path leads to. `None` if that is told by a doubt, or by other words.
    fn find(&mut self, access: Access, path: &Word, is_deep: bool, filter: &Filter) -> Option<Found> {
        if self.is_spent() {
            return None;
        }
        let mut filter = filter.clone();
        let (path, is_deep) = match path {
            Word::Literal(path) => (path.clone(), is_deep),
            Word::Unknown { text, .. } if text.starts_with(">(") || text.starts_with("<(") => return None,
            Word::Unknown { start, text, .. } => {
                match (glob(start, Marks::read(text).0), Marks::read(text)) {
                    (Some((directory, parts)), (text, marks)) => {
                        let is_known = access == Access::Read || filter.creates == Creates::Nothing;
                        filter.is_shallow = !is_deep && is_known && !parts.is_empty();
                        filter.parts = parts;
                        let last = text
                            .split_once("**/")
                            .filter(|(before, _)| matches!(before.chars().next_back(), None | Some('/')));
                        let last = last.map(|(_, last)| last);
                        if let Some(last) = last.filter(|last| !is_deep && !last.contains('/')) {
                            filter.only = vec![last.to_owned()];
                        }
                        filter.splits_names |= marks.splits;
                        filter.expands_names |= marks.expands;
                        filter.from_top |= marks.is_from_top;
                        filter.tracked_only |= marks.is_tracked && !is_deep;
                        // Who opens what matches follows links; who removes a directory does not.
                        filter.follows_links |= access == Access::Read || !is_deep;
                        (directory, true)
                    }
                    _ if self.tried.contains(text) => return None,
                    _ if access == Access::Write => {
                        self.doubt(format!("`{text}` is written, and is known only when it runs"));
                        return None;
                    }
                    _ if access == Access::Execute => {
                        self.doubt(format!("which code runs in `{text}` is known only when it runs"));
                        return None;
                    }
                    // It may be any file there is.
                    _ => ("/".to_owned(), true),
                }
            }
        };
        if path.is_empty() {
            return None;
        }
        let mut found = Found::default();
        if self.shell.places.is_lost && !Path::new(&path).is_absolute() {
            match access {
                Access::Write => {
                    self.doubt(format!("`{path}` is written in a directory that is not known"));
                }
                Access::Execute => {
                    self.doubt(format!("code in `{path}` runs in a directory that is not known"));
                }
                Access::Read => found.touches.push(anywhere(&path, is_deep)),
            }
        }
        self.place_sources(&mut filter);
        let mut paths = Vec::new();
        for path in self.shell.places.paths(Path::new(&path)) {
            self.spend(1);
            self.follow_name(access, path, is_deep, &mut paths, &mut found);
        }
        if !paths.is_empty() {
            found.touches.push(Touch { access, paths, is_deep, filter });
        }
        Some(found)
    }

    /// The places that new names come from, as seen from where the command runs.
    fn place_sources(&self, filter: &mut Filter) {
        let Creates::NamesBelow(sources) = &filter.creates else { return };
        let is_lost = |source: &Source| {
            let is_elsewhere = self.shell.places.is_lost && !source.path.is_absolute();
            is_elsewhere || source.path.starts_with("/proc") || source.path.starts_with("/dev")
        };
        let placed = sources.iter().flat_map(|source| {
            let paths = self.shell.places.paths(&source.path).into_iter();
            paths.map(|path| Source { path, ..source.clone() })
        });
        filter.creates = match sources.iter().any(is_lost) {
            true => Creates::Anything,
            false => Creates::NamesBelow(placed.collect()),
        };
    }

    /// The files that a search gives to a command.
    fn touch_found(&mut self, access: Access, found: &programs::Found, is_deep: bool, filter: &Filter) {
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
    fn follow_name(
        &mut self,
        access: Access,
        path: PathBuf,
        is_deep: bool,
        paths: &mut Vec<PathBuf>,
        found: &mut Found,
    ) {
        match descriptors::name(&path, is_deep) {
            None if is_no_file(&path) => {}
            None => {
                if let Some(number) = descriptors::may_be_open(&path) {
                    self.descriptors.reopen(access, Some(number), PathBuf::new(), is_deep);
                    found.reopened.push((Some(number), PathBuf::new()));
                }
                paths.push(path);
            }
            Some(Name::Open(number, rest)) => {
                self.descriptors.reopen(access, number, rest.clone(), is_deep);
                found.reopened.push((number, rest));
                if is_deep && number.is_none() {
                    paths.push(path);
                }
            }
            Some(Name::OfAnotherProcess) => {
                // With all of `/proc`, our own files are meant as well.
                self.descriptors.reopen(access, None, PathBuf::new(), is_deep);
                if access == Access::Read {
                    found.touches.push(anywhere("", true));
                } else {
                    self.doubt(format!("`{}` belongs to another process", path.display()));
                    paths.push(PathBuf::from("/proc"));
                }
            }
            Some(Name::CurrentDirectory(rest)) => paths.extend(self.shell.places.paths(&rest)),
            Some(Name::Path(path)) => paths.push(path),
        }
    }

    /// Where `cd` leads. A name in `/proc` means what it means now, and something else after the move.
    pub(super) fn moved(&self, target: &str) -> Places {
        self.spend(8);
        let here = &self.shell.places;
        let mut moved = here.within(target);
        for place in here.paths(Path::new(target)) {
            match descriptors::name(&place, false) {
                None => {}
                Some(Name::CurrentDirectory(rest)) => {
                    moved.merge(&here.within(rest.to_str().unwrap_or(".")));
                }
                Some(Name::Path(path)) => moved.merge(&here.within(path.to_str().unwrap_or("/"))),
                Some(Name::Open(..) | Name::OfAnotherProcess) => moved.is_lost = true,
            }
        }
        moved
    }
}

/// What the path of a touch leads to.
#[derive(Debug, Default)]
struct Found {
    touches: Vec<Touch>,
    /// Names of open files, and what follows them.
    reopened: Vec<(Option<u32>, PathBuf)>,
}

/// A file that may be in any directory.
fn anywhere(path: &str, is_deep: bool) -> Touch {
    let name = Path::new(path).file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| !is_deep && !name.contains(['*', '?', '[', '{', '\\']));
    let filter = Filter { only: name.into_iter().map(str::to_owned).collect(), ..Filter::default() };
    Touch { access: Access::Read, paths: vec![PathBuf::from("/")], is_deep: true, filter }
}

/// Where a redirection connects to, if it may be one of bash's own names for connections.
pub(super) fn connection(word: &Word) -> Option<&str> {
    const NAMES: [&str; 2] = ["/dev/tcp/", "/dev/udp/"];
    match word {
        Word::Literal(text) => NAMES.iter().any(|name| text.starts_with(name)).then_some(text),
        Word::Unknown { start, text, .. } => {
            let may_be =
                |name: &&str| start.starts_with(*name) || start.len() > 1 && name.starts_with(start.as_str());
            (NAMES.iter().any(may_be) && !text.starts_with("<(")).then_some(text)
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
pub(crate) fn glob(start: &str, text: &str) -> Option<(String, Vec<String>)> {
    let at = text.find(['*', '?', '['])?;
    let (before, after) = text.split_at(at);
    let is_glob = !text.contains(['$', '`', '~', '{', '(', '<', '>', MARK]);
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
