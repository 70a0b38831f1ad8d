//! Every skill of one root.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Root;
use crate::disk::{Dir, Kind, Refusal};
use crate::reading::{FILE, Reading};
use crate::{Catalogue, Finding, Location, Rejected, Summary, name};

/// So many directories of a root are looked into. More are a mistake, or somebody's attempt to keep us busy.
const MOST_DIRECTORIES: usize = 20_000;
/// So many entries of a root are looked at to find them.
const MOST_ENTRIES: usize = 1_000_000;
/// From so many on, several threads read.
const MANY: usize = 64;
const MOST_THREADS: usize = 4;
const A_FEW: usize = 32;

/// What became of a directory.
enum Read {
    Skill {
        summary: Arc<Summary>,
        warnings: Vec<Finding>,
    },
    Rejected(Vec<Finding>),
    /// No skill, but nearly one.
    Doubtful(Finding),
    /// Not a skill at all.
    Nothing,
    /// Reading it has failed. Nothing that reads may panic; if it does, no skill is lost in silence.
    Unread,
}

pub(super) fn root(root: &Root, reading: Reading) -> Catalogue {
    within(root, reading, MOST_DIRECTORIES)
}

fn within(root: &Root, reading: Reading, most: usize) -> Catalogue {
    let mut catalogue = Catalogue { roots: vec![root.path.clone()], ..Catalogue::default() };
    let place = root.path.display().to_string();
    let unusable = |message: String| Finding::new(".", None, message);
    let listed = root.open().and_then(|dir| match names(&dir, most) {
        Ok(names) => Ok((dir, names)),
        Err(error) => Err(format!("the directory cannot be listed: {error}")),
    });
    let (dir, names) = match listed {
        Ok(listed) => listed,
        Err(message) => {
            match reading {
                Reading::Strict => {
                    catalogue.rejected.push(Rejected { place, findings: vec![unusable(message)] });
                }
                Reading::Lenient => {
                    catalogue.warnings.push((place, unusable(format!("{message}; it is left out"))));
                }
            }
            return catalogue;
        }
    };
    if names.more {
        let message = format!("there are more than {most} directories; the first ones are read");
        catalogue.rejected.push(Rejected { place, findings: vec![unusable(message)] });
    }
    let places = places(&dir, names.sorted);
    let entries = read_all(root, &dir, &places, reading);
    sort_out(root, places, entries, &mut catalogue);
    catalogue
}

struct Names {
    /// Each with whether it is a link.
    sorted: Vec<(OsString, bool)>,
    more: bool,
}

/// The names of what may be a skill in a root.
pub(crate) fn directories(dir: &Dir) -> std::io::Result<Vec<OsString>> {
    Ok(names(dir, MOST_DIRECTORIES)?.sorted.into_iter().map(|(name, _)| name).collect())
}

/// A directory to read, and the links of the root that lead to the same one.
struct Place {
    directory: OsString,
    aliases: Vec<OsString>,
}

/// Every directory once, however many links lead to it.
fn places(dir: &Dir, names: Vec<(OsString, bool)>) -> Vec<Place> {
    let (links, directories): (Vec<_>, Vec<_>) = names.into_iter().partition(|(_, link)| *link);
    let place = |(directory, _)| Place { directory, aliases: Vec::new() };
    let mut places: Vec<Place> = directories.into_iter().map(place).collect();
    if links.is_empty() {
        return places;
    }
    let mut known: HashMap<PathBuf, usize> =
        places.iter().enumerate().map(|(at, place)| (dir.real.join(&place.directory), at)).collect();
    for link in links {
        let real = dir.dir(&link.0).map(|opened| opened.real);
        match real.ok().map(|real| known.entry(real)) {
            Some(Entry::Occupied(at)) => places[*at.get()].aliases.push(link.0),
            Some(Entry::Vacant(free)) => {
                free.insert(places.len());
                places.push(place(link));
            }
            // Whoever reads it says why that is not possible.
            None => places.push(place(link)),
        }
    }
    places.sort_by(|a, b| a.directory.cmp(&b.directory));
    places
}

/// The directories and links of a root. Where there are too many, the first ones in the order of the alphabet.
fn names(dir: &Dir, most: usize) -> std::io::Result<Names> {
    let mut names = Names { sorted: Vec::new(), more: false };
    let mut entries = 0;
    dir.each(|name, kind| {
        entries += 1;
        if name.as_encoded_bytes().first() != Some(&b'.') && matches!(kind, Kind::Directory | Kind::Link) {
            names.sorted.push((name, kind == Kind::Link));
            if names.sorted.len() >= 2 * most {
                names.cut(most);
            }
        }
        names.more |= entries >= MOST_ENTRIES;
        entries < MOST_ENTRIES
    })?;
    names.cut(most);
    Ok(names)
}

