//! Questions about one file: what is in it, and what is here.

use std::path::Path;
use std::sync::Arc;

use bowline_code::{Position, Symbol};
use bowline_lsp::{Asker, Life, LspError, Shown, Was};

use super::served::{Inquiry, Reach, Served, either};
use super::{Found, Outline, SymbolSource};
use crate::{Document, Patience, Workspace, WorkspaceError};

impl Workspace {
    /// The symbols of one file, as a tree.
    pub async fn outline(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Found<Outline>, WorkspaceError> {
        if let Some(starting) = self.start_unless_patient(path, patience)
            && let Ok(outline) = self.outline_by_syntax(path, patience).await
        {
            return Ok(Found {
                note: Some(format!("answered by syntax while `{starting}` starts")),
                ..outline
            });
        }
        let served = self.serve(path, None, Reach::File, patience, OutlineOf).await?;
        // One file is all that this depends on.
        let served = match served {
            Served::Answer { value, .. } => {
                // Nothing at all is worth a second look.
                let indexed = !value.symbols.is_empty();
                Served::Answer { value, indexed }
            }
            other => other,
        };
        either(served, |outline| outline.symbols.is_empty(), self.outline_by_syntax(path, patience)).await
    }

    /// Starts the server of a file in the background where it does not run yet and the caller cannot wait for it.
    fn start_unless_patient(&self, path: &Path, patience: &Patience<'_>) -> Option<String> {
        if patience.is_long() {
            return None;
        }
        let server = self.fleet.of_file(&self.resolve(path).ok()?, &self.shared.roots)?.server;
        if server.current().is_some() || server.program().is_err() || server.status().state == Was::Failed {
            return None;
        }
        let name = server.name().to_owned();
        self.fleet.warm_up(&self.shared, server);
        Some(name)
    }

    async fn outline_by_syntax(
        &self,
        path: &Path,
        patience: &Patience<'_>,
    ) -> Result<Found<Outline>, WorkspaceError> {
        let path = path.to_owned();
        self.reading(patience, move |work| {
            let document = work.read(&path)?;
            let parsed = document.parsed()?;
            let outline = Outline {
                path: document.path().to_owned(),
                language: parsed.language().id().to_owned(),
                symbols: parsed.symbols(),
                has_error: parsed.has_error(),
                bytes: document.text().len(),
            };
            Ok(Found::by_syntax(outline, true))
        })
        .await
    }

    /// The innermost symbol around a position, with its lines. A cursor in the indentation of a line means what
    /// the line begins with.
    pub async fn symbol_at(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<SymbolSource>, WorkspaceError> {
        let path = path.to_owned();
        self.reading(patience, move |work| symbol_at(&work.read(&path)?, at)).await
    }
}

/// Asks a server for the symbols of a file.
struct OutlineOf;

impl Inquiry for OutlineOf {
    type Answer = Outline;

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<Outline, LspError> {
        Ok(Outline {
            symbols: life.symbols(shown, asker).await?,
            path: shown.path.clone(),
            language: shown.language.clone(),
            has_error: false,
            bytes: shown.text.len(),
        })
    }
}

fn symbol_at(document: &Document, at: Position) -> Result<Found<SymbolSource>, WorkspaceError> {
    let symbols = document.parsed()?.symbols();
    document.offset(at)?;
    let line = document.line(at.line);
    // Indentation is ASCII, so bytes are columns here.
    let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
    let first = u32::try_from(indentation + 1).unwrap_or(u32::MAX);
    let meant = Position::new(at.line, at.column.max(first));
    let Some((symbol, mut around)) = Symbol::innermost(&symbols, meant) else {
        let path = document.path().to_owned();
        return Err(WorkspaceError::NoSymbolAt { path, at });
    };
    around.pop();
    let start_line = symbol.range.start.line;
    // A range that ends where a line begins does not hold that line.
    let ends_before = symbol.range.end.column == 1 && symbol.range.end.line > start_line;
    let end_line = symbol.range.end.line - u32::from(ends_before);
    let source = SymbolSource {
        path: document.path().to_owned(),
        container: around.into_iter().map(str::to_owned).collect(),
        start_line,
        end_line,
        source: lines(document, start_line, end_line).to_owned(),
        bytes: document.text().len(),
        symbol: symbol.clone(),
    };
    Ok(Found::by_syntax(source, true))
}

fn lines(document: &Document, first: u32, last: u32) -> &str {
    let bytes = |line| document.lines().line_bytes(document.text(), line);
    let (Some(first), Some(last)) = (bytes(first), bytes(last)) else {
        return "";
    };
    document.text().get(first.start..last.end).unwrap_or_default()
}
