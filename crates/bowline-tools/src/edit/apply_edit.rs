//! `apply_edit`: makes an edit, as a text that is replaced or as a workspace edit.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, Effect, Intent, Tool, ToolError};
use bowline_workspace::{Edit, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::changed::{Changed, Looking, Telling, make};
use crate::explain::explain;
use crate::patience::{patience, reporter, within};

/// Replace a text that stands in a file once, or make an LSP WorkspaceEdit.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ApplyEditArgs {
    #[serde(default)]
    pub workspace_edit: Option<Map<String, Value>>,
    #[serde(default)]
    pub file_path: Option<PathBuf>,
    #[serde(default)]
    pub old_text: Option<String>,
    #[serde(default)]
    pub new_text: Option<String>,
    #[serde(flatten)]
    pub looking: Looking,
}

pub struct ApplyEdit {
    pub workspace: Arc<Workspace>,
}

impl ApplyEditArgs {
    fn files(&self) -> Vec<PathBuf> {
        let within = self.workspace_edit.clone().map(|edit| Edit::Workspace(Value::Object(edit)).files());
        self.file_path.iter().cloned().chain(within.into_iter().flatten()).collect()
    }

    fn edit(self) -> Result<(Edit, EditSummary), ToolError> {
        match (self.workspace_edit, self.file_path, self.old_text, self.new_text) {
            (Some(edit), None, None, None) => {
                let summary = EditSummary { mode: "workspace_edit".to_owned(), ..EditSummary::default() };
                Ok((Edit::Workspace(Value::Object(edit)), summary))
            }
            (None, Some(file), Some(old_text), Some(new_text)) => {
                let summary = EditSummary {
                    mode: "text".to_owned(),
                    file_path: Some(file.clone()),
                    old_text_preview: Some(old_text.clone()),
                    new_text_preview: Some(new_text.clone()),
                    ..EditSummary::default()
                };
                Ok((Edit::Text { file, old_text, new_text }, summary))
            }
            (Some(_), ..) => Err(ToolError::bad_arguments("give workspace_edit alone, or a text edit alone")),
            _ => Err(ToolError::bad_arguments(
                "workspace_edit is required (or supply file_path + old_text + new_text for text-match mode)",
            )),
        }
    }
}

impl Tool for ApplyEdit {
    type Args = ApplyEditArgs;
    type Output = Changed;
    const NAME: &'static str = "apply_edit";
    const MOST: Effect = Effect::Write;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &ApplyEditArgs) -> Intent {
        Intent::write(args.files())
    }

    async fn run(&self, args: ApplyEditArgs, cx: &CallContext) -> Result<Answer<Changed>, ToolError> {
        let report = reporter(cx);
        let patience = within(patience(cx, &report), None)?;
        let looking = args.looking;
        let (edit, summary) = args.edit()?;
        let mut message = "Edit applied successfully".to_owned();
        if let Edit::Text { file, old_text, .. } = &edit {
            let document = self.workspace.read(file, &patience).await.map_err(explain)?;
            let text = document.text();
            if !text.contains(old_text) && !text.contains(&old_text.replace('\n', "\r\n")) {
                message.push_str("; old_text was found with other whitespace around its lines");
            }
        }
        let telling = Telling { label: Self::NAME, message, summary, looking };
        make(&self.workspace, edit, telling, cx, &patience).await
    }
}
