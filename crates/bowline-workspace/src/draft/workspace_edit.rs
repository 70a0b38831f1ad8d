//! A workspace edit, as the language server protocol writes it, in a draft: edits of texts, and files that come, go
//! and move, in their order.

use std::ops::Range;
use std::path::{Path, PathBuf};

use bowline_code::{Encoding, LineTable, Position, uri};
use serde_json::Value;

use super::DraftError;
use super::edit::Sketch;
use crate::WorkspaceError;

/// Applies all of it. A server that made it may speak of places behind the end, and means the end.
pub(super) fn apply(sketch: &mut Sketch<'_>, edit: &Value, lenient: bool) -> Result<(), WorkspaceError> {
    if let Some(changes) = edit.get("documentChanges").filter(|changes| !changes.is_null()) {
        for change in changes.as_array().ok_or_else(|| bad("`documentChanges` is no list"))? {
            match change.get("kind").and_then(Value::as_str) {
                None => edit_text(sketch, &change["textDocument"]["uri"], &change["edits"], lenient)?,
                Some("create") => create(sketch, change)?,
                Some("rename") => rename(sketch, change)?,
                Some("delete") => delete(sketch, change)?,
                Some(other) => return Err(bad(format!("`{other}` is no change of files")).into()),
            }
        }
        return Ok(());
    }
    let changes = edit.get("changes").and_then(Value::as_object);
    let changes = changes.ok_or_else(|| bad("it has neither `changes` nor `documentChanges`"))?;
    for (uri, edits) in changes {
        edit_text(sketch, &Value::from(uri.as_str()), edits, lenient)?;
    }
    Ok(())
}

fn edit_text(
    sketch: &mut Sketch<'_>,
    uri: &Value,
    edits: &Value,
    lenient: bool,
) -> Result<(), WorkspaceError> {
    let (path, text) = sketch.existing(&file_of(uri)?)?;
    let lines = LineTable::new(&text);
    let mut spliced = Vec::new();
    for edit in edits.as_array().ok_or_else(|| bad("`edits` is no list"))? {
        let new = edit["newText"].as_str().ok_or_else(|| bad("an edit without `newText`"))?;
        let offset = |end: &str| offset(&path, &text, &lines, &edit["range"][end], lenient);
        let range: Range<usize> = offset("start")?..offset("end")?;
        spliced.push((range, new.to_owned()));
    }
    sketch.splice(&path, &text, spliced)
}

/// A position counts from zero here, in UTF-16 units.
fn offset(
    path: &Path,
    text: &str,
    lines: &LineTable,
    at: &Value,
    lenient: bool,
) -> Result<usize, WorkspaceError> {
    let number = |key: &str| at[key].as_u64().and_then(|number| u32::try_from(number).ok());
    let (Some(line), Some(column)) = (number("line"), number("character")) else {
        return Err(bad("a range without `line` and `character`").into());
    };
    let at = Position::new(line.saturating_add(1), column.saturating_add(1));
    match lines.offset(text, at, Encoding::Utf16) {
        Ok(offset) => Ok(offset),
        Err(_) if lenient => {
            Ok(lines.line_bytes(text, at.line).map_or(text.len(), |bytes| line_end(text, bytes)))
        }
        Err(exists) => Err(WorkspaceError::BadPosition { path: path.to_owned(), at, exists }),
    }
}

/// The end of what a line says.
fn line_end(text: &str, bytes: Range<usize>) -> usize {
    let line = text.get(bytes.clone()).unwrap_or_default();
    bytes.start + line.trim_end_matches(['\r', '\n']).len()
}

fn create(sketch: &mut Sketch<'_>, change: &Value) -> Result<(), WorkspaceError> {
    let path = sketch.resolve(&file_of(&change["uri"])?)?;
    if sketch.text(&path)?.is_some() && change["options"]["overwrite"] != true {
        let ignored = change["options"]["ignoreIfExists"] == true;
        return if ignored { Ok(()) } else { Err(DraftError::Exists { path }.into()) };
    }
    sketch.put(&path, Some("".into()), None)
}

fn rename(sketch: &mut Sketch<'_>, change: &Value) -> Result<(), WorkspaceError> {
    let from = sketch.resolve(&file_of(&change["oldUri"])?)?;
    no_directory(&from, "moved")?;
    let (from, text) = sketch.existing(&from)?;
    let to = sketch.resolve(&file_of(&change["newUri"])?)?;
    if from == to {
        return Ok(());
    }
    if sketch.text(&to)?.is_some() && change["options"]["overwrite"] != true {
        let ignored = change["options"]["ignoreIfExists"] == true;
        return if ignored { Ok(()) } else { Err(DraftError::Exists { path: to }.into()) };
    }
    sketch.put(&from, None, None)?;
    sketch.put(&to, Some(text), Some(from))
}

fn delete(sketch: &mut Sketch<'_>, change: &Value) -> Result<(), WorkspaceError> {
    let path = sketch.resolve(&file_of(&change["uri"])?)?;
    no_directory(&path, "deleted")?;
    if sketch.text(&path)?.is_none() {
        let ignored = change["options"]["ignoreIfNotExists"] == true;
        return if ignored { Ok(()) } else { Err(bowline_std::fs::ReadError::NotFound(path).into()) };
    }
    sketch.put(&path, None, None)
}

fn no_directory(path: &Path, what: &str) -> Result<(), DraftError> {
    if !path.is_dir() {
        return Ok(());
    }
    let path = path.display();
    Err(bad(format!(
        "`{path}` is a directory, and directories are not {what} as a whole; name each of its files"
    )))
}

fn file_of(uri: &Value) -> Result<PathBuf, DraftError> {
    let written = uri.as_str().ok_or_else(|| bad("a change without `uri`"))?;
    uri::to_path(written).ok_or_else(|| bad(format!("`{written}` is not the uri of a file")))
}

fn bad(reason: impl Into<String>) -> DraftError {
    DraftError::BadEdit { reason: reason.into() }
}
