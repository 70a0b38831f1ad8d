//! The tools that exist, in one stable order.

use std::collections::HashMap;
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
        Ok(Self { tools, by_name })
    }

    pub fn get(&self, name: &str) -> Option<&Arc<dyn AnyTool>> {
        self.by_name.get(name).map(|index| &self.tools[*index])
    }

    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|tool| tool.spec())
    }
}
