//! Policies: code that says whether a call may run, from what has happened so far.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bowline_call::{Intent, ToolIdentity};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Facts, Ledger, RuleFailed};

/// More than any project has files that one conversation reads.
const MOST_NOTES: usize = 20_000;

/// Says whether a call may run. Pure: what it needs of the world comes with the context, what it learns goes into its state.
pub trait ToolPolicy: Send + Sync {
    fn name(&self) -> &str;

    /// May it run? An error refuses.
    fn check(
        &self,
        tool: &ToolIdentity,
        params: &Value,
        context: &PolicyContext<'_>,
    ) -> Result<PolicyDecision, RuleFailed>;

    /// Learns from a call that has succeeded. After an error the policy refuses whatever it is asked: it does not know any more
    /// what has happened.
    fn on_result(
        &self,
        _tool: &ToolIdentity,
        _params: &Value,
        _result: &Value,
        _context: &mut PolicyContext<'_>,
    ) -> Result<(), RuleFailed> {
        Ok(())
    }

    /// Whether it goes by the content of files: then files that are read are hashed, and files that were written are looked at
    /// once more.
    fn wants_content(&self) -> bool {
        false
    }
}

/// What a policy says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyDecision {
    pub allowed: bool,
    pub reason: Option<String>,
}

impl PolicyDecision {
    pub fn allow() -> Self {
        Self { allowed: true, reason: None }
    }

    pub fn deny(reason: impl Into<String>) -> Self {
        Self { allowed: false, reason: Some(reason.into()) }
    }
}

/// All that a policy may look at.
#[derive(Debug, Clone)]
pub struct PolicyContext<'a> {
    /// The profile that it is a part of.
    pub prompt_name: &'a str,
    pub ledger: &'a Ledger,
    pub intent: &'a Intent,
    pub facts: &'a Facts,
    state: Cow<'a, PolicyState>,
}

impl<'a> PolicyContext<'a> {
    pub fn new(
        prompt_name: &'a str,
        ledger: &'a Ledger,
        (intent, facts): (&'a Intent, &'a Facts),
        state: Cow<'a, PolicyState>,
    ) -> Self {
        Self { prompt_name, ledger, intent, facts, state }
    }

    /// What this very instance has learned.
    pub fn state(&self) -> &PolicyState {
        &self.state
    }

    /// The same, to learn more.
    pub fn state_mut(&mut self) -> &mut PolicyState {
        self.state.to_mut()
    }

    /// What has become of the state.
    pub(super) fn into_state(self) -> PolicyState {
        self.state.into_owned()
    }
}

/// What one instance of a policy has learned in a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyState {
    pub policy_name: String,
    /// Tools that have succeeded, as far as the policy cares.
    pub invoked_tools: BTreeSet<String>,
    /// The same with what they were about.
    pub invoked_keys: BTreeSet<(String, String)>,
    notes: BTreeMap<String, String>,
    /// Why it has lost track.
    pub(super) failed: Option<String>,
}

impl PolicyState {
    /// What was noted under this key.
    pub fn note(&self, key: &str) -> Option<&str> {
        self.notes.get(key).map(String::as_str)
    }

    /// Notes something. Of too many notes one is forgotten, so a policy must be strict about what is not noted.
    pub fn set_note(&mut self, key: impl Into<String>, text: impl Into<String>) {
        let key = key.into();
        if self.notes.len() >= MOST_NOTES && !self.notes.contains_key(&key) {
            self.notes.pop_first();
        }
        self.notes.insert(key, text.into());
    }

    pub fn forget(&mut self, key: &str) {
        self.notes.remove(key);
    }
}
