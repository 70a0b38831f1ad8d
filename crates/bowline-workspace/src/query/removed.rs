//! What a change took away, and who still writes its name: symbols of the old texts that the files have no more.
//!
//! No server knows what is gone, so names and grammars answer.

mod meant;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use bowline_code::{IndexedSymbol, Location, SymbolKind};
use bowline_std::fs::ReadError;
use bowline_syntax::{Language, SyntaxError, parse, word_hash};

use super::callers::{Caller, callers};
use super::{Found, is_elsewhere};
use crate::workspace::Work;
use crate::{Change, ChangeStatus, Changes, Patience, Since, SymbolRow, Workspace, WorkspaceError};
use meant::{Reader, last_segment};

/// So many old texts are read.
const MOST_FILES: usize = 200;
/// So many names are looked for.
const MOST_NAMES: usize = 300;
/// So many places of one name are kept.
const MOST_USES: usize = 500;

/// What is gone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Removed {
    pub symbols: Vec<RemovedSymbol>,
    pub warnings: Vec<String>,
}

/// A symbol that a change took away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedSymbol {
    /// With the names around it: `Type.method`.
    pub name: String,
    pub kind: SymbolKind,
    /// Where it was.
    pub file: PathBuf,
    /// In the old text.
    pub line: u32,
    /// Where the same change put it.
    pub moved_to: Option<PathBuf>,
    /// Who still writes its name; sure ones first, then by path and line.
    pub uses: Vec<StillUsed>,
    /// How many there are; more than are listed if there are very many.
    pub total: usize,
}

/// A place where the name of something removed is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StillUsed {
    pub caller: Caller,
    /// Nothing else is known that could be meant.
    pub is_sure: bool,
}

impl Workspace {
    /// Which symbols these changes took away. A class or a type stands for what was in it.
    pub async fn removed(
        &self,
        root: &Path,
        changes: &Changes,
        patience: &Patience<'_>,
    ) -> Result<Found<Removed>, WorkspaceError> {
        let mut warnings = Vec::new();
        let with_old = changes.changes.iter().filter(|change| language_before(change).is_some());
        let mut files: Vec<Change> = with_old.cloned().collect();
        if files.len() > MOST_FILES {
            let more = files.len() - MOST_FILES;
            warnings.push(format!("what was removed from {more} more files was not looked for"));
            files.truncate(MOST_FILES);
        }
        let names: Vec<String> = files.iter().filter_map(|change| change.old.clone()).collect();
        let old = self.versions(root, &names, patience).await?;
        let new_files: Vec<Change> = changes
            .changes
            .iter()
            .filter(|change| matches!(change.status, ChangeStatus::Added | ChangeStatus::Untracked))
            .filter(|change| change.since != Since::Gone && Language::of_path(&change.path).is_some())
            .take(MOST_FILES)
            .cloned()
            .collect();
        let mut compared =
            self.blocking(patience, move |work| Compared::new(work, files, old, &new_files)).await?;
        warnings.append(&mut compared.warnings);
        let mut lost = self.not_lost_later(root, compared.lost, patience).await?;
        for one in &mut lost {
            one.moved_to = compared.came.get(&key(&one.symbol, &one.owner)).cloned();
        }
        if lost.len() > MOST_NAMES {
            warnings.push(format!("{MOST_NAMES} of {} removed symbols were looked for", lost.len()));
            lost.truncate(MOST_NAMES);
        }
        let (symbols, indexed) = self.still_used(lost, patience).await?;
        Ok(Found::by_syntax(Removed { symbols, warnings }, indexed))
    }

