//! The requests behind the questions, as bowline sends them: what a server is asked, and what its answers say.

use serde_json::{Value, json};

use super::client::Client;
use super::{places, uri};
use crate::projects::Replica;
use crate::questions::{Given, Question, place};

const TOKENS: &str = "textDocument/semanticTokens";

/// The request, and under which name a server says that it answers it.
fn method(question: Question) -> (&'static str, &'static str) {
    match question {
        Question::Hover => ("textDocument/hover", "hoverProvider"),
        Question::Definition => ("textDocument/definition", "definitionProvider"),
        Question::TypeDefinition => ("textDocument/typeDefinition", "typeDefinitionProvider"),
        Question::Implementation => ("textDocument/implementation", "implementationProvider"),
        Question::Declaration => ("textDocument/declaration", "declarationProvider"),
        Question::References => ("textDocument/references", "referencesProvider"),
        Question::Highlights => ("textDocument/documentHighlight", "documentHighlightProvider"),
        Question::Completions => ("textDocument/completion", "completionProvider"),
        Question::SignatureHelp => ("textDocument/signatureHelp", "signatureHelpProvider"),
        Question::PrepareRename => ("textDocument/prepareRename", "renameProvider"),
        Question::InlayHints => ("textDocument/inlayHint", "inlayHintProvider"),
        Question::SemanticTokens => (TOKENS, "semanticTokensProvider"),
        Question::Symbols => ("textDocument/documentSymbol", "documentSymbolProvider"),
        Question::Formatting => ("textDocument/formatting", "documentFormattingProvider"),
        Question::Diagnostics | Question::Checked => ("textDocument/diagnostic", "diagnosticProvider"),
    }
}

pub(super) fn is_offered(question: Question, client: &Client) -> bool {
    let (method, key) = method(question);
    // Registered under the name of what it is a part of.
    let registered = if question == Question::PrepareRename { "textDocument/rename" } else { method };
    let options = client.offer(registered, key);
    match (question, options) {
        (_, None | Some(Value::Null | Value::Bool(false))) => false,
        (Question::PrepareRename, Some(options)) => options["prepareProvider"] == true,
        (_, Some(_)) => true,
    }
}

/// The request about a project.
pub(super) fn of(copy: &Replica, question: Question, client: &Client) -> (&'static str, Value) {
    let place = place(copy, question);
    let (mut name, key) = method(question);
    let mut params = json!({ "textDocument": { "uri": uri(&place.file) } });
    let all = json!({
        "start": { "line": 0, "character": 0 }, "end": { "line": copy.usage_lines, "character": 0 },
    });
    match question {
        Question::Symbols | Question::Diagnostics | Question::Checked => {}
        Question::Formatting => params["options"] = json!({ "tabSize": 2, "insertSpaces": true }),
        Question::InlayHints => params["range"] = all,
        Question::SemanticTokens => {
            let by_range = client.offer(TOKENS, key).is_some_and(|options| is_something(&options["range"]));
            if by_range {
                params["range"] = all;
                name = "textDocument/semanticTokens/range";
            } else {
                name = "textDocument/semanticTokens/full";
            }
        }
        _ => params["position"] = json!({ "line": place.line - 1, "character": place.column - 1 }),
    }
    match question {
        Question::References => params["context"] = json!({ "includeDeclaration": false }),
        Question::Completions => params["context"] = json!({ "triggerKind": 1 }),
        Question::SignatureHelp => params["context"] = json!({ "triggerKind": 1, "isRetrigger": false }),
        _ => {}
    }
    (name, params)
}

fn is_something(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

pub(super) fn given(copy: &Replica, question: Question, result: &Value) -> Given {
    let count = |list: &Value| Given::Items(list.as_array().map_or(0, Vec::len));
    match question {
        Question::Hover | Question::Symbols => Given::Text(result.to_string()),
        Question::Definition
        | Question::TypeDefinition
        | Question::Implementation
        | Question::Declaration
        | Question::References => Given::Places(places(copy, result)),
        Question::PrepareRename => Given::Items(usize::from(result.is_object())),
        Question::Completions => count(if result.is_array() { result } else { &result["items"] }),
        Question::SignatureHelp => count(&result["signatures"]),
        // Five numbers for each.
        Question::SemanticTokens => Given::Items(result["data"].as_array().map_or(0, Vec::len) / 5),
        _ => count(result),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projects::PROJECTS;

    #[test]
    fn answers_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let copy = PROJECTS[0].copy_to(folder.path()).unwrap();
        let items = |question, result| given(&copy, question, &result);
        assert_eq!(items(Question::Completions, json!({ "items": [1, 2] })), Given::Items(2));
        assert_eq!(items(Question::Completions, json!([1])), Given::Items(1));
        assert_eq!(items(Question::SemanticTokens, json!({ "data": vec![0; 15] })), Given::Items(3));
        assert_eq!(items(Question::SignatureHelp, Value::Null), Given::Items(0));
        assert_eq!(items(Question::PrepareRename, json!({ "start": {}, "end": {} })), Given::Items(1));
        assert_eq!(items(Question::Formatting, Value::Null), Given::Items(0));
    }
}
