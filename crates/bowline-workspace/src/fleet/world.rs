//! The world that a server's answer depends on, as one number: every file of the workspace, what was installed beside them,
//! who the server is and how it was set up.
//!
//! Two worlds with the same number are the same, as far as the workspace goes, so what was answered in one is true in the
//! other. Where there may be something that is not in the number, there is no number.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bowline_lsp::{Life, Reach, Server};
use bowline_std::fs::read_bounded;

use super::Fleet;
use super::news::{Place, Stamp};
use crate::WorkspaceError;
use crate::stamp::PROVES_NOTHING;
use crate::workspace::Shared;

/// Raised when answers of the same world would be kept otherwise.
const REVISION: u8 = 2;
/// Larger projects are not worth going through.
const MOST_FILES: usize = 50_000;
/// Of a larger file its time and size stand for it, once they prove something.
const MOST_BYTES: u64 = 4 << 20;

/// Files that no server of a programming language reads.
const PROSE: [&str; 20] = [
    "md", "markdown", "rst", "adoc", "png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "pdf", "mp4", "mp3",
    "woff", "woff2", "ttf", "zip", "gz", "log",
];

/// What was fetched and is not walked through: these say what is there.
const FETCHED: [&str; 4] = [
    "node_modules/.package-lock.json",
    "node_modules/.yarn-integrity",
    "node_modules/.modules.yaml",
    ".venv/pyvenv.cfg",
];

/// Directories that are not walked through because of their names, and what beside or inside them shows that they are what
/// they are called.
const BUILT: [(&str, &[&str]); 3] = [
    ("target", &["Cargo.toml", "pom.xml", "build.sbt", "target/CACHEDIR.TAG"]),
    ("venv", &["venv/pyvenv.cfg"]),
    (".venv", &[".venv/pyvenv.cfg"]),
];

/// Variables that change what a program means, rather than where things are.
const MEANS_SOMETHING: [&str; 23] = [
    "GOFLAGS",
    "GOWORK",
    "GOEXPERIMENT",
    "GOOS",
    "GOARCH",
    "GOROOT",
    "GO111MODULE",
    "GOTOOLCHAIN",
    "CGO_ENABLED",
    "CGO_CFLAGS",
    "CARGO_BUILD_TARGET",
    "RUSTUP_TOOLCHAIN",
    "RUSTFLAGS",
    "NODE_PATH",
    "NODE_OPTIONS",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYENV_VERSION",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
];

type Hash = [u8; 32];

/// What was found out about files, so that each is read once.
#[derive(Default)]
pub(crate) struct Worlds {
    hashes: Mutex<HashMap<PathBuf, (Stamp, Hash)>>,
    /// The last world of each project, and up to which place in the log it is that.
    known: Mutex<HashMap<(PathBuf, String), (Place, Hash)>>,
}

/// A world, and since when it is that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct World {
    pub(crate) hash: Hash,
    pub(crate) since: Place,
}

impl Worlds {
    fn hashes(&self) -> MutexGuard<'_, HashMap<PathBuf, (Stamp, Hash)>> {
        self.hashes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<(PathBuf, String), (Place, Hash)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The hash of a file's content. `None`: it cannot be known. Blocks.
    fn hash_of(&self, path: &Path, stamp: Stamp) -> Option<Hash> {
        // What proved nothing when it was written may prove something by now.
        let stamp = match stamp.changed_ns {
            PROVES_NOTHING => Stamp::of(&path.symlink_metadata().ok()?),
            _ => stamp,
        };
        let proves = stamp.changed_ns != PROVES_NOTHING;
        if proves
            && let Some((known, hash)) = self.hashes().get(path)
            && *known == stamp
        {
            return Some(*hash);
        }
        let hash = if stamp.size <= MOST_BYTES {
            *blake3::hash(&read_bounded(path, MOST_BYTES).ok()?.0).as_bytes()
        } else if proves {
            *blake3::hash(format!("{stamp:?}").as_bytes()).as_bytes()
        } else {
            return None;
        };
        self.hashes().insert(path.to_owned(), (stamp, hash));
        Some(hash)
    }

    /// What says which packages are installed, in the project and around it. Blocks.
    fn fetched(&self, root: &Path) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for (depth, directory) in (0_u64..).zip(root.ancestors()) {
            for name in FETCHED {
                let path = directory.join(name);
                if let Ok(metadata) = path.metadata()
                    && let Some(hash) = self.hash_of(&path, Stamp::of(&metadata))
                {
                    hasher.update(&depth.to_le_bytes()).update(name.as_bytes()).update(&hash);
                }
            }
        }
        hasher.finalize()
    }

    /// Forgets files that are no longer there.
    fn forget(&self, files: &[(PathBuf, Stamp)]) {
        let mut hashes = self.hashes();
        if hashes.len() > 2 * files.len() + 1000 {
            let there: HashSet<&PathBuf> = files.iter().map(|(path, _)| path).collect();
            hashes.retain(|path, _| there.contains(path));
        }
    }
}

