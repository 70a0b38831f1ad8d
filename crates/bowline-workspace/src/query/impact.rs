//! What a change reaches: every symbol of the changed files, who uses it, and which of those are tests.

mod exported;
mod guarded;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use bowline_code::{Engine, Location, Position, Span, Symbol, SymbolKind};

use super::callers::Caller;
use super::{Found, References};
use crate::{Document, LineRange, Patience, Workspace, WorkspaceError};

/// More symbols than this are counted and left out.
const MOST_SYMBOLS: usize = 1000;
/// More warnings say nothing new.
const MOST_WARNINGS: usize = 50;
/// Callers of callers are followed so far, and so many of them.
const DEEPEST: usize = 3;
const MOST_FOLLOWED: usize = 200;
/// How much of the time is spent on listing the symbols of the files, and how much of the rest on asking for uses.
const LISTING: f32 = 0.4;
const ASKING: f32 = 0.6;

/// Which symbols of a file count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// What other files can use.
    Exported,
    All,
}

/// A changed file, and which of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    pub path: PathBuf,
    /// `None`: all of it.
    pub lines: Option<Vec<LineRange>>,
}

impl ChangedFile {
    fn touches(&self, symbol: &Symbol) -> bool {
        let (first, last) = (symbol.range.start.line, symbol.range.end.line);
        self.lines.as_ref().is_none_or(|lines| lines.iter().any(|lines| lines.touches(first, last)))
    }
}

/// A symbol that changed, and who uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impacted {
    /// With the names around it: `Type.method`.
    pub name: String,
    pub kind: SymbolKind,
    /// Where its name is.
    pub place: Location,
    pub callers: Vec<Caller>,
    /// It takes a lock, or holds something that only one at a time may touch.
    pub sync_guarded: bool,
    /// Why nothing is known of its callers.
    pub unknown: Option<String>,
}

/// Somebody who calls a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    pub caller: Caller,
    /// The caller that it calls.
    pub via: String,
    /// 2: it calls a caller.
    pub depth: usize,
}

/// What a change reaches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Impact {
    pub symbols: Vec<Impacted>,
    pub reached: Vec<Reached>,
    pub warnings: Vec<String>,
}

impl Workspace {
    /// What a change to these files reaches, and with `transitive` who calls those.
    pub async fn impact(
        &self,
        files: &[ChangedFile],
        scope: Scope,
        transitive: bool,
        patience: &Patience<'_>,
    ) -> Result<Found<Impact>, WorkspaceError> {
        let patience = &patience.as_of_now();
        let mut looking = Looking::default();
        let listing = patience.part(LISTING);
        let mut seen = BTreeSet::new();
        for file in files {
            // Named twice, or by two names.
            if let Ok(real) = self.resolve(&file.path)
                && !seen.insert(real)
            {
                continue;
            }
            match self.symbols_of(file, scope, &listing, &mut looking).await {
                Ok(()) => {}
                Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                // One file alone that cannot be read is an error of whoever named it.
                Err(error) if files.len() == 1 => return Err(error),
                Err(error) => {
                    looking.partial = true;
                    looking.warn(format!("`{}`: {error}", file.path.display()));
                }
            }
        }
        let total = looking.sought.len();
        if total > MOST_SYMBOLS {
            looking.partial = true;
            looking.warn(format!("{MOST_SYMBOLS} of {total} symbols were looked at"));
            looking.sought.truncate(MOST_SYMBOLS);
        }
        let sought = std::mem::take(&mut looking.sought);
        let symbols = self.used(sought, patience, &mut looking).await?;
        let reached =
            if transitive { self.reached(&symbols, patience, &mut looking).await? } else { Vec::new() };
        let engine = looking.engine.unwrap_or(Engine::Syntax);
        let indexed = (looking.indexed || !looking.heard)
            && !looking.partial
            && !symbols.iter().any(|symbol| symbol.unknown.is_some());
        let note = (!looking.notes.is_empty())
            .then(|| looking.notes.iter().map(String::as_str).collect::<Vec<_>>().join("\n"));
        let impact = Impact { symbols, reached, warnings: looking.warnings };
        Ok(Found { value: impact, engine, indexed, note })
    }

    async fn symbols_of(
        &self,
        file: &ChangedFile,
        scope: Scope,
        patience: &Patience<'_>,
        looking: &mut Looking,
    ) -> Result<(), WorkspaceError> {
        let outline = self.outline(&file.path, patience).await?;
        looking.hear(outline.engine, true, outline.note.as_deref());
        let document = self.read(&file.path, patience).await?;
        let mut found = Vec::new();
        collect(&outline.value.symbols, &document, scope, &mut Vec::new(), &mut found);
        looking.sought.extend(found.into_iter().filter(|(_, symbol)| file.touches(symbol)).map(
            |(name, symbol)| Sought {
                name,
                kind: symbol.kind,
                place: Location::new(document.path(), symbol.selection),
                sync_guarded: guarded::is_guarded(&document, symbol),
            },
        ));
        Ok(())
    }

