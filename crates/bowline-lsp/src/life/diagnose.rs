//! What is wrong with a document, with the evidence that it is about this very text, in this very world.
//!
//! A server is asked where it can be asked; otherwise we wait for what it publishes, and know by its version that it
//! speaks of our text. Nothing is answered from before the last change, and silence is not a clean bill.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use bowline_code::Diagnostic;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::requests::Asker;
use super::{Life, about};
use crate::answers::Reader;
use crate::board::{Board, Published};
use crate::capabilities::Changes;
use crate::documents::Notice;
use crate::{Fault, LspError, Reach, Sheet, Shown};

/// A server that gives no versions has said everything when it has said nothing more for so long.
const QUIET: Duration = Duration::from_millis(700);
/// The same, for a server that gives versions and now says that there is nothing, without one: that may be its last
/// word on a document that was closed, and is open again.
const QUIET_ALL_THE_SAME: Duration = Duration::from_secs(3);
/// The compiler begins within this time after a file was saved.
const CHECK_BEGINS: Duration = Duration::from_secs(3);
/// One that ran already when the file was saved is ended and begins anew within this time.
const CHECK_BEGINS_ANEW: Duration = Duration::from_millis(60);

/// How we know that diagnostics are about the text as it is. Best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// The server was asked, and answered.
    Pulled,
    /// The server published them for this version.
    Versioned,
    /// The server published them after the last change, and then was quiet. It may have had more to say.
    Quiet,
}

impl Evidence {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pulled => "pulled",
            Self::Versioned => "versioned",
            Self::Quiet => "quiet",
        }
    }
}

/// Which text is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// That of the file: a compiler that reads files can be asked as well.
    Disk,
    /// One that only the server is shown.
    Draft,
}

/// The diagnostics of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosed {
    pub path: PathBuf,
    pub diagnostics: Vec<Diagnostic>,
    pub evidence: Evidence,
}

/// What was sent about each document, and what has been proved since.
#[derive(Debug, Default)]
pub(crate) struct Proofs {
    sent: HashMap<PathBuf, Sent>,
    /// The world in which the compiler last ran to its end.
    checked: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Sent {
    version: i64,
    world: u64,
    /// What had been published before it was sent.
    arrivals: u64,
    /// It was opened with this version.
    is_opened: bool,
}

/// What a publication proves.
enum Proof {
    None,
    /// Something, if nothing more comes for so long.
    Soon(Duration),
    Given(Evidence, Published),
}

impl Proofs {
    fn sent(&mut self, path: &Path, sent: Sent) {
        self.sent.insert(path.to_owned(), sent);
    }

    pub(super) fn forget(&mut self, is_closed: impl Fn(&Path) -> bool) {
        self.sent.retain(|path, _| !is_closed(path));
    }
}

impl Life {
    pub(super) fn proofs(&self) -> MutexGuard<'_, Proofs> {
        self.proofs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers what the board showed before a version was sent with these notices.
    pub(super) fn note_sent(&self, shown: &Shown, world: u64, notices: &[Notice]) {
        let is_opening = |(method, params): &Notice| {
            *method == "textDocument/didOpen" && params["textDocument"]["uri"] == *shown.uri
        };
        let (arrivals, is_opened) = (self.board.arrivals(), notices.iter().any(is_opening));
        self.proofs().sent(&shown.path, Sent { version: shown.version, world, arrivals, is_opened });
    }

    /// Fresh diagnostics of an open document. Waits for as long as it takes: whoever cannot drops the future.
    pub async fn diagnose(self: &Arc<Self>, shown: &Shown, asker: Asker<'_>) -> Result<Diagnosed, LspError> {
        self.diagnose_text(Of::Disk, shown, asker).await
    }