    /// Without what the change itself left in place: that is gone by another change.
    async fn not_lost_later(
        &self,
        root: &Path,
        lost: Vec<Lost>,
        patience: &Patience<'_>,
    ) -> Result<Vec<Lost>, WorkspaceError> {
        let mut names: Vec<String> = lost.iter().filter_map(|one| one.left.clone()).collect();
        names.sort_unstable();
        names.dedup();
        let texts = self.versions(root, &names, patience).await?;
        let texts: HashMap<String, String> =
            names.into_iter().zip(texts).filter_map(|(name, text)| Some((name, text.ok()?))).collect();
        self.blocking(patience, move |work| {
            let mut left: HashMap<String, HashSet<(String, String)>> = HashMap::new();
            for (name, text) in texts {
                let language = lost.iter().find(|one| one.left.as_ref() == Some(&name));
                if let Some(language) = language.map(|one| one.language)
                    && let Ok(symbols) = symbols_of(work, language, text)?
                {
                    left.insert(name, symbols.iter().map(full_name).collect());
                }
            }
            let is_left = |one: &Lost| {
                let names = one.left.as_ref().and_then(|name| left.get(name));
                names.is_some_and(|names| names.contains(&full_name(&one.symbol)))
            };
            Ok(lost.into_iter().filter(|one| !is_left(one)).collect())
        })
        .await
    }

    /// Who writes the names of what is lost, and whether everything could be looked at.
    async fn still_used(
        &self,
        lost: Vec<Lost>,
        patience: &Patience<'_>,
    ) -> Result<(Vec<RemovedSymbol>, bool), WorkspaceError> {
        if lost.is_empty() {
            return Ok((Vec::new(), true));
        }
        let mut names: Vec<String> =
            lost.iter().filter(|one| one.moved_to.is_none()).map(|one| one.symbol.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        let asked = names.clone();
        let (known, indexed) = self
            .ask(patience, move |store| {
                let each = asked.iter().map(|name| Ok((store.named(name)?, store.holding(word_hash(name))?)));
                each.collect::<Result<Vec<_>, _>>()
            })
            .await?;
        let known: HashMap<String, (Vec<SymbolRow>, Vec<PathBuf>)> = names.into_iter().zip(known).collect();
        let (symbols, all_read) = self.blocking(patience, move |work| look(work, lost, &known)).await?;
        Ok((symbols, indexed && all_read))
    }
}

/// A symbol that its file has no more.
#[derive(Debug)]
struct Lost {
    symbol: IndexedSymbol,
    /// The type that it belonged to; empty for one that belonged to its file.
    owner: String,
    file: PathBuf,
    language: Language,
    /// What the change left of the file.
    left: Option<String>,
    moved_to: Option<PathBuf>,
}

/// What makes two symbols one that has moved: its name, what it is, and whose.
type Key = (String, SymbolKind, String);

fn key(symbol: &IndexedSymbol, owner: &str) -> Key {
    (symbol.name.clone(), symbol.kind, owner.to_owned())
}

fn full_name(symbol: &IndexedSymbol) -> (String, String) {
    (symbol.container.clone(), symbol.name.clone())
}

/// Where the file was, if there is an old text of it.
fn path_before(change: &Change) -> &Path {
    match &change.status {
        ChangeStatus::Renamed { from } => from,
        _ => &change.path,
    }
}

fn language_before(change: &Change) -> Option<Language> {
    change.old.as_ref().and_then(|_| Language::of_path(path_before(change)))
}

/// Old texts against the files as they are now.
#[derive(Default)]
struct Compared {
    lost: Vec<Lost>,
    /// What is new in any of the files, and where.
    came: HashMap<Key, PathBuf>,
    warnings: Vec<String>,
}

impl Compared {
    /// Blocks.
    fn new(
        work: &Work,
        files: Vec<Change>,
        old: Vec<Result<String, &'static str>>,
        new_files: &[Change],
    ) -> Result<Self, WorkspaceError> {
        let mut compared = Self::default();
        for (change, text) in files.into_iter().zip(old) {
            if let Err(why) = compared.compare(work, &change, text)? {
                let path = path_before(&change).display();
                compared.warnings.push(format!("what was removed from `{path}` is not known: {why}"));
            }
        }
        // Only what is lost can have gone somewhere.
        if !compared.lost.is_empty() {
            for change in new_files {
                let now = now(work, change)?.unwrap_or_default();
                compared.come(&Named::new(now), &HashSet::new(), &change.path);
            }
        }
        Ok(compared)
    }

