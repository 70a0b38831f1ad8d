//! What a server says of files as they are, and as drafts would have them: alone with the server, and so that it sees
//! nothing of it afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_code::Diagnostic;
use bowline_lsp::{Asker, Lender, Life, LspError, Readiness, Sheet, Shown};
use bowline_std::fs::read_text_straight;
use futures_util::StreamExt;
use futures_util::stream;

use super::{Drafted, Files, Proof};
use crate::fleet::Assigned;
use crate::patience::until;
use crate::query::{TextLender, Unserved, is_worth_another_life, late, server_deadline};
use crate::{Patience, Workspace, WorkspaceError};

/// What is left to put together what was heard.
const ASSEMBLING: Duration = Duration::from_millis(50);
/// So many questions are put to a server before the first is answered.
const AT_ONCE: usize = 16;

/// What was heard of files: their problems and the proof, or why nothing is known.
pub(super) type Heard = BTreeMap<PathBuf, Result<(Vec<Diagnostic>, Proof), String>>;

/// What a server, or a compiler, said.
#[derive(Debug, Default)]
pub(super) struct Witnessed {
    /// Of the files on disk.
    pub(super) before: Heard,
    /// Of each stage of the draft, in their order. Fewer if the time was over.
    pub(super) after: Vec<Heard>,
    pub(super) doubts: BTreeSet<String>,
    pub(super) timed_out: bool,
}

/// Who is asked about what.
pub(super) struct Witness<'a> {
    pub(super) assigned: Assigned,
    /// What the server is shown, one after the other.
    pub(super) stages: &'a [Files],
    /// Files that it may affect. They are asked about.
    pub(super) others: Vec<PathBuf>,
    /// The drafted files that are asked about, too. Another server may know the others better.
    pub(super) own: BTreeSet<PathBuf>,
}

impl Workspace {
    /// Shows a server each stage of a draft in turn, and asks.
    pub(super) async fn witness(
        &self,
        witness: &Witness<'_>,
        patience: &Patience<'_>,
    ) -> Result<Witnessed, WorkspaceError> {
        let asked = Instant::now();
        let deadline = server_deadline(patience);
        // What was heard by then is better than nothing.
        let enough = deadline.and_then(|deadline| deadline.checked_sub(ASSEMBLING));
        let witnessing = async {
            match self.witness_once(witness, enough, patience).await {
                Err(Unserved::Server(error)) if is_worth_another_life(&error.fault) => {
                    self.witness_once(witness, enough, patience).await
                }
                first => first,
            }
        };
        // Begun in time, it ends by itself in time; this is for what comes before it begins.
        let witnessed = tokio::select! {
            biased;
            witnessed = witnessing => witnessed,
            () = patience.cancellation.cancelled() => return Err(WorkspaceError::Cancelled),
            () = until(deadline) => return Err(late(&witness.assigned, asked).into_error()),
        };
        witnessed.map_err(|unserved| match unserved {
            Unserved::Caller(error) => error,
            Unserved::Server(error) => WorkspaceError::Server(error),
        })
    }

