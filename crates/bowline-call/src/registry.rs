//! The tools that exist, in one stable order.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::{AnyTool, ToolSpec};

/// Two tools want one name.
#[derive(Debug, thiserror::Error)]
#[error("two tools are called `{0}`")]
pub struct DuplicateTool(pub String);

/// Tools by name. The order is that of the alphabet, so that lists never vary.
pub struct Registry {
    tools: Vec<Arc<dyn AnyTool>>,
    by_name: HashMap<String, usize>,
    /// There, and not offered.
    hidden: HashSet<String>,
}

impl Registry {
    pub fn new(mut tools: Vec<Arc<dyn AnyTool>>) -> Result<Self, DuplicateTool> {
        tools.sort_by(|left, right| left.spec().name.cmp(&right.spec().name));
        let mut by_name = HashMap::with_capacity(tools.len());
        for (index, tool) in tools.iter().enumerate() {
            if by_name.insert(tool.spec().name.clone(), index).is_some() {
                return Err(DuplicateTool(tool.spec().name.clone()));
            }
        }
        Ok(Self { tools, by_name, hidden: HashSet::new() })
    }

    /// The same, of which only these are offered.
    #[must_use]
    pub fn offering(mut self, names: &BTreeSet<String>) -> Self {
        self.hidden = self.by_name.keys().filter(|name| !names.contains(*name)).cloned().collect();
        self
    }

    /// A tool that is offered.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn AnyTool>> {
        if self.is_hidden(name) {
            return None;
        }
        self.by_name.get(name).map(|index| &self.tools[*index])
    }

    /// Whether there is such a tool, and it was not chosen.
    pub fn is_hidden(&self, name: &str) -> bool {
        self.hidden.contains(name)
    }

    /// What is offered.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|tool| tool.spec()).filter(|spec| !self.is_hidden(&spec.name))
    }
}
