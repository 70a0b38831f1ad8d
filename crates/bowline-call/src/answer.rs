//! A tool's answer: the payload, and how sure it is. How these travel is each surface's business.

use bowline_code::Engine;
use serde::Serialize;
use serde_json::Value;

use crate::{Receipt, ToolError};

/// What an answer spared the reader, in tokens of four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TokenSavings {
    pub tokens_returned: i64,
    pub tokens_full_file: i64,
    pub tokens_saved: i64,
}

impl TokenSavings {
    pub fn of(returned_bytes: usize, file_bytes: usize) -> Self {
        let tokens = |bytes: usize| i64::try_from(bytes / 4).unwrap_or(i64::MAX);
        let (returned, full) = (tokens(returned_bytes), tokens(file_bytes));
        Self { tokens_returned: returned, tokens_full_file: full, tokens_saved: full - returned }
    }
}

/// A payload with what the caller should know about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    pub payload: T,
    pub engine: Option<Engine>,
    /// Whether the whole workspace was known when the answer was made.
    pub indexed: Option<bool>,
    /// What to do next, for a reader who is a model.
    pub hint: Option<String>,
    pub savings: Option<TokenSavings>,
    /// A tag of this very answer, for a caller who asks again.
    pub etag: Option<String>,
    pub receipt: Option<Receipt>,
    /// What a rule has against the call, which ran all the same.
    pub warnings: Vec<String>,
    /// The skill that was read, or the file of one: `lsp-rename/references/patterns.md`. For the record.
    pub skill: Option<String>,
}

/// An answer whose type has been forgotten. A string payload is plain text.
pub type AnyAnswer = Answer<Value>;

impl<T> Answer<T> {
    pub fn new(payload: T) -> Self {
        Self {
            payload,
            engine: None,
            indexed: None,
            hint: None,
            savings: None,
            etag: None,
            receipt: None,
            warnings: Vec::new(),
            skill: None,
        }
    }

    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = Some(engine);
        self
    }

    pub fn indexed(mut self, indexed: bool) -> Self {
        self.indexed = Some(indexed);
        self
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub fn savings(mut self, savings: TokenSavings) -> Self {
        self.savings = Some(savings);
        self
    }

    pub fn etag(mut self, etag: impl Into<String>) -> Self {
        self.etag = Some(etag.into());
        self
    }

    /// The same about another payload.
    pub fn map<U>(self, with: impl FnOnce(T) -> U) -> Answer<U> {
        Answer {
            payload: with(self.payload),
            engine: self.engine,
            indexed: self.indexed,
            hint: self.hint,
            savings: self.savings,
            etag: self.etag,
            receipt: self.receipt,
            warnings: self.warnings,
            skill: self.skill,
        }
    }

    pub fn skill(mut self, skill: impl Into<String>) -> Self {
        self.skill = Some(skill.into());
        self
    }

    pub fn receipt(mut self, receipt: Receipt) -> Self {
        self.receipt = Some(receipt);
        self
    }
}

impl AnyAnswer {
    /// The same, with its hint and warnings cut to a length that a reader can bear. Payloads are bounded by the tools.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.hint.iter_mut().chain(&mut self.warnings).for_each(crate::error::cut);
        self
    }
}

impl<T: Serialize> Answer<T> {
    pub(crate) fn forget(self) -> Result<AnyAnswer, ToolError> {
        let payload = serde_json::to_value(&self.payload)
            .map_err(|error| ToolError::internal(format!("the answer cannot be written as JSON: {error}")))?;
        Ok(self.map(|_| payload))
    }
}