    async fn witness_once(
        &self,
        witness: &Witness<'_>,
        deadline: Option<Instant>,
        patience: &Patience<'_>,
    ) -> Result<Witnessed, Unserved> {
        let Witness { assigned, stages, others, own } = witness;
        let edited = edited(stages);
        let first = edited.keys().next().map_or_else(|| assigned.server.root(), |path| path.as_path());
        self.steer(assigned, first, patience).await?;
        let life = self.alive(&assigned.server).await?;
        self.make_ready(&life, assigned, &edited, deadline).await;

        let overlay = life.overlay().await;
        self.catch_up(&life).await?;
        let told = self.fleet.told(&assigned.server);
        let lender = TextLender::new(self.shared.options.max_named_file_bytes);
        let asker = Asker { lender: &lender, stop: &patience.cancellation };
        let most = self.shared.options.max_named_file_bytes;
        let mut witnessed = Witnessed { doubts: caveats(&life, witness, &edited), ..Witnessed::default() };
        let (others, unshown) = self.show_from_disk(&life, others.clone(), most).await;
        let mut asked_about = others.clone();
        for (path, file) in &edited {
            if let Some(text) = &file.before {
                let shown = life.show(&sheet(path, text, &life, assigned));
                asked_about.extend(own.contains(path).then_some(shown));
            }
        }
        let troubled: BTreeSet<PathBuf> = life.troubled_files().into_iter().collect();
        (witnessed.before, witnessed.timed_out) = hear(&life, asked_about, asker, deadline).await?;
        let unshown = unshown.into_iter().map(|path| (path, Err("it could not be read".to_owned())));
        witnessed.before.extend(unshown);

        for stage in *stages {
            let mut shown = others.clone();
            for (path, file) in stage {
                match &file.after {
                    Some(text) => {
                        let laid = overlay.lay(&sheet(path, text, &life, assigned));
                        shown.extend(own.contains(path).then_some(laid));
                    }
                    // It is not there on disk either.
                    None if file.before.is_none() => {}
                    None => witnessed.not_shown(path, &life),
                }
            }
            let lender = DraftLender::new(stage, most);
            let asker = Asker { lender: &lender, ..asker };
            let (heard, timed_out) = hear(&life, current(&life, shown), asker, deadline).await?;
            // Told of unasked, while the draft was shown.
            let is_news = |path: &PathBuf| {
                !troubled.contains(path) && !heard.contains_key(path) && !stage.contains_key(path)
            };
            for path in life.troubled_files().into_iter().filter(is_news) {
                let name = life.name();
                witnessed.doubts.insert(format!("`{name}` reports problems in `{}` as well", path.display()));
            }
            witnessed.after.push(heard);
            witnessed.timed_out |= timed_out;
            if timed_out {
                break;
            }
        }
        if life.readiness() != Readiness::Ready {
            witnessed.doubts.insert(format!("`{}` began to read the project again meanwhile", life.name()));
        }
        // It may read the project again now, to be rid of the draft.
        drop(overlay);
        if self.fleet.told(&assigned.server) != told {
            witnessed.doubts.insert("files of the project were changed while the draft was evaluated".into());
        }
        Ok(witnessed)
    }

    /// Waits until the server has seen the project. It is shown a file for that, as it is on disk.
    async fn make_ready(
        &self,
        life: &Arc<Life>,
        assigned: &Assigned,
        edited: &Files,
        deadline: Option<Instant>,
    ) {
        let existing = edited.iter().find_map(|(path, file)| Some((path, file.before.as_ref()?)));
        let shown = existing.map(|(path, text)| life.show(&sheet(path, text, life, assigned)));
        // It need not settle: each file is asked about by itself, and the answer is about the texts that were sent before.
        let ready = life.ready(shown.as_ref());
        // Half of the time at most: what is found by then is better than nothing.
        match deadline {
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                let _ = tokio::time::timeout(left / 2, ready).await;
            }
            None => ready.await,
        }
    }

    /// Shows files as they are on disk, and says which could not be shown.
    async fn show_from_disk(
        &self,
        life: &Arc<Life>,
        files: Vec<PathBuf>,
        most: u64,
    ) -> (Vec<Shown>, Vec<PathBuf>) {
        let (life, all) = (Arc::clone(life), files.clone());
        let showing = tokio::task::spawn_blocking(move || {
            let show = |path: PathBuf| {
                if let Some(shown) = life.shown(&path) {
                    // It was just compared with the disk.
                    return Ok(shown);
                }
                let Some(language) = life.language_of(&path) else { return Err(path) };
                match read_text_straight(&path, most) {
                    Ok((text, _)) => Ok(life.show(&Sheet { path, language, text: text.into() })),
                    Err(_) => Err(path),
                }
            };
            let (shown, unshown): (Vec<_>, Vec<_>) = files.into_iter().map(show).partition(Result::is_ok);
            (shown.into_iter().flatten().collect(), unshown.into_iter().filter_map(Result::err).collect())
        });
        showing.await.unwrap_or_else(|_| (Vec::new(), all))
    }
}

