//! Shapes that several tools answer with: the keys of the language server protocol, counted from 1.

use std::path::PathBuf;

use bowline_code::{Position, Span};
use bowline_workspace::{Caller, HierarchyItem};
use serde::Serialize;

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct WireSpan {
    start: WirePosition,
    end: WirePosition,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct WirePosition {
    line: u32,
    character: u32,
}

impl From<Position> for WirePosition {
    fn from(position: Position) -> Self {
        Self { line: position.line, character: position.column }
    }
}

impl From<Span> for WireSpan {
    fn from(span: Span) -> Self {
        Self { start: span.start.into(), end: span.end.into() }
    }
}

/// A function or type of a hierarchy.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireItem {
    name: String,
    kind: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    file: PathBuf,
    line: u32,
    uri: String,
    range: WireSpan,
    selection_range: WireSpan,
}

impl From<&HierarchyItem> for WireItem {
    fn from(item: &HierarchyItem) -> Self {
        Self {
            name: item.name.clone(),
            kind: item.kind.into(),
            detail: item.detail.clone(),
            file: item.location.file.clone(),
            line: item.location.line,
            uri: bowline_code::uri::of(&item.location.file),
            range: item.range.into(),
            selection_range: item.location.span().into(),
        }
    }
}

/// Somebody who uses something: what they are called, and where they do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct WireCaller {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) line: u32,
}

impl From<&Caller> for WireCaller {
    fn from(caller: &Caller) -> Self {
        // At the top of a file nothing has a name but the file.
        let stem = || caller.place.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = if caller.name.is_empty() { stem() } else { caller.name.clone() };
        Self { name, file: caller.place.file.clone(), line: caller.place.line }
    }
}

/// For numbers that are left out when there is nothing to count.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}
