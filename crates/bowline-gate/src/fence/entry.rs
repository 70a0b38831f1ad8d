//! One entry of a list: a tool, perhaps only with certain arguments.

use bowline_call::ToolIdentity;
use bowline_skills::AllowedEntry;
use serde::{Deserialize, Serialize};

use super::scope::Scope;
use crate::{Asked, BadPattern, NamePattern};

/// Tools that a scope of `Edit` speaks of as well, as it does at the host that invented it.
const EDITING: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FenceEntry {
    tool: NamePattern,
    scope: Option<Scope>,
}

impl FenceEntry {
    pub(crate) fn new(written: &AllowedEntry) -> Result<Self, BadPattern> {
        let tool = NamePattern::parse(&written.tool)?;
        let scope = written.scope.as_deref().filter(|scope| *scope != "*");
        Ok(Self { scope: scope.map(|scope| Scope::new(&tool, scope)), tool })
    }

    /// Whether it speaks of this tool at all.
    pub(crate) fn names(&self, tool: &ToolIdentity) -> bool {
        let family = self.scope.is_some() && self.tool.text() == "Edit" && EDITING.contains(&tool.bare());
        family || self.tool.matches(tool)
    }

    pub(crate) fn admits(&self, asked: &Asked<'_>) -> bool {
        self.names(&asked.tool) && self.scope.as_ref().is_none_or(|scope| scope.admits(asked))
    }

    /// Whether a skill may grant by it: one tool, or those of one other server. Whoever grants everything grants nothing.
    pub(crate) fn is_grantable(&self) -> bool {
        self.tool.is_exact() || self.is_foreign()
    }

    /// Whether it speaks of tools of one other server alone.
    pub(crate) fn is_foreign(&self) -> bool {
        let of_another = |text: &str| {
            let server = text.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
            server.is_some_and(|(server, _)| {
                !server.is_empty() && server != "bowline" && !server.contains(['*', '?', '[', '{'])
            })
        };
        self.tool.spellings().any(|spelling| of_another(&spelling.text))
            && self.tool.spellings().all(|spelling| of_another(&spelling.text) || spelling.is_dotted())
    }
}
