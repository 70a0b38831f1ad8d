//! What a table names: a tool, a glob, either with arguments, or a class of effects.

use std::fmt;

use bowline_call::{Effect, ToolIdentity};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{BadPattern, ToolPattern};

/// A call as a table sees it.
#[derive(Debug, Clone, Copy)]
pub struct Occasion<'a> {
    pub tool: &'a ToolIdentity,
    pub effect: Effect,
    pub arguments: &'a Value,
}

/// A value that is there, whichever it is.
const ANYTHING: &str = "*";

/// `dry_run=true`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) key: String,
    value: String,
}

impl Wanted {
    /// Whether an argument is as it should be. One that was left out counts as `false`.
    pub(crate) fn holds_of(&self, arguments: &Value) -> bool {
        match arguments.get(&self.key) {
            None | Some(Value::Null) => self.value == "false",
            Some(_) if self.value == ANYTHING => true,
            Some(value) => self.is(value),
        }
    }

    /// Whether an answer is as it should be. What it does not say does not count.
    pub(crate) fn is_said_by(&self, answer: &Value) -> bool {
        let said = answer.get(&self.key).filter(|value| !value.is_null());
        said.is_some_and(|value| self.value == ANYTHING || self.is(value))
    }

    fn is(&self, value: &Value) -> bool {
        match value {
            Value::Bool(flag) => self.value == if *flag { "true" } else { "false" },
            Value::String(text) => *text == self.value,
            Value::Number(number) => match (number.as_f64(), self.value.parse::<f64>()) {
                (Some(number), Ok(wanted)) => number == wanted,
                _ => false,
            },
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
    }

    /// Whether it asks for yes or no, or for anything.
    pub(crate) fn is_yes_or_no(&self) -> bool {
        ["true", "false", ANYTHING].contains(&self.value.as_str())
    }

    /// Of which it holds.
    pub(crate) fn example(&self) -> (String, Value) {
        let value = match self.value.as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            ANYTHING => "anything".into(),
            other => other.parse::<f64>().map_or_else(|_| other.into(), Value::from),
        };
        (self.key.clone(), value)
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// A pattern over calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CallPattern {
    text: String,
    pub(crate) tool: ToolPattern,
    pub(crate) wanted: Vec<Wanted>,
}

impl CallPattern {
    pub fn parse(text: &str) -> Result<Self, BadPattern> {
        let text = text.trim();
        let bad = |reason: &str| BadPattern::Call { pattern: text.to_owned(), reason: reason.to_owned() };
        let Some((tool, rest)) = text.split_once('(') else {
            if text.contains(')') {
                return Err(bad("a parenthesis is closed that was never opened"));
            }
            return Ok(Self { text: text.to_owned(), tool: ToolPattern::parse(text)?, wanted: Vec::new() });
        };
        let inner = rest.strip_suffix(')').ok_or_else(|| bad("a parenthesis is not closed at the end"))?;
        if inner.contains(['(', ')']) {
            return Err(bad("parentheses do not stand in parentheses"));
        }
        let wanted = inner.split(',').map(|word| {
            let (key, value) = word.split_once('=').ok_or_else(|| {
                bad("between the parentheses stand arguments, such as `dry_run=true`, separated by commas")
            })?;
            let (key, value) = (key.trim(), value.trim());
            if key.is_empty() || value.is_empty() {
                return Err(bad("an argument has a name and a value, such as `dry_run=true`"));
            }
            Ok(Wanted { key: key.to_owned(), value: value.to_owned() })
        });
        let wanted = wanted.collect::<Result<_, _>>()?;
        if tool.trim().starts_with('@') {
            return Err(bad("a class is every call with that effect, whatever its arguments"));
        }
        Ok(Self { text: text.to_owned(), tool: ToolPattern::parse(tool.trim())?, wanted })
    }

    /// Whether it means this call, by its tool and its arguments.
    pub fn matches(&self, occasion: &Occasion<'_>) -> bool {
        self.names(occasion) && self.wanted.iter().all(|wanted| wanted.holds_of(occasion.arguments))
    }

    /// Whether it means this call's tool.
    pub(crate) fn names(&self, occasion: &Occasion<'_>) -> bool {
        self.tool.matches(occasion.tool, occasion.effect)
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl TryFrom<String> for CallPattern {
    type Error = BadPattern;

    fn try_from(text: String) -> Result<Self, BadPattern> {
        Self::parse(&text)
    }
}

impl From<CallPattern> for String {
    fn from(pattern: CallPattern) -> Self {
        pattern.text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn matches(pattern: &str, tool: &str, effect: Effect, arguments: &Value) -> bool {
        let identity = ToolIdentity::of(tool);
        CallPattern::parse(pattern).unwrap().matches(&Occasion { tool: &identity, effect, arguments })
    }

    #[test]
    fn arguments_are_compared_as_they_are_written() {
        let dry = "rename_symbol(dry_run=true)";
        assert!(matches(dry, "mcp__lsp__rename_symbol", Effect::Draft, &json!({"dry_run": true})));
        for other in [json!({}), json!({"dry_run": false}), json!({"dry_run": [true]}), json!(null)] {
            assert!(!matches(dry, "rename_symbol", Effect::Draft, &other), "{other}");
        }
        let wet = "rename_symbol(dry_run=false)";
        for same in [json!({}), json!({"dry_run": null}), json!({"dry_run": false}), json!(null)] {
            assert!(matches(wet, "rename_symbol", Effect::Write, &same), "{same}");
        }
        assert!(matches("t(a=*)", "t", Effect::Read, &json!({"a": "x"})));
        assert!(!matches("t(a=*)", "t", Effect::Read, &json!({"a": null})));
        assert!(matches("t(a=1.0)", "t", Effect::Read, &json!({"a": 1})));
        assert!(matches("t(a=1, b=x y)", "t", Effect::Read, &json!({"a": 1, "b": "x y"})));
        assert!(!matches("t(a=1, b=x)", "t", Effect::Read, &json!({"a": 1})));
    }

    #[test]
    fn classes_are_effects() {
        assert!(matches("@write", "anything", Effect::Write, &json!({})));
        assert!(!matches("@write", "anything", Effect::Run, &json!({})));
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        let wrong = |text: &str| CallPattern::parse(text).unwrap_err().to_string();
        assert_eq!(wrong(""), "an empty pattern names no tool");
        assert_eq!(wrong("(a=1)"), "an empty pattern names no tool");
        assert_eq!(wrong("@wirte"), "`@wirte` is not a class: `@read`, `@draft`, `@write` and `@run` are");
        assert_eq!(wrong("a(b"), "`a(b` cannot be understood: a parenthesis is not closed at the end");
        assert_eq!(
            wrong("a(b)"),
            "`a(b)` cannot be understood: between the parentheses stand arguments, such as `dry_run=true`, separated \
             by commas"
        );
        assert_eq!(wrong("a)"), "`a)` cannot be understood: a parenthesis is closed that was never opened");
        assert!(wrong("@write(a=1)").contains("whatever its arguments"));
        assert!(wrong("a(=1)").contains("a name and a value"));
        assert!(wrong("[a").contains("is not a glob"));
    }
}
