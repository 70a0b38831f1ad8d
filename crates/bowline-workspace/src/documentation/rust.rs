//! `rustdoc`: the project's crates are documented in a directory of ours, the standard library's pages are read where
//! they are installed.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::pages::{Page, look_up};
use super::{BUILD_LIMIT, Documentation, DocumentationError, LIMIT, Question};
use crate::program::Run;
use crate::{ProgramError, WorkspaceError};

const STANDARD: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];
const MOST_MEMBERS: usize = 20;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
}

impl Target {
    fn is_bin(&self) -> bool {
        self.kind.iter().any(|kind| kind == "bin")
    }

    /// Whether other crates can use it.
    fn is_library(&self) -> bool {
        let libraries = ["lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"];
        self.kind.iter().any(|kind| libraries.contains(&kind.as_str()))
    }

    fn crate_name(&self) -> String {
        self.name.replace('-', "_")
    }
}

impl Package {
    fn library(&self) -> Option<&Target> {
        self.targets.iter().find(|target| target.is_library())
    }

    fn is_called(&self, crate_name: &str) -> bool {
        self.library().is_some_and(|library| library.crate_name() == crate_name)
    }

    /// The one that a file belongs to: a program's own file is that program's, everything else the library's.
    fn target_of(&self, file: Option<&Path>) -> Option<&Target> {
        let own = |target: &&Target| {
            let Some(file) = file else { return false };
            let in_a_directory = || {
                target.src_path.file_name().is_some_and(|name| name == "main.rs")
                    && target
                        .src_path
                        .parent()
                        .is_some_and(|dir| !dir.ends_with("src") && file.starts_with(dir))
            };
            target.is_bin() && (target.src_path == file || in_a_directory())
        };
        let bins = || self.targets.iter().filter(|target| target.is_bin());
        bins()
            .find(own)
            .or_else(|| self.library())
            .or_else(|| bins().find(|bin| bin.name == self.name))
            .or(bins().next())
    }
}

/// Whether a symbol is the standard library's by its path.
pub(super) fn is_standard(symbol: &str) -> bool {
    split(symbol).first().is_some_and(|first| STANDARD.contains(first)) && split(symbol).len() > 1
}

/// `Type::method` and `Type.method` alike; a macro's `!` is not part of its name.
fn split(symbol: &str) -> Vec<&str> {
    symbol.trim_end_matches('!').split(['.', ':']).filter(|part| !part.is_empty()).collect()
}

pub(super) async fn ask(question: &Question<'_>) -> Result<Documentation, DocumentationError> {
    let names = split(question.symbol);
    if is_standard(question.symbol) {
        let pages = sysroot(question).await?.join("share/doc/rust/html").join(names[0]);
        if !pages.join("all.html").is_file() {
            return Err(DocumentationError::NoStandardPages);
        }
        return read(question, pages, &names[1..]).await;
    }
    let metadata = metadata(question).await?;
    let package = choose(question, &metadata, names.first().copied())?;
    let target = package
        .target_of(question.file.as_deref())
        .ok_or_else(|| DocumentationError::NoPackage { at: question.dir().to_owned() })?;
    let crate_name = target.crate_name();
    let inner = match names.split_first() {
        Some((first, inner)) if *first == "crate" || *first == "self" || *first == crate_name => inner,
        _ => &names,
    };
    let cache = Cache::of(question, &metadata.workspace_root, target, package)?;
    build(question, package, target, &cache, &metadata.workspace_root.join("Cargo.lock")).await?;
    let pages =
        pages_in(cache.path(), &crate_name).ok_or(DocumentationError::Unreadable { program: "cargo doc" })?;
    read(question, pages, inner).await
}

async fn read(
    question: &Question<'_>,
    pages: PathBuf,
    names: &[&str],
) -> Result<Documentation, DocumentationError> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let looking = move |_: &crate::workspace::Work| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(look_up(&pages, &names)?)
    };
    match question.workspace.blocking(question.patience, looking).await? {
        Page::Found { signature, text } => Ok(Documentation::new(&signature, &text)),
        Page::Ambiguous(candidates) => {
            Err(DocumentationError::Ambiguous { symbol: question.symbol.to_owned(), candidates })
        }
        Page::Missing(near) => {
            let meant = near.map_or_else(String::new, |near| format!("; is `{near}` meant?"));
            Err(question.not_found(format!(
                "rustdoc has no page of it (a method is written `Type::method`, what is of the standard library \
                 with its path, `std::vec::Vec`){meant}"
            )))
        }
    }
}

/// Pages are looked for where a build for this machine puts them.
fn cargo(question: &Question<'_>, limit: std::time::Duration) -> Run {
    crate::cargo::cargo(question.dir(), question.workspace.fleet.environment(), limit)
        .without_env(&["CARGO_BUILD_TARGET"])
}

