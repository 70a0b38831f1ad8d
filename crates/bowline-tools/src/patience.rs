//! How long a tool's question to the workspace may wait, taken from the call it belongs to.

use std::time::{Duration, Instant};

use bowline_call::{CallContext, ToolError};
use bowline_workspace::{Patience, Report, Workspace};

/// The workspace gives up this much earlier than the call, so that its answer, which says how far it came, is heard.
const MARGIN: Duration = Duration::from_millis(200);

/// Tells the caller how far the work has come.
pub(crate) fn reporter(cx: &CallContext) -> impl Fn(u64, Option<u64>, &str) + Sync + '_ {
    |done, total, what| cx.progress().report(done, total, what)
}

/// How long a call that changes files may take, where it does not say so itself.
const USUAL_MS: i64 = 9_500;

/// How long a caller waits for the evaluation of a draft: as long as it says, or as it is set.
pub(crate) fn for_draft<'a>(
    patience: Patience<'a>,
    timeout_ms: Option<i64>,
    workspace: &Workspace,
) -> Result<Patience<'a>, ToolError> {
    let usual = i64::try_from(workspace.draft_wait().as_millis()).unwrap_or(i64::MAX);
    within(patience, Some(timeout_ms.unwrap_or(usual)))
}

/// As long as the caller says, or as it is usual.
pub(crate) fn within<'a>(patience: Patience<'a>, most_ms: Option<i64>) -> Result<Patience<'a>, ToolError> {
    let most = u64::try_from(most_ms.unwrap_or(USUAL_MS)).ok().filter(|most| *most > 0);
    let most = most.ok_or_else(|| ToolError::bad_arguments("timeout_ms must be > 0"))?;
    let sooner = Instant::now().checked_add(Duration::from_millis(most));
    let deadline = [patience.deadline, sooner].into_iter().flatten().min();
    Ok(Patience { deadline, ..patience })
}

pub(crate) fn patience<'a>(cx: &CallContext, report: &'a Report<'a>) -> Patience<'a> {
    Patience {
        cancellation: cx.cancellation().clone(),
        deadline: cx.deadline().and_then(|deadline| deadline.checked_sub(MARGIN)),
        progress: Some(report),
        as_of: None,
    }
}
