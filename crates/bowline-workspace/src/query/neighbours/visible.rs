//! Whether one project can see what another declares. A server is not asked about a name that its project cannot see,
//! however often the name is written there.
//!
//! Told by what the files of the other project bring in, and by its manifests. Where a language has no rule here, or a
//! project is too large to be looked through, it may see everything.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use bowline_std::fs::read_text;

use crate::fleet::Sight;

/// A project with more files is not looked through.
const MAX_FILES: usize = 2000;
/// Larger files are generated, and may bring in anything.
const MAX_BYTES: u64 = 2 << 20;

/// The languages with a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Python,
    Script,
    Go,
    Rust,
}

impl Rule {
    fn of_language(id: &str) -> Option<Self> {
        match id {
            "python" => Some(Self::Python),
            "typescript" | "javascript" | "typescriptreact" | "javascriptreact" | "tsx" | "jsx" => {
                Some(Self::Script)
            }
            "go" => Some(Self::Go),
            "rust" => Some(Self::Rust),
            _ => None,
        }
    }
}

/// Whether a name can be used outside its module or package, as far as the name itself says.
pub(super) fn may_leave_project(language: &str, name: &str) -> bool {
    match Rule::of_language(language) {
        // A package may be called so, and is imported by its path.
        Some(Rule::Go) => name.starts_with(char::is_uppercase),
        _ => true,
    }
}

/// Whether the project at `other`, with these files in the language, can see what the project at `own` declares.
/// Blocks.
pub(super) fn sees(language: &str, own: &Path, other: &Path, files: &[PathBuf]) -> Sight {
    let manifest = |root: &Path, name: &str| {
        read_text(&root.join(name), MAX_BYTES).map(|(text, _)| text).unwrap_or_default()
    };
    let surely = |does: bool| if does { Sight::Yes } else { Sight::No };
    match Rule::of_language(language) {
        None => Sight::Maybe,
        Some(Rule::Go) => {
            // A workspace around both joins them.
            let joined = other.ancestors().any(|directory| directory.join("go.work").exists());
            let own = manifest(own, "go.mod");
            let module = own.lines().find_map(|line| line.trim().strip_prefix("module "));
            surely(joined || module.is_none_or(|module| manifest(other, "go.mod").contains(module.trim())))
        }
        Some(Rule::Rust) => {
            let names = |text: &str| -> Vec<String> {
                let lines = text.lines().filter_map(|line| line.trim().strip_prefix("name"));
                let values = lines.filter_map(|rest| rest.trim_start().strip_prefix('='));
                values.map(|value| value.trim().trim_matches('"').to_owned()).collect()
            };
            let (own, theirs) = (manifest(own, "Cargo.toml"), manifest(other, "Cargo.toml"));
            let does = theirs.contains("..") || names(&own).iter().any(|name| theirs.contains(name));
            if theirs.is_empty() { Sight::Maybe } else { surely(does) }
        }
        // Which of all packages of a name is meant depends on what is installed.
        Some(Rule::Python) => {
            let provided = python_modules(own, other);
            let does = any_file(files, |_, text| imports_one_of(text, &provided));
            if does { Sight::Maybe } else { Sight::No }
        }
        Some(Rule::Script) => {
            let name = package_name(&manifest(own, "package.json"));
            let leads_out = |text: &str| text.contains("..") || names_package(text, name.as_deref());
            let configs = ["package.json", "tsconfig.json", "jsconfig.json"];
            surely(
                configs.iter().any(|config| leads_out(&manifest(other, config)))
                    || any_file(files, |path, text| {
                        names_package(text, name.as_deref()) || imports_from_outside(path, text, other)
                    }),
            )
        }
    }
}

/// Whether one of the files fits. One that cannot be read may.
fn any_file(files: &[PathBuf], fits: impl Fn(&Path, &str) -> bool) -> bool {
    files.len() > MAX_FILES
        || files.iter().any(|path| read_text(path, MAX_BYTES).map_or(true, |(text, _)| fits(path, &text)))
}

/// What can be imported from a project by its first name: modules and packages at its root and one directory below,
/// which may be a source root. Not those of the project that asks.
fn python_modules(own: &Path, other: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let listed = |directory: &Path| -> Vec<PathBuf> {
        let entries = directory.read_dir().into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| !other.starts_with(path)).collect()
    };
    let mut note = |path: &Path| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let is_module = path.extension().is_some_and(|extension| extension == "py" || extension == "pyi");
        if let Some(stem) = stem.filter(|_| is_module || path.is_dir()) {
            names.insert(stem.to_owned());
        }
    };
    for path in listed(own) {
        note(&path);
        if path.is_dir() {
            listed(&path).iter().for_each(|below| note(below));
        }
    }
    names
}

