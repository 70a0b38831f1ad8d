//! How long a tool's question to the workspace may wait, taken from the call it belongs to.

use std::time::Duration;

use bowline_call::CallContext;
use bowline_workspace::{Patience, Report};

/// The workspace gives up this much earlier than the call, so that its answer, which says how far it came, is heard.
const MARGIN: Duration = Duration::from_millis(200);

/// Tells the caller how far the work has come.
pub(crate) fn reporter(cx: &CallContext) -> impl Fn(u64, Option<u64>, &str) + Sync + '_ {
    |done, total, what| cx.progress().report(done, total, what)
}

pub(crate) fn patience<'a>(cx: &CallContext, report: &'a Report<'a>) -> Patience<'a> {
    Patience {
        cancellation: cx.cancellation().clone(),
        deadline: cx.deadline().and_then(|deadline| deadline.checked_sub(MARGIN)),
        progress: Some(report),
    }
}
