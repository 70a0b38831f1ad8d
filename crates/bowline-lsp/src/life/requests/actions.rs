//! Edits that a server proposes. Nothing is applied here: they are handed on as the server wrote them.

use std::sync::Arc;

use bowline_code::{Diagnostic, Position, Span};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::diagnose::Of;
use super::super::{Life, about, value};
use super::Asker;
use crate::answers::{Renamable, elements};
use crate::{Fault, LspError, Shown};

/// How a text is to be laid out, where its formatter asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formatting {
    pub tab_size: u32,
    pub insert_spaces: bool,
}

/// So many actions are asked for their edits, so many of them at once. Nobody reads more.
const MOST_RESOLVED: usize = 200;
const AT_ONCE: usize = 8;

impl Life {
    /// What the server would do about a stretch of text, and what is wrong there.
    pub async fn code_actions(
        self: &Arc<Self>,
        shown: &Shown,
        within: Span,
        asker: Asker<'_>,
    ) -> Result<Vec<Value>, LspError> {
        self.actions_for(Of::Disk, shown, within, asker).await
    }

    /// The same for a document of which a draft is shown.
    pub async fn code_actions_in_draft(
        self: &Arc<Self>,
        shown: &Shown,
        within: Span,
        asker: Asker<'_>,
    ) -> Result<Vec<Value>, LspError> {
        self.actions_for(Of::Draft, shown, within, asker).await
    }

    async fn actions_for(
        self: &Arc<Self>,
        of: Of,
        shown: &Shown,
        within: Span,
        asker: Asker<'_>,
    ) -> Result<Vec<Value>, LspError> {
        let method = "textDocument/codeAction";
        if !self.supports(method, Some((&shown.path, &shown.language))) {
            return Err(Fault::Unsupported { what: "code actions" }.of(self.name()));
        }
        let diagnostics = self.diagnostics_as_sent(of, shown, within, asker).await?;
        let params = json!({
            "textDocument": about(shown),
            "range": self.range(shown, within),
            "context": {"diagnostics": diagnostics, "triggerKind": 1},
        });
        let answer =
            self.question(method, "code actions", shown, params, self.limits().request, asker).await?;
        let mut actions = self.read(method, asker, |reader| reader.actions(&answer))?;
        if of == Of::Draft && self.quirks().checks_on_save.is_some() {
            // Those that come with their edit are the compiler's, for the text that is on disk.
            actions.retain(|action| action.get("edit").is_none());
        }
        let mut actions = self.resolved(actions, asker).await?;
        self.read(method, asker, |reader| {
            reader.recount_actions(&mut actions);
            Ok(actions)
        })
    }

    /// The actions with their edits, where the server gives those only when it is asked again. One that it cannot make
    /// after all is marked as disabled, with its reason.
    async fn resolved(
        self: &Arc<Self>,
        actions: Vec<Value>,
        asker: Asker<'_>,
    ) -> Result<Vec<Value>, LspError> {
        let method = "codeAction/resolve";
        let offer = self.capabilities.raw().pointer("/codeActionProvider/resolveProvider");
        let registered = || self.board.options_of("textDocument/codeAction");
        let resolves = offer.and_then(Value::as_bool).unwrap_or(false)
            || registered().is_some_and(|options| options["resolveProvider"] == true);
        if !resolves {
            return Ok(actions);
        }
        let resolve = |(index, action): (usize, Value)| async move {
            let is_whole = action.get("edit").is_some_and(|edit| !edit.is_null());
            // A command that carries no data has nothing more to say.
            let is_command = action.get("command").is_some() && action.get("data").is_none();
            if is_whole || is_command || action.get("disabled").is_some() || index >= MOST_RESOLVED {
                return Ok(action);
            }
            match self.ask(method, action.clone(), self.limits().request, asker.stop).await {
                Ok(answer) => match value(&answer) {
                    resolved @ Value::Object(_) => Ok(resolved),
                    _ => Ok(action),
                },
                Err(error) if matches!(error.fault, Fault::Refused { .. }) => {
                    Ok(if action.get("command").is_some() { action } else { disabled(action, &error) })
                }
                Err(error) => Err(error),
            }
        };
        let resolving = stream::iter(actions.into_iter().enumerate().map(resolve)).buffered(AT_ONCE);
        resolving.try_collect().await
    }

