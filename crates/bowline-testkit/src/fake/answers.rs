//! What the fake knows about words: where they are defined, used, and what a text defines.

use std::ops::Range;

use serde_json::{Value, json};

use super::outline::{Definition, definitions};
use super::post::{Answer, Failure};
use super::project::{Project, Source};
use super::text::{Lines, word_at, words};

/// The kind of every symbol: a function.
const FUNCTION: u32 = 12;

/// The word at the position that a request names. None if there is no such document or no word.
struct Asked {
    source: Source,
    range: Range<usize>,
    word: String,
}

pub(crate) fn definition(project: &Project, params: &Value) -> Answer {
    let Some(asked) = asked(project, params)? else {
        return Ok(json!([]));
    };
    let found = find_definition(project, &asked);
    let places: Vec<Value> = found.iter().map(|(source, name)| location(project, source, name)).collect();
    Ok(json!(places))
}

pub(crate) fn references(project: &Project, params: &Value) -> Answer {
    let Some(asked) = asked(project, params)? else {
        return Ok(json!([]));
    };
    let with_declaration = params["context"]["includeDeclaration"].as_bool().unwrap_or(true);
    let mut places = Vec::new();
    for source in project.sources() {
        if source.path.extension() != asked.source.path.extension() {
            continue;
        }
        let lines = Lines::new(&source.text, project.unit);
        let defined = if with_declaration { Vec::new() } else { definitions(&lines) };
        let uses = words(&source.text)
            .filter(|(range, word)| *word == asked.word && !defined.iter().any(|one| one.name == *range));
        places.extend(uses.map(|(range, _)| json!({ "uri": source.uri, "range": lines.range(&range) })));
    }
    Ok(json!(places))
}

pub(crate) fn hover(project: &Project, params: &Value) -> Answer {
    let Some(asked) = asked(project, params)? else {
        return Ok(Value::Null);
    };
    let Some((source, name)) = find_definition(project, &asked) else {
        return Ok(Value::Null);
    };
    let line = Lines::new(&source.text, project.unit).line_of(name.start) + 1;
    let text = format!("`{}` defined at {}:{line}", asked.word, project.shown(&source.path));
    let range = Lines::new(&asked.source.text, project.unit).range(&asked.range);
    Ok(json!({ "contents": { "kind": "markdown", "value": text }, "range": range }))
}

pub(crate) fn document_symbols(project: &Project, params: &Value) -> Answer {
    let Some(source) = project.source(uri(params)?) else {
        return Ok(json!([]));
    };
    let lines = Lines::new(&source.text, project.unit);
    Ok(json!(symbols_below(&lines, &definitions(&lines), None)))
}

pub(crate) fn workspace_symbols(project: &Project, params: &Value) -> Answer {
    let query = params["query"].as_str().ok_or_else(|| invalid("a query is missing"))?;
    let mut symbols = Vec::new();
    for source in project.sources() {
        let lines = Lines::new(&source.text, project.unit);
        let found = definitions(&lines);
        for one in found.iter().filter(|one| source.text[one.name.clone()].contains(query)) {
            let mut symbol = json!({
                "name": source.text[one.name.clone()],
                "kind": FUNCTION,
                "location": { "uri": source.uri, "range": lines.range(&one.block) },
            });
            if let Some(parent) = one.parent {
                symbol["containerName"] = json!(source.text[found[parent].name.clone()]);
            }
            symbols.push(symbol);
        }
    }
    Ok(json!(symbols))
}

/// The address of the document that a request is about.
pub(crate) fn uri(params: &Value) -> Result<&str, Failure> {
    params["textDocument"]["uri"].as_str().ok_or_else(|| invalid("a document is missing"))
}

pub(crate) fn invalid(message: impl Into<String>) -> Failure {
    Failure::new(Failure::INVALID_PARAMS, message)
}

fn asked(project: &Project, params: &Value) -> Result<Option<Asked>, Failure> {
    let Some(source) = project.source(uri(params)?) else {
        return Ok(None);
    };
    let offset = Lines::new(&source.text, project.unit).offset(&params["position"]).map_err(invalid)?;
    let word = word_at(&source.text, offset).map(|(range, word)| (range, word.to_owned()));
    Ok(word.map(|(range, word)| Asked { source, range, word }))
}

/// The asked document first, then its own kind of file, then any other.
fn find_definition(project: &Project, asked: &Asked) -> Option<(Source, Range<usize>)> {
    let mut sources = project.sources();
    sources.sort_by_key(|source| {
        (source.path != asked.source.path, source.path.extension() != asked.source.path.extension())
    });
    sources.into_iter().find_map(|source| {
        let lines = Lines::new(&source.text, project.unit);
        let found = definitions(&lines).into_iter().find(|one| source.text[one.name.clone()] == asked.word);
        found.map(|one| (source, one.name))
    })
}

fn location(project: &Project, source: &Source, bytes: &Range<usize>) -> Value {
    json!({ "uri": source.uri, "range": Lines::new(&source.text, project.unit).range(bytes) })
}

fn symbols_below(lines: &Lines<'_>, all: &[Definition], parent: Option<usize>) -> Vec<Value> {
    let here = all.iter().enumerate().filter(|(_, one)| one.parent == parent);
    here.map(|(index, one)| {
        let mut symbol = json!({
            "name": lines.text[one.name.clone()],
            "kind": FUNCTION,
            "range": lines.range(&one.block),
            "selectionRange": lines.range(&one.name),
        });
        let children = symbols_below(lines, all, Some(index));
        if !children.is_empty() {
            symbol["children"] = json!(children);
        }
        symbol
    })
    .collect()
}
