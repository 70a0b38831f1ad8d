//! A place in a file, as callers write it: by line and column, by the text around it, by the name of a symbol, or by
//! several of these, each of which leaves fewer places that can be meant.

use std::path::{Path, PathBuf};

use bowline_call::ToolError;
use bowline_code::{Encoding, Position, Span};
use bowline_workspace::{Named, Patience, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::explain::explain;

/// How many of several matches an error lists.
const LISTED: usize = 5;

/// A place in a file. The file's name decides its language; `language_id` is for clients that always send it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Place {
    pub file_path: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    #[serde(default)]
    pub line: Option<i64>,
    #[serde(default)]
    pub column: Option<i64>,
    #[serde(flatten)]
    pub by: Means,
}

/// Other ways to say where than by numbers.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Means {
    /// `@@` marks the place.
    #[serde(default)]
    pub position_pattern: Option<String>,
    #[serde(default)]
    pub symbol_path: Option<String>,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub line_scope_start: Option<i64>,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub line_scope_end: Option<i64>,
}

const EITHER: &str = "give `line` and `column`, or `position_pattern`, or `symbol_path`";

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
        let given = self.column.map(|column| one_based("column", column)).transpose()?;
        let scope = self.by.scope()?;
        if let Some(line) = line
            && !scope.holds(line)
        {
            return Err(ToolError::bad_arguments(format!("line {line} is not within {scope}")));
        }
        if self.by.is_given() {
            let wanted = Wanted { line, column: given.filter(|_| line.is_some()), scope };
            return Ok(self.by.find(workspace, &self.file_path, wanted, patience).await?.start);
        }
        match (line, given.or(column)) {
            (Some(line), Some(column)) => Ok(Position::new(line, column)),
            (None, _) => Err(ToolError::bad_arguments("line: missing required argument `line`").hint(EITHER)),
            (_, None) => {
                Err(ToolError::bad_arguments("column: missing required argument `column`").hint(EITHER))
            }
        }
    }
}

/// A stretch of a file.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Stretch {
    pub file_path: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    #[serde(default)]
    pub start_line: Option<i64>,
    #[serde(default)]
    pub start_column: Option<i64>,
    #[serde(default)]
    pub end_line: Option<i64>,
    #[serde(default)]
    pub end_column: Option<i64>,
    #[serde(flatten)]
    pub by: Means,
}

impl Stretch {
    pub(crate) fn file(&self) -> &Path {
        &self.file_path
    }

    /// The span that is meant: by its ends, by a symbol, by a text. A missing end is the end of the file or of the line.
    pub(crate) async fn span(
        &self,
        workspace: &Workspace,
        patience: &Patience<'_>,
    ) -> Result<Span, ToolError> {
        let number = |name: &str, value: Option<i64>| value.map(|value| one_based(name, value)).transpose();
        let start_line = number("start_line", self.start_line)?;
        let start_column = number("start_column", self.start_column)?;
        let end_line = number("end_line", self.end_line)?;
        let end_column = number("end_column", self.end_column)?;
        let scope = self.by.scope()?;
        if self.by.is_given() {
            let scope = Scope { first: start_line.or(scope.first), last: end_line.or(scope.last) };
            return self
                .by
                .find(workspace, &self.file_path, Wanted { line: None, column: None, scope }, patience)
                .await;
        }
        let start = Position::new(start_line.or(scope.first).unwrap_or(1), start_column.unwrap_or(1));
        let end = Position::new(end_line.or(scope.last).unwrap_or(u32::MAX), end_column.unwrap_or(u32::MAX));
        if start > end {
            return Err(ToolError::bad_arguments(format!(
                "start position ({}:{}) must not be after end position ({}:{})",
                start.line, start.column, end.line, end.column
            )));
        }
        Ok(Span::new(start, end))
    }
}

/// What else is known about the place that a text or a name means.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    line: Option<u32>,
    column: Option<u32>,
    scope: Scope,
}

/// The lines within which a place is looked for.
#[derive(Debug, Clone, Copy, Default)]
struct Scope {
    first: Option<u32>,
    last: Option<u32>,
}

impl Scope {
    fn holds(&self, line: u32) -> bool {
        self.first.is_none_or(|first| first <= line) && self.last.is_none_or(|last| line <= last)
    }
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let end = |line: Option<u32>| line.map_or_else(String::new, |line| line.to_string());
        write!(f, "lines {}..{}", end(self.first), end(self.last))
    }
}

impl Means {
    fn is_given(&self) -> bool {
        self.position_pattern.is_some() || self.symbol_path.is_some()
    }

