//! From an argument type to a schema that every client takes.
//!
//! Clients differ in what they refuse: type arrays, null unions, `$ref`, `format`, documented enums as `oneOf`.
//! What is left after [`simplify`] is the subset that all of them read, and it is also the shortest.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// By which a field is taken and not told: every byte of a list is read by every model. `#[schemars(extend("unlisted" = true))]`
const UNLISTED: &str = "unlisted";

/// The schema as it is listed: without what is taken and not told. Whoever sends something unknown is answered with what
/// there is, so the list need not say that nothing else is taken.
pub(crate) fn listed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        object.shift_remove("additionalProperties");
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|_, property| property.get(UNLISTED).is_none());
    }
    schema
}

/// The description (the type's doc comment) and the schema of its fields.
pub(crate) fn of<T: JsonSchema>() -> (String, Value) {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    simplify(&mut schema);
    let description = match schema.as_object_mut().and_then(|root| root.shift_remove("description")) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let root = schema.as_object().cloned().unwrap_or_default();
    let mut ordered = Map::new();
    ordered.insert("type".into(), json!("object"));
    for key in ["properties", "required"] {
        if let Some(value) = root.get(key) {
            ordered.insert(key.into(), value.clone());
        }
    }
    ordered.insert("additionalProperties".into(), json!(false));
    (description, Value::Object(ordered))
}

fn simplify(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    merge_single_choice(object);
    for noise in ["title", "format", "minimum", "$schema"] {
        object.shift_remove(noise);
    }
    // What a field is when it is left out is worth a word only where that is something.
    if object.get("default").is_some_and(is_nothing) {
        object.shift_remove("default");
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    // Doc comments wrap where the source does; the reader of a schema has no use for it.
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    // Only where schemas stand: a property may well be called `format`.
    for (keyword, value) in object {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => properties.values_mut().for_each(simplify),
            ("anyOf" | "oneOf" | "allOf", Value::Array(choices)) => choices.iter_mut().for_each(simplify),
            // Anything: some clients want a schema all the same.
            ("items", inner @ Value::Bool(true)) => *inner = json!({}),
            ("items" | "additionalProperties", inner) => simplify(inner),
            _ => {}
        }
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// `anyOf: [X, null]` is X for a reader who may leave a field out, and `oneOf` of constants is an enum.
fn merge_single_choice(object: &mut Map<String, Value>) {
    for union in ["anyOf", "oneOf"] {
        let Some(Value::Array(choices)) = object.get_mut(union) else {
            continue;
        };
        choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
        let merged = if let [Value::Object(only)] = choices.as_slice() {
            only.clone()
        } else if let Some(constants) = constants(choices) {
            constants
        } else {
            continue;
        };
        object.shift_remove(union);
        for (key, value) in merged {
            object.entry(key).or_insert(value);
        }
    }
}

fn constants(choices: &[Value]) -> Option<Map<String, Value>> {
    let words: Vec<Value> = choices.iter().filter_map(|choice| choice.get("const").cloned()).collect();
    (words.len() == choices.len() && !words.is_empty())
        .then(|| Map::from_iter([("type".into(), json!("string")), ("enum".into(), Value::Array(words))]))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// What it does.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Args {
        /// Which
        /// file.
        file_path: String,
        line: Option<u32>,
        #[serde(default)]
        format: Format,
        nested: Option<Nested>,
    }

    #[derive(Default, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Format {
        /// As a tree.
        #[default]
        Tree,
        /// As lines.
        Outline,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Nested {
        edits: Vec<u64>,
    }

    #[test]
    fn gives_what_every_client_reads() {
        let (description, schema) = of::<Args>();
        assert_eq!(description, "What it does.");
        insta::assert_snapshot!(serde_json::to_string(&schema).unwrap(), @r#"{"type":"object","properties":{"file_path":{"type":"string","description":"Which file."},"line":{"type":"integer"},"format":{"type":"string","enum":["tree","outline"]},"nested":{"type":"object","properties":{"edits":{"type":"array","items":{"type":"integer"}}},"required":["edits"]}},"required":["file_path"],"additionalProperties":false}"#);
    }
}
