//! Diagnostics straight from tsserver: typescript-language-server passes requests on, and these answer for the text
//! as it is.

use std::sync::Arc;

use bowline_code::{Diagnostic, Position, Severity, Span};
use serde::Deserialize;
use serde_json::json;

use super::diagnose::{Diagnosed, Evidence, Of};
use super::requests::Asker;
use super::{Life, value};
use crate::{Fault, LspError, Shown};

const COMMAND: &str = "typescript.tsserverRequest";
/// What the compiler says of the syntax, of the types, and what it would do otherwise.
const QUESTIONS: [&str; 3] =
    ["syntacticDiagnosticsSync", "semanticDiagnosticsSync", "suggestionDiagnosticsSync"];
/// How many of them are put about a draft: suggestions are neither errors nor warnings.
const ABOUT_DRAFTS: usize = 2;

#[derive(Deserialize)]
struct Found {
    message: String,
    #[serde(rename = "startLocation")]
    start: Place,
    #[serde(rename = "endLocation")]
    end: Place,
    category: String,
    #[serde(default)]
    code: Option<i64>,
}

/// From 1, in UTF-16 units, as we count.
#[derive(Deserialize)]
struct Place {
    line: u32,
    offset: u32,
}

impl Life {
    /// `None`: this server does not pass requests on.
    pub(super) async fn ask_tsserver(
        self: &Arc<Self>,
        of: Of,
        shown: &Shown,
        asker: Asker<'_>,
    ) -> Option<Result<Diagnosed, LspError>> {
        if !self.passes_on_to_tsserver() {
            return None;
        }
        Some(self.diagnose_by_tsserver(of, shown, asker).await)
    }

    pub(super) fn passes_on_to_tsserver(&self) -> bool {
        let commands = self.capabilities.raw().pointer("/executeCommandProvider/commands");
        let commands = commands.and_then(serde_json::Value::as_array);
        commands.is_some_and(|commands| commands.iter().any(|command| command == COMMAND))
    }

    async fn diagnose_by_tsserver(
        self: &Arc<Self>,
        of: Of,
        shown: &Shown,
        asker: Asker<'_>,
    ) -> Result<Diagnosed, LspError> {
        let method = "workspace/executeCommand";
        let mut diagnostics = Vec::new();
        let questions = if of == Of::Draft { &QUESTIONS[..ABOUT_DRAFTS] } else { &QUESTIONS[..] };
        for question in questions {
            let arguments = json!([question, {"file": shown.path, "includeLinePosition": true}]);
            let params = json!({"command": COMMAND, "arguments": arguments});
            let answer = value(&self.ask(method, params, self.limits().request, asker.stop).await?);
            let strange = |reason: &str| {
                Fault::Strange { method, reason: format!("{question}: {reason}") }.of(self.name())
            };
            if answer["success"] != true {
                return Err(strange(answer["message"].as_str().unwrap_or("no success")));
            }
            let body = answer["body"].as_array().ok_or_else(|| strange("no list"))?;
            let found: Result<Vec<Found>, _> = body.iter().map(Found::deserialize).collect();
            diagnostics.extend(
                found.map_err(|error| strange(&error.to_string()))?.into_iter().map(Diagnostic::from),
            );
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        Ok(Diagnosed { path: shown.path.clone(), diagnostics, evidence: Evidence::Pulled })
    }
}

impl From<Found> for Diagnostic {
    fn from(found: Found) -> Self {
        let at = |place: &Place| Position::new(place.line, place.offset);
        Self {
            span: Span::new(at(&found.start), at(&found.end)),
            severity: match found.category.as_str() {
                "warning" => Severity::Warning,
                "suggestion" => Severity::Hint,
                "message" => Severity::Information,
                _ => Severity::Error,
            },
            code: found.code.map(|code| code.to_string()),
            source: Some("typescript".to_owned()),
            message: found.message,
            related: Vec::new(),
        }
    }
}
