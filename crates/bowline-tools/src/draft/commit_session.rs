//! `commit_session`: writes a draft, or shows what would be written.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, Effect, Intent, Receipt, Tool, ToolError};
use bowline_code::uri;
use bowline_workspace::{Patch, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::drafted::commit;
use crate::explain::explain;
use crate::patience::{patience, reporter};

/// So much of all diffs, or of all texts, is shown; and of each so much at least.
const MOST_BYTES: usize = 512 << 10;
const LEAST_BYTES: usize = 200;

/// Write a draft: all its files or none. Without `apply` only the diff is shown.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CommitSessionArgs {
    pub session_id: String,
    /// Apply to this directory instead, laid out as below the session's root.
    #[serde(default)]
    pub target: Option<PathBuf>,
    #[serde(default)]
    pub apply: bool,
    /// Whole new texts beside the diffs.
    #[serde(default)]
    pub full_text: bool,
}

impl CommitSessionArgs {
    /// An empty target is none.
    fn target(&self) -> Option<&std::path::Path> {
        self.target.as_deref().filter(|target| !target.as_os_str().is_empty())
    }
}

pub struct CommitSession {
    pub workspace: Arc<Workspace>,
}

impl Tool for CommitSession {
    type Args = CommitSessionArgs;
    type Output = Value;
    const NAME: &'static str = "commit_session";
    const MOST: Effect = Effect::Write;
    const LEAST: Effect = Effect::Draft;
    const ANSWERS: &'static [&'static str] = &["safe_to_apply"];

    fn intent(&self, args: &CommitSessionArgs) -> Intent {
        let draft = self.workspace.draft(&args.session_id);
        let files = draft.ok().and_then(|draft| self.workspace.files_of_commit(&draft, args.target()).ok());
        match files {
            Some(files) if args.apply => Intent::write(files),
            // Nothing is written by a session that is not there.
            _ => Intent::new(Effect::Draft, []),
        }
    }

    async fn run(&self, args: CommitSessionArgs, cx: &CallContext) -> Result<Answer<Value>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let draft = self.workspace.draft(&args.session_id).map_err(|error| explain(error.into()))?;
        let elsewhere = args.target().is_some();
        // What was evaluated is the draft where it belongs.
        let verdict = draft.verdict().filter(|_| !elsewhere);
        if !args.apply {
            let patches = self.workspace.preview_commit(&draft).map_err(explain)?;
            let mut payload = shown(draft.id(), &patches, args.full_text);
            payload["safe_to_apply"] = json!(verdict);
            let hint = format!("nothing was written; `apply: true` writes it{}", caution(verdict, elsewhere));
            return Ok(Answer::new(payload).hint(hint));
        }
        let committed = commit(&self.workspace, &draft, args.target(), Self::NAME, cx, &patience).await?;
        let mut payload = shown(draft.id(), &committed.patches, args.full_text);
        payload["safe_to_apply"] = json!(verdict);
        payload["files_written"] = json!(committed.receipt.files.len());
        payload["receipt"] = json!(committed.receipt.id);
        let summary = EditSummary {
            mode: Self::NAME.to_owned(),
            target: args.target().map(|target| target.display().to_string()),
            apply: Some(args.apply),
            receipt: Some(committed.receipt.id.clone()),
            ..EditSummary::default()
        };
        let files = committed.receipt.files.iter().map(|file| file.path.clone()).collect();
        let receipt = Receipt { files, summary: Some(summary), ..Receipt::default() };
        let receipt_id = &committed.receipt.id;
        let caution = caution(verdict, elsewhere);
        let hint = format!("undo_write takes it back, by its receipt {receipt_id}{caution}");
        Ok(Answer::new(payload).hint(hint).receipt(receipt))
    }
}

/// What a reader must know of a draft that is written as it is.
fn caution(verdict: Option<bool>, elsewhere: bool) -> &'static str {
    match verdict {
        Some(true) => "",
        Some(false) => "; when it was evaluated, it was not proved safe: get_diagnostics says what is broken",
        None if elsewhere => "; nobody has evaluated it there: get_diagnostics says what is broken",
        None => "; it was not evaluated as it is (evaluate_session): get_diagnostics says what is broken",
    }
}

fn shown(id: &str, patches: &[Patch], full_text: bool) -> Value {
    let mut payload = json!({"session_id": id, "patch": by_uri(patches, |patch| Some(&patch.diff))});
    if full_text {
        payload["text"] = json!(by_uri(patches, |patch| patch.text.as_deref()));
    }
    payload
}

/// A text for each file, as far as there is room: what is cut says so.
fn by_uri(patches: &[Patch], of: impl Fn(&Patch) -> Option<&str>) -> Map<String, Value> {
    let mut left = MOST_BYTES;
    let mut shown = |patch: &Patch| -> Value {
        let Some(text) = of(patch) else { return Value::Null };
        let cut = bowline_std::text::cut(text, left.max(LEAST_BYTES));
        left = left.saturating_sub(cut.len());
        json!(cut)
    };
    patches.iter().map(|patch| (uri::of(&patch.path), shown(patch))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_long_texts_are_cut_and_say_so() {
        let patch = |number: usize| Patch {
            path: PathBuf::from(format!("/{number}")),
            diff: "x".repeat(MOST_BYTES / 2),
            text: None,
        };
        let patches: Vec<Patch> = (0..100).map(patch).collect();
        let shown = shown("id", &patches, true);
        let bytes = shown["patch"].to_string().len();
        assert!(bytes < MOST_BYTES + 100 * 2 * LEAST_BYTES, "{bytes}");
        assert!(shown["patch"]["file:///99"].as_str().unwrap().contains("more bytes"));
        assert_eq!(shown["text"]["file:///99"], Value::Null);
    }
}
