//! `tools/list`, made from what the tools say of themselves.

use std::sync::Arc;

use bowline_call::{Effect, Registry, ToolSpec};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

/// All tools, in their one order.
pub fn listing(registry: &Registry) -> Vec<Tool> {
    registry.specs().map(entry).collect()
}

fn entry(spec: &ToolSpec) -> Tool {
    let schema: JsonObject = spec.listed_schema().as_object().cloned().unwrap_or_default();
    Tool::new(spec.name.clone(), spec.description.clone(), Arc::new(schema))
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
