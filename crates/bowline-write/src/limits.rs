//! How much is written at once, and how much is remembered.

use std::time::Duration;

/// How much is written at once, and how much is remembered.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The largest file, before and after.
    pub file_bytes: u64,
    /// All old and all new bytes of one plan. They are held in memory.
    pub plan_bytes: u64,
    pub plan_files: usize,
    /// Of one file's diff in the receipt; the rest is cut.
    pub diff_bytes: usize,
    /// Of all diffs in one receipt.
    pub diffs_bytes: usize,
    /// How many receipts are kept, and how much of what they replaced.
    pub receipts: usize,
    pub pack_bytes: u64,
    /// How long another writer is waited for.
    pub wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            plan_bytes: 256 << 20,
            plan_files: 10_000,
            diff_bytes: 64 << 10,
            diffs_bytes: 4 << 20,
            receipts: 200,
            pack_bytes: 256 << 20,
            wait: Duration::from_secs(10),
        }
    }
}
