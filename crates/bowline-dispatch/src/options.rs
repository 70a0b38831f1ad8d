//! How long a call may take, and how many may run at once.

use serde::Deserialize;

/// `[calls]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// How long a call may take before it answers "not ready".
    pub timeout_ms: u64,
    /// The same for builds and tests.
    pub slow_timeout_ms: u64,
    /// How long a person has to answer. What a call takes besides does not run meanwhile.
    pub ask_timeout_ms: u64,
    /// How many calls run at once; further ones wait their turn.
    pub parallel: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { timeout_ms: 10_000, slow_timeout_ms: 600_000, ask_timeout_ms: 300_000, parallel: 32 }
    }
}
