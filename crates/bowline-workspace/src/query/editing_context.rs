//! Everything that is worth knowing about one file before it is changed: its symbols first, and within a budget who uses
//! them and what they call.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bowline_code::{Engine, Location, Position, Symbol, SymbolKind};
use bowline_lsp::{Asker, Direction, Life, LspError, Shown, Was};

use super::callers::Caller;
use super::explore::{not_read, within};
use super::served::{Inquiry, Reach, Served};
use super::{Found, References};
use crate::{Patience, Workspace, WorkspaceError};

/// Functions whose callees are asked for, at most.
const MOST_ASKED: usize = 100;
/// So many at once.
const AT_ONCE: usize = 8;
/// How long the callers of a file's symbols may take to find, and what they call. The symbols are known before.
const MAX_TIME_FOR_CALLERS: Duration = Duration::from_secs(4);
const MAX_TIME_FOR_CALLEES: Duration = Duration::from_secs(2);
/// How long callers are looked for by their names, while the server that knows them starts.
const MAX_TIME_BY_NAME: Duration = Duration::from_millis(200);
/// So many symbols are named of which something is not known.
const MAX_NAMED: usize = 5;

/// One file, as somebody who is about to change it wants to see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditingContext {
    pub path: PathBuf,
    pub language: String,
    pub symbols: Vec<Symbol>,
    pub imports: Vec<(u32, String)>,
    /// By the name of the symbol that they use.
    pub callers: Vec<(String, Vec<Caller>)>,
    pub callees: Vec<Callee>,
    pub bytes: usize,
    /// What could not be found out, and why.
    pub missing: Vec<String>,
}

/// A function that a file calls, and from where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Callee {
    /// The function of this file that calls it.
    pub from: String,
    pub name: String,
    pub place: Location,
}

