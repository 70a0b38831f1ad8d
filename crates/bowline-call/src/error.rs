//! Why a call has no answer, sorted by who can mend it.

use serde::{Deserialize, Serialize};

use crate::Question;

const MOST_BYTES: usize = 2000;
const MOST_HINTS: usize = 5;

/// The words that clients already know for a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefusalCode {
    #[serde(rename = "phase_violation")]
    PhaseViolation,
    #[serde(rename = "TOOL_NOT_ALLOWED")]
    NotAllowed,
    #[serde(rename = "TOOL_POLICY_DENIED")]
    Denied,
    #[serde(rename = "TOOL_CONFIRMATION_REQUIRED")]
    ConfirmationRequired,
    #[serde(rename = "TOOL_POLICY_ERROR")]
    RuleFailed,
    #[serde(rename = "policy_denied")]
    PolicyDenied,
    #[serde(rename = "budget")]
    Budget,
    #[serde(rename = "deadline")]
    Deadline,
}

/// Which rule said no, why, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    pub error: RefusalCode,
    pub tool: String,
    /// The skill whose phases or fence stand in the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_phase: Option<String>,
    pub rule: String,
    pub reason: String,
    pub recovery: String,
}

/// Why a call has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    /// The caller can mend it: other arguments.
    #[error("bad arguments: {message}")]
    BadArguments { message: String, hints: Vec<String> },
    /// There is no such tool. The caller can mend it, but on some surfaces it is not the model that called wrongly.
    #[error("unknown tool `{name}`")]
    UnknownTool { name: String, hints: Vec<String> },
    /// The caller can follow the recovery.
    #[error("refused by {}: {}", .0.rule, .0.reason)]
    Refused(Box<Refusal>),
    /// A person can: the surface puts the question, and the same call, made again, brings the answer.
    #[error("not run: a person has to be asked first: {}", .0.reason)]
    Asking(Box<Question>),
    /// Waiting mends it.
    #[error("not ready: {message} (retry_after_ms: {retry_after_ms})")]
    NotReady { message: String, retry_after_ms: u64 },
    /// Another tool mends it.
    #[error("unsupported: {message}")]
    Unsupported { message: String, hints: Vec<String> },
    /// The world outside failed: a file, a language server, a program.
    #[error("failed: {message}")]
    Failed { message: String, hints: Vec<String> },
    /// A failure that clients know by a word of its own.
    #[error("{code}: {message}")]
    Coded { code: &'static str, message: String, hints: Vec<String> },
    /// The caller no longer wants the answer.
    #[error("cancelled by the caller")]
    Cancelled,
    /// Only we can mend it.
    #[error("internal error: {message}")]
    Internal { message: String },
}

impl ToolError {
    pub fn bad_arguments(message: impl Into<String>) -> Self {
        Self::BadArguments { message: message.into(), hints: Vec::new() }
    }

    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::Unsupported { message: message.into(), hints: Vec::new() }
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: message.into(), hints: Vec::new() }
    }

    pub fn coded(code: &'static str, message: impl Into<String>) -> Self {
        Self::Coded { code, message: message.into(), hints: Vec::new() }
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Self::Internal { message: message.into() }
    }

    /// Adds what to try next, where the kind of error has room for it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        match &mut self {
            Self::BadArguments { hints, .. }
            | Self::UnknownTool { hints, .. }
            | Self::Unsupported { hints, .. }
            | Self::Coded { hints, .. }
            | Self::Failed { hints, .. } => hints.push(hint.into()),
            Self::Refused(_)
            | Self::Asking(_)
            | Self::NotReady { .. }
            | Self::Cancelled
            | Self::Internal { .. } => {}
        }
        self
    }

    /// The same, told by the tool that it happened to.
    #[must_use]
    pub fn named(mut self, tool: &str) -> Self {
        if let Self::BadArguments { message, .. } | Self::Failed { message, .. } = &mut self {
            *message = format!("{tool} failed: {message}");
        }
        self
    }

    /// A word for machines.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::BadArguments { .. } => "bad_arguments",
            Self::UnknownTool { .. } => "unknown_tool",
            Self::Refused(_) | Self::Asking(_) => "refused",
            Self::NotReady { .. } => "not_ready",
            Self::Unsupported { .. } => "unsupported",
            Self::Failed { .. } | Self::Coded { .. } => "failed",
            Self::Cancelled => "cancelled",
            Self::Internal { .. } => "internal",
        }
    }

    pub fn hints(&self) -> &[String] {
        match self {
            Self::BadArguments { hints, .. }
            | Self::UnknownTool { hints, .. }
            | Self::Unsupported { hints, .. }
            | Self::Coded { hints, .. }
            | Self::Failed { hints, .. } => hints,
            Self::Refused(_)
            | Self::Asking(_)
            | Self::NotReady { .. }
            | Self::Cancelled
            | Self::Internal { .. } => &[],
        }
    }

    /// The same, with every text cut to a length that a reader can bear.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        match &mut self {
            Self::BadArguments { message, hints }
            | Self::Unsupported { message, hints }
            | Self::Failed { message, hints }
            | Self::Coded { message, hints, .. }
            | Self::UnknownTool { name: message, hints } => {
                hints.truncate(MOST_HINTS);
                hints.iter_mut().chain([message]).for_each(cut);
            }
            Self::NotReady { message, .. } | Self::Internal { message } => cut(message),
            Self::Refused(refusal) => {
                let texts =
                    [&mut refusal.tool, &mut refusal.rule, &mut refusal.reason, &mut refusal.recovery];
                texts.into_iter().for_each(cut);
            }
            // What is asked is shaped where it is shown.
            Self::Cancelled | Self::Asking(_) => {}
        }
        self
    }

    /// The whole of it for a reader: the message, and each hint on a line of its own.
    pub fn text(&self) -> String {
        match self {
            Self::Refused(refusal) if refusal.error == RefusalCode::PhaseViolation => {
                format!("Phase violation: {}\n\nRecovery: {}", refusal.reason, refusal.recovery)
            }
            Self::Refused(refusal) => {
                format!("Refused by {}: {}\n\nRecovery: {}", refusal.rule, refusal.reason, refusal.recovery)
            }
            Self::Asking(question) => Self::Refused(Box::new(question.refusal())).bounded().text(),
            error => error
                .hints()
                .iter()
                .fold(error.to_string(), |text, hint| format!("{text}\nNext step: {hint}")),
        }
    }
}

/// Cuts a text that is too long, in place.
pub(crate) fn cut(text: &mut String) {
    if text.len() > MOST_BYTES {
        *text = bowline_std::text::cut(text, MOST_BYTES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_error_is_long() {
        let long = "x".repeat(1 << 20);
        let refusal = Refusal {
            error: RefusalCode::Denied,
            tool: long.clone(),
            skill: None,
            current_phase: None,
            rule: long.clone(),
            reason: long.clone(),
            recovery: long.clone(),
        };
        let errors = [
            ToolError::bad_arguments(&long).hint(&long),
            ToolError::failed(&long),
            ToolError::internal(&long),
            ToolError::UnknownTool { name: long.clone(), hints: vec![long.clone(); 100] },
            ToolError::NotReady { message: long, retry_after_ms: 1 },
            ToolError::Refused(Box::new(refusal)),
        ];
        for error in errors {
            let text = error.bounded().text();
            assert!(text.len() < 7 * MOST_BYTES && text.contains("more bytes"), "{} bytes", text.len());
        }
    }
}