async fn sysroot(question: &Question<'_>) -> Result<PathBuf, DocumentationError> {
    let environment = question.workspace.fleet.environment();
    let said = Run::new("rustc", question.dir(), environment, LIMIT)
        .args(["--print", "sysroot"])
        .env("RUSTUP_AUTO_INSTALL", "0")
        .output(question.patience)
        .await?
        .successful()?;
    Ok(PathBuf::from(String::from_utf8_lossy(&said).trim()))
}

async fn metadata(question: &Question<'_>) -> Result<Metadata, DocumentationError> {
    let said = cargo(question, LIMIT)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .output(question.patience)
        .await?;
    if said.complaint().contains("could not find `Cargo.toml`") {
        return Err(DocumentationError::NoPackage { at: question.dir().to_owned() });
    }
    serde_json::from_slice(&said.successful()?)
        .map_err(|_| DocumentationError::Unreadable { program: "cargo metadata" })
}

/// Which package is meant: the one whose crate the symbol names, the one around the file, or the only one.
fn choose<'a>(
    question: &Question<'_>,
    metadata: &'a Metadata,
    first: Option<&str>,
) -> Result<&'a Package, DocumentationError> {
    let packages = &metadata.packages;
    let named = first.and_then(|first| packages.iter().find(|package| package.is_called(first)));
    let around = |dir: &Path| {
        let holding = packages
            .iter()
            .filter(|package| package.manifest_path.parent().is_some_and(|at| dir.starts_with(at)));
        holding.max_by_key(|package| package.manifest_path.as_os_str().len())
    };
    let only = || if let [only] = packages.as_slice() { Some(only) } else { None };
    named.or_else(|| around(question.dir())).or_else(only).ok_or_else(|| {
        let mut members: Vec<String> = packages
            .iter()
            .filter_map(|package| package.library())
            .map(Target::crate_name)
            .take(MOST_MEMBERS)
            .collect();
        members.sort();
        DocumentationError::WhichPackage { members }
    })
}

async fn build(
    question: &Question<'_>,
    package: &Package,
    target: &Target,
    cache: &Cache,
    lock: &Path,
) -> Result<(), DocumentationError> {
    let manifest = &package.manifest_path;
    let kept = matches!(cache, Cache::Kept(_));
    let mut run = cargo(question, BUILD_LIMIT)
        .args(["doc", "--no-deps", "--offline", "--document-private-items", "--manifest-path"])
        .args([manifest.as_os_str(), "--target-dir".as_ref(), cache.path().as_os_str()]);
    // A look must not change a project's file. Where there is none, cargo writes it as it always does.
    if lock.is_file() {
        run = run.args(["--locked"]);
    }
    run = if target.is_bin() { run.args(["--bin", &target.name]) } else { run.args(["--lib"]) };
    let said = match run.output(question.patience).await {
        Err(WorkspaceError::Program(ProgramError::TooSlow { after, last, .. })) => {
            return Err(DocumentationError::Unfinished { after, last, kept });
        }
        said => said?,
    };
    said.successful()?;
    Ok(())
}

/// Where a crate's pages are: a project that builds for another system has them one directory further down.
fn pages_in(cache: &Path, crate_name: &str) -> Option<PathBuf> {
    let pages = |dir: PathBuf| {
        Some(dir.join("doc").join(crate_name)).filter(|pages| pages.join("all.html").is_file())
    };
    pages(cache.to_owned()).or_else(|| {
        let further = std::fs::read_dir(cache).ok()?.filter_map(Result::ok);
        further.map(|entry| entry.path()).find_map(pages)
    })
}

/// Where cargo builds: kept between calls, or gone after this one.
enum Cache {
    Kept(PathBuf),
    Passing(tempfile::TempDir),
}

impl Cache {
    fn of(
        question: &Question<'_>,
        workspace_root: &Path,
        target: &Target,
        package: &Package,
    ) -> Result<Self, DocumentationError> {
        let Some(cache) = &question.workspace.cache else {
            let passing = tempfile::tempdir()
                .map_err(|error| WorkspaceError::Internal(format!("no temporary directory: {error}")))?;
            return Ok(Self::Passing(passing));
        };
        let hash = blake3::hash(workspace_root.as_os_str().as_encoded_bytes()).to_hex();
        let mut name = format!("rustdoc-{}", &hash[..16]);
        // Programs often have the name of their library, or of another package's program. Their pages would overwrite
        // one another, and cargo would not notice.
        if target.is_bin() {
            name = format!("{name}-bin-{}", package.name);
        }
        Ok(Self::Kept(cache.join(name)))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Kept(path) => path,
            Self::Passing(dir) => dir.path(),
        }
    }
}
