//! What a profile remembers of a conversation. It is a part of the ledger, so a snapshot of that holds it and a reset clears it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::SystemTime;

use bowline_call::Effect;
use serde::{Deserialize, Serialize};

use super::feedback::Feedback;
use super::plan::Plan;
use super::policy::PolicyState;
use crate::Ledger;

/// So many calls back advice can look.
const MOST_RECENT: usize = 50;

/// A part of the ledger.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProfileState {
    /// When the first call was made.
    began: Option<SystemTime>,
    calls: u64,
    tokens: u64,
    /// The last ones, the newest last.
    recent: VecDeque<RecentCall>,
    plan: Option<Plan>,
    /// By instance.
    pub(super) policies: BTreeMap<String, PolicyState>,
    pub(super) providers: BTreeMap<String, ProviderState>,
    /// Whether a file that is watched for was there when it was last looked for.
    pub(super) seen: BTreeMap<String, bool>,
    pub(super) last_feedback: Option<Feedback>,
}

/// A call that has ended, as advice sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentCall {
    pub tool: Arc<str>,
    pub effect: Effect,
    pub at: SystemTime,
    pub success: bool,
}

/// What one instance of a provider has done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ProviderState {
    pub(super) last: Option<Feedback>,
    /// Where its cadence stands: how many calls there had been, and when, at its last turn.
    pub(super) turn: Option<(u64, SystemTime)>,
    pub(super) file: Watch,
}

/// A file that is waited for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Watch {
    #[default]
    Waiting,
    /// It is there, and was not before.
    Appeared,
    /// It was told of, once and for all.
    Told,
}

impl ProfileState {
    pub(super) fn began(&self) -> Option<SystemTime> {
        self.began
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls
    }

    pub(super) fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The newest last.
    pub(super) fn recent(&self) -> &VecDeque<RecentCall> {
        &self.recent
    }

    pub(super) fn called(&mut self, call: RecentCall) {
        self.begin(call.at);
        self.calls += 1;
        if self.recent.len() >= MOST_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(call);
    }

    pub(super) fn begin(&mut self, at: SystemTime) {
        self.began = Some(self.began.map_or(at, |began| began.min(at)));
    }
}

impl Ledger {
    /// A call that never came before the gate: a tool that there is not, or arguments that nobody understands. It counts as a
    /// call all the same.
    pub fn miscalled(&mut self, tool: &str, at: SystemTime) {
        let tool = tool.chars().take(100).collect::<String>().into();
        self.profile.called(RecentCall { tool, effect: Effect::Read, at, success: false });
    }

    /// Tokens that were used, where a surface reports them.
    pub fn spend_tokens(&mut self, tokens: u64) {
        self.profile.tokens = self.profile.tokens.saturating_add(tokens);
    }

    /// What the agent has set out to do.
    pub fn plan(&self) -> Option<&Plan> {
        self.profile.plan.as_ref()
    }

    /// A plan without steps is none.
    pub fn set_plan(&mut self, plan: Plan) {
        self.profile.plan = (!plan.steps.is_empty()).then_some(plan);
    }
}
