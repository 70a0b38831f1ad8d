//! A server put to the test: started, asked one question of each kind about a file of the project, and timed.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_code::{Encoding, Position, Symbol};
use bowline_lsp::{Asker, Fault, Goal, Lender, Life, LspError, Readiness, Server, Sheet, Shown};
use bowline_std::fs::read_text;
use ignore::WalkBuilder;

use super::detect::LEFT_OUT;
use crate::{Patience, Workspace, WorkspaceError};

/// A file to ask about is not larger than this.
const MOST_BYTES: u64 = 256 << 10;
/// So many files are tried before one without symbols will do.
const TRIED: usize = 20;

/// What a server is like.
#[derive(Debug)]
pub struct Examination {
    /// The name that it gives itself, else that of its program.
    pub name: String,
    pub version: Option<String>,
    pub pid: Option<u32>,
    /// From the start of its process to the end of the handshake.
    pub handshake: Duration,
    /// Until it had seen the whole project; `None` if it had not when the time was over.
    pub ready: Option<Duration>,
    pub memory: Option<u64>,
    /// What it counts columns in.
    pub columns: &'static str,
    /// What it says that it offers.
    pub offers: Vec<String>,
    /// The file that it was asked about.
    pub file: Option<PathBuf>,
    pub trials: Vec<Trial>,
}

/// One question, and what came of it.
#[derive(Debug)]
pub struct Trial {
    pub what: &'static str,
    pub took: Duration,
    /// What was found, or why nothing was.
    pub outcome: Result<String, LspError>,
}

impl Examination {
    /// Whether everything that it offers worked.
    pub fn is_well(&self) -> bool {
        self.trials.iter().all(|trial| trial.outcome.is_ok())
    }
}

impl Workspace {
    /// Starts the server of a language for the project at `root` and puts it to the test. `tell` hears what is being
    /// done.
    pub async fn examine_server(
        &self,
        language: &str,
        root: &Path,
        ready_within: Duration,
        tell: &(dyn Fn(&str) + Sync),
        patience: &Patience<'_>,
    ) -> Result<Examination, WorkspaceError> {
        // The project that the files belong to may begin further down.
        let (project, _) = self.project_in(language, root, patience).await?;
        let server = self.server_of(language, &project)?;
        let spoken = server.spec().languages.iter().filter(|spoken| spoken.id == language);
        let extensions: Vec<String> = spoken.flat_map(|spoken| spoken.extensions.clone()).collect();
        let files = self.blocking(patience, move |_| Ok(files(&project, &extensions))).await?;
        let examining = async {
            let began = Instant::now();
            tell("starting");
            let starting = tokio::time::timeout(ready_within, self.alive(&server)).await;
            let life = starting.unwrap_or_else(|_| {
                let fault = Fault::NoAnswer { method: "initialize", after: ready_within };
                Err(LspError { server: server.name().to_owned(), fault })
            })?;
            examine(&server, life, began, language, files, ready_within, tell).await
        };
        self.waiting(&server, examining, patience).await
    }
}

