//! What every client must be able to read, and every model can afford to.

use bowline_testkit::Fixture;
use serde_json::Value;

use crate::registry;

/// Every schema inside a schema.
fn walk<'a>(schema: &'a Value, seen: &mut Vec<&'a Value>) {
    seen.push(schema);
    for inner in schema["properties"].as_object().into_iter().flat_map(|properties| properties.values()) {
        walk(inner, seen);
    }
    if let Some(items) = schema.get("items") {
        walk(items, seen);
    }
}

#[test]
fn no_schema_has_what_some_client_refuses() {
    for spec in registry(&Fixture::new("")).specs() {
        let mut all = Vec::new();
        walk(spec.input_schema(), &mut all);
        for schema in all {
            // What may be anything says nothing; everything else has one type.
            let is_anything =
                schema.as_bool() == Some(true) || schema.as_object().is_some_and(serde_json::Map::is_empty);
            assert!(
                is_anything || schema["type"].is_string(),
                "{}: a type array or none: {schema}",
                spec.name
            );
            for refused in ["$ref", "$defs", "format", "anyOf", "oneOf", "allOf", "$schema", "title"] {
                assert!(schema.get(refused).is_none(), "{}: `{refused}` in {schema}", spec.name);
            }
            assert!(schema.get("default").is_none_or(|default| !default.is_null()), "{}: null", spec.name);
        }
        assert_eq!(spec.input_schema()["additionalProperties"], false, "{}", spec.name);
    }
}

#[test]
fn every_tool_says_what_it_does() {
    for spec in registry(&Fixture::new("")).specs() {
        assert!(spec.description().ends_with('.'), "{}: {:?}", spec.name, spec.description());
        assert!(spec.description().len() <= 120, "{}: {:?}", spec.name, spec.description());
    }
}
