//! The workspace itself: what its queries share, and how they wait.

use std::ffi::OsString;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use bowline_std::clock::{Clock, SystemClock};
use tokio_util::sync::CancellationToken;

use crate::dependants::Remembered;
use crate::document::{Documents, Keep};
use crate::draft::{Baselines, Drafts, Evaluations};
use crate::fleet::{Fleet, ServerOptions};
use crate::index::{Index, Mark, are_watchable, rules_outside};
use crate::outlines::{Outlined, Outlines};
use crate::patience::Meter;
use crate::query::KnownMembers;
use crate::roots::Roots;
use crate::shadow::Shadows;
use crate::walk::{Sight, Walker};
use crate::{
    Document, IndexReport, IndexStore, IndexStoreError, Options, Patience, Recollection, WorkspaceError,
};

/// One project. Its queries are in `query/`.
pub struct Workspace {
    pub(crate) shared: Arc<Shared>,
    pub(crate) index: Index,
    pub(crate) fleet: Arc<Fleet>,
    pub(crate) recollection: Option<Arc<dyn Recollection>>,
    pub(crate) drafts: Drafts,
    /// Diagnostics of files on disk.
    pub(crate) baselines: Baselines,
    pub(crate) evaluations: Evaluations,
    pub(crate) writer: Option<Arc<bowline_write::Writer>>,
    /// Where what is built on the way may be kept.
    pub(crate) cache: Option<PathBuf>,
    pub(crate) shadows: Shadows,
    pub(crate) known_members: KnownMembers,
    /// Held while answers are written into the recollection.
    pub(crate) remembering: Arc<tokio::sync::Mutex<()>>,
}

/// What the threads of a query need.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) roots: Roots,
    pub(crate) walker: Walker,
    /// Shows what language servers read.
    pub(crate) of_servers: Walker,
    pub(crate) documents: Documents,
    pub(crate) outlines: Outlines,
    /// Which files bring in which.
    pub(crate) mentions: Remembered,
}

impl Workspace {
    /// A workspace of these directories, given by their real paths. Nothing is read before the first query.
    pub fn new(
        options: Options,
        roots: Vec<PathBuf>,
        store: Option<Box<dyn IndexStore>>,
    ) -> Result<Self, WorkspaceError> {
        Self::with_clock(options, roots, store, Arc::new(SystemClock))
    }

    /// As [`Workspace::new`], with a clock that a test can hold.
    pub fn with_clock(
        options: Options,
        roots: Vec<PathBuf>,
        store: Option<Box<dyn IndexStore>>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, WorkspaceError> {
        let roots = Roots::new(roots);
        let walker = Walker::new(&roots, &options, Sight::Index)?;
        let of_servers = Walker::new(&roots, &options, Sight::Servers)?;
        Ok(Self {
            index: Index::new(options.clone(), walker.clone(), clock, store),
            shared: Arc::new(Shared {
                options,
                roots,
                walker,
                of_servers,
                documents: Documents::default(),
                outlines: Outlines::default(),
                mentions: Remembered::default(),
            }),
            fleet: Arc::new(Fleet::new(ServerOptions::default())),
            recollection: None,
            drafts: Drafts::default(),
            baselines: Baselines::default(),
            evaluations: Evaluations::default(),
            writer: None,
            cache: None,
            shadows: Shadows::default(),
            known_members: KnownMembers::default(),
            remembering: Arc::default(),
        })
    }

    /// The same, with language servers to ask. Each is started when a file of its language is first asked about.
    #[must_use]
    pub fn with_servers(mut self, servers: ServerOptions) -> Self {
        self.fleet = Arc::new(Fleet::new(servers));
        self
    }

    /// The same, with a memory for what servers answer.
    #[must_use]
    pub fn with_recollection(mut self, recollection: Arc<dyn Recollection>) -> Self {
        self.recollection = Some(recollection);
        self
    }

    /// The memory for what servers answer, where there is one.
    pub fn recollection(&self) -> Option<&Arc<dyn Recollection>> {
        self.recollection.as_ref()
    }

    /// Writes what is remembered into one file, by its real path, and says how many entries that are.
    pub async fn export_recollection(
        &self,
        to: &Path,
        patience: &Patience<'_>,
    ) -> Result<usize, WorkspaceError> {
        let to = to.to_owned();
        self.recollecting("export", patience, move |store| store.export(&to)).await
    }

    /// Takes over what such a file holds, and says how many entries were new: all of it or nothing.
    pub async fn import_recollection(
        &self,
        from: &Path,
        patience: &Patience<'_>,
    ) -> Result<usize, WorkspaceError> {
        let from = from.to_owned();
        self.recollecting("import", patience, move |store| store.import(&from)).await
    }

    async fn recollecting<T: Send + 'static>(
        &self,
        what: &'static str,
        patience: &Patience<'_>,
        work: impl FnOnce(&dyn Recollection) -> Result<T, IndexStoreError> + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        let store = self.recollection.clone().ok_or(WorkspaceError::NoRecollection)?;
        self.remembered().await;
        let done = self.blocking(patience, move |_| Ok(work(&*store))).await?;
        done.map_err(|source| WorkspaceError::Recollection { what, source })
    }

