//! The providers that every bowline has.

use std::time::Duration;

use super::duration::in_words;
use super::feedback::{Feedback, FeedbackContext, FeedbackProvider, Severity};
use crate::RuleFailed;

/// Says how much time is left.
#[derive(Debug, Clone, Copy)]
pub struct DeadlineFeedback {
    pub warning_threshold_seconds: u64,
}

impl Default for DeadlineFeedback {
    fn default() -> Self {
        Self { warning_threshold_seconds: 120 }
    }
}

impl FeedbackProvider for DeadlineFeedback {
    fn name(&self) -> &str {
        "Deadline"
    }

    fn should_run(&self, context: &FeedbackContext<'_>) -> bool {
        context.deadline.is_some()
    }

    fn provide(&self, context: &FeedbackContext<'_>) -> Result<Feedback, RuleFailed> {
        let deadline = context.deadline.ok_or_else(|| RuleFailed("there is no deadline".into()))?;
        let taken = in_words(context.elapsed());
        let Some(left) = deadline.duration_since(context.now).ok().filter(|left| *left > Duration::ZERO)
        else {
            let summary = format!("The work so far took {taken}. The time for this task is over.");
            return Ok(Feedback::new(summary)
                .severity(Severity::Warning)
                .suggestion("End now: say what is done and what is not."));
        };
        let told =
            Feedback::new(format!("The work so far took {taken}. You have {} remaining.", in_words(left)));
        if left > Duration::from_secs(self.warning_threshold_seconds) {
            return Ok(told);
        }
        Ok(told
            .severity(Severity::Warning)
            .suggestion("Prioritize completing critical remaining work.")
            .suggestion("Say what will not be done in time."))
    }
}

/// Always says the same.
#[derive(Debug, Clone)]
pub struct StaticFeedback {
    pub feedback: String,
}

impl FeedbackProvider for StaticFeedback {
    fn name(&self) -> &str {
        "Static"
    }

    fn provide(&self, _context: &FeedbackContext<'_>) -> Result<Feedback, RuleFailed> {
        Ok(Feedback::new(&self.feedback))
    }
}
