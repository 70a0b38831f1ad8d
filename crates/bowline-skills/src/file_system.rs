//! Skills in directories: each immediate subdirectory of a root that has a `SKILL.md`.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::disk::{Dir, Refusal, read_once, read_up_to};
use crate::local::is_local;
use crate::reading::{self, Document, FILE, Reading};
use crate::{
    Catalogue, EmbeddedSkill, EmbeddedStore, Finding, Location, PhaseTable, PhasesError, Scope, Skill,
    SkillError, Store, Summary, body, bundled, head, merge, phases,
};

mod index;
mod scan;

pub(crate) use index::files;
pub(crate) use scan::directories;

/// So much is read of a file before it is known how long its head is.
const FIRST_CHUNK: usize = 2048;

/// Skills on the disk. It looks into the roots that it is given, and nowhere else.
#[derive(Debug, Clone)]
pub struct FileSystemStore {
    /// In the order of precedence.
    roots: Vec<Root>,
    reading: Reading,
    /// Names that no project's root may use, whoever has them.
    taken: Vec<String>,
    /// Skills of the program, of which a project may have copies.
    built_in: &'static [EmbeddedSkill],
    pace: Arc<Pace>,
}

/// Whether a look at the roots is worth a thread of its own.
#[derive(Debug, Default)]
struct Pace {
    /// All roots are on disks of this machine.
    is_local: OnceLock<bool>,
    /// The last look took less than [`QUICK`].
    was_quick: AtomicBool,
}

/// Nobody notices a pause of this length.
const QUICK: Duration = Duration::from_millis(1);

#[derive(Debug, Clone)]
struct Root {
    path: PathBuf,
    scope: Scope,
    border: Border,
}

/// What a root must lie in, wherever links lead.
#[derive(Debug, Clone)]
enum Border {
    Anywhere,
    Within(PathBuf),
    /// It lies in nothing that it may lie in.
    Nowhere,
}

impl Root {
    /// Opens it anew. What lay in its border a moment ago need not lie there now.
    fn open(&self) -> Result<Dir, String> {
        if !self.path.is_absolute() {
            return Err("the path of a root must be absolute".into());
        }
        match &self.border {
            Border::Nowhere => Err("it lies in no project".into()),
            Border::Anywhere => {
                Dir::open(&self.path).map_err(|error| format!("the directory cannot be read: {error}"))
            }
            Border::Within(border) => Dir::open_within(&self.path, border).map_err(|refusal| match refusal {
                Refusal::Leaves => "it leads out of the project".into(),
                refusal => refusal.about("the directory"),
            }),
        }
    }
}

/// A skill whose head was just read.
struct Found {
    dir: Dir,
    file: File,
    /// What was read of the file: its head, and maybe a part of the body.
    bytes: Vec<u8>,
    fields: reading::Fields,
    warnings: Vec<Finding>,
    body: (usize, usize),
    scope: Scope,
    /// The path of its `SKILL.md`.
    path: PathBuf,
}

impl FileSystemStore {
    /// The roots must be absolute. A project's come before a user's, whatever the order; of two of the same scope, the
    /// first one's skills shadow the second one's.
    pub fn new(roots: impl IntoIterator<Item = (PathBuf, Scope)>, reading: Reading) -> Self {
        let mut roots: Vec<Root> =
            roots.into_iter().map(|(path, scope)| Root { path, scope, border: Border::Anywhere }).collect();
        roots.sort_by_key(|root| root.scope);
        Self { roots, reading, taken: Vec::new(), built_in: &[], pace: Arc::default() }
    }

    /// Names that a project's root may not use. A `Library` keeps projects from the names of built-in skills by itself; a
    /// store with roots of several scopes must know them too, or a project's skill hides a user's before it is rejected.
    #[must_use]
    pub fn reserving(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.taken.extend(names);
        self
    }

    /// Keeps each project's root in the project that it is in: from now on it is read only while it leads nowhere else. A
    /// project's root that is in none of them is not read.
    #[must_use]
    pub fn within(mut self, projects: &[PathBuf]) -> Self {
        for root in self.roots.iter_mut().filter(|root| root.scope == Scope::Project) {
            let border = projects.iter().filter(|project| root.path.starts_with(project));
            let nearest = border.max_by_key(|project| project.components().count());
            root.border = nearest.map_or(Border::Nowhere, |project| Border::Within(project.clone()));
        }
        self
    }

