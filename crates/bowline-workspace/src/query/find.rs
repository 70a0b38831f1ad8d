//! Symbols by name.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bowline_code::{Engine, Location, Span};
use bowline_syntax::Language;

use super::glance::{self, Sought};
use super::{Definition, Found, SymbolHit, Symbols};
use crate::{Document, Patience, SymbolRow, Workspace, WorkspaceError};

/// When a first look is answered, if the index is not there by then.
const FIRST_ANSWER: Duration = Duration::from_millis(280);

/// So many are put in order together; nobody pages further.
const MOST_MERGED: usize = 5000;

impl Workspace {
    /// Symbols whose name fits the query, best first, one page of them: as the servers of all languages know them, and
    /// by syntax where there is none.
    pub async fn find_symbols(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
        patience: &Patience<'_>,
    ) -> Result<Found<Symbols>, WorkspaceError> {
        let patience = &patience.as_of_now();
        if self.fleet.specs().is_empty() || query.is_empty() {
            return self.symbols_by_syntax(query, limit, offset, patience).await;
        }
        let crew = self.ask_crew(query, patience).await?;
        if crew.asked.is_empty() {
            let found = self.symbols_by_syntax(query, limit, offset, patience).await?;
            return Ok(crew.noted(found));
        }
        let syntax = self.symbols_by_syntax(query, MOST_MERGED, 0, patience).await?;
        let uncovered = syntax.value.total.saturating_sub(syntax.value.hits.len());
        let mut hits: Vec<SymbolHit> = crew.hits();
        let by_server = hits.len();
        let known = Known::new(&hits);
        // Servers that find similar names stop after some of them, and the very name may be among the rest. One place
        // stands for the others where a name is declared in one and defined in another.
        let folded = query.to_lowercase();
        let names: HashSet<String> = hits.iter().map(|hit| hit.symbol.name.clone()).collect();
        let is_meant = |hit: &SymbolHit| {
            let is_declared_apart = matches!(Language::of_path(&hit.path), Some(Language::C | Language::Cpp));
            hit.symbol.name.to_lowercase() == folded
                && !(is_declared_apart && names.contains(&hit.symbol.name))
        };
        let mut is_cut = false;
        let mut is_new = |hit: &SymbolHit| {
            let is_covered = crew.covers(&hit.path);
            let is_new = !known.holds(hit) && (!is_covered || is_meant(hit));
            is_cut |= is_new && !is_covered;
            is_new
        };
        hits.extend(syntax.value.hits.into_iter().filter(|hit| is_new(hit)));
        let by_syntax = hits.len() - by_server;
        rank(&mut hits, query);
        let total = hits.len() + if is_cut { uncovered } else { 0 };
        let engine = if by_server == 0 && by_syntax > 0 { Engine::Syntax } else { Engine::Server };
        let indexed = crew.asked.iter().all(|asked| asked.indexed) && (syntax.indexed || by_syntax == 0);
        let hits = hits.into_iter().skip(offset).take(limit).collect();
        let note = syntax.note.filter(|_| !indexed);
        let found = Found { value: Symbols { hits, total }, engine, indexed, note };
        Ok(crew.noted(found))
    }

    async fn symbols_by_syntax(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
        patience: &Patience<'_>,
    ) -> Result<Found<Symbols>, WorkspaceError> {
        let sought = query.to_owned();
        let asking = self.ask(patience, move |store| store.search(&sought, limit, offset));
        let hit = |(path, language, symbol)| SymbolHit { path, language, symbol };
        let folded = query.to_lowercase();
        match self.unless_cold(asking, Sought::Holding(folded), |rows| !rows.is_empty(), patience).await? {
            Asked::Index(((rows, total), indexed)) => {
                let hits = rows.into_iter().map(hit).collect();
                Ok(Found::by_syntax(Symbols { hits, total }, indexed))
            }
            Asked::Glance(rows) => {
                let mut hits: Vec<SymbolHit> = rows.into_iter().map(hit).collect();
                rank(&mut hits, query);
                let total = hits.len();
                let hits = hits.into_iter().skip(offset).take(limit).collect();
                let found = Found::by_syntax(Symbols { hits, total }, false);
                Ok(Found { note: Some(glance::NOTE.to_owned()), ..found })
            }
        }
    }

