//! Which files a command means that names a directory: the names in the tree that some rule speaks of.
//!
//! A search of `.` reads `.env` if there is one, and a move of `src` moves `src/secrets` if there is one. The text does not say;
//! the tree does. It is read within a bound, and only where a rule may concern a file below. What is too large to be read
//! stays unknown.

mod filter;
#[cfg(test)]
mod tests;
mod tracked;

use std::collections::BTreeSet;
use std::fs::FileType;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use bowline_gate::{Access, Creates, Filter, Gate, PathFact, PathKind, Script, Source, Touch, TreeNames};
use bowline_std::fs::{absolute, real_path};
use ignore::WalkBuilder;

pub(super) use self::filter::NameFilter;

/// Maximum number of directory entries that are read for one call: about half a second.
const MAX_ENTRIES: usize = 200_000;

/// One look at the tree, for all touches of a call.
pub(super) struct Tree<'a> {
    gate: &'a Gate,
    roots: &'a [PathBuf],
    /// How many entries may still be looked at.
    left: usize,
    /// Files that some rule speaks of and that have several names, for each way to touch them.
    linked: [Option<Option<Vec<Linked>>>; 2],
}

/// A file that has several names, by one of them.
#[derive(Debug, Clone)]
struct Linked {
    path: PathBuf,
    identity: Identity,
}

/// Device and inode.
type Identity = (u64, u64);

/// Of a file that has several names.
fn identity(path: &Path) -> Option<Identity> {
    let metadata = path.symlink_metadata().ok()?;
    (metadata.is_file() && metadata.nlink() > 1).then(|| (metadata.dev(), metadata.ino()))
}

/// More entries than are looked at, or a directory that cannot be read.
struct Incomplete;

impl<'a> Tree<'a> {
    pub(super) fn new(gate: &'a Gate, roots: &'a [PathBuf]) -> Self {
        Self::bounded(gate, roots, MAX_ENTRIES)
    }

    fn bounded(gate: &'a Gate, roots: &'a [PathBuf], left: usize) -> Self {
        Self { gate, roots, left, linked: [None, None] }
    }

    /// What a touch of everything below means there.
    pub(super) fn below(&mut self, touch: &Touch, start: &PathFact, script: &Script) -> TreeNames {
        // What git brings back is reckoned from the top of the repository.
        let is_brought = touch.filter.tracked_only
            && touch.filter.may_be_fewer
            && touch.filter.creates == Creates::Nothing;
        let whole = (is_brought || touch.filter.whole_repository).then(|| whole_repository(start)).flatten();
        let start = whole.as_ref().unwrap_or(start);
        let Ok(real) = &start.real else { return TreeNames::Unknown };
        if touch.filter.splits_names && self.has_odd_names(real, &touch.filter) {
            return TreeNames::Unknown;
        }
        if touch.filter.from_top && tracked::top(real) != Some(real.as_path()) {
            return TreeNames::Unknown;
        }
        let concerns = |directory: &Path| self.gate.concerns_below(touch.access, directory, self.roots);
        // A copy writes the names that it brings along, and no others; through links that are there, they may be anywhere.
        let is_copy = touch.filter.creates.is_copy();
        // So they may be for what is named by a pattern, and for a program that follows links.
        let is_anywhere = is_copy || touch.filter.follows_links || !touch.filter.parts.is_empty();
        if !is_anywhere && !concerns(&start.absolute) && !concerns(real) {
            return TreeNames::NONE;
        }
        let mut found = BTreeSet::new();
        let there = match start.kind {
            // What is ignored may be another thing once this very command has run.
            PathKind::Directory
                if !is_copy && touch.filter.skips_ignored && script.writes().any(is_ignore_file) =>
            {
                let filter = Filter { skips_hidden: false, skips_ignored: false, ..touch.filter.clone() };
                self.existing(&Touch { filter, ..touch.clone() }, start, real, &mut found)
            }
            PathKind::Directory if !is_copy => self.existing(touch, start, real, &mut found),
            // It is tracked, and brought back.
            PathKind::Missing if touch.filter.tracked_only => self.existing(touch, start, real, &mut found),
            _ => Ok(()),
        };
        let new = match touch.access {
            Access::Write => self.created(touch, start, script, &mut found),
            Access::Read | Access::Execute => Ok(()),
        };
        match (there, new) {
            (Ok(()), Ok(())) => TreeNames::Known(found.into_iter().collect()),
            _ => TreeNames::Unknown,
        }
    }