/// Lends the texts of a draft, and others from the disk.
pub(super) struct DraftLender<'a> {
    files: &'a Files,
    disk: TextLender,
}

impl<'a> DraftLender<'a> {
    pub(super) fn new(files: &'a Files, most: u64) -> Self {
        Self { files, disk: TextLender::new(most) }
    }
}

impl Lender for DraftLender<'_> {
    fn text(&self, path: &Path) -> Option<Arc<str>> {
        match self.files.get(path) {
            Some(file) => file.after.clone(),
            None => self.disk.text(path),
        }
    }
}

impl Witnessed {
    fn not_shown(&mut self, path: &Path, life: &Life) {
        self.doubts.insert(format!(
            "`{}` cannot be shown that `{}` is gone",
            life.name(),
            path.file_name().unwrap_or_default().to_string_lossy()
        ));
    }
}

/// What stands between this server and proof, whatever it says.
fn caveats(life: &Life, witness: &Witness<'_>, edited: &Files) -> BTreeSet<String> {
    let name = life.name();
    let mut doubts = BTreeSet::new();
    if life.readiness() != Readiness::Ready {
        doubts.insert(format!("`{name}` has not seen the whole project yet"));
    }
    if !life.judges_drafts() {
        doubts.insert(format!("`{name}` leaves a part of the checks to the compiler, which reads files"));
    }
    if let Err(flag) = life.shares_open_files()
        && !witness.others.is_empty()
    {
        doubts.insert(format!("other files do not see the draft: `{name}` runs without {flag}"));
    }
    if edited.values().any(|file| file.before.is_none()) && !life.sees_new_files() {
        doubts.insert(format!(
            "`{name}` does not see files that are not on disk yet: what imports them looks broken to it"
        ));
    }
    if let Some(scope) = life.scope() {
        let root = witness.assigned.server.root();
        let is_beyond = |path: &&PathBuf| !scope.covers(root, path);
        let beyond = witness.others.iter().chain(edited.keys()).filter(is_beyond).count();
        if beyond > 0 {
            doubts.insert(format!(
                "`{name}` is limited to a part of the project, and {beyond} of the files lie beyond it"
            ));
        }
    }
    doubts
}

/// Every file that any stage changes, with what is on disk.
fn edited(stages: &[Files]) -> Files {
    let mut all = Files::new();
    for (path, file) in stages.iter().flatten() {
        all.entry(path.clone()).or_insert_with(|| Drafted { after: None, ..file.clone() });
    }
    all
}

fn sheet(path: &Path, text: &Arc<str>, life: &Life, assigned: &Assigned) -> Sheet {
    let language = life.language_of(path).unwrap_or_else(|| assigned.language.clone());
    Sheet { path: path.to_owned(), language, text: Arc::clone(text) }
}

/// The documents as the server has them now: their versions may have gone on since.
fn current(life: &Life, shown: Vec<Shown>) -> Vec<Shown> {
    shown.into_iter().map(|shown| life.shown(&shown.path).unwrap_or(shown)).collect()
}

/// Asks about all of them, until the time is over.
async fn hear(
    life: &Arc<Life>,
    shown: Vec<Shown>,
    asker: Asker<'_>,
    deadline: Option<Instant>,
) -> Result<(Heard, bool), LspError> {
    let mut heard: Heard =
        shown.iter().map(|shown| (shown.path.clone(), Err("no answer came in time".to_owned()))).collect();
    let asking = shown.into_iter().map(|shown| async move {
        let said = life.diagnose_draft(&shown, asker).await;
        (shown.path, said)
    });
    let mut asking = std::pin::pin!(stream::iter(asking).buffer_unordered(AT_ONCE));
    loop {
        let said = tokio::select! {
            biased;
            said = asking.next() => said,
            () = until(deadline) => return Ok((heard, true)),
        };
        let Some((path, said)) = said else {
            return Ok((heard, false));
        };
        let said = match said {
            Ok(found) => Ok((found.diagnostics, Proof::from(found.evidence))),
            Err(error) if is_worth_another_life(&error.fault) => return Err(error),
            Err(error) => Err(error.to_string()),
        };
        heard.insert(path, said);
    }
}
