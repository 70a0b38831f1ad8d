//! JavaScript and TypeScript: what all their runners share, which is `package.json` and `node_modules`.

use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::Value;

use super::Step;
use crate::folder::Folder;
use crate::project::{Project, Target};
use crate::{PlanError, Report};

/// So many files are looked at for tests.
const MOST_FILES: usize = 500;

/// Whether the package names this one among those that it needs, or its own script runs it.
pub(super) fn needs(folder: Folder<'_>, package: &str) -> Option<String> {
    let manifest = folder.json("package.json")?;
    let named = ["devDependencies", "dependencies", "peerDependencies", "optionalDependencies"]
        .iter()
        .any(|kind| manifest.get(kind).and_then(|kind| kind.get(package)).is_some());
    let runs =
        script(&manifest, "test").is_some_and(|script| script.split_whitespace().any(|word| word == package));
    (named || runs).then(|| "package.json".to_owned())
}

/// A script of the package.
pub(super) fn script(manifest: &Value, name: &str) -> Option<String> {
    let script = manifest.get("scripts")?.get(name)?.as_str()?;
    // What `npm init` writes.
    (!script.contains("no test specified")).then(|| script.to_owned())
}

/// A file whose name begins so: `vitest.config.ts`.
pub(super) fn config(folder: Folder<'_>, beginnings: &[&str]) -> Option<String> {
    folder.names().into_iter().find(|name| beginnings.iter().any(|beginning| name.starts_with(beginning)))
}

/// A program of the packages that are installed, in the project or in a folder around it.
pub(super) fn program(project: &Project<'_>, name: &str) -> Result<PathBuf, PlanError> {
    super::node_program(project, name).ok_or_else(|| PlanError::NotInstalled {
        program: name.to_owned(),
        get: format!("run `{} install` in `{}`", manager(project), project.dir.display()),
    })
}

/// Who installs the packages: its lock file says so.
pub(super) fn manager(project: &Project<'_>) -> &'static str {
    let locks = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("package-lock.json", "npm"),
    ];
    let known = |folder: Folder<'_>| locks.iter().find(|(lock, _)| folder.has(lock)).map(|(_, name)| *name);
    project.around().find_map(known).unwrap_or("npm")
}

/// A step of a program among the packages, which find each other on the `PATH`.
pub(super) fn step(project: &Project<'_>, name: &str, read: fn(&str) -> Report) -> Result<Step, PlanError> {
    Ok(with_path(project, Step::new(program(project, name)?, project.dir, read)))
}

pub(super) fn with_path(project: &Project<'_>, step: Step) -> Step {
    let programs = project.around().map(|folder| folder.join("node_modules/.bin")).filter(|dir| dir.is_dir());
    step.env("PATH", project.environment.path_with(programs)).env("FORCE_COLOR", "0")
}

/// A regular expression of JavaScript's that only this text fits.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for c in text.chars() {
        if "\\^$.|?*+()[]{}/-".contains(c) {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}

/// The whole path: some take it for a part of one, and none for an option.
pub(super) fn whole(target: &Target) -> OsString {
    target.path.as_os_str().to_owned()
}

/// The files of tests below a folder, by the names that Node knows them by.
pub(super) fn test_files(dir: &std::path::Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut queue = vec![dir.to_owned()];
    let mut looked_at = 0;
    while let Some(dir) = queue.pop() {
        let in_tests = dir.file_name().is_some_and(|name| name == "test");
        for name in Folder::new(&dir).names() {
            looked_at += 1;
            let path = dir.join(&name);
            if looked_at > 20 * MOST_FILES || found.len() == MOST_FILES {
                return found;
            }
            if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
                if name != "node_modules" && !name.starts_with('.') {
                    queue.push(path);
                }
            } else if in_tests && is_script(&name) || is_test(&name) {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}

fn is_script(name: &str) -> bool {
    [".js", ".mjs", ".cjs"].iter().any(|ending| name.ends_with(ending))
}

/// `a.test.js`, `a-test.js`, `a_test.js`, `test-a.js`, `test.js`
fn is_test(name: &str) -> bool {
    let Some((stem, _)) = name.rsplit_once('.').filter(|_| is_script(name)) else { return false };
    stem == "test"
        || stem.starts_with("test-")
        || [".test", "-test", "_test"].iter().any(|ending| stem.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tests() {
        for name in ["a.test.js", "test.mjs", "test-a.cjs", "a_test.js", "a-test.js"] {
            assert!(is_test(name), "{name}");
        }
        for name in ["a.js", "testing.js", "a.test.ts", "test"] {
            assert!(!is_test(name), "{name}");
        }
        assert_eq!(quoted("adds 1+1 (fast)"), r"adds 1\+1 \(fast\)");
    }
}
