//! From `--file-path a.rs --line 3` to `{"file_path": "a.rs", "line": 3}`, by the tool's own schema.

use bowline_std::text::nearest;
use serde_json::{Map, Value};

use crate::cli::split_flag;
use crate::commands::BadUsage;

/// The arguments as an object. Without a schema, which is to say without such a tool, they stay texts: the corridor
/// has something to say about the tool's name.
pub(super) fn to_json(schema: Option<&Value>, rest: Vec<String>) -> Result<Value, BadUsage> {
    let none = Map::new();
    let properties = schema.and_then(|schema| schema["properties"].as_object()).unwrap_or(&none);
    let mut arguments = Map::new();
    let mut words = rest.into_iter().peekable();
    while let Some(word) = words.next() {
        if !word.starts_with("--") {
            return Err(BadUsage(format!("`{word}` is not an argument; arguments look like `--name value`")));
        }
        let (name, inline) = split_flag(&word);
        let (name, inline) = (name.to_owned(), inline.map(str::to_owned));
        let key = name.replace('-', "_");
        let kind = properties.get(&key).and_then(|property| property["type"].as_str());
        if kind == Some("boolean")
            && inline.is_none()
            && !matches!(words.peek().map(String::as_str), Some("true" | "false"))
        {
            arguments.insert(key, Value::Bool(true));
            continue;
        }
        let value =
            inline.or_else(|| words.next()).ok_or_else(|| BadUsage(format!("`--{name}` needs a value")))?;
        if key == "json" && !properties.contains_key("json") {
            merge(&mut arguments, &value)?;
        } else if schema.is_some() && kind.is_none() {
            return Err(unknown(&name, properties));
        } else {
            let value = typed(&name, kind, value)?;
            add(&mut arguments, key, value);
        }
    }
    Ok(Value::Object(arguments))
}

fn merge(arguments: &mut Map<String, Value>, text: &str) -> Result<(), BadUsage> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => arguments.extend(object),
        Ok(_) => {
            return Err(BadUsage("`--json` takes an object: `--json '{\"line\": 3}'`".into()));
        }
        Err(error) => return Err(BadUsage(format!("`--json` is not JSON: {error}"))),
    }
    Ok(())
}

fn typed(name: &str, kind: Option<&str>, text: String) -> Result<Value, BadUsage> {
    let wrong = |what: &str| BadUsage(format!("`--{name}` takes {what}, not `{text}`"));
    match kind {
        Some("integer") => text.parse::<i64>().map(Value::from).map_err(|_| wrong("a whole number")),
        Some("number") => text.parse::<f64>().map(Value::from).map_err(|_| wrong("a number")),
        Some("boolean") => text.parse::<bool>().map(Value::from).map_err(|_| wrong("`true` or `false`")),
        Some("array" | "object") => {
            // One element is easier to write bare, and may be repeated.
            serde_json::from_str(&text).or_else(|_| Ok(Value::Array(vec![Value::String(text.clone())])))
        }
        _ => Ok(Value::String(text)),
    }
}

/// A repeated list goes on; anything else is said anew.
fn add(arguments: &mut Map<String, Value>, key: String, value: Value) {
    match (arguments.get_mut(&key), value) {
        (Some(Value::Array(so_far)), Value::Array(more)) => so_far.extend(more),
        (_, value) => {
            arguments.insert(key, value);
        }
    }
}

fn unknown(name: &str, properties: &Map<String, Value>) -> BadUsage {
    let flags: Vec<String> = properties.keys().map(|key| key.replace('_', "-")).collect();
    let meant = nearest(name, flags.iter().map(String::as_str));
    let advice = match meant {
        Some(meant) => format!("did you mean `--{meant}`?"),
        None => format!("it takes --{}", flags.join(", --")),
    };
    BadUsage(format!("this tool has no argument `--{name}`; {advice}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(words: &[&str]) -> Result<Value, String> {
        let schema = json!({"properties": {
            "file_path": {"type": "string"}, "line": {"type": "integer"},
            "include_declaration": {"type": "boolean"}, "changed_files": {"type": "array"},
        }});
        to_json(Some(&schema), words.iter().map(ToString::to_string).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn types_come_from_the_schema() {
        assert_eq!(
            parsed(&[
                "--file-path",
                "a b.rs",
                "--line=3",
                "--include-declaration",
                "--changed-files",
                "x",
                "--changed-files",
                "y"
            ]),
            Ok(
                json!({"file_path": "a b.rs", "line": 3, "include_declaration": true, "changed_files": ["x", "y"]})
            )
        );
        assert_eq!(parsed(&["--include-declaration", "false"]), Ok(json!({"include_declaration": false})));
        assert_eq!(parsed(&["--json", r#"{"line": 4}"#, "--line", "5"]), Ok(json!({"line": 5})));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(parsed(&["--line", "x"]), Err("`--line` takes a whole number, not `x`".into()));
        assert_eq!(
            parsed(&["--lin", "3"]),
            Err("this tool has no argument `--lin`; did you mean `--line`?".into())
        );
        assert_eq!(parsed(&["--line"]), Err("`--line` needs a value".into()));
        assert_eq!(
            parsed(&["a.rs"]),
            Err("`a.rs` is not an argument; arguments look like `--name value`".into())
        );
        assert!(parsed(&["--json", "[1]"]).unwrap_err().starts_with("`--json` takes an object"));
        assert!(parsed(&["--json", "{"]).unwrap_err().starts_with("`--json` is not JSON"));
    }
}