    pub fn roots(&self) -> &[PathBuf] {
        self.shared.roots.all()
    }

    /// The real path of what was asked for, if it lies within the roots. Relative paths count from the first root.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, WorkspaceError> {
        self.shared.roots.resolve(path)
    }

    /// The root that holds a real path.
    pub fn root_around(&self, real: &Path) -> Option<&Path> {
        self.shared.roots.around(real)
    }

    /// What programs of the project see of the environment.
    pub fn environment(&self) -> &[(OsString, OsString)] {
        self.fleet.environment()
    }

    /// The file as it is on disk now.
    pub async fn read(&self, path: &Path, patience: &Patience<'_>) -> Result<Document, WorkspaceError> {
        let path = path.to_owned();
        self.reading(patience, move |work| work.read(&path)).await
    }

    /// Brings the index up to date, as every query over the whole workspace does by itself.
    pub async fn refresh(&self, patience: &Patience<'_>) -> Result<Arc<IndexReport>, WorkspaceError> {
        self.fresh_index(patience).await
    }

    /// Brings the index up to date. The tree is not walked where the watcher proves that nothing in it has changed.
    pub(crate) async fn fresh_index(
        &self,
        patience: &Patience<'_>,
    ) -> Result<Arc<IndexReport>, WorkspaceError> {
        let mark = self.mark(patience).await?;
        let unchanged = |mark| self.index.still(mark, |place| self.fleet.index_is_as_at(place));
        if let Some(report) = mark.as_ref().and_then(unchanged) {
            return Ok(report);
        }
        let report = self.index.fresh(patience).await?;
        self.index.mark(mark, &report);
        Ok(report)
    }

    /// Everything that the index depends on, as it is now. `None`: it is not all watched.
    async fn mark(&self, patience: &Patience<'_>) -> Result<Option<Mark>, WorkspaceError> {
        if !self.fleet.watches_all(&self.shared) {
            self.fleet.watch_in_background(&self.shared);
            return Ok(None);
        }
        let as_of = patience.as_of.unwrap_or_else(Instant::now);
        if let Err(error) = self.fleet.tell_news_as_of(&self.shared, as_of).await {
            tracing::debug!(%error, "the index is compared with the tree");
            return Ok(None);
        }
        let (place, passed_over) = (self.fleet.news_end(), self.fleet.passed_over());
        let store = self.index.store();
        self.blocking(patience, move |work| {
            let roots = work.shared.roots.all();
            if !are_watchable(roots) {
                return Ok(None);
            }
            let rules = rules_outside(roots);
            Ok(store.version().ok().map(|store| Mark { place, passed_over, rules, store }))
        })
        .await
    }

    /// What the last refresh did, if there has been one.
    pub fn last_report(&self) -> Option<Arc<IndexReport>> {
        self.index.last_report()
    }

    /// Runs work on a thread that may block, and stops it when the caller's patience ends.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        patience: &Patience<'_>,
        work: impl FnOnce(&Work) -> Result<T, WorkspaceError> + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        let meter = Meter::new();
        let stop = patience.cancellation.child_token();
        let _stop_when_dropped = stop.clone().drop_guard();
        let context = Work { shared: Arc::clone(&self.shared), stop, meter: meter.clone() };
        let running = tokio::task::spawn_blocking(move || work(&context));
        let joined = async {
            match running.await {
                Ok(answer) => answer,
                Err(error) => match error.try_into_panic() {
                    // The corridor catches every panic, and knows what may be said of it.
                    Ok(panic) => resume_unwind(panic),
                    Err(_) => Err(WorkspaceError::Internal("the work was stopped".into())),
                },
            }
        };
        patience.wait(&meter, joined).await
    }

    /// As [`Workspace::blocking`], for work on one file. If that takes too long, asking again will not help.
    pub(crate) async fn reading<T: Send + 'static>(
        &self,
        patience: &Patience<'_>,
        work: impl FnOnce(&Work) -> Result<T, WorkspaceError> + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        self.blocking(patience, work).await.map_err(|error| match error {
            WorkspaceError::NotReady { .. } => WorkspaceError::TookTooLong,
            error => error,
        })
    }

    /// Brings the index up to date and asks it. A store that fails is given up, and memory is asked.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        patience: &Patience<'_>,
        question: impl Fn(&dyn IndexStore) -> Result<T, IndexStoreError> + Clone + Send + 'static,
    ) -> Result<(T, bool), WorkspaceError> {
        loop {
            let report = self.fresh_index(patience).await?;
            let (store, question) = (self.index.store(), question.clone());
            let asked = Arc::clone(&store);
            match self.blocking(patience, move |_| Ok(question(&*asked))).await? {
                Ok(answer) => return Ok((answer, report.is_complete())),
                Err(error) => self.index.give_up_store(&store, error)?,
            }
        }
    }
}

