//! Arguments checked against a tool's own schema before they are read, so that every mistake is named at once,
//! with the argument it is in.
//!
//! serde alone would stop at the first mistake, and does not know unknown fields where structs are flattened.

use bowline_std::text::nearest;
use serde_json::{Map, Value};

use crate::ToolError;

/// Nobody mends more at once; and each unknown name is compared with all known ones.
const MOST_MISTAKES: usize = 20;

/// The arguments, as an object whose members have the types that the schema asks for.
pub(crate) fn check(schema: &Value, arguments: Value) -> Result<Value, ToolError> {
    let mut object = match arguments {
        Value::Object(object) => object,
        // Some clients send nothing where a tool takes nothing.
        Value::Null => Map::new(),
        other => {
            return Err(ToolError::bad_arguments(format!("expected an object, got {}", describe(&other))));
        }
    };
    // `null` is how some clients spell an argument left out.
    object.retain(|_, value| !value.is_null());
    let mut mistakes = Vec::new();
    let no_properties = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&no_properties);
    for name in required(schema).filter(|name| !object.contains_key(*name)) {
        mistakes.push(format!("missing required argument `{name}`"));
    }
    for (name, value) in &mut object {
        if mistakes.len() >= MOST_MISTAKES {
            mistakes.push("and perhaps more".into());
            break;
        }
        match properties.get(name) {
            Some(expected) => check_value(name, expected, value, &mut mistakes),
            None => mistakes.push(unknown(name, properties)),
        }
    }
    if mistakes.is_empty() {
        return Ok(Value::Object(object));
    }
    let names: Vec<_> = properties.keys().map(String::as_str).collect();
    let takes =
        if names.is_empty() { "takes no arguments".into() } else { format!("takes {}", names.join(", ")) };
    Err(ToolError::bad_arguments(mistakes.join("; ")).hint(format!("this tool {takes}")))
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn unknown(name: &str, properties: &Map<String, Value>) -> String {
    let shown = shorten(name);
    match nearest(name, properties.keys().map(String::as_str)) {
        Some(meant) => format!("unknown argument `{shown}` (did you mean `{meant}`?)"),
        None => format!("unknown argument `{shown}`"),
    }
}

fn check_value(path: &str, schema: &Value, value: &mut Value, mistakes: &mut Vec<String>) {
    let Some(expected) = schema.get("type").and_then(Value::as_str) else {
        return;
    };
    let fits = match (expected, &*value) {
        ("integer", Value::Number(number)) => {
            // JSON has one kind of number: 3.0 is an integer to most writers of it.
            if let Some(whole) = number.as_f64().filter(|f| f.fract() == 0.0 && f.abs() < 9e15)
                && number.is_f64()
            {
                #[expect(clippy::cast_possible_truncation, reason = "whole and small, checked above")]
                let whole = whole as i64;
                *value = Value::from(whole);
            }
            value.is_i64() || value.is_u64()
        }
        ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("boolean", Value::Bool(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        _ => false,
    };
    if !fits {
        mistakes.push(format!("`{path}` must be {}, got {}", article(expected), describe(value)));
        return;
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array)
        && !words.contains(value)
    {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        mistakes.push(format!("`{path}` must be one of {}, got {}", words.join(", "), describe(value)));
    }
    if let (Value::Array(items), Some(item_schema)) = (value, schema.get("items")) {
        for (index, item) in items.iter_mut().enumerate() {
            if mistakes.len() >= MOST_MISTAKES {
                break;
            }
            check_value(&format!("{path}[{index}]"), item_schema, item, mistakes);
        }
    }
}

fn article(kind: &str) -> String {
    match kind {
        "integer" | "array" | "object" => format!("an {kind}"),
        other => format!("a {other}"),
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(flag) => format!("`{flag}`"),
        Value::Number(number) => format!("`{number}`"),
        Value::String(text) => format!("the string `{}`", shorten(text)),
        Value::Array(_) => "an array".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// What a caller wrote may be megabytes long; an error message is not.
fn shorten(text: &str) -> String {
    let mut shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "file_path": {"type": "string"},
                "line": {"type": "integer"},
                "format": {"type": "string", "enum": ["tree", "outline"]},
                "edits": {"type": "array", "items": {"type": "integer"}},
            },
            "required": ["file_path"],
        })
    }

    fn mistakes(arguments: Value) -> String {
        check(&schema(), arguments).unwrap_err().text()
    }

    #[test]
    fn names_every_mistake_at_once() {
        insta::assert_snapshot!(
            mistakes(json!({"line": "x", "fomat": 1, "edits": [1, "2"]})),
            @r"
        bad arguments: missing required argument `file_path`; `line` must be an integer, got the string `x`; unknown argument `fomat` (did you mean `format`?); `edits[1]` must be an integer, got the string `2`
        Next step: this tool takes file_path, line, format, edits
        "
        );
        insta::assert_snapshot!(
            mistakes(json!({"file_path": "a", "format": "xml", "line": 1.5})),
            @r"
        bad arguments: `format` must be one of `tree`, `outline`, got the string `xml`; `line` must be an integer, got `1.5`
        Next step: this tool takes file_path, line, format, edits
        "
        );
        assert!(mistakes(json!([1])).starts_with("bad arguments: expected an object, got an array"));
    }

    #[test]
    fn takes_whole_floats_and_nulls_as_people_mean_them() {
        let checked = check(&schema(), json!({"file_path": "a", "line": 3.0, "format": null})).unwrap();
        assert_eq!(checked, json!({"file_path": "a", "line": 3}));
        assert_eq!(check(&json!({}), Value::Null).unwrap(), json!({}));
    }

    #[test]
    fn many_mistakes_make_a_short_message() {
        let many: Map<String, Value> = (0..100_000).map(|index| (format!("x{index}"), json!(1))).collect();
        let message = mistakes(Value::Object(many));
        assert!(message.len() < 2000 && message.contains("and perhaps more"), "{message}");
    }

    proptest! {
        #[test]
        fn a_long_mistake_makes_a_short_message(text in ".{0,3000}") {
            let message = mistakes(json!({ "file_path": 1, text: 1 }));
            prop_assert!(message.len() < 1000);
        }
    }
}
