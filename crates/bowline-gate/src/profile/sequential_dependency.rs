//! `sequential_dependency`: one tool may be called once others have succeeded.

use std::collections::{BTreeMap, BTreeSet};

use bowline_call::ToolIdentity;
use serde_json::Value;

use super::policy::{PolicyContext, PolicyDecision, ToolPolicy};
use crate::RuleFailed;

/// Which tools each tool needs. Only direct needs are looked at: what a need itself needs was looked at when it was called.
#[derive(Debug, Clone)]
pub struct SequentialDependency {
    /// By canonical names, with the names as they were written.
    needs: BTreeMap<String, BTreeMap<String, String>>,
    /// Everything that something needs.
    needed: BTreeSet<String>,
}

/// An order that nobody can keep.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDependencies {
    #[error("`{tool}` needs itself, and could never be called")]
    OnItself { tool: String },
    #[error("`{tool}` could never be called: {}", .way.join(" needs "))]
    Circle {
        tool: String,
        /// From the tool back to itself.
        way: Vec<String>,
    },
}

impl BadDependencies {
    /// The tool whose needs are wrong, as it was written.
    pub fn tool(&self) -> &str {
        match self {
            Self::OnItself { tool } | Self::Circle { tool, .. } => tool,
        }
    }
}

impl SequentialDependency {
    /// From tools and what they need, in any spelling.
    pub fn new<T: Into<String>, N: Into<String>>(
        dependencies: impl IntoIterator<Item = (T, impl IntoIterator<Item = N>)>,
    ) -> Result<Self, BadDependencies> {
        let mut needs: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        let mut written = BTreeMap::new();
        for (tool, needed) in dependencies {
            let tool = tool.into();
            let name = canonical(&tool);
            let of = needs.entry(name.clone()).or_default();
            for one in needed {
                let one = one.into();
                if canonical(&one) == name {
                    return Err(BadDependencies::OnItself { tool });
                }
                of.insert(canonical(&one), one);
            }
            written.entry(name).or_insert(tool);
        }
        if let Some(way) = circle(&needs) {
            let said = |name: &String| written.get(name).unwrap_or(name).clone();
            let way: Vec<String> = way.iter().map(said).collect();
            return Err(BadDependencies::Circle { tool: way[0].clone(), way });
        }
        let needed = needs.values().flat_map(BTreeMap::keys).cloned().collect();
        Ok(Self { needs, needed })
    }
}

impl ToolPolicy for SequentialDependency {
    fn name(&self) -> &str {
        "sequential_dependency"
    }

    fn check(
        &self,
        tool: &ToolIdentity,
        _params: &Value,
        context: &PolicyContext<'_>,
    ) -> Result<PolicyDecision, RuleFailed> {
        let Some(needs) = self.needs.get(&long_name(tool)) else { return Ok(PolicyDecision::allow()) };
        let done = &context.state().invoked_tools;
        let mut missing: Vec<_> = needs
            .iter()
            .filter(|(name, _)| !done.contains(*name))
            .map(|(_, written)| format!("`{written}`"))
            .collect();
        if missing.is_empty() {
            return Ok(PolicyDecision::allow());
        }
        missing.sort();
        Ok(PolicyDecision::deny(format!(
            "`{}` needs {} to have succeeded first",
            tool.bare(),
            missing.join(", ")
        )))
    }

    fn on_result(
        &self,
        tool: &ToolIdentity,
        _params: &Value,
        _result: &Value,
        context: &mut PolicyContext<'_>,
    ) -> Result<(), RuleFailed> {
        let name = long_name(tool);
        if self.needed.contains(&name) {
            context.state_mut().invoked_tools.insert(name);
        }
        Ok(())
    }
}

/// A tool by the one name that every spelling of it leads to.
fn canonical(written: &str) -> String {
    long_name(&ToolIdentity::of(written))
}

/// With its server, where it has one: `a.b`, `mcp__a__b` and whatever else means the same.
fn long_name(tool: &ToolIdentity) -> String {
    tool.names().last().map_or_else(String::new, |name| name.text.clone())
}

/// A way from a tool back to itself. Walks without recursion: lists may be long.
fn circle(needs: &BTreeMap<String, BTreeMap<String, String>>) -> Option<Vec<String>> {
    let mut proven: BTreeSet<&String> = BTreeSet::new();
    for start in needs.keys() {
        // Each step of the way with those of its needs that are still to be tried.
        let mut way = vec![(start, needs[start].keys())];
        let mut on_it = BTreeSet::from([start]);
        while let Some((tool, left)) = way.last_mut() {
            let Some(next) = left.next() else {
                proven.insert(tool);
                on_it.remove(tool);
                way.pop();
                continue;
            };
            if on_it.contains(next) {
                let back = way.iter().map(|(tool, _)| *tool).skip_while(|tool| *tool != next).chain([next]);
                return Some(back.cloned().collect());
            }
            if !proven.contains(next)
                && let Some(more) = needs.get(next)
            {
                way.push((next, more.keys()));
                on_it.insert(next);
            }
        }
    }
    None
}