    /// What is wrong within a stretch of text, in the server's own words: it knows its findings again by them.
    async fn diagnostics_as_sent(
        self: &Arc<Self>,
        of: Of,
        shown: &Shown,
        within: Span,
        asker: Asker<'_>,
    ) -> Result<Vec<Value>, LspError> {
        let fresh = self.diagnose_text(of, shown, asker).await?;
        let mut lists: Vec<Arc<RawValue>> = Vec::new();
        if self.pulls(shown) {
            #[derive(Deserialize)]
            struct Report {
                items: Option<Box<RawValue>>,
            }
            let params = json!({"textDocument": about(shown)});
            let answer =
                self.ask("textDocument/diagnostic", params, self.limits().request, asker.stop).await?;
            let report: Option<Report> = serde_json::from_str(answer.get()).ok();
            lists.extend(report.and_then(|report| report.items).map(Arc::from));
        }
        if !self.pulls(shown) || (self.quirks().checks_on_save.is_some() && of == Of::Disk) {
            lists.extend(self.board.published(&shown.path).map(|published| published.diagnostics));
        }
        if self.quirks().asks_tsserver {
            let here = fresh.diagnostics.iter().filter(|found| touch(found.span, within));
            return Ok(here.map(|found| self.reworded(shown, found)).collect());
        }
        self.read("textDocument/codeAction", asker, |reader| {
            let mut here = Vec::new();
            for list in &lists {
                for element in elements(list)? {
                    let found: Value = serde_json::from_str(element.get()).unwrap_or_default();
                    let range = lsp_types::Range::deserialize(&found["range"]);
                    if range.is_ok_and(|range| touch(reader.span(&shown.path, &range), within)) {
                        here.push(found);
                    }
                }
            }
            Ok(here)
        })
    }

    /// What tsserver said, as its server would have published it.
    fn reworded(&self, shown: &Shown, found: &Diagnostic) -> Value {
        let code = found.code.as_deref();
        json!({
            "range": self.range(shown, found.span),
            "severity": found.severity.number(),
            "code": code.map(|code| code.parse::<i64>().map_or_else(|_| json!(code), |number| json!(number))),
            "source": found.source,
            "message": found.message,
        })
    }

    /// The edits that lay a text out, or a stretch of it.
    pub async fn format(
        self: &Arc<Self>,
        shown: &Shown,
        within: Option<Span>,
        how: Formatting,
        asker: Asker<'_>,
    ) -> Result<Vec<Value>, LspError> {
        let options = json!({"tabSize": how.tab_size, "insertSpaces": how.insert_spaces});
        let mut params = json!({"textDocument": about(shown), "options": options});
        let (method, what) = match within {
            None => ("textDocument/formatting", "formatting"),
            Some(span) => {
                params["range"] = self.range(shown, span);
                ("textDocument/rangeFormatting", "formatting of parts")
            }
        };
        let answer = self.question(method, what, shown, params, self.limits().request, asker).await?;
        self.read(method, asker, |reader| reader.edits(&shown.path, &answer))
    }

    /// What renames the name at a position, everywhere, as the server wrote it.
    pub async fn rename(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        new_name: &str,
        asker: Asker<'_>,
    ) -> Result<Value, LspError> {
        let method = "textDocument/rename";
        let mut params = self.place(shown, at);
        params["newName"] = json!(new_name);
        let answer = self.question(method, "renames", shown, params, self.limits().references, asker).await?;
        self.read(method, asker, |reader| reader.workspace_edit(&answer))
    }

    /// What would be renamed at a position. `None`: nothing can be.
    pub async fn prepare_rename(
        self: &Arc<Self>,
        shown: &Shown,
        at: Position,
        asker: Asker<'_>,
    ) -> Result<Option<Renamable>, LspError> {
        let offer = self.capabilities.raw().pointer("/renameProvider/prepareProvider");
        let registered = || self.board.options_of("textDocument/rename");
        let prepares = offer.and_then(Value::as_bool).unwrap_or(false)
            || registered().is_some_and(|options| options["prepareProvider"] == true);
        if !prepares {
            return Err(Fault::Unsupported { what: "checking of renames" }.of(self.name()));
        }
        let method = "textDocument/prepareRename";
        let answer = self.ask(method, self.place(shown, at), self.limits().request, asker.stop).await?;
        self.read(method, asker, |reader| reader.renamable(shown, at, &answer))
    }
}

fn disabled(mut action: Value, error: &LspError) -> Value {
    action["disabled"] = json!({"reason": error.to_string()});
    action
}

fn touch(found: Span, within: Span) -> bool {
    found.start <= within.end && within.start <= found.end
}