    /// Whether a name below would be taken for several words, or if that cannot be told.
    fn has_odd_names(&mut self, real: &Path, filter: &Filter) -> bool {
        let is_odd = |byte: &u8| {
            byte.is_ascii_whitespace()
                || b"'\"\\".contains(byte)
                || filter.expands_names && b"*?[".contains(byte)
        };
        if filter.tracked_only {
            // Git writes other letters than these in its own way. What is tracked need not be there, so that nothing else
            // tells whether a name begins with a dash.
            let is_odd = |name: &PathBuf| {
                let bytes = name.as_os_str().as_encoded_bytes();
                bytes.starts_with(b"-") || bytes.iter().any(|byte| is_odd(byte) || !byte.is_ascii_graphic())
            };
            return tracked::below(real).is_none_or(|names| names.iter().any(is_odd));
        }
        let mut is_found = false;
        let looked = match real.is_dir() {
            true => self.walk(
                real,
                &Filter::default(),
                |_| true,
                |name, _| {
                    is_found |= name.as_os_str().as_encoded_bytes().iter().any(is_odd);
                },
            ),
            false => Ok(()),
        };
        is_found || looked.is_err()
    }

    /// What a tool of a host, or of another server, may read below a directory that it searches.
    pub(super) fn searched(&mut self, start: &PathFact, filter: Filter) -> TreeNames {
        let touch =
            Touch { access: Access::Read, paths: vec![start.absolute.clone()], is_deep: true, filter };
        self.below(&touch, start, &Script::default())
    }

    fn existing(
        &mut self,
        touch: &Touch,
        start: &PathFact,
        real: &Path,
        found: &mut BTreeSet<PathBuf>,
    ) -> Result<(), Incomplete> {
        let (gate, access) = (self.gate, touch.access);
        let writes_all = access == Access::Write && touch.filter.only.is_empty();
        let roots = self.roots;
        let mut bases = vec![real];
        if start.absolute != real {
            bases.push(&start.absolute);
        }
        let filter = &touch.filter;
        let is_named = |name: &Path| name.components().count() <= filter.parts.len();
        let enters = |name: &Path| {
            filter.follows_links
                || is_named(name)
                || bases.iter().any(|base| gate.concerns_below(access, &base.join(name), roots))
        };
        let mut is_lost = false;
        let mut several = BTreeSet::new();
        self.walk(real, filter, enters, |name, kind| {
            if kind.is_some_and(|kind| kind.is_file()) {
                several.extend(identity(&real.join(name)));
            }
            // A link that is named, and is no link on the way, is opened as the file that it leads to.
            if kind.is_some_and(|kind| kind.is_symlink())
                && (filter.follows_links || is_named(name))
                && let Ok(leads) = real_path(&real.join(name))
            {
                is_lost |= !filter.follows_links
                    && !filter.is_shallow
                    && leads.is_dir()
                    && gate.concerns_below(access, &leads, roots);
                found.extend(Some(leads).filter(|leads| gate.concerns(access, leads)));
            }
            // A directory by itself has no content; what removes or moves it means all of it.
            if kind.is_some_and(|kind| kind.is_dir()) && !writes_all {
                return;
            }
            for base in &bases {
                let path = base.join(name);
                if gate.concerns(access, &path) {
                    found.insert(path);
                }
            }
        })?;
        if !several.is_empty() {
            let other = |linked: &&Linked| several.contains(&linked.identity);
            found.extend(self.linked(access)?.iter().filter(other).map(|linked| linked.path.clone()));
        }
        if is_lost { Err(Incomplete) } else { Ok(()) }
    }

    /// Names that may come to stand below `start`.
    fn created(
        &mut self,
        touch: &Touch,
        start: &PathFact,
        script: &Script,
        found: &mut BTreeSet<PathBuf>,
    ) -> Result<(), Incomplete> {
        match &touch.filter.creates {
            Creates::Nothing => {}
            // A regular file stays one.
            Creates::Anything if start.kind == PathKind::File => {}
            Creates::Anything => return Err(Incomplete),
            Creates::Names(names) => names.iter().for_each(|name| self.arrives(touch, start, name, found)),
            Creates::NamesBelow(sources) => {
                for source in sources {
                    for name in self.brought(source, script, touch)? {
                        self.arrives(touch, start, &name, found);
                    }
                }
            }
        }
        Ok(())
    }

