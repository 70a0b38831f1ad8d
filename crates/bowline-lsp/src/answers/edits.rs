//! Edits as a server wrote them, but for one thing: columns are counted in UTF-16 units, as whoever applies an edit
//! without having spoken to the server expects.

use std::path::{Path, PathBuf};

use bowline_code::{Encoding, Position, Span, uri};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Reader, elements, tree, typed};
use crate::Shown;

/// What would be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    pub span: Span,
    pub placeholder: String,
}

impl Reader<'_> {
    /// Text edits of one file.
    pub(crate) fn edits(&mut self, path: &Path, answer: &RawValue) -> Result<Vec<Value>, String> {
        let mut edits = Vec::new();
        for element in elements(answer)? {
            let mut edit = tree(element);
            if !edit["range"].is_object() || !edit["newText"].is_string() {
                self.dropped += 1;
                continue;
            }
            self.recount(path, &mut edit);
            edits.push(edit);
        }
        Ok(edits)
    }

    /// Code actions, as the server counts. A bare command becomes the action that runs it.
    pub(crate) fn actions(&mut self, answer: &RawValue) -> Result<Vec<Value>, String> {
        let mut actions = Vec::new();
        for element in elements(answer)? {
            let mut action = tree(element);
            if action["command"].is_string() {
                action = json!({"title": action["title"].clone(), "command": action});
            }
            if !action["title"].is_string() {
                self.dropped += 1;
                continue;
            }
            actions.push(action);
        }
        Ok(actions)
    }

    /// Counts the edits of actions anew, where the server counts otherwise.
    pub(crate) fn recount_actions(&mut self, actions: &mut [Value]) {
        for edit in actions.iter_mut().filter_map(|action| action.get_mut("edit")) {
            self.recount_workspace_edit(edit);
        }
    }

    /// An edit of several files.
    pub(crate) fn workspace_edit(&mut self, answer: &RawValue) -> Result<Value, String> {
        let mut edit = tree(answer);
        if edit.is_null() {
            return Err("no edit at all".to_owned());
        }
        self.recount_workspace_edit(&mut edit);
        Ok(edit)
    }

    /// A range, a range with a word, or the news that the server leaves it to us.
    pub(crate) fn renamable(
        &mut self,
        shown: &Shown,
        at: Position,
        answer: &RawValue,
    ) -> Result<Option<Renamable>, String> {
        let answer = tree(answer);
        if answer.is_null() {
            return Ok(None);
        }
        if answer["defaultBehavior"] == true {
            return Ok(word_at(shown, at));
        }
        let range = typed(answer.get("range").unwrap_or(&answer)).ok_or("no range to rename")?;
        let span = self.span(&shown.path, &range);
        let written = text_of(shown, span).unwrap_or_default();
        let placeholder = answer["placeholder"].as_str().map_or(written, str::to_owned);
        Ok(Some(Renamable { span, placeholder }))
    }

    /// Counts every range of an object anew, where the server counts otherwise.
    pub(crate) fn recount(&mut self, path: &Path, object: &mut Value) {
        if self.encoding == Encoding::Utf16 {
            return;
        }
        match object {
            Value::Object(fields) => {
                for (key, value) in fields {
                    match key.as_str() {
                        "range" | "insert" | "replace" => self.recount_range(path, value),
                        "textEdit" | "additionalTextEdits" => self.recount(path, value),
                        _ => {}
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.recount(path, item)),
            _ => {}
        }
    }

    fn recount_range(&mut self, path: &Path, range: &mut Value) {
        if let Some(read) = typed(range) {
            let span = self.span(path, &read);
            let zero = |at: Position| json!({"line": at.line - 1, "character": at.column - 1});
            *range = json!({"start": zero(span.start), "end": zero(span.end)});
        }
    }

    fn recount_workspace_edit(&mut self, edit: &mut Value) {
        if self.encoding == Encoding::Utf16 {
            return;
        }
        if let Some(changes) = edit.get_mut("changes").and_then(Value::as_object_mut) {
            for (uri, edits) in changes {
                if let Some(path) = uri::to_path(uri) {
                    self.recount(&path, edits);
                }
            }
        }
        for change in edit.get_mut("documentChanges").and_then(Value::as_array_mut).into_iter().flatten() {
            let path: Option<PathBuf> = change["textDocument"]["uri"].as_str().and_then(uri::to_path);
            if let (Some(path), Some(edits)) = (path, change.get_mut("edits")) {
                self.recount(&path, edits);
            }
        }
    }
}

fn text_of(shown: &Shown, span: Span) -> Option<String> {
    let offset = |at| shown.lines.offset(&shown.text, at, Encoding::Utf16).ok();
    shown.text.get(offset(span.start)?..offset(span.end)?).map(str::to_owned)
}

/// The word at a position.
fn word_at(shown: &Shown, at: Position) -> Option<Renamable> {
    let offset = shown.lines.offset(&shown.text, at, Encoding::Utf16).ok()?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (before, after) = shown.text.split_at_checked(offset)?;
    let start =
        before.len() - before.chars().rev().take_while(|c| is_word(*c)).map(char::len_utf8).sum::<usize>();
    let end = offset + after.chars().take_while(|c| is_word(*c)).map(char::len_utf8).sum::<usize>();
    let placeholder = shown.text.get(start..end).filter(|word| !word.is_empty())?.to_owned();
    let position = |offset| shown.lines.position(&shown.text, offset, Encoding::Utf16);
    Some(Renamable { span: Span::new(position(start), position(end)), placeholder })
}
