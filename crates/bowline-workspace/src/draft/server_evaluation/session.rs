//! One server to oneself, with a draft that is laid over its documents and lifted again. Questions and drafts of
//! others that wait are let in between.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_code::Severity;
use bowline_lsp::{Asker, Life, LspError, Overlay, Readiness, Sheet, Shown};
use bowline_std::fs::read_text_straight;
use futures_util::{StreamExt, stream};

use super::acquire::acquire;
use super::texts::{DraftTexts, sheet};
use super::{Findings, Known, ServerTask, introduced, is_unstable};
use crate::draft::evaluation_run::{CHANGED_MEANWHILE, Run};
use crate::draft::new_files::imports_new;
use crate::draft::{Drafted, Files, Proof};
use crate::fleet::Assigned;
use crate::query::{TextLender, Unserved, is_worth_another_life};
use crate::{Workspace, WorkspaceError};

/// Maximum number of questions put to a server before the first is answered.
const AT_ONCE: usize = 16;
/// The same where questions cannot be given up, and others wait for all of them.
const AT_ONCE_WHILE_OTHERS_WAIT: usize = 4;
/// Questions and drafts of others wait for so long at most.
const MAX_TURN: Duration = Duration::from_millis(1500);
/// An evaluation that was interrupted for others waits for so long at most: each change of turns costs the server a
/// check of everything, so two long evaluations must not take turns as often as a question is let in.
const MAX_TURN_OF_OTHERS: Duration = Duration::from_secs(6);

/// Which texts the server is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::draft) enum Side {
    Before,
    After,
}

/// Why an evaluation ended before everything was compared.
pub(super) enum Ended {
    /// An error was found, and a complete list was not asked for.
    Decided,
    /// The time is over.
    Late,
    Unserved(Unserved),
}

impl<E: Into<Unserved>> From<E> for Ended {
    fn from(error: E) -> Self {
        Self::Unserved(error.into())
    }
}

pub(super) struct Session<'a> {
    pub(super) workspace: &'a Workspace,
    pub(super) life: Arc<Life>,
    pub(super) files: &'a Files,
    pub(super) assigned: &'a Assigned,
    own: BTreeSet<PathBuf>,
    overlay: Option<Overlay>,
    side: Side,
    since: Instant,
    told: u64,
    run: &'a Run,
    slot: (usize, usize),
    /// Files with errors in the draft of which it is not known what they were.
    suspects: Vec<PathBuf>,
    /// What hovers say of types may be true of others of the same name.
    pub(super) may_be_namesakes: bool,
    /// Files that the server had reported problems in before.
    troubled: HashSet<PathBuf>,
    /// The errors that it had published before.
    errors_before: Errors,
    /// Files of which it published other errors while the draft was shown.
    reported: BTreeSet<PathBuf>,
}

/// What a server has published, by file.
type Errors = HashMap<PathBuf, BTreeSet<String>>;

impl<'a> Session<'a> {
    pub(super) async fn begin(
        workspace: &'a Workspace,
        task: &'a ServerTask<'_>,
        run: &'a Run,
        slot: (usize, usize),
    ) -> Result<Self, Unserved> {
        let ServerTask { assigned, files, own, reached } = task;
        let first = files.keys().next().map_or_else(|| assigned.server.root(), |path| path.as_path());
        let patience = run.patience();
        workspace.steer(assigned, first, &patience).await?;
        let (life, overlay) = acquire(workspace, assigned, files, run).await?;
        let session = Self {
            workspace,
            told: workspace.fleet.told(&assigned.server),
            troubled: life.troubled_files().into_iter().collect(),
            errors_before: life.published_errors(),
            reported: BTreeSet::new(),
            files,
            assigned,
            own: own.clone(),
            overlay: Some(overlay),
            side: Side::Before,
            since: Instant::now(),
            run,
            slot,
            suspects: Vec::new(),
            may_be_namesakes: reached.consequences.may_be_namesakes,
            life,
        };
        let doubts = session.caveats(!reached.is_nothing());
        session.update(|findings| findings.doubts.extend(doubts));
        session.show_edited();
        Ok(session)
    }

    /// Lets go of the server.
    pub(super) fn finish(mut self) {
        if self.life.readiness() != Readiness::Ready {
            self.doubt(&format!("`{}` began to read the project again meanwhile", self.life.name()));
        }
        // It may read the project again now, to be rid of the draft.
        drop(self.overlay.take());
        if self.workspace.fleet.told(&self.assigned.server) != self.told {
            self.doubt(CHANGED_MEANWHILE);
        }
    }

    pub(super) fn update(&self, with: impl FnOnce(&mut Findings)) {
        self.run.update(self.slot, with);
    }

    pub(super) fn doubt(&self, what: &str) {
        self.update(|findings| findings.doubts.extend([what.to_owned()]));
    }

