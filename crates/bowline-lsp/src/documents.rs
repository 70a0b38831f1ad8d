//! What a server is shown: the open documents, their versions, and the smallest change from one text to the next.

mod overlay;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_code::{Encoding, LineTable, Position, uri};
use serde_json::{Value, json};

use crate::capabilities::Changes;

/// More are closed, those first that nobody has asked about for the longest time.
const MOST_OPEN: usize = 200;

/// The text of a file, as a server is to see it.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub path: PathBuf,
    /// What the server is told that it is written in.
    pub language: String,
    pub text: Arc<str>,
}

/// A document as the server has it.
#[derive(Debug, Clone)]
pub struct Shown {
    pub path: PathBuf,
    pub uri: String,
    pub language: String,
    pub version: i64,
    pub text: Arc<str>,
    pub lines: Arc<LineTable>,
}

/// The open documents of one server. Cheap to copy: texts are shared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Documents {
    open: HashMap<PathBuf, Open>,
    clock: u64,
    /// No version of a document that was closed is greater. One that is opened again goes on behind it: what is
    /// still said about the earlier text must not be taken for the new one.
    past: i64,
}

#[derive(Debug, Clone)]
struct Open {
    shown: Shown,
    used: u64,
    /// What is shown is a draft, which lies over this.
    beneath: Option<Beneath>,
}

/// What a draft lies over.
#[derive(Debug, Clone)]
enum Beneath {
    /// The document was not open.
    Nothing,
    Text(Arc<str>),
}

