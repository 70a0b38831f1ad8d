//! `execute_command`: lets a language server do one of its own commands.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, Effect, Intent, Target, Tool, ToolError};
use bowline_code::Engine;
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::commanded::{Done, Scribe};
use crate::explain::explain;
use crate::patience::{patience, reporter};

/// A server may answer whatever it likes; no reader needs more.
const MOST_BYTES: usize = 64 << 10;

/// Run a command of a language server. What it edits is written and can be undone.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExecuteCommandArgs {
    pub command: String,
    /// As the server wants them.
    #[serde(default)]
    pub arguments: Vec<Value>,
    /// A file of the project that is meant, where several servers know the command.
    #[serde(default)]
    pub file_path: Option<PathBuf>,
}

pub struct ExecuteCommand {
    pub workspace: Arc<Workspace>,
}

impl Tool for ExecuteCommand {
    type Args = ExecuteCommandArgs;
    type Output = Value;
    const NAME: &'static str = "execute_command";
    const MOST: Effect = Effect::Run;
    const SLOW: bool = true;

    fn intent(&self, args: &ExecuteCommandArgs) -> Intent {
        let path = args.file_path.clone().map(Target::Path);
        Intent::new(Effect::Run, [Target::Command(args.command.clone())].into_iter().chain(path))
    }

    async fn run(&self, args: ExecuteCommandArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let of = args.file_path.as_deref();
        let scribe = Scribe::new(&self.workspace, Self::NAME, cx, &patience);
        let answer =
            self.workspace.execute_command(&args.command, args.arguments, of, &scribe, &patience).await;
        let done = scribe.into_done();
        let (server, result) = answer.map_err(explain).map_err(|error| done.despite(error))?;
        let summary =
            EditSummary { mode: "command".to_owned(), target: Some(args.command), ..EditSummary::default() };
        let answer = Answer::new(told(bounded(result), &done)).engine(Engine::Server);
        let hint = match (done.edits.len(), done.receipts()) {
            (0, _) if done.refused.is_empty() => format!("done by `{server}`; it changed no file"),
            (0, _) => format!("`{server}` wanted to change files, and was refused"),
            (edits, receipts) => format!(
                "done by `{server}`, with {edits} edit(s); undo_write takes them back: {}",
                receipts.unwrap_or_default()
            ),
        };
        Ok(answer.hint(hint).receipt(done.receipt(summary)))
    }
}

/// The server's result, and its edits where there were any.
fn told(result: Value, done: &Done<'_>) -> Value {
    if done.edits.is_empty() && done.refused.is_empty() {
        return result;
    }
    json!({"result": result, "edits": done.edits, "refused": done.refused})
}

/// The result itself, or its beginning with how long it was.
fn bounded(result: Value) -> Value {
    let text = result.to_string();
    if text.len() <= MOST_BYTES {
        return result;
    }
    json!({
        "truncated": true,
        "bytes": text.len(),
        "text": bowline_std::text::prefix(&text, MOST_BYTES),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_result_is_cut() {
        let short = json!({"a": [1, "b", null]});
        assert_eq!(bounded(short.clone()), short);
        let fits = json!("x".repeat(MOST_BYTES - 2));
        assert_eq!(bounded(fits.clone()), fits);
        let cut = bounded(json!(["ä".repeat(MOST_BYTES)]));
        assert_eq!((cut["truncated"].as_bool(), cut["bytes"].as_u64()), (Some(true), Some(131_076)));
        let text = cut["text"].as_str().unwrap();
        assert!(text.starts_with("[\"ä") && text.len() <= MOST_BYTES && text.len() > MOST_BYTES - 2);
    }
}
