//! How long a conversation may take, and what it may use.

use std::time::{Duration, SystemTime};

use bowline_call::RefusalCode;

use super::duration::in_words;
use super::state::ProfileState;

/// When everything must be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deadline {
    /// So long after the first call of the conversation.
    After(Duration),
    At(SystemTime),
}

impl Deadline {
    /// The moment. One that counts from the first call is not known before that.
    pub(super) fn moment(self, state: &ProfileState, now: SystemTime) -> Option<SystemTime> {
        match self {
            Self::After(time) => state.began().unwrap_or(now).checked_add(time),
            Self::At(moment) => Some(moment),
        }
    }
}

/// What a conversation may use. What is not said is not limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    /// Refused and failed ones count too.
    pub calls: Option<u64>,
    pub time: Option<Duration>,
    /// Where a surface reports them.
    pub tokens: Option<u64>,
}

/// What is used up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exhausted {
    Deadline,
    /// What of it, in words.
    Budget(String),
}

impl Exhausted {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::Budget(_) => "budget",
        }
    }

    pub(super) fn code(&self) -> RefusalCode {
        match self {
            Self::Deadline => RefusalCode::Deadline,
            Self::Budget(_) => RefusalCode::Budget,
        }
    }

    pub(super) fn reason(&self) -> String {
        match self {
            Self::Deadline => "the time for this task is over".into(),
            Self::Budget(what) => format!("the budget is used up: {what}"),
        }
    }
}

/// Everything that is used up. At the limit is used up.
pub(super) fn exhausted(
    deadline: Option<Deadline>,
    budget: &Budget,
    state: &ProfileState,
    now: SystemTime,
) -> Vec<Exhausted> {
    let mut all = Vec::new();
    if deadline.and_then(|deadline| deadline.moment(state, now)).is_some_and(|moment| now >= moment) {
        all.push(Exhausted::Deadline);
    }
    let taken = state.began().and_then(|began| now.duration_since(began).ok()).unwrap_or_default();
    if let Some(most) = budget.calls.filter(|most| state.calls() >= *most) {
        all.push(Exhausted::Budget(format!("{most} calls")));
    }
    if let Some(most) = budget.time.filter(|most| taken >= *most) {
        all.push(Exhausted::Budget(in_words(most)));
    }
    if let Some(most) = budget.tokens.filter(|most| state.tokens() >= *most) {
        all.push(Exhausted::Budget(format!("{most} tokens")));
    }
    all
}