/// A message to the server that makes its view of the documents ours.
pub(crate) type Notice = (&'static str, Value);

impl Documents {
    pub(crate) fn get(&self, path: &Path) -> Option<&Shown> {
        self.open.get(path).map(|open| &open.shown)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Shown> {
        self.open.values().map(|open| &open.shown)
    }

    pub(crate) fn count(&self) -> usize {
        self.open.len()
    }

    /// What to tell the server so that it sees this text, and the document as it then is.
    pub(crate) fn show(
        &mut self,
        sheet: &Sheet,
        encoding: Encoding,
        changes: Changes,
        save: Option<bool>,
    ) -> (Vec<Notice>, Shown) {
        self.clock += 1;
        let used = self.clock;
        if let Some(shown) = self.show_beneath(sheet) {
            return (Vec::new(), shown);
        }
        let Some(open) = self.open.get_mut(&sheet.path) else {
            let shown = Shown {
                uri: uri::of(&sheet.path),
                path: sheet.path.clone(),
                language: sheet.language.clone(),
                version: self.past + 1,
                lines: Arc::new(LineTable::new(&sheet.text)),
                text: Arc::clone(&sheet.text),
            };
            self.open.insert(sheet.path.clone(), Open { shown: shown.clone(), used, beneath: None });
            let mut notices = vec![opened(&shown)];
            notices.extend(self.crowded_out());
            return (notices, shown);
        };
        open.used = used;
        if open.shown.text == sheet.text {
            return (Vec::new(), open.shown.clone());
        }
        let before = open.shown.clone();
        open.shown.turn_into(&sheet.text);
        let shown = open.shown.clone();
        (changed(&before, &shown, encoding, changes, save), shown)
    }

    /// A new version of the same text: whoever gets it looks at the document again.
    pub(crate) fn nudge(&mut self, path: &Path, changes: Changes) -> Option<(Vec<Notice>, Shown)> {
        let open = self.open.get_mut(path)?;
        open.shown.version += 1;
        let shown = open.shown.clone();
        if changes == Changes::Never {
            return Some((vec![closed(&shown), opened(&shown)], shown));
        }
        let params = json!({
            "textDocument": {"uri": shown.uri, "version": shown.version},
            "contentChanges": [{"text": &*shown.text}],
        });
        Some((vec![("textDocument/didChange", params)], shown))
    }

    pub(crate) fn close(&mut self, path: &Path) -> Option<Notice> {
        let open = self.open.get_mut(path)?;
        if let Some(beneath) = &mut open.beneath {
            // It is closed with the draft that lies over it.
            *beneath = Beneath::Nothing;
            return None;
        }
        let shown = self.open.remove(path)?.shown;
        self.past = self.past.max(shown.version);
        Some(closed(&shown))
    }

    /// What to tell a server that knows nothing yet, so that it has everything open that is: versions go on where they
    /// were. In the order in which they were used.
    pub(crate) fn openings(&self) -> Vec<Notice> {
        let mut open: Vec<&Open> = self.open.values().collect();
        open.sort_unstable_by_key(|open| open.used);
        open.into_iter().map(|open| opened(&open.shown)).collect()
    }

    fn crowded_out(&mut self) -> Option<Notice> {
        if self.open.len() <= MOST_OPEN {
            return None;
        }
        let plain = self.open.iter().filter(|(_, open)| open.beneath.is_none());
        let oldest = plain.min_by_key(|(_, open)| open.used).map(|(path, _)| path.clone())?;
        self.close(&oldest)
    }
}

impl Shown {
    fn turn_into(&mut self, text: &Arc<str>) {
        self.version += 1;
        self.text = Arc::clone(text);
        self.lines = Arc::new(LineTable::new(text));
    }
}

fn opened(shown: &Shown) -> Notice {
    let document = json!({"uri": shown.uri, "languageId": shown.language, "version": shown.version, "text": &*shown.text});
    ("textDocument/didOpen", json!({"textDocument": document}))
}

fn closed(shown: &Shown) -> Notice {
    ("textDocument/didClose", json!({"textDocument": {"uri": shown.uri}}))
}

fn changed(
    before: &Shown,
    after: &Shown,
    encoding: Encoding,
    changes: Changes,
    save: Option<bool>,
) -> Vec<Notice> {
    let content = match changes {
        // A server that does not want changes can only be shown the document anew.
        Changes::Never => return vec![closed(before), opened(after)],
        Changes::Whole => json!([{"text": &*after.text}]),
        Changes::Parts => {
            let (old, new) = difference(&before.text, &after.text);
            let at = |offset| on_the_wire(before.lines.position(&before.text, offset, encoding));
            json!([{"range": {"start": at(old.start), "end": at(old.end)}, "text": &after.text[new]}])
        }
    };
    let document = json!({"uri": after.uri, "version": after.version});
    let mut notices =
        vec![("textDocument/didChange", json!({"textDocument": document, "contentChanges": content}))];
    // The text came from the disk, so it has been saved; some servers only then look closely.
    if let Some(with_text) = save {
        let mut params = json!({"textDocument": {"uri": after.uri}});
        if with_text {
            params["text"] = json!(&*after.text);
        }
        notices.push(("textDocument/didSave", params));
    }
    notices
}

/// A position as the protocol writes it: from zero.
pub(crate) fn on_the_wire(position: Position) -> Value {
    json!({"line": position.line.saturating_sub(1), "character": position.column.saturating_sub(1)})
}

/// The bytes of the old text that became the bytes of the new one. Never within a character or a line end, whose
/// inside has no position.
fn difference(old: &str, new: &str) -> (Range<usize>, Range<usize>) {
    let same = old.bytes().zip(new.bytes()).take_while(|(old, new)| old == new).count();
    let inside = |text: &str, at: usize| {
        !text.is_char_boundary(at)
            || (text.as_bytes().get(at) == Some(&b'\n') && at > 0 && text.as_bytes()[at - 1] == b'\r')
    };
    let mut start = same;
    while inside(old, start) || inside(new, start) {
        start -= 1;
    }
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let mut tail =
        old_rest.bytes().rev().zip(new_rest.bytes().rev()).take_while(|(old, new)| old == new).count();
    while inside(old, old.len() - tail) || inside(new, new.len() - tail) {
        tail -= 1;
    }
    (start..old.len() - tail, start..new.len() - tail)
}

#[cfg(test)]
mod tests;
