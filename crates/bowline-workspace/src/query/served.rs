//! Asking a language server: which one, about which text, for how long, and what it means when it has no answer.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_code::{Encoding, LineTable, Position};
use bowline_lsp::{Asker, Fault, Lender, Life, LspError, Readiness, Sheet, Shown};
use bowline_std::fs::read_text;

use super::Found;
use crate::fleet::Assigned;
use crate::patience::until;
use crate::{Patience, Workspace, WorkspaceError};

/// What is left for an answer without the server, where the server has none in time.
const LEAST_RESERVE: Duration = Duration::from_millis(300);
const MOST_RESERVE: Duration = Duration::from_secs(2);

/// How long a server is given to find out where names lead, where it needs that.
const MOST_BEFORE_LEADS: Duration = Duration::from_secs(10);

/// How often a server is asked that turns out to be busy again after each answer.
const TRIES: usize = 3;

/// What a server made of a question.
#[derive(Debug)]
pub(crate) enum Served<T> {
    Answer {
        value: T,
        /// The server had seen the whole project, before the question and after.
        indexed: bool,
    },
    /// There is no server for this file, and none was asked for.
    Nobody,
    Without(Reason),
}

impl<T> Served<T> {
    pub(crate) fn map<U>(self, with: impl FnOnce(T) -> U) -> Served<U> {
        match self {
            Self::Answer { value, indexed } => Served::Answer { value: with(value), indexed },
            Self::Nobody => Served::Nobody,
            Self::Without(reason) => Served::Without(reason),
        }
    }
}

/// The server's answer where it has one, else the one that is made without it. A server that failed is never
/// covered up by an answer that found nothing.
pub(crate) async fn either<T>(
    served: Served<T>,
    is_empty: impl Fn(&T) -> bool,
    without: impl Future<Output = Result<Found<T>, WorkspaceError>>,
) -> Result<Found<T>, WorkspaceError> {
    let reason = match served {
        Served::Answer { value, indexed } if indexed || !is_empty(&value) => {
            return Ok(Found::by_server(value, indexed));
        }
        // Nothing, from a server that has not seen everything.
        Served::Answer { value, .. } => {
            return match without.await {
                Ok(found) if !is_empty(&found.value) => Ok(found),
                Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
                _ => Ok(Found::by_server(value, false)),
            };
        }
        Served::Nobody => return without.await,
        Served::Without(reason) => reason,
    };
    match without.await {
        Ok(found) if !is_empty(&found.value) => Ok(found.noting(Some(&reason))),
        Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
        // The server said no, and syntax knows why: there is nothing at that place.
        Err(error @ (WorkspaceError::NoNameAt { .. } | WorkspaceError::NoSymbolAt { .. }))
            if reason.is_refusal() =>
        {
            Err(error)
        }
        Ok(_) | Err(_) => Err(reason.into_error()),
    }
}

/// Why a server that there is has no answer.
#[derive(Debug, Clone)]
pub(crate) enum Reason {
    Failed(LspError),
    Late { server: String, what: String },
}

impl Reason {
    /// For a reader who gets an answer all the same.
    pub(crate) fn note(&self) -> String {
        match self {
            Self::Failed(error) => format!("answered without the language server: {error}"),
            Self::Late { server, what } => format!("answered without the language server: `{server}` {what}"),
        }
    }

    fn is_refusal(&self) -> bool {
        matches!(self, Self::Failed(LspError { fault: Fault::Refused { .. }, .. }))
    }

    pub(crate) fn into_error(self) -> WorkspaceError {
        match self {
            Self::Failed(error) => WorkspaceError::Server(error),
            Self::Late { server, what } => WorkspaceError::ServerLate { server, what },
        }
    }
}

/// How much of the project a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// One file, and what it names: a server need not have seen everything.
    File,
    /// Where names of one file lead: some servers know that better once they have seen everything.
    Leads,
    Project,
}

/// A question that can be put to a server, and to its next life if this one ends over it.
pub(crate) trait Inquiry: Sync {
    type Answer: Send;
    /// Whether it may be put a second time.
    const AGAIN: bool = true;

    fn put(
        &self,
        life: &Arc<Life>,
        shown: &Shown,
        asker: Asker<'_>,
    ) -> impl Future<Output = Result<Self::Answer, LspError>> + Send;
}

impl Workspace {
    /// Puts a question about a file to its server. The file is as it is on disk now, and so is every other that the
    /// server has open.
    pub(crate) async fn serve<I: Inquiry>(
        &self,
        path: &Path,
        at: Option<Position>,
        reach: Reach,
        patience: &Patience<'_>,
        inquiry: I,
    ) -> Result<Served<I::Answer>, WorkspaceError> {
        let real = self.resolve(path)?;
        let Some(assigned) = self.fleet.of_file(&real, &self.shared.roots) else {
            return Ok(Served::Nobody);
        };
        self.serve_by(&assigned, &real, at, reach, patience, inquiry).await
    }

    /// The same, by a server that is named, and a file by its real path.
    pub(crate) async fn serve_by<I: Inquiry>(
        &self,
        assigned: &Assigned,
        real: &Path,
        at: Option<Position>,
        reach: Reach,
        patience: &Patience<'_>,
        inquiry: I,
    ) -> Result<Served<I::Answer>, WorkspaceError> {
        let serving = async {
            self.steer(assigned, real, patience).await?;
            // A server that dies of a question is asked once more: it may have been killed, or be about to recover.
            let first = self.serve_once(assigned, real, at, reach, patience, &inquiry).await;
            match first {
                Err(Unserved::Server(error)) if I::AGAIN && is_worth_another_life(&error.fault) => {
                    self.serve_once(assigned, real, at, reach, patience, &inquiry).await
                }
                first => first,
            }
        };
        let asked = Instant::now();
        let served = tokio::select! {
            biased;
            served = serving => served,
            never = tell_each_second(assigned, asked, patience) => match never {},
            () = patience.cancellation.cancelled() => return Err(WorkspaceError::Cancelled),
            () = until(server_deadline(patience)) => return Ok(Served::Without(late(assigned, asked))),
        };
        match served {
            Ok((value, indexed)) => Ok(Served::Answer { value, indexed }),
            Err(Unserved::Caller(error)) => Err(error),
            Err(Unserved::Server(error)) => {
                let unasked = !assigned.server.spec().asked_for && matches!(error.fault, Fault::NotInstalled);
                Ok(if unasked { Served::Nobody } else { Served::Without(Reason::Failed(error)) })
            }
        }
    }

