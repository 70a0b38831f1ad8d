//! One stay in a shadow: whatever is laid into it is taken out again, however the stay ends.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use super::ShadowError;
use super::mirror::{self, Draft};
use super::place::Held;

/// A shadow in which there may be a draft.
pub(super) struct Visit {
    /// Shared with work that goes on for a moment after its caller has gone: it must stay alone there.
    pub(super) held: Arc<Held>,
    root: PathBuf,
    environment: Vec<(OsString, OsString)>,
    /// Something was laid into it, and not taken out yet.
    is_laid: bool,
}

impl Visit {
    pub(super) fn new(held: Held, root: &Path, environment: &[(OsString, OsString)]) -> Self {
        Self {
            held: Arc::new(held),
            root: root.to_owned(),
            environment: environment.to_vec(),
            is_laid: false,
        }
    }

    /// What is now laid into the mirror. Told before it is: half of a draft has to be taken out as well.
    pub(super) fn lays(&mut self, draft: &Draft) {
        self.is_laid |= !draft.drafted.is_empty();
    }

    /// Takes out what was laid in, and waits for that. Whoever does not wait has it done nevertheless.
    pub(super) async fn leave(mut self) -> Result<(), ShadowError> {
        let Some(work) = self.put_back() else { return Ok(()) };
        match tokio::task::spawn_blocking(work).await {
            Ok(done) => done,
            Err(error) => Err(crate::WorkspaceError::Internal(error.to_string()).into()),
        }
    }

    fn put_back(&mut self) -> Option<impl FnOnce() -> Result<(), ShadowError> + Send + use<>> {
        if !std::mem::take(&mut self.is_laid) {
            return None;
        }
        let held = Arc::clone(&self.held);
        let draft = Draft {
            root: self.root.clone(),
            drafted: Default::default(),
            environment: std::mem::take(&mut self.environment),
        };
        Some(move || mirror::mirror(&held, &draft, &|| false))
    }
}

impl Drop for Visit {
    /// The caller has gone. If this fails, whoever comes next does it.
    fn drop(&mut self) {
        let Some(work) = self.put_back() else { return };
        let put_back = || {
            if let Err(error) = work() {
                tracing::debug!(%error, "a draft is left in its shadow");
            }
        };
        // The runtime may be gone as well.
        if let Err(error) = thread::Builder::new().name("bowline-put-back".into()).spawn(put_back) {
            tracing::debug!(%error, "a draft is left in its shadow");
        }
    }
}
