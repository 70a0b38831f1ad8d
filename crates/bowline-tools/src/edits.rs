//! An edit, as callers write it: by its place, by a text, by a symbol, as a workspace edit, or as what the language
//! server proposes.

use std::path::PathBuf;

use bowline_call::ToolError;
use bowline_code::{Position, Span};
use bowline_workspace::{Edit, Proposal, ToRename, Which};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::layout::Layout;
use crate::place::one_based;

/// One edit.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EditArgs {
    pub file_path: Option<PathBuf>,
    pub start_line: Option<i64>,
    pub start_column: Option<i64>,
    pub end_line: Option<i64>,
    pub end_column: Option<i64>,
    pub new_text: Option<String>,
    /// Instead of a range: text that is there once.
    pub old_text: Option<String>,
    /// Or a symbol: `Type.method`. `new_text` replaces all of it, `new_body` its body.
    pub symbol_path: Option<String>,
    pub new_body: Option<String>,
    /// Or an LSP WorkspaceEdit.
    pub workspace_edit: Option<Map<String, Value>>,
    /// Or by the language server.
    pub action: Option<Action>,
    pub title: Option<String>,
    pub new_name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Fix,
    Format,
    Rename,
}

const WAYS: &str = "give a range with `new_text`, or `old_text` with `new_text`, or `symbol_path` with `new_text` or \
                    `new_body`, or `workspace_edit`, or `action`";

impl EditArgs {
    /// What clients call by another name.
    pub(crate) fn accept(arguments: &mut Value) {
        let Some(fields) = arguments.as_object_mut() else { return };
        if !fields.contains_key("new_body")
            && let Some(body) = fields.remove("body")
        {
            fields.insert("new_body".to_owned(), body);
        }
    }

    /// One of a list, whose fields nobody has checked.
    pub(crate) fn read(index: usize, mut edit: Value) -> Result<Edit, ToolError> {
        const KNOWN: [&str; 13] = [
            "file_path",
            "start_line",
            "start_column",
            "end_line",
            "end_column",
            "new_text",
            "old_text",
            "symbol_path",
            "new_body",
            "workspace_edit",
            "action",
            "title",
            "new_name",
        ];
        Self::accept(&mut edit);
        let step = index + 1;
        let wrong = |what: String| ToolError::bad_arguments(format!("edit {step}: {what}"));
        let unknown = edit.as_object().into_iter().flatten().find(|(key, _)| !KNOWN.contains(&key.as_str()));
        if let Some((key, _)) = unknown {
            return Err(wrong(format!("unknown field `{key}`")).hint(WAYS));
        }
        let args: Self = serde_json::from_value(edit).map_err(|error| wrong(error.to_string()))?;
        args.edit().map_err(|error| match error {
            ToolError::BadArguments { message, hints } => {
                ToolError::BadArguments { message: format!("edit {step}: {message}"), hints }
            }
            other => other,
        })
    }

    /// The files that it names.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let within = self.workspace_edit.clone().map(|edit| Edit::Workspace(Value::Object(edit)).files());
        self.file_path.iter().cloned().chain(within.into_iter().flatten()).collect()
    }

    /// The edit that is meant.
    pub(crate) fn edit(self) -> Result<Edit, ToolError> {
        let ways = [
            self.workspace_edit.is_some(),
            self.action.is_some(),
            self.old_text.is_some(),
            self.symbol_path.is_some() && self.action.is_none(),
        ];
        if ways.into_iter().filter(|given| *given).count() > 1 {
            return Err(ToolError::bad_arguments("several edits at once are given").hint(WAYS));
        }
        if let Some(edit) = self.workspace_edit {
            return Ok(Edit::Workspace(Value::Object(edit)));
        }
        let span = self.span()?;
        let missing = |what: &str| ToolError::bad_arguments(format!("{what} is missing")).hint(WAYS);
        let file = self.file_path.ok_or_else(|| missing("`file_path`"))?;
        if let Some(action) = self.action {
            let at = Where { span, symbol: self.symbol_path };
            return proposed(action, file, at, self.title, self.new_name).map(Edit::Proposed);
        }
        if let Some(old_text) = self.old_text {
            let new_text = self.new_text.ok_or_else(|| missing("`new_text`"))?;
            return Ok(Edit::Text { file, old_text, new_text });
        }
        if let Some(symbol) = self.symbol_path {
            return match (self.new_text, self.new_body) {
                (Some(new_text), None) => Ok(Edit::Symbol { file, symbol, new_text }),
                (None, Some(new_body)) => Ok(Edit::Body { file, symbol, new_body }),
                _ => Err(ToolError::bad_arguments("give `new_text` for the whole symbol, or `new_body`")),
            };
        }
        let span = span.ok_or_else(|| missing("a place"))?;
        Ok(Edit::Range { file, span, new_text: self.new_text.ok_or_else(|| missing("`new_text`"))? })
    }

    /// The range, if all of it is given.
    fn span(&self) -> Result<Option<Span>, ToolError> {
        let ends = [
            ("start_line", self.start_line),
            ("start_column", self.start_column),
            ("end_line", self.end_line),
            ("end_column", self.end_column),
        ];
        if ends.iter().all(|(_, value)| value.is_none()) {
            return Ok(None);
        }
        let mut numbers = [0; 4];
        for (number, (name, value)) in numbers.iter_mut().zip(ends) {
            // An action needs no more than where it begins.
            let value = value.or_else(|| self.action.and_then(|_| self.usual(name)));
            let value = value.ok_or_else(|| {
                ToolError::bad_arguments(format!("{name}: missing required argument `{name}`"))
            })?;
            *number = one_based(name, value)?;
        }
        let [start_line, start_column, end_line, end_column] = numbers;
        let (start, end) = (Position::new(start_line, start_column), Position::new(end_line, end_column));
        if start > end {
            return Err(ToolError::bad_arguments(format!(
                "start position ({start_line}:{start_column}) must not be after end position ({end_line}:{end_column})"
            )));
        }
        Ok(Some(Span::new(start, end)))
    }

    fn usual(&self, name: &str) -> Option<i64> {
        match name {
            "start_column" => Some(1),
            "end_line" => self.start_line,
            "end_column" => {
                self.start_column.filter(|_| self.end_line.is_none()).or(Some(i64::from(u32::MAX)))
            }
            _ => None,
        }
    }
}

