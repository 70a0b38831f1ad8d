//! A place in a file, as callers write it: by line and column, or by the text around it.

use std::path::{Path, PathBuf};

use bowline_call::ToolError;
use bowline_code::{Encoding, Position};
use bowline_workspace::{Patience, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::explain::explain;

/// How many of several matches an error lists.
const LISTED: usize = 5;

/// A place in a file. The file's name decides its language; `language_id` is for clients that always send it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Place {
    pub file_path: PathBuf,
    #[serde(default)]
    pub language_id: Option<String>,
    #[serde(default)]
    pub line: Option<i64>,
    #[serde(default)]
    pub column: Option<i64>,
    /// Text with `@@` before the place, instead of line and column.
    #[serde(default)]
    pub position_pattern: Option<String>,
}

impl Place {
    pub(crate) fn file(&self) -> &Path {
        &self.file_path
    }

    /// The position that is meant. `column` is what a missing one counts as, where it may be missing.
    pub(crate) async fn position(
        &self,
        workspace: &Workspace,
        column: Option<u32>,
        patience: &Patience<'_>,
    ) -> Result<Position, ToolError> {
        let line = self.line.map(|line| one_based("line", line)).transpose()?;
        if let Some(pattern) = &self.position_pattern {
            return find(workspace, &self.file_path, pattern, line, patience).await;
        }
        let given = self.column.map(|column| one_based("column", column)).transpose()?.or(column);
        match (line, given) {
            (Some(line), Some(column)) => Ok(Position::new(line, column)),
            (None, _) => Err(ToolError::bad_arguments("line: missing required argument `line`").hint(EITHER)),
            (_, None) => {
                Err(ToolError::bad_arguments("column: missing required argument `column`").hint(EITHER))
            }
        }
    }
}

const EITHER: &str = "give `line` and `column`, or `position_pattern`";

fn one_based(name: &str, value: i64) -> Result<u32, ToolError> {
    u32::try_from(value)
        .ok()
        .filter(|value| *value >= 1)
        .ok_or_else(|| ToolError::bad_arguments(format!("{name} must be >= 1, got {value}")))
}

async fn find(
    workspace: &Workspace,
    path: &Path,
    pattern: &str,
    line: Option<u32>,
    patience: &Patience<'_>,
) -> Result<Position, ToolError> {
    let parts: Vec<&str> = pattern.split("@@").collect();
    let [before, after] = parts.as_slice() else {
        return Err(ToolError::bad_arguments("position_pattern must contain @@ marker, once"));
    };
    let sought = format!("{before}{after}");
    if sought.is_empty() {
        return Err(ToolError::bad_arguments("position_pattern must have text around its @@ marker"));
    }
    let document = workspace.read(path, patience).await.map_err(explain)?;
    let (text, lines) = (document.text(), document.lines());
    let places: Vec<Position> = text
        .match_indices(&sought)
        .map(|(at, _)| lines.position(text, at + before.len(), Encoding::Utf16))
        .filter(|place| line.is_none_or(|line| place.line == line))
        .collect();
    match places.as_slice() {
        [] => Err(ToolError::bad_arguments(format!("position_pattern not found in file: {sought:?}"))),
        [only] => Ok(*only),
        several => Err(ambiguous(several)),
    }
}

fn ambiguous(places: &[Position]) -> ToolError {
    let mut listed: Vec<String> =
        places.iter().take(LISTED).map(|place| format!("{}:{}", place.line, place.column)).collect();
    if places.len() > LISTED {
        listed.push(format!("and {} more", places.len() - LISTED));
    }
    ToolError::bad_arguments(format!(
        "position_pattern is found {} times: {}",
        places.len(),
        listed.join(", ")
    ))
    .hint("add more text around it, or `line`")
}