impl Names {
    fn cut(&mut self, most: usize) {
        self.sorted.sort_unstable();
        self.more |= self.sorted.len() > most;
        self.sorted.truncate(most);
    }
}

/// What became of each directory, in their order. Threads take a few at a time: one that has to wait keeps nobody.
fn read_all(root: &Root, dir: &Dir, places: &[Place], reading: Reading) -> Vec<Read> {
    let next = AtomicUsize::new(0);
    let read = || -> Vec<(usize, Vec<Read>)> {
        let mut bytes = Vec::new();
        let mut read = Vec::new();
        loop {
            let start = next.fetch_add(A_FEW, Ordering::Relaxed);
            let Some(some) = places.get(start..).filter(|rest| !rest.is_empty()) else {
                return read;
            };
            let some = some.iter().take(A_FEW);
            let entries = some.map(|place| read_place(root, dir, &mut bytes, place, reading)).collect();
            read.push((start, entries));
        }
    };
    let threads = match places.len() {
        0..MANY => 1,
        _ => std::thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS),
    };
    let parts = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(read)).collect();
        let mut parts = read();
        for thread in others {
            parts.extend(thread.join().unwrap_or_default());
        }
        parts
    });
    let mut entries: Vec<Read> = places.iter().map(|_| Read::Unread).collect();
    for (start, part) in parts {
        for (place, entry) in entries[start..].iter_mut().zip(part) {
            *place = entry;
        }
    }
    entries
}

fn read_place(root: &Root, at: &Dir, bytes: &mut Vec<u8>, place: &Place, reading: Reading) -> Read {
    let mut read = |name: &OsStr, reading| read_one(root, at, bytes, name, reading);
    let first = read(&place.directory, reading);
    if place.aliases.is_empty() {
        return first;
    }
    // A link may have the name that the directory lacks.
    let name = match &first {
        Read::Skill { summary, .. } => summary.name.clone(),
        Read::Rejected(_) => match read(&place.directory, Reading::Lenient) {
            Read::Skill { summary, .. } => summary.name.clone(),
            _ => return first,
        },
        _ => return first,
    };
    match place.aliases.iter().find(|alias| **alias == *name) {
        Some(alias) if place.directory != *name => read(alias, reading),
        _ => first,
    }
}

fn read_one(root: &Root, at: &Dir, bytes: &mut Vec<u8>, directory: &OsStr, reading: Reading) -> Read {
    if let Some(file) = at.file_straight(directory, FILE) {
        return read_head(root, file, bytes, directory, reading);
    }
    let dir = match at.dir(directory) {
        Ok(dir) => dir,
        // A link to a file, or a directory that has just gone.
        Err(Refusal::Not(_) | Refusal::Missing) => return Read::Nothing,
        Err(refusal) => return rejected(refusal.about("the directory")),
    };
    match dir.file(OsStr::new(FILE)) {
        Ok(file) => read_head(root, file, bytes, directory, reading),
        Err(Refusal::Missing) => nearly(&dir),
        Err(refusal) => rejected(refusal.about(FILE)),
    }
}

fn rejected(message: String) -> Read {
    Read::Rejected(vec![Finding::new(FILE, None, message)])
}

fn read_head(root: &Root, mut file: File, bytes: &mut Vec<u8>, directory: &OsStr, reading: Reading) -> Read {
    let Some(directory) = directory.to_str() else {
        return rejected("the name of the directory is not UTF-8".into());
    };
    match super::read_head(&mut file, bytes, directory, reading) {
        Err(error) => rejected(format!("{FILE} cannot be read: {error}")),
        Ok(document) => match document.fields {
            None => Read::Rejected(document.errors),
            Some(fields) => {
                let path = root.path.join(directory).join(FILE);
                let summary = fields.summary(root.scope, Location::File(path));
                Read::Skill { summary: Arc::new(summary), warnings: document.warnings }
            }
        },
    }
}

/// A directory without `SKILL.md` is no skill, unless the name is only written another way.
fn nearly(dir: &Dir) -> Read {
    for other in ["skill.md", "Skill.md"] {
        if dir.file(OsStr::new(other)).is_ok() {
            let message = format!("`{other}` is not read: the file must be called {FILE}");
            return Read::Doubtful(Finding::new(other, None, message));
        }
    }
    Read::Nothing
}

