//! Where a name is used: as its language server knows, or wherever it is written. Every file that may hold it is
//! read as it is now.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bowline_code::{Location, Position, Span};
use bowline_lsp::{Asker, Life, LspError, Scope, Shown};
use bowline_std::fs::ReadError;
use bowline_syntax::{Language, word_hash};

use super::definition::name_at;
use super::served::{Inquiry, Reach, Served, either};
use super::{Found, References};
use crate::scope::{Beyond, note_of_unknown};
use crate::workspace::Work;
use crate::{Document, Patience, Workspace, WorkspaceError};

/// Why a server's answer is not given.
const ONE_FILE: &str = "answered by name: the language server knows only files that it was shown; a \
                        compile_commands.json would let it see all";

/// No reader wants more places than this; they are counted, though.
const MOST_PLACES: usize = 10_000;

impl Workspace {
    /// Where the name at a position is used. Without a server: a local binding within its scope, anything else
    /// wherever its name is written in a language that shares names with this one.
    pub async fn references(
        &self,
        path: &Path,
        at: Position,
        include_declaration: bool,
        patience: &Patience<'_>,
    ) -> Result<Found<References>, WorkspaceError> {
        let beyond = self.beyond(path, at, patience).await?;
        let inquiry = ReferencesTo { at, include_declaration };
        let served = self.serve(path, Some(at), Reach::Project, patience, inquiry).await?;
        let served = match served {
            Served::Answer { value: (places, knows_all, limited_to), indexed } => {
                let value = self.blocking(patience, move |_| Ok(References::of_server(places))).await?;
                if let Some(scope) = limited_to {
                    let judging =
                        self.blocking(patience, move |_| Ok(judge(value, indexed, beyond.as_ref(), &scope)));
                    let found = judging.await?;
                    let by_name = self.references_by_name(path, at, include_declaration, patience);
                    return or_by_name(found, by_name).await;
                }
                if !knows_all
                    && let Ok(by_name) =
                        self.references_by_name(path, at, include_declaration, patience).await
                    && by_name.value.total > value.total
                {
                    // Too many places by name are better than too few by a server that has seen one file.
                    return Ok(Found { note: Some(ONE_FILE.to_owned()), ..by_name });
                }
                Served::Answer { value, indexed: indexed && knows_all }
            }
            other => other.map(|(places, ..)| References::of_server(places)),
        };
        let by_name = self.references_by_name(path, at, include_declaration, patience);
        either(served, |references| references.total == 0, by_name).await
    }

    async fn references_by_name(
        &self,
        path: &Path,
        at: Position,
        include_declaration: bool,
        patience: &Patience<'_>,
    ) -> Result<Found<References>, WorkspaceError> {
        let path = path.to_owned();
        let uses = self
            .blocking(patience, move |work| local_uses(&work.read(&path)?, at, include_declaration))
            .await?;
        let (name, language) = match uses {
            Uses::Local(references) => return Ok(Found::by_syntax(references, true)),
            Uses::Anywhere { name, language } => (name, language),
        };
        let hash = word_hash(&name);
        let (files, indexed) = self.ask(patience, move |store| store.holding(hash)).await?;
        let scan = Scan { name, language, include_declaration };
        let (references, all_read) = self.blocking(patience, move |work| scan.run(work, files)).await?;
        Ok(Found::by_syntax(references, indexed && all_read))
    }
}

/// An answer of a limited server, and whether it can have left something out. Blocks.
fn judge(value: References, indexed: bool, beyond: Option<&Beyond>, scope: &Scope) -> Found<References> {
    let all_are_here = value.places.len() == value.total;
    let is_complete = all_are_here && beyond.is_some_and(|beyond| beyond.is_complete(scope, &value.places));
    let note = || beyond.map_or_else(|| note_of_unknown(scope), |beyond| beyond.note(scope));
    let note = (!is_complete).then(note);
    Found { note, ..Found::by_server(value, indexed && is_complete) }
}

/// Nothing, from a server that has not seen everything, is no answer where there is another.
async fn or_by_name(
    found: Found<References>,
    by_name: impl Future<Output = Result<Found<References>, WorkspaceError>>,
) -> Result<Found<References>, WorkspaceError> {
    if found.indexed || found.value.total > 0 {
        return Ok(found);
    }
    match by_name.await {
        Ok(named) if named.value.total > 0 => Ok(named),
        Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
        _ => Ok(found),
    }
}

