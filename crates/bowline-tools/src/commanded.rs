//! Commands of language servers, and the edits that they want to make: each through the gate and the one writer.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use bowline_call::{CallContext, EditSummary, Receipt, ToolError};
use bowline_workspace::{Draft, Edit, Editor, Patience, Served, Workspace};
use futures_util::future::BoxFuture;
use serde::Serialize;

use crate::drafted::{Passing, commit};
use crate::explain::explain;

/// Makes the edits of one command, and remembers them.
pub(crate) struct Scribe<'a> {
    pub(crate) workspace: &'a Arc<Workspace>,
    /// The tool that lets the command run.
    pub(crate) label: &'a str,
    pub(crate) cx: &'a CallContext,
    pub(crate) patience: &'a Patience<'a>,
    pub(crate) done: Mutex<Done<'a>>,
}

/// What came of a command's edits.
#[derive(Default)]
pub(crate) struct Done<'a> {
    pub(crate) edits: Vec<Made>,
    pub(crate) refused: Vec<String>,
    drafts: Vec<Passing<'a>>,
}

/// One edit that was made.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Made {
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) receipt: String,
}

impl Editor for Scribe<'_> {
    fn make<'a>(
        &'a self,
        label: Option<&'a str>,
        edit: serde_json::Value,
    ) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            match self.write(label, edit).await {
                Ok(()) => Ok(()),
                Err(error) => {
                    let reason = error.to_string();
                    self.done.lock().unwrap_or_else(PoisonError::into_inner).refused.push(reason.clone());
                    Err(reason)
                }
            }
        })
    }
}

impl<'a> Scribe<'a> {
    pub(crate) fn new(
        workspace: &'a Arc<Workspace>,
        label: &'a str,
        cx: &'a CallContext,
        patience: &'a Patience<'a>,
    ) -> Self {
        Self { workspace, label, cx, patience, done: Mutex::default() }
    }

    async fn write(&self, label: Option<&str>, edit: serde_json::Value) -> Result<(), ToolError> {
        let passing = Passing::wide(self.workspace)?;
        let edit = Edit::ByServer(Served { edit, made_for: None });
        self.workspace.edit_draft(passing.draft(), edit, self.patience).await.map_err(explain)?;
        if passing.draft().files().is_empty() {
            return Ok(());
        }
        let committed =
            commit(self.workspace, passing.draft(), None, self.label, self.cx, self.patience).await?;
        let files = committed.receipt.files.into_iter().map(|file| file.path).collect();
        let made = Made { label: label.map(str::to_owned), files, receipt: committed.receipt.id };
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.edits.push(made);
        done.drafts.push(passing);
        Ok(())
    }

    pub(crate) fn into_done(self) -> Done<'a> {
        self.done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Done<'_> {
    pub(crate) fn drafts(&self) -> impl Iterator<Item = &Draft> {
        self.drafts.iter().map(Passing::draft)
    }

    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.edits.iter().flat_map(|made| made.files.iter().cloned()).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// The receipts, for the record and for whoever wants it back. The last one is to be undone first.
    pub(crate) fn receipts(&self) -> Option<String> {
        let ids: Vec<&str> = self.edits.iter().rev().map(|made| made.receipt.as_str()).collect();
        (!ids.is_empty()).then(|| ids.join(", "))
    }

    pub(crate) fn receipt(&self, summary: EditSummary) -> Receipt {
        let summary =
            EditSummary { apply: Some(!self.edits.is_empty()), receipt: self.receipts(), ..summary };
        Receipt { files: self.files(), summary: Some(summary), ..Receipt::default() }
    }

    /// A command that fails may have written before.
    pub(crate) fn despite(&self, error: ToolError) -> ToolError {
        match self.receipts() {
            None => error,
            Some(receipts) => {
                let message = match error {
                    ToolError::Failed { message, .. } => message,
                    other => other.to_string(),
                };
                let files = self.files().len();
                ToolError::failed(format!("{message}; before that it changed {files} file(s)"))
                    .hint(format!("undo_write takes that back: {receipts}"))
            }
        }
    }
}
