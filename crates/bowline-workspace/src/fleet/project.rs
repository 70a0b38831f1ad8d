//! Where the project of a file begins.
//!
//! The nearest directory with a marker of the language, and above it a marker that gathers projects (a Go or Cargo
//! workspace, a package.json with workspaces): starting a server for each member would cost a server for each member.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bowline_std::fs::read_text;

/// Markers come and go with projects, not with edits.
const KEPT: Duration = Duration::from_secs(5);
/// A manifest is a few lines.
const MAX_MANIFEST: u64 = 256 << 10;
/// Files that gather projects, and the word in them that says so.
const GATHERING: &[(&str, Option<&str>)] = &[
    ("go.work", None),
    ("Cargo.toml", Some("[workspace")),
    ("package.json", Some("\"workspaces\"")),
    ("pnpm-workspace.yaml", None),
    ("settings.gradle", None),
    ("settings.gradle.kts", None),
    // The commands of all units, whichever makefile below it builds them.
    ("compile_commands.json", None),
    ("build/compile_commands.json", None),
];

#[derive(Debug, Default)]
pub(super) struct Projects {
    known: Mutex<HashMap<Place, Found>>,
}

/// A directory, seen by a language with these markers.
type Place = (PathBuf, Vec<String>);
/// A root, and when it was found.
type Found = (PathBuf, Instant);

impl Projects {
    /// The root of the project that a file belongs to, within a root of the workspace.
    pub(super) fn root_of(&self, file: &Path, within: &Path, markers: &[String]) -> PathBuf {
        let directory = file.parent().unwrap_or(within).to_owned();
        let key = (directory, markers.to_vec());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((root, at)) = known.get(&key)
            && at.elapsed() < KEPT
        {
            return root.clone();
        }
        let root = find(&key.0, within, markers);
        known.retain(|_, (_, at)| at.elapsed() < KEPT);
        known.insert(key, (root.clone(), Instant::now()));
        root
    }
}

fn find(directory: &Path, within: &Path, markers: &[String]) -> PathBuf {
    let inside = || directory.ancestors().take_while(|directory| directory.starts_with(within));
    let nearest = inside().find(|directory| markers.iter().any(|marker| has(directory, marker)));
    let gathering = inside().find(|directory| gathers(directory, markers));
    // A project of its own below a workspace that is another's is its own.
    gathering.or(nearest).unwrap_or(within).to_owned()
}

fn has(directory: &Path, marker: &str) -> bool {
    match marker.strip_prefix('*') {
        None => directory.join(marker).exists(),
        Some(ending) => directory.read_dir().is_ok_and(|entries| {
            entries
                .flatten()
                .any(|entry| entry.file_name().to_str().is_some_and(|name| name.ends_with(ending)))
        }),
    }
}

/// Whether a directory gathers projects of a language with these markers.
fn gathers(directory: &Path, markers: &[String]) -> bool {
    let concerns = |name: &str| {
        markers.iter().any(|marker| marker == name)
            || (name == "pnpm-workspace.yaml" && markers.iter().any(|marker| marker == "package.json"))
            || name.strip_prefix("build/").is_some_and(|name| markers.iter().any(|marker| marker == name))
    };
    GATHERING.iter().filter(|(name, _)| concerns(name)).any(|(name, word)| {
        let path = directory.join(name);
        match word {
            None => path.is_file(),
            Some(word) => read_text(&path, MAX_MANIFEST).is_ok_and(|(text, _)| text.contains(word)),
        }
    })
}

#[cfg(test)]
mod tests {
    use bowline_testkit::Fixture;

    use super::*;

    fn root(fixture: &str, file: &str, markers: &[&str]) -> String {
        let fixture = Fixture::new(fixture);
        let markers: Vec<String> = markers.iter().map(|marker| (*marker).to_owned()).collect();
        let within = fixture.root().to_owned();
        let root = Projects::default().root_of(&within.join(file), &within, &markers);
        format!("/{}", root.strip_prefix(&within).unwrap().display())
    }

    #[test]
    fn the_nearest_marker_is_the_root() {
        let tree = "//- /a/go.mod\nmodule a\n//- /b/go.mod\nmodule b\n//- /b/x/y.go\npackage x\n";
        assert_eq!(root(tree, "b/x/y.go", &["go.mod", "go.work"]), "/b");
        assert_eq!(root(tree, "c.go", &["go.mod", "go.work"]), "/", "none: the root of the workspace");
    }

    #[test]
    fn what_gathers_projects_is_their_root() {
        let tree = "//- /go.work\ngo 1.26\n//- /b/go.mod\nmodule b\n//- /b/y.go\npackage b\n";
        assert_eq!(root(tree, "b/y.go", &["go.mod", "go.work"]), "/");
        let tree = "//- /Cargo.toml\n[workspace]\n//- /a/Cargo.toml\n[package]\n//- /own/Cargo.toml\n[package]\n[workspace]\n";
        assert_eq!(root(tree, "a/lib.rs", &["Cargo.toml"]), "/");
        assert_eq!(root(tree, "own/lib.rs", &["Cargo.toml"]), "/own", "a workspace of its own");
    }

    #[test]
    fn makefiles_below_a_compile_database_are_no_projects() {
        let markers = &["compile_commands.json", "Makefile"];
        let tree = "//- /compile_commands.json\n[]\n//- /src/Makefile\nall:\n//- /src/a.c\n\n";
        assert_eq!(root(tree, "src/a.c", markers), "/");
        let tree = "//- /build/compile_commands.json\n[]\n//- /src/Makefile\nall:\n//- /src/a.c\n\n";
        assert_eq!(root(tree, "src/a.c", markers), "/");
        assert_eq!(root("//- /src/Makefile\nall:\n//- /src/a.c\n\n", "src/a.c", markers), "/src");
    }

    #[test]
    fn a_marker_may_be_an_ending() {
        assert_eq!(root("//- /a/app.csproj\n<Project/>\n", "a/b.cs", &["*.csproj"]), "/a");
    }
}