    /// A file of this name comes to stand below `start`.
    fn arrives(
        &self,
        touch: &Touch,
        start: &PathFact,
        name: impl AsRef<Path>,
        found: &mut BTreeSet<PathBuf>,
    ) {
        let path = start.absolute.join(&name);
        if self.gate.concerns(touch.access, &path) {
            found.insert(path);
        } else if start.kind == PathKind::Missing {
            // There are no links yet below what is not there.
            let real = start.real.as_ref().ok().map(|real| real.join(name));
            found.extend(real.filter(|real| self.gate.concerns(touch.access, real)));
        } else if let Ok(real) = real_path(&path)
            && real != path
            && self.gate.concerns(touch.access, &real)
        {
            found.insert(real);
        }
    }

    /// The names that a copy brings along from one place.
    fn brought(
        &mut self,
        source: &Source,
        script: &Script,
        touch: &Touch,
    ) -> Result<Vec<PathBuf>, Incomplete> {
        let base = self.roots.first().map_or(Path::new("/"), PathBuf::as_path);
        let mut names: Vec<PathBuf> = Vec::new();
        if let Ok(real) = real_path(&base.join(&source.path))
            && real.is_dir()
        {
            self.walk(&real, &source.filter, |_| true, |name, _| names.push(name.to_owned()))?;
        }
        made_by(script, &absolute(base, &source.path), touch, &mut names)?;
        let rest = |name: PathBuf| name.components().skip(source.skips).collect::<PathBuf>();
        Ok(names.into_iter().map(rest).filter(|name| !name.as_os_str().is_empty()).collect())
    }

    /// Other names of a file that has several.
    pub(super) fn links(&mut self, access: Access, fact: &PathFact) -> TreeNames {
        let Ok(real) = &fact.real else { return TreeNames::NONE };
        let Some(identity) = identity(real) else { return TreeNames::NONE };
        let Ok(linked) = self.linked(access) else { return TreeNames::Unknown };
        let is_same = |linked: &&Linked| linked.identity == identity && linked.path != *real;
        TreeNames::Known(linked.iter().filter(is_same).map(|linked| linked.path.clone()).collect())
    }

    fn linked(&mut self, access: Access) -> Result<&[Linked], Incomplete> {
        let slot = usize::from(access == Access::Write);
        if self.linked[slot].is_none() {
            self.linked[slot] = Some(self.all_linked(access).ok());
        }
        self.linked[slot].as_ref().and_then(Option::as_deref).ok_or(Incomplete)
    }

    fn all_linked(&mut self, access: Access) -> Result<Vec<Linked>, Incomplete> {
        let (gate, roots) = (self.gate, self.roots);
        let mut all = Vec::new();
        for root in roots.iter().filter(|root| gate.concerns_below(access, root, roots)) {
            let enters = |name: &Path| gate.concerns_below(access, &root.join(name), roots);
            self.walk(root, &Filter::default(), enters, |name, kind| {
                let path = root.join(name);
                // A rule that concerns a directory concerns what is in it.
                let is_concerned = || path.ancestors().any(|above| gate.concerns(access, above));
                if kind.is_some_and(|kind| kind.is_file())
                    && is_concerned()
                    && let Some(identity) = identity(&path)
                {
                    all.push(Linked { path, identity });
                }
            })?;
        }
        Ok(all)
    }

    /// Every entry below, by its name from `start` on, but for what the filter leaves out and for directories that are not
    /// worth entering. Links are not entered unless the filter says so.
    fn walk(
        &mut self,
        start: &Path,
        filter: &Filter,
        enters: impl Fn(&Path) -> bool,
        each: impl FnMut(&Path, Option<FileType>),
    ) -> Result<(), Incomplete> {
        let names = NameFilter::new(filter).ok_or(Incomplete)?;
        if filter.tracked_only {
            self.tracked(start, &names, each)
        } else if filter.skips_ignored {
            self.unignored(start, &names, each)
        } else {
            self.all(start, &names, enters, each)
        }
    }