impl Workspace {
    /// Symbols, imports, callers and callees of one file.
    pub async fn editing_context(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Found<EditingContext>, WorkspaceError> {
        let patience = &patience.as_of_now();
        let mut outline = self.outline(path, patience).await?;
        let owned = path.to_owned();
        let (imports, written) = self
            .reading(patience, move |work| {
                let document = work.read(&owned)?;
                let Ok(parsed) = document.parsed() else { return Ok(Default::default()) };
                let line = |at| parsed.lines().span(parsed.text(), at).start.line;
                let found = parsed.imports().into_iter();
                let imports = found.map(|import| (line(import.bytes), import.text)).collect();
                Ok((imports, parsed.symbols()))
            })
            .await?;
        // Some servers list names without their signatures.
        let mut signatures = HashMap::new();
        gather_signatures(written, &mut signatures);
        fill_signatures(&mut outline.value.symbols, &signatures);
        let mut named = Vec::new();
        flatten(&outline.value.symbols, "", &mut named);
        let mut missing = Vec::new();
        let mut found =
            Found { engine: outline.engine, indexed: true, note: outline.note.clone(), value: () };
        let asked: Vec<&(String, Symbol)> =
            named.iter().filter(|(_, symbol)| is_asked_about(symbol)).take(MOST_ASKED).collect();
        let left_out = named.iter().filter(|(_, symbol)| is_asked_about(symbol)).count() - asked.len();
        if left_out > 0 {
            missing.push(format!("callers and callees of {left_out} more symbols"));
        }
        let file = &outline.value.path;
        let callers = self.callers_of_each(file, &asked, &mut found, &mut missing, patience).await?;
        let callees = self.callees_of_each(file, &asked, &mut missing, patience).await?;
        let context = EditingContext {
            path: outline.value.path,
            language: outline.value.language,
            symbols: outline.value.symbols,
            imports,
            callers,
            callees,
            bytes: outline.value.bytes,
            missing,
        };
        Ok(Found { value: context, engine: found.engine, indexed: found.indexed, note: found.note })
    }

    /// Who uses each of these symbols of a file, as far as the time allows.
    async fn callers_of_each(
        &self,
        file: &Path,
        asked: &[&(String, Symbol)],
        found: &mut Found<()>,
        missing: &mut Vec<String>,
        patience: &Patience<'_>,
    ) -> Result<Vec<(String, Vec<Caller>)>, WorkspaceError> {
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let ats: Vec<Position> = asked.iter().map(|(_, symbol)| symbol.selection.start).collect();
        let within_time = patience.within(MAX_TIME_FOR_CALLERS);
        let references = match self.starting(file, patience) {
            Some(server) => {
                found.engine = Engine::Syntax;
                Ok(self.by_name_each(file, &ats, &server, patience).await)
            }
            None => self.references_each(file, &ats, false, &within_time, &|_| ()).await,
        };
        let references = match references {
            Ok(references) => references,
            Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
            Err(error) => {
                found.indexed = false;
                missing.push(format!("callers: {error}"));
                return Ok(Vec::new());
            }
        };
        let (mut places, mut counted, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        for ((name, symbol), references) in asked.iter().zip(references) {
            match references {
                Ok(uses) => {
                    found.indexed &= uses.indexed;
                    found.note = found.note.take().or(uses.note);
                    let outside =
                        |place: &Location| place.file != file || !within(symbol.range, place.span().start);
                    let before = places.len();
                    places.extend(uses.value.places.into_iter().filter(outside));
                    counted.push((name, places.len() - before));
                }
                Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                Err(error) => unknown.push((name.as_str(), error)),
            }
        }
        if let Some((_, error)) = unknown.first() {
            found.indexed = false;
            let names: Vec<&str> = unknown.iter().map(|(name, _)| *name).take(MAX_NAMED).collect();
            missing.push(format!(
                "callers of {} symbols ({}): {error}; what was found is kept, so asking again goes on from here",
                unknown.len(),
                names.join(", ")
            ));
        }
        let (callers, unread) = self.callers_in_any_order(places, patience).await?;
        missing.extend(not_read(unread));
        let mut callers = callers.into_iter();
        let of_each = counted.into_iter().map(|(name, count)| {
            let mut own: Vec<Caller> = callers.by_ref().take(count).collect();
            nearest_first(file, &mut own);
            (name.clone(), own)
        });
        Ok(of_each.filter(|(_, callers)| !callers.is_empty()).collect())
    }

    /// The name of a file's server, where it does not run yet and the caller has no time to wait for it.
    fn starting(&self, file: &Path, patience: &Patience<'_>) -> Option<String> {
        let server = self.fleet.of_file(file, &self.shared.roots)?.server;
        let is_starting = !patience.is_long()
            && server.current().is_none()
            && server.program().is_ok()
            && server.status().state != Was::Failed;
        is_starting.then(|| server.name().to_owned())
    }

    /// Where each name is written, as far as that can be found in a moment.
    async fn by_name_each(
        &self,
        file: &Path,
        ats: &[Position],
        server: &str,
        patience: &Patience<'_>,
    ) -> Vec<Result<Found<References>, WorkspaceError>> {
        let moment = patience.within(MAX_TIME_BY_NAME);
        let late =
            || WorkspaceError::ServerLate { server: server.to_owned(), what: "is starting".to_owned() };
        let mut answers = Vec::with_capacity(ats.len());
        for at in ats {
            let is_over = moment.deadline.is_some_and(|due| Instant::now() >= due);
            let answer =
                if is_over { Err(late()) } else { self.references_by_name(file, *at, false, &moment).await };
            answers.push(answer.map_err(|error| match error {
                WorkspaceError::Cancelled => WorkspaceError::Cancelled,
                _ => late(),
            }));
        }
        answers
    }

    /// What each of the functions among these symbols calls, as far as the time allows.
    async fn callees_of_each(
        &self,
        file: &Path,
        asked: &[&(String, Symbol)],
        missing: &mut Vec<String>,
        patience: &Patience<'_>,
    ) -> Result<Vec<Callee>, WorkspaceError> {
        let functions: Vec<(String, Position)> = asked
            .iter()
            .filter(|(_, symbol)| symbol.kind.is_callable())
            .map(|(name, symbol)| (name.clone(), symbol.selection.start))
            .collect();
        if functions.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(server) = self.starting(file, patience) {
            missing.push(format!("callees: `{server}` is starting; ask again in a moment"));
            return Ok(Vec::new());
        }
        let told: Mutex<Vec<Option<Vec<Callee>>>> = Mutex::new(vec![None; functions.len()]);
        let inquiry = CalleesOf { functions: &functions, told: &told };
        let within_time = patience.within(MAX_TIME_FOR_CALLEES);
        let why = match self.serve(file, None, Reach::File, &within_time, inquiry).await? {
            Served::Answer { .. } => None,
            Served::Nobody => Some("there is no language server for this file".to_owned()),
            Served::Without(reason) => Some(reason.into_error().to_string()),
        };
        let told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = why {
            let left = told.iter().filter(|told| told.is_none()).count();
            missing.push(format!("callees of {left} functions: {why}"));
        }
        Ok(told.into_iter().flatten().flatten().collect())
    }
}

fn flatten(symbols: &[Symbol], around: &str, named: &mut Vec<(String, Symbol)>) {
    for symbol in symbols {
        let name = if around.is_empty() { symbol.name.clone() } else { format!("{around}.{}", symbol.name) };
        named.push((name.clone(), Symbol { children: Vec::new(), ..symbol.clone() }));
        // What stands inside a function is its own business.
        if !symbol.kind.is_callable() {
            flatten(&symbol.children, &name, named);
        }
    }
}

fn gather_signatures(symbols: Vec<Symbol>, signatures: &mut HashMap<Position, String>) {
    for symbol in symbols {
        if let Some(detail) = symbol.detail {
            signatures.insert(symbol.selection.start, detail);
        }
        gather_signatures(symbol.children, signatures);
    }
}

fn fill_signatures(symbols: &mut [Symbol], signatures: &HashMap<Position, String>) {
    for symbol in symbols {
        if symbol.detail.is_none() {
            symbol.detail = signatures.get(&symbol.selection.start).cloned();
        }
        fill_signatures(&mut symbol.children, signatures);
    }
}

/// Fields and variables inside others are seen with what holds them.
fn is_asked_about(symbol: &Symbol) -> bool {
    symbol.kind.is_callable()
        || matches!(
            symbol.kind,
            SymbolKind::Class
                | SymbolKind::Interface
                | SymbolKind::Struct
                | SymbolKind::Enum
                | SymbolKind::Constant
                | SymbolKind::Variable
        )
}

/// Asks a server what each of these functions calls. What it says is put down as it comes, so that a part of it is of
/// use when there is no time for the rest.
struct CalleesOf<'a> {
    functions: &'a [(String, Position)],
    told: &'a Mutex<Vec<Option<Vec<Callee>>>>,
}

impl Inquiry for CalleesOf<'_> {
    type Answer = ();

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<(), LspError> {
        use futures_util::StreamExt;
        let ask = |index: usize| async move {
            let (from, at) = &self.functions[index];
            let (mut seen, mut callees) = (HashSet::new(), Vec::new());
            for item in life.call_items(shown, *at, asker).await? {
                for call in life.calls(&item, Direction::Down, asker).await? {
                    let place = call.item.location;
                    if seen.insert(place.clone()) {
                        callees.push(Callee { from: from.clone(), name: call.item.name, place });
                    }
                }
            }
            callees.sort_by(|left, right| left.place.cmp(&right.place));
            Ok::<_, LspError>((index, callees))
        };
        let each: Vec<_> = (0..self.functions.len()).map(ask).collect();
        let mut asking = futures_util::stream::iter(each).buffer_unordered(AT_ONCE);
        while let Some(found) = asking.next().await {
            let (index, callees) = found?;
            if let Some(told) = self.told.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index) {
                *told = Some(callees);
            }
        }
        Ok(())
    }
}

/// Puts callers in the same package before those in examples far away: not all of them may be shown.
fn nearest_first(file: &Path, callers: &mut [Caller]) {
    let steps = |caller: &Caller| {
        let other = &caller.place.file;
        let shared = file.components().zip(other.components()).take_while(|(one, two)| one == two).count();
        file.components().count() + other.components().count() - 2 * shared
    };
    callers.sort_by_cached_key(steps);
}