    /// Whether a caller with little time asks before there is an index.
    pub(super) fn is_cold(&self, patience: &Patience<'_>) -> bool {
        !patience.is_long() && self.index.last_report().is_none()
    }

    /// What the index says, or before there is one, what a first look finds, where that is something.
    async fn unless_cold<T>(
        &self,
        asking: impl Future<Output = Result<T, WorkspaceError>>,
        sought: Sought,
        is_enough: impl Fn(&[SymbolRow]) -> bool,
        patience: &Patience<'_>,
    ) -> Result<Asked<T>, WorkspaceError> {
        let is_something = match &sought {
            Sought::Named(name) | Sought::Holding(name) => !name.is_empty(),
        };
        if !is_something || !self.is_cold(patience) {
            return asking.await.map(Asked::Index);
        }
        let mut asking = std::pin::pin!(asking);
        let due = tokio::time::Instant::now() + FIRST_ANSWER;
        let looking = self.glance(sought, patience);
        let seen = tokio::select! {
            biased;
            asked = &mut asking => return asked.map(Asked::Index),
            seen = looking => seen?,
        };
        if !is_enough(&seen) {
            return asking.await.map(Asked::Index);
        }
        // The index of a small project is there by then.
        match tokio::time::timeout_at(due, asking).await {
            Ok(asked) => asked.map(Asked::Index),
            Err(_) => Ok(Asked::Glance(seen)),
        }
    }

