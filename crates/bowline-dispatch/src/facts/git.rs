//! Where git keeps its state and its hooks, whatever the directories are called.
//!
//! A directory with `HEAD`, `objects` and `refs` is a git directory; so is what a `.git` file names. The settings of the
//! repositories around a path name further places: `core.hooksPath`, and files with more settings. Everything is read
//! within bounds and looked up once for each directory. What cannot be read leaves the answer open.

mod nested;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bowline_std::fs::{ReadError, absolute, read_text, real_path};

/// Longer settings, and longer `.git` files, are not read.
const SETTINGS_BYTES: u64 = 1 << 20;
/// Settings that name settings that name settings are not followed further.
const MOST_FILES: usize = 16;

/// One look at the disk, for all paths of a call.
pub(super) struct Look<'a> {
    roots: &'a [PathBuf],
    /// What the repository of a directory names, if the directory has a `.git`.
    named: HashMap<PathBuf, Result<Vec<Named>, String>>,
    /// Whether a directory looks like a git directory.
    seen: HashMap<PathBuf, bool>,
}

/// A place that opens a door, and why.
#[derive(Clone)]
struct Named {
    place: PathBuf,
    why: &'static str,
}

impl<'a> Look<'a> {
    pub(super) fn new(roots: &'a [PathBuf]) -> Self {
        Self { roots, named: HashMap::new(), seen: HashMap::new() }
    }

    /// Why whoever writes to this path has programs run. Like all places, below a root: whoever starts bowline inside a
    /// git directory means it.
    pub(super) fn door(&mut self, real: &Path) -> Result<Option<String>, String> {
        let holding = self.roots.iter().filter(|root| real.starts_with(root));
        // Outside there is nothing to look at; another rule refuses that.
        let Some(root) = holding.max_by_key(|root| root.as_os_str().len()) else { return Ok(None) };
        let around = || real.ancestors().take_while(|dir| dir.starts_with(root));
        for dir in around().filter(|dir| dir != root) {
            if self.is_git_directory(dir) {
                return Ok(Some(format!("`{}` is a git directory", shown(root, dir))));
            }
        }
        for dir in around() {
            for named in self.named_by(dir)? {
                if real.starts_with(&named.place) && named.place != *root {
                    return Ok(Some(format!("`{}` {}", shown(root, &named.place), named.why)));
                }
            }
        }
        Ok(None)
    }

    /// Why git runs programs in this directory that the repository there names. The repository of a root is the user's own,
    /// and so is what git keeps below it: worktrees and submodules.
    pub(super) fn programs(&mut self, real: &Path) -> Result<Option<String>, String> {
        let holding = self.roots.iter().filter(|root| real.starts_with(root));
        let Some(root) = holding.max_by_key(|root| root.as_os_str().len()) else { return Ok(None) };
        let around = real.ancestors().take_while(|directory| directory.starts_with(root));
        let Some(top) =
            around.into_iter().find(|directory| directory.join(".git").symlink_metadata().is_ok())
        else {
            return Ok(None);
        };
        if top == root {
            return Ok(None);
        }
        nested::programs(top, root)
    }

    fn is_git_directory(&mut self, dir: &Path) -> bool {
        if let Some(seen) = self.seen.get(dir) {
            return *seen;
        }
        // `HEAD` may be a link that leads nowhere; git takes it all the same.
        let has = |name: &str| dir.join(name).symlink_metadata().is_ok();
        let seen = has("HEAD") && has("objects") && has("refs");
        self.seen.insert(dir.to_owned(), seen);
        seen
    }

    fn named_by(&mut self, dir: &Path) -> Result<Vec<Named>, String> {
        self.named.entry(dir.to_owned()).or_insert_with(|| repository(dir)).clone()
    }
}

/// What the repository whose files are in `dir` names, if there is one.
fn repository(dir: &Path) -> Result<Vec<Named>, String> {
    let dot_git = dir.join(".git");
    let Ok(metadata) = dot_git.metadata() else { return Ok(Vec::new()) };
    let mut named = Vec::new();
    let mut git_dir = dot_git.clone();
    if metadata.is_file() {
        let Some(text) = text(&dot_git)? else { return Ok(named) };
        let Some(place) = text.trim_end_matches(['\n', '\r']).strip_prefix("gitdir: ") else {
            return Ok(named);
        };
        git_dir = absolute(dir, Path::new(place));
        named.push(Named { place: real(&git_dir)?, why: "is a git directory" });
    }
    // A worktree has its settings where the others have theirs.
    if let Some(common) = text(&git_dir.join("commondir"))? {
        git_dir = absolute(&git_dir, Path::new(common.trim()));
        named.push(Named { place: real(&git_dir)?, why: "is a git directory" });
    }
    let mut files = vec![git_dir.join("config"), git_dir.join("config.worktree")];
    let mut at = 0;
    while let Some(file) = files.get(at).filter(|_| at < MOST_FILES).cloned() {
        at += 1;
        let Some(text) = text(&file)? else { continue };
        for setting in settings(&text) {
            match setting {
                Setting::Hooks(place) => {
                    let place = real(&absolute(dir, Path::new(&place)))?;
                    named.push(Named { place, why: "holds the hooks that git runs" });
                }
                Setting::More(place) => {
                    let beside = file.parent().unwrap_or(dir);
                    let place = real(&absolute(beside, Path::new(&place)))?;
                    named.push(Named {
                        place: place.clone(),
                        why: "holds settings of git, which name programs",
                    });
                    files.push(place);
                }
            }
        }
    }
    Ok(named)
}

