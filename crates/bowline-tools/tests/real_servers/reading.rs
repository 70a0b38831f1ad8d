//! Tools that read one file, against raw queries.

use std::path::Path;

use serde_json::{Value, json};

use super::bench::{At, Bench, list, sorted};
use super::navigate::range;
use super::raw::uri;

pub(crate) async fn walk(bench: &mut Bench) {
    inspect(bench).await;
    completions(bench).await;
    signatures(bench).await;
    hints(bench).await;
    tokens(bench).await;
    symbols(bench).await;
    source(bench).await;
    diagnostics(bench).await;
    fixes(bench).await;
    formatting(bench).await;
}

/// The text of a raw hover.
pub(crate) fn hover(bench: &mut Bench, at: &At) -> String {
    fn text(contents: &Value) -> String {
        match contents {
            Value::String(text) => text.clone(),
            Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join("\n\n"),
            part => match part["language"].as_str() {
                Some(language) => format!("```{language}\n{}\n```", part["value"].as_str().unwrap()),
                None => part["value"].as_str().unwrap_or_default().to_owned(),
            },
        }
    }
    let params = bench.place(at);
    text(&bench.raw.ask("textDocument/hover", &params)["contents"])
}

async fn inspect(bench: &mut Bench) {
    let at = bench.at(bench.case.marks.used);
    let ours = bench.answer("inspect_symbol", at.arguments()).await;
    let raw = hover(bench, &at);
    bench.check("inspect_symbol", "the name is in it", raw.contains(bench.case.function));
    bench.same("inspect_symbol", "text", &[ours.as_str().unwrap_or_default().to_owned()], &[raw]);
}

async fn completions(bench: &mut Bench) {
    let tool = "get_completions";
    let at = bench.at(bench.case.marks.completed);
    let mut arguments = at.arguments();
    arguments["limit"] = json!(1000);
    let ours = bench.answer(tool, arguments).await;
    let mut params = bench.place(&at);
    params["context"] = json!({"triggerKind": 1});
    let raw = bench.raw.ask("textDocument/completion", &params);
    let items = if raw.is_array() { list(&raw) } else { list(&raw["items"]) };
    let edit = |item: &Value| match item["textEdit"]["range"].as_object() {
        Some(range) => bench.raw.range(&at.file, &json!(range)),
        None => String::new(),
    };
    let written = |item: &Value, edit: String| format!("{} kind {} {edit}", item["label"], item["kind"]);
    let raw = sorted(items.iter().map(|item| written(item, edit(item))));
    let zero = |item: &Value| match item["textEdit"]["range"].as_object() {
        // Edits are handed on as the protocol counts.
        Some(range) => {
            let at = |end: &str| {
                let number = |key: &str| range[end][key].as_u64().unwrap() + 1;
                format!("{}:{}", number("line"), number("character"))
            };
            format!("{}-{}", at("start"), at("end"))
        }
        None => String::new(),
    };
    bench.check(tool, "all are counted", ours["total"] == items.len().min(1000));
    let ours = sorted(list(&ours["items"]).iter().map(|item| written(item, zero(item))));
    bench.same(tool, "labels", &ours, &raw);
}

async fn signatures(bench: &mut Bench) {
    let at = bench.at(bench.case.marks.argument);
    let ours = bench.answer("get_signature_help", at.arguments()).await;
    let mut params = bench.place(&at);
    params["context"] = json!({"triggerKind": 1, "isRetrigger": false});
    let raw = bench.raw.ask("textDocument/signatureHelp", &params);
    bench.check("get_signature_help", "there is one", !list(&raw["signatures"]).is_empty());
    bench.same("get_signature_help", "signatures", &[ours.to_string()], &[raw.to_string()]);
}

