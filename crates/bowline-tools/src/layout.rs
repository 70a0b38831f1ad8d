//! How a text is to be laid out, as callers say it.

use bowline_call::ToolError;
use bowline_workspace::Formatting;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// Formatters that have rules of their own do not ask.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Layout {
    /// Default: 2.
    #[serde(default)]
    pub tab_size: Option<i64>,
    /// Default: true.
    #[serde(default)]
    pub insert_spaces: Option<bool>,
}

impl Layout {
    pub(crate) fn formatting(&self) -> Result<Formatting, ToolError> {
        let given = self.tab_size.unwrap_or(2);
        let tab_size = u32::try_from(given).ok().filter(|size| (1..=64).contains(size));
        let tab_size = tab_size
            .ok_or_else(|| ToolError::bad_arguments(format!("tab_size must be 1 to 64, got {given}")))?;
        Ok(Formatting { tab_size, insert_spaces: self.insert_spaces.unwrap_or(true) })
    }
}

/// What to say about the edits of a formatter.
pub(crate) fn told(edits: &[Value]) -> String {
    match edits.len() {
        0 => "it is laid out already".to_owned(),
        count => format!("{count} edits, as the server wrote them; nothing has been changed"),
    }
}