#[derive(Debug, PartialEq, Eq)]
enum Setting {
    Hooks(String),
    More(String),
}

fn settings(text: &str) -> Vec<Setting> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.lines() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            // A name in quotes may hold a bracket: the last one ends the section, unless a setting stands behind it.
            let Some(end) = rest.find(']') else { continue };
            let name = rest[..end].split([' ', '\t', '"']).next().unwrap_or_default();
            section = name.to_ascii_lowercase();
            line = rest.rsplit(']').next().unwrap_or_default().trim();
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let value = value.trim();
        let value = match value.strip_prefix('"') {
            Some(inside) => inside.split('"').next().unwrap_or_default(),
            None => value.split([';', '#']).next().unwrap_or_default().trim_end(),
        };
        // The home directory is not the project.
        if value.is_empty() || value.starts_with('~') {
            continue;
        }
        match (section.as_str(), key.trim().to_ascii_lowercase().as_str()) {
            ("core", "hookspath") => found.push(Setting::Hooks(value.to_owned())),
            ("include" | "includeif", "path") => found.push(Setting::More(value.to_owned())),
            _ => {}
        }
    }
    found
}

fn text(path: &Path) -> Result<Option<String>, String> {
    match read_text(path, SETTINGS_BYTES) {
        Ok((text, _)) => Ok(Some(text)),
        Err(ReadError::NotFound(_) | ReadError::NotAFile { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn real(path: &Path) -> Result<PathBuf, String> {
    real_path(path).map_err(|error| format!("cannot tell where `{}` leads: {error}", path.display()))
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    use bowline_testkit::Fixture;

    fn door(fixture: &Fixture, file: &str) -> Result<Option<String>, String> {
        Look::new(&[fixture.path("")]).door(&fixture.path(file))
    }

    #[test]
    fn a_git_directory_is_one_under_any_name() {
        let fixture = Fixture::new(
            "//- /bare.git/HEAD\nref: refs/heads/main\n//- /bare.git/objects/info/x\n\n//- /bare.git/refs/heads/main\n0\n\
             //- /.git\ngitdir: meta/worktrees/one\n//- /meta/worktrees/one/commondir\n../..\n//- /src/HEAD\nx\n//- /src/refs/a\nx\n",
        );
        for kept in ["bare.git", "bare.git/hooks/post-receive", "bare.git/config"] {
            assert_eq!(door(&fixture, kept), Ok(Some("`bare.git` is a git directory".into())), "{kept}");
        }
        assert!(door(&fixture, "meta/worktrees/one/config").unwrap().is_some());
        assert_eq!(door(&fixture, "meta/hooks/x"), Ok(Some("`meta` is a git directory".into())));
        for free in ["src/HEAD", "src/objects", "a.rs", "metal/x"] {
            assert_eq!(door(&fixture, free), Ok(None), "{free}");
        }
    }

    #[test]
    fn what_the_settings_of_git_name_is_told() {
        let fixture = Fixture::new(
            "//- /.git/config\n[core]\n\thooksPath = tools/hooks ; ours\n[include]\n\tpath = ../shared.cfg\n\
             //- /shared.cfg\n[core] hookspath = \"more hooks\"\n//- /sub/.git/config\n[Core]\nHooksPath=h\n",
        );
        assert_eq!(
            door(&fixture, "tools/hooks/pre-commit"),
            Ok(Some("`tools/hooks` holds the hooks that git runs".into()))
        );
        assert!(door(&fixture, "more hooks/pre-push").unwrap().is_some());
        assert!(door(&fixture, "shared.cfg").unwrap().is_some());
        assert!(door(&fixture, "sub/h/pre-commit").unwrap().is_some());
        for free in ["tools/x", "h/pre-commit", "sub/a.rs"] {
            assert_eq!(door(&fixture, free), Ok(None), "{free}");
        }
    }

    #[test]
    fn settings_are_read_as_git_reads_them() {
        let text = "[core \"x\"]\n a = 1\n[includeIf \"gitdir:/a]/\"] path = p\n[core]\nhooksPath = ~/h\nhooksPath =\n[remote \"a\"]\nhooksPath = x\n";
        assert_eq!(settings(text), [Setting::More("p".into())]);
    }
}
