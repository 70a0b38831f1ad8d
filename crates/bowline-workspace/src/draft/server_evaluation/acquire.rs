//! Takes a running server for one evaluation: started, told of what has changed on disk, and used by nothing else.

use std::sync::Arc;

use bowline_lsp::{Life, Overlay};

use super::texts::sheet;
use crate::draft::Files;
use crate::draft::evaluation_run::Run;
use crate::fleet::Assigned;
use crate::patience::until;
use crate::query::Unserved;
use crate::{Workspace, WorkspaceError};

/// A living server to oneself, which knows what has changed on disk. One that has missed too much of that is stopped
/// when it is told, and the next one reads the files by itself.
pub(super) async fn acquire(
    workspace: &Workspace,
    assigned: &Assigned,
    files: &Files,
    run: &Run,
) -> Result<(Arc<Life>, Overlay), Unserved> {
    for is_last in [false, true] {
        let life = workspace.alive(&assigned.server).await?;
        make_ready(&life, assigned, files, run).await;
        let overlay = life.overlay().await;
        workspace.catch_up(&life).await?;
        if is_last || assigned.server.current().is_some_and(|now| Arc::ptr_eq(&now, &life)) {
            return Ok((life, overlay));
        }
    }
    Err(WorkspaceError::Internal("no server was tried".to_owned()).into())
}

/// Waits until the server has seen the project. It is shown a file for that, as it is on disk.
async fn make_ready(life: &Arc<Life>, assigned: &Assigned, files: &Files, run: &Run) {
    let existing = files.iter().find_map(|(path, file)| Some((path, file.before.as_ref()?)));
    let shown = existing.map(|(path, text)| life.show(&sheet(path, text, life, assigned)));
    // It need not settle: each file is asked about by itself, and the answer is about the texts that were sent before.
    tokio::select! {
        () = life.ready(shown.as_ref()) => {}
        () = run.cancellation().cancelled() => {}
        () = until(Some(run.half_time())) => {}
    }
}
