//! What a call that changed something says it did. The audit trail keeps it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The edit in few words. Texts are previews, bounded by the audit trail.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditSummary {
    pub mode: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_path: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_text_preview: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_text_preview: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apply: Option<bool>,
    /// By which the write can be taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
}

/// How many problems there were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticCounts {
    pub error_count: u32,
    pub warning_count: u32,
    pub files_checked: u32,
}

/// What was done, to which files, and what the language server thought of it before and after.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub files: Vec<PathBuf>,
    pub summary: Option<EditSummary>,
    pub before: Option<DiagnosticCounts>,
    pub after: Option<DiagnosticCounts>,
}
