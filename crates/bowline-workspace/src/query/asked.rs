//! Questions that only a language server can answer, about one file.

use std::path::Path;
use std::sync::Arc;

use bowline_code::{Encoding, Location, Position, Span};
use bowline_lsp::{
    About, Asker, Completions, Fault, Formatting, Goal, Highlight, InlayHint, Life, LspError, Readiness,
    Renamable, Shown, Token,
};
use bowline_syntax::Parsed;
use futures_util::future::BoxFuture;
use serde_json::Value;

use super::definition::name_at;
use super::served::{Inquiry, Reach, Served, either};
use super::{Definition, Found};
use crate::{Document, Patience, Workspace, WorkspaceError};

type Asking<T> =
    dyn for<'a> Fn(&'a Arc<Life>, &'a Shown, Asker<'a>) -> BoxFuture<'a, Result<T, LspError>> + Send + Sync;

/// A question as a function. Nothing, from a server that has not seen everything yet, is asked once more.
pub(crate) struct Ask<T> {
    ask: Box<Asking<T>>,
    is_nothing: fn(&T) -> bool,
}

impl<T> Ask<T> {
    pub(crate) fn new(
        is_nothing: fn(&T) -> bool,
        ask: impl for<'a> Fn(&'a Arc<Life>, &'a Shown, Asker<'a>) -> BoxFuture<'a, Result<T, LspError>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self { ask: Box::new(ask), is_nothing }
    }
}

impl<T: Send> Inquiry for Ask<T> {
    type Answer = T;

    async fn put(&self, life: &Arc<Life>, shown: &Shown, asker: Asker<'_>) -> Result<T, LspError> {
        let answer = (self.ask)(life, shown, asker).await?;
        if !(self.is_nothing)(&answer) || life.readiness() == Readiness::Ready {
            return Ok(answer);
        }
        life.ready(Some(shown)).await;
        (self.ask)(life, shown, asker).await
    }
}

impl Workspace {
    /// The server's answer, or why there is none.
    pub(crate) async fn only_served<T: Send>(
        &self,
        path: &Path,
        at: Option<Position>,
        reach: Reach,
        patience: &Patience<'_>,
        inquiry: impl Inquiry<Answer = T>,
    ) -> Result<Found<T>, WorkspaceError> {
        match self.serve(path, at, reach, patience, inquiry).await? {
            Served::Answer { value, indexed } => Ok(Found::by_server(value, indexed)),
            Served::Nobody => Err(self.no_server(path)),
            Served::Without(reason) => Err(reason.into_error()),
        }
    }

