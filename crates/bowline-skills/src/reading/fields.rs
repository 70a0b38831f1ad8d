//! The head's tree as fields.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::seen::{is_empty, is_hidden, seen, trimmed};
use super::typed::typed;
use super::{Document, Fields, Reading};
use crate::AllowedTools;
use crate::allowed;
use crate::name::{self, LONGEST, LONGEST_LENIENT, shown};
use crate::yaml::{Key, Node, Value};

const DESCRIPTION: usize = 1024;
const COMPATIBILITY: usize = 500;

/// Keys that other hosts know. None of them does anything here.
const FOREIGN: [&str; 13] = [
    "when_to_use",
    "argument-hint",
    "arguments",
    "disable-model-invocation",
    "user-invocable",
    "disallowed-tools",
    "model",
    "effort",
    "context",
    "agent",
    "background",
    "paths",
    "version",
];

/// The key of `metadata` that has the table of phases itself.
const TABLE: &str = "tool_permissions";

/// The key of `metadata` that names the file of the table.
const PHASES: &str = "phases";

/// Keys that make other hosts run something.
const CODE: [&str; 2] = ["hooks", "shell"];

/// The values of the keys that mean something.
#[derive(Default)]
struct Known<'a> {
    name: Option<Node<'a>>,
    description: Option<Node<'a>>,
    license: Option<Node<'a>>,
    compatibility: Option<Node<'a>>,
    metadata: Option<Node<'a>>,
    allowed_tools: Option<Node<'a>>,
    argument_hint: Option<Node<'a>>,
}

/// None where a field cannot be had at all; otherwise the document's errors decide.
pub(super) fn read(
    document: &mut Document,
    root: Node<'_>,
    directory: &str,
    reading: Reading,
) -> Option<Fields> {
    let kind = root.kind();
    let Value::Map(pairs) = root.value else {
        document.error(root.line, format!("the head is {kind}; it must be `key: value` lines"));
        return None;
    };
    let known = sort_out(document, pairs, reading);
    let name = read_name(document, known.name, directory, reading);
    let description = read_description(document, known.description, reading);
    let license = read_text(document, "license", known.license, reading);
    let compatibility =
        read_text(document, "compatibility", known.compatibility, reading).map(|(text, line)| {
            let length = text.chars().count();
            if length > COMPATIBILITY {
                let what = format!("`compatibility` has {length} characters, above {COMPATIBILITY}");
                document.fault(reading, line, what, "it is kept");
            }
            text
        });
    let allowed_tools = read_allowed_tools(document, known.allowed_tools, reading);
    let Metadata { text: mut metadata, phases_line, table } =
        read_metadata(document, known.metadata, reading);
    if let Some(Node { value: Value::Text { text, .. }, line }) = known.argument_hint {
        let text = trimmed(seen(document, "`argument-hint`", line, &text)).into_owned();
        metadata.entry("argument-hint".into()).or_insert(text);
    }
    Some(Fields {
        name: name?,
        description: description?,
        license: license.map(|(text, _)| text),
        compatibility,
        allowed_tools,
        metadata,
        phases_line,
        table,
    })
}

/// Which key is which. Says what is there twice, and what is not known.
fn sort_out<'a>(document: &mut Document, pairs: Vec<(Key<'a>, Node<'a>)>, reading: Reading) -> Known<'a> {
    let mut known = Known::default();
    let mut lines: HashMap<Cow<'_, str>, usize> = HashMap::with_capacity(pairs.len());
    for (Key { line, text: mut key }, value) in pairs {
        // Both spellings are one key: two of them cannot both be meant.
        if key == "allowed_tools" {
            key = "allowed-tools".into();
        }
        if let Some(first) = lines.get(&key) {
            let what = format!("{} is there twice, first in line {first}", shown(&key));
            document.fault(reading, line, what, "the last one is used");
        }
        let place = match key.as_ref() {
            "name" => Some(&mut known.name),
            "description" => Some(&mut known.description),
            "license" => Some(&mut known.license),
            "compatibility" => Some(&mut known.compatibility),
            "metadata" => Some(&mut known.metadata),
            "allowed-tools" => Some(&mut known.allowed_tools),
            other => {
                document.warn(line, unknown(other));
                (other == "argument-hint").then_some(&mut known.argument_hint)
            }
        };
        if let Some(place) = place {
            *place = Some(value);
        }
        lines.entry(key).or_insert(line);
    }
    known
}

