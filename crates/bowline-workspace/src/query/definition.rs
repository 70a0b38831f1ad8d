//! Where the thing under the cursor is defined: as its language server knows, or as far as names and scopes can tell.

use std::path::Path;
use std::sync::Arc;

use bowline_code::{Location, Position};
use bowline_lsp::{Asker, Goal, Life, LspError, Readiness, Shown};
use bowline_syntax::{Language, Name, Role};

use super::narrow::{Cursor, narrow};
use super::served::{Inquiry, Reach, either};
use super::{Definition, Found};
use crate::{Document, Patience, SymbolRow, Workspace, WorkspaceError};

impl Workspace {
    /// Where the name at a position is defined, best first. Without a server it is empty when that is outside the
    /// workspace.
    pub async fn definition(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Definition>>, WorkspaceError> {
        let served = self.serve(path, Some(at), Reach::Leads, patience, DefinitionAt(at)).await?;
        let served = served.map(|places| places.into_iter().map(Definition::from).collect());
        either(served, Vec::is_empty, self.definition_by_name(path, at, patience)).await
    }

    pub(super) async fn definition_by_name(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Definition>>, WorkspaceError> {
        let path = path.to_owned();
        let meaning = self.blocking(patience, move |work| meaning(&work.read(&path)?, at)).await?;
        let (name, cursor) = match meaning {
            Meaning::Here(definition) => return Ok(Found::by_syntax(vec![*definition], true)),
            Meaning::Elsewhere { name, cursor } => (name, cursor),
        };
        let qualifier = match &cursor.role {
            Role::Qualified(qualifier) => Some(qualifier.clone()),
            _ => None,
        };
        let question = move |store: &dyn crate::IndexStore| {
            let around = qualifier.as_deref().map(|qualifier| store.named(qualifier)).transpose()?;
            Ok((store.named(&name)?, around.unwrap_or_default()))
        };
        let ((candidates, around), indexed) = self.ask(patience, question).await?;
        let speaks = |row: &SymbolRow| {
            Language::of_path(&row.0).is_some_and(|other| cursor.language.same_names(other))
        };
        let candidates = candidates.into_iter().filter(speaks).collect();
        let qualifier_known = around.iter().any(speaks);
        let definitions = narrow(&cursor, candidates, qualifier_known);
        Ok(Found::by_syntax(definitions.into_iter().map(Definition::from).collect(), indexed))
    }
}

/// Asks a server where something is defined.
struct DefinitionAt(Position);

impl Inquiry for DefinitionAt {
    type Answer = Vec<Location>;

    async fn put(
        &self,
        life: &Arc<Life>,
        shown: &Shown,
        asker: Asker<'_>,
    ) -> Result<Vec<Location>, LspError> {
        let found = life.go_to(Goal::Definition, shown, self.0, asker).await?;
        if !found.is_empty() || life.readiness() == Readiness::Ready {
            return Ok(found);
        }
        // It may only not have come there yet.
        life.ready(Some(shown)).await;
        life.go_to(Goal::Definition, shown, self.0, asker).await
    }
}

/// What one file alone says about a name in it.
enum Meaning {
    /// It is defined here: a local binding, or the cursor is on a declaration.
    Here(Box<Definition>),
    Elsewhere {
        name: String,
        cursor: Cursor,
    },
}

fn meaning(document: &Document, at: Position) -> Result<Meaning, WorkspaceError> {
    let parsed = document.parsed()?;
    let name = name_at(document, at)?;
    let span = |bytes| parsed.lines().span(parsed.text(), bytes);
    if let Some(local) = parsed.local(&name) {
        let declaration = span(local.declaration);
        return Ok(Meaning::Here(Box::new(Definition {
            name: name.text,
            kind: None,
            container: String::new(),
            location: Location::new(document.path(), declaration),
            range: declaration,
        })));
    }
    let written = span(name.bytes.clone());
    let declares = |symbol: &bowline_code::IndexedSymbol| {
        symbol.selection.start <= written.start && written.end <= symbol.selection.end
    };
    if let Some(symbol) = parsed.flat_symbols().into_iter().find(declares) {
        let row = (document.path().to_owned(), String::new(), symbol);
        return Ok(Meaning::Here(Box::new(row.into())));
    }
    let cursor = Cursor::new(document.path(), parsed.language(), name.role, parsed.text());
    Ok(Meaning::Elsewhere { name: name.text, cursor })
}

/// The name under the cursor.
pub(crate) fn name_at(document: &Document, at: Position) -> Result<Name, WorkspaceError> {
    let offset = document.offset(at)?;
    document.parsed()?.name_at(offset).ok_or_else(|| WorkspaceError::NoNameAt {
        path: document.path().to_owned(),
        at,
        line: bowline_std::text::prefix(document.line(at.line), 200).to_owned(),
    })
}
