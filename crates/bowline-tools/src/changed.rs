//! A change that a tool makes in one call: drafted, shown to the gate with its very files, written, and looked at
//! afterwards.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_call::{Answer, CallContext, DiagnosticCounts, EditSummary, Receipt, ToolError};
use bowline_code::Severity;
use bowline_workspace::{Aftermath, Draft, Edit, Patience, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commanded::Done;
use crate::drafted::{Passing, commit};
use crate::evaluated::WireProblem;
use crate::explain::explain;

/// So many files, problems and reasons are listed.
const MOST: usize = 50;

/// How long a call waits for diagnostics after it has written, unless it asks for them.
const SHORT: Duration = Duration::from_secs(2);

/// Whether to look at what the change did.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Looking {
    // Whether to wait for all diagnostics; without it the answer has what is known soon after the write.
    pub check: Option<bool>,
}

impl Looking {
    /// For how long, if at all: it is written, and what is not known by then is told as not known.
    fn patience<'a>(self, patience: &Patience<'a>) -> Option<Patience<'a>> {
        match self.check {
            Some(false) => None,
            Some(true) => Some(patience.clone()),
            None => {
                let soon = Instant::now().checked_add(SHORT);
                let deadline = [patience.deadline, soon].into_iter().flatten().min();
                Some(Patience { deadline, ..patience.clone() })
            }
        }
    }
}

/// What was changed, and what is wrong now.
#[derive(Debug, Default, Serialize)]
pub struct Changed {
    message: String,
    applied: bool,
    files: Vec<PathBuf>,
    #[serde(skip_serializing_if = "is_zero")]
    files_not_listed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
    /// In the files that were written and those that depend on them. Absent: nobody looked, or nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors_after: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings_after: Option<usize>,
    #[serde(skip_serializing_if = "is_zero")]
    files_checked: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<WireProblem>,
    /// Why more may be wrong than is said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unverified: Vec<String>,
}

impl Changed {
    /// By which it can be taken back.
    pub(crate) fn receipt(&self) -> Option<String> {
        self.receipt.clone()
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// How a change is told.
pub(crate) struct Telling<'a> {
    /// The tool that makes it.
    pub(crate) label: &'a str,
    pub(crate) message: String,
    pub(crate) summary: EditSummary,
    pub(crate) looking: Looking,
}

/// Makes one edit.
pub(crate) async fn make(
    workspace: &Arc<Workspace>,
    edit: Edit,
    telling: Telling<'_>,
    cx: &CallContext,
    patience: &Patience<'_>,
) -> Result<Answer<Changed>, ToolError> {
    let passing = Passing::wide(workspace)?;
    workspace.edit_draft(passing.draft(), edit, patience).await.map_err(explain)?;
    write(workspace, passing.draft(), telling, cx, patience).await
}

/// Writes a draft, and looks at what it did.
pub(crate) async fn write(
    workspace: &Arc<Workspace>,
    draft: &Draft,
    telling: Telling<'_>,
    cx: &CallContext,
    patience: &Patience<'_>,
) -> Result<Answer<Changed>, ToolError> {
    let Telling { label, message, summary, looking } = telling;
    if draft.files().is_empty() {
        let receipt =
            Receipt { summary: Some(EditSummary { apply: Some(false), ..summary }), ..Receipt::default() };
        let message = "nothing to change: the files are so already".to_owned();
        return Ok(Answer::new(Changed { message, ..Changed::default() }).receipt(receipt));
    }
    let committed = commit(workspace, draft, None, label, cx, patience).await?;
    let (id, files) = (committed.receipt.id, committed.receipt.files);
    let files: Vec<PathBuf> = files.into_iter().map(|file| file.path).collect();
    // It is written, whatever is found out about it now: no error and no impatience may hide that.
    let after = match looking.patience(patience) {
        Some(patience) => Some(look(workspace, [draft], &files, &patience).await),
        None => None,
    };
    let summary = EditSummary { apply: Some(true), receipt: Some(id.clone()), ..summary };
    let receipt = Receipt {
        files: files.clone(),
        summary: Some(summary),
        before: None,
        after: after.as_ref().filter(|after| after.checked > 0).map(counts),
    };
    let hint = told(after.as_ref(), &id);
    let changed = changed(message, files, id, after.as_ref());
    Ok(Answer::new(changed).hint(hint).receipt(receipt))
}

/// What a server's command has changed, and what is wrong now.
pub(crate) async fn by_command(
    workspace: &Workspace,
    done: &Done<'_>,
    telling: Telling<'_>,
    patience: &Patience<'_>,
) -> Answer<Changed> {
    let mut receipt = done.receipt(telling.summary);
    let (Some(id), files) = (done.receipts(), done.files()) else {
        let message = match done.refused.as_slice() {
            [] => format!("{}; it changed nothing", telling.message),
            refused => format!("{}; its edits were refused: {}", telling.message, refused.join("; ")),
        };
        return Answer::new(Changed { message, ..Changed::default() }).receipt(receipt);
    };
    let after = match telling.looking.patience(patience) {
        Some(patience) => Some(look(workspace, done.drafts(), &files, &patience).await),
        None => None,
    };
    receipt.after = after.as_ref().filter(|after| after.checked > 0).map(counts);
    let hint = told(after.as_ref(), &id);
    Answer::new(changed(telling.message, files, id, after.as_ref())).hint(hint).receipt(receipt)
}

/// Looks at what drafts have done, now that they are written.
async fn look<'a>(
    workspace: &Workspace,
    drafts: impl IntoIterator<Item = &'a Draft>,
    files: &[PathBuf],
    patience: &Patience<'_>,
) -> Aftermath {
    workspace.aftermath(drafts, patience).await.unwrap_or_else(|error| {
        let unknown = files.iter().map(|file| (file.clone(), error.to_string())).collect();
        Aftermath { unknown, ..Aftermath::default() }
    })
}

