//! What a person is asked before a call may run, as they read it, and what they may answer.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bowline_std::text::shown;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;

use crate::{Effect, Refusal, RefusalCode};

/// So many characters of one argument, file or command are shown: its beginning and its end.
const LONGEST: usize = 400;
/// So many arguments, files or commands are shown: the first and the last.
const MOST_SHOWN: usize = 30;

/// What a person is asked before a call may run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    pub tool: String,
    pub effect: Effect,
    pub arguments: Value,
    pub rule: String,
    pub reason: String,
    /// What to do where nobody can be asked.
    pub recovery: String,
    /// What it would touch, as far as that is known: files by their real paths, and commands.
    pub about: Vec<String>,
    /// The entries that could be remembered with a yes, as they would be written.
    pub offer: Option<Vec<String>>,
    /// Names the definition of the tool.
    pub definition: Option<String>,
    /// What would be written with a yes for ever, if it can be. It says when, and so is no part of what is asked.
    #[serde(skip)]
    pub always: Option<Proposal>,
}

/// What would be added to the user's own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub path: PathBuf,
    /// The very lines.
    pub text: String,
}

impl Question {
    /// Names this very question: a yes to it is a yes to nothing else.
    pub fn digest(&self) -> String {
        digest_of(&serde_json::to_value(self).unwrap_or_default())
    }

    /// For how long a yes to it can be one.
    pub fn lastings(&self) -> Vec<Lasting> {
        let conversation = self.offer.as_ref().map(|_| Lasting::Conversation);
        let always = conversation.and(self.always.as_ref()).map(|_| Lasting::Always);
        std::iter::once(Lasting::Once).chain(conversation).chain(always).collect()
    }

    /// All that a person has to know, on lines of their own.
    pub fn told(&self) -> Vec<String> {
        let tool = shown(&self.tool, LONGEST);
        let mut told = vec![format!("`{tool}` would {}", verb(self.effect))];
        let mut arguments = Vec::new();
        flatten("", &self.arguments, &mut arguments);
        told.extend(listed("with", &arguments));
        let about: Vec<_> = self.about.iter().map(|about| shown(about, LONGEST)).collect();
        told.extend(listed("touching", &about));
        told.push(format!("asked by {}: {}", shown(&self.rule, LONGEST), shown(&self.reason, LONGEST)));
        told
    }

    /// What a yes for longer than once would allow.
    pub fn remembering(&self) -> Option<String> {
        let entries = self.offer.as_ref()?;
        let entries: Vec<_> = entries.iter().map(|entry| format!("`{}`", shown(entry, LONGEST))).collect();
        Some(format!("a yes that is remembered allows {}", entries.join(" and ")))
    }

    /// The same as an answer to the call, where nobody can be asked.
    pub fn refusal(&self) -> Refusal {
        Refusal {
            error: RefusalCode::ConfirmationRequired,
            tool: self.tool.clone(),
            skill: None,
            current_phase: None,
            rule: self.rule.clone(),
            reason: self.reason.clone(),
            recovery: self.recovery.clone(),
        }
    }
}

fn verb(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "look",
        Effect::Draft => "draft an edit",
        Effect::Write => "change files",
        Effect::Run => "run a program",
    }
}

/// Every text within the arguments, by its place, so that none can hide within another.
fn flatten(place: &str, value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                let key = shown(key, LONGEST);
                let place = if place.is_empty() { key } else { format!("{place}.{key}") };
                flatten(&place, value, lines);
            }
        }
        Value::Array(list) if !list.is_empty() => {
            for (index, value) in list.iter().enumerate() {
                flatten(&format!("{place}[{index}]"), value, lines);
            }
        }
        Value::Null if place.is_empty() => {}
        Value::Object(_) if place.is_empty() => {}
        Value::String(text) => lines.push(format!("{place}: \"{}\"", shown(text, LONGEST))),
        other => lines.push(format!("{place}: {other}")),
    }
}

/// The first and the last of them, under a word.
fn listed(word: &str, lines: &[String]) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    let left_out = lines.len().saturating_sub(MOST_SHOWN);
    let head = if left_out == 0 { lines.len() } else { MOST_SHOWN * 2 / 3 };
    let mut told = vec![format!("{word}:")];
    for (index, line) in lines.iter().enumerate() {
        if index == head && left_out > 0 {
            told.push(format!("  ⟨… and {left_out} more …⟩"));
        }
        if index < head || index >= head + left_out {
            // A place may be as deep as JSON goes.
            told.push(format!("  {}", shown_again(line)));
        }
    }
    told
}