    /// Keeps projects from the names of these skills, as `reserving` does. A project's copy of one is no offence: it is left
    /// out without a word, as it says what the built-in one says.
    #[must_use]
    pub fn beside(mut self, built_in: &EmbeddedStore) -> Self {
        self.built_in = built_in.skills();
        self.reserving(built_in.reserved())
    }

    /// Whether a project's skill is the built-in one, byte for byte.
    fn is_copy(&self, root: &Root, skill: &Summary) -> bool {
        let ours = self.built_in.iter().find(|ours| ours.name == skill.name);
        let Some(ours) = ours.and_then(|ours| ours.file(FILE)) else { return false };
        let (Location::File(path), Ok(dir)) = (&skill.location, root.open()) else { return false };
        let directory = path.parent().and_then(Path::file_name).unwrap_or_default();
        let file = dir.dir(directory).and_then(|dir| dir.file(OsStr::new(FILE)));
        let mut bytes = Vec::new();
        file.is_ok_and(|mut file| read_up_to(&mut file, &mut bytes, ours.len() + 1).is_ok()) && bytes == ours
    }

    fn taken(&self) -> Vec<String> {
        let mut taken = self.reserved();
        taken.extend_from_slice(&self.taken);
        taken
    }

    fn find(&self, name: &str) -> Result<Found, SkillError> {
        let name = merge::asked_for(name)?;
        let taken = self.taken();
        let mut first_error = None;
        for root in &self.roots {
            if root.scope == Scope::Project && merge::is_reserved(name, &taken) {
                continue;
            }
            match self.find_in(root, name) {
                Ok(found) => return Ok(found),
                Err(SkillError::NotFound { .. }) => {}
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        Err(first_error.unwrap_or(SkillError::NotFound { name: name.to_owned() }))
    }

    fn find_in(&self, root: &Root, name: &str) -> Result<Found, SkillError> {
        let not_found = || SkillError::NotFound { name: name.to_owned() };
        let Ok(dir) = root.open() else {
            return Err(not_found());
        };
        let by_directory = self.open(root, &dir, OsStr::new(name));
        match by_directory {
            Ok(found) if found.fields.name == name => return Ok(found),
            Err(error) if self.reading == Reading::Strict => return Err(error),
            _ if self.reading == Reading::Strict => return Err(not_found()),
            _ => {}
        }
        // Lenient reading takes a name that is not the directory's.
        let elsewhere = scan::root(root, self.reading).skills.into_iter().find(|skill| skill.name == name);
        let directory = elsewhere.and_then(|skill| match &skill.location {
            Location::File(path) => path.parent()?.file_name().map(OsStr::to_owned),
            Location::Embedded => None,
        });
        let found = match directory {
            Some(directory) => self.open(root, &dir, &directory)?,
            None => return Err(by_directory.err().unwrap_or_else(not_found)),
        };
        if found.fields.name == name { Ok(found) } else { Err(not_found()) }
    }

    fn open(&self, root: &Root, at: &Dir, directory: &OsStr) -> Result<Found, SkillError> {
        let name = directory.to_string_lossy().into_owned();
        let refused = |refusal: Refusal, what: &str| match refusal {
            Refusal::Missing => SkillError::NotFound { name: name.clone() },
            refusal => SkillError::Rejected { name: name.clone(), why: refusal.about(what) },
        };
        let dir = at.dir(directory).map_err(|refusal| refused(refusal, "its directory"))?;
        let path = root.path.join(directory).join(FILE);
        let mut file = dir.file(OsStr::new(FILE)).map_err(|refusal| refused(refusal, FILE))?;
        let mut bytes = Vec::new();
        let document = read_head(&mut file, &mut bytes, &name, self.reading)
            .map_err(|error| SkillError::Unreadable(format!("`{name}/{FILE}` cannot be read: {error}")))?;
        match (document.fields, document.body) {
            (Some(fields), Some(body)) => Ok(Found {
                dir,
                file,
                bytes,
                fields,
                warnings: document.warnings,
                body,
                scope: root.scope,
                path,
            }),
            _ => Err(merge::refused(&name, &document.errors)),
        }
    }
}

impl Store for FileSystemStore {
    fn list(&self) -> Catalogue {
        let started = Instant::now();
        let parts = self.roots.iter().map(|root| {
            let mut part = scan::root(root, self.reading);
            if root.scope == Scope::Project {
                part.skills.retain(|skill| !self.is_copy(root, skill));
            }
            part
        });
        let listed = merge::merge(parts.collect(), &self.taken());
        self.pace.is_local.get_or_init(|| self.roots.iter().all(|root| is_local(&root.path)));
        self.pace.was_quick.store(started.elapsed() < QUICK, Ordering::Relaxed);
        listed
    }

    fn is_quick(&self) -> bool {
        self.pace.is_local.get() == Some(&true) && self.pace.was_quick.load(Ordering::Relaxed)
    }

    fn load(&self, name: &str, max_bytes: usize) -> Result<Skill, SkillError> {
        body::check_limit(max_bytes)?;
        let mut found = self.find(name)?;
        let (start, line) = found.body;
        let io =
            |error| SkillError::Unreadable(format!("`{}/{FILE}` cannot be read: {error}", found.fields.name));
        let size = found.file.metadata().map_err(io)?.len();
        // One byte more than is kept, so that it is known whether something is left out.
        let wanted = start.saturating_add(max_bytes).saturating_add(1);
        read_up_to(&mut found.file, &mut found.bytes, wanted).map_err(io)?;
        let text = &found.bytes[start..];
        let total = size.saturating_sub(start as u64).max(text.len() as u64);
        let body = body::read(text, total, line, max_bytes);
        let (files, unlisted) = files(&found.dir);
        let doubts = found.warnings.into_iter().chain(unlisted).collect();
        Ok(body.of(found.fields.summary(found.scope, Location::File(found.path)), files, doubts))
    }

    fn read_file(&self, name: &str, path: &str, max_bytes: usize) -> Result<String, SkillError> {
        body::check_limit(max_bytes)?;
        let (folder, file) = bundled::parse(name.trim_ascii(), path)?;
        let found = self.find(name)?;
        let missing = || bundled::missing(&found.fields.name, path);
        let folder = found.dir.dir(OsStr::new(folder)).map_err(|_| missing())?;
        let mut file = index::open(&found.dir, &folder, OsStr::new(&file)).ok_or_else(missing)?;
        let mut bytes = Vec::new();
        read_up_to(&mut file, &mut bytes, max_bytes.saturating_add(1))
            .map_err(|error| SkillError::Unreadable(format!("`{path}` cannot be read: {error}")))?;
        if bytes.len() > max_bytes {
            return Err(SkillError::TooLarge { path: path.to_owned(), max_bytes });
        }
        Ok(bundled::text(bytes))
    }

    fn phases(&self, name: &str) -> Result<Option<PhaseTable>, PhasesError> {
        let found = self.find(name)?;
        phases::of(&found.fields, |file| read_table(&found.dir, file)).map_err(PhasesError::Table)
    }

    fn summary(&self, name: &str) -> Result<Summary, SkillError> {
        let found = self.find(name)?;
        Ok(found.fields.summary(found.scope, Location::File(found.path)))
    }

    fn reserved(&self) -> Vec<String> {
        let built_in = self.roots.iter().filter(|root| root.scope == Scope::BuiltIn);
        built_in
            .flat_map(|root| scan::root(root, self.reading).skills)
            .map(|skill| skill.name.clone())
            .collect()
    }
}

/// The bytes of a file beside `SKILL.md`, or why there are none.
pub(crate) fn read_table(dir: &Dir, file: &str) -> Result<Vec<u8>, String> {
    let mut opened = dir.file(OsStr::new(file)).map_err(|refusal| refusal.about(&format!("`{file}`")))?;
    let mut bytes = Vec::new();
    read_up_to(&mut opened, &mut bytes, phases::MOST_BYTES + 1)
        .map_err(|error| format!("`{file}` cannot be read: {error}"))?;
    Ok(bytes)
}

/// Reads until the head ends, and no more than a head may have. What was read is in `bytes`, whatever was there before.
pub(crate) fn read_head(
    file: &mut File,
    bytes: &mut Vec<u8>,
    directory: &str,
    reading: Reading,
) -> std::io::Result<Document> {
    read_once(file, bytes, FIRST_CHUNK)?;
    let mut split = head::split(bytes, false);
    if split == head::Split::More {
        let whole = read_up_to(file, bytes, head::MOST)?;
        split = head::split(bytes, whole);
    }
    Ok(reading::read(bytes, split, directory, reading))
}