    pub(super) fn limit(&self, what: Option<String>) {
        self.run.collected().limits.extend(what);
    }

    /// Says which files are to be compared.
    pub(super) fn plan<'p>(&self, files: impl IntoIterator<Item = &'p PathBuf>) {
        // A file that is removed has nothing to be compared with.
        let is_there = |path: &&PathBuf| self.files.get(*path).is_none_or(|file| file.after.is_some());
        let files: Vec<PathBuf> = files.into_iter().filter(is_there).cloned().collect();
        self.update(|findings| {
            let new = files.into_iter().filter(|path| !findings.after.contains_key(path));
            findings.planned.extend(new.collect::<Vec<_>>());
        });
    }

    /// These are not to be compared here after all.
    pub(super) fn unplan(&self, files: &[PathBuf]) {
        self.update(|findings| {
            for path in files {
                findings.planned.remove(path);
            }
        });
    }

    pub(super) fn run_patience(&self) -> crate::Patience<'static> {
        self.run.patience()
    }

    /// The texts that the server is shown instead of those on disk.
    pub(super) fn shown_files(&self) -> Option<&'a Files> {
        (self.side == Side::After).then_some(self.files)
    }

    pub(super) fn count_compared(&self) -> usize {
        self.run.look(self.slot, |findings| findings.after.len())
    }

    pub(super) fn is_edited(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// Shows the draft, unless it is shown.
    fn lay(&mut self) {
        if self.side == Side::After {
            return;
        }
        let Some(overlay) = &self.overlay else { return };
        self.side = Side::After;
        for (path, file) in self.files {
            if let Some(text) = &file.after {
                let _ = overlay.lay(&sheet(path, text, &self.life, self.assigned));
            }
        }
    }

    /// Shows the files as they are on disk, unless they are shown.
    fn lift(&mut self) {
        if self.side == Side::Before {
            return;
        }
        self.note_reported();
        if let Some(overlay) = &self.overlay {
            overlay.lift();
        }
        self.side = Side::Before;
        self.show_edited();
    }

    fn show_edited(&self) {
        for (path, file) in self.files {
            if let Some(text) = &file.before {
                self.life.show(&sheet(path, text, &self.life, self.assigned));
            }
        }
    }

    /// Shows one side, unless it is shown. Servers check anew after each change, so it is done only to ask something.
    pub(super) fn show(&mut self, side: Side) {
        match side {
            Side::Before => self.lift(),
            Side::After => self.lay(),
        }
    }

    /// Whether others have waited for the server for long enough.
    fn is_turn_over(&self) -> bool {
        let turn = self.since.elapsed();
        (self.life.is_waited_for() && turn >= MAX_TURN)
            || (self.life.is_wanted_back() && turn >= MAX_TURN_OF_OTHERS)
    }

    /// Lets others in that have waited for long enough. What is shown afterwards is what was shown before, in new
    /// versions of the documents.
    pub(super) async fn give_way(&mut self) -> Result<(), Ended> {
        if !self.is_turn_over() {
            return Ok(());
        }
        let side = self.side;
        self.lift();
        drop(self.overlay.take());
        self.overlay = Some(self.life.overlay_again().await);
        self.workspace.catch_up(&self.life).await?;
        self.since = Instant::now();
        if self.workspace.fleet.told(&self.assigned.server) != self.told {
            self.doubt(CHANGED_MEANWHILE);
        }
        self.show_edited();
        self.show(side);
        Ok(())
    }

    /// Asks for the diagnostics of files on one side. What is known already is not asked for again.
    pub(super) async fn check(&mut self, side: Side, paths: &[PathBuf]) -> Result<(), Ended> {
        let mut asked: Vec<PathBuf> = Vec::new();
        for path in paths {
            let is_there =
                self.files.get(path).is_none_or(|file| side == Side::After || file.before.is_some());
            let is_kept =
                self.files.get(path).is_none_or(|file| side == Side::Before || file.after.is_some());
            let is_known = self.run.look(self.slot, |findings| match side {
                Side::Before => findings.before.contains_key(path),
                Side::After => findings.after.contains_key(path),
            });
            if !is_there || !is_kept || is_known {
                continue;
            }
            let remembered = (side == Side::Before)
                .then(|| self.workspace.baselines.get(&self.life, self.told, path))
                .flatten();
            match remembered {
                Some(known) => self.put_down(side, path, known)?,
                None => asked.push(path.clone()),
            }
        }
        while !asked.is_empty() {
            self.give_way().await?;
            self.show(side);
            let size = if self.life.reopens_documents() && self.life.is_waited_for() {
                AT_ONCE_WHILE_OTHERS_WAIT
            } else {
                AT_ONCE
            };
            let batch = asked.drain(..size.min(asked.len())).collect();
            let unanswered = self.ask_about(side, batch).await?;
            asked.splice(0..0, unanswered);
        }
        Ok(())
    }

    /// Puts down the diagnostics of a few files. Ends when others have waited for long enough, and says which files are
    /// left.
    async fn ask_about(&mut self, side: Side, mut left: Vec<PathBuf>) -> Result<Vec<PathBuf>, Ended> {
        let documents = self.documents(left.clone()).await;
        let files = self.files;
        let lender = DraftTexts { files: (side == Side::After).then_some(files), disk: self.disk() };
        let cancellation = self.run.cancellation().clone();
        let stop = cancellation.child_token();
        let asker = Asker { lender: &lender, stop: &stop };
        let life = Arc::clone(&self.life);
        let asking = documents.into_iter().map(|(path, document)| {
            let life = &life;
            async move {
                let known = match document {
                    Ok(shown) => ask(life, shown, asker).await?,
                    Err(why) => Err(why),
                };
                Ok::<_, LspError>((path, known))
            }
        });
        let mut asking = std::pin::pin!(stream::iter(asking).buffer_unordered(AT_ONCE));
        // Dropped before the questions: whatever is not answered by then, the server need not answer.
        let _stop = stop.clone().drop_guard();
        let mut decided = Ok(());
        loop {
            let answer = tokio::select! {
                biased;
                answer = asking.next() => answer,
                () = cancellation.cancelled() => return Err(WorkspaceError::Cancelled.into()),
            };
            let Some(answer) = answer else { return decided.map(|()| left) };
            let (path, known) = answer?;
            left.retain(|other| *other != path);
            if side == Side::Before {
                self.workspace.baselines.put(&self.life, self.told, &path, &known);
            }
            match self.put_down(side, &path, known) {
                Err(Ended::Decided) if self.life.reopens_documents() => decided = Err(Ended::Decided),
                ended => ended?,
            }
            if self.is_turn_over() && !self.life.reopens_documents() {
                return Ok(left);
            }
        }
    }

    /// Whether a drafted file imports one that is not on disk yet, which this server does not see.
    fn is_blind_to(&self, path: &Path) -> bool {
        let Some(text) = self.files.get(path).and_then(|file| file.after.as_deref()) else { return false };
        let is_new = |(new, file): &(&PathBuf, &Drafted)| file.before.is_none() && new.as_path() != path;
        !self.life.sees_new_files()
            && self.files.iter().filter(is_new).any(|(new, _)| imports_new(path, text, new))
    }

    fn put_down(&mut self, side: Side, path: &Path, mut known: Known) -> Result<(), Ended> {
        if side == Side::After && self.is_blind_to(path) {
            let name = self.life.name();
            known = Err(format!("it imports a file that is not on disk yet, which `{name}` does not see"));
        }
        let has_errors = known
            .as_ref()
            .is_ok_and(|(found, _)| found.iter().any(|found| found.severity == Severity::Error));
        let is_compared = self.run.update(self.slot, |findings| {
            let heard = match side {
                Side::Before => &mut findings.before,
                Side::After => &mut findings.after,
            };
            heard.insert(path.to_owned(), known);
            if side == Side::After {
                findings.planned.remove(path);
            }
            findings.before.contains_key(path)
        });
        self.run.report();
        let is_new = self.files.get(path).is_some_and(|file| file.before.is_none());
        match side {
            Side::Before => Ok(()),
            Side::After if is_new && has_errors && !self.run.wants_everything() => Err(Ended::Decided),
            Side::After if !has_errors || is_new => Ok(()),
            Side::After if is_compared => self.decide(path),
            Side::After => {
                self.suspects.push(path.to_owned());
                Ok(())
            }
        }
    }

    /// Ends it if the draft introduces an error in this file.
    pub(super) fn decide(&self, path: &Path) -> Result<(), Ended> {
        let errors = self.run.look(self.slot, |findings| introduced(path, self.files, findings));
        match errors {
            Some(errors) if !self.is_edited(path) && is_unstable(path, &errors) => {
                let name = self.life.name();
                let why = format!("what `{name}` infers there depends on what it was asked before");
                self.update(|findings| {
                    findings.after.insert(path.to_owned(), Err(why));
                });
                Ok(())
            }
            Some(errors) if !errors.is_empty() && !self.run.wants_everything() => Err(Ended::Decided),
            _ => Ok(()),
        }
    }

    pub(super) fn take_suspects(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.suspects)
    }

    /// Those that the server had problems with before: what the draft does about them is told.
    pub(super) fn troubled_among(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        files.iter().filter(|path| self.troubled.contains(*path)).cloned().collect()
    }

    /// Files in which the server found other errors by itself while the draft was shown, and that were not compared.
    pub(super) fn reported_unasked(&mut self) -> Vec<PathBuf> {
        self.note_reported();
        let is_unknown = |path: &&PathBuf| {
            let is_compared = self.run.look(self.slot, |findings| findings.after.contains_key(*path));
            !is_compared && !self.is_edited(path) && self.life.works_on(path)
        };
        self.reported.iter().filter(is_unknown).cloned().collect()
    }

    /// Remembers which files have other errors now than before the draft was shown.
    fn note_reported(&mut self) {
        if self.side == Side::After {
            self.reported.extend(with_other_errors(&self.errors_before, self.life.published_errors()));
        }
    }

    /// Files that were not compared, those first that lie nearest to the edited ones.
    pub(super) fn unseen_nearest_first(&self, mut files: Vec<PathBuf>) -> Vec<PathBuf> {
        files.sort_unstable();
        files.dedup();
        files.retain(|path| {
            let is_compared = self.run.look(self.slot, |findings| findings.after.contains_key(path));
            !is_compared && !self.is_edited(path) && self.workspace.shared.roots.around(path).is_some()
        });
        let near = |path: &PathBuf| {
            let shared =
                |own: &PathBuf| own.components().zip(path.components()).take_while(|(a, b)| a == b).count();
            self.own.iter().map(shared).max().unwrap_or(0)
        };
        files.sort_by_cached_key(|path| (std::cmp::Reverse(near(path)), path.components().count()));
        files
    }

    pub(super) fn disk(&self) -> TextLender {
        TextLender::new(self.workspace.shared.options.max_named_file_bytes)
    }

    /// The documents to ask about: the drafted ones as they are shown, others from disk, opened only where they must be.
    async fn documents(&self, paths: Vec<PathBuf>) -> Vec<(PathBuf, Result<Shown, String>)> {
        let (life, most) = (Arc::clone(&self.life), self.workspace.shared.options.max_named_file_bytes);
        let all = paths.clone();
        let edited: BTreeMap<PathBuf, ()> = self.files.keys().map(|path| (path.clone(), ())).collect();
        let reading = tokio::task::spawn_blocking(move || {
            let document = |path: PathBuf| {
                if let Some(shown) = life.shown(&path) {
                    // It was just compared with the disk.
                    return (path, Ok(shown));
                }
                let Some(language) = life.language_of(&path).filter(|_| !edited.contains_key(&path)) else {
                    return (path, Err("the language server does not read it".to_owned()));
                };
                let document = match read_text_straight(&path, most) {
                    Ok((text, _)) => {
                        let sheet = Sheet { path: path.clone(), language, text: text.into() };
                        Ok(life.unopened(&sheet).unwrap_or_else(|| life.show(&sheet)))
                    }
                    Err(_) => Err("it could not be read".to_owned()),
                };
                (path, document)
            };
            paths.into_iter().map(document).collect()
        });
        let lost = |path| (path, Err("it could not be read".to_owned()));
        reading.await.unwrap_or_else(|_| all.into_iter().map(lost).collect())
    }
}