fn changed(message: String, mut files: Vec<PathBuf>, receipt: String, after: Option<&Aftermath>) -> Changed {
    let files_not_listed = files.len().saturating_sub(MOST);
    files.truncate(MOST);
    let mut changed = Changed {
        message,
        applied: true,
        files,
        files_not_listed,
        receipt: Some(receipt),
        ..Changed::default()
    };
    let Some(after) = after else { return changed };
    if after.checked > 0 || after.is_known() {
        changed.errors_after = Some(after.count(Severity::Error));
        changed.warnings_after = Some(after.count(Severity::Warning));
    }
    changed.files_checked = after.checked;
    let errors = after.problems.iter().filter(|problem| problem.diagnostic.severity == Severity::Error);
    changed.errors = errors.take(MOST).map(WireProblem::from).collect();
    let reason =
        |(path, why): &(PathBuf, String)| format!("{}: {}", path.display(), bowline_std::text::cut(why, 300));
    changed.unverified = after.unknown.iter().take(10).map(reason).collect();
    if after.unknown.len() > 10 {
        changed.unverified.push(format!("and {} more files", after.unknown.len() - 10));
    }
    if after.left_out > 0 {
        changed
            .unverified
            .push(format!("{} more files depend on this and were not looked at", after.left_out));
    }
    changed
}

fn told(after: Option<&Aftermath>, receipt: &str) -> String {
    let undo = format!("undo_write takes it back, by its receipt {receipt}");
    let Some(after) = after else { return undo };
    let (errors, warnings) = (after.count(Severity::Error), after.count(Severity::Warning));
    match (after.is_known(), after.checked) {
        (true, _) => format!("errors_after: {errors}, warnings_after: {warnings}; {undo}"),
        (false, 0) => format!(
            "written, but unverified: nothing is known about the files yet; get_diagnostics tells; {undo}"
        ),
        (false, _) => format!(
            "errors_after: {errors}, warnings_after: {warnings} (unverified: not every file is known yet; \
             get_diagnostics tells the rest); {undo}"
        ),
    }
}

fn counts(after: &Aftermath) -> DiagnosticCounts {
    let number = |count| u32::try_from(count).unwrap_or(u32::MAX);
    DiagnosticCounts {
        error_count: number(after.count(Severity::Error)),
        warning_count: number(after.count(Severity::Warning)),
        files_checked: number(after.checked),
    }
}

/// The beginning of a summary for an edit of one file.
pub(crate) fn of_file(mode: &str, file: &Path) -> EditSummary {
    EditSummary { mode: mode.to_owned(), file_path: Some(file.to_owned()), ..EditSummary::default() }
}