/// What work on a blocking thread may use.
pub(crate) struct Work {
    pub(crate) shared: Arc<Shared>,
    stop: CancellationToken,
    pub(crate) meter: Meter,
}

impl Work {
    /// Nobody waits for the answer any more.
    pub(crate) fn stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Reads a file that somebody named.
    pub(crate) fn read(&self, path: &Path) -> Result<Document, WorkspaceError> {
        let real = self.shared.roots.resolve(path)?;
        let most = self.shared.options.max_named_file_bytes;
        self.shared.documents.read(&real, most, Keep::Tree, &|| self.stopped())
    }

    /// The text of one of many files, and the symbols in it. `None`: no grammar reads it.
    pub(crate) fn outlined(&self, path: &Path) -> Result<(Document, Option<Outlined>), WorkspaceError> {
        let real = self.shared.roots.resolve(path)?;
        let most = self.shared.options.max_file_bytes;
        let document = self.shared.documents.read(&real, most, Keep::Text, &|| self.stopped())?;
        if let Some(symbols) = self.shared.outlines.get(&real, &document.hash()) {
            return Ok((document, Some(symbols)));
        }
        let Some(language) = document.language() else {
            return Ok((document, None));
        };
        let Ok(parsed) = bowline_syntax::parse(language, document.text(), &|| self.stopped()) else {
            return Ok((document, None));
        };
        let symbols: Outlined = parsed.flat_symbols().into();
        self.shared.outlines.put(real, document.hash(), Arc::clone(&symbols));
        Ok((document, Some(symbols)))
    }

    /// Reads one of many files of the index.
    pub(crate) fn read_in_passing(&self, path: &Path) -> Result<Document, WorkspaceError> {
        let real = self.shared.roots.resolve(path)?;
        let most = self.shared.options.max_file_bytes;
        self.shared.documents.read(&real, most, Keep::Nothing, &|| self.stopped())
    }
}