    /// Where the name at a position leads. Declarations are looked for by name where no server knows better; types and
    /// implementations are not to be had without one.
    pub async fn go_to(
        &self,
        goal: Goal,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Definition>>, WorkspaceError> {
        let ask = Ask::new(Vec::is_empty, move |life, shown, asker| {
            Box::pin(async move {
                match life.go_to(goal, shown, at, asker).await {
                    // Where a language does not tell the two apart, servers only know of definitions.
                    Err(LspError { fault: Fault::Unsupported { .. }, .. }) if goal == Goal::Declaration => {
                        life.go_to(Goal::Definition, shown, at, asker).await
                    }
                    answer => answer,
                }
            })
        });
        // Implementations may be anywhere.
        let reach = if goal == Goal::Implementation { Reach::Project } else { Reach::Leads };
        if reach == Reach::Project {
            // For files elsewhere, which it is to look at as well.
            self.beyond_each(path, &[at], patience).await?;
        }
        let served = self.serve(path, Some(at), reach, patience, ask).await?;
        let served = served.map(sorted_definitions);
        match goal {
            Goal::Definition | Goal::Declaration => {
                either(served, Vec::is_empty, self.definition_by_name(path, at, patience)).await
            }
            Goal::TypeDefinition | Goal::Implementation => match served {
                Served::Answer { value, indexed } if reach == Reach::Project => {
                    self.qualified(Found::by_server(value, indexed), path, at, patience).await
                }
                Served::Answer { value, indexed } => Ok(Found::by_server(value, indexed)),
                Served::Nobody => Err(self.no_server(path)),
                Served::Without(reason) => Err(reason.into_error()),
            },
        }
    }

    /// Where the name at a position stands in its own file.
    pub async fn highlights(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Highlight>>, WorkspaceError> {
        let ask =
            Ask::new(Vec::is_empty, move |life, shown, asker| Box::pin(life.highlights(shown, at, asker)));
        let served = self.serve(path, Some(at), Reach::File, patience, ask).await?;
        let owned = path.to_owned();
        let by_name = self.reading(patience, move |work| {
            let document = work.read(&owned)?;
            Ok(Found::by_syntax(highlights(&document, at)?, true))
        });
        either(served, Vec::is_empty, by_name).await
    }

    pub async fn completions(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Completions>, WorkspaceError> {
        let ask = Ask::new(
            |found: &Completions| found.items.is_empty(),
            move |life, shown, asker| Box::pin(life.completions(shown, at, asker)),
        );
        self.only_served(path, Some(at), Reach::File, patience, ask).await
    }

    pub async fn signature_help(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Option<Value>>, WorkspaceError> {
        let ask = Ask::new(Option::is_none, move |life, shown, asker| {
            Box::pin(life.signature_help(shown, at, asker))
        });
        self.only_served(path, Some(at), Reach::File, patience, ask).await
    }

    pub async fn inlay_hints(
        &self,
        path: &Path,
        within: Span,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<InlayHint>>, WorkspaceError> {
        let ask = Ask::new(Vec::is_empty, move |life, shown, asker| {
            Box::pin(async move { life.inlay_hints(shown, clamped(shown, within), asker).await })
        });
        self.only_served(path, Some(within.start), Reach::File, patience, ask).await
    }

    pub async fn semantic_tokens(
        &self,
        path: &Path,
        within: Span,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Token>>, WorkspaceError> {
        let ask = Ask::new(Vec::is_empty, move |life, shown, asker| {
            Box::pin(async move { life.semantic_tokens(shown, clamped(shown, within), asker).await })
        });
        self.only_served(path, Some(within.start), Reach::File, patience, ask).await
    }

    /// What a server proposes for a stretch of text: as it wrote it, to be handed back.
    pub async fn code_actions(
        &self,
        path: &Path,
        within: Span,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Value>>, WorkspaceError> {
        let ask = Ask::new(Vec::is_empty, move |life, shown, asker| {
            Box::pin(async move { life.code_actions(shown, clamped(shown, within), asker).await })
        });
        self.only_served(path, Some(within.start), Reach::File, patience, ask).await
    }

    /// The edits that lay a file out, or a stretch of it. Nothing is written.
    pub async fn formatting(
        &self,
        path: &Path,
        within: Option<Span>,
        how: Formatting,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Value>>, WorkspaceError> {
        // A text that is laid out already needs no edit, however ready the server is.
        let ask = Ask::new(
            |_: &Vec<Value>| false,
            move |life, shown, asker| {
                Box::pin(async move {
                    let within = within.map(|span| clamped(shown, span));
                    life.format(shown, within, how, asker).await
                })
            },
        );
        let at = within.map(|span| span.start);
        self.only_served(path, at, Reach::File, patience, ask).await
    }

    /// A request that only one kind of server knows.
    pub async fn special(
        &self,
        method: &'static str,
        path: &Path,
        about: About,
        patience: &Patience<'_>,
    ) -> Result<Found<Value>, WorkspaceError> {
        let ask = Ask::new(Value::is_null, move |life, shown, asker| {
            Box::pin(life.special(method, shown, about, asker))
        });
        let at = match about {
            About::Place(at) => Some(at),
            About::Document => None,
        };
        self.only_served(path, at, Reach::File, patience, ask).await
    }

    /// What would be renamed at a position. `None`: nothing can be.
    pub async fn prepare_rename(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Found<Option<Renamable>>, WorkspaceError> {
        let ask = Ask::new(Option::is_none, move |life, shown, asker| {
            Box::pin(life.prepare_rename(shown, at, asker))
        });
        self.only_served(path, Some(at), Reach::File, patience, ask).await
    }
}

/// As a server found them, each once, in a stable order.
fn sorted_definitions(mut places: Vec<Location>) -> Vec<Definition> {
    places.sort_unstable();
    places.dedup();
    places.into_iter().map(Definition::from).collect()
}

/// The span, or what there is of it: nobody counts the lines of a file before asking about all of it.
pub(crate) fn clamped(shown: &Shown, within: Span) -> Span {
    let end = match shown.lines.offset(&shown.text, within.end, Encoding::Utf16) {
        Ok(_) => within.end,
        Err(_) => {
            let line = within.end.line.min(shown.lines.lines());
            let end = shown.lines.line_bytes(&shown.text, line).map_or(shown.text.len(), |bytes| bytes.end);
            shown.lines.position(&shown.text, end, Encoding::Utf16)
        }
    };
    Span::new(within.start, end.max(within.start))
}

/// Where a name is written in its file: within its scope if it is local, else everywhere.
fn highlights(document: &Document, at: Position) -> Result<Vec<Highlight>, WorkspaceError> {
    /// As text: syntax does not know whether it is read or written.
    const TEXT: u8 = 1;
    const WRITE: u8 = 3;
    let parsed: &Parsed = document.parsed()?;
    let name = name_at(document, at)?;
    let span = |bytes| parsed.lines().span(parsed.text(), bytes);
    let mut found: Vec<Highlight> = match parsed.local(&name) {
        Some(local) => {
            let declared = local.declaration.clone();
            let kind = |bytes: &std::ops::Range<usize>| if *bytes == declared { WRITE } else { TEXT };
            local.uses.into_iter().map(|bytes| Highlight { kind: kind(&bytes), span: span(bytes) }).collect()
        }
        None => parsed
            .occurrences(&name.text)
            .into_iter()
            .filter(|place| !place.local)
            .map(|place| Highlight {
                kind: if place.declares { WRITE } else { TEXT },
                span: span(place.bytes),
            })
            .collect(),
    };
    found.sort_unstable();
    found.dedup();
    Ok(found)
}
