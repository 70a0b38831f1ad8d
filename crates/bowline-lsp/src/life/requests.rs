//! The questions that a server can be asked, and their answers in our words.

mod actions;
mod commands;
mod hierarchy;
mod reading;

use std::sync::Arc;
use std::time::Duration;

use bowline_code::{Encoding, Location, Position, Span, Symbol};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Life, about};
use crate::answers::{FoundSymbol, Hover, Lender, Reader};
use crate::documents::on_the_wire;
use crate::{Fault, LspError, Shown};

pub use actions::Formatting;
pub use commands::{About, Editor};
pub use hierarchy::Direction;

/// Where to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    Definition,
    Declaration,
    TypeDefinition,
    Implementation,
}

impl Goal {
    fn method(self) -> &'static str {
        match self {
            Self::Definition => "textDocument/definition",
            Self::Declaration => "textDocument/declaration",
            Self::TypeDefinition => "textDocument/typeDefinition",
            Self::Implementation => "textDocument/implementation",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Definition => "definitions",
            Self::Declaration => "declarations",
            Self::TypeDefinition => "type definitions",
            Self::Implementation => "implementations",
        }
    }
}

/// What every question takes along.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    /// Lends texts that the answer speaks of.
    pub lender: &'a dyn Lender,
    /// Ends when the answer is no longer wanted.
    pub stop: &'a CancellationToken,
}

impl Life {
    /// Where the name at a position leads.
    pub async fn go_to(
        self: &Arc<Self>,
        goal: Goal,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Vec<Location>, LspError> {
        let method = goal.method();
        let params = self.place(shown, at);
        let answer = self.question(method, goal.name(), shown, params, self.limits().request, asker).await?;
        self.read(method, asker, |reader| reader.locations(&answer))
    }

    /// Where the name at a position is used.
    pub async fn references(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        include_declaration: bool,
        asker: Asker<'_>,
    ) -> Result<Vec<Location>, LspError> {
        let method = "textDocument/references";
        let mut params = self.place(shown, at);
        params["context"] = json!({"includeDeclaration": include_declaration});
        let answer =
            self.question(method, "references", shown, params, self.limits().references, asker).await?;
        self.read(method, asker, |reader| reader.locations(&answer))
    }

    /// What there is to say about the name at a position.
    pub async fn hover(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Option<Hover>, LspError> {
        let method = "textDocument/hover";
        let params = self.place(shown, at);
        let answer = self.question(method, "hovers", shown, params, self.limits().request, asker).await?;
        self.read(method, asker, |reader| reader.hover(&shown.path, &answer))
    }

    /// The symbols of a document as a tree.
    pub async fn symbols(self: &Arc<Self>, shown: &Shown, asker: Asker<'_>) -> Result<Vec<Symbol>, LspError> {
        let method = "textDocument/documentSymbol";
        let params = json!({"textDocument": about(shown)});
        let answer = self
            .question(method, "symbols of documents", shown, params, self.limits().request, asker)
            .await?;
        self.read(method, asker, |reader| reader.symbols(&shown.path, &answer))
    }

    /// Symbols of the whole workspace whose names fit the query, as the server understands that.
    pub async fn find_symbols(
        self: &Arc<Self>,
        query: &str,
        asker: Asker<'_>,
    ) -> Result<Vec<FoundSymbol>, LspError> {
        let method = "workspace/symbol";
        if !self.supports(method, None) {
            return Err(Fault::Unsupported { what: "symbols of the workspace" }.of(self.name()));
        }
        let answer = self.ask(method, json!({"query": query}), self.limits().request, asker.stop).await?;
        self.read(method, asker, |reader| reader.found_symbols(&answer))
    }

    async fn question(
        self: &Arc<Self>,
        method: &'static str,
        what: &'static str,
        shown: &Shown,
        params: Value,
        bound: Duration,
        asker: Asker<'_>,
    ) -> Result<Arc<RawValue>, LspError> {
        if !self.supports(method, Some((&shown.path, &shown.language))) {
            return Err(Fault::Unsupported { what }.of(self.name()));
        }
        self.ask(method, params, bound, asker.stop).await
    }

    pub(super) fn read<T>(
        &self,
        method: &'static str,
        asker: Asker<'_>,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, String>,
    ) -> Result<T, LspError> {
        let mut reader = Reader::new(self.capabilities.encoding(), asker.lender);
        let answer = read(&mut reader).map_err(|reason| Fault::Strange { method, reason }.of(self.name()))?;
        if reader.dropped > 0 {
            tracing::warn!(
                server = self.name(),
                method,
                dropped = reader.dropped,
                "parts of an answer made no sense"
            );
        }
        Ok(answer)
    }

    fn place(&self, shown: &Shown, at: Position) -> Value {
        json!({"textDocument": about(shown), "position": self.point(shown, at)})
    }

    /// A position in a document, counted as the server counts. It must exist in the text: whoever asks has checked.
    fn point(&self, shown: &Shown, at: Position) -> Value {
        let encoding = self.capabilities.encoding();
        let at = match encoding {
            Encoding::Utf16 => at,
            other => match shown.lines.offset(&shown.text, at, Encoding::Utf16) {
                Ok(offset) => shown.lines.position(&shown.text, offset, other),
                Err(_) => at,
            },
        };
        on_the_wire(at)
    }

    fn range(&self, shown: &Shown, span: Span) -> Value {
        json!({"start": self.point(shown, span.start), "end": self.point(shown, span.end)})
    }
}
