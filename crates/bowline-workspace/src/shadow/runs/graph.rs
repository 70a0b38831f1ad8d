//! The packages around a draft, as cargo describes them, and which of them run while others are compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Patience;
use crate::shadow::{ShadowError, cargo};

/// So many workspaces are asked about. Who depends on more of them by path gets no verdict.
const MOST_WORKSPACES: usize = 24;

#[derive(Default)]
pub(in crate::shadow) struct Graph {
    /// By the real path of their directories.
    packages: BTreeMap<PathBuf, Package>,
    /// Something that the packages depend on is not known.
    pub(super) is_unclear: bool,
}

#[derive(Deserialize)]
struct Described {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    manifest_path: PathBuf,
    targets: Vec<Target>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
    src_path: PathBuf,
}

#[derive(Deserialize)]
struct Dependency {
    /// `None`: an ordinary one.
    kind: Option<String>,
    path: Option<PathBuf>,
}

/// Asks cargo about the workspace of a project, those of the drafted files, and all that they depend on by path.
pub(in crate::shadow) async fn gather(
    root: &Path,
    drafted: &BTreeSet<PathBuf>,
    environment: &[(OsString, OsString)],
    patience: &Patience<'_>,
) -> Result<Graph, ShadowError> {
    let mut graph = Graph::default();
    graph.add(&cargo::describe(root, environment, patience).await?);
    let mut asked = BTreeSet::from([root.to_owned()]);
    let own: BTreeSet<PathBuf> = drafted.iter().filter_map(|path| package_around(path)).collect();
    loop {
        let missing = own.iter().cloned().chain(graph.depended_on());
        let Some(dir) = missing.into_iter().find(|dir| !graph.knows(dir) && !asked.contains(dir)) else {
            return Ok(graph);
        };
        if asked.len() >= MOST_WORKSPACES {
            graph.is_unclear = true;
            return Ok(graph);
        }
        match cargo::describe(&dir, environment, patience).await {
            Ok(said) => graph.add(&said),
            Err(error @ ShadowError::Workspace(_)) => return Err(error),
            // A drafted file in what is no package is never compiled; it is enough not to know its package.
            Err(_) => graph.is_unclear |= !own.contains(&dir),
        }
        asked.insert(dir);
    }
}

/// The directory of the nearest manifest on disk.
pub(super) fn package_around(path: &Path) -> Option<PathBuf> {
    let dir = path.ancestors().skip(1).find(|dir| dir.join("Cargo.toml").is_file())?;
    dir.canonicalize().ok()
}

impl Graph {
    fn add(&mut self, said: &[u8]) {
        let Ok(described) = serde_json::from_slice::<Described>(said) else {
            self.is_unclear = true;
            return;
        };
        for package in described.packages {
            match package.manifest_path.parent().and_then(|dir| dir.canonicalize().ok()) {
                Some(dir) => drop(self.packages.insert(dir, package)),
                None => self.is_unclear = true,
            }
        }
    }

    pub(super) fn knows(&self, dir: &Path) -> bool {
        self.packages.contains_key(dir)
    }

    /// Directories that somebody depends on. What is not there is left to cargo to complain about.
    fn depended_on(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let paths = self.packages.values().flat_map(|package| &package.dependencies);
        let dirs = paths.filter_map(|dependency| dependency.path.as_ref()?.canonicalize().ok());
        dirs.filter(|dir| dir.join("Cargo.toml").is_file())
    }

    /// Packages with a build script, and the script.
    pub(super) fn scripts(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.packages.iter().flat_map(|(dir, package)| {
            let scripts = package.targets.iter().filter(|target| target.is("custom-build"));
            scripts.map(move |script| (dir.as_path(), script.src_path.as_path()))
        })
    }

    /// Macros, what build scripts depend on, these, and all that they depend on in turn.
    pub(super) fn running(&self, these: &[PathBuf]) -> BTreeSet<PathBuf> {
        let mut next: Vec<PathBuf> = these.to_vec();
        for (dir, package) in &self.packages {
            if package.targets.iter().any(|target| target.is("proc-macro")) {
                next.push(dir.clone());
            }
            next.extend(package.needs(|kind| kind == Some("build")));
        }
        let mut running = BTreeSet::new();
        while let Some(dir) = next.pop() {
            if let Some(package) = self.packages.get(&dir).filter(|_| !running.contains(&dir)) {
                next.extend(package.needs(|kind| kind != Some("dev")));
            }
            running.insert(dir);
        }
        running
    }
}

impl Package {
    fn needs(&self, wanted: impl Fn(Option<&str>) -> bool) -> impl Iterator<Item = PathBuf> {
        let needed = self.dependencies.iter().filter(move |dependency| wanted(dependency.kind.as_deref()));
        needed.filter_map(|dependency| dependency.path.as_ref()?.canonicalize().ok())
    }
}

impl Target {
    fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|is| is == kind)
    }
}