    /// The same for a document of which a draft is shown: without what a compiler finds on disk.
    pub async fn diagnose_draft(
        self: &Arc<Self>,
        shown: &Shown,
        asker: Asker<'_>,
    ) -> Result<Diagnosed, LspError> {
        let diagnosed = self.diagnose_text(Of::Draft, shown, asker).await;
        let is_loss = |said: &str| self.quirks().loses_packages.iter().any(|words| said.contains(words));
        let is_lossy = match &diagnosed {
            Ok(found) => found.diagnostics.iter().any(|found| is_loss(&found.message)),
            Err(error) => is_loss(&error.to_string()),
        };
        if is_lossy {
            self.has_lost_packages.store(true, Ordering::Relaxed);
        }
        diagnosed
    }

    /// A file as the server reads it from disk, to ask for its diagnostics without opening it. `None`: it has to be opened.
    pub fn unopened(&self, sheet: &Sheet) -> Option<Shown> {
        let can = if self.quirks().asks_tsserver {
            self.passes_on_to_tsserver()
        } else {
            self.supports("textDocument/diagnostic", Some((&sheet.path, &sheet.language)))
        };
        (self.quirks().diagnoses_closed_files && can).then(|| Shown {
            uri: bowline_code::uri::of(&sheet.path),
            path: sheet.path.clone(),
            language: sheet.language.clone(),
            version: 0,
            text: Arc::clone(&sheet.text),
            lines: Arc::new(bowline_code::LineTable::new(&sheet.text)),
        })
    }

    /// Whether it is shown documents anew to be asked about them: whoever has begun that waits for what comes of it.
    pub fn reopens_documents(&self) -> bool {
        self.quirks().needs_reopening
    }

    /// Whether a document that was hovered over in a draft has to be diagnosed before the draft is lifted.
    pub fn believes_hovers(&self) -> bool {
        self.quirks().believes_hovers
    }

    /// Whether it finds by itself what a compiler would find, without a file being saved.
    pub fn judges_drafts(&self) -> bool {
        self.quirks().checks_on_save.is_none()
    }

    /// Whether what a document says counts for other files before it is saved. If not, which flag would make it so.
    pub fn shares_open_files(&self) -> Result<(), &'static str> {
        let Some(flag) = self.quirks().shares_open_files_with else { return Ok(()) };
        match &self.spec.reach {
            Reach::Program { args, .. } if args.iter().any(|arg| arg == flag) => Ok(()),
            _ => Err(flag),
        }
    }

    /// Whether a file that is not on disk is there for other files, once it is shown.
    pub fn sees_new_files(&self) -> bool {
        !self.quirks().reads_imports_from_disk
    }

    pub(super) async fn diagnose_text(
        self: &Arc<Self>,
        of: Of,
        shown: &Shown,
        asker: Asker<'_>,
    ) -> Result<Diagnosed, LspError> {
        let _using = self.uses.begin();
        if let Some(token) = self.quirks().checks_on_save
            && of == Of::Disk
        {
            self.check(shown, token).await?;
        }
        if self.quirks().asks_tsserver
            && let Some(diagnosed) = self.ask_tsserver(of, shown, asker).await
        {
            return diagnosed;
        }
        if !self.pulls(shown)
            && let Some(pushed) = self.await_push(shown, asker).await?
        {
            return Ok(pushed);
        }
        self.pull(of, shown, asker).await
    }

    pub(super) fn pulls(&self, shown: &Shown) -> bool {
        self.supports("textDocument/diagnostic", Some((&shown.path, &shown.language)))
    }

