//! From an answer or an error to what the client reads.

use bowline_call::{AnyAnswer, ToolError};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

/// The first item is the payload; what is known about it follows in items of its own, or as keys of the payload
/// where that is an object.
pub(crate) fn success(answer: AnyAnswer) -> CallToolResult {
    let mut payload = answer.payload;
    // What is wrong with the call is read before what to do next.
    let mut notes = answer.warnings;
    if let Some(hint) = answer.hint {
        notes.push(format!("Next step: {hint}"));
    }
    let mut meta = serde_json::Map::new();
    if let Some(savings) = answer.savings {
        meta.insert("token_savings".into(), json!(savings));
    }
    if let Some(etag) = answer.etag {
        let into = payload.as_object_mut().unwrap_or(&mut meta);
        into.insert("etag".into(), etag.into());
    }
    if !meta.is_empty() {
        notes.push(json!({ "_meta": meta }).to_string());
    }
    if let Value::Object(object) = &mut payload {
        if let Some(engine) = answer.engine {
            object.insert("engine".into(), engine.as_str().into());
        }
        if let Some(indexed) = answer.indexed {
            object.insert("indexed".into(), indexed.into());
        }
    } else {
        let by_server = answer.engine.is_some_and(|engine| engine.as_str() == "server");
        let indexed = answer.indexed.map(|indexed| match (indexed, by_server) {
            (true, _) => "indexed=true",
            (false, true) => {
                "indexed=false (the language server has not finished indexing the workspace, so this result may be \
                 incomplete)"
            }
            (false, false) => "indexed=false (not all of the workspace could be read, so this may be incomplete)",
        });
        let indexed = indexed.map(str::to_owned);
        let engine = answer.engine.map(|engine| format!("engine={}", engine.as_str()));
        let told: Vec<String> = indexed.into_iter().chain(engine).collect();
        if !told.is_empty() {
            notes.push(told.join(" "));
        }
    }
    let text = match payload {
        Value::String(text) => text,
        other => other.to_string(),
    };
    CallToolResult::success(std::iter::once(text).chain(notes).map(ContentBlock::text).collect())
}

/// Advice that came due with the call, after all that is the call's own.
pub(crate) fn advised(mut result: CallToolResult, feedback: &[String]) -> CallToolResult {
    if !feedback.is_empty() {
        result.content.push(ContentBlock::text(feedback.join("\n\n")));
    }
    result
}

/// What the model can act on is a result that it reads; what it cannot is an error of the protocol.
pub(crate) fn failure(error: &ToolError) -> Result<CallToolResult, ErrorData> {
    match error {
        ToolError::UnknownTool { name, hints } => {
            let mut message = format!("unknown tool \"{name}\"");
            for hint in hints {
                message.push_str("; ");
                message.push_str(hint);
            }
            Err(ErrorData::invalid_params(message, None))
        }
        ToolError::Internal { message } => Err(ErrorData::internal_error(message.clone(), None)),
        ToolError::Refused(refusal) => {
            let data = serde_json::to_string(refusal).unwrap_or_default();
            Ok(CallToolResult::error(vec![ContentBlock::text(format!("{}\n\n{data}", error.text()))]))
        }
        // Whoever asks has taken this already; here is somebody who cannot.
        ToolError::Asking(question) => failure(&ToolError::Refused(Box::new(question.refusal())).bounded()),
        ToolError::Coded { code, message, .. } => {
            let data = json!({ "error": code, "message": message });
            Ok(CallToolResult::error(vec![ContentBlock::text(format!("{}\n\n{data}", error.text()))]))
        }
        error => Ok(CallToolResult::error(vec![ContentBlock::text(error.text())])),
    }
}

#[cfg(test)]
mod tests {
    use bowline_call::{Answer, Refusal, RefusalCode, TokenSavings};
    use bowline_code::Engine;

    use super::*;

    fn items(result: &CallToolResult) -> Vec<String> {
        result.content.iter().filter_map(|item| item.as_text()).map(|text| text.text.clone()).collect()
    }

    #[test]
    fn an_array_keeps_its_shape_and_is_told_about_in_items_beside_it() {
        let answer = Answer::new(json!([1])).engine(Engine::Syntax).indexed(true).hint("look further");
        assert_eq!(items(&success(answer)), ["[1]", "Next step: look further", "indexed=true engine=syntax"]);
    }

    #[test]
    fn an_object_is_told_about_in_its_own_keys() {
        let answer = Answer::new(json!({"total": 0})).engine(Engine::Syntax).indexed(false);
        assert_eq!(items(&success(answer)), [r#"{"total":0,"engine":"syntax","indexed":false}"#]);
    }

    #[test]
    fn text_stays_text_and_savings_are_counted() {
        let answer = Answer::new(json!("main [Function] :1")).savings(TokenSavings::of(40, 400));
        let expected =
            r#"{"_meta":{"token_savings":{"tokens_returned":10,"tokens_full_file":100,"tokens_saved":90}}}"#;
        assert_eq!(items(&success(answer)), ["main [Function] :1", expected]);
    }

    #[test]
    fn a_refusal_is_read_by_models_and_machines() {
        let refusal = Refusal {
            error: RefusalCode::Denied,
            tool: "apply_edit".into(),
            skill: None,
            current_phase: None,
            rule: "project deny `*_edit`".into(),
            reason: "edits are made by hand here".into(),
            recovery: "propose the change in words".into(),
        };
        let result = failure(&ToolError::Refused(Box::new(refusal))).unwrap();
        assert_eq!(result.is_error, Some(true));
        insta::assert_snapshot!(items(&result).join("\n"), @r#"
        Refused by project deny `*_edit`: edits are made by hand here

        Recovery: propose the change in words

        {"error":"TOOL_POLICY_DENIED","tool":"apply_edit","rule":"project deny `*_edit`","reason":"edits are made by hand here","recovery":"propose the change in words"}
        "#);
    }

    #[test]
    fn advice_comes_last_and_changes_nothing_else() {
        let advised_by = |blocks: &[&str]| {
            let blocks: Vec<String> = blocks.iter().map(ToString::to_string).collect();
            items(&advised(success(Answer::new(json!([1])).hint("look")), &blocks))
        };
        assert_eq!(advised_by(&[]), ["[1]", "Next step: look"]);
        assert_eq!(advised_by(&["a", "b"]), ["[1]", "Next step: look", "a\n\nb"]);
    }

    #[test]
    fn each_other_error_says_who_can_mend_it() {
        let code =
            |error: ToolError| failure(&error).map_err(|data| (data.code.0, data.message.into_owned()));
        let unknown =
            ToolError::UnknownTool { name: "find".into(), hints: vec!["did you mean `find_symbol`?".into()] };
        assert_eq!(code(unknown), Err((-32602, "unknown tool \"find\"; did you mean `find_symbol`?".into())));
        assert_eq!(code(ToolError::internal("ours")), Err((-32603, "ours".into())));
        let waiting = ToolError::NotReady { message: "indexing".into(), retry_after_ms: 500 };
        assert_eq!(items(&code(waiting).unwrap()), ["not ready: indexing (retry_after_ms: 500)"]);
    }
}
