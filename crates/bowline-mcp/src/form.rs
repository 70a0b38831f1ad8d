//! A question as a form of one field, which plain clients can show too, and what an answered form means. Only a clear
//! yes is one.

use std::collections::BTreeMap;

use bowline_call::{Answered, Lasting, Question};
use rmcp::model::{
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, EnumSchema,
    PrimitiveSchemaDefinition,
};
use serde_json::Value;

const FIELD: &str = "answer";
const NO: &str = "no";

/// The form that is sent to the client.
pub(crate) fn form(question: &Question) -> ElicitRequestParams {
    let words = question.lastings().into_iter().map(Lasting::word).chain([NO]).map(str::to_owned);
    let field = EnumSchema::builder(words.collect())
        .untitled()
        .title("May it run?")
        .description(meanings(question))
        .build();
    let fields = BTreeMap::from([(FIELD.to_owned(), PrimitiveSchemaDefinition::Enum(field))]);
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(question),
        requested_schema: ElicitationSchema::new(fields).with_required(vec![FIELD.to_owned()]),
    }
}

/// What a person means who answered it so.
pub(crate) fn answer(result: &ElicitResult, question: &Question) -> Answered {
    let said = match &result.action {
        ElicitationAction::Accept => result.content.as_ref().and_then(|content| content.get(FIELD)),
        _ => None,
    };
    let said = said.and_then(Value::as_str);
    let lasting = question.lastings().into_iter().find(|lasting| Some(lasting.word()) == said);
    lasting.map_or(Answered::No, Answered::Yes)
}

fn message(question: &Question) -> String {
    let mut lines = question.told();
    lines.extend(question.remembering());
    if let Some(always) = &question.always {
        lines.push(format!("`always` adds these lines to {}:", always.path.display()));
        lines.extend(always.text.trim().lines().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}

fn meanings(question: &Question) -> String {
    let meaning = |lasting| match lasting {
        Lasting::Once => "once: this call alone",
        Lasting::Conversation => "conversation: from now on in this conversation",
        Lasting::Always => "always: from now on",
    };
    let mut meanings: Vec<_> = question.lastings().into_iter().map(meaning).collect();
    meanings.push("no: it does not run");
    meanings.join("; ")
}

#[cfg(test)]
mod tests {
    use bowline_call::{Effect, Proposal};
    use serde_json::json;

    use super::*;

    fn question(offer: Option<&str>) -> Question {
        Question {
            tool: "Bash".into(),
            effect: Effect::Run,
            arguments: json!({"command": "git status"}),
            rule: "user ask `Bash`".into(),
            reason: "programs are looked at".into(),
            recovery: "ask".into(),
            about: vec!["git status".into()],
            offer: offer.map(|offer| vec![offer.into()]),
            definition: None,
            always: offer.map(|offer| Proposal {
                path: "/home/me/bowline.toml".into(),
                text: format!("\n[[remembered]]\nallow = [\"{offer}\"]\n"),
            }),
        }
    }

    #[test]
    fn the_form_shows_what_would_run_and_what_would_be_remembered() {
        let shown = serde_json::to_value(form(&question(Some("Bash(git status)")))).unwrap();
        insta::assert_snapshot!(shown["message"].as_str().unwrap(), @r#"
        `Bash` would run a program
        with:
          command: "git status"
        touching:
          git status
        asked by user ask `Bash`: programs are looked at
        a yes that is remembered allows `Bash(git status)`
        `always` adds these lines to /home/me/bowline.toml:
          [[remembered]]
          allow = ["Bash(git status)"]
        "#);
        assert_eq!(
            shown["requestedSchema"]["properties"]["answer"]["enum"],
            json!(["once", "conversation", "always", "no"])
        );
        let plain = serde_json::to_value(form(&question(None))).unwrap();
        insta::assert_snapshot!(plain["requestedSchema"], @r#"{"type":"object","properties":{"answer":{"type":"string","title":"May it run?","description":"once: this call alone; no: it does not run","enum":["once","no"]}},"required":["answer"]}"#);
    }

    #[test]
    fn only_a_clear_yes_is_one() {
        let said = |offer: Option<&str>, result: Value| {
            answer(&serde_json::from_value(result).unwrap(), &question(offer))
        };
        let accept = |content: Value| json!({"action": "accept", "content": content});
        let offer = Some("Bash(git status)");
        assert_eq!(said(offer, accept(json!({"answer": "once"}))), Answered::Yes(Lasting::Once));
        assert_eq!(
            said(offer, accept(json!({"answer": "conversation"}))),
            Answered::Yes(Lasting::Conversation)
        );
        assert_eq!(said(offer, accept(json!({"answer": "always"}))), Answered::Yes(Lasting::Always));
        for content in [
            json!({"answer": "no"}),
            json!({"answer": "yes"}),
            json!({"answer": "ONCE"}),
            json!({"answer": true}),
            json!({"answer": ["once"]}),
            json!({}),
            json!("once"),
            Value::Null,
        ] {
            assert_eq!(said(offer, accept(content.clone())), Answered::No, "{content}");
        }
        assert_eq!(said(None, accept(json!({"answer": "always"}))), Answered::No, "it was not offered");
        for action in ["decline", "cancel"] {
            assert_eq!(said(offer, json!({"action": action, "content": {"answer": "once"}})), Answered::No);
        }
    }
}
