//! The checkers that every bowline has.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::completion::{
    CommandEnd, CommandNeed, CompletionChecker, CompletionContext, CompletionResult, Need,
};
use super::feedback::cut;
use super::trigger::{BadFile, check_file};
use crate::RuleFailed;

/// So many are named of a list.
const MOST_NAMED: usize = 3;
const MOST_TITLE: usize = 100;

/// Every step of the plan must be done. Without a plan nothing is.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlanChecker;

impl CompletionChecker for PlanChecker {
    fn check(&self, context: &CompletionContext<'_>) -> Result<CompletionResult, RuleFailed> {
        let Some(plan) = context.ledger.plan() else {
            return Ok(CompletionResult::incomplete("there is no plan yet: call update_plan with its steps"));
        };
        let open: Vec<_> = plan.open().map(|step| step.title.as_str()).collect();
        if open.is_empty() {
            return Ok(CompletionResult::ok());
        }
        let (count, all) = (open.len(), plan.steps.len());
        Ok(CompletionResult::incomplete(format!(
            "{count} of {all} steps of the plan {} not done: {}",
            if count == 1 { "is" } else { "are" },
            named(&open)
        )))
    }
}

/// These files must exist below the roots.
#[derive(Debug, Clone)]
pub struct FilesExist {
    files: Vec<String>,
}

impl FilesExist {
    pub fn new<F: Into<String>>(files: impl IntoIterator<Item = F>) -> Result<Self, BadFile> {
        let files: Vec<String> = files.into_iter().map(Into::into).collect();
        files.iter().try_for_each(|file| check_file(file))?;
        Ok(Self { files })
    }
}

impl CompletionChecker for FilesExist {
    fn check(&self, context: &CompletionContext<'_>) -> Result<CompletionResult, RuleFailed> {
        let is_there = |file: &&String| context.found.file(&PathBuf::from(file)) == Some(true);
        let missing: Vec<_> = self.files.iter().filter(|file| !is_there(file)).map(String::as_str).collect();
        Ok(match missing.len() {
            0 => CompletionResult::ok(),
            1 => CompletionResult::incomplete(format!("a file is missing: {}", named(&missing))),
            count => CompletionResult::incomplete(format!("{count} files are missing: {}", named(&missing))),
        })
    }

    fn needs(&self) -> Vec<Need> {
        self.files.iter().map(|file| Need::File(file.into())).collect()
    }
}

/// A command must exit with code 0.
#[derive(Debug, Clone)]
pub struct CommandSucceeds {
    need: CommandNeed,
    /// Why it is not run.
    withheld: Option<String>,
}

impl CommandSucceeds {
    pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(300);

    pub fn new(line: impl Into<String>, timeout: Duration) -> Self {
        Self { need: CommandNeed { line: line.into(), timeout }, withheld: None }
    }

    /// The same, which is not run, and why.
    #[must_use]
    pub fn withheld(mut self, why: impl Into<String>) -> Self {
        self.withheld = Some(why.into());
        self
    }
}

impl CompletionChecker for CommandSucceeds {
    fn check(&self, context: &CompletionContext<'_>) -> Result<CompletionResult, RuleFailed> {
        let line = &self.need.line;
        if let Some(why) = &self.withheld {
            return Ok(CompletionResult::incomplete(format!("`{line}` was not run: {why}")));
        }
        let Some(CommandEnd { well, how, tail }) = context.found.command(&self.need) else {
            return Err(RuleFailed(format!("nobody could run `{line}`")));
        };
        Ok(match (well, tail.is_empty()) {
            (true, _) => CompletionResult::ok(),
            (false, true) => CompletionResult::incomplete(format!("`{line}` {how}")),
            (false, false) => CompletionResult::incomplete(format!("`{line}` {how}:\n{tail}")),
        })
    }

    fn needs(&self) -> Vec<Need> {
        if self.withheld.is_some() { Vec::new() } else { vec![Need::Command(self.need.clone())] }
    }
}

/// Several checkers as one.
#[derive(Clone)]
pub struct Composite {
    checkers: Vec<Arc<dyn CompletionChecker>>,
    all_must_pass: bool,
}

/// Nothing to check says nothing about whether it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is nothing to check: name at least one checker")]
pub struct NothingToCheck;

impl Composite {
    /// Every one of them must be content.
    pub fn all(checkers: Vec<Arc<dyn CompletionChecker>>) -> Result<Self, NothingToCheck> {
        if checkers.is_empty() { Err(NothingToCheck) } else { Ok(Self::of(checkers, true)) }
    }

    /// One of them is enough.
    pub fn any(checkers: Vec<Arc<dyn CompletionChecker>>) -> Result<Self, NothingToCheck> {
        if checkers.is_empty() { Err(NothingToCheck) } else { Ok(Self::of(checkers, false)) }
    }

    /// Of checkers that are known to be some. None at all is never content.
    pub fn of(checkers: Vec<Arc<dyn CompletionChecker>>, all_must_pass: bool) -> Self {
        Self { checkers, all_must_pass }
    }
}

impl CompletionChecker for Composite {
    /// Every checker is asked, so that everything that is left is said at once.
    fn check(&self, context: &CompletionContext<'_>) -> Result<CompletionResult, RuleFailed> {
        let (mut left, mut passed) = (Vec::new(), 0);
        for checker in &self.checkers {
            match checker.check(context) {
                Ok(CompletionResult { complete: true, .. }) => passed += 1,
                Ok(CompletionResult { feedback, .. }) => left.extend(feedback),
                Err(failed) => left.push(format!("a checker failed: {failed}")),
            }
        }
        let enough = if self.all_must_pass { self.checkers.len().max(1) } else { 1 };
        if passed >= enough {
            return Ok(CompletionResult::ok());
        }
        let joint = if self.all_must_pass { "\n" } else { "\nor: " };
        Ok(CompletionResult { complete: false, feedback: (!left.is_empty()).then(|| left.join(joint)) })
    }

    fn needs(&self) -> Vec<Need> {
        self.checkers.iter().flat_map(|checker| checker.needs()).collect()
    }
}

/// The first few, and dots for the others.
fn named(all: &[&str]) -> String {
    let shown = all.iter().take(MOST_NAMED).map(|one| {
        let mut one = one.to_string();
        cut(&mut one, MOST_TITLE);
        format!("`{one}`")
    });
    let more = (all.len() > MOST_NAMED).then(|| "...".to_owned());
    shown.chain(more).collect::<Vec<_>>().join(", ")
}