/// One skill for each name; the rest with its reason.
fn sort_out(root: &Root, places: Vec<Place>, entries: Vec<Read>, catalogue: &mut Catalogue) {
    let place = |directory: &OsStr| root.path.join(directory).display().to_string();
    let mut found = Vec::new();
    let mut rejected: Vec<(OsString, Vec<Finding>)> = Vec::new();
    for (Place { directory, aliases }, entry) in places.into_iter().zip(entries) {
        let read_at = match &entry {
            Read::Nothing | Read::Doubtful(_) => None,
            Read::Unread | Read::Rejected(_) => Some(directory.clone()),
            Read::Skill { summary, .. } => Some(directory_of(summary).to_owned()),
        };
        if let Some(read_at) = read_at {
            let again =
                Finding::new(".", None, format!("it leads to the same directory as `{}`", place(&read_at)));
            let others = aliases.into_iter().chain([directory.clone()]).filter(|name| *name != read_at);
            rejected.extend(others.map(|name| (name, vec![again.clone()])));
        }
        match entry {
            Read::Nothing => {}
            Read::Unread => {
                rejected.push((directory, vec![Finding::new(FILE, None, "reading it has failed")]));
            }
            Read::Doubtful(finding) => catalogue.warnings.push((place(&directory), finding)),
            Read::Rejected(findings) => rejected.push((directory, findings)),
            Read::Skill { summary, warnings } => {
                found.push((directory_of(&summary).to_owned(), summary, warnings));
            }
        }
    }
    rejected.sort_by(|(a, _), (b, _)| a.cmp(b));
    // Of two with one name, the one whose directory has that name too is the one that is loaded by it.
    found.sort_by(|(at, a, _), (bt, b, _)| {
        let elsewhere = |directory: &OsStr, skill: &Summary| directory != OsStr::new(&skill.name);
        a.name.cmp(&b.name).then_with(|| elsewhere(at, a).cmp(&elsewhere(bt, b)))
    });
    let mut skills: Vec<(OsString, Arc<Summary>)> = Vec::with_capacity(found.len());
    for (directory, summary, warnings) in found {
        if let Some((first, _)) = skills.last().filter(|(_, last)| last.name == summary.name) {
            rejected.push((directory, vec![twice(&summary.name, &place(first))]));
            continue;
        }
        catalogue.warnings.extend(warnings.into_iter().map(|finding| (place(&directory), finding)));
        skills.push((directory, summary));
    }
    note_look_alikes(&skills, &mut rejected);
    catalogue.rejected.extend(
        rejected.into_iter().map(|(directory, findings)| Rejected { place: place(&directory), findings }),
    );
    catalogue.skills = skills.into_iter().map(|(_, summary)| summary).collect();
}

fn directory_of(summary: &Summary) -> &OsStr {
    match &summary.location {
        Location::File(path) => path.parent().and_then(Path::file_name).unwrap_or_default(),
        Location::Embedded => OsStr::new(&summary.name),
    }
}

fn twice(name: &str, by: &str) -> Finding {
    Finding::new(FILE, None, format!("the name `{name}` is taken by `{by}`"))
}

/// A directory that was rejected and could pass for a skill that is there: whoever looks for the fault should know.
fn note_look_alikes(skills: &[(OsString, Arc<Summary>)], rejected: &mut [(OsString, Vec<Finding>)]) {
    if rejected.is_empty() {
        return;
    }
    let shapes: BTreeMap<String, &str> =
        skills.iter().map(|(_, skill)| (name::shape(&skill.name), skill.name.as_str())).collect();
    for (directory, findings) in rejected {
        let directory = directory.to_string_lossy();
        if let Some(skill) = shapes.get(&name::shape(&directory)).filter(|skill| **skill != directory) {
            let how =
                if directory.to_lowercase() == *skill { "in case" } else { "by letters that look alike" };
            let message = format!("{} differs from the skill `{skill}` only {how}", name::shown(&directory));
            findings.push(Finding::new(FILE, None, message));
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "fixtures")]
mod tests {
    use super::*;
    use crate::Scope;

    #[test]
    fn of_too_many_directories_the_first_are_read_and_it_is_told() {
        let keep = tempfile::tempdir().unwrap();
        for n in (10..40).rev() {
            let dir = keep.path().join(format!("s{n}"));
            std::fs::create_dir(&dir).unwrap();
            std::fs::write(dir.join(FILE), format!("---\nname: s{n}\ndescription: x\n---\n")).unwrap();
        }
        let root =
            Root { path: keep.path().to_owned(), scope: Scope::User, border: super::super::Border::Anywhere };
        for most in [1, 4, 29] {
            let listed = within(&root, Reading::Strict, most);
            let expected: Vec<String> = (10..10 + most).map(|n| format!("s{n}")).collect();
            assert_eq!(listed.skills.iter().map(|skill| skill.name.clone()).collect::<Vec<_>>(), expected);
            let told = format!("there are more than {most} directories; the first ones are read");
            assert_eq!(listed.rejected[0].findings[0].message, told);
        }
        assert_eq!(within(&root, Reading::Strict, 30).rejected, []);
    }
}
