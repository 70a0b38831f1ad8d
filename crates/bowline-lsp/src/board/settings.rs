//! What a server is answered when it asks for its configuration.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// The settings of a server, which may be changed while it runs.
pub(super) struct Settings(Mutex<State>);

struct State {
    settings: Option<Value>,
    /// They were changed, and the server has not asked for them yet.
    unread: bool,
}

impl From<Option<Value>> for Settings {
    fn from(settings: Option<Value>) -> Self {
        Self(Mutex::new(State { settings, unread: false }))
    }
}

impl Settings {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, settings: Value) {
        *self.lock() = State { settings: Some(settings), unread: true };
    }

    /// Whatever the server says it says of the settings before.
    pub(super) fn wait_to_be_read(&self) -> bool {
        self.lock().unread
    }

    /// The answer to `workspace/configuration`, and whether it is the first one since they were changed. A section
    /// about which nothing is set tells the server nothing new.
    pub(super) fn answer(&self, params: &Value) -> (Value, bool) {
        let mut state = self.lock();
        let answer = answer(state.settings.as_ref(), params);
        let says_something =
            answer.as_array().is_some_and(|values| values.iter().any(|value| !value.is_null()));
        let are_new = says_something && state.unread;
        state.unread &= !says_something;
        (answer, are_new)
    }
}

/// One value for each item, `null` where nothing is set.
fn answer(settings: Option<&Value>, params: &Value) -> Value {
    let items = params.get("items").and_then(Value::as_array);
    let answers = items.into_iter().flatten().map(|item| {
        let section = item.get("section").and_then(Value::as_str).filter(|section| !section.is_empty());
        let found = match section {
            Some(section) => settings.and_then(|settings| find(settings, section)),
            None => settings,
        };
        found.cloned().unwrap_or(Value::Null)
    });
    Value::Array(answers.collect())
}

/// The settings of a section such as `python.analysis`, written as nested tables or with dots.
fn find<'a>(settings: &'a Value, section: &str) -> Option<&'a Value> {
    if let Some(found) = settings.get(section) {
        return Some(found);
    }
    let dots = section.match_indices('.');
    dots.map(|(at, _)| section.split_at(at)).find_map(|(head, tail)| find(settings.get(head)?, &tail[1..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::RawValue;

    use super::super::Board;
    use super::*;
    use crate::connection::Listener;

    #[test]
    fn what_is_logged_counts_once_changed_settings_were_read() {
        let raw = |value: Value| RawValue::from_string(value.to_string()).unwrap();
        let board = Board::new(Vec::new(), None);
        let log = || {
            board.notification(
                "window/logMessage",
                Some(&raw(json!({"type": 3, "message": "Found 3 source files"}))),
            );
        };
        let read = |section: &str| {
            let items = raw(json!({"items": [{"section": section}]}));
            board.request("workspace/configuration", Some(&items)).unwrap()
        };
        let found = || board.has_logged("source file");
        log();
        assert!(found());
        board.change_settings(json!({"python": {"analysis": {"include": ["a"]}}}));
        assert!(!found(), "that was about other settings");
        assert_eq!(read("pyright"), json!([null]));
        log();
        assert!(!found(), "it has not asked yet");
        assert_eq!(read("python"), json!([{"analysis": {"include": ["a"]}}]));
        assert!(!found(), "it has only just asked");
        log();
        assert!(found());
    }
}