    async fn pull(self: &Arc<Self>, of: Of, shown: &Shown, asker: Asker<'_>) -> Result<Diagnosed, LspError> {
        #[derive(Deserialize)]
        struct Report {
            items: Option<Box<RawValue>>,
        }
        let method = "textDocument/diagnostic";
        let params = json!({"textDocument": about(shown)});
        let answer = self.ask(method, params, self.limits().request, asker.stop).await?;
        let report: Result<Report, _> = serde_json::from_str(answer.get());
        let strange = |reason: String| Fault::Strange { method, reason }.of(self.name());
        let items = report.map_err(|error| strange(error.to_string()))?.items;
        // We never name an earlier report, so "unchanged" would be unchanged since nothing.
        let items = items.ok_or_else(|| strange("a report without items".to_owned()))?;
        let mut diagnostics = self.read(method, asker, |reader| reader.diagnostics(&shown.path, &items))?;
        if self.quirks().checks_on_save.is_some()
            && of == Of::Disk
            && let Some(published) = self.board.published(&shown.path)
        {
            let found = self.read_published(shown, &published, asker)?;
            diagnostics
                .extend(found.into_iter().filter(|found| !is_said(&diagnostics, found)).collect::<Vec<_>>());
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        Ok(Diagnosed { path: shown.path.clone(), diagnostics, evidence: Evidence::Pulled })
    }

    /// Lets the compiler run over what is on disk, unless it has done so since the last change.
    async fn check(&self, shown: &Shown, token: &str) -> Result<(), LspError> {
        // One at a time: the end of another's run would be taken for the end of ours.
        let _checking = self.checking.lock().await;
        let world = self.world();
        if self.proofs().checked == Some(world) {
            return Ok(());
        }
        // One that runs already looks at the files of before.
        self.until(|board| !board.is_running(token)).await;
        let before = self.board.begun(token);
        self.tell("textDocument/didSave", &json!({"textDocument": about(shown)}));
        let begun = self.until(|board| board.begun(token) > before);
        if tokio::time::timeout(CHECK_BEGINS, begun).await.is_err() {
            // Switched off by the user, or there is no compiler: the server's own findings are all there is.
            tracing::debug!(server = self.name(), "no check began after a save");
            return Ok(());
        }
        loop {
            self.until(|board| !board.is_running(token)).await;
            if self.is_over() {
                return Err(self.end().await.of(self.name()));
            }
            let anew = self.until(|board| board.is_running(token));
            if tokio::time::timeout(CHECK_BEGINS_ANEW, anew).await.is_err() {
                break;
            }
        }
        self.proofs().checked = Some(world);
        Ok(())
    }

    /// Waits until the board shows something, or the life is over.
    async fn until(&self, shows: impl Fn(&Board) -> bool) {
        let mut changes = self.board.subscribe();
        let end = self.connection.end();
        tokio::pin!(end);
        loop {
            changes.borrow_and_update();
            if shows(&self.board) || self.is_over() {
                return;
            }
            tokio::select! {
                _ = changes.changed() => {}
                _ = &mut end => {}
            }
        }
    }

    /// What is published about the text as it is. `None`: the server can be asked now.
    async fn await_push(&self, shown: &Shown, asker: Asker<'_>) -> Result<Option<Diagnosed>, LspError> {
        let mut changes = self.board.subscribe();
        let end = self.connection.end();
        tokio::pin!(end);
        let is_alone = self.quirks().needs_reopening && self.documents().is_drafted(&shown.path);
        let _alone = if is_alone { Some(self.reopening.write().await) } else { None };
        let _together = if is_alone { None } else { Some(self.reopening.read().await) };
        let shown = self.look_again(shown);
        loop {
            changes.borrow_and_update();
            if self.is_over() {
                return Err(self.end().await.of(self.name()));
            }
            if self.pulls(&shown) {
                return Ok(None);
            }
            let wait = match self.proof(&shown.path) {
                Proof::Given(evidence, published) => {
                    let mut diagnostics = self.read_published(&shown, &published, asker)?;
                    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
                    return Ok(Some(Diagnosed { path: shown.path, diagnostics, evidence }));
                }
                Proof::Soon(wait) => wait,
                Proof::None => Duration::from_secs(3600),
            };
            tokio::select! {
                _ = changes.changed() => {}
                () = asker.stop.cancelled() => return Err(Fault::Stopped.of(self.name())),
                _ = &mut end => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Whether something was published for every document as it was last sent.
    pub(super) fn is_published(&self) -> bool {
        let open: Vec<PathBuf> = self.documents().all().map(|shown| shown.path.clone()).collect();
        open.iter().all(|path| {
            let sent = self.proofs().sent.get(path).map(|sent| sent.version);
            let published = self.board.published(path).and_then(|published| published.version);
            sent.is_none_or(|sent| published.is_some_and(|version| version >= sent))
                || self.board.has_let_go(path)
        })
    }

    /// Whether what is published about a file is about the text that was last sent.
    fn proof(&self, path: &Path) -> Proof {
        let Some(sent) = self.proofs().sent.get(path).copied() else {
            return Proof::None;
        };
        let Some(published) = self.board.published(path) else {
            return Proof::None;
        };
        match published.version {
            Some(version) if version >= sent.version => return Proof::Given(Evidence::Versioned, published),
            Some(_) => return Proof::None,
            None if published.arrival <= sent.arrivals => return Proof::None,
            // Its word on the document that was closed.
            None if self.quirks().needs_reopening && self.board.names_versions(path) => return Proof::None,
            None => {}
        }
        let doubtful = published.says_nothing() && self.board.names_versions(path);
        let quiet = if doubtful { QUIET_ALL_THE_SAME } else { QUIET };
        match quiet.checked_sub(published.at.elapsed()).filter(|wait| !wait.is_zero()) {
            Some(wait) => Proof::Soon(wait),
            None => Proof::Given(Evidence::Quiet, published),
        }
    }

    /// Something else changed since this document was sent: what was published about it may be old, and a server
    /// need not say that nothing became of it. Or it was published and let go of. A new version of the same text makes
    /// it say so again.
    fn look_again(&self, shown: &Shown) -> Shown {
        let mut documents = self.documents();
        let world = self.world();
        let reopens = self.quirks().needs_reopening;
        let is_current = |sent: &Sent| sent.world == world && (sent.is_opened || !reopens);
        let is_current = self.proofs().sent.get(&shown.path).is_some_and(is_current);
        if is_current && !self.board.has_let_go(&shown.path) {
            return shown.clone();
        }
        let Some((notices, nudged)) = documents.nudge(&shown.path, self.changes_anew()) else {
            return shown.clone();
        };
        self.note_sent(&nudged, world, &notices);
        for (method, params) in &notices {
            self.connection.notify(method, params);
        }
        nudged
    }

    /// How a document is sent so that it is looked at again.
    pub(super) fn changes_anew(&self) -> Changes {
        if self.quirks().needs_reopening { Changes::Never } else { self.capabilities.changes() }
    }

    fn read_published(
        &self,
        shown: &Shown,
        published: &Published,
        asker: Asker<'_>,
    ) -> Result<Vec<Diagnostic>, LspError> {
        let method = "textDocument/publishDiagnostics";
        self.read(method, asker, |reader: &mut Reader<'_>| {
            reader.diagnostics(&shown.path, &published.diagnostics)
        })
    }

    /// Files about which the server has last published that something is wrong with them, open or not.
    pub fn troubled_files(&self) -> Vec<PathBuf> {
        self.board.troubled_files()
    }

    /// The errors that the server has last published, by file, open or not: a text for each, to be compared.
    pub fn published_errors(&self) -> HashMap<PathBuf, BTreeSet<String>> {
        self.board.errors()
    }

    /// Files about which the server has published something, open or not.
    pub fn reported_files(&self) -> Vec<PathBuf> {
        self.board.published_files()
    }
}

/// The compiler and the server often find the same, in other words.
fn is_said(known: &[Diagnostic], found: &Diagnostic) -> bool {
    known.iter().any(|other| {
        other.span == found.span
            && other.severity == found.severity
            && (other.code == found.code || other.message == found.message)
    })
}