/// Asks a server where something is used.
struct ReferencesTo {
    at: Position,
    include_declaration: bool,
}

impl Inquiry for ReferencesTo {
    /// The places, whether the server knows of all files, and what it is limited to.
    type Answer = (Vec<Location>, bool, Option<Scope>);

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<Self::Answer, LspError> {
        let mut scope = life.scope();
        let mut places = life.references(shown, self.at, self.include_declaration, asker).await?;
        // Another question may have changed what it is limited to meanwhile.
        while scope != life.scope() {
            scope = life.scope();
            places = life.references(shown, self.at, self.include_declaration, asker).await?;
        }
        Ok((places, scope.is_some() || life.knows_all_files(), scope))
    }
}

impl References {
    /// In a stable order, which servers do not promise, each place once, and none in files that are gone: some servers
    /// never notice. Blocks.
    fn of_server(mut places: Vec<Location>) -> Self {
        places.sort_unstable();
        places.dedup();
        let mut last: Option<(PathBuf, bool)> = None;
        places.retain(|place| match &last {
            Some((file, exists)) if *file == place.file => *exists,
            _ => {
                let exists = place.file.exists();
                last = Some((place.file.clone(), exists));
                exists
            }
        });
        let total = places.len();
        places.truncate(MOST_PLACES);
        Self { name: String::new(), places, total }
    }
}

/// What one file alone says about the uses of a name in it.
enum Uses {
    Local(References),
    Anywhere { name: String, language: Language },
}

fn local_uses(document: &Document, at: Position, include_declaration: bool) -> Result<Uses, WorkspaceError> {
    let parsed = document.parsed()?;
    let name = name_at(document, at)?;
    let Some(local) = parsed.local(&name) else {
        return Ok(Uses::Anywhere { name: name.text, language: parsed.language() });
    };
    let places: Vec<Location> = local
        .uses
        .into_iter()
        .filter(|bytes| include_declaration || *bytes != local.declaration)
        .map(|bytes| Location::new(document.path(), parsed.lines().span(parsed.text(), bytes)))
        .collect();
    Ok(Uses::Local(References { name: name.text, total: places.len(), places }))
}

/// A search for a name through many files.
struct Scan {
    name: String,
    language: Language,
    include_declaration: bool,
}

impl Scan {
    /// The references, and whether every file could be read.
    fn run(&self, work: &Work, files: Vec<PathBuf>) -> Result<(References, bool), WorkspaceError> {
        let speaks =
            |path: &PathBuf| Language::of_path(path).is_some_and(|other| self.language.same_names(other));
        let mut files: Vec<PathBuf> = files.into_iter().filter(speaks).collect();
        files.sort_unstable();
        work.meter.begin(Some(files.len() as u64));
        let (next, all_read) = (AtomicUsize::new(0), AtomicBool::new(true));
        let found: Mutex<Vec<(usize, Vec<Span>)>> = Mutex::default();
        let reader = || {
            while !work.stopped()
                && let index = next.fetch_add(1, Ordering::Relaxed)
                && let Some(path) = files.get(index)
            {
                match self.in_file(work, path) {
                    Ok(spans) => found.lock().unwrap_or_else(PoisonError::into_inner).push((index, spans)),
                    // Removed since it was indexed: there is nothing in it.
                    Err(WorkspaceError::Read(ReadError::NotFound(_))) => {}
                    Err(error) => {
                        tracing::debug!(path = %path.display(), %error, "not searched for references");
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
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_unstable_by_key(|(index, _)| *index);
        let total = found.iter().map(|(_, spans)| spans.len()).sum();
        let places = found
            .into_iter()
            .flat_map(|(index, spans)| spans.into_iter().map(move |span| (index, span)))
            .take(MOST_PLACES)
            .filter_map(|(index, span)| Some(Location::new(files.get(index)?, span)))
            .collect();
        let references = References { name: self.name.clone(), places, total };
        Ok((references, all_read.into_inner()))
    }

    fn in_file(&self, work: &Work, path: &Path) -> Result<Vec<Span>, WorkspaceError> {
        let document = work.read_in_passing(path)?;
        let parsed = document.parsed()?;
        let occurrences = parsed.occurrences(&self.name).into_iter();
        Ok(occurrences
            .filter(|place| !place.local && (self.include_declaration || !place.declares))
            .map(|place| parsed.lines().span(parsed.text(), place.bytes))
            .collect())
    }
}
