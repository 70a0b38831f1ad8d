//! Everything that is worth knowing about one symbol in one answer.

use std::path::Path;

use bowline_code::{Position, Span};
use bowline_syntax::Language;

use super::callers::Caller;
use super::{Found, SymbolSource};
use crate::{Patience, Workspace, WorkspaceError};

/// How much of the time is spent on asking; the rest is for reading what the uses stand in.
const ASKING: f32 = 0.7;

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

impl Workspace {
    /// What there is to know about the symbol at a position.
    pub async fn explore(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Explored>, WorkspaceError> {
        let patience = &patience.as_of_now();
        // What is left is for reading what the uses stand in.
        let asking = &patience.part(ASKING);
        let (hover, source, references) = futures_util::join!(
            self.hover(path, at, asking),
            self.source_of(path, at, asking),
            self.references(path, at, false, asking),
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
        let (callers, unread) = self.callers_in_any_order(found.value.places, patience).await?;
        missing.extend(not_read(unread));
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
            && (definitions.iter().any(|definition| definition.location.file == found.value.path)
                || is_defined_here(&found.value))
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
}

/// Whether it is a definition of C or C++. Asked there, clangd leads to the prototype.
fn is_defined_here(found: &SymbolSource) -> bool {
    let language = Language::of_path(&found.path);
    matches!(language, Some(Language::C | Language::Cpp)) && found.source.trim_end().ends_with('}')
}

/// What to say of files that were not read.
pub(super) fn not_read(unread: usize) -> Option<String> {
    (unread > 0).then(|| format!("what the uses in {unread} files stand in: there was no time to read them"))
}

pub(super) fn within(span: Span, at: Position) -> bool {
    span.start <= at && at < span.end
}
