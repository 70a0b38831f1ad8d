//! `detect_lsp_servers`: which languages a directory holds, and which language servers there are for them.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use bowline_workspace::servers::{Installed, KnownServer, NotInstalled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explain::explain;
use crate::patience::{patience, reporter};

/// The languages of a directory and the language servers installed for them.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DetectLspServersArgs {
    pub workspace_dir: PathBuf,
}

#[derive(Debug, Serialize)]
pub struct DetectLspServersOutput {
    workspace_dir: PathBuf,
    /// Most used first.
    workspace_languages: Vec<&'static str>,
    installed_servers: Vec<WireServer>,
    suggested_config: Vec<String>,
    not_installed: Vec<String>,
}

#[derive(Debug, Serialize)]
struct WireServer {
    language: &'static str,
    server: &'static str,
    path: PathBuf,
    config_entry: String,
}

pub struct DetectLspServers {
    pub workspace: Arc<Workspace>,
    pub path: OsString,
}

impl Tool for DetectLspServers {
    type Args = DetectLspServersArgs;
    type Output = DetectLspServersOutput;
    const NAME: &'static str = "detect_lsp_servers";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &DetectLspServersArgs) -> Intent {
        Intent::read(&args.workspace_dir)
    }

    async fn run(
        &self,
        args: DetectLspServersArgs,
        cx: &CallContext,
    ) -> Result<Answer<DetectLspServersOutput>, ToolError> {
        let report = reporter(cx);
        let workspace_dir = self.workspace.resolve(&args.workspace_dir).map_err(explain)?;
        if !workspace_dir.is_dir() {
            return Err(ToolError::bad_arguments(format!(
                "`{}` is not a directory",
                workspace_dir.display()
            )));
        }
        let detected = self
            .workspace
            .detect_servers(&workspace_dir, &self.path, &patience(cx, &report))
            .await
            .map_err(explain)?;
        let installed_servers: Vec<WireServer> = detected.installed.into_iter().map(wire).collect();
        let suggested_config = installed_servers.iter().map(|server| server.config_entry.clone()).collect();
        let hint = match (installed_servers.is_empty(), detected.not_installed.is_empty()) {
            (true, _) => "syntax answers where no server is installed; `bowline doctor` says what is missing",
            (_, true) => "they start by themselves when a file of their language is asked about",
            (_, false) => "those that are installed start by themselves; syntax answers for the others",
        };
        Ok(Answer::new(DetectLspServersOutput {
            workspace_dir,
            workspace_languages: detected.languages.iter().map(|language| language.language).collect(),
            installed_servers,
            suggested_config,
            not_installed: detected.not_installed.iter().map(missing).collect(),
        })
        .hint(hint))
    }
}

fn wire(installed: Installed) -> WireServer {
    let KnownServer { language, binary, .. } = installed.server;
    WireServer { language, server: binary, path: installed.path, config_entry: entry(&installed.server) }
}

/// As it is written on the command line: `python:pyright-langserver,--stdio`.
fn entry(server: &KnownServer) -> String {
    let arguments = server.args.iter().map(|argument| format!(",{argument}")).collect::<String>();
    format!("{}:{}{arguments}", server.language, server.binary)
}

fn missing(missing: &NotInstalled) -> String {
    let KnownServer { language, binary, .. } = missing.server;
    match &missing.reason {
        Some(reason) => format!("{language} ({binary}: {reason})"),
        None => format!("{language} ({binary})"),
    }
}
