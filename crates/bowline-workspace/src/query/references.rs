//! Where a name is used: as its language server knows, or wherever it is written. Every file that may hold it is
//! read as it is now.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bowline_code::{Location, Position, Span};
use bowline_lsp::{Asker, Fault, Life, LspError, Scope, Shown};
use bowline_std::fs::ReadError;
use bowline_syntax::{Language, word_hash};
use futures_util::StreamExt;

use super::definition::name_at;
use super::served::{Inquiry, Reach, Reason, Served, either};
use super::{Found, References};
use crate::scope::{Beyond, note_of_unknown};
use crate::workspace::Work;
use crate::{Document, Patience, Workspace, WorkspaceError};

/// Why a server's answer is not given.
const ONE_FILE: &str = "answered by name: the language server knows only files that it was shown; a \
                        compile_commands.json would let it see all";

/// So many questions are put to a server at once.
const AT_ONCE: usize = 16;

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
        let patience = &patience.as_of_now();
        let each = self.references_each(path, &[at], include_declaration, patience, &|_| ()).await?;
        each.into_iter().next().unwrap_or_else(|| Err(WorkspaceError::Internal("no answer".to_owned())))
    }

    /// The same for many names of one file, which is brought up to date once. `step` hears how many are done. An error
    /// of one name is its own; of those that were not reached in time, each says so.
    pub(super) async fn references_each(
        &self,
        path: &Path,
        ats: &[Position],
        include_declaration: bool,
        patience: &Patience<'_>,
        step: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Result<Found<References>, WorkspaceError>>, WorkspaceError> {
        let recalled = self.recall(path, ats, include_declaration, patience).await?;
        let mut answers: Vec<Option<Result<Found<References>, WorkspaceError>>> =
            recalled.hits.into_iter().map(|hit| hit.map(Ok)).collect();
        let missing: Vec<usize> = (0..ats.len()).filter(|index| answers[*index].is_none()).collect();
        if !missing.is_empty() {
            step(ats.len() - missing.len());
            let asked: Vec<Position> = missing.iter().map(|index| ats[*index]).collect();
            let found = self.ask_each(path, &asked, include_declaration, patience, step).await?;
            let found = self.with_neighbours(path, &asked, found, patience).await?;
            if let Some(memory) = recalled.memory {
                self.remember(memory, asked.iter().copied().zip(&found)).await;
            }
            for (index, found) in missing.into_iter().zip(found) {
                answers[index] = Some(found);
            }
        }
        let unanswered = || Err(WorkspaceError::Internal("no answer".to_owned()));
        Ok(answers.into_iter().map(|answer| answer.unwrap_or_else(unanswered)).collect())
    }

    /// Asks the server about each, and syntax about those that it cannot tell.
    async fn ask_each(
        &self,
        path: &Path,
        ats: &[Position],
        include_declaration: bool,
        patience: &Patience<'_>,
        step: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Result<Found<References>, WorkspaceError>>, WorkspaceError> {
        let beyond = self.beyond_each(path, ats, patience).await?;
        let told: Mutex<Vec<Option<Told>>> = Mutex::new(vec![None; ats.len()]);
        let inquiry = ReferencesTo { ats, include_declaration, told: &told, step };
        let first = ats.first().copied();
        let served = self.serve(path, first, Reach::Project, patience, inquiry).await?;
        let told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut answers = Vec::with_capacity(ats.len());
        for ((at, told), beyond) in ats.iter().zip(told).zip(beyond) {
            let served = match (&served, told) {
                (Served::Nobody, _) => Served::Nobody,
                (Served::Answer { value: (_, Some(scope)), indexed }, Some(Ok(places))) => {
                    let limited = Limited { beyond, scope: scope.clone(), indexed: *indexed };
                    answers.push(
                        self.settle_limited(limited, places, path, *at, include_declaration, patience).await,
                    );
                    continue;
                }
                (Served::Answer { value: (knows_all, None), indexed }, Some(Ok(places))) => {
                    Served::Answer { value: (places, *knows_all), indexed: *indexed }
                }
                // What was said before the time was over.
                (Served::Without(_), Some(Ok(places))) => {
                    Served::Answer { value: (places, false), indexed: false }
                }
                (_, Some(Err(error))) => Served::Without(Reason::Failed(error)),
                // Of many, those that were not reached in time are left: each by name would take longer still.
                (Served::Without(reason @ Reason::Late { .. }), None) if ats.len() > 1 => {
                    answers.push(Err(reason.clone().into_error()));
                    continue;
                }
                (Served::Without(reason), None) => Served::Without(reason.clone()),
                (Served::Answer { .. }, None) => {
                    answers.push(Err(WorkspaceError::Internal("a server was not asked".to_owned())));
                    continue;
                }
            };
            answers.push(self.settle(served, path, *at, include_declaration, patience).await);
        }
        Ok(answers)
    }

    /// What a limited server said about one name. Nothing, from one that has not seen everything, is no answer where
    /// there is another.
    async fn settle_limited(
        &self,
        limited: Limited,
        places: Vec<Location>,
        path: &Path,
        at: Position,
        include_declaration: bool,
        patience: &Patience<'_>,
    ) -> Result<Found<References>, WorkspaceError> {
        let found =
            self.blocking(patience, move |_| Ok(limited.judge(References::of_server(places)))).await?;
        if found.indexed || found.value.total > 0 {
            return Ok(found);
        }
        match self.references_by_name(path, at, include_declaration, patience).await {
            Ok(by_name) if by_name.value.total > 0 => Ok(by_name),
            Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
            _ => Ok(found),
        }
    }

    /// What a server said about one name, or what syntax makes of it.
    async fn settle(
        &self,
        served: Served<(Vec<Location>, bool)>,
        path: &Path,
        at: Position,
        include_declaration: bool,
        patience: &Patience<'_>,
    ) -> Result<Found<References>, WorkspaceError> {
        let served = match served {
            Served::Answer { value: (places, knows_all), indexed } => {
                let value = self.blocking(patience, move |_| Ok(References::of_server(places))).await?;
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
            other => other.map(|(places, _)| References::of_server(places)),
        };
        let by_name = self.references_by_name(path, at, include_declaration, patience);
        let mut found = either(served, |references| references.total == 0, by_name).await?;
        if !found.indexed && found.note.is_none() {
            found.note = self.doubt(path);
        }
        Ok(found)
    }

    /// Where the name at a position is written in other files than these, whatever it means there.
    pub async fn also_written(
        &self,
        path: &Path,
        at: Position,
        besides: &[PathBuf],
        patience: &Patience<'_>,
    ) -> Result<Vec<Location>, WorkspaceError> {
        let besides: HashSet<PathBuf> = besides.iter().cloned().chain([path.to_owned()]).collect();
        // A rename touches most files that have the name. They are not read once more, and do not take up the room of others.
        let found = self.by_name(path, at, true, besides, patience).await?;
        Ok(found.value.places.into_iter().filter(|place| place.file != path).collect())
    }

    pub(super) async fn references_by_name(
        &self,
        path: &Path,
        at: Position,
        include_declaration: bool,
        patience: &Patience<'_>,
    ) -> Result<Found<References>, WorkspaceError> {
        self.by_name(path, at, include_declaration, HashSet::new(), patience).await
    }

    /// In all files but some.
    async fn by_name(
        &self,
        path: &Path,
        at: Position,
        include_declaration: bool,
        besides: HashSet<PathBuf>,
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
        let (mut files, indexed) = self.ask(patience, move |store| store.holding(hash)).await?;
        files.retain(|file| !besides.contains(file));
        let scan = Scan { name, language, include_declaration };
        let (references, all_read) = self.blocking(patience, move |work| scan.run(work, files)).await?;
        Ok(Found::by_syntax(references, indexed && all_read))
    }
}

/// How a server was limited when it answered, and what lay beyond.
struct Limited {
    beyond: Option<Beyond>,
    scope: Scope,
    indexed: bool,
}

impl Limited {
    /// The answer, and whether it can have left something out. Blocks.
    fn judge(&self, value: References) -> Found<References> {
        let all_are_here = value.places.len() == value.total;
        let proves = |beyond: &Beyond| beyond.is_complete(&self.scope, &value.places);
        let is_complete = all_are_here && self.beyond.as_ref().is_some_and(proves);
        let note = || match &self.beyond {
            Some(beyond) => beyond.note(&self.scope),
            None => note_of_unknown(&self.scope),
        };
        let note = (!is_complete).then(note);
        Found { note, ..Found::by_server(value, self.indexed && is_complete) }
    }
}

/// What a server said about one name.
pub(super) type Told = Result<Vec<Location>, LspError>;

/// Asks a server where things are used. What it says is put down as it comes, so that a part of it is of use when
/// there is no time for the rest.
pub(super) struct ReferencesTo<'a> {
    pub(super) ats: &'a [Position],
    pub(super) include_declaration: bool,
    pub(super) told: &'a Mutex<Vec<Option<Told>>>,
    pub(super) step: &'a (dyn Fn(usize) + Sync),
}

impl ReferencesTo<'_> {
    fn put_down(&self, index: usize, told: Told) -> usize {
        let mut all = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = all.get_mut(index) {
            *place = Some(told);
        }
        all.iter().flatten().count()
    }
}

impl Inquiry for ReferencesTo<'_> {
    /// Whether the server knows of all files, and what it was limited to.
    type Answer = (bool, Option<Scope>);

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<Self::Answer, LspError> {
        let scope = life.scope();
        self.told.lock().unwrap_or_else(PoisonError::into_inner).fill(None);
        let ask = |(index, at): (usize, Position)| async move {
            (index, life.references(shown, at, self.include_declaration, asker).await)
        };
        let each: Vec<_> = self.ats.iter().copied().enumerate().map(ask).collect();
        let mut asking = futures_util::stream::iter(each).buffer_unordered(AT_ONCE);
        while let Some((index, told)) = asking.next().await {
            match told {
                // The whole server is gone, or nobody waits: that is no answer about one name.
                Err(error) if !matches!(error.fault, Fault::Refused { .. } | Fault::NoAnswer { .. }) => {
                    return Err(error);
                }
                told => (self.step)(self.put_down(index, told)),
            }
        }
        if scope != life.scope() {
            // Another question has changed it meanwhile: nobody knows what was looked at.
            return Ok((false, None));
        }
        Ok((life.knows_all_files(), scope))
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