fn unknown(key: &str) -> String {
    if CODE.contains(&key) {
        return format!("`{key}` is code on other hosts and is not run here");
    }
    if key == "tool_permissions" {
        return "`tool_permissions` is not read at this place: keep the table in a file beside SKILL.md and name it \
                with `metadata: {phases: phases.yaml}`"
            .into();
    }
    if FOREIGN.contains(&key) {
        return format!("`{key}` is a key of other hosts, not of the format");
    }
    let low = key.trim().to_lowercase();
    let near = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"]
        .into_iter()
        .find(|known| *known == low || known.replace('-', "") == low.replace(['-', '_', ' '], ""));
    match near {
        Some(near) => format!("{} is not a key of the format: is `{near}` meant?", shown(key)),
        None => format!("{} is not a key of the format", shown(key)),
    }
}

/// The text of a value, as far as it can be seen, trimmed. None where it is empty, a list or a map.
fn text_of<'a>(document: &mut Document, key: &str, node: &'a Node<'_>) -> Option<Cow<'a, str>> {
    let Value::Text { text, .. } = &node.value else { return None };
    let text = trimmed(seen(document, &format!("`{key}`"), node.line, text));
    (!is_empty(&text)).then_some(text)
}

fn read_name(
    document: &mut Document,
    node: Option<Node<'_>>,
    directory: &str,
    reading: Reading,
) -> Option<String> {
    let Some(node) = node else {
        document.error(1, "`name` is missing");
        return None;
    };
    let Value::Text { text, .. } = &node.value else {
        document.error(node.line, format!("`name` is {}; it must be text", node.kind()));
        return None;
    };
    let text = text.trim_ascii();
    if let Some(fault) = name::fault(text) {
        document.error(node.line, fault);
        return None;
    }
    warn_of_type(document, "name", &node);
    if text.len() > LONGEST_LENIENT {
        document.error(node.line, format!("`name` has {} characters, above {LONGEST}", text.len()));
        return None;
    }
    if text.len() > LONGEST {
        let what = format!("`name` has {} characters, above {LONGEST}", text.len());
        document.fault(reading, node.line, what, "it is used all the same");
    }
    if text != directory {
        let what = format!("`name` is `{text}`, but the directory is {}", shown(directory));
        document.fault(reading, node.line, what, "`name` counts");
    }
    Some(text.to_owned())
}

fn read_description(document: &mut Document, node: Option<Node<'_>>, reading: Reading) -> Option<String> {
    let Some(node) = node else {
        document.error(1, "`description` is missing");
        return None;
    };
    if !matches!(node.value, Value::Text { .. }) {
        document.error(node.line, format!("`description` is {}; it must be text", node.kind()));
        return None;
    }
    let Some(text) = text_of(document, "description", &node) else {
        document.error(node.line, "`description` is empty");
        return None;
    };
    warn_of_type(document, "description", &node);
    let length = text.chars().count();
    if length > DESCRIPTION {
        let what = format!("`description` has {length} characters, above {DESCRIPTION}");
        document.fault(reading, node.line, what, "it is kept");
    }
    Some(text.into_owned())
}

/// A field that need not be there. Empty is absent.
fn read_text(
    document: &mut Document,
    key: &str,
    node: Option<Node<'_>>,
    reading: Reading,
) -> Option<(String, usize)> {
    let node = node?;
    if matches!(node.value, Value::Text { .. }) {
        warn_of_type(document, key, &node);
        return text_of(document, key, &node).map(|text| (text.into_owned(), node.line));
    }
    let what = format!("`{key}` is {}; it must be text", node.kind());
    document.fault(reading, node.line, what, "it is written as text");
    let flat = node.flat();
    let text = seen(document, &format!("`{key}`"), node.line, &flat).into_owned();
    Some((text, node.line))
}

