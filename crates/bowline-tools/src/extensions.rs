//! Tools that make sense for one language only, compiled in. Each is called `language-name`: no tool of bowline's own has
//! a dash in its name, so none can be put in the place of one.
//!
//! They are there where somebody has named a server for the language, or chosen the tool. To add one: its file, its
//! `mod` line, its line in [`ALL`].

mod cpp;
mod rust;

use std::sync::Arc;

use bowline_call::{AnyTool, Prepared, ToolError, ToolSpec};
use serde_json::Value;

use crate::House;

/// What stands between the language and the name.
pub(crate) const DASH: char = '-';

/// What one language adds.
pub(crate) struct Extension {
    language: &'static str,
    tools: fn(&House) -> Vec<Arc<dyn AnyTool>>,
}

const ALL: [Extension; 2] = [cpp::EXTENSION, rust::EXTENSION];

/// The tools of every extension, whether it is to be used or not, and whether it is.
pub(crate) fn all(house: &House) -> Vec<(Arc<dyn AnyTool>, bool)> {
    ALL.iter()
        .flat_map(|extension| {
            let used = house.workspace.is_asked_for(extension.language);
            (extension.tools)(house).into_iter().map(move |tool| (named(extension.language, tool), used))
        })
        .collect()
}

/// The tool under the name of its language.
fn named(language: &str, tool: Arc<dyn AnyTool>) -> Arc<dyn AnyTool> {
    let own = tool.spec();
    let spec = ToolSpec { name: format!("{language}{DASH}{}", own.name), ..own.clone() };
    Arc::new(Named { tool, spec })
}

struct Named {
    tool: Arc<dyn AnyTool>,
    spec: ToolSpec,
}

impl AnyTool for Named {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn prepare(&self, arguments: Value) -> Result<Box<dyn Prepared>, ToolError> {
        self.tool.prepare(arguments)
    }
}
