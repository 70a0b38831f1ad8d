//! A first look for a name, for as long as there is no index: the texts of all files are searched, and the few that may
//! declare it are parsed. It takes a fraction of a second where an index takes many, and says that it may have missed
//! something.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bowline_code::{IndexedSymbol, SymbolRow};
use bowline_std::fs::read_bounded;
use bowline_syntax::Language;
use ignore::WalkState;

use crate::workspace::Work;
use crate::{IndexStore, Patience, Workspace, WorkspaceError};

/// How long the texts are searched, and until when those that hold the name are parsed.
const SEARCHING: Duration = Duration::from_millis(200);
const PARSING: Duration = Duration::from_millis(280);
/// More files with the name are not parsed.
const MAX_PARSED: usize = 500;
/// What a reader is told of such an answer.
pub(super) const NOTE: &str = "answered from a first look through the files: the index of symbols is still being made, \
                               and there may be more; ask again for all of them";

/// What is looked for.
#[derive(Debug, Clone)]
pub(super) enum Sought {
    /// A symbol of this very name.
    Named(String),
    /// Symbols whose names hold this, in any case. Folded.
    Holding(String),
}

impl Sought {
    /// Whether a symbol is one of those.
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Named(sought) => name == sought,
            Self::Holding(sought) => name.to_lowercase().contains(sought.as_str()),
        }
    }

    /// How a text holds it: 0 not at all, 2 in a line that seems to declare it.
    fn weigh(&self, text: &str) -> u8 {
        let mut weight = 0;
        let folded;
        let (text, sought) = match self {
            Self::Named(sought) => (text, sought.as_str()),
            Self::Holding(sought) => {
                folded = text.to_ascii_lowercase();
                (folded.as_str(), sought.as_str())
            }
        };
        for (at, _) in text.match_indices(sought) {
            weight = 1;
            let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
            if DECLARING.iter().any(|word| line.contains(word)) {
                return 2;
            }
        }
        weight
    }
}

/// Words that stand before a name where it is declared, in one language or another.
const DECLARING: [&str; 22] = [
    "def ",
    "class ",
    "fn ",
    "func ",
    "function ",
    "struct ",
    "enum ",
    "trait ",
    "interface ",
    "type ",
    "const ",
    "let ",
    "var ",
    "static ",
    "#define ",
    "mod ",
    "module ",
    "namespace ",
    "union ",
    "macro_rules! ",
    "record ",
    "void ",
];

impl Workspace {
    /// What can be found of a name without an index, in a moment. The index is made meanwhile, and waits for this.
    pub(super) async fn glance(
        &self,
        sought: Sought,
        patience: &Patience<'_>,
    ) -> Result<Vec<SymbolRow>, WorkspaceError> {
        let _held = self.index.hold();
        let store = self.index.store();
        self.blocking(patience, move |work| Ok(look(work, &*store, &sought))).await
    }
}

/// Where an earlier run has found it. The files are read again, so it does not matter how old that is. Blocks.
fn known_before(work: &Work, store: &dyn IndexStore, sought: &Sought) -> Vec<(u8, PathBuf, Language)> {
    let rows = match sought {
        Sought::Named(name) => store.named(name),
        Sought::Holding(part) => store.search(part, MAX_PARSED, 0).map(|(rows, _)| rows),
    };
    let mut files: Vec<PathBuf> = rows.unwrap_or_default().into_iter().map(|(path, ..)| path).collect();
    files.sort_unstable();
    files.dedup();
    let is_ours = |path: &PathBuf| work.shared.roots.resolve(path).is_ok();
    let row = |path: PathBuf| Language::of_path(&path).map(|language| (3, path, language));
    files.into_iter().filter(is_ours).filter_map(row).collect()
}

/// Blocks.
fn look(work: &Work, store: &dyn IndexStore, sought: &Sought) -> Vec<SymbolRow> {
    let began = Instant::now();
    let found: Mutex<Vec<(u8, PathBuf, Language)>> = Mutex::new(known_before(work, store, sought));
    work.shared.walker.run(&|entry| {
        let path = entry.path();
        if work.stopped() || began.elapsed() > SEARCHING {
            return WalkState::Quit;
        }
        if let Some(language) = path.to_str().and_then(|_| Language::of_path(path))
            && let Ok((bytes, _)) = read_bounded(path, work.shared.options.max_file_bytes)
            && let Ok(text) = std::str::from_utf8(&bytes)
            && let weight @ 1.. = sought.weigh(text)
        {
            found.lock().unwrap_or_else(PoisonError::into_inner).push((weight, path.to_owned(), language));
        }
        WalkState::Continue
    });
    let mut files = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    files.sort_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    let mut seen = HashSet::new();
    files.retain(|(_, path, _)| seen.insert(path.clone()));
    files.truncate(MAX_PARSED);
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let rows: Mutex<Vec<SymbolRow>> = Mutex::default();
    let reader = || {
        while let Some((_, path, language)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if work.stopped() || began.elapsed() > PARSING {
                is_over.store(true, Ordering::Relaxed);
            }
            if is_over.load(Ordering::Relaxed) {
                return;
            }
            let symbols = symbols_in(work, path, *language).into_iter().filter(|one| sought.fits(&one.name));
            let row = |symbol| (path.clone(), language.id().to_owned(), symbol);
            rows.lock().unwrap_or_else(PoisonError::into_inner).extend(symbols.map(row));
        }
    };
    thread::scope(|scope| {
        for _ in 1..work.shared.options.threads().min(files.len()) {
            scope.spawn(reader);
        }
        reader();
    });
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by(|left, right| (&left.0, left.2.selection).cmp(&(&right.0, right.2.selection)));
    rows
}

fn symbols_in(work: &Work, path: &std::path::Path, language: Language) -> Vec<IndexedSymbol> {
    let Ok((bytes, _)) = read_bounded(path, work.shared.options.max_file_bytes) else {
        return Vec::new();
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return Vec::new();
    };
    let parsed = bowline_syntax::parse(language, text, &|| work.stopped());
    parsed.map(|parsed| parsed.flat_symbols()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_declares_counts_more_than_one_that_uses() {
        let named = |text: &str| Sought::Named("run".to_owned()).weigh(text);
        assert_eq!((named("def run(): pass"), named("x = run()"), named("nothing")), (2, 1, 0));
        assert_eq!((named("go(run)\nfunc run() {}"), named("Run")), (2, 0));
        let holding = Sought::Holding("query".to_owned());
        assert_eq!((holding.weigh("class QuerySet:"), holding.weigh("a_QUERY")), (2, 1));
        assert!(holding.fits("QuerySet") && !holding.fits("Quer"));
        assert!(Sought::Named("run".to_owned()).fits("run") && !Sought::Named("run".to_owned()).fits("Run"));
    }
}
