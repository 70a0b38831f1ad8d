//! True answers made strange: null, the shapes that nobody expects, and elements that are none.

use serde_json::{Value, json};

use super::fault::Fault;
use super::script::Script;

/// The answer as the script's faults want it. `turn` counts the requests, so that two odd shapes can take turns.
pub(crate) fn spoil(script: &Script, method: &str, params: &Value, turn: u32, answer: Value) -> Value {
    if script.has(&Fault::NullAnswers) {
        return without_lists(answer);
    }
    if script.has(&Fault::BadElements) && method == "textDocument/references" {
        return with_bad_elements(answer);
    }
    if script.has(&Fault::OddAnswers) {
        return in_odd_shape(method, params, turn, answer);
    }
    answer
}

fn without_lists(mut answer: Value) -> Value {
    if answer.is_array() {
        return Value::Null;
    }
    if let Some(items) = answer.get_mut("items") {
        *items = Value::Null;
    }
    answer
}

/// Behind the first good one, so that the rest is lost to whoever stops reading at the first bad one.
fn with_bad_elements(answer: Value) -> Value {
    let Value::Array(mut places) = answer else {
        return answer;
    };
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 1 } });
    let negative = json!({ "start": { "line": -1, "character": 0 }, "end": { "line": -1, "character": 1 } });
    let bad = [
        json!({ "uri": "file:///negative.rs", "range": negative }),
        json!({ "range": range }),
        json!({ "uri": "file:///no-range.rs" }),
        json!({ "uri": 7, "range": range }),
        Value::Null,
        json!("file:///text.rs"),
    ];
    let at = places.len().min(1);
    places.splice(at..at, bad);
    Value::Array(places)
}

fn in_odd_shape(method: &str, params: &Value, turn: u32, answer: Value) -> Value {
    match (method, answer) {
        ("textDocument/definition", Value::Array(places)) if turn % 2 == 1 => {
            places.into_iter().next().unwrap_or(Value::Null)
        }
        ("textDocument/definition", Value::Array(places)) => places.iter().map(link).collect(),
        ("textDocument/documentSymbol", Value::Array(symbols)) => {
            let mut flat = Vec::new();
            flatten(&params["textDocument"]["uri"], None, &symbols, &mut flat);
            Value::Array(flat)
        }
        ("textDocument/hover", mut hover) if hover.is_object() => {
            let text = hover["contents"]["value"].take();
            hover["contents"] = json!([{ "language": "fake", "value": "fn" }, text]);
            hover
        }
        (_, answer) => answer,
    }
}

fn link(place: &Value) -> Value {
    json!({ "targetUri": place["uri"], "targetRange": place["range"], "targetSelectionRange": place["range"] })
}

fn flatten(uri: &Value, container: Option<&Value>, symbols: &[Value], flat: &mut Vec<Value>) {
    for symbol in symbols {
        let mut one = json!({
            "name": symbol["name"],
            "kind": symbol["kind"],
            "location": { "uri": uri, "range": symbol["range"] },
        });
        if let Some(container) = container {
            one["containerName"] = container.clone();
        }
        flat.push(one);
        let children = symbol["children"].as_array().map_or(&[][..], Vec::as_slice);
        flatten(uri, Some(&symbol["name"]), children, flat);
    }
}
