//! Edits that the fake proposes: renames, layout, fixes that are resolved later, and commands that edit by themselves.

use serde_json::{Value, json};

use super::answers::{invalid, references, uri};
use super::post::{Answer, Failure, Post};
use super::project::{Project, Source};
use super::text::Lines;

/// What offers all of this, to be put among the capabilities.
pub(crate) fn capabilities() -> Value {
    json!({
        "renameProvider": { "prepareProvider": false },
        "documentFormattingProvider": true,
        "codeActionProvider": { "resolveProvider": true },
        "executeCommandProvider": { "commands": ["fake.replace", "fake.fail", "fake.args"] },
    })
}

/// Every use of the word, as `documentChanges` with versions where documents are open.
pub(crate) fn rename(project: &Project, params: &Value) -> Answer {
    let new_name = params["newName"].as_str().ok_or_else(|| invalid("a name is missing"))?;
    let found = references(project, params)?;
    let mut changes: Vec<Value> = Vec::new();
    for place in found.as_array().into_iter().flatten() {
        let edit = json!({ "range": place["range"], "newText": new_name });
        match changes.iter_mut().find(|change| change["textDocument"]["uri"] == place["uri"]) {
            Some(change) => {
                change["edits"].as_array_mut().into_iter().for_each(|edits| edits.push(edit.clone()));
            }
            None => {
                let version =
                    place["uri"].as_str().and_then(|uri| project.source(uri)).and_then(|one| one.version);
                let document = json!({ "uri": place["uri"], "version": version });
                changes.push(json!({ "textDocument": document, "edits": [edit] }));
            }
        }
    }
    Ok(if changes.is_empty() { Value::Null } else { json!({ "documentChanges": changes }) })
}

/// No space at the end of a line.
pub(crate) fn formatting(project: &Project, params: &Value) -> Answer {
    let source = source(project, uri(params)?)?;
    let lines = Lines::new(&source.text, project.unit);
    let spaces = lines.ranges.iter().filter_map(|line| {
        let said = source.text[line.clone()].trim_end().len();
        (said < line.len()).then(|| line.start + said..line.end)
    });
    Ok(spaces.map(|bytes| json!({ "range": lines.range(&bytes), "newText": "" })).collect())
}

/// For a text with a BUG: a fix that is resolved later, the same by a command, and one that cannot be made.
pub(crate) fn actions(project: &Project, params: &Value) -> Answer {
    let uri = uri(params)?;
    if !source(project, uri)?.text.contains("BUG") {
        return Ok(json!([]));
    }
    Ok(json!([
        { "title": "Mend it", "kind": "quickfix", "isPreferred": true, "data": { "uri": uri } },
        { "title": "Mend it by a command", "command": { "title": "Mend", "command": "fake.replace", "arguments": [uri, "BUG", "cure"] } },
        { "title": "Make it worse", "kind": "refactor", "data": { "fails": true } },
    ]))
}

pub(crate) fn resolve(project: &Project, params: &Value) -> Answer {
    let mut action = params.clone();
    let Some(uri) = params["data"]["uri"].as_str() else {
        return Err(Failure::new(Failure::INVALID_PARAMS, "it cannot be worse"));
    };
    action["edit"] = replacing(project, uri, "BUG", "cure")?;
    Ok(action)
}

/// Runs a command that edits, and says at the end what came of it.
pub(crate) fn command(
    project: &Project,
    post: &Post,
    params: &Value,
) -> Result<impl Future<Output = Answer> + Send + use<>, Failure> {
    let word = |index: usize| params["arguments"][index].as_str().unwrap_or_default().to_owned();
    let (command, arguments) = (params["command"].clone(), params["arguments"].clone());
    let asked = match command.as_str() {
        Some("fake.args") => None,
        _ => {
            let edit = replacing(project, &word(0), &word(1), &word(2))?;
            Some(post.ask("workspace/applyEdit", json!({ "label": "replace", "edit": edit })))
        }
    };
    Ok(async move {
        let applied = match asked {
            Some(asked) => asked.await.ok().and_then(Result::ok).unwrap_or_default(),
            None => Value::Null,
        };
        match command.as_str() {
            Some("fake.fail") => Err(Failure::new(Failure::INVALID_REQUEST, "it failed in the end")),
            Some("fake.args") => Ok(arguments),
            _ => Ok(applied),
        }
    })
}

fn replacing(project: &Project, uri: &str, old: &str, new: &str) -> Answer {
    let source = source(project, uri)?;
    let lines = Lines::new(&source.text, project.unit);
    let found = source.text.match_indices(old).map(|(at, found)| at..at + found.len());
    let edits: Vec<Value> =
        found.map(|bytes| json!({ "range": lines.range(&bytes), "newText": new })).collect();
    let document = json!({ "uri": source.uri, "version": source.version });
    Ok(json!({ "documentChanges": [{ "textDocument": document, "edits": edits }] }))
}

fn source(project: &Project, uri: &str) -> Result<Source, Failure> {
    project.source(uri).ok_or_else(|| invalid(format!("no document `{uri}`")))
}