    /// Who uses each, file by file.
    async fn used(
        &self,
        sought: Vec<Sought>,
        patience: &Patience<'_>,
        looking: &mut Looking,
    ) -> Result<Vec<Impacted>, WorkspaceError> {
        let total = sought.len();
        let mut files: BTreeMap<PathBuf, Vec<Sought>> = BTreeMap::new();
        for symbol in sought {
            files.entry(symbol.place.file.clone()).or_default().push(symbol);
        }
        let (mut impacted, mut done) = (Vec::with_capacity(total), 0);
        // The rest is for reading what the uses stand in.
        let asking = patience.part(ASKING);
        for (path, symbols) in files {
            let ats: Vec<Position> = symbols.iter().map(|symbol| symbol.place.span().start).collect();
            let step = |here: usize| {
                if let Some(report) = patience.progress {
                    report((done + here) as u64, Some(total as u64), "looking for callers");
                }
            };
            let found = self.references_each(&path, &ats, false, &asking, &step).await?;
            done += symbols.len();
            let mut places: Vec<Location> = Vec::new();
            let mut counted: Vec<(Sought, Result<usize, String>)> = Vec::with_capacity(symbols.len());
            for (symbol, found) in symbols.into_iter().zip(found) {
                let count = match found {
                    Ok(found) => {
                        looking.hear_references(&found, &symbol.name);
                        places.extend(found.value.places.iter().cloned());
                        Ok(found.value.places.len())
                    }
                    Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                    Err(error) => Err(error.to_string()),
                };
                counted.push((symbol, count));
            }
            let (callers, unread) = self.callers_in_any_order(places, patience).await?;
            looking.miss(unread);
            let mut callers = callers.into_iter();
            for (symbol, count) in counted {
                let (callers, unknown) = match count {
                    Ok(count) => (callers.by_ref().take(count).collect(), None),
                    Err(why) => (Vec::new(), Some(why)),
                };
                impacted.push(Impacted {
                    name: symbol.name,
                    kind: symbol.kind,
                    place: symbol.place,
                    callers,
                    sync_guarded: symbol.sync_guarded,
                    unknown,
                });
            }
        }
        let unknown: Vec<&str> =
            impacted.iter().filter(|one| one.unknown.is_some()).map(|one| one.name.as_str()).collect();
        if let Some(first) = impacted.iter().find_map(|one| one.unknown.as_deref()) {
            let names = unknown.iter().take(5).copied().collect::<Vec<_>>().join(", ");
            looking.warn(format!("callers of {} symbols are not known ({names}): {first}", unknown.len()));
        }
        Ok(impacted)
    }

    /// Who calls the callers, who calls those, and so on as far as is worth it.
    async fn reached(
        &self,
        symbols: &[Impacted],
        patience: &Patience<'_>,
        looking: &mut Looking,
    ) -> Result<Vec<Reached>, WorkspaceError> {
        let mut known: HashSet<(PathBuf, Span)> =
            symbols.iter().map(|symbol| (symbol.place.file.clone(), symbol.place.span())).collect();
        let mut seen: HashSet<Location> = HashSet::new();
        let direct = symbols.iter().flat_map(|symbol| &symbol.callers);
        seen.extend(direct.clone().map(|caller| caller.place.clone()));
        let mut level: Vec<Caller> = direct.cloned().collect();
        let (mut reached, mut followed) = (Vec::new(), 0);
        let asking = patience.part(ASKING);
        for depth in 2..=DEEPEST + 1 {
            let mut next: BTreeMap<PathBuf, BTreeMap<Span, String>> = BTreeMap::new();
            for caller in level.drain(..).filter(|caller| !caller.is_test) {
                let Some(around) = caller.around else { continue };
                if known.insert((caller.place.file.clone(), around)) {
                    next.entry(caller.place.file).or_default().insert(around, caller.name);
                }
            }
            for (path, around) in next {
                let room = MOST_FOLLOWED.saturating_sub(followed);
                if around.len() > room {
                    looking.partial = true;
                    looking
                        .warn(format!("callers of callers were followed for {MOST_FOLLOWED} symbols only"));
                }
                let (spans, names): (Vec<Span>, Vec<String>) = around.into_iter().take(room).unzip();
                followed += spans.len();
                if spans.is_empty() {
                    continue;
                }
                let ats: Vec<Position> = spans.iter().map(|span| span.start).collect();
                let found = self.references_each(&path, &ats, false, &asking, &|_| ()).await?;
                for (via, found) in names.into_iter().zip(found) {
                    let found = match found {
                        Ok(found) => found,
                        Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                        Err(error) => {
                            looking.indexed = false;
                            looking.warn(format!("callers of {via} are not known: {error}"));
                            continue;
                        }
                    };
                    looking.hear_references(&found, &via);
                    let new: Vec<Location> =
                        found.value.places.into_iter().filter(|place| seen.insert(place.clone())).collect();
                    let (callers, unread) = self.callers_in_any_order(new, patience).await?;
                    looking.miss(unread);
                    level.extend(callers.iter().cloned());
                    reached.extend(callers.into_iter().map(|caller| Reached {
                        caller,
                        via: via.clone(),
                        depth,
                    }));
                }
            }
        }
        let beyond = level.iter().filter(|caller| !caller.is_test && caller.around.is_some()).count();
        if beyond > 0 {
            looking.partial = true;
            looking.warn(format!(
                "callers were followed {DEEPEST} calls far; {beyond} of them may have callers of their own"
            ));
        }
        Ok(reached)
    }
}