    async fn serve_once<I: Inquiry>(
        &self,
        assigned: &Assigned,
        real: &Path,
        at: Option<Position>,
        reach: Reach,
        patience: &Patience<'_>,
        inquiry: &I,
    ) -> Result<(I::Answer, bool), Unserved> {
        let life = self.alive(&assigned.server).await?;
        // Nobody is answered from a draft.
        let _attendance = life.attend().await;
        let as_of = patience.as_of.unwrap_or_else(Instant::now);
        let text = self.bring_up_to_date_as_of(&life, real, as_of).await?;
        if let Some(at) = at {
            check(real, &text, at)?;
        }
        let shown = life.show(&Sheet { path: real.to_owned(), language: assigned.language.clone(), text });
        let lender = TextLender::new(self.shared.options.max_named_file_bytes);
        let asker = Asker { lender: &lender, stop: &patience.cancellation };
        let mut tries = TRIES;
        loop {
            let ready = async {
                life.ready(Some(&shown)).await;
                life.settled().await;
            };
            match reach {
                Reach::Project => ready.await,
                // Where it leads as far as is known is better than nothing.
                Reach::Leads if life.leads_by_index() => {
                    let left = server_deadline(patience)
                        .map(|deadline| deadline.saturating_duration_since(Instant::now()) / 2);
                    let most = left.map_or(MOST_BEFORE_LEADS, |left| left.min(MOST_BEFORE_LEADS));
                    let _ = tokio::time::timeout(most, ready).await;
                }
                Reach::Leads | Reach::File => {}
            }
            let before = life.readiness();
            let value = inquiry.put(&life, &shown, asker).await?;
            let indexed = before == Readiness::Ready && life.readiness() == Readiness::Ready;
            tries -= 1;
            // It began to look at the project again while it was asked: what it said may be from before or after.
            let stuck = matches!(life.readiness(), Readiness::Stuck(_));
            if indexed || stuck || reach != Reach::Project || tries == 0 {
                return Ok((value, indexed));
            }
        }
    }
}

/// Why there is no answer, and who can mend it.
pub(crate) enum Unserved {
    Caller(WorkspaceError),
    Server(LspError),
}

impl From<LspError> for Unserved {
    fn from(error: LspError) -> Self {
        Self::Server(error)
    }
}

impl From<WorkspaceError> for Unserved {
    fn from(error: WorkspaceError) -> Self {
        Self::Caller(error)
    }
}

pub(crate) fn is_worth_another_life(fault: &Fault) -> bool {
    matches!(fault, Fault::Ended { .. } | Fault::Broken { .. } | Fault::Stopped | Fault::TooMuchMemory { .. })
}

fn check(path: &Path, text: &str, at: Position) -> Result<(), WorkspaceError> {
    match LineTable::new(text).offset(text, at, Encoding::Utf16) {
        Ok(_) => Ok(()),
        Err(exists) => Err(WorkspaceError::BadPosition { path: path.to_owned(), at, exists }),
    }
}

/// When to stop waiting for the server, so that there is time for another answer.
pub(crate) fn server_deadline(patience: &Patience<'_>) -> Option<Instant> {
    let deadline = patience.deadline?;
    let left = deadline.saturating_duration_since(Instant::now());
    deadline.checked_sub((left / 5).clamp(LEAST_RESERVE, MOST_RESERVE))
}

/// Tells the caller what the server is doing, for as long as it is waited for.
async fn tell_each_second(assigned: &Assigned, asked: Instant, patience: &Patience<'_>) -> Infallible {
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        if let Some(report) = patience.progress {
            let status = assigned.server.status();
            let doing = status.detail.unwrap_or_else(|| status.state.as_str().to_owned());
            report(asked.elapsed().as_secs(), None, &format!("{}: {doing}", status.name));
        }
    }
}

/// What the server was doing when the time was over.
pub(crate) fn late(assigned: &Assigned, asked: Instant) -> Reason {
    let status = assigned.server.status();
    let what = match (status.state, status.detail) {
        (bowline_lsp::Was::Ready, _) => format!("gave no answer in {:.1} s", asked.elapsed().as_secs_f32()),
        (bowline_lsp::Was::Starting, _) => {
            let waited = status.uptime.unwrap_or_default().as_secs_f32();
            let most = assigned.server.spec().limits.initialize.as_secs();
            format!("has not answered the handshake after {waited:.1} s (it is given {most} s)")
        }
        (state, Some(detail)) => format!("is still {}: {detail}", state.as_str()),
        (state, None) => format!("is still {}", state.as_str()),
    };
    Reason::Late { server: status.name, what }
}

/// Lends texts straight from the disk, outside the roots too: definitions lead into libraries.
pub(crate) struct TextLender {
    most: u64,
}

impl TextLender {
    pub(crate) fn new(most: u64) -> Self {
        Self { most }
    }
}

impl Lender for TextLender {
    fn text(&self, path: &Path) -> Option<Arc<str>> {
        read_text(path, self.most).ok().map(|(text, _)| text.into())
    }
}