async fn hints(bench: &mut Bench) {
    let (tool, key, method) = ("get_inlay_hints", "inlayHintProvider", "textDocument/inlayHint");
    let file = bench.root.join(bench.case.marks.used.0);
    let arguments = json!({"file_path": file, "limit": 1000});
    if !bench.raw.offers(key, method) {
        return bench.lacking(tool, key, arguments).await;
    }
    let ours = bench.answer(tool, arguments).await;
    let params = bench.whole(&file);
    let raw = bench.raw.ask(method, &params);
    let label = |label: &Value| match label {
        Value::Array(parts) => parts.iter().map(|part| part["value"].as_str().unwrap()).collect(),
        text => text.as_str().unwrap().to_owned(),
    };
    let raw = sorted(list(&raw).iter().map(|hint| {
        let (line, column) = bench.raw.position(&file, &hint["position"]);
        format!("{line}:{column} {} kind {}", label(&hint["label"]), hint["kind"])
    }));
    let ours = sorted(list(&ours).iter().map(|hint| {
        let at = &hint["position"];
        format!(
            "{}:{} {} kind {}",
            at["line"],
            at["character"],
            hint["label"].as_str().unwrap(),
            hint["kind"]
        )
    }));
    bench.same(tool, "hints", &ours, &raw);
}

async fn tokens(bench: &mut Bench) {
    let (tool, key) = ("get_semantic_tokens", "semanticTokensProvider");
    let file = bench.root.join(bench.case.marks.used.0);
    let arguments = json!({"file_path": file, "limit": 1000});
    if !bench.raw.offers(key, "textDocument/semanticTokens") {
        return bench.lacking(tool, key, arguments).await;
    }
    let ours = bench.answer(tool, arguments).await;
    let params = bench.whole(&file);
    // Those of the whole file: ours may ask for a stretch.
    let raw =
        bench.raw.ask("textDocument/semanticTokens/full", &json!({"textDocument": params["textDocument"]}));
    let legend = bench.raw.capabilities[key]["legend"].clone();
    let numbers: Vec<u64> = list(&raw["data"]).iter().map(|number| number.as_u64().unwrap()).collect();
    let (mut line, mut character, mut tokens) = (0, 0, Vec::new());
    for five in numbers.chunks(5) {
        character = if five[0] > 0 { five[1] } else { character + five[1] };
        line += five[0];
        let at = |character: u64| json!({"line": line, "character": character});
        let place = bench.raw.range(&file, &json!({"start": at(character), "end": at(character + five[2])}));
        let named = list(&legend["tokenModifiers"]);
        let set = named.iter().enumerate().filter(|(bit, _)| five[4] >> bit & 1 == 1);
        let modifiers: Vec<&str> = set.map(|(_, name)| name.as_str().unwrap()).collect();
        let kind = legend["tokenTypes"][usize::try_from(five[3]).unwrap()].as_str().unwrap();
        tokens.push(format!("{place} {kind} {modifiers:?}"));
    }
    let ours = sorted(list(&ours).iter().map(|token| {
        let number = |key: &str| token[key].as_u64().unwrap();
        let (line, from) = (number("line"), number("character"));
        let modifiers: Vec<String> =
            list(&token["modifiers"]).iter().map(|name| name.as_str().unwrap().to_owned()).collect();
        let kind = token["tokenType"].as_str().unwrap();
        format!("{line}:{from}-{line}:{} {kind} {modifiers:?}", from + number("length"))
    }));
    bench.same(tool, "tokens", &ours, &sorted(tokens.into_iter()));
}

/// A symbol of a file, as the server says.
pub(crate) struct RawSymbol {
    /// With those around it.
    pub(crate) names: Vec<String>,
    pub(crate) kind: u64,
    pub(crate) detail: String,
    pub(crate) range: ((u32, u32), (u32, u32)),
    pub(crate) selection: ((u32, u32), (u32, u32)),
    /// Something around it can be called.
    pub(crate) is_inside: bool,
}

/// Whether calls can be made to symbols of a kind: methods, constructors and functions.
pub(crate) fn is_callable(kind: u64) -> bool {
    matches!(kind, 6 | 9 | 12)
}

/// The raw symbols of a file, flat, as they stand in it.
pub(crate) fn raw_symbols(bench: &mut Bench, file: &Path) -> Vec<RawSymbol> {
    fn add(
        bench: &Bench,
        file: &Path,
        symbols: &Value,
        around: &[String],
        inside: bool,
        all: &mut Vec<RawSymbol>,
    ) {
        for symbol in list(symbols) {
            let mut names = around.to_vec();
            names.push(symbol["name"].as_str().unwrap().to_owned());
            let span = |key: &str| {
                let at = |end: &str| bench.raw.position(file, &symbol[key][end]);
                (at("start"), at("end"))
            };
            let kind = symbol["kind"].as_u64().unwrap();
            all.push(RawSymbol {
                names: names.clone(),
                kind,
                detail: symbol["detail"].as_str().unwrap_or_default().to_owned(),
                range: span("range"),
                selection: span("selectionRange"),
                is_inside: inside,
            });
            add(bench, file, &symbol["children"], &names, inside || is_callable(kind), all);
        }
    }
    bench.raw.open(file);
    let answer = bench.raw.ask("textDocument/documentSymbol", &json!({"textDocument": {"uri": uri(file)}}));
    let mut all = Vec::new();
    add(bench, file, &answer, &[], false, &mut all);
    all
}

