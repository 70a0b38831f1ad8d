//! The tools that there are, for those who must know whether a name means one.

use std::collections::{BTreeMap, BTreeSet};

use bowline_call::{Effect, HOST_TOOLS, HostTool, ToolIdentity, ToolSpec};
use serde_json::Value;

use crate::NamePattern;

/// One tool that there is.
#[derive(Debug, Clone)]
pub(crate) struct KnownTool {
    pub(crate) name: String,
    pub(crate) identity: ToolIdentity,
    pub(crate) least: Effect,
    pub(crate) most: Effect,
    /// What it takes, where that is known, and whether that is yes or no.
    pub(crate) arguments: BTreeMap<String, bool>,
    /// Members of its answer, where these are known.
    pub(crate) answers: &'static [&'static str],
    /// Whether it can be called; others are only known by name.
    pub(crate) is_offered: bool,
}

/// Ours, and those that hosts bring along.
#[derive(Debug, Clone, Default)]
pub struct KnownTools {
    tools: Vec<KnownTool>,
}

impl KnownTools {
    /// These, and the tools of hosts.
    pub fn new<'a>(specs: impl IntoIterator<Item = &'a ToolSpec>) -> Self {
        let ours = specs.into_iter().map(|spec| KnownTool {
            name: spec.name.clone(),
            identity: ToolIdentity::of(&spec.name),
            least: spec.least,
            most: spec.most,
            arguments: arguments(spec.input_schema()),
            answers: spec.answers,
            is_offered: true,
        });
        // A command may only read, or write: whoever looks into it will say so.
        let hosts = HOST_TOOLS.iter().map(|HostTool { name, most, .. }| KnownTool {
            name: (*name).to_owned(),
            identity: ToolIdentity::of(name),
            least: if *most == Effect::Run { Effect::Read } else { *most },
            most: *most,
            arguments: BTreeMap::new(),
            answers: &[],
            is_offered: true,
        });
        Self { tools: ours.chain(hosts).collect() }
    }

    /// The same, of which only these, and those of hosts, can be called.
    #[must_use]
    pub fn offering(mut self, names: &BTreeSet<String>) -> Self {
        for tool in &mut self.tools {
            tool.is_offered = names.contains(&tool.name) || bowline_call::host_tool(&tool.name).is_some();
        }
        self
    }

    pub(crate) fn offered(&self) -> impl Iterator<Item = &KnownTool> {
        self.tools.iter().filter(|tool| tool.is_offered)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &KnownTool> {
        self.tools.iter()
    }

    pub(crate) fn matching<'a>(&'a self, pattern: &'a NamePattern) -> impl Iterator<Item = &'a KnownTool> {
        self.tools.iter().filter(|tool| pattern.matches(&tool.identity))
    }

    /// Whether this name, however it is spelt, means a tool that there is. Tools of other servers are taken at their word.
    pub fn knows(&self, name: &str) -> bool {
        let meant = ToolIdentity::of(name);
        let of_another = meant.own().is_none() && bowline_call::host_tool(name).is_none();
        of_another || self.tools.iter().any(|tool| tool.identity == meant)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name.as_str())
    }
}

fn arguments(schema: &Value) -> BTreeMap<String, bool> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties.map(|(name, schema)| (name.clone(), schema["type"] == "boolean")).collect()
}