fn imports_one_of(text: &str, modules: &BTreeSet<String>) -> bool {
    let first = |name: &str| name.trim().split(['.', ' ', ';', '#']).next().unwrap_or_default().to_owned();
    text.lines().map(str::trim_start).any(|line| {
        if let Some(rest) = line.strip_prefix("from ") {
            modules.contains(&first(rest))
        } else if let Some(rest) = line.strip_prefix("import ") {
            rest.split(',').any(|name| modules.contains(&first(name)))
        } else {
            false
        }
    })
}

fn package_name(manifest: &str) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_str(manifest).ok()?;
    manifest["name"].as_str().map(str::to_owned)
}

/// Whether a text has the name of a package at the beginning of a string.
fn names_package(text: &str, package: Option<&str>) -> bool {
    package.is_some_and(|package| {
        text.match_indices(package).any(|(at, _)| text[..at].ends_with(['"', '\'', '`']))
    })
}

/// Whether a file has a string that reads like a path and leads out of a directory.
fn imports_from_outside(file: &Path, text: &str, root: &Path) -> bool {
    text.match_indices("..").any(|(at, _)| {
        let Some(quote) = text[..at].chars().next_back().filter(|c| matches!(c, '"' | '\'' | '`')) else {
            // `./../` begins before this.
            return text[..at].ends_with("./") && !text[..at].ends_with("../");
        };
        let end = text[at..].find(quote).map_or(text.len(), |end| at + end);
        let joined = file.parent().unwrap_or(root).join(&text[at..end]);
        !lexical(&joined).starts_with(root)
    })
}

/// A path without `..`, as it is written.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use bowline_testkit::Fixture;

    use super::*;

    fn seen(fixture: &str, language: &str, files: &[&str]) -> bool {
        let fixture = Fixture::new(fixture);
        let files: Vec<PathBuf> = files.iter().map(|file| fixture.path(file)).collect();
        sees(language, &fixture.path("own"), &fixture.path("other"), &files) != Sight::No
    }

    #[test]
    fn scripts_see_what_they_import_by_path_or_by_package() {
        let own = "//- /own/package.json\n{\"name\": \"@us/own\"}\n//- /own/a.ts\nexport const a = 1\n";
        let other = |text: &str| {
            let fixture = format!("{own}//- /other/package.json\n{{}}\n//- /other/src/b.ts\n{text}\n");
            seen(&fixture, "typescript", &["other/src/b.ts"])
        };
        assert!(other("import { a } from '../../own/a'"));
        assert!(other("import { a } from \"@us/own/a\""));
        assert!(!other("import { a } from '../a'; export { a } from './a'"));
        assert!(!other("// a is declared in @us/own, see 1..2"));
    }

    #[test]
    fn python_sees_what_the_other_project_provides() {
        let other = |text: &str| {
            let own = "//- /own/src/shop/__init__.py\nx = 1\n//- /own/tool.py\n1\n";
            seen(&format!("{own}//- /other/b.py\n{text}\n"), "python", &["other/b.py"])
        };
        assert!(other("from shop.cart import total"));
        assert!(other("    import os, shop"));
        assert!(other("import tool"));
        assert!(!other("import shopping\nfrom . import shop"));
    }

    #[test]
    fn modules_and_crates_see_what_they_name() {
        let go = |text: &str| {
            seen(&format!("//- /own/go.mod\nmodule x.org/own\n//- /other/go.mod\n{text}\n"), "go", &[])
        };
        assert!(go("module y\nrequire x.org/own v1.0.0"));
        assert!(!go("module y"));
        let rust = |text: &str| {
            let own = "//- /own/Cargo.toml\n[package]\nname = \"grep\"\n";
            seen(&format!("{own}//- /other/Cargo.toml\n{text}\n"), "rust", &[])
        };
        assert!(rust("[dependencies]\ngrep = \"1\""));
        assert!(rust("[dependencies]\nx = { path = \"../own\" }"));
        assert!(!rust("[package]\nname = \"other\""));
        assert!(seen("//- /own/a\n1\n", "cobol", &[]), "without a rule it may");
    }

    #[test]
    fn names_that_stay_at_home() {
        assert!(may_leave_project("go", "Run") && !may_leave_project("go", "run"));
        assert!(may_leave_project("python", "_run"));
    }
}