    fn all(
        &mut self,
        start: &Path,
        names: &NameFilter<'_>,
        enters: impl Fn(&Path) -> bool,
        mut each: impl FnMut(&Path, Option<FileType>),
    ) -> Result<(), Incomplete> {
        let mut directories = vec![PathBuf::new()];
        // Links lead in circles: each directory is entered once.
        let mut entered = BTreeSet::new();
        while let Some(directory) = directories.pop() {
            let place = start.join(&directory);
            let entries = match std::fs::read_dir(&place) {
                Ok(entries) => entries,
                // What is gone meanwhile, or closed to us, is so to the command as well.
                Err(error) if is_closed(&error) => continue,
                Err(_) => return Err(Incomplete),
            };
            for entry in entries {
                let entry = entry.map_err(|_| Incomplete)?;
                self.left = self.left.checked_sub(1).ok_or(Incomplete)?;
                let kind = entry.file_type().map_err(|_| Incomplete)?;
                let name = directory.join(entry.file_name());
                if names.skips(&name, kind.is_dir()) {
                    continue;
                }
                let leads_into = names.filter.follows_links
                    && kind.is_symlink()
                    && real_path(&start.join(&name))
                        .is_ok_and(|leads| leads.is_dir() && entered.insert(leads));
                if (kind.is_dir() && enters(&name) || leads_into) && names.enters(&name) {
                    directories.push(name.clone());
                }
                if names.means(&name, Some(kind)) {
                    each(&name, Some(kind));
                }
            }
        }
        Ok(())
    }

    /// As `all`, but only what git tracks.
    fn tracked(
        &mut self,
        start: &Path,
        names: &NameFilter<'_>,
        mut each: impl FnMut(&Path, Option<FileType>),
    ) -> Result<(), Incomplete> {
        for name in tracked::below(start).ok_or(Incomplete)? {
            self.left = self.left.checked_sub(1).ok_or(Incomplete)?;
            // What is tracked and not there has content in the history all the same.
            let kind = start.join(&name).symlink_metadata().ok().map(|metadata| metadata.file_type());
            if names.admits(&name, kind) {
                each(&name, kind);
            }
        }
        Ok(())
    }

    /// As `all`, without what `.gitignore` and its like name.
    fn unignored(
        &mut self,
        start: &Path,
        names: &NameFilter<'_>,
        mut each: impl FnMut(&Path, Option<FileType>),
    ) -> Result<(), Incomplete> {
        // `!.env` in an ignore file brings back a hidden file: the builder knows.
        let filter = Filter { skips_hidden: false, ..names.filter.clone() };
        let names_but_hidden = NameFilter::new(&filter).ok_or(Incomplete)?;
        let mut builder = WalkBuilder::new(start);
        builder.add_custom_ignore_filename(".rgignore");
        builder.hidden(names.filter.skips_hidden).follow_links(names.filter.follows_links).threads(1);
        for entry in builder.build().skip(1) {
            self.left = self.left.checked_sub(1).ok_or(Incomplete)?;
            let Ok(entry) = entry else { continue };
            let Some(kind) = entry.file_type() else { continue };
            let Ok(name) = entry.path().strip_prefix(start) else { return Err(Incomplete) };
            if names_but_hidden.admits(name, Some(kind)) {
                each(name, Some(kind));
            }
        }
        Ok(())
    }
}

/// It says what a search leaves out. A write of everything below a directory may make one.
fn is_ignore_file(touch: &Touch) -> bool {
    let is_one = |path: &PathBuf| {
        path.file_name().is_some_and(|name| {
            [".ignore", ".rgignore", ".gitignore", "exclude"].iter().any(|one| name == *one)
        })
    };
    touch.is_deep || touch.paths.iter().any(is_one)
}

/// The repository around a directory in which a command runs.
fn whole_repository(start: &PathFact) -> Option<PathFact> {
    let real = tracked::top(start.real.as_deref().ok()?)?.to_owned();
    let absolute = tracked::top(&start.absolute)?.to_owned();
    Some(PathFact { absolute, real: Ok(real), ..start.clone() })
}

fn is_closed(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::PermissionDenied)
}

/// Names below `source` that the command line itself makes before they are copied or moved.
fn made_by(script: &Script, source: &Path, by: &Touch, names: &mut Vec<PathBuf>) -> Result<(), Incomplete> {
    for touch in script.writes().filter(|touch| *touch != by) {
        for path in &touch.paths {
            if let Ok(name) = path.strip_prefix(source)
                && !name.as_os_str().is_empty()
            {
                names.push(name.to_owned());
            }
            // Whatever is unpacked there goes along. What a removal or another move makes is told by its own names.
            let covers = source.starts_with(path) || path.starts_with(source);
            if covers && touch.is_deep && touch.filter.creates == Creates::Anything && !path.is_file() {
                return Err(Incomplete);
            }
        }
    }
    Ok(())
}
