//! What a server says about stretches of a text: highlights, hints, tokens, and what fits at the cursor.

use std::sync::Arc;

use bowline_code::{Position, Span};
use serde_json::{Value, json};

use super::super::{Life, about};
use super::Asker;
use crate::answers::{Completions, Highlight, InlayHint, Legend, Token};
use crate::{LspError, Shown};

impl Life {
    /// Where the name at a position stands in its own file.
    pub async fn highlights(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Vec<Highlight>, LspError> {
        let method = "textDocument/documentHighlight";
        let params = self.place(shown, at);
        let bound = self.limits().highlight;
        let answer = self.question(method, "highlights", shown, params, bound, asker).await?;
        self.read(method, asker, |reader| reader.highlights(&shown.path, &answer))
    }

    /// What an editor would write between the words of a text.
    pub async fn inlay_hints(
        self: &Arc<Self>,
        shown: &Shown,
        within: Span,
        asker: Asker<'_>,
    ) -> Result<Vec<InlayHint>, LspError> {
        let method = "textDocument/inlayHint";
        let params = json!({"textDocument": about(shown), "range": self.range(shown, within)});
        let bound = self.limits().request;
        let answer = self.question(method, "inlay hints", shown, params, bound, asker).await?;
        self.read(method, asker, |reader| reader.inlay_hints(&shown.path, &answer))
    }

    /// What the words of a text are. Those that only touch the stretch are not in it.
    pub async fn semantic_tokens(
        self: &Arc<Self>,
        shown: &Shown,
        within: Span,
        asker: Asker<'_>,
    ) -> Result<Vec<Token>, LspError> {
        let method = "textDocument/semanticTokens";
        let options = self.semantic_tokens_options();
        let legend = Legend::new(&options["legend"]);
        let by_range = matches!(&options["range"], Value::Bool(true) | Value::Object(_));
        let (asked, params) = if by_range {
            let range = self.range(shown, within);
            ("textDocument/semanticTokens/range", json!({"textDocument": about(shown), "range": range}))
        } else {
            ("textDocument/semanticTokens/full", json!({"textDocument": about(shown)}))
        };
        if !self.supports(method, Some((&shown.path, &shown.language))) {
            return Err(crate::Fault::Unsupported { what: "semantic tokens" }.of(self.name()));
        }
        let answer = self.ask(asked, params, self.limits().request, asker.stop).await?;
        let mut tokens = self.read(method, asker, |reader| reader.tokens(&shown.path, &answer, &legend))?;
        tokens.retain(|token| token.span.start >= within.start && token.span.end <= within.end);
        Ok(tokens)
    }

    /// Said in the handshake, or when it was registered.
    fn semantic_tokens_options(&self) -> Value {
        let offered = self.capabilities.raw().get("semanticTokensProvider").filter(|offer| offer.is_object());
        offered.cloned().or_else(|| self.board.options_of("textDocument/semanticTokens")).unwrap_or_default()
    }

    /// What could be written at a position.
    pub async fn completions(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Completions, LspError> {
        let method = "textDocument/completion";
        let mut params = self.place(shown, at);
        params["context"] = json!({"triggerKind": 1});
        let bound = self.limits().request;
        let answer = self.question(method, "completions", shown, params, bound, asker).await?;
        self.read(method, asker, |reader| reader.completions(&shown.path, &answer))
    }

    /// The signatures of the call around a position, as the server wrote them.
    pub async fn signature_help(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Option<Value>, LspError> {
        let method = "textDocument/signatureHelp";
        let mut params = self.place(shown, at);
        params["context"] = json!({"triggerKind": 1, "isRetrigger": false});
        let bound = self.limits().request;
        let answer = self.question(method, "signatures", shown, params, bound, asker).await?;
        let help = super::super::value(&answer);
        let is_empty = help["signatures"].as_array().is_none_or(Vec::is_empty);
        Ok((!is_empty).then_some(help))
    }
}
