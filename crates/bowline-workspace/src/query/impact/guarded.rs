//! Whether code looks as if only one at a time may run it: it takes a lock, or holds one. Told by the words that each
//! language has for that, so it is a sign and no proof.

use bowline_code::Symbol;

use crate::Document;

/// More lines than this of one symbol are not looked at.
const MOST_LINES: u32 = 2000;

pub(super) fn is_guarded(document: &Document, symbol: &Symbol) -> bool {
    let extension = document.path().extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let words: &[&str] = match extension {
        "go" => &["sync.Mutex", "sync.RWMutex", "sync.Once", "sync.Map", "atomic.", ".Lock()", ".RLock()"],
        "rs" => &["Mutex<", "RwLock<", "Atomic", ".lock()", ".write()", "OnceLock<", "Condvar"],
        "py" => &[
            "Lock()",
            "Semaphore(",
            "Condition(",
            ".acquire()",
            "with self._lock",
            "with self.lock",
            "async with",
        ],
        "java" | "kt" | "kts" | "scala" => &[
            "synchronized",
            "ReentrantLock",
            "Atomic",
            ".lock()",
            "@Volatile",
            "volatile ",
            "ConcurrentHashMap",
        ],
        "cs" => &[
            "lock (",
            "lock(",
            "Monitor.",
            "Interlocked.",
            "SemaphoreSlim",
            "ConcurrentDictionary",
            "volatile ",
        ],
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" => &[
            "std::mutex",
            "lock_guard",
            "unique_lock",
            "scoped_lock",
            "shared_mutex",
            "std::atomic",
            "pthread_mutex",
        ],
        "swift" => &["NSLock", "actor ", "os_unfair_lock", "DispatchSemaphore"],
        "rb" => &["Mutex.new", ".synchronize"],
        "ts" | "tsx" | "js" | "jsx" | "mjs" | "cjs" => &["Atomics.", "new Mutex", "runExclusive("],
        _ => &[],
    };
    let last = symbol.range.end.line.min(symbol.range.start.line.saturating_add(MOST_LINES));
    let mut lines = (symbol.range.start.line..=last).map(|line| document.line(line));
    lines.any(|line| words.iter().any(|word| line.contains(word)))
}