    /// One file, or why it cannot be compared.
    fn compare(
        &mut self,
        work: &Work,
        change: &Change,
        text: Result<String, &'static str>,
    ) -> Result<Result<(), String>, WorkspaceError> {
        let Some(language) = language_before(change) else { return Ok(Ok(())) };
        let text = match text {
            Ok(text) => text,
            Err(why) => return Ok(Err(format!("of the old text, {why}"))),
        };
        let old = match symbols_of(work, language, text)? {
            Ok(symbols) => Named::new(symbols),
            Err(why) => return Ok(Err(why)),
        };
        let now = match now(work, change)? {
            Ok(symbols) => Named::new(symbols),
            Err(why) => return Ok(Err(why)),
        };
        let (before, after) = (old.full_names(), now.full_names());
        self.come(&now, &before, &change.path);
        let gone: HashSet<String> = (old.symbols.iter())
            .filter(|symbol| !after.contains(&full_name(symbol)) && !is_space(symbol.kind))
            .map(path_of)
            .collect();
        for symbol in &old.symbols {
            let is_lost = gone.contains(&path_of(symbol)) && old.counts(symbol);
            let is_covered = prefixes(&symbol.container).any(|outer| gone.contains(outer));
            if is_lost && !is_covered {
                self.lost.push(Lost {
                    owner: old.owner(symbol),
                    symbol: symbol.clone(),
                    file: path_before(change).to_owned(),
                    language,
                    left: change.new.clone().filter(|_| change.status != ChangeStatus::Deleted),
                    moved_to: None,
                });
            }
        }
        Ok(Ok(()))
    }

    fn come(&mut self, now: &Named, before: &HashSet<(String, String)>, path: &Path) {
        for symbol in now.symbols.iter().filter(|symbol| !before.contains(&full_name(symbol))) {
            if now.counts(symbol) {
                self.came.entry(key(symbol, &now.owner(symbol))).or_insert_with(|| path.to_owned());
            }
        }
    }
}

/// The symbols of one text, and what each path of names is.
struct Named {
    symbols: Vec<IndexedSymbol>,
    kinds: HashMap<String, SymbolKind>,
}

impl Named {
    fn new(symbols: Vec<IndexedSymbol>) -> Self {
        let kinds = symbols.iter().map(|symbol| (path_of(symbol), symbol.kind)).collect();
        Self { symbols, kinds }
    }

    fn full_names(&self) -> HashSet<(String, String)> {
        self.symbols.iter().map(full_name).collect()
    }

    /// Whether other code can mean it by its name: nothing inside a function, nothing that only holds others.
    fn counts(&self, symbol: &IndexedSymbol) -> bool {
        let is_local = prefixes(&symbol.container)
            .any(|outer| self.kinds.get(outer).is_some_and(|kind| kind.is_callable()));
        let is_name = !symbol.name.is_empty() && !symbol.name.contains(char::REPLACEMENT_CHARACTER);
        is_name && !is_local && !is_space(symbol.kind) && symbol.kind != SymbolKind::TypeParameter
    }

    fn owner(&self, symbol: &IndexedSymbol) -> String {
        match self.kinds.get(&symbol.container) {
            Some(kind) if is_space(*kind) => String::new(),
            _ => last_segment(&symbol.container).to_owned(),
        }
    }
}

fn is_space(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Namespace | SymbolKind::Module | SymbolKind::Package)
}

fn path_of(symbol: &IndexedSymbol) -> String {
    match symbol.container.as_str() {
        "" => symbol.name.clone(),
        container => format!("{container}.{}", symbol.name),
    }
}

/// `a`, `a.b`, `a.b.c`.
fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| &path[..end]).filter(|prefix| !prefix.is_empty())
}

