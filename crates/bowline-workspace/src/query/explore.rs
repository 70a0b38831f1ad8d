//! Everything that is worth knowing about one symbol, or one file, in one answer.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Location, Position, Span, Symbol, SymbolKind};
use bowline_lsp::{Asker, Direction, Life, LspError, Shown};

use super::callers::Caller;
use super::served::{Inquiry, Reach, Served};
use super::{Found, SymbolSource};
use crate::{Patience, Workspace, WorkspaceError};

/// Functions whose callees are asked for, at most.
const MOST_ASKED: usize = 100;
/// So many at once.
const AT_ONCE: usize = 8;

/// One symbol: what it is, where it ends, who uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explored {
    /// Type and documentation, as its server says.
    pub hover: Option<String>,
    pub source: Option<SymbolSource>,
    /// Every place that uses it, with what it stands in.
    pub callers: Vec<Caller>,
    pub total: usize,
    /// What could not be found out, and why.
    pub missing: Vec<String>,
}

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
    /// What there is to know about the symbol at a position.
    pub async fn explore(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Explored>, WorkspaceError> {
        let (hover, source, references) = futures_util::join!(
            self.hover(path, at, patience),
            self.source_of(path, at, patience),
            self.references(path, at, false, patience),
        );
        let mut missing = Vec::new();
        let hover = match hover {
            Ok(found) => found.value.map(|hover| hover.text),
            Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
            Err(WorkspaceError::NoServer { .. }) => None,
            Err(error) => {
                missing.push(format!("type_info: {error}"));
                None
            }
        };
        let found = references?;
        let total = found.value.total;
        let callers = self.callers(found.value.places, patience).await?;
        let explored =
            Explored { hover, source: source.ok().map(|found| found.value), callers, total, missing };
        Ok(Found { value: explored, engine: found.engine, indexed: found.indexed, note: found.note })
    }

    /// The text of what the name at a position means, wherever that is in the workspace; else of what stands there. A
    /// name that is declared here means itself, also where others of that name are defined beside it.
    async fn source_of(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<SymbolSource>, WorkspaceError> {
        let here = self.symbol_at(path, at, patience).await;
        let definitions =
            self.definition(path, at, patience).await.map(|found| found.value).unwrap_or_default();
        if let Ok(found) = &here
            && within(found.value.symbol.selection, at)
            && definitions.iter().any(|definition| definition.location.file == found.value.path)
        {
            return here;
        }
        if let Some(definition) = definitions.into_iter().next()
            && self.resolve(&definition.location.file).is_ok()
        {
            let place = definition.location;
            let at = place.span().start;
            if let Ok(source) = self.symbol_at(&place.file, at, patience).await {
                return Ok(source);
            }
        }
        here
    }

    /// Symbols, imports, callers and callees of one file.
    pub async fn editing_context(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Found<EditingContext>, WorkspaceError> {
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
        let ats: Vec<Position> = asked.iter().map(|(_, symbol)| symbol.selection.start).collect();
        let references = if ats.is_empty() {
            Vec::new()
        } else {
            self.references_each(path, &ats, false, patience, &|_| ()).await?
        };
        let mut callers = Vec::new();
        for ((name, symbol), references) in asked.iter().zip(references) {
            match references {
                Ok(uses) => {
                    found.indexed &= uses.indexed;
                    found.note = found.note.or(uses.note);
                    let outside = |place: &Location| {
                        place.file != outline.value.path || !within(symbol.range, place.span().start)
                    };
                    let places: Vec<Location> = uses.value.places.into_iter().filter(outside).collect();
                    if !places.is_empty() {
                        callers.push((name.clone(), self.callers(places, patience).await?));
                    }
                }
                Err(WorkspaceError::Cancelled) => return Err(WorkspaceError::Cancelled),
                Err(error) => {
                    found.indexed = false;
                    missing.push(format!("callers of {name}: {error}"));
                }
            }
        }
        let functions: Vec<(String, Position)> = asked
            .iter()
            .filter(|(_, symbol)| symbol.kind.is_callable())
            .map(|(name, symbol)| (name.clone(), symbol.selection.start))
            .collect();
        let callees = match self.serve(path, None, Reach::File, patience, CalleesOf(functions)).await? {
            Served::Answer { value, .. } => value,
            Served::Nobody => {
                missing.push("callees: there is no language server for this file".to_owned());
                Vec::new()
            }
            Served::Without(reason) => {
                missing.push(format!("callees: {}", reason.into_error()));
                Vec::new()
            }
        };
        let left_out = named.iter().filter(|(_, symbol)| is_asked_about(symbol)).count() - asked.len();
        if left_out > 0 {
            missing.push(format!("callers and callees of {left_out} more symbols"));
        }
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

fn within(span: Span, at: Position) -> bool {
    span.start <= at && at < span.end
}

/// Asks a server what each of these functions calls.
struct CalleesOf(Vec<(String, Position)>);

impl Inquiry for CalleesOf {
    type Answer = Vec<Callee>;

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<Vec<Callee>, LspError> {
        use futures_util::StreamExt;
        let ask = |(from, at): (String, Position)| async move {
            let mut found = Vec::new();
            for item in life.call_items(shown, at, asker).await? {
                found.extend(life.calls(&item, Direction::Down, asker).await?);
            }
            Ok::<_, LspError>((from, found))
        };
        let each: Vec<_> = self.0.iter().cloned().map(ask).collect();
        let mut asking = futures_util::stream::iter(each).buffered(AT_ONCE);
        let mut seen: HashSet<(String, Location)> = HashSet::new();
        let mut callees: BTreeMap<(usize, Location), Callee> = BTreeMap::new();
        let mut order = 0;
        while let Some(found) = asking.next().await {
            let (from, calls) = found?;
            for call in calls {
                let place = call.item.location;
                if seen.insert((from.clone(), place.clone())) {
                    let callee = Callee { from: from.clone(), name: call.item.name, place: place.clone() };
                    callees.insert((order, place), callee);
                }
            }
            order += 1;
        }
        Ok(callees.into_values().collect())
    }
}
