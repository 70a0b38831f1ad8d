//! What a fake language server is told to be: plain data, so that one script serves both of its forms.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fault::Fault;

/// All that a fake does besides answering by what it knows. Every field may be left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// `serverInfo.name`.
    pub name: String,
    /// `serverInfo.version`.
    pub version: String,
    /// What `initialize` answers. A request whose provider is missing here is answered as an unknown one.
    pub capabilities: Value,
    /// Chosen only if the client offers it; otherwise columns are UTF-16 and the answer does not name a unit.
    pub position_encoding: Option<PositionEncoding>,
    /// Offers diagnostics on request, in the answer to `initialize`.
    pub pull: bool,
    /// Offers diagnostics on request, by a registration after `initialized`.
    pub register_pull: bool,
    /// Globs to be watched, registered after `initialized`.
    pub register_watchers: Vec<String>,
    /// The section of settings that it asks for after `initialized`, and whenever it hears that they have changed. Its
    /// `analysis.include` limits what it sees, and then it logs how many files there are: as pyright does.
    pub reads_settings: Option<String>,
    /// Whether diagnostics are published after each change.
    pub push: Push,
    /// How long each publication waits. It tells of the text as it was when the wait began.
    pub push_delay_ms: u64,
    /// Work that is reported after `initialized`.
    pub progress: Vec<Progress>,
    /// How long every answer waits. It tells of the text as it was when the request came.
    pub answer_delay_ms: u64,
    /// The same for single methods, instead of `answer_delay_ms`.
    pub delays: BTreeMap<String, u64>,
    /// How long `initialize` waits under the fault `slow-initialize`.
    pub initialize_delay_ms: u64,
    /// What it does wrong.
    pub faults: Vec<Fault>,
    /// The file by which `die-once` knows that it has died already; `.fake-ls-died` in the root if not given.
    pub marker: Option<PathBuf>,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            name: "fake-ls".to_owned(),
            version: "1.0".to_owned(),
            capabilities: json!({
                "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
                "hoverProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "documentSymbolProvider": true,
                "workspaceSymbolProvider": true,
                "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
            }),
            position_encoding: None,
            pull: false,
            register_pull: false,
            register_watchers: Vec::new(),
            reads_settings: None,
            push: Push::Versioned,
            push_delay_ms: 0,
            progress: Vec::new(),
            answer_delay_ms: 0,
            delays: BTreeMap::new(),
            initialize_delay_ms: 5000,
            faults: Vec::new(),
            marker: None,
        }
    }
}

impl Script {
    /// An ordinary server, but for this one fault.
    pub fn faulty(fault: Fault) -> Self {
        Self { faults: vec![fault], ..Self::default() }
    }

    /// A server that proposes edits, too.
    pub fn editing() -> Self {
        let mut script = Self::default();
        if let (Value::Object(all), Value::Object(more)) =
            (&mut script.capabilities, super::editing::capabilities())
        {
            all.extend(more);
        }
        script
    }

    pub(crate) fn commands(&self) -> bool {
        self.capabilities["executeCommandProvider"].is_object()
    }

    /// The script as `fake-ls --script` takes it on its command line, without a file.
    pub fn to_argument(&self) -> String {
        json!(self).to_string()
    }

    pub(crate) fn has(&self, fault: &Fault) -> bool {
        self.faults.contains(fault)
    }

    pub(crate) fn delay(&self, method: &str) -> Duration {
        let mut delay = self.delays.get(method).copied().unwrap_or(self.answer_delay_ms);
        if method == "initialize" && self.has(&Fault::SlowInitialize) {
            delay += self.initialize_delay_ms;
        }
        Duration::from_millis(delay)
    }

    /// After how many requests it is to exit.
    pub(crate) fn lifetime(&self) -> Option<u32> {
        self.faults.iter().find_map(|fault| match fault {
            Fault::DieAfter(requests) => Some(*requests),
            _ => None,
        })
    }
}

/// What one column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PositionEncoding {
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "utf-16")]
    Utf16,
    #[serde(rename = "utf-32")]
    Utf32,
}

/// Whether diagnostics come unasked, and whether they name the version that they are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Push {
    Never,
    Versioned,
    Unversioned,
}

/// One piece of work: created, begun, reported `steps` times with `step_ms` before each, ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// A number or a string.
    pub token: Value,
    pub title: String,
    #[serde(default)]
    pub steps: u32,
    #[serde(default)]
    pub step_ms: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_json_with_everything_optional() {
        let script: Script = serde_json::from_str(
            r#"{ "position_encoding": "utf-8", "push": "unversioned", "register_watchers": ["**/*.py"],
                 "progress": [{ "token": 7, "title": "Indexing" }], "delays": { "textDocument/hover": 50 },
                 "faults": ["mute", "die-after:3", "die-on:textDocument/hover"] }"#,
        )
        .unwrap();
        assert_eq!(script.lifetime(), Some(3));
        assert_eq!(script.delay("textDocument/hover"), Duration::from_millis(50));
        assert_eq!(script.name, "fake-ls");
        let again: Script = serde_json::from_str(&script.to_argument()).unwrap();
        assert_eq!(again, script);
    }

    #[test]
    fn a_misspelt_script_is_refused() {
        assert!(serde_json::from_str::<Script>(r#"{ "pushes": "never" }"#).is_err());
        assert!(serde_json::from_str::<Script>(r#"{ "faults": ["muted"] }"#).is_err());
    }
}