/// The symbols of a text, or why there are none.
fn symbols_of(
    work: &Work,
    language: Language,
    text: String,
) -> Result<Result<Vec<IndexedSymbol>, String>, WorkspaceError> {
    match parse(language, text, &|| work.stopped()) {
        Ok(parsed) => Ok(Ok(parsed.flat_symbols())),
        Err(SyntaxError::Cancelled) => Err(WorkspaceError::Cancelled),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// The symbols of the file as it is now, or why they are not known. A file that is gone has none.
fn now(work: &Work, change: &Change) -> Result<Result<Vec<IndexedSymbol>, String>, WorkspaceError> {
    if change.path.symlink_metadata().is_err() {
        return Ok(Ok(Vec::new()));
    }
    match work.read(&change.path).and_then(|document| Ok(document.parsed()?.flat_symbols())) {
        Ok(symbols) => Ok(Ok(symbols)),
        Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
        Err(WorkspaceError::Read(ReadError::NotFound(_))) => Ok(Ok(Vec::new())),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// Reads each file that holds any of the names once. Blocks.
fn look(
    work: &Work,
    lost: Vec<Lost>,
    known: &HashMap<String, (Vec<SymbolRow>, Vec<PathBuf>)>,
) -> Result<(Vec<RemovedSymbol>, bool), WorkspaceError> {
    let mut files: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for (index, one) in lost.iter().enumerate().filter(|(_, one)| one.moved_to.is_none()) {
        let holding = known.get(&one.symbol.name).map(|(_, files)| files.as_slice()).unwrap_or_default();
        for file in holding {
            if Language::of_path(file).is_some_and(|language| one.language.same_names(language)) {
                files.entry(file).or_default().push(index);
            }
        }
    }
    let files: Vec<(&Path, Vec<usize>)> = files.into_iter().collect();
    work.meter.begin(Some(files.len() as u64));
    let (next, all_read) = (AtomicUsize::new(0), AtomicBool::new(true));
    let found: Mutex<Vec<(usize, Location, bool)>> = Mutex::default();
    let reader = || {
        while !work.stopped()
            && let Some((path, sought)) = files.get(next.fetch_add(1, Ordering::Relaxed))
        {
            match Reader::new(work, path) {
                Ok(reader) => {
                    for index in sought {
                        let one = &lost[*index];
                        let others = known.get(&one.symbol.name).map(|(rows, _)| rows.as_slice());
                        let uses = reader.uses(one, others.unwrap_or_default());
                        let uses = uses.into_iter().map(|(place, is_sure)| (*index, place, is_sure));
                        found.lock().unwrap_or_else(PoisonError::into_inner).extend(uses);
                    }
                }
                // Removed since it was indexed: there is nothing in it.
                Err(WorkspaceError::Read(ReadError::NotFound(_))) => {}
                Err(error) => {
                    tracing::debug!(path = %path.display(), %error, "not searched for what was removed");
                    all_read.store(false, Ordering::Relaxed);
                }
            }
            work.meter.step();
        }
    };
    thread::scope(|scope| {
        for _ in 1..work.shared.options.threads().min(files.len()) {
            scope.spawn(reader);
        }
        reader();
    });
    if work.stopped() {
        return Err(WorkspaceError::Cancelled);
    }
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((told(work, lost, found)?, all_read.into_inner()))
}

/// Puts the uses to what they are of.
fn told(
    work: &Work,
    lost: Vec<Lost>,
    found: Vec<(usize, Location, bool)>,
) -> Result<Vec<RemovedSymbol>, WorkspaceError> {
    let mut uses: Vec<Vec<(bool, bool, Location)>> = lost.iter().map(|_| Vec::new()).collect();
    for (index, place, is_sure) in found {
        // What cannot be meant by accident comes first, and of that what is far away.
        let is_near = !is_elsewhere(&lost[index].file, &place.file);
        uses[index].push((!is_sure, is_near, place));
    }
    let mut symbols = Vec::with_capacity(lost.len());
    for (one, mut uses) in lost.into_iter().zip(uses) {
        uses.sort_unstable();
        let total = uses.len();
        uses.truncate(MOST_USES);
        let (sure, places): (Vec<bool>, Vec<Location>) =
            uses.into_iter().map(|(is_unsure, _, place)| (!is_unsure, place)).unzip();
        let callers = callers(work, places)?;
        let uses = callers.into_iter().zip(sure).map(|(caller, is_sure)| StillUsed { caller, is_sure });
        symbols.push(RemovedSymbol {
            name: match one.symbol.container.as_str() {
                "" => one.symbol.name,
                container => format!("{container}.{}", one.symbol.name),
            },
            kind: one.symbol.kind,
            file: one.file,
            line: one.symbol.selection.start.line,
            moved_to: one.moved_to,
            uses: uses.collect(),
            total,
        });
    }
    Ok(symbols)
}
