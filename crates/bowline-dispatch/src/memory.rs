//! What a person allows for ever is written down by somebody who knows where. The binary brings them.

use std::time::SystemTime;

use bowline_call::Proposal;

/// An answer that is to be remembered.
#[derive(Debug, Clone)]
pub struct Wish {
    pub tool: String,
    /// As rules are written.
    pub entries: Vec<String>,
    /// The tool as it is defined now.
    pub definition: Option<String>,
    pub at: SystemTime,
}

/// Keeps what a person allows for ever. Both may wait for the disk.
pub trait Memory: Send + Sync {
    /// The lines that would be added, or why they cannot be.
    fn propose(&self, wish: &Wish) -> Result<Proposal, String>;

    /// Adds these very lines, whole or not at all.
    fn keep(&self, proposal: &Proposal) -> Result<(), String>;
}
