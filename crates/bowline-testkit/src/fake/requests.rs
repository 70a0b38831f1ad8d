//! Which request is answered by what, and which are refused.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::answers::{definition, document_symbols, hover, references, workspace_symbols};
use super::diagnostics::{pull, pull_workspace};
use super::editing;
use super::fault::Fault;
use super::odd::spoil;
use super::post::{Answer, Failure};
use super::project::Project;
use super::server::Server;

const LEAK: usize = 10 << 20;

type Answering = fn(&Project, &Value) -> Answer;

/// Each request that the fake can answer, and the capability that offers it.
const OFFERS: [(&str, &str, Answering); 9] = [
    ("textDocument/definition", "definitionProvider", definition),
    ("textDocument/references", "referencesProvider", references),
    ("textDocument/hover", "hoverProvider", hover),
    ("textDocument/documentSymbol", "documentSymbolProvider", document_symbols),
    ("workspace/symbol", "workspaceSymbolProvider", workspace_symbols),
    ("textDocument/rename", "renameProvider", editing::rename),
    ("textDocument/formatting", "documentFormattingProvider", editing::formatting),
    ("textDocument/codeAction", "codeActionProvider", editing::actions),
    ("codeAction/resolve", "codeActionProvider", editing::resolve),
];

/// What the faults remember from one request to the next.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    /// Documents whose first pull was cancelled.
    pulled: BTreeSet<String>,
    said_modified: bool,
    leaked: Vec<Vec<u8>>,
}

impl Server {
    pub(crate) fn answer(&mut self, method: &str, params: &Value, turn: u32) -> Answer {
        if self.script.has(&Fault::Leak) {
            // Written to, or the system would not give it.
            self.remembered.leaked.push(vec![1; LEAK]);
        }
        if self.script.has(&Fault::ContentModified) && !self.remembered.said_modified {
            self.remembered.said_modified = true;
            return Err(Failure::new(Failure::CONTENT_MODIFIED, "content modified"));
        }
        let Some(answering) = self.offered(method) else {
            return Err(Failure::new(Failure::METHOD_NOT_FOUND, format!("method not found: {method}")));
        };
        if self.script.has(&Fault::CancelledPull) && method.ends_with("/diagnostic") {
            let document = params["textDocument"]["uri"].as_str().unwrap_or(method);
            if self.remembered.pulled.insert(document.to_owned()) {
                let cancelled = Failure::new(Failure::SERVER_CANCELLED, "server cancelled the request");
                return Err(Failure { data: Some(json!({ "retriggerRequest": true })), ..cancelled });
            }
        }
        let answer = answering(&self.project, params);
        if let Err(Failure { code: Failure::INVALID_PARAMS, message, .. }) = &answer {
            self.complain(method, message);
        }
        answer.map(|answer| spoil(&self.script, method, params, turn, answer))
    }

    fn offered(&self, method: &str) -> Option<Answering> {
        if self.script.pull || self.script.register_pull {
            match method {
                "textDocument/diagnostic" => return Some(pull),
                "workspace/diagnostic" => return Some(pull_workspace),
                _ => {}
            }
        }
        let (_, capability, answering) = OFFERS.into_iter().find(|(name, ..)| *name == method)?;
        let offer = &self.script.capabilities[capability];
        (!offer.is_null() && offer != false).then_some(answering)
    }
}