impl Fleet {
    /// The world of a server as it is now, all changes told. `None`: it cannot be known.
    pub(crate) async fn world(
        self: &Arc<Self>,
        shared: &Arc<Shared>,
        server: &Server,
        life: &Life,
        as_of: Instant,
    ) -> Result<Option<World>, WorkspaceError> {
        let Some(setup) = self.setup(server, life) else {
            return Ok(None);
        };
        // What somebody has left out of the workspace its servers read all the same.
        if !shared.options.ignore.is_empty() {
            return Ok(None);
        }
        self.tell_news_as_of(shared, as_of).await?;
        let since = self.news.now();
        let roots: Vec<PathBuf> = shared.roots.all().to_vec();
        let (fleet, root) = (Arc::clone(self), server.root().to_owned());
        let fetched = super::fresh::blocking(move || fleet.worlds.fetched(&root)).await?;
        let key = (server.root().to_owned(), format!("{setup}\n{}", fetched.to_hex()));
        if let Some((place, hash)) = self.worlds.known().get(&key)
            && *place == since
        {
            return Ok(Some(World { hash: *hash, since }));
        }
        let mut files = Vec::new();
        for root in &roots {
            match self.news.files_below(root) {
                Some(below) => files.extend(below),
                None => return Ok(None),
            }
        }
        if files.len() > MOST_FILES {
            return Ok(None);
        }
        let (fleet, spec, setup) = (Arc::clone(self), server.spec().clone(), key.1.clone());
        let hashed = super::fresh::blocking(move || {
            let directories = files.iter().filter_map(|(path, _)| path.parent()).collect();
            if hides_sources(&directories) {
                return None;
            }
            fleet.worlds.forget(&files);
            let speaks_otherwise = |path: &Path| {
                let mut others = fleet.specs.iter().filter(|other| other.name != spec.name);
                spec.language_of(path).is_none() && others.any(|other| is_code(other, path))
            };
            let mut hasher = blake3::Hasher::new();
            hasher.update(&[REVISION]).update(setup.as_bytes());
            for (path, stamp) in files.iter().filter(|(path, _)| !is_prose(path) && !speaks_otherwise(path)) {
                let (number, root) = roots.iter().enumerate().find(|(_, root)| path.starts_with(root))?;
                let name = path.strip_prefix(root).ok()?.as_os_str().as_encoded_bytes();
                let hash = fleet.worlds.hash_of(path, *stamp)?;
                hasher.update(&[u8::try_from(number).ok()?]);
                hasher.update(&(name.len() as u64).to_le_bytes()).update(name).update(&hash);
            }
            Some(*hasher.finalize().as_bytes())
        })
        .await?;
        let Some(hash) = hashed else {
            return Ok(None);
        };
        // Something may have changed while files were read; then this is no world that ever was.
        if !self.is_still(shared, since).await? {
            return Ok(None);
        }
        let mut known = self.worlds.known();
        if known.len() > 100 {
            known.clear();
        }
        known.insert(key, (since, hash));
        Ok(Some(World { hash, since }))
    }

    /// Who a server is and how it was set up. `None`: its answers cannot be told from those of another.
    fn setup(&self, server: &Server, life: &Life) -> Option<String> {
        let spec = server.spec();
        let Reach::Program { args, .. } = &spec.reach else {
            return None;
        };
        // Folders beside the root are read too, and are not below it.
        if life.folders().iter().any(|folder| folder != server.root()) || !life.knows_all_files() {
            return None;
        }
        let environment: Vec<(String, String)> = self
            .environment
            .iter()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .filter(|(name, _)| MEANS_SOMETHING.contains(&name.as_str()))
            .collect();
        let settings =
            (environment, &spec.settings, &spec.initialization_options, &spec.env, &spec.root_markers, args);
        let settings = serde_json::to_string(&settings).ok()?;
        Some(format!("{}\n{settings}", life.identity()?))
    }

    /// Whether nothing has changed since a place in the log.
    pub(crate) async fn is_still(
        self: &Arc<Self>,
        shared: &Arc<Shared>,
        since: Place,
    ) -> Result<bool, WorkspaceError> {
        self.tell_news(shared).await?;
        Ok(self.news.now() == since)
    }
}

/// Whether a directory is passed over for its name that is something else. Blocks.
pub(crate) fn hides_sources(directories: &HashSet<&Path>) -> bool {
    let is_other = |directory: &Path, name: &str, signs: &[&str]| {
        directory.join(name).is_dir() && !signs.iter().any(|sign| directory.join(sign).exists())
    };
    directories.iter().any(|directory| BUILT.iter().any(|(name, signs)| is_other(directory, name, signs)))
}

pub(crate) fn is_prose(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    PROSE.contains(&extension.to_ascii_lowercase().as_str())
}

/// Whether a file is source of a language that this server speaks. What describes projects and data is everybody's.
fn is_code(spec: &bowline_lsp::ServerSpec, path: &Path) -> bool {
    const DATA: [&str; 8] = ["json", "jsonc", "yaml", "toml", "xml", "css", "html", "dockerfile"];
    spec.language_of(path).is_some_and(|language| !DATA.contains(&language.id.as_str()))
}