fn read_allowed_tools(
    document: &mut Document,
    node: Option<Node<'_>>,
    reading: Reading,
) -> Option<AllowedTools> {
    let node = node?;
    match AllowedTools::from_node(&node) {
        Ok((mut tools, more)) => {
            if more {
                let what = format!("`allowed-tools` has more than {} entries", allowed::MOST);
                document.fault(reading, node.line, what, "the rest is left out");
            }
            // Without what cannot be seen it would be the name of a tool that was never written there.
            tools.entries.retain(|entry| !entry.to_string().contains(is_hidden));
            tools.raw = seen(document, "`allowed-tools`", node.line, &tools.raw).into_owned();
            Some(tools)
        }
        Err((line, kind)) => {
            let what = format!("`allowed-tools` has {kind} in it; it must be text, or a list of text");
            document.fault(reading, line, what, "it is taken to name no tool");
            let flat = node.flat();
            let raw = seen(document, "`allowed-tools`", node.line, &flat).into_owned();
            Some(AllowedTools { raw, entries: Vec::new() })
        }
    }
}

#[derive(Default)]
struct Metadata {
    text: BTreeMap<String, String>,
    phases_line: Option<usize>,
    table: Option<Node<'static>>,
}

fn read_metadata(document: &mut Document, node: Option<Node<'_>>, reading: Reading) -> Metadata {
    let mut metadata = Metadata::default();
    let Some(node) = node.filter(|node| !node.is_absent()) else {
        return metadata;
    };
    let kind = node.kind();
    let Value::Map(pairs) = node.value else {
        document.fault(
            reading,
            node.line,
            format!("`metadata` is {kind}; it must be a map"),
            "it is left out",
        );
        return metadata;
    };
    for (Key { line, text: key }, value) in pairs {
        let key = seen(document, "a key of `metadata`", line, &key).into_owned();
        let named = || shown(&format!("metadata.{key}"));
        if metadata.text.contains_key(&key) || (metadata.table.is_some() && key == TABLE) {
            document.fault(reading, line, format!("{} is there twice", named()), "the last one is used");
        }
        match &value.value {
            Value::Map(_) if key == TABLE => {
                let what = "`metadata.tool_permissions` is a map, and metadata is text only: keep the table in a file \
                            beside SKILL.md and name it with `phases: phases.yaml`";
                document.fault(reading, line, what, "it is read as the table of phases");
                metadata.table = Some(value.into_owned());
                continue;
            }
            Value::Text { text, plain } => {
                if let Some(other) = typed(text).filter(|_| *plain) {
                    let what = format!(
                        "{} is {other} to other readers, and metadata is text only: put it in quotes",
                        named()
                    );
                    document.fault(reading, value.line, what, "it is read as text");
                }
            }
            Value::List(_) | Value::Map(_) => {
                let what = format!("{} is {}, and metadata is text only", named(), value.kind());
                document.fault(reading, value.line, what, "it is written as text");
            }
        }
        let value_line = value.line;
        let text = match value.value {
            Value::Text { text, .. } => text.into_owned(),
            _ => value.flat(),
        };
        let text = trimmed(seen(document, &named(), value_line, &text)).into_owned();
        if key == PHASES {
            metadata.phases_line = Some(value_line);
        }
        metadata.text.insert(key, text);
    }
    metadata
}

fn warn_of_type(document: &mut Document, key: &str, node: &Node<'_>) {
    if let Value::Text { text, plain: true } = &node.value
        && let Some(other) = typed(text).filter(|_| !text.is_empty())
    {
        document.warn(node.line, format!("`{key}` is {other} to other readers: put it in quotes"));
    }
}