    fn scope(&self) -> Result<Scope, ToolError> {
        let line = |name: &str, value: Option<i64>| value.map(|value| one_based(name, value)).transpose();
        let first = line("line_scope_start", self.line_scope_start)?;
        let last = line("line_scope_end", self.line_scope_end)?;
        match (first, last) {
            (Some(first), Some(last)) if first > last => Err(ToolError::bad_arguments(format!(
                "line_scope_start ({first}) must not be after line_scope_end ({last})"
            ))),
            _ => Ok(Scope { first, last }),
        }
    }

    /// The one span that fits everything that was said. A text alone means the place of its `@@`, to its end.
    async fn find(
        &self,
        workspace: &Workspace,
        path: &Path,
        wanted: Wanted,
        patience: &Patience<'_>,
    ) -> Result<Span, ToolError> {
        let Some(symbol_path) = &self.symbol_path else {
            let pattern = self.position_pattern.as_deref().unwrap_or_default();
            return matching(workspace, path, pattern, wanted, None, patience).await;
        };
        let named = workspace.named_in(path, symbol_path, patience).await.map_err(explain)?;
        let fits = |named: &Named| {
            let (first, last) = (named.range.start.line, named.range.end.line);
            wanted.line.is_none_or(|line| first <= line && line <= last)
                && wanted.scope.holds(named.selection.start.line)
        };
        let named: Vec<Named> = named.into_iter().filter(fits).collect();
        if named.is_empty() {
            return Err(ToolError::bad_arguments(format!("symbol `{symbol_path}` not found in the file"))
                .hint("list_symbols shows what the file holds"));
        }
        if let Some(pattern) = &self.position_pattern {
            return matching(workspace, path, pattern, wanted, Some(&named), patience).await;
        }
        match named.as_slice() {
            [only] => Ok(match (wanted.line, wanted.column) {
                (Some(line), Some(column)) => Span::new(Position::new(line, column), only.range.end),
                _ => Span::new(only.selection.start, only.range.end),
            }),
            several => {
                let listed = |named: &Named| format!("{} at {}", named.name, at(named.position()));
                Err(ambiguous("symbol_path", several.iter().map(listed))
                    .hint("name what is around it (`Type.method`), or `line`, or the nth: `name[1]`"))
            }
        }
    }
}

pub(crate) fn one_based(name: &str, value: i64) -> Result<u32, ToolError> {
    match u32::try_from(value) {
        Ok(value) if value >= 1 => Ok(value),
        Err(_) if value > 0 => Err(ToolError::bad_arguments(format!("{name} is far too large: {value}"))),
        _ => Err(ToolError::bad_arguments(format!("{name} must be >= 1, got {value}"))),
    }
}

/// The one place where a text stands, among symbols if some are given.
async fn matching(
    workspace: &Workspace,
    path: &Path,
    pattern: &str,
    wanted: Wanted,
    among: Option<&[Named]>,
    patience: &Patience<'_>,
) -> Result<Span, ToolError> {
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
    // Whoever writes a pattern of several lines does not know how the file ends them.
    let crlf = sought.contains('\n') && !sought.contains('\r') && text.contains("\r\n");
    let (before, sought) = if crlf {
        (before.replace('\n', "\r\n"), sought.replace('\n', "\r\n"))
    } else {
        ((*before).to_owned(), sought)
    };
    let position = |offset| lines.position(text, offset, Encoding::Utf16);
    let fits = |span: &Span| {
        wanted.line.is_none_or(|line| span.start.line == line)
            && wanted.column.is_none_or(|column| span.start.column == column)
            && wanted.scope.holds(span.start.line)
            && among.is_none_or(|named| {
                named.iter().any(|named| named.range.start <= span.start && span.start <= named.range.end)
            })
    };
    let places: Vec<Span> = text
        .match_indices(&sought)
        .map(|(at, found)| Span::new(position(at + before.len()), position(at + found.len())))
        .filter(fits)
        .collect();
    match places.as_slice() {
        [] => Err(ToolError::bad_arguments(format!("position_pattern not found in file: {sought:?}"))),
        [only] => Ok(*only),
        several => Err(ambiguous("position_pattern", several.iter().map(|span| at(span.start)))
            .hint("add more text around it, or `line`, or `symbol_path`")),
    }
}

fn at(place: Position) -> String {
    format!("{}:{}", place.line, place.column)
}

fn ambiguous(what: &str, places: impl ExactSizeIterator<Item = String>) -> ToolError {
    let total = places.len();
    let mut listed: Vec<String> = places.take(LISTED).collect();
    if total > LISTED {
        listed.push(format!("and {} more", total - LISTED));
    }
    ToolError::bad_arguments(format!("{what} is found {total} times: {}", listed.join(", ")))
}
