//! What others can see of the edits of a draft: declarations whose uses a server can find, and files that syntax finds
//! where no declaration tells.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bowline_syntax::{
    Difference, Extent, Language, Parsed, SurfaceChanges, extent, parse, surface_changes, word_hash,
};

use super::affected::{Consequences, Spread, Target};
use super::go_package::{NewNames, declared_beside, declaring, in_cycle, text_of};
use super::new_files::may_import;
use super::{Drafted, Files};
use crate::dependants::{Dependants, Edited, Family};
use crate::fleet::{Assigned, is_prose};
use crate::workspace::Work;
use crate::{Patience, Workspace, WorkspaceError};

/// Maximum number of files that are compared because syntax finds them, where no declaration tells.
const MAX_DEPENDANTS: usize = 500;
/// Methods that protocols of the standard library ask for, besides those that syntax calls.
const ASKED_FOR: [&str; 12] = [
    "read", "write", "readline", "flush", "close", "send", "fileno", "keys", "items", "values", "get", "seek",
];
const AUGMENTS: &str = "it declares something for other modules, which reaches files that do not import it";

/// What others can see of edits.
#[derive(Debug, Default, Clone)]
pub(super) struct Reached {
    pub(super) consequences: Consequences,
    /// Files that are compared whatever the server says of references.
    pub(super) files: Vec<PathBuf>,
    pub(super) left_out: usize,
    pub(super) doubts: BTreeSet<String>,
    /// What syntax cannot follow.
    pub(super) limits: BTreeSet<String>,
}

/// Files of other projects that are to be compared.
#[derive(Default)]
pub(super) struct UsesElsewhere {
    pub(super) files: Vec<(PathBuf, Assigned)>,
    pub(super) left_out: usize,
    pub(super) doubts: BTreeSet<String>,
}

impl Reached {
    fn add(&mut self, found: Dependants) {
        self.left_out = self.left_out.max(found.left_out);
        self.files.extend(found.files);
        self.doubts.extend(found.doubt);
        self.limits.extend(found.limit);
    }

    /// Nothing but the edited files themselves can tell.
    pub(super) fn is_nothing(&self) -> bool {
        let Consequences { targets, candidates, new_names, .. } = &self.consequences;
        let is_seen = !(targets.is_empty() && candidates.is_empty() && new_names.is_empty());
        !is_seen && self.files.is_empty() && self.left_out == 0
    }
}

