//! Feedback: advice that goes out with the answer to a call. It never stands in the way of one.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::state::{ProfileState, RecentCall};
use crate::{Ledger, RuleFailed};

const MOST_SUMMARY: usize = 2000;
const MOST_LINE: usize = 500;
const MOST_NAME: usize = 100;
const MOST_LINES: usize = 10;

/// Gives advice. Pure: the time and what has happened come with the context.
pub trait FeedbackProvider: Send + Sync {
    fn name(&self) -> &str;

    /// Whether it has anything to say, once a trigger has asked for it.
    fn should_run(&self, _context: &FeedbackContext<'_>) -> bool {
        true
    }

    /// An error is logged, and silences nobody else.
    fn provide(&self, context: &FeedbackContext<'_>) -> Result<Feedback, RuleFailed>;
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    #[default]
    Info,
    Caution,
    Warning,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    pub category: String,
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

/// One piece of advice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// Whose it is. Set by the house, like the last three: a provider speaks for nobody else.
    pub provider_name: String,
    pub summary: String,
    pub observations: Vec<Observation>,
    pub suggestions: Vec<String>,
    pub severity: Severity,
    pub timestamp: SystemTime,
    /// How many calls there had been.
    pub call_index: u64,
    /// The profile.
    pub prompt_name: String,
}

impl Feedback {
    pub fn new(summary: impl Into<String>) -> Self {
        Self {
            provider_name: String::new(),
            summary: summary.into(),
            observations: Vec::new(),
            suggestions: Vec::new(),
            severity: Severity::Info,
            timestamp: SystemTime::UNIX_EPOCH,
            call_index: 0,
            prompt_name: String::new(),
        }
    }

    #[must_use]
    pub fn observation(mut self, category: impl Into<String>, description: impl Into<String>) -> Self {
        let (category, description) = (category.into(), description.into());
        self.observations.push(Observation { category, description, evidence: None });
        self
    }

    #[must_use]
    pub fn suggestion(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestions.push(suggestion.into());
        self
    }

    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Cut to what a reader can bear, and so is what is remembered of it.
    pub(super) fn bound(&mut self) {
        cut(&mut self.provider_name, MOST_NAME);
        cut(&mut self.summary, MOST_SUMMARY);
        self.observations.truncate(MOST_LINES);
        self.suggestions.truncate(MOST_LINES);
        for Observation { category, description, evidence } in &mut self.observations {
            cut(category, MOST_NAME);
            cut(description, MOST_LINE);
            evidence.iter_mut().for_each(|evidence| cut(evidence, MOST_LINE));
        }
        self.suggestions.iter_mut().for_each(|suggestion| cut(suggestion, MOST_LINE));
    }

    /// As a block that nothing inside it can close.
    pub fn render(&self) -> String {
        let mut text = format!(
            "<feedback provider='{}'>\n{}\n",
            escaped(&self.provider_name).replace('\'', "&apos;"),
            escaped(&self.summary)
        );
        if !self.observations.is_empty() {
            text.push('\n');
        }
        for Observation { category, description, evidence } in &self.observations {
            text.push_str(&format!("• {}: {}", escaped(category), escaped(description)));
            if let Some(evidence) = evidence {
                text.push_str(&format!(" ({})", escaped(evidence)));
            }
            text.push('\n');
        }
        if !self.suggestions.is_empty() {
            text.push('\n');
        }
        for suggestion in &self.suggestions {
            text.push_str(&format!("-> {}\n", escaped(suggestion)));
        }
        text.push_str("</feedback>");
        text
    }
}

/// Several blocks, a blank line between them.
pub fn render_feedback(all: &[Feedback]) -> String {
    all.iter().map(Feedback::render).collect::<Vec<_>>().join("\n\n")
}

/// All that a provider may look at.
#[derive(Debug, Clone, Copy)]
pub struct FeedbackContext<'a> {
    /// The profile that it is a part of.
    pub prompt_name: &'a str,
    /// When everything must be done, if there is such a moment.
    pub deadline: Option<SystemTime>,
    pub now: SystemTime,
    pub ledger: &'a Ledger,
    pub(super) state: &'a ProfileState,
    pub(super) instance: &'a str,
}

impl<'a> FeedbackContext<'a> {
    /// How long the conversation has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.state.began().and_then(|began| self.now.duration_since(began).ok()).unwrap_or_default()
    }

    /// The last advice of anybody.
    pub fn last_feedback(&self) -> Option<&'a Feedback> {
        self.state.last_feedback.as_ref()
    }

    /// The last advice of those who go by this name.
    pub fn last_feedback_for_provider(&self, name: &str) -> Option<&'a Feedback> {
        let given = self.state.providers.values().filter_map(|provider| provider.last.as_ref());
        given.filter(|given| given.provider_name == name).max_by_key(|given| given.call_index)
    }

    /// The last advice of this very provider.
    pub fn last_own_feedback(&self) -> Option<&'a Feedback> {
        self.state.providers.get(self.instance)?.last.as_ref()
    }

    pub fn tool_call_count(&self) -> u64 {
        self.state.calls()
    }

    pub fn tool_calls_since_last_feedback(&self) -> u64 {
        self.since(self.last_feedback())
    }

    pub fn tool_calls_since_last_feedback_for_provider(&self, name: &str) -> u64 {
        self.since(self.last_feedback_for_provider(name))
    }

    fn since(&self, given: Option<&Feedback>) -> u64 {
        self.tool_call_count().saturating_sub(given.map_or(0, |given| given.call_index))
    }

    /// The last ones, the newest last. Not more than the last fifty are known.
    pub fn recent_tool_calls(&self, n: usize) -> impl Iterator<Item = &'a RecentCall> {
        let recent = self.state.recent();
        recent.iter().skip(recent.len().saturating_sub(n))
    }
}

/// Cuts at a character, and says that it did.
pub(super) fn cut(text: &mut String, most: usize) {
    if text.len() <= most {
        return;
    }
    let mut end = most.saturating_sub('…'.len_utf8());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.push('…');
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\n' | '\t' => safe.push(c),
            // A terminal would obey it.
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
