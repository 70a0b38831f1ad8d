//! Uses that start something concurrently: `go f()`, `Thread(target=f)`, `spawn(f)`. Told by the words of each language
//! around the use, so it is a sign and no proof.

use std::path::Path;

use bowline_code::Position;

use super::callers::{Caller, callers};
use crate::{Document, Patience, Workspace, WorkspaceError};

/// A use may stand some lines below the word that starts it.
const LINES_ABOVE: u32 = 5;

/// A use, and what makes it concurrent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConcurrentUse {
    pub caller: Caller,
    pub pattern: &'static str,
}

impl Workspace {
    /// The uses of the symbol at a position that run beside their caller.
    pub async fn concurrent_uses(
        &self,
        path: &Path,
        at: Position,
        patience: &Patience<'_>,
    ) -> Result<Vec<ConcurrentUse>, WorkspaceError> {
        let places = self.references(path, at, false, patience).await?.value.places;
        self.blocking(patience, move |work| {
            let mut found = Vec::new();
            let mut last: Option<Document> = None;
            for caller in callers(work, places)? {
                if last.as_ref().is_none_or(|document| document.path() != caller.place.file) {
                    last = work.read_in_passing(&caller.place.file).ok();
                }
                if let Some(pattern) = last.as_ref().and_then(|document| pattern(document, &caller)) {
                    found.push(ConcurrentUse { caller, pattern });
                }
            }
            Ok(found)
        })
        .await
    }
}

fn pattern(document: &Document, caller: &Caller) -> Option<&'static str> {
    let extension = document.path().extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let patterns = patterns(extension);
    let line = caller.place.line;
    let depth = |line: u32| {
        let text = document.line(line);
        text.len() - text.trim_start().len()
    };
    let mut here = depth(line);
    // On its own line, or on one above that it is nested in: each holds the one before.
    let first = line.saturating_sub(LINES_ABOVE).max(1);
    let own = std::iter::once(line);
    let above = (first..line).rev().filter(|above| {
        let holds = !document.line(*above).trim().is_empty() && depth(*above) < here;
        if holds {
            here = depth(*above);
        }
        holds
    });
    let mut lines = own.chain(above).map(|line| document.line(line));
    lines.find_map(|text| patterns.iter().copied().find(|pattern| stands_in(text, pattern)))
}

/// As a word of its own where it begins with a letter.
fn stands_in(text: &str, pattern: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(pattern)
        .any(|(at, _)| !pattern.starts_with(is_word) || !text[..at].chars().next_back().is_some_and(is_word))
}

fn patterns(extension: &str) -> &'static [&'static str] {
    match extension {
        "go" => &["go func", "go ", "errgroup", ".Go("],
        "rs" => &["thread::spawn", "tokio::spawn", "spawn_blocking", ".spawn(", "par_iter", "rayon::"],
        "py" => &[
            "Thread(",
            "Process(",
            ".submit(",
            "create_task(",
            "ensure_future(",
            "gather(",
            "run_in_executor(",
            "to_thread(",
            "apply_async(",
        ],
        "ts" | "tsx" | "js" | "jsx" | "mjs" | "cjs" => &[
            "Promise.all",
            "Promise.race",
            "setTimeout(",
            "setInterval(",
            "setImmediate(",
            "new Worker(",
            "queueMicrotask(",
        ],
        "java" | "kt" | "kts" | "scala" => &[
            "new Thread(",
            ".submit(",
            ".execute(",
            "CompletableFuture.",
            "launch {",
            "async {",
            "parallelStream(",
        ],
        "cs" => &["Task.Run(", "new Thread(", "Parallel.", "ThreadPool."],
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" => {
            &["std::thread", "std::jthread", "std::async", "pthread_create(", "#pragma omp"]
        }
        "rb" => &["Thread.new", "Ractor.new"],
        "swift" => &["Task {", "DispatchQueue.", "async let"],
        _ => &[],
    }
}