/// What others can see of the edit of one file.
enum Visible {
    Nothing,
    /// The variables of its package, if these names lead to them and back.
    Package(NewNames),
    Declarations(Language, SurfaceChanges, NewNames),
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
                Visible::Package(new) => {
                    reached.files.extend(self.package_cycle(&path, new, patience).await?);
                }
                Visible::Anything if file.before.is_none() => {
                    let found = self.importers_of_new(edited(), patience).await?;
                    reached.add(found);
                }
                Visible::Anything => unclear.push(edited()),
                Visible::Declarations(language, changes, new) => {
                    if changes.other {
                        unclear.push(edited());
                    }
                    if changes.augments {
                        reached.doubts.insert(AUGMENTS.to_owned());
                    }
                    let mut consequences = Consequences::of(&path, language, &changes.symbols);
                    consequences.rebind(&path, &changes.rebound);
                    if language == Language::Python {
                        self.widen_protocols(&mut consequences, &changes, patience).await?;
                    }
                    let names = clashing(&path, &consequences, &changes);
                    reached.add(self.importers_naming(edited(), names, patience).await?);
                    if Family::of(&path) == Some(Family::Go) {
                        self.find_in_package(&path, &mut consequences, patience).await?;
                        let names = consequences.new_names.clone();
                        reached.files.extend(self.package_naming(&path, names, patience).await?);
                        reached.files.extend(self.package_cycle(&path, new, patience).await?);
                    }
                    reached.consequences.may_be_namesakes |= changes.names_more;
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
            reached.add(self.dependants(unclear.clone(), root, MAX_DEPENDANTS, patience).await?);
        }
        reached.files.retain(|path| !files.contains_key(path));
        reached.files.sort_unstable();
        reached.files.dedup();
        Ok(reached)
    }

    /// Methods of Python that a protocol may ask for: whatever mentions their class may not fit any more.
    async fn widen_protocols(
        &self,
        consequences: &mut Consequences,
        changes: &SurfaceChanges,
        patience: &Patience<'_>,
    ) -> Result<(), WorkspaceError> {
        let methods: BTreeSet<&String> = changes
            .symbols
            .iter()
            .filter(|changed| changed.difference != Difference::Added && changed.owner.is_some())
            .map(|changed| &changed.name)
            .collect();
        if methods.is_empty() {
            return Ok(());
        }
        let protocol = word_hash("Protocol");
        let hashes: Vec<u32> = methods.iter().map(|it| word_hash(it)).collect();
        let asking = move |store: &dyn crate::store::IndexStore| {
            let protocols: BTreeSet<PathBuf> = store.holding(protocol)?.into_iter().collect();
            for hash in &hashes {
                if store.holding(*hash)?.iter().any(|path| protocols.contains(path)) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let (is_asked_for, is_complete) = self.ask(patience, asking).await?;
        let is_common = methods.iter().any(|name| ASKED_FOR.contains(&name.as_str()));
        if is_asked_for || is_common || !is_complete {
            consequences.widen();
        }
        Ok(())
    }

    /// The files that may import a file that is new.
    async fn importers_of_new(
        &self,
        edited: Edited,
        patience: &Patience<'_>,
    ) -> Result<Dependants, WorkspaceError> {
        let (path, text) = (edited.path.clone(), edited.after.clone().unwrap_or_default());
        let found = self.all_importers(edited, usize::MAX, patience).await?;
        // No file can have imported it yet by a name that is computed.
        let mut found = Dependants { doubt: None, limit: None, ..found };
        match Family::of(&path) {
            Some(Family::Go) => {
                let names = declared_names(&path, &text);
                let directory = path.parent().map(Path::to_owned);
                // More names in a package mean nothing to files that say `package.name`; more methods may.
                let has_methods = text.lines().any(|line| line.starts_with("func ("));
                let reading = move |work: &Work| {
                    let is_concerned = |file: &PathBuf| {
                        let takes_names = || work.read(file).map_or(true, |it| it.text().contains("\t. \""));
                        file.parent() != directory.as_deref() && (has_methods || takes_names())
                    };
                    found.files.retain(is_concerned);
                    Ok(found)
                };
                found = self.blocking(patience, reading).await?;
                found.files.extend(self.package_naming(&path, names, patience).await?);
            }
            Some(Family::Script) => {
                let reading = move |work: &Work| {
                    let may = |file: &PathBuf| {
                        work.read(file).map_or(true, |it| may_import(file, it.text(), &path))
                    };
                    found.files.retain(may);
                    Ok(found)
                };
                found = self.blocking(patience, reading).await?;
            }
            _ => {}
        }
        found.left_out = found.files.len().saturating_sub(MAX_DEPENDANTS);
        found.files.truncate(MAX_DEPENDANTS);
        Ok(found)
    }

    /// The files that import this one, and those that import them.
    pub(super) async fn importers(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Dependants, WorkspaceError> {
        let edited = Edited { path: path.to_owned(), before: None, after: Some("".into()) };
        self.all_importers(edited, MAX_DEPENDANTS, patience).await
    }

    async fn all_importers(
        &self,
        edited: Edited,
        most: usize,
        patience: &Patience<'_>,
    ) -> Result<Dependants, WorkspaceError> {
        let mut all = Dependants::default();
        for root in self.roots() {
            let found = self.dependants(vec![edited.clone()], root, most, patience).await?;
            all.files.extend(found.files);
            all.left_out += found.left_out;
            all.doubt = all.doubt.or(found.doubt);
            all.limit = all.limit.or(found.limit);
        }
        Ok(all)
    }

    /// The files that import an edited one and hold one of these names, or everything of another file.
    async fn importers_naming(
        &self,
        edited: Edited,
        names: BTreeSet<String>,
        patience: &Patience<'_>,
    ) -> Result<Dependants, WorkspaceError> {
        if names.is_empty() {
            return Ok(Dependants::default());
        }
        let hashes: Vec<u32> = names.iter().map(|name| word_hash(name)).collect();
        let asking = move |store: &dyn crate::store::IndexStore| {
            let mut holding: BTreeSet<PathBuf> = BTreeSet::new();
            for hash in &hashes {
                holding.extend(store.holding(*hash)?);
            }
            Ok(holding)
        };
        let (mut holding, is_complete) = self.ask(patience, asking).await?;
        let family = Family::of(&edited.path);
        holding.retain(|path| *path != edited.path && Family::of(path) == family);
        // `export *` clashes with names that it does not write.
        let hands_on = family == Some(Family::Script);
        if holding.is_empty() && !hands_on && is_complete {
            return Ok(Dependants::default());
        }
        // What is imported by a computed name has no type that could break.
        let found = self.all_importers(edited, usize::MAX, patience).await?;
        let mut found = Dependants { doubt: None, limit: None, ..found };
        if is_complete {
            let reading = move |work: &Work| {
                let takes_all = |path: &PathBuf| {
                    hands_on && work.read(path).map_or(true, |it| takes_everything(it.text()))
                };
                found.files.retain(|path| holding.contains(path) || takes_all(path));
                Ok(found)
            };
            found = self.blocking(patience, reading).await?;
        }
        Ok(found)
    }

    /// The files that import this one, whatever is in it, and hold one of these names.
    pub(super) async fn files_naming(
        &self,
        path: &Path,
        names: BTreeSet<String>,
        patience: &Patience<'_>,
    ) -> Result<Dependants, WorkspaceError> {
        let edited = Edited { path: path.to_owned(), before: None, after: Some("".into()) };
        self.importers_naming(edited, names, patience).await
    }

    /// The other files of a Go package that declare one of these names.
    async fn package_naming(
        &self,
        path: &Path,
        names: BTreeSet<String>,
        patience: &Patience<'_>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let path = path.to_owned();
        self.blocking(patience, move |_| Ok(declaring(&path, &names))).await
    }

    /// The other files of a Go package where a cycle of initialisation may be found now.
    async fn package_cycle(
        &self,
        path: &Path,
        new: NewNames,
        patience: &Patience<'_>,
    ) -> Result<Vec<PathBuf>, WorkspaceError> {
        let path = path.to_owned();
        self.blocking(patience, move |_| Ok(in_cycle(&path, &new))).await
    }

    /// Finds the types that new methods belong to, where another file of the package declares them.
    async fn find_in_package(
        &self,
        path: &Path,
        consequences: &mut Consequences,
        patience: &Patience<'_>,
    ) -> Result<(), WorkspaceError> {
        let is_elsewhere = |target: &&Target| target.before.is_none() && target.spread == Spread::Derived;
        let wanted: Vec<Target> = consequences.targets.iter().filter(is_elsewhere).cloned().collect();
        if wanted.is_empty() {
            return Ok(());
        }
        consequences.targets.retain(|target| !wanted.contains(target));
        let path = path.to_owned();
        let finding =
            move |_: &Work| Ok(wanted.into_iter().filter_map(|it| declared_beside(&path, &it)).collect());
        let found: Vec<Target> = self.blocking(patience, finding).await?;
        consequences.targets.extend(found);
        Ok(())
    }

    /// Files of other projects that may use what changed: they hold one of these names and import an edited file.
    pub(super) async fn uses_elsewhere(
        &self,
        files: &Files,
        names: BTreeSet<String>,
        assigned: &Assigned,
        patience: &Patience<'_>,
    ) -> Result<UsesElsewhere, WorkspaceError> {
        let projects = self.fleet.projects_like(&assigned.server, &self.shared.roots);
        let has_others = projects.iter().any(|project| project != assigned.server.root());
        if names.is_empty() || !has_others {
            return Ok(UsesElsewhere::default());
        }
        let mut found = Vec::new();
        let mut elsewhere = UsesElsewhere::default();
        for (path, file) in files.iter().filter(|(_, file)| file.is_changed()) {
            let edited =
                Edited { path: path.clone(), before: file.before.clone(), after: file.after.clone() };
            let importers = self.importers_naming(edited, names.clone(), patience).await?;
            elsewhere.doubts.extend(importers.doubt);
            found.extend(importers.files);
        }
        found.sort_unstable();
        found.dedup();
        let is_elsewhere = |path: PathBuf| {
            let other = self.fleet.of_file(&path, &self.shared.roots)?;
            (!std::sync::Arc::ptr_eq(&other.server, &assigned.server)).then_some((path, other))
        };
        elsewhere.files = found.into_iter().filter_map(is_elsewhere).collect();
        elsewhere.left_out = elsewhere.files.len().saturating_sub(MAX_DEPENDANTS);
        elsewhere.files.truncate(MAX_DEPENDANTS);
        Ok(elsewhere)
    }
}

/// Names that importers may clash with, or miss.
fn clashing(path: &Path, consequences: &Consequences, changes: &SurfaceChanges) -> BTreeSet<String> {
    match Family::of(path) {
        // A name that is new may hide one that comes in by `import *`.
        Some(Family::Python) => {
            let rebound = changes.rebound.iter().map(|(name, _)| name.clone());
            consequences.new_names.iter().cloned().chain(rebound).collect()
        }
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
            Visible::Package(new_names_in(&before, &after))
        }
        Extent::Unit => Visible::Anything,
        Extent::Anywhere if before.has_error() || after.has_error() || !is_followed => Visible::Anything,
        Extent::Anywhere => {
            let new =
                if language == Language::Go { new_names_in(&before, &after) } else { NewNames::default() };
            Visible::Declarations(language, surface_changes(path, &before, &after), new)
        }
    })
}

