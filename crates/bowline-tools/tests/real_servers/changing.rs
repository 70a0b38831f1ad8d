//! Tools that write, against what another client would make of the same server's edits: byte for byte, and back again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::bench::{Bench, list};
use super::raw::{Raw, path, uri};

/// So many fixes of a file are made.
const MOST_FIXES: usize = 12;

pub(crate) async fn walk(bench: &mut Bench) {
    rename(bench).await;
    fixes(bench).await;
    extraction(bench).await;
    layout(bench).await;
}

/// The files that an edit changes, as they would be.
type Texts = BTreeMap<PathBuf, String>;

async fn rename(bench: &mut Bench) {
    let tool = "rename_symbol";
    let at = bench.at(bench.case.marks.declared);
    let new_name = format!("{}2", bench.case.function);
    let mut params = bench.place(&at);
    params["newName"] = json!(new_name);
    let raw = bench.raw.ask("textDocument/rename", &params);
    let expected = applied(&bench.raw, &raw);
    let arguments = json!({"file_path": at.file, "line": at.line, "column": at.column, "new_name": new_name});
    let mut dry = arguments.clone();
    dry["dry_run"] = json!(true);
    let said = bench.answer(tool, dry).await;
    let files = said["preview"]["files"].as_u64();
    bench.check(
        tool,
        &format!("a dry run tells of every file: {said}"),
        files == Some(expected.len() as u64),
    );
    bench.check(tool, "a dry run writes nothing", expected.keys().all(|file| read(file) != expected[file]));
    bench.check(tool, "several files", expected.len() > 2);
    made(bench, tool, arguments, &expected).await;
    bench.equal(tool);
}

async fn fixes(bench: &mut Bench) {
    let tool = "suggest_fixes";
    let file = bench.root.join(bench.case.broken);
    let listed = bench.answer(tool, json!({"file_path": file, "limit": 1000})).await;
    let offered = bench.raw.capabilities["executeCommandProvider"]["commands"].clone();
    let mut tried = 0;
    for action in list(&listed).iter().filter(|action| action.get("disabled").is_none()) {
        let expected = match action.get("edit").filter(|edit| !edit.is_null()) {
            Some(edit) => applied_as_ours(edit),
            None => {
                let command = &action["command"];
                if !list(&offered).contains(&command["command"]) {
                    continue;
                }
                bench.raw.open(&file);
                bench.raw.wanted.clear();
                let order = json!({"command": command["command"], "arguments": command["arguments"]});
                let there = beside(&file);
                let _ = bench.raw.ask("workspace/executeCommand", &order);
                let wanted = std::mem::take(&mut bench.raw.wanted);
                // A server that makes files by itself would find them there the second time.
                let made: Vec<PathBuf> =
                    beside(&file).into_iter().filter(|path| !there.contains(path)).collect();
                if !made.is_empty() {
                    made.iter().for_each(|path| std::fs::remove_file(path).unwrap());
                    continue;
                }
                let [edit] = wanted.as_slice() else { continue };
                applied(&bench.raw, edit)
            }
        };
        if expected.is_empty() || tried == MOST_FIXES {
            continue;
        }
        tried += 1;
        let arguments = json!({"file_path": file, "apply": action["index"], "title": action["title"]});
        made(bench, tool, arguments, &expected).await;
    }
    let has_edits = list(&listed).iter().any(|action| action.get("edit").is_some());
    bench.check(tool, "some were made", tried > 0 || !has_edits);
}

/// A command that ends with an invitation to name what it has made: nobody sits at an editor, and it is done all the same.
async fn extraction(bench: &mut Bench) {
    if bench.case.language != "typescript" {
        return;
    }
    let tool = "suggest_fixes";
    let file = bench.root.join("src/long.ts");
    let text = "export function total(xs: number[]): number {\n  let sum = 0;\n  for (const x of xs) {\n    sum += x;\n  }\n  return sum;\n}\n";
    std::fs::write(&file, text).unwrap();
    let mut arguments =
        json!({"file_path": file, "start_line": 3, "start_column": 3, "end_line": 5, "end_column": 4});
    let listed = bench.answer(tool, arguments.clone()).await;
    let listed = list(&listed);
    let extract =
        listed.iter().find(|action| action["title"].as_str().unwrap().contains("function in module scope"));
    let Some(extract) = extract else { return bench.fail(tool, &format!("no extraction: {listed:?}")) };
    (arguments["apply"], arguments["title"]) = (extract["index"].clone(), extract["title"].clone());
    match bench.call(tool, arguments).await {
        Ok(made) => {
            let undo = json!({"receipt": made.payload["receipt"]});
            bench.check(tool, "a new function", read(&file).contains("function newFunction("));
            bench.call("undo_write", undo).await.unwrap();
        }
        Err(error) => bench.fail(tool, &error.text()),
    }
    std::fs::remove_file(&file).unwrap();
}

