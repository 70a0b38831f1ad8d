//! Edits of one symbol of a file, as four tools make them.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, ToolError};
use bowline_workspace::{Edit, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::changed::{Changed, Looking, Telling, make, of_file};
use crate::patience::{patience, reporter, within};

/// A symbol of a file, by its path of names.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SymbolArgs {
    pub file_path: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    /// `Type.method`, `name[1]`
    pub symbol_path: String,
    #[serde(flatten)]
    pub looking: Looking,
}

impl SymbolArgs {
    /// Makes an edit of it.
    pub(crate) async fn change(
        self,
        workspace: &Arc<Workspace>,
        label: &str,
        message: &str,
        new_text: Option<String>,
        edit: impl FnOnce(PathBuf, String) -> Edit,
        cx: &CallContext,
    ) -> Result<Answer<Changed>, ToolError> {
        let report = reporter(cx);
        let patience = within(patience(cx, &report), None)?;
        let summary = EditSummary {
            target: Some(self.symbol_path.clone()),
            new_text_preview: new_text,
            ..of_file(label, &self.file_path)
        };
        let message = format!("{message} \"{}\" in {}", self.symbol_path, self.file_path.display());
        let telling = Telling { label, message, summary, looking: self.looking };
        make(workspace, edit(self.file_path, self.symbol_path), telling, cx, &patience).await
    }
}
