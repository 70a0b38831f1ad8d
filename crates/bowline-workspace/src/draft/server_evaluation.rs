//! A draft at one language server, in steps, the cheapest proof first: the edited files; then what the server infers of
//! the declarations that may have changed; then the files that refer to those that have, nearest first. Each step can
//! end it.
//!
//! Files are seen before and after: the draft is laid over the server's documents and lifted again. Whatever can be
//! asked on one side is asked before the sides are changed, because a server checks anew after each change.

mod acquire;
mod caveats;
mod session;
mod texts;
mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bowline_code::{Diagnostic, Severity};
use bowline_lsp::Fault;

use super::affected::{Candidate, Target};
use super::compare::compare;
use super::evaluation_run::Run;
use super::reach::Reached;
use super::{Files, Proof};
use crate::fleet::Assigned;
use crate::query::{Unserved, is_worth_another_life};
use crate::{Workspace, WorkspaceError};
use session::{Ended, Session, Side};
pub(super) use texts::DraftTexts;

/// How often the files that refer to a declaration may turn out to change declarations of their own.
const MAX_ROUNDS: usize = 6;
/// Maximum number of declarations whose uses are looked for at once.
const MAX_TARGETS: usize = 100;
/// Maximum number of declarations that are looked at because they may change with others.
const MAX_CANDIDATES: usize = 200;
/// Maximum number of files that are compared besides the edited ones.
const MAX_FILES: usize = 500;
/// Files that are checked before those that have errors are compared with what they were.
const CHUNKS: [usize; 3] = [4, 16, 64];

/// The diagnostics of a file and the proof, or why nothing is known.
pub(super) type Known = Result<(Vec<Diagnostic>, Proof), String>;
/// The same of several files.
pub(super) type Heard = BTreeMap<PathBuf, Known>;

/// What a server, or a compiler, said of one stage of a draft.
#[derive(Debug, Default, Clone)]
pub(super) struct Findings {
    /// Of the files on disk. Files that have no errors in the draft need not be here.
    pub(super) before: Heard,
    /// Of the draft.
    pub(super) after: Heard,
    pub(super) doubts: BTreeSet<String>,
    /// Files that are still to be compared.
    pub(super) planned: BTreeSet<PathBuf>,
    /// Names of the declarations that changed, or may have.
    pub(super) changed_names: BTreeSet<String>,
    /// Files that use what was changed, and that another server reads.
    pub(super) elsewhere: BTreeSet<PathBuf>,
    /// Files that would have to be compared as well.
    pub(super) left_out: usize,
    pub(super) timed_out: bool,
}

/// What is asked of one server.
pub(super) struct ServerTask<'a> {
    pub(super) assigned: Assigned,
    /// Everything that the server is shown.
    pub(super) files: &'a Files,
    /// The drafted files that are asked about. Another server may know the others better.
    pub(super) own: BTreeSet<PathBuf>,
    /// What others can see of the edits.
    pub(super) reached: Reached,
}

