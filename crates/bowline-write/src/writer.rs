//! The writer: what the rest of the house sees.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bowline_std::clock::rfc3339;
use bowline_std::text::prefix;

use crate::check::check;
use crate::dirs::Dirs;
use crate::error::WriteError;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::plan::{Change, Plan};
use crate::receipt::{FORMAT, Outcome, Receipt, Recovered, fresh_id};
use crate::recover::recover;
use crate::reverse::reversed;
use crate::roots::Roots;
use crate::state::State;
use crate::transaction::carry_out;

/// Who writes is told in a few words.
const LABEL: usize = 200;

/// The one way in which files are written. It blocks: asynchronous callers give it a thread of its own.
#[derive(Debug)]
pub struct Writer {
    roots: Roots,
    guard: Guard,
    state: State,
}

impl Writer {
    /// `roots` are real paths. `state` is a directory of the writer's own, made on first use, outside the roots:
    /// whoever can write into it can have files within the roots replaced.
    pub fn new(roots: Vec<PathBuf>, state: PathBuf) -> Self {
        Self::with_limits(roots, state, Limits::default())
    }

    pub fn with_limits(roots: Vec<PathBuf>, state: PathBuf, limits: Limits) -> Self {
        Self { roots: Roots::new(roots), guard: Guard::new(&state), state: State::new(state, limits) }
    }

    /// Places besides its own directory that it refuses to touch, even within the roots: files, and directories
    /// with all that is below them. They need not exist, and may be links; what they lead to is meant, too.
    #[must_use]
    pub fn guarding(mut self, paths: Vec<PathBuf>) -> Self {
        self.guard.add(paths);
        self
    }

    /// Writes all files of the plan, or none. What can be known to fail is told before anything is written.
    ///
    /// `leave` is asked for every file, and only if it says yes to all is any of them touched. Files that would not
    /// change are checked and then left alone.
    pub fn write(&self, plan: Plan, leave: &dyn Fn(&Path) -> bool) -> Result<Receipt, WriteError> {
        let limits = &self.state.limits;
        plan.check(&self.roots, &self.guard.now(), limits)?;
        if let Some(change) = plan.changes.iter().find(|change| !leave(&change.path)) {
            return Err(WriteError::NotCleared(change.path.clone()));
        }
        let _lock = self.state.open()?;
        self.settle(&plan)?;

        let dirs = Dirs::new(&self.roots);
        let checked = check(&dirs, plan.changes, limits);
        let mut checked = checked.map_err(|error| self.undone_before(plan.undoes.as_deref(), error))?;
        if checked.files.is_empty() {
            return Err(WriteError::NothingToWrite);
        }
        let undone = plan.undoes.as_deref().and_then(|id| self.state.receipt(id));
        if let Some(undone) = &undone {
            checked.give_back(undone);
        }
        let emptied: HashSet<&Path> = checked.files.iter().flat_map(|file| file.path.ancestors()).collect();
        let made = undone.into_iter().flat_map(|receipt| receipt.made);
        let unmade = made.filter(|made| emptied.contains(made.as_path())).collect();
        let receipt = Receipt {
            format: FORMAT,
            id: fresh_id(),
            at: rfc3339(SystemTime::now()),
            label: prefix(&plan.label, LABEL).to_owned(),
            undoes: plan.undoes,
            files: std::mem::take(&mut checked.files),
            made: std::mem::take(&mut checked.made).into_iter().collect(),
            unmade,
        };
        carry_out(&self.state, &dirs, &receipt, checked)?;
        if let Err(error) = self.state.retain() {
            tracing::warn!(%error, "old receipts could not be dropped");
        }
        Ok(receipt)
    }

    /// Receipts whose files lie within the roots, newest first.
    pub fn receipts(&self) -> Result<Vec<Receipt>, WriteError> {
        let mut receipts = self.state.receipts()?;
        receipts.retain(|receipt| self.is_ours(receipt));
        Ok(receipts)
    }

    pub fn receipt(&self, id: &str) -> Result<Receipt, WriteError> {
        let found = self.state.receipt(id).filter(|receipt| self.is_ours(receipt));
        found.ok_or_else(|| WriteError::NoReceipt(prefix(id, LABEL).to_owned()))
    }

    /// What takes a write back. It is written like any other plan, and its own receipt can be taken back, too.
    pub fn undoing(&self, id: &str) -> Result<Plan, WriteError> {
        let (receipt, guarded) = (self.receipt(id)?, self.guard.now());
        if let Some(file) = receipt.files.iter().find(|file| guarded.holds(&file.path)) {
            return Err(WriteError::OwnState(file.path.clone()));
        }
        let (mut changes, mut start) = (Vec::new(), 0_u64);
        for (number, file) in receipt.files.iter().enumerate() {
            let old = self.state.old_version_at(&receipt, number, start);
            start = start.saturating_add(file.size);
            let not_kept = || WriteError::NotKept(id.to_owned());
            let after = file.before.map(|_| old.ok_or_else(not_kept)).transpose()?;
            let (path, before, mode) = (file.path.clone(), file.after, file.mode);
            let diff = file.diff.as_deref().and_then(reversed);
            changes.push(Change { path, before, after, like: None, mode, diff });
        }
        Ok(Plan { label: format!("undo {}", receipt.label), undoes: Some(receipt.id), changes })
    }

    /// Files that are not what they were because the same write was taken back before say so.
    fn undone_before(&self, undoes: Option<&str>, error: WriteError) -> WriteError {
        let (Some(id), WriteError::Changed { .. }) = (undoes, &error) else { return error };
        // Who cannot be asked cannot say; the error is true in any case.
        let receipts = self.receipts().unwrap_or_default();
        let later = |id: &str| {
            receipts.iter().find(|later| later.undoes.as_deref() == Some(id) && later.id.as_str() > id)
        };
        // What was taken back an odd number of times is taken back. Each receipt is younger than the one before it.
        let (mut first, mut steps, mut at) = (None, 0_usize, id);
        while let Some(receipt) = later(at) {
            first = first.or(Some(&receipt.id));
            steps += 1;
            at = &receipt.id;
        }
        match first.filter(|_| steps % 2 == 1) {
            Some(by) => WriteError::UndoneBefore { id: id.to_owned(), by: by.clone() },
            None => error,
        }
    }

    /// Brings unfinished writes within the roots to an end, and says what was done. Called at the start.
    pub fn recover(&self) -> Result<Vec<Recovered>, WriteError> {
        // A journal that somebody writes just now makes this wait: under the lock, it is gone or its writer is dead.
        if self.state.is_settled()? {
            return Ok(Vec::new());
        }
        let _lock = self.state.open()?;
        recover(&self.state, &self.roots, &self.guard.now())
    }

    /// Nothing is written on top of something unfinished.
    fn settle(&self, plan: &Plan) -> Result<(), WriteError> {
        let planned: HashSet<&Path> = plan.changes.iter().map(|change| change.path.as_path()).collect();
        for recovered in recover(&self.state, &self.roots, &self.guard.now())? {
            tracing::warn!(id = recovered.id, outcome = ?recovered.outcome, "found an unfinished write");
            let Outcome::Unfinished { reason } = recovered.outcome else { continue };
            if let Some(path) = recovered.files.iter().find(|path| planned.contains(path.as_path())) {
                return Err(WriteError::UnfinishedBefore { path: path.clone(), id: recovered.id, reason });
            }
        }
        Ok(())
    }

    fn is_ours(&self, receipt: &Receipt) -> bool {
        receipt.files.iter().all(|file| self.roots.hold(&file.path))
    }
}
