//! What others can see of the edits of a draft: declarations whose uses a server can find, and files that syntax finds
//! where no declaration tells.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bowline_syntax::{Extent, Language, SurfaceChanges, extent, parse, surface_changes, word_hash};

use super::affected::Consequences;
use super::{Drafted, Files};
use crate::dependants::{Edited, Family};
use crate::fleet::{Assigned, is_prose};
use crate::workspace::Work;
use crate::{Patience, Workspace, WorkspaceError};

/// Maximum number of files that are compared because syntax finds them, where no declaration tells.
const MAX_DEPENDANTS: usize = 100;
/// Larger files of Go are not read to see what they declare, and so may declare anything.
const MAX_GO_BYTES: u64 = 2 << 20;
/// Maximum number of names that are looked up in the index.
const MAX_NAMES: usize = 20;

/// What others can see of edits.
#[derive(Debug, Default, Clone)]
pub(super) struct Reached {
    pub(super) consequences: Consequences,
    /// Files that are compared whatever the server says of references.
    pub(super) files: Vec<PathBuf>,
    pub(super) left_out: usize,
    pub(super) doubts: BTreeSet<String>,
}

impl Reached {
    /// Nothing but the edited files themselves can tell.
    pub(super) fn is_nothing(&self) -> bool {
        self.consequences == Consequences::default() && self.files.is_empty() && self.left_out == 0
    }
}

/// What others can see of the edit of one file.
enum Visible {
    Nothing,
    /// The files of its package that declare one of these names.
    Package(BTreeSet<String>),
    Declarations(Language, SurfaceChanges),
    /// Anything: no grammar reads it, or it comes or goes.
    Anything,
}

impl Workspace {
    pub(super) async fn reached_by(
        &self,
        files: &Files,
        patience: &Patience<'_>,
    ) -> Result<Reached, WorkspaceError> {
        let changed: Vec<(PathBuf, Drafted)> = files
            .iter()
            .filter(|(path, file)| file.is_changed() && !is_prose(path))
            .map(|(path, file)| (path.clone(), file.clone()))
            .collect();
        let looking = self.blocking(patience, move |work| {
            let look = |(path, file): (PathBuf, Drafted)| {
                let visible = visible(work, &path, &file)?;
                Ok((path, file, visible))
            };
            changed.into_iter().map(look).collect::<Result<Vec<_>, WorkspaceError>>()
        });
        let mut reached = Reached::default();
        let mut unclear: Vec<Edited> = Vec::new();
        for (path, file, visible) in looking.await? {
            let edited =
                || Edited { path: path.clone(), before: file.before.clone(), after: file.after.clone() };
            match visible {
                Visible::Nothing => {}
                Visible::Package(names) => reached.files.extend(package_naming(&path, &names)),
                Visible::Anything if file.before.is_none() => {
                    reached.files.extend(self.importers_of_new(edited(), patience).await?);
                }
                Visible::Anything => unclear.push(edited()),
                Visible::Declarations(language, changes) => {
                    if changes.other {
                        unclear.push(edited());
                    }
                    let consequences = Consequences::of(&path, language, &changes.symbols);
                    let names = clashing(&path, &consequences, &changes);
                    reached.files.extend(self.importers_naming(edited(), names, patience).await?);
                    if Family::of(&path) == Some(Family::Go) {
                        reached.files.extend(package_naming(&path, &consequences.new_names));
                    }
                    reached.consequences.targets.extend(consequences.targets);
                    reached.consequences.candidates.extend(consequences.candidates);
                    reached.consequences.new_names.extend(consequences.new_names);
                }
            }
        }
        for root in self.roots() {
            if unclear.is_empty() {
                break;
            }
            let found = self.dependants(unclear.clone(), root, MAX_DEPENDANTS, patience).await?;
            reached.left_out = reached.left_out.max(found.left_out);
            reached.files.extend(found.files);
            reached.doubts.extend(found.doubt);
        }
        reached.files.retain(|path| !files.contains_key(path));
        reached.files.sort_unstable();
        reached.files.dedup();
        Ok(reached)
    }

