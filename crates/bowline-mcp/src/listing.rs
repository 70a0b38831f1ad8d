//! `tools/list`, made from what the tools say of themselves, or taken as text that was made from it at build time.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use bowline_call::{Effect, Registry, ToolSpec};
use bowline_dispatch::Corridor;
use rmcp::model::{JsonObject, ListToolsResult, Tool, ToolAnnotations};

/// All tools, in their one order.
pub fn listing(registry: &Registry) -> Vec<Tool> {
    registry.specs().map(entry).collect()
}

fn entry(spec: &ToolSpec) -> Tool {
    let schema: JsonObject = spec.listed_schema().as_object().cloned().unwrap_or_default();
    Tool::new(spec.name.clone(), spec.description().to_owned(), Arc::new(schema))
        .with_annotations(annotations(spec.most))
}

/// Hints that repeat the protocol's own defaults are left out: every byte is read by every model.
fn annotations(most: Effect) -> ToolAnnotations {
    let hints = ToolAnnotations::new();
    match most {
        Effect::Read => hints.read_only(true).open_world(false),
        Effect::Draft => hints.read_only(false).destructive(false).open_world(false),
        Effect::Write => hints.read_only(false).destructive(true).open_world(false),
        Effect::Run => hints.read_only(false).destructive(true),
    }
}

/// The list of one conversation, put together when it is first asked for.
pub(crate) struct Listing {
    corridor: Arc<Corridor>,
    prebuilt: &'static str,
    entries: OnceLock<Entries>,
}

impl Listing {
    pub(crate) fn new(corridor: Arc<Corridor>, prebuilt: &'static str) -> Self {
        Self { corridor, prebuilt, entries: OnceLock::new() }
    }

    pub(crate) fn entries(&self) -> &Entries {
        self.entries.get_or_init(|| Entries::new(self.corridor.registry(), self.prebuilt))
    }
}

/// The entries of `tools/list` as JSON text, in their one order.
#[derive(Debug)]
pub(crate) struct Entries(Vec<Entry>);

#[derive(Debug)]
struct Entry {
    name: String,
    json: Cow<'static, str>,
}

impl Entries {
    /// One for each tool that is offered. `prebuilt` has a line of JSON for tools whose entry was made before, in the
    /// order of their names; the entries of all others are made here.
    pub(crate) fn new(registry: &Registry, prebuilt: &'static str) -> Self {
        let mut lines = prebuilt.lines().filter_map(|line| Some((name_of(line)?, line))).peekable();
        let entries = registry.specs().map(|spec| {
            while lines.next_if(|(name, _)| *name < spec.name.as_str()).is_some() {}
            let json = match lines.next_if(|(name, _)| *name == spec.name) {
                Some((_, line)) => Cow::Borrowed(line),
                None => Cow::Owned(serde_json::to_string(&entry(spec)).unwrap_or_else(|error| {
                    tracing::error!(%error, tool = %spec.name, "an entry of the list cannot be written as JSON");
                    "{}".to_owned()
                })),
            };
            Entry { name: spec.name.clone(), json }
        });
        Self(entries.collect())
    }

    /// A list for the protocol library that names the tools which `exposed` names, or all. [`Self::fill_in`] gives them
    /// back what they say.
    pub(crate) fn names(&self, exposed: Option<&HashSet<&str>>) -> ListToolsResult {
        let nothing = Arc::new(JsonObject::new());
        let is_shown = |entry: &&Entry| exposed.is_none_or(|names| names.contains(entry.name.as_str()));
        let shown = self.0.iter().filter(is_shown);
        let tools = shown.map(|entry| Tool::new_with_raw(entry.name.clone(), None, Arc::clone(&nothing)));
        ListToolsResult::with_all_items(tools.collect())
    }

    /// The list as JSON text.
    pub(crate) fn fill_in(&self, named: &ListToolsResult) -> serde_json::Result<String> {
        const NONE: &str = r#""tools":[]"#;
        let frame = serde_json::to_string(&ListToolsResult {
            result_type: named.result_type.clone(),
            meta: named.meta.clone(),
            next_cursor: named.next_cursor.clone(),
            ttl_ms: named.ttl_ms,
            cache_scope: named.cache_scope,
            tools: Vec::new(),
        })?;
        let Some((before, after)) = frame.split_once(NONE) else { return serde_json::to_string(named) };
        let length: usize = self.0.iter().map(|entry| entry.json.len() + 1).sum();
        let mut text = String::with_capacity(frame.len() + length);
        text.push_str(before);
        text.push_str(r#""tools":["#);
        let mut entries = self.0.iter();
        for (index, tool) in named.tools.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            // Both are in the same order.
            match entries.find(|entry| entry.name == tool.name) {
                Some(entry) => text.push_str(&entry.json),
                None => text.push_str(&serde_json::to_string(tool)?),
            }
        }
        text.push(']');
        text.push_str(after);
        Ok(text)
    }
}

/// The name in an entry, which is its first member.
fn name_of(line: &str) -> Option<&str> {
    Some(line.strip_prefix(r#"{"name":""#)?.split_once('"')?.0)
}
