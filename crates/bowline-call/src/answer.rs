//! A tool's answer: the payload, and how sure it is. How these travel is each surface's business.

use bowline_code::Engine;
use serde::Serialize;
use serde_json::Value;

use crate::fit::{Cut, MAX_ANSWER_BYTES, fit};
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
    /// The same, cut to what a reader can bear who has not asked for more; the hint says what is missing, and where the
    /// list goes on that began at an offset.
    #[must_use]
    pub(crate) fn fitted(mut self, offset: Option<usize>) -> Self {
        let cuts = fit(&mut self.payload, MAX_ANSWER_BYTES);
        let listed: Vec<&str> = cuts.iter().map(|cut| cut.said.as_str()).collect();
        if listed.is_empty() {
            return self;
        }
        let mut said = format!("cut to about 10000 tokens: {}", listed.join(", "));
        let hint = self.hint.take().unwrap_or_default();
        let mut lines: Vec<&str> = hint.lines().collect();
        if let (Some(offset), [Cut { kept: Some(kept), .. }]) = (offset, cuts.as_slice()) {
            said.push_str(&format!("; offset={} shows the next", offset + kept));
            // Where the next page begins is another place now.
            lines.retain(|line| !line.contains("offset="));
        }
        lines.insert(0, &said);
        self.hint = Some(lines.join("\n"));
        self
    }

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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_page_that_is_cut_says_where_the_next_begins() {
        let many: Vec<Value> =
            (0..2000).map(|number| json!({"name": format!("a rather long name {number}")})).collect();
        let answer = Answer::new(Value::Array(many)).hint("noted\nand 5 more; offset=2300 shows the next");
        let fitted = answer.fitted(Some(300));
        let kept = fitted.payload.as_array().unwrap().len();
        let hint = format!(
            "cut to about 10000 tokens: the answer: {kept} of 2000 are shown; offset={} shows the next\nnoted",
            300 + kept
        );
        assert_eq!(fitted.hint, Some(hint));
        let short = Answer::new(json!(["one"])).fitted(None);
        assert_eq!((short.hint, short.payload), (None, json!(["one"])));
    }
}