    /// The files that may import a file that is new.
    async fn importers_of_new(
        &self,
        edited: Edited,
        patience: &Patience<'_>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let (path, text) = (edited.path.clone(), edited.after.clone().unwrap_or_default());
        let mut found = Vec::new();
        for root in self.roots() {
            found.extend(self.dependants(vec![edited.clone()], root, MAX_DEPENDANTS, patience).await?.files);
        }
        match Family::of(&path) {
            Some(Family::Go) => {
                let names = declared_names(&path, &text);
                let directory = path.parent();
                found.retain(|file| file.parent() != directory);
                found.extend(package_naming(&path, &names));
            }
            Some(Family::Script) => {
                let reading = move |work: &Work| {
                    found
                        .retain(|file| work.read(file).map_or(true, |it| may_import(file, it.text(), &path)));
                    Ok(found)
                };
                return self.blocking(patience, reading).await;
            }
            _ => {}
        }
        Ok(found)
    }

    /// The files that import an edited one and hold one of these names.
    async fn importers_naming(
        &self,
        edited: Edited,
        names: BTreeSet<String>,
        patience: &Patience<'_>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let mut holding: BTreeSet<PathBuf> = BTreeSet::new();
        for name in names.into_iter().take(MAX_NAMES) {
            let hash = word_hash(&name);
            holding.extend(self.ask(patience, move |store| store.holding(hash)).await?.0);
        }
        let family = Family::of(&edited.path);
        holding.retain(|path| *path != edited.path && Family::of(path) == family);
        if holding.is_empty() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for root in self.roots() {
            found.extend(self.dependants(vec![edited.clone()], root, usize::MAX, patience).await?.files);
        }
        found.retain(|path| holding.contains(path));
        Ok(found)
    }

    /// The files that import this one, whatever is in it, and hold one of these names.
    pub(super) async fn files_naming(
        &self,
        path: &Path,
        names: BTreeSet<String>,
        patience: &Patience<'_>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let edited = Edited { path: path.to_owned(), before: None, after: Some("".into()) };
        self.importers_naming(edited, names, patience).await
    }

    /// Files of other projects that may use what changed: they hold a changed name and import an edited file.
    pub(super) async fn uses_elsewhere(
        &self,
        files: &Files,
        reached: &Reached,
        assigned: &Assigned,
        patience: &Patience<'_>,
    ) -> Result<Vec<(PathBuf, Assigned)>, WorkspaceError> {
        let consequences = &reached.consequences;
        let targets = consequences.targets.iter().chain(consequences.candidates.iter().map(|it| &it.target));
        let names: BTreeSet<String> = targets.map(|target| target.name.clone()).collect();
        let projects = self.fleet.projects_like(&assigned.server, &self.shared.roots);
        let has_others = projects.iter().any(|project| project != assigned.server.root());
        if names.is_empty() || !has_others {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for (path, file) in files.iter().filter(|(_, file)| file.is_changed()) {
            let edited =
                Edited { path: path.clone(), before: file.before.clone(), after: file.after.clone() };
            found.extend(self.importers_naming(edited, names.clone(), patience).await?);
        }
        found.sort_unstable();
        found.dedup();
        let elsewhere = |path: PathBuf| {
            let other = self.fleet.of_file(&path, &self.shared.roots)?;
            (!std::sync::Arc::ptr_eq(&other.server, &assigned.server)).then_some((path, other))
        };
        Ok(found.into_iter().filter_map(elsewhere).take(MAX_DEPENDANTS).collect())
    }
}

/// Names that importers may clash with, or miss.
fn clashing(path: &Path, consequences: &Consequences, changes: &SurfaceChanges) -> BTreeSet<String> {
    match Family::of(path) {
        Some(Family::Python) => changes.no_longer_imported.clone(),
        Some(Family::Script | Family::C) => consequences.new_names.clone(),
        _ => BTreeSet::new(),
    }
}

fn visible(work: &Work, path: &Path, file: &Drafted) -> Result<Visible, WorkspaceError> {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return Ok(Visible::Anything) };
    let Some(language) = Language::of_path(path) else { return Ok(Visible::Anything) };
    let parsed =
        |text: &std::sync::Arc<str>| parse(language, std::sync::Arc::clone(text), &|| work.stopped());
    let (before, after) = match (parsed(before), parsed(after)) {
        (Ok(before), Ok(after)) => (before, after),
        _ if work.stopped() => return Err(WorkspaceError::Cancelled),
        // What no grammar reads may be anything.
        _ => return Ok(Visible::Anything),
    };
    let is_followed = !matches!(Family::of(path), None | Some(Family::Rust | Family::Other(_)));
    Ok(match extent(path, &before, &after) {
        Extent::File => Visible::Nothing,
        Extent::Unit if language == Language::Go => {
            // A body can only close a cycle of initialisation by what it did not name before.
            let known: BTreeSet<String> = names_in(before.text()).collect();
            Visible::Package(names_in(after.text()).filter(|name| !known.contains(name)).collect())
        }
        Extent::Unit => Visible::Anything,
        Extent::Anywhere if before.has_error() || after.has_error() || !is_followed => Visible::Anything,
        Extent::Anywhere => Visible::Declarations(language, surface_changes(path, &before, &after)),
    })
}