async fn layout(bench: &mut Bench) {
    let file = bench.root.join(bench.case.untidy);
    let tool = "format_document";
    if !bench.raw.offers("documentFormattingProvider", "textDocument/formatting") {
        return;
    }
    let mut params = bench.whole(&file);
    params.as_object_mut().unwrap().shift_remove("range");
    params["options"] = json!({"tabSize": 2, "insertSpaces": true});
    let edits = bench.raw.ask("textDocument/formatting", &params);
    let expected = applied(&bench.raw, &json!({"changes": {uri(&file): edits}}));
    made(bench, tool, json!({"file_path": file, "apply": true}), &expected).await;
}

/// Makes a change, compares every byte, and takes it back.
async fn made(bench: &mut Bench, tool: &'static str, arguments: Value, expected: &Texts) {
    let before: Texts = expected.keys().map(|file| (file.clone(), read(file))).collect();
    let made = match bench.call(tool, arguments.clone()).await {
        Ok(answer) => answer.payload,
        Err(error) => return bench.fail(tool, &format!("{arguments}: {}", error.text())),
    };
    for (file, text) in expected {
        let now = read(file);
        bench.check(
            tool,
            &format!("{arguments}: {} is\n{now}\nnot\n{text}", bench.short(file)),
            now == *text,
        );
    }
    let files = list(&made["files"]).len();
    bench.check(tool, &format!("{arguments}: as many files: {made}"), files == expected.len());
    bench.check(tool, &format!("looked at afterwards: {made}"), made["errors_after"].is_u64());
    let undone = bench.call("undo_write", json!({"receipt": made["receipt"]})).await;
    bench.check(tool, "taken back", undone.is_ok() && before.iter().all(|(file, text)| read(file) == *text));
}

/// The files of its directory.
fn beside(file: &Path) -> Vec<PathBuf> {
    file.parent().unwrap().read_dir().unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

/// What another client makes of an edit, counted as its server counts.
fn applied(raw: &Raw, edit: &Value) -> Texts {
    applied_by(edit, |file, at| {
        let (line, column) = raw.position(file, at);
        offset(file, u64::from(line - 1), u64::from(column - 1))
    })
}

/// The same for one that came through bowline, which counts UTF-16 units.
fn applied_as_ours(edit: &Value) -> Texts {
    applied_by(edit, |file, at| offset(file, at["line"].as_u64().unwrap(), at["character"].as_u64().unwrap()))
}

/// The byte of a position; behind the end it is the end.
fn offset(file: &Path, line: u64, character: u64) -> usize {
    let text = read(file);
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let Some(start) = starts.into_iter().nth(usize::try_from(line).unwrap()) else { return text.len() };
    let line = text[start..].split('\n').next().unwrap_or_default();
    let mut units = 0;
    for (at, letter) in line.char_indices() {
        if units >= character {
            return start + at;
        }
        units += letter.len_utf16() as u64;
    }
    start + line.len()
}

fn applied_by(edit: &Value, offset: impl Fn(&Path, &Value) -> usize) -> Texts {
    let mut edits: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::new();
    for (uri, list) in edit["changes"].as_object().into_iter().flatten() {
        edits.entry(path(uri)).or_default().extend(list.as_array().into_iter().flatten().cloned());
    }
    for change in list(&edit["documentChanges"]) {
        let Some(uri) = change["textDocument"]["uri"].as_str() else { continue };
        edits.entry(path(uri)).or_default().extend(list(&change["edits"]));
    }
    let mut texts = Texts::new();
    for (file, edits) in edits {
        let mut text = read(&file);
        let mut spans: Vec<(usize, usize, usize, String)> = edits
            .iter()
            .enumerate()
            .map(|(index, edit)| {
                let at = |end: &str| offset(&file, &edit["range"][end]);
                (at("start"), at("end"), index, edit["newText"].as_str().unwrap().to_owned())
            })
            .collect();
        spans.sort_unstable_by_key(|(start, end, index, _)| (*start, *end, *index));
        for (start, end, _, new) in spans.into_iter().rev() {
            text.replace_range(start..end, &new);
        }
        if text != read(&file) {
            texts.insert(file, text);
        }
    }
    texts
}