impl Workspace {
    /// Evaluates a draft at a server. What is found is put down in the run as it comes.
    pub(super) async fn evaluate_at_server(
        &self,
        task: &ServerTask<'_>,
        run: &Run,
        slot: (usize, usize),
    ) -> Result<(), WorkspaceError> {
        for is_last in [false, true] {
            let ended = match Session::begin(self, task, run, slot).await {
                Ok(mut session) => {
                    let ended = session.evaluate(task).await;
                    session.finish();
                    ended
                }
                Err(unserved) => Err(Ended::Unserved(unserved)),
            };
            match ended {
                Ok(()) | Err(Ended::Decided) => return Ok(()),
                Err(Ended::Late) => {
                    run.update(slot, |findings| findings.timed_out = true);
                    return Ok(());
                }
                // One that was stopped on purpose is not started again for this.
                Err(Ended::Unserved(Unserved::Server(error)))
                    if !is_last
                        && is_worth_another_life(&error.fault)
                        && !matches!(error.fault, Fault::Stopped) =>
                {
                    run.update(slot, |findings| *findings = Findings::default());
                }
                Err(Ended::Unserved(Unserved::Server(error))) => return Err(WorkspaceError::Server(error)),
                Err(Ended::Unserved(Unserved::Caller(error))) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Session<'_> {
    async fn evaluate(&mut self, task: &ServerTask<'_>) -> Result<(), Ended> {
        let own: Vec<PathBuf> = task.own.iter().cloned().collect();
        let reached = &task.reached;
        self.plan(own.iter().chain(&reached.files));
        // The edited files, and what the server infers of the declarations in them.
        self.check(Side::Before, &own).await?;
        let mut candidates: BTreeSet<Candidate> = reached.consequences.candidates.clone();
        let mut was = self.hovers(Side::Before, &candidates).await?;
        self.check(Side::After, &own).await?;
        let mut seen: BTreeSet<Target> = BTreeSet::new();
        let mut targets: BTreeSet<Target> = reached.consequences.targets.clone();
        targets.extend(self.changed_among(&candidates, &was, &targets).await?);
        self.check_others(reached.files.clone()).await?;
        for round in 0.. {
            let reported = self.reported_unasked();
            targets.retain(|target| seen.insert(Target { after: None, ..target.clone() }));
            let names: Vec<String> = targets.iter().map(|target| target.name.clone()).collect();
            self.update(|findings| findings.changed_names.extend(names));
            if targets.is_empty() && reported.is_empty() {
                return Ok(());
            }
            if round == MAX_ROUNDS || targets.len() > MAX_TARGETS {
                return self.check_importers().await;
            }
            // Before: who uses what has changed, and what was inferred of those that may change with it.
            let mut used = self.uses_of(&targets).await?;
            used.files.extend(reported);
            if used.candidates.len() > MAX_CANDIDATES {
                return self.check_importers().await;
            }
            candidates = used.candidates;
            was = self.hovers(Side::Before, &candidates).await?;
            let troubled = self.troubled_among(&used.files);
            self.check(Side::Before, &troubled).await?;
            // After: what the draft makes of all of them.
            self.check_others(used.files).await?;
            targets = self.changed_among(&candidates, &was, &seen).await?;
            targets.extend(used.targets);
        }
        Ok(())
    }

    /// Compares all files that import the edited ones, and those that import them: too much follows from the edit to be
    /// followed by declaration.
    async fn check_importers(&mut self) -> Result<(), Ended> {
        // Without annotations it would be most of a project, and what is inferred there depends on the order of questions.
        if self.assigned.language == "python" {
            self.doubt("the edit changes declarations that change others in turn, and not all were followed");
            return Ok(());
        }
        let edited = self.files.keys().cloned().collect();
        let importers = self.importers_of(edited).await?;
        self.check_others(importers).await
    }

    /// Compares other files, nearest first, in chunks: after each, those with errors are compared with what they were.
    async fn check_others(&mut self, files: Vec<PathBuf>) -> Result<(), Ended> {
        // Only those are planned again that this server is asked about.
        self.unplan(&files);
        let (files, elsewhere): (Vec<PathBuf>, Vec<PathBuf>) =
            files.into_iter().partition(|path| self.life.language_of(path).is_some());
        self.update(|findings| findings.elsewhere.extend(elsewhere));
        let mut left = self.unseen_nearest_first(files);
        let room = MAX_FILES.saturating_sub(self.count_compared());
        if left.len() > room {
            let beyond = left.len() - room;
            self.update(|findings| findings.left_out += beyond);
            left.truncate(room);
        }
        self.plan(&left);
        let mut sizes = CHUNKS.into_iter();
        let mut size = CHUNKS[0];
        while !left.is_empty() {
            size = sizes.next().unwrap_or(size);
            let chunk: Vec<PathBuf> = left.drain(..size.min(left.len())).collect();
            self.check(Side::After, &chunk).await?;
            self.settle_suspects(&left).await?;
        }
        Ok(())
    }

    /// Compares the files that have errors in the draft with what they were. If that is not known of one of them, it is
    /// found out for the rest as well: a project that has errors has them in many files.
    async fn settle_suspects(&mut self, rest: &[PathBuf]) -> Result<(), Ended> {
        let suspects = self.take_suspects();
        if suspects.is_empty() {
            return Ok(());
        }
        self.check(Side::Before, &suspects).await?;
        for path in &suspects {
            self.decide(path)?;
        }
        self.check(Side::Before, rest).await
    }
}

/// The errors that a draft introduces in one file. `None`: what it was is not known.
pub(super) fn errors_introduced(path: &Path, files: &Files, findings: &Findings) -> Option<usize> {
    introduced(path, files, findings).map(|errors| errors.len())
}

fn introduced(path: &Path, files: &Files, findings: &Findings) -> Option<Vec<Diagnostic>> {
    let Some(Ok((new, _))) = findings.after.get(path) else { return None };
    let is_new = files.get(path).is_some_and(|file| file.before.is_none());
    let old: &[Diagnostic] = match findings.before.get(path) {
        Some(Ok((old, _))) => old,
        None if is_new => &[],
        _ => return None,
    };
    let texts = files.get(path).and_then(|file| Some((file.before.as_deref()?, file.after.as_deref()?)));
    let mut introduced = compare(texts, old, new).introduced;
    introduced.retain(|found| found.severity == Severity::Error);
    Some(introduced)
}

/// Whether errors of other files say nothing of a draft: pyright infers some types in unannotated code otherwise, depending on
/// what it was asked before.
fn is_unstable(path: &Path, errors: &[Diagnostic]) -> bool {
    let is_python = path.extension().is_some_and(|ending| ending == "py" || ending == "pyi");
    is_python && !errors.is_empty() && errors.iter().all(|error| error.message.contains("Unknown"))
}