/// The other files of a Go package that declare one of these names: it may be declared twice now, or what is initialised
/// there may depend on what names it.
fn package_naming(path: &Path, names: &BTreeSet<String>) -> Vec<PathBuf> {
    if names.is_empty() {
        return Vec::new();
    }
    let entries = path.parent().and_then(|directory| directory.read_dir().ok());
    let files = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let files = files.filter(|file| file.extension().is_some_and(|it| it == "go") && file != path);
    let declares = |file: &PathBuf| {
        let text = bowline_std::fs::read_text_straight(file, MAX_GO_BYTES).map(|(text, _)| text);
        text.map_or(true, |text| declared_names(file, &text).iter().any(|name| names.contains(name)))
    };
    files.filter(declares).collect()
}

fn declared_names(path: &Path, text: &str) -> BTreeSet<String> {
    let parsed = Language::of_path(path).and_then(|language| parse(language, text, &|| false).ok());
    let symbols = parsed.map(|parsed| parsed.flat_symbols()).unwrap_or_default();
    symbols.into_iter().map(|symbol| symbol.name).collect()
}

fn names_in(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !(c == '_' || c.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(str::to_owned)
}

/// Whether a text may import a file that is new.
pub(super) fn imports_new(importer: &Path, text: &str, new: &Path) -> bool {
    if Family::of(importer) != Family::of(new) {
        return false;
    }
    match Family::of(new) {
        Some(Family::Script) => may_import(importer, text, new),
        _ => {
            let stem = new.file_stem().unwrap_or_default().to_string_lossy();
            let package = new.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let name = if stem == "__init__" { package } else { stem };
            text.lines()
                .filter(|line| line.contains("import"))
                .any(|line| names_in(line).any(|word| word == name))
        }
    }
}

/// Whether a script may import a file that is new: by a path that leads to it, or by a name that leads anywhere.
fn may_import(importer: &Path, text: &str, new: &Path) -> bool {
    let stem = |path: &Path| {
        path.file_name().unwrap_or_default().to_string_lossy().split('.').next().map(str::to_owned)
    };
    let (directory, own) = (importer.parent().unwrap_or(importer), stem(new));
    let is_index = own.as_deref() == Some("index");
    let leads_there = |specifier: &str| {
        if !specifier.starts_with('.') {
            return Path::new(specifier).file_name().is_some() && stem(Path::new(specifier)) == own;
        }
        let target = bowline_std::fs::absolute(directory, Path::new(specifier));
        let is_file = target.parent() == new.parent() && stem(&target) == own;
        is_file || is_index && Some(target.as_path()) == new.parent()
    };
    text.split(['"', '\'', '`']).skip(1).any(leads_there)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_script_is_imported_by_its_path() {
        let new = Path::new("/p/src/util/isEmpty.ts");
        for (importer, text, may) in [
            ("/p/src/a.ts", "import { x } from './operators/isEmpty';", false),
            ("/p/src/a.ts", "import { x } from './util/isEmpty';", true),
            ("/p/src/a.ts", "import { x } from './util/isEmpty.js';", true),
            ("/p/src/a.ts", "import { x } from '@/util/isEmpty';", true),
            ("/p/src/a.ts", "import { x } from 'rxjs';", false),
        ] {
            assert_eq!(may_import(Path::new(importer), text, new), may, "{text}");
        }
    }
}
