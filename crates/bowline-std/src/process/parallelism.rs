//! How many threads run at once on this machine.

use std::num::NonZero;
use std::sync::OnceLock;

/// As many as this process may use, by affinity and by the limits of its cgroup. The files that tell are read once.
pub fn parallelism() -> usize {
    static KNOWN: OnceLock<usize> = OnceLock::new();
    *KNOWN.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}