async fn symbols(bench: &mut Bench) {
    fn add(symbols: &Value, around: &str, all: &mut Vec<String>) {
        for symbol in list(symbols) {
            let name = format!("{around}/{}", symbol["name"].as_str().unwrap());
            all.push(format!(
                "{name} kind {} {} named at {} {}",
                symbol["kind"],
                range(&symbol["range"]),
                range(&symbol["selectionRange"]),
                symbol["detail"].as_str().unwrap_or_default()
            ));
            add(&symbol["children"], &name, all);
        }
    }
    let tool = "list_symbols";
    for file in bench.case.sources {
        let file = bench.root.join(file);
        let ours = bench.answer(tool, json!({"file_path": file})).await;
        let mut all = Vec::new();
        add(&ours, "", &mut all);
        let span =
            |(start, end): ((u32, u32), (u32, u32))| format!("{}:{}-{}:{}", start.0, start.1, end.0, end.1);
        let raw = raw_symbols(bench, &file);
        let raw = raw.iter().map(|symbol| {
            let name = symbol.names.join("/");
            let (range, selection) = (span(symbol.range), span(symbol.selection));
            format!("/{name} kind {} {range} named at {selection} {}", symbol.kind, symbol.detail)
        });
        let raw = sorted(raw);
        bench.same(tool, &bench.short(&file), &sorted(all.into_iter()), &raw);
    }
}