async fn examine(
    server: &Arc<Server>,
    life: Arc<Life>,
    began: Instant,
    language: &str,
    files: Vec<PathBuf>,
    ready_within: Duration,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<Examination, LspError> {
    let handshake = began.elapsed();
    let (shown, symbols) = open(&life, language, files).await;
    // Without a file there is nothing to be ready for.
    let (mut ready, mut trials) = (Some(handshake), Vec::new());
    if let Some(shown) = &shown {
        ready = become_ready(&life, shown, began, ready_within, tell).await;
        tell("asking");
        trials = try_all(&life, shown, &symbols, ready_within).await;
    }
    let capabilities = life.capabilities();
    Ok(Examination {
        name: capabilities.name().unwrap_or(server.name()).to_owned(),
        version: capabilities.version().filter(|version| !version.is_empty()).map(str::to_owned),
        pid: life.pid(),
        handshake,
        ready,
        memory: life.memory(),
        columns: match capabilities.encoding() {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        },
        offers: offers(&life),
        file: shown.map(|shown| shown.path),
        trials,
    })
}

async fn become_ready(
    life: &Arc<Life>,
    shown: &Shown,
    began: Instant,
    within: Duration,
    tell: &(dyn Fn(&str) + Sync),
) -> Option<Duration> {
    let telling = async {
        let mut ticks = tokio::time::interval(Duration::from_millis(500));
        loop {
            ticks.tick().await;
            if let Readiness::Busy(what) = life.readiness() {
                tell(&what);
            }
        }
    };
    tokio::select! {
        () = life.ready(Some(shown)) => (life.readiness() == Readiness::Ready).then(|| began.elapsed()),
        () = tokio::time::sleep(within) => None,
        () = telling => None,
    }
}

/// Opens the first file that has symbols, as the server sees it.
async fn open(life: &Arc<Life>, language: &str, files: Vec<PathBuf>) -> (Option<Shown>, Vec<Symbol>) {
    let mut any = None;
    for path in files {
        let Some(text) = Disk.text(&path) else { continue };
        let shown = life.show(&Sheet { path, language: language.to_owned(), text });
        let stop = tokio_util::sync::CancellationToken::new();
        match life.symbols(&shown, Asker { lender: &Disk, stop: &stop }).await {
            Ok(symbols) if !symbols.is_empty() => return (Some(shown), symbols),
            Ok(_) => any = any.or(Some(shown)),
            Err(_) => return (Some(shown), Vec::new()),
        }
    }
    (any, Vec::new())
}

async fn try_all(life: &Arc<Life>, shown: &Shown, symbols: &[Symbol], bound: Duration) -> Vec<Trial> {
    let stop = tokio_util::sync::CancellationToken::new();
    let asker = Asker { lender: &Disk, stop: &stop };
    let at = symbols.first().map_or(Position::new(1, 1), |symbol| symbol.selection.start);
    let offers = |method: &str| life.supports(method, Some((&shown.path, &shown.language)));
    let mut trials = Vec::new();
    if offers("textDocument/documentSymbol") {
        let asking =
            async { life.symbols(shown, asker).await.map(|found| format!("{} symbols", found.len())) };
        trials.push(time("symbols", life, bound, asking).await);
    }
    if offers("textDocument/hover") {
        let asking = async {
            let hover = life.hover(shown, at, asker).await?;
            Ok(hover
                .map_or_else(|| "nothing to say".to_owned(), |hover| format!("{} bytes", hover.text.len())))
        };
        trials.push(time("hover", life, bound, asking).await);
    }
    if offers("textDocument/definition") {
        let asking = async {
            let found = life.go_to(Goal::Definition, shown, at, asker).await?;
            Ok(format!("{} places", found.len()))
        };
        trials.push(time("definition", life, bound, asking).await);
    }
    if offers("textDocument/references") {
        let asking = async {
            let found = life.references(shown, at, true, asker).await?;
            Ok(format!("{} places", found.len()))
        };
        trials.push(time("references", life, bound, asking).await);
    }
    let asking = async {
        let found = life.diagnose(shown, asker).await?;
        Ok(format!("{} found, {}", found.diagnostics.len(), found.evidence.as_str()))
    };
    trials.push(time("diagnostics", life, bound, asking).await);
    trials
}

async fn time(
    what: &'static str,
    life: &Life,
    bound: Duration,
    asking: impl Future<Output = Result<String, LspError>>,
) -> Trial {
    let began = Instant::now();
    let outcome = tokio::time::timeout(bound, asking).await.unwrap_or_else(|_| {
        let fault = Fault::NoAnswer { method: what, after: bound };
        Err(LspError { server: life.name().to_owned(), fault })
    });
    Trial { what, took: began.elapsed(), outcome }
}

/// What a server offers, by the names that it uses itself.
fn offers(life: &Life) -> Vec<String> {
    let raw = life.capabilities().raw().as_object();
    let mut offers: Vec<String> = raw
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_null() && **value != serde_json::Value::Bool(false))
        .filter_map(|(key, _)| key.strip_suffix("Provider").map(str::to_owned))
        .collect();
    offers.sort_unstable();
    offers
}

/// Files of these kinds, few and not large.
pub(super) fn files(root: &Path, extensions: &[String]) -> Vec<PathBuf> {
    let speaks = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.iter().any(|known| known == extension))
    };
    WalkBuilder::new(root)
        .require_git(false)
        .git_global(false)
        .sort_by_file_name(Ord::cmp)
        .filter_entry(|entry| !LEFT_OUT.iter().any(|name| entry.depth() > 0 && entry.file_name() == *name))
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()) && speaks(entry.path()))
        .filter(|entry| entry.metadata().is_ok_and(|metadata| metadata.len() <= MOST_BYTES))
        .map(ignore::DirEntry::into_path)
        .take(TRIED)
        .collect()
}

/// Texts straight from the disk, where they are not large.
pub(super) struct Disk;

impl Lender for Disk {
    fn text(&self, path: &Path) -> Option<Arc<str>> {
        read_text(path, MOST_BYTES).ok().map(|(text, _)| text.into())
    }
}
