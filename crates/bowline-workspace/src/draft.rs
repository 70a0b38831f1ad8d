//! Drafts: edits that are tried before they are made.
//!
//! A draft is text in memory. Language servers see it only while it is evaluated, and nothing of it is on disk before
//! it is committed. Two drafts of one file know nothing of each other.

mod affected;
mod aftermath;
mod baseline;
mod book;
mod commit;
mod compare;
mod compiled;
mod edit;
mod error;
mod evaluate;
mod evaluation;
mod evaluation_plan;
mod evaluation_run;
mod evaluations;
mod go_package;
mod lines;
mod new_files;
mod patch;
mod propose;
mod reach;
mod readable;
mod server_evaluation;
mod spot;
mod state;
mod symbol;
mod unchecked;
mod workspace_edit;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

pub use aftermath::Aftermath;
pub(crate) use baseline::Baselines;
pub(crate) use book::Drafts;
pub use commit::Committed;
pub use edit::{Edit, Proposal, Served, Stretches, ToRename, Which};
pub use error::DraftError;
pub use evaluate::Extent;
pub use evaluation::{Confidence, Evaluation, Examined, Problem, Proof};
pub(crate) use evaluations::Evaluations;
pub(crate) use lines::LineEnds;
pub use patch::Patch;
pub use propose::Proposed;
pub use state::DraftState;
pub use symbol::Refused;

/// One draft. Cheap to clone: it is the same draft.
#[derive(Clone)]
pub struct Draft {
    id: Arc<str>,
    /// The directory that it is about, by its real path.
    root: Arc<Path>,
    language: Arc<str>,
    /// It goes with the call that it was made for.
    is_passing: bool,
    held: Arc<Mutex<Held>>,
}

struct Held {
    state: DraftState,
    files: Files,
    /// Counts edits.
    version: u64,
    /// Which version was evaluated last, and whether it was proved safe.
    verdict: Option<(u64, bool)>,
    /// It is on its way to the disk, and must stay what it is until it is there.
    is_being_written: bool,
    /// The last evaluation that is about it, which may go on without a caller.
    evaluating: Weak<evaluations::Evaluating>,
}

/// What a draft makes of files, by their real paths.
pub(crate) type Files = BTreeMap<PathBuf, Drafted>;

/// One file of a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drafted {
    /// As it was on disk when the draft first touched it. `None`: it was not there.
    pub(crate) before: Option<Arc<str>>,
    /// `None`: it is removed.
    pub(crate) after: Option<Arc<str>>,
    /// It was moved here: whose permissions it gets.
    pub(crate) like: Option<PathBuf>,
}

impl Drafted {
    /// It is there before and after.
    pub(crate) fn stays(&self) -> bool {
        self.before.is_some() && self.after.is_some()
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.before != self.after
    }
}

impl Draft {
    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn language(&self) -> &str {
        &self.language
    }

    pub fn state(&self) -> DraftState {
        self.held().state
    }

    /// How often it was edited.
    pub fn version(&self) -> u64 {
        self.held().version
    }

    /// Whether it was proved safe, as it is now. `None`: nobody has evaluated it since it was edited.
    pub fn verdict(&self) -> Option<bool> {
        let held = self.held();
        held.verdict.filter(|(version, _)| *version == held.version).map(|(_, is_safe)| is_safe)
    }

    /// The files that it would change, by their real paths.
    pub fn files(&self) -> Vec<PathBuf> {
        let held = self.held();
        held.files.iter().filter(|(_, file)| file.is_changed()).map(|(path, _)| path.clone()).collect()
    }

    /// A file as it was on disk when the draft first touched it.
    pub fn before(&self, path: &Path) -> Option<Arc<str>> {
        self.held().files.get(path).and_then(|file| file.before.clone())
    }

    /// Drops what was drafted. Nothing else has to be put back: nothing else has seen it.
    pub fn discard(&self) -> Result<(), DraftError> {
        let mut held = self.held();
        self.may(&held, "discarded", DraftState::can_be_discarded)?;
        held.state = DraftState::Discarded;
        held.files.clear();
        drop(held);
        self.stop_evaluating();
        Ok(())
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // Every change to it is one assignment after another that cannot fail.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An error that names the state and the way out, unless it may be done.
    fn may(&self, held: &Held, done: &'static str, can: fn(DraftState) -> bool) -> Result<(), DraftError> {
        if held.is_being_written {
            return Err(DraftError::BeingWritten { id: self.id.to_string(), done });
        }
        if can(held.state) {
            return Ok(());
        }
        Err(DraftError::WrongState { id: self.id.to_string(), state: held.state, done })
    }
}
