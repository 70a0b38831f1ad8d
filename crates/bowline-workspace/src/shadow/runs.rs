//! What the compiler would run of a draft: build scripts, macros, and all that goes into them.
//!
//! What is on disk may run, as it does whenever the project is built. What is only drafted may not: nobody has agreed
//! to it yet. So this is decided before anything is laid into the mirror, and what cannot be known counts as running.

mod graph;
mod patches;
mod texts;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use bowline_std::fs::real_path;

use graph::Graph;
use patches::Configured;
use texts::Within;

pub(super) use graph::gather;

/// What is not part of a build script unless that says so.
const SOURCES: [&str; 4] = ["src", "tests", "benches", "examples"];

/// The first of the drafted files that could become code which runs while the project is compiled.
pub(super) fn first(
    root: &Path,
    drafted: &BTreeSet<PathBuf>,
    graph: &Graph,
    environment: &[(OsString, OsString)],
) -> Option<PathBuf> {
    let running = Running::of(root, graph, environment);
    drafted.iter().find(|path| running.has(path)).cloned()
}

struct Running<'a> {
    graph: &'a Graph,
    configured: Configured,
    /// Packages of which everything may run.
    packages: BTreeSet<PathBuf>,
    /// Packages whose build script is a single file.
    alone: BTreeSet<PathBuf>,
    /// Where links in such packages lead.
    linked: Vec<PathBuf>,
    /// Code that runs takes in files from who knows where.
    everything: bool,
}

impl<'a> Running<'a> {
    fn of(root: &Path, graph: &'a Graph, environment: &[(OsString, OsString)]) -> Self {
        let configured = Configured::of(root, environment);
        let mut packages = graph.running(&configured.patched);
        let (mut linked, mut everything) = (Vec::new(), graph.is_unclear || configured.is_unclear);
        let mut alone = BTreeSet::new();
        for (dir, script) in graph.scripts() {
            let script = script.canonicalize().ok().filter(|script| script.starts_with(dir));
            // A script without modules is all of it that runs.
            let text = script.as_ref().and_then(|script| texts::of_script(script));
            if let Some(text) = text.filter(|text| texts::stands_alone(text)) {
                everything |= ["\"cargo\"", "\"CARGO\""].iter().any(|word| text.contains(word));
                alone.insert(dir.to_owned());
                continue;
            }
            // Its modules lie beside it, and only what it says itself leads elsewhere.
            let within = texts::within(dir, &SOURCES);
            let is_among_sources =
                script.is_none_or(|script| part_of(dir, &script).is_some_and(|part| SOURCES.contains(&part)));
            if is_among_sources || within.says(&SOURCES) || within.says(&["#[path", "include!"]) {
                packages.insert(dir.to_owned());
            }
            // It may build and run another package.
            everything |= within.says(&["\"cargo\"", "\"CARGO\""]);
            take(within, &mut linked, &mut everything);
        }
        for dir in &packages {
            take(texts::within(dir, &[]), &mut linked, &mut everything);
        }
        Self { graph, configured, packages, alone, linked, everything }
    }

    fn has(&self, path: &Path) -> bool {
        // A link in the project and what it leads to are the same file.
        let Ok(real) = real_path(path) else { return true };
        self.everything || is_by_name(path) || is_by_name(&real) || self.is_in(path) || self.is_in(&real)
    }

    fn is_in(&self, path: &Path) -> bool {
        let Some(dir) = graph::package_around(path).filter(|dir| self.graph.knows(dir)) else { return true };
        if self.packages.contains(&dir) || self.linked.iter().any(|linked| path.starts_with(linked)) {
            return true;
        }
        if path.extension() != Some(OsStr::new("rs")) {
            // Any script may run it or read it.
            return self.graph.scripts().next().is_some() || self.configured.names(path);
        }
        if self.graph.scripts().any(|(_, script)| script == path) {
            return true;
        }
        let has_script = self.graph.scripts().any(|(of, _)| of == dir) && !self.alone.contains(&dir);
        has_script && part_of(&dir, path).is_none_or(|part| !SOURCES.contains(&part))
    }
}

fn take(within: Within, linked: &mut Vec<PathBuf>, everything: &mut bool) {
    *everything |= within.is_unclear || within.texts.iter().any(|text| texts::reaches_out(text));
    linked.extend(within.linked);
}

/// The directory of a package that a file is in. `None`: it lies beside the manifest, or elsewhere.
fn part_of<'p>(dir: &Path, path: &'p Path) -> Option<&'p str> {
    let mut parts = path.strip_prefix(dir).ok()?.components();
    let first = parts.next()?;
    parts.next().and(first.as_os_str().to_str())
}

/// Cargo finds these by their names, and they say what runs.
fn is_by_name(path: &Path) -> bool {
    let lower = |name: &OsStr| name.to_string_lossy().to_ascii_lowercase();
    let name = path.file_name().map(lower).unwrap_or_default();
    let is_beside_manifest = || path.parent().is_some_and(|dir| dir.join("Cargo.toml").exists());
    matches!(name.as_str(), "build.rs" | "cargo.toml" | "cargo.lock")
        || name.starts_with("rust-toolchain")
        || path.components().any(|part| lower(part.as_os_str()) == ".cargo")
        || (name.ends_with(".rs") && is_beside_manifest())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_finds_by_name_is_known_wherever_it_lies() {
        for path in [
            "/a/build.rs",
            "/a/src/Build.rs",
            "/a/Cargo.toml",
            "/a/Cargo.lock",
            "/a/.cargo/config.toml",
            "/a/.cargo/bin/x",
            "/a/rust-toolchain",
            "/a/rust-toolchain.toml",
        ] {
            assert!(is_by_name(Path::new(path)), "{path}");
        }
        assert!(!is_by_name(Path::new("/a/src/lib.rs")));
    }
}