/// Asks about one document. One that was not opened, and that the server does not know so, is opened.
async fn ask(life: &Arc<Life>, shown: Shown, asker: Asker<'_>) -> Result<Known, LspError> {
    let mut said = life.diagnose_draft(&shown, asker).await;
    if said.is_err() && life.shown(&shown.path).is_none() {
        let Shown { path, language, text, .. } = shown;
        let opened = life.show(&Sheet { path, language, text });
        said = life.diagnose_draft(&opened, asker).await;
    }
    match said {
        Ok(found) => Ok(Ok((found.diagnostics, Proof::from(found.evidence)))),
        Err(error) if is_worth_another_life(&error.fault) => Err(error),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// The files that have errors now, and not the same as before.
fn with_other_errors(before: &Errors, now: Errors) -> impl Iterator<Item = PathBuf> {
    let has_others = |(path, errors): &(PathBuf, BTreeSet<String>)| before.get(path) != Some(errors);
    now.into_iter().filter(has_others).map(|(path, _)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_new_errors_are_noticed_whatever_was_said_of_them_before() {
        let errors = |files: &[(&str, &[&str])]| -> Errors {
            let texts = |errors: &[&str]| errors.iter().map(|error| (*error).to_owned()).collect();
            files.iter().map(|(path, errors)| (PathBuf::from(path), texts(errors))).collect()
        };
        let before = errors(&[
            ("/same", &["1 no"]),
            ("/more", &["1 no"]),
            ("/fewer", &["1 no", "2 no"]),
            ("/gone", &["1 no"]),
        ]);
        let now = errors(&[
            ("/same", &["1 no"]),
            ("/more", &["1 no", "2 no"]),
            ("/fewer", &["1 no"]),
            ("/new", &["1 no"]),
        ]);
        let found: BTreeSet<PathBuf> = with_other_errors(&before, now).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["/fewer", "/more", "/new"].map(PathBuf::from));
    }
}
