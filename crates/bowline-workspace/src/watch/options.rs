//! What can be set about watching.

use std::time::Duration;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WatchOptions {
    /// At most this many directories are watched; those nearest to the roots are. Default: 20 000.
    pub max_directories: usize,
    /// Changes are told once nothing has changed for this long. Default: 150.
    pub debounce_ms: u64,
    /// Changes are told after this long even if there is no end of them. Default: 1000.
    pub max_delay_ms: u64,
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self { max_directories: 20_000, debounce_ms: 150, max_delay_ms: 1000 }
    }
}

impl WatchOptions {
    pub(super) fn debounce(&self) -> Duration {
        Duration::from_millis(self.debounce_ms)
    }

    pub(super) fn max_delay(&self) -> Duration {
        Duration::from_millis(self.max_delay_ms)
    }
}