/// The source is cut out by syntax: its lines must be those of the raw symbol, but for what stands above its first word.
/// Some servers count comments and attributes in.
async fn source(bench: &mut Bench) {
    let tool = "get_symbol_source";
    let at = bench.at(bench.case.marks.coil);
    let ours = match bench.call(tool, at.arguments()).await {
        Ok(answer) => answer.payload,
        Err(error) => return bench.fail(tool, &error.text()),
    };
    let symbols = raw_symbols(bench, &at.file);
    let (line, column) = (at.line, at.column);
    let symbol = symbols.iter().find(|symbol| symbol.selection.0 == (line, column)).expect("a symbol there");
    let text = std::fs::read_to_string(&at.file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let above = |line: u32| {
        let text = lines[line as usize - 1].trim_start();
        text.starts_with("//") || text.starts_with("/*") || text.starts_with('#') || text.starts_with('@')
    };
    let (first, last) = (symbol.range.0.0, symbol.range.1.0);
    let begin = (first..=line).find(|line| !above(*line)).unwrap();
    let cut = lines[begin as usize - 1..last as usize].join("\n");
    let shown = |name: &str, first: &Value, last: &Value, text: &str| {
        format!("{name} {first}-{last}\n{}", text.trim_end())
    };
    let name = ours["symbol_name"].as_str().unwrap_or_default().to_owned();
    let source = ours["source"].as_str().unwrap_or_default();
    let ours = shown(&name, &ours["start_line"], &ours["end_line"], source);
    let named = bare(symbol.names.last().unwrap());
    let raw = shown(&named, &json!(begin), &json!(last), &cut);
    bench.same(tool, "source", &[ours], &[raw]);
}

/// A name without its signature.
pub(crate) fn bare(name: &str) -> String {
    name.split('(').next().unwrap_or(name).to_owned()
}

/// Raw diagnostics, as they are compared.
async fn diagnostics(bench: &mut Bench) {
    let tool = "get_diagnostics";
    let file = bench.root.join(bench.case.broken);
    let ours = bench.answer(tool, json!({"file_path": file})).await;
    let ours: Vec<Value> =
        ours.as_object().into_iter().flatten().flat_map(|(_, found)| list(found)).collect();
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let told = |found: &Value, place: String| {
        let severity = found["severity"].as_u64().unwrap_or(1);
        let (code, source) = (word(&found["code"]), word(&found["source"]));
        format!("{place} severity {severity} [{code}] {source}: {}", word(&found["message"]))
    };
    let ours = sorted(ours.iter().map(|found| told(found, range(&found["range"]))));
    let raw = bench.raw.findings(&file);
    let raw = sorted(raw.iter().map(|found| told(found, bench.raw.range(&file, &found["range"]))));
    bench.same(tool, "what is wrong", &ours, &raw);
    // What is open can be asked about all together, and what is closed no longer.
    let opened = bench.root.join(bench.case.marks.coil.0);
    let key = uri(&opened);
    let holds = |payload: &Value| payload.get(&key).is_some();
    let answer = bench.call("open_document", json!({"file_path": opened})).await;
    let said = answer.ok().and_then(|answer| answer.hint).unwrap_or_default();
    bench.check("open_document", &format!("the server has it: {said}"), said.contains("has it open"));
    let all = bench.answer(tool, json!({"limit": 1000})).await;
    bench.check("open_document", "its diagnostics are known", holds(&all));
    bench.equal("open_document");
    let answer = bench.call("close_document", json!({"file_path": opened})).await;
    let said = answer.ok().and_then(|answer| answer.hint).unwrap_or_default();
    bench.check("close_document", &format!("the server had it: {said}"), said.starts_with("closed at"));
    let again = bench.call("close_document", json!({"file_path": opened})).await;
    let said = again.ok().and_then(|answer| answer.hint).unwrap_or_default();
    bench.check("close_document", &format!("it is closed: {said}"), said == "no language server had it open");
    bench.equal("close_document");
}

async fn fixes(bench: &mut Bench) {
    let tool = "suggest_fixes";
    let file = bench.root.join(bench.case.broken);
    let ours = bench.answer(tool, json!({"file_path": file, "limit": 1000})).await;
    let found = bench.raw.findings(&file);
    let mut params = bench.whole(&file);
    params["context"] = json!({"diagnostics": found, "triggerKind": 1});
    let mut raw = bench.raw.ask("textDocument/codeAction", &params);
    if bench.raw.capabilities["codeActionProvider"]["resolveProvider"] == true {
        for action in raw.as_array_mut().into_iter().flatten() {
            let is_command = action.get("command").is_some() && action.get("data").is_none();
            if action.get("edit").is_none() && !is_command && action.get("disabled").is_none() {
                *action = bench.raw.ask("codeAction/resolve", action);
            }
        }
    }
    // What cannot be made is not listed.
    let told = |actions: &Value| -> Vec<String> {
        list(actions)
            .iter()
            .filter(|action| action.get("disabled").is_none())
            .map(|action| {
                let mut edit = action["edit"].clone();
                for change in list(&edit["documentChanges"]).iter().enumerate() {
                    // Each process counts its own versions.
                    edit["documentChanges"][change.0]["textDocument"]["version"] = Value::Null;
                }
                let command = &action["command"]["command"];
                format!("{} {} {edit} {command}", action["title"], action["kind"])
            })
            .collect()
    };
    bench.check(tool, "none is disabled", list(&ours).iter().all(|one| one.get("disabled").is_none()));
    let (ours, raw) = (told(&ours), told(&raw));
    let changes = |action: &String| action.contains("newText") || !action.ends_with(" null");
    bench.check(tool, "one brings its edit, or a command", raw.iter().any(changes));
    bench.same(tool, "actions", &ours, &raw);
}

async fn formatting(bench: &mut Bench) {
    let file = bench.root.join(bench.case.untidy);
    let options = json!({"tabSize": 2, "insertSpaces": true});
    for (tool, key, method) in [
        ("format_document", "documentFormattingProvider", "textDocument/formatting"),
        ("format_range", "documentRangeFormattingProvider", "textDocument/rangeFormatting"),
    ] {
        let arguments = json!({"file_path": file});
        if !bench.raw.offers(key, method) {
            bench.lacking(tool, key, arguments).await;
            continue;
        }
        let ours = bench.answer(tool, arguments).await;
        let mut params = bench.whole(&file);
        if tool == "format_document" {
            params.as_object_mut().unwrap().shift_remove("range");
        }
        params["options"] = options.clone();
        let raw = bench.raw.ask(method, &params);
        let told = |edits: &Value| -> Vec<String> { list(edits).iter().map(ToString::to_string).collect() };
        bench.same(tool, "edits", &told(&ours), &told(&raw));
    }
}
