//! What a server has registered since it started: methods for some documents, and files that it wants to hear of.

use std::collections::VecDeque;
use std::path::Path;

use bowline_code::uri;
use globset::GlobMatcher;
use serde_json::Value;

use super::FileEvent;
use crate::capabilities::selects;

/// Registrations at a time. The largest server that was seen has some thirty.
pub(super) const MOST_REGISTRATIONS: usize = 1000;

#[derive(Default)]
pub(super) struct Registrations(VecDeque<Registration>);

struct Registration {
    id: String,
    method: String,
    options: Value,
    watchers: Vec<Watcher>,
}

struct Watcher {
    glob: GlobMatcher,
    kinds: u64,
}

impl Registrations {
    /// Takes the parameters of `client/registerCapability`.
    pub(super) fn add(&mut self, params: &Value) {
        let given = params.get("registrations").and_then(Value::as_array);
        for registration in given.into_iter().flatten() {
            let text =
                |key: &str| registration.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let (id, method) = (text("id"), text("method"));
            let options = registration.get("registerOptions").cloned().unwrap_or_default();
            let watchers =
                if method == "workspace/didChangeWatchedFiles" { watchers(&options) } else { Vec::new() };
            self.0.retain(|known| known.id != id);
            if self.0.len() == MOST_REGISTRATIONS {
                self.0.pop_front();
            }
            self.0.push_back(Registration { id, method, options, watchers });
        }
    }

    /// Takes the parameters of `client/unregisterCapability`.
    pub(super) fn remove(&mut self, params: &Value) {
        // The protocol misspells the word, and some servers mend it.
        let given = params.get("unregisterations").or_else(|| params.get("unregistrations"));
        let ids: Vec<&str> = given
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|given| given.get("id").and_then(Value::as_str))
            .collect();
        self.0.retain(|known| !ids.contains(&known.id.as_str()));
    }

    pub(super) fn covers(&self, method: &str, document: Option<(&Path, &str)>) -> bool {
        self.0.iter().any(|registration| {
            registration.method == method
                && document.is_none_or(|(path, language)| {
                    selects(registration.options.get("documentSelector"), path, language)
                })
        })
    }

    /// What was said when a method was last registered.
    pub(super) fn options(&self, method: &str) -> Option<Value> {
        let last = self.0.iter().rev().find(|registration| registration.method == method)?;
        Some(last.options.clone())
    }

    /// Whether the server asked to hear of this. `None`: it asked for nothing at all.
    pub(super) fn watches(&self, path: &Path, event: FileEvent) -> Option<bool> {
        let mut watchers = self.0.iter().flat_map(|registration| &registration.watchers).peekable();
        watchers.peek()?;
        let kind = match event {
            FileEvent::Created => 1,
            FileEvent::Changed => 2,
            FileEvent::Deleted => 4,
        };
        Some(watchers.any(|watcher| watcher.kinds & kind != 0 && watcher.glob.is_match(path)))
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

fn watchers(options: &Value) -> Vec<Watcher> {
    let given = options.get("watchers").and_then(Value::as_array);
    let watcher = |watcher: &Value| {
        let glob = match watcher.get("globPattern")? {
            Value::String(pattern) => crate::globs::compile(pattern, None)?,
            relative => {
                let base = relative.get("baseUri")?;
                let base = base.as_str().or_else(|| base.get("uri").and_then(Value::as_str))?;
                crate::globs::compile(relative.get("pattern")?.as_str()?, Some(&uri::to_path(base)?))?
            }
        };
        Some(Watcher { glob, kinds: watcher.get("kind").and_then(Value::as_u64).unwrap_or(7) })
    };
    given.into_iter().flatten().filter_map(watcher).collect()
}
