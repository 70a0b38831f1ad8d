//! The tools that exist, in one stable order.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::{AnyTool, ToolSpec, digest_of};

/// Two tools want one name.
#[derive(Debug, thiserror::Error)]
#[error("two tools are called `{0}`")]
pub struct DuplicateTool(pub String);

/// Tools by name. The order is that of the alphabet, so that lists never vary.
pub struct Registry {
    tools: Vec<Arc<dyn AnyTool>>,
    by_name: HashMap<String, usize>,
    /// The digest of each tool's definition, in the same order; made when it is first asked for.
    definitions: Vec<OnceLock<String>>,
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
        let definitions = tools.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { tools, by_name, definitions, hidden: HashSet::new() })
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

    /// Names the definition of a tool: what it is called, what it says of itself, and what it takes. `None` for a tool
    /// that is not defined here.
    pub fn definition(&self, name: &str) -> Option<&str> {
        let index = *self.by_name.get(name)?;
        Some(self.definitions[index].get_or_init(|| definition(self.tools[index].spec())))
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

fn definition(spec: &ToolSpec) -> String {
    let said = Value::from(vec![
        Value::from(spec.name.as_str()),
        Value::from(spec.description()),
        spec.input_schema().clone(),
    ]);
    format!("blake3:{}", digest_of(&said))
}