fn shown_again(line: &str) -> String {
    if line.chars().count() <= 2 * LONGEST { line.to_owned() } else { shown(line, 2 * LONGEST) }
}

/// Names a value, whatever the order of its members.
pub fn digest_of(value: &Value) -> String {
    let text = serde_json::to_vec(&sorted(value)).unwrap_or_default();
    blake3::hash(&text).to_hex().to_string()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let members: BTreeMap<&String, Value> =
                map.iter().map(|(key, value)| (key, sorted(value))).collect();
            Value::Object(members.into_iter().map(|(key, value)| (key.clone(), value)).collect())
        }
        Value::Array(list) => list.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

/// For how long a yes is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lasting {
    Once,
    /// Until the conversation ends. Only for a question that offers it.
    Conversation,
    /// The offer is written into the user's own file.
    Always,
}

impl Lasting {
    /// As surfaces and records call it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Conversation => "conversation",
            Self::Always => "always",
        }
    }
}

/// What came back. Only `Yes` lets a call run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    Yes(Lasting),
    No,
    /// There is nobody to ask here.
    CannotAsk,
    /// The question goes out with the reply; the answer comes with the same call, made again.
    Later,
}

/// Puts a question to a person.
pub trait Asker: Send + Sync {
    fn ask(&self, question: Question) -> BoxFuture<'_, Answered>;
}

/// A surface without a person.
pub struct NobodyToAsk;

impl Asker for NobodyToAsk {
    fn ask(&self, _question: Question) -> BoxFuture<'_, Answered> {
        Box::pin(std::future::ready(Answered::CannotAsk))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn question(arguments: Value) -> Question {
        Question {
            tool: "Bash".into(),
            effect: Effect::Run,
            arguments,
            rule: "user ask `Bash`".into(),
            reason: "programs are looked at".into(),
            recovery: "ask".into(),
            about: vec!["git status".into()],
            offer: Some(vec!["Bash(git status)".into()]),
            definition: None,
            always: None,
        }
    }

    #[test]
    fn a_person_sees_the_arguments_and_the_end_of_each() {
        let command = format!("git status{}; evil", "\t".repeat(500));
        let edits = json!([{"file": "a\u{202e}b", "text": "x\ny"}, 3, null, {}]);
        let told = question(json!({"command": command, "edits": edits})).told().join("\n");
        insta::assert_snapshot!(told, @r#"
        `Bash` would run a program
        with:
          command: "git status⟨500 blanks⟩; evil"
          edits[0].file: "a\u{202e}b"
          edits[0].text: "x\ny"
          edits[1]: 3
          edits[2]: null
          edits[3]: {}
        touching:
          git status
        asked by user ask `Bash`: programs are looked at
        "#);
    }

    #[test]
    fn many_arguments_are_shown_from_both_ends() {
        let told = question(json!((0..1000).collect::<Vec<_>>())).told();
        assert_eq!(told.len(), 1 + 1 + MOST_SHOWN + 1 + 2 + 1);
        assert_eq!((told[2].as_str(), told[22].as_str()), ("  [0]: 0", "  ⟨… and 970 more …⟩"));
        assert_eq!(told[32], "  [999]: 999");
    }

    #[test]
    fn nothing_is_unbounded() {
        let deep =
            (0..100).fold(json!("x".repeat(1 << 20)), |inner, _| json!({ "k".repeat(1 << 10): [inner] }));
        let told = Question { tool: "t".repeat(1 << 20), ..question(deep) }.told().join("\n");
        assert!(told.len() < 20_000, "{} bytes", told.len());
    }

    #[test]
    fn the_order_of_members_makes_no_other_question() {
        let digest = |text: &str| question(serde_json::from_str(text).unwrap()).digest();
        assert_eq!(digest(r#"{"a":{"x":1,"y":[2]},"b":0}"#), digest(r#"{"b":0,"a":{"y":[2],"x":1}}"#));
        assert_ne!(digest(r#"{"a":1}"#), digest(r#"{"a":2}"#));
        let other = Question { reason: "another".into(), ..question(Value::Null) };
        assert_ne!(other.digest(), question(Value::Null).digest());
    }

    #[test]
    fn what_cannot_be_remembered_is_not_offered() {
        let mut question = question(Value::Null);
        assert_eq!(question.lastings(), [Lasting::Once, Lasting::Conversation]);
        question.always = Some(Proposal { path: "/c".into(), text: "x".into() });
        assert_eq!(question.lastings(), [Lasting::Once, Lasting::Conversation, Lasting::Always]);
        question.offer = None;
        assert_eq!(question.lastings(), [Lasting::Once]);
    }
}