/// What an action is about.
struct Where {
    span: Option<Span>,
    symbol: Option<String>,
}

fn proposed(
    action: Action,
    file: PathBuf,
    Where { span, symbol }: Where,
    title: Option<String>,
    new_name: Option<String>,
) -> Result<Proposal, ToolError> {
    let missing = |what: &str| ToolError::bad_arguments(format!("{what} is missing"));
    if symbol.is_some() && (action != Action::Rename || span.is_some()) {
        let message = "`symbol_path` goes with `rename`, without a range";
        return Err(ToolError::bad_arguments(message).hint("`start_line` and `end_line` say where"));
    }
    match action {
        Action::Format => Ok(Proposal::Format { file, within: span, how: Layout::default().formatting()? }),
        Action::Fix => {
            let which = title.map_or(Which::Preferred, Which::Titled);
            Ok(Proposal::Fix { file, within: span.ok_or_else(|| missing("`start_line`"))?, which })
        }
        Action::Rename => Ok(Proposal::Rename {
            file,
            what: match symbol {
                Some(symbol) => ToRename::Symbol(symbol),
                None => ToRename::At(span.ok_or_else(|| missing("`symbol_path` or `start_line`"))?.start),
            },
            new_name: new_name.ok_or_else(|| missing("`new_name`"))?,
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(edit: Value) -> String {
        match EditArgs::read(0, edit) {
            Ok(edit) => format!("{edit:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn one_way_to_say_an_edit() {
        let range = json!({"file_path": "a", "start_line": 1, "start_column": 1, "end_line": 2, "end_column": 1, "new_text": ""});
        assert!(read(range).starts_with("Range"));
        assert!(read(json!({"file_path": "a", "old_text": "x", "new_text": "y"})).starts_with("Text"));
        assert!(read(json!({"file_path": "a", "symbol_path": "f", "body": "{}"})).starts_with("Body"));
        assert!(read(json!({"workspace_edit": {"changes": {}}})).starts_with("Workspace"));
        let fix = json!({"file_path": "a", "action": "fix", "start_line": 3});
        assert!(read(fix).contains("start: Position { line: 3, column: 1 }"));
        let rename = json!({"file_path": "a", "action": "rename", "start_line": 3, "start_column": 2, "new_name": "x"});
        assert!(read(rename).contains("Rename"));
    }

    #[test]
    fn what_cannot_be_meant_is_said() {
        for (edit, expected) in [
            (json!({"file_path": "a"}), "bad arguments: edit 1: a place is missing"),
            (json!({"file_path": "a", "new": 1}), "bad arguments: edit 1: unknown field `new`"),
            (json!({"file_path": "a", "old_text": "x"}), "bad arguments: edit 1: `new_text` is missing"),
            (
                json!({"file_path": "a", "start_line": 1, "new_text": ""}),
                "bad arguments: edit 1: start_column: missing required argument `start_column`",
            ),
            (
                json!({"file_path": "a", "old_text": "x", "symbol_path": "f", "new_text": ""}),
                "bad arguments: edit 1: several edits at once are given",
            ),
            (
                json!({"file_path": "a", "start_line": 2, "start_column": 1, "end_line": 1, "end_column": 1, "new_text": ""}),
                "bad arguments: edit 1: start position (2:1) must not be after end position (1:1)",
            ),
        ] {
            assert_eq!(read(edit), expected);
        }
    }
}