    /// The definitions that a path of names means: `name`, `Type.method`, `module::Type::method`. Empty when there
    /// are none; never something of another name.
    pub async fn go_to_symbol(
        &self,
        symbol_path: &str,
        language: Option<&str>,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Definition>>, WorkspaceError> {
        let patience = &patience.as_of_now();
        let segments = segments(symbol_path);
        let Some((name, qualifiers)) = segments.split_last() else {
            return Ok(Found::by_syntax(Vec::new(), true));
        };
        let known = language.is_none_or(|id| {
            let is_spoken =
                |spec: &Arc<bowline_lsp::ServerSpec>| spec.languages.iter().any(|spoken| spoken.id == id);
            Language::from_id(id).is_some() || self.fleet.specs().iter().any(is_spoken)
        });
        if let Some(id) = language.filter(|_| !known) {
            return Err(WorkspaceError::UnknownLanguageId { id: id.to_owned() });
        }
        let crew = self.ask_crew(name, patience).await?;
        let speaks = |path: &Path, id: &str| match (Language::from_id(id), Language::of_path(path)) {
            (Some(wanted), Some(other)) => wanted.same_names(other),
            _ => self
                .fleet
                .specs()
                .iter()
                .any(|spec| spec.language_of(path).is_some_and(|spoken| spoken.id == id)),
        };
        let speaks = |path: &Path| language.is_none_or(|id| speaks(path, id));
        let sought = name.clone();
        let asking = self.ask(patience, move |store| store.named(&sought));
        let is_meant = |row: &SymbolRow| speaks(&row.0) && qualifies(&row.0, &row.2.container, qualifiers);
        let is_enough = |rows: &[SymbolRow]| rows.iter().any(is_meant);
        let (rows, indexed, note) =
            match self.unless_cold(asking, Sought::Named(name.clone()), is_enough, patience).await? {
                Asked::Index((rows, indexed)) => (rows, indexed, None),
                Asked::Glance(rows) => (rows, false, Some(glance::NOTE.to_owned())),
            };
        let mut definitions: Vec<Definition> =
            rows.into_iter().filter(is_meant).map(Definition::from).collect();
        // What the grammar finds stands on the very name. What only a server knows is added: made by macros, or in a
        // language without a grammar.
        let fits = |hit: &SymbolHit| {
            hit.symbol.name == *name
                && speaks(&hit.path)
                && qualifies(&hit.path, &hit.symbol.container, qualifiers)
        };
        let by_server: Vec<SymbolHit> = crew.hits().into_iter().filter(fits).collect();
        let known: Vec<(PathBuf, Span)> =
            definitions.iter().map(|found| (found.location.file.clone(), found.range)).collect();
        let is_known = |hit: &SymbolHit| {
            let line = hit.symbol.selection.start.line;
            known
                .iter()
                .any(|(path, range)| *path == hit.path && (range.start.line..=range.end.line).contains(&line))
        };
        let agrees = by_server.iter().any(&is_known);
        for hit in by_server.into_iter().filter(|hit| !is_known(hit)) {
            definitions.push(self.pinned(hit, patience).await);
        }
        definitions.sort_by(|left, right| left.location.cmp(&right.location));
        definitions.dedup_by(|later, earlier| later.location == earlier.location);
        let engine = if agrees || (definitions.is_empty() && !crew.asked.is_empty()) {
            Engine::Server
        } else {
            Engine::Syntax
        };
        let indexed = indexed && crew.asked.iter().all(|asked| asked.indexed);
        Ok(crew.noted(Found { value: definitions, engine, indexed, note }))
    }

    /// The place of the very name. Servers often give that of the whole symbol.
    async fn pinned(&self, hit: SymbolHit, patience: &Patience<'_>) -> Definition {
        let name = hit.symbol.name.clone();
        let (path, span) = (hit.path.clone(), hit.symbol.selection);
        let pinned = self.reading(patience, move |work| Ok(pin(&work.read(&path)?, &name, span))).await;
        let mut definition = Definition::from((hit.path, hit.language, hit.symbol));
        if let Ok(Some(span)) = pinned {
            definition.location = Location::new(definition.location.file, span);
        }
        definition
    }
}

/// Who answered.
enum Asked<T> {
    Index(T),
    /// A first look, without the index.
    Glance(Vec<SymbolRow>),
}

/// Where symbols of a name are known already. Servers often give the place of the whole symbol.
struct Known(HashMap<(PathBuf, String), Vec<Span>>);

impl Known {
    fn new(hits: &[SymbolHit]) -> Self {
        let mut known: HashMap<(PathBuf, String), Vec<Span>> = HashMap::new();
        for hit in hits {
            known.entry((hit.path.clone(), hit.symbol.name.clone())).or_default().push(hit.symbol.range);
        }
        Self(known)
    }

