//! Which languages a directory holds, and which servers for them are there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use bowline_lsp::known::{KNOWN, KnownServer, find_server};

/// Directories of things made or fetched, whether or not they are ignored.
pub(super) const LEFT_OUT: [&str; 9] =
    ["node_modules", "target", "build", "dist", "vendor", "__pycache__", "venv", ".venv", ".tox"];
/// What one marker counts as, in files.
const MARKER: u64 = 50;

/// One language of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageUse {
    pub language: &'static str,
    pub files: u64,
    /// The files that mark projects of it.
    pub markers: Vec<PathBuf>,
    /// By this, languages are ranked.
    pub score: u64,
}

/// A server that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    pub server: KnownServer,
    pub path: PathBuf,
}

/// A server that would be wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotInstalled {
    pub server: KnownServer,
    /// What is there instead, where something is.
    pub reason: Option<String>,
}

/// What a directory holds, and what there is for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// Best first.
    pub languages: Vec<LanguageUse>,
    /// In the order of their languages.
    pub installed: Vec<Installed>,
    pub not_installed: Vec<NotInstalled>,
}

/// Looks through a directory, and for servers on a search path. Blocks; runs nothing.
pub fn detect(root: &Path, path_var: &OsStr, stopped: &dyn Fn() -> bool) -> Detected {
    let languages = languages(&[root.to_owned()], stopped);
    let (mut installed, mut not_installed) = (Vec::new(), Vec::new());
    for known in &languages {
        let Some(server) = KNOWN.iter().find(|server| server.language == known.language) else {
            continue;
        };
        match find_server(server.binary, root, path_var) {
            Ok(path) => installed.push(Installed { server: *server, path }),
            Err(reason) => not_installed.push(NotInstalled { server: *server, reason }),
        }
    }
    Detected { languages, installed, not_installed }
}

/// The languages of these directories, most used first.
pub(super) fn languages(roots: &[PathBuf], stopped: &dyn Fn() -> bool) -> Vec<LanguageUse> {
    let mut found: BTreeMap<&'static str, LanguageUse> = BTreeMap::new();
    for root in roots {
        let entries = WalkBuilder::new(root)
            .require_git(false)
            .git_global(false)
            .filter_entry(|entry| {
                !LEFT_OUT.iter().any(|name| entry.depth() > 0 && entry.file_name() == *name)
            })
            .build()
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
            .take_while(|_| !stopped());
        for entry in entries {
            let Some(name) = entry.file_name().to_str() else {
                continue;
            };
            for server in KNOWN {
                count(&mut found, server, name, entry.path());
            }
        }
        // Some markers are hidden files, which the walk does not show.
        for server in KNOWN {
            for marker in server.markers.iter().filter(|marker| marker.starts_with('.')) {
                let path = root.join(marker);
                if path.is_file() {
                    add(&mut found, server, Some(&path), 0);
                }
            }
        }
    }
    let mut languages: Vec<LanguageUse> = found.into_values().collect();
    // Stable, so that equals stay in the order of their names.
    languages.sort_by_key(|language| std::cmp::Reverse(language.score));
    languages
}

fn count(
    found: &mut BTreeMap<&'static str, LanguageUse>,
    server: &'static KnownServer,
    name: &str,
    path: &Path,
) {
    let marks = server.markers.iter().any(|marker| match marker.strip_prefix('*') {
        Some(ending) => name.ends_with(ending),
        None => name == *marker,
    });
    let extension = path.extension().and_then(OsStr::to_str);
    let speaks = server.names.contains(&name)
        || extension.is_some_and(|extension| server.extensions.contains(&extension));
    if marks || speaks {
        add(found, server, marks.then_some(path), u64::from(speaks));
    }
}

fn add(
    found: &mut BTreeMap<&'static str, LanguageUse>,
    server: &'static KnownServer,
    marker: Option<&Path>,
    files: u64,
) {
    let language = found.entry(server.language).or_insert_with(|| LanguageUse {
        language: server.language,
        files: 0,
        markers: Vec::new(),
        score: 0,
    });
    language.files += files;
    language.score += files + marker.map_or(0, |_| MARKER);
    language.markers.extend(marker.map(Path::to_owned));
}