/// The names that declarations have now and did not have before.
fn new_names_in(before: &Parsed, after: &Parsed) -> NewNames {
    let by_symbol = |parsed: &Parsed| -> BTreeMap<(String, String), BTreeSet<String>> {
        let mut all: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
        for symbol in parsed.flat_symbols() {
            let names: Vec<String> = names_in(text_of(parsed, &symbol)).collect();
            all.entry((symbol.container, symbol.name)).or_default().extend(names);
        }
        all
    };
    let known = by_symbol(before);
    let mut new = NewNames::default();
    for (key, mut names) in by_symbol(after) {
        if let Some(before) = known.get(&key) {
            names.retain(|name| !before.contains(name));
        }
        if !names.is_empty() {
            new.names.extend(names);
            new.by.insert(key.1);
        }
    }
    new
}

fn declared_names(path: &Path, text: &str) -> BTreeSet<String> {
    let parsed = Language::of_path(path).and_then(|language| parse(language, text, &|| false).ok());
    let symbols = parsed.map(|parsed| parsed.flat_symbols()).unwrap_or_default();
    symbols.into_iter().map(|symbol| symbol.name).collect()
}

pub(super) fn names_in(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !(c == '_' || c.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(str::to_owned)
}

/// Whether a script hands on all names of another.
fn takes_everything(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("export *"))
}