    fn holds(&self, hit: &SymbolHit) -> bool {
        let line = hit.symbol.selection.start.line;
        let known = self.0.get(&(hit.path.clone(), hit.symbol.name.clone()));
        known.is_some_and(|spans| spans.iter().any(|span| (span.start.line..=span.end.line).contains(&line)))
    }
}

/// The first time that a name stands as a word within a span.
fn pin(document: &Document, name: &str, within: Span) -> Option<Span> {
    let (start, end) = (document.offset(within.start).ok()?, document.offset(within.end).ok()?);
    let text = document.text();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let stands_alone = |at: &usize| {
        let before = text[..*at].chars().next_back().is_some_and(is_word);
        let after = text[at + name.len()..].chars().next().is_some_and(is_word);
        !before && !after
    };
    let at = text.get(start..end)?.match_indices(name).map(|(at, _)| start + at).find(stands_alone)?;
    Some(document.lines().span(text, at..at + name.len()))
}

/// The very name first, then in other case, its beginning, its middle, its letters in order; then by name, path, line.
/// Each once: servers of neighbouring projects often know the same symbol.
fn rank(hits: &mut Vec<SymbolHit>, query: &str) {
    let folded = query.to_lowercase();
    hits.sort_by_cached_key(|hit| {
        let name = &hit.symbol.name;
        let lower = name.to_lowercase();
        let rank = if name == query {
            0
        } else if lower == folded {
            1
        } else if lower.starts_with(&folded) {
            2
        } else if lower.contains(&folded) {
            3
        } else {
            4
        };
        (rank, name.clone(), hit.path.clone(), hit.symbol.selection)
    });
    hits.dedup_by(|later, earlier| {
        later.path == earlier.path
            && later.symbol.name == earlier.symbol.name
            && later.symbol.selection == earlier.symbol.selection
    });
}

/// The names of a path, however the language joins them. `(*T).M()` is Go for `T.M`.
pub(super) fn segments(path: &str) -> Vec<String> {
    let mut segments: Vec<String> = path
        .split(['.', ':', '\\', '#', '/'])
        .map(|segment| segment.trim_matches(|c: char| "()*&".contains(c) || c.is_whitespace()))
        .filter(|segment| !segment.is_empty())
        .map(str::to_owned)
        .collect();
    // Where the names begin, not names.
    let starts = segments.iter().take_while(|segment| matches!(segment.as_str(), "crate" | "self" | "super"));
    segments.drain(..starts.count());
    segments
}

/// Whether the names around a symbol end with the qualifiers. The outermost may be its file and directories,
/// which are modules in most languages.
fn qualifies(path: &Path, container: &str, qualifiers: &[String]) -> bool {
    let inside: Vec<&str> = container.split('.').filter(|segment| !segment.is_empty()).collect();
    let qualifiers: Vec<&str> = qualifiers.iter().map(String::as_str).collect();
    if qualifiers.len() <= inside.len() {
        return inside.ends_with(&qualifiers);
    }
    let (outer, inner) = qualifiers.split_at(qualifiers.len() - inside.len());
    if inner != inside {
        return false;
    }
    let directories: Vec<&str> = path
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .filter_map(|part| part.as_os_str().to_str())
        .collect();
    let mut modules = directories.clone();
    modules.extend(path.file_stem().and_then(|stem| stem.to_str()));
    directories.ends_with(outer) || modules.ends_with(outer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_servers_know_is_listed_once() {
        use bowline_code::{IndexedSymbol, Position, SymbolKind};
        let hit = |path: &str, line: u32| {
            let span = Span::new(Position::new(line, 1), Position::new(line, 5));
            let (name, container) = ("name".to_owned(), String::new());
            let symbol =
                IndexedSymbol { name, kind: SymbolKind::Function, container, range: span, selection: span };
            SymbolHit { path: path.into(), language: "go".to_owned(), symbol }
        };
        let mut hits = vec![hit("/a", 2), hit("/b", 1), hit("/a", 1), hit("/a", 2)];
        rank(&mut hits, "name");
        assert_eq!(hits, [hit("/a", 1), hit("/a", 2), hit("/b", 1)]);
    }

    #[test]
    fn takes_paths_apart_as_languages_write_them() {
        for path in ["a.b.C", "a::b::C", "crate::a::b::C", r"\a\b\C", "a/b#C", "(*a).b.C()"] {
            assert_eq!(segments(path), ["a", "b", "C"], "{path}");
        }
        assert_eq!(segments(" . "), [""; 0]);
    }

    #[test]
    fn outer_qualifiers_may_be_modules() {
        let fits = |container, qualifiers: &str| {
            qualifies(Path::new("/w/shop/cart.rs"), container, &segments(qualifiers))
        };
        assert!(fits("Cart", "Cart") && fits("Cart", "cart::Cart") && fits("Cart", "shop.cart.Cart"));
        assert!(fits("", "shop") && fits("", "cart") && fits("Cart", "shop.Cart"));
        assert!(!fits("Cart", "Basket") && !fits("Cart", "art") && !fits("", "Cart"));
    }
}
