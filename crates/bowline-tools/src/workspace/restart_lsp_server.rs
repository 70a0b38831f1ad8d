//! `restart_lsp_server`: a fresh start for language servers that seem stuck.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::explain::explain;
use crate::patience::{patience, reporter};

/// Restart the language servers below a directory; open documents are opened again.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RestartLspServerArgs {
    #[serde(default)]
    pub root_dir: Option<PathBuf>,
}

pub struct RestartLspServer {
    pub workspace: Arc<Workspace>,
}

impl Tool for RestartLspServer {
    type Args = RestartLspServerArgs;
    type Output = String;
    const NAME: &'static str = "restart_lsp_server";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, args: &RestartLspServerArgs) -> Intent {
        Intent::new(Effect::Draft, args.root_dir.clone().map(Target::Path))
    }

    async fn run(&self, args: RestartLspServerArgs, cx: &CallContext) -> Result<Answer<String>, ToolError> {
        let report = reporter(cx);
        let below = args.root_dir.map(|root| self.workspace.resolve(&root)).transpose().map_err(explain)?;
        let restarted = self.workspace.restart_servers(below.as_deref(), &patience(cx, &report)).await;
        if restarted.is_empty() {
            return Ok(Answer::new("No language server was running".to_owned())
                .hint("servers start by themselves when a file of their language is asked about"));
        }
        let (mut lines, mut failed) = (Vec::new(), Vec::new());
        for (name, outcome) in restarted {
            match outcome {
                Ok(status) => {
                    lines.push(format!("Restarted {name}. Re-opened {} document(s)", status.open_documents));
                }
                Err(error) => failed.push(error),
            }
        }
        if lines.is_empty()
            && let Some(error) = failed.pop()
        {
            return Err(explain(error));
        }
        lines.extend(failed.iter().map(ToString::to_string));
        Ok(Answer::new(lines.join("\n")).hint("get_diagnostics says what they find now"))
    }
}
