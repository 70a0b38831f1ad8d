//! How a text is to be laid out, as callers say it, and the laying out.

use std::path::Path;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Intent, ToolError};
use bowline_code::Span;
use bowline_workspace::{Edit, Formatting, Patience, Proposal, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answered::answered;
use crate::changed::{Changed, Looking, Telling, make, of_file};
use crate::explain::explain;

/// Formatters that have rules of their own do not ask.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Layout {
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub tab_size: Option<i64>,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub insert_spaces: Option<bool>,
}

impl Layout {
    pub(crate) fn formatting(&self) -> Result<Formatting, ToolError> {
        let given = self.tab_size.unwrap_or(2);
        let tab_size = u32::try_from(given).ok().filter(|size| (1..=64).contains(size));
        let tab_size = tab_size
            .ok_or_else(|| ToolError::bad_arguments(format!("tab_size must be 1 to 64, got {given}")))?;
        Ok(Formatting { tab_size, insert_spaces: self.insert_spaces.unwrap_or(true) })
    }
}

/// The edits of a formatter, or what was made of them.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum LaidOut {
    Edits(Vec<Value>),
    Made(Changed),
}

/// Whether to write what the formatter says.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Applying {
    pub apply: bool,
    #[serde(flatten)]
    pub looking: Looking,
}

/// What laying out this file would do.
pub(crate) fn intent(file: &Path, applying: Applying) -> Intent {
    if applying.apply { Intent::write([file]) } else { Intent::read(file) }
}

/// Lays a file out, or a stretch of it, or says how it would be.
pub(crate) async fn lay_out(
    workspace: &Arc<Workspace>,
    label: &str,
    file: &Path,
    within: Option<Span>,
    (how, applying): (Formatting, Applying),
    cx: &CallContext,
    patience: &Patience<'_>,
) -> Result<Answer<LaidOut>, ToolError> {
    if applying.apply {
        let edit = Edit::Proposed(Proposal::Format { file: file.to_owned(), within, how });
        let message = "Formatted".to_owned();
        let telling = Telling { label, message, summary: of_file("format", file), looking: applying.looking };
        return Ok(make(workspace, edit, telling, cx, patience).await?.map(LaidOut::Made));
    }
    let found = workspace.formatting(file, within, how, patience).await.map_err(explain)?;
    let hint = match found.value.len() {
        0 => "it is laid out already".to_owned(),
        count => {
            format!("{count} edits, as the server wrote them; nothing has been changed: `apply` writes them")
        }
    };
    let mut answer = answered(&found, LaidOut::Edits(found.value.clone()), Some(hint));
    answer.indexed = None;
    Ok(answer)
}