/// A symbol whose users are sought.
struct Sought {
    name: String,
    kind: SymbolKind,
    place: Location,
    sync_guarded: bool,
}

/// What was found on the way, and how sure it is.
#[derive(Default)]
struct Looking {
    sought: Vec<Sought>,
    engine: Option<Engine>,
    indexed: bool,
    heard: bool,
    /// Something was not looked at.
    partial: bool,
    notes: BTreeSet<String>,
    warnings: Vec<String>,
}

impl Looking {
    /// An answer is as sure as its least sure part.
    fn hear(&mut self, engine: Engine, indexed: bool, note: Option<&str>) {
        let weaker = match (self.engine, engine) {
            (None, engine) => engine,
            (Some(Engine::Syntax), _) | (_, Engine::Syntax) => Engine::Syntax,
            (Some(Engine::Cache), _) | (_, Engine::Cache) => Engine::Cache,
            _ => Engine::Server,
        };
        self.engine = Some(weaker);
        self.indexed = indexed && (self.indexed || !self.heard);
        self.heard = true;
        self.notes.extend(note.map(str::to_owned));
    }

    /// Files that were not read in time.
    fn miss(&mut self, unread: usize) {
        if unread > 0 {
            self.partial = true;
            self.warn(format!(
                "{unread} files with uses were not read in time: what the uses in them stand in is not known"
            ));
        }
    }

    fn hear_references(&mut self, found: &Found<References>, name: &str) {
        self.hear(found.engine, found.indexed, found.note.as_deref());
        let left_out = found.value.total - found.value.places.len();
        if left_out > 0 {
            self.warn(format!("{left_out} more uses of {name} are not listed"));
        }
    }

    fn warn(&mut self, warning: String) {
        if self.warnings.len() < MOST_WARNINGS && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        } else if self.warnings.len() == MOST_WARNINGS {
            self.warnings.push("and more like these".to_owned());
        }
    }
}

/// `impl<T> Trait for Type<T>` is `Type` to whoever looks for its methods.
fn short_name(symbol: &Symbol) -> String {
    if !exported::is_impl(symbol) {
        // gopls calls a method `(*T).M`.
        return symbol.name.replace(['(', ')', '*'], "");
    }
    let name = symbol.name.rsplit(" for ").next().unwrap_or(&symbol.name);
    let name = name.strip_prefix("impl ").unwrap_or(name);
    name.split('<').next().unwrap_or(name).trim().to_owned()
}

/// Every symbol that counts, with its names, in reading order.
fn collect<'a>(
    symbols: &'a [Symbol],
    document: &Document,
    scope: Scope,
    around: &mut Vec<&'a Symbol>,
    found: &mut Vec<(String, &'a Symbol)>,
) {
    for symbol in symbols {
        let counts = match scope {
            Scope::All => exported::is_somebodys(around, symbol),
            Scope::Exported => exported::is_exported(document, around, symbol),
        };
        if counts {
            let names: Vec<String> = around.iter().copied().chain([symbol]).map(short_name).collect();
            found.push((names.join("."), symbol));
        }
        around.push(symbol);
        collect(&symbol.children, document, scope, around, found);
        around.pop();
    }
}

/// Whether a symbol lies in another directory than its user: a change then reaches another package.
pub fn is_elsewhere(symbol: &Path, user: &Path) -> bool {
    symbol.parent() != user.parent()
}
