//! Tools that go from one place to others, against raw queries.

use std::path::Path;

use serde_json::{Value, json};

use super::bench::{At, Bench, list, sorted};
use super::raw::path;

pub(crate) async fn walk(bench: &mut Bench) {
    let marks = bench.case.marks;
    for (tool, method, key, mark) in [
        ("go_to_definition", "definition", "definitionProvider", marks.used),
        ("go_to_type_definition", "typeDefinition", "typeDefinitionProvider", marks.variable),
        ("go_to_implementation", "implementation", "implementationProvider", marks.interface),
        ("go_to_declaration", "declaration", "declarationProvider", marks.used),
    ] {
        let at = bench.at(mark);
        let method = format!("textDocument/{method}");
        if bench.raw.offers(key, &method) {
            let ours = bench.answer(tool, at.arguments()).await;
            let params = bench.place(&at);
            let raw = bench.raw.ask(&method, &params);
            let (ours, raw) = (bench.our_places(&ours), bench.raw_places(&raw));
            bench.same(tool, "places", &ours, &raw);
        } else if tool == "go_to_declaration" {
            // Where a server knows nothing of declarations, definitions are what there is.
            let ours = bench.answer(tool, at.arguments()).await;
            let params = bench.place(&at);
            let raw = bench.raw.ask("textDocument/definition", &params);
            let (ours, raw) = (bench.our_places(&ours), bench.raw_places(&raw));
            bench.same(tool, "definitions", &ours, &raw);
            bench.cell(tool, format!("= its definitions; not offered (`{key}`)"));
        } else {
            bench.lacking(tool, key, at.arguments()).await;
        }
    }
    references(bench).await;
    highlights(bench).await;
    calls(bench).await;
    types(bench).await;
    rename(bench).await;
}

async fn references(bench: &mut Bench) {
    let at = bench.at(bench.case.marks.declared);
    for include in [false, true] {
        let mut arguments = at.arguments();
        arguments["include_declaration"] = json!(include);
        let ours = bench.answer("find_references", arguments).await;
        let raw = bench.raw_references(&at, include);
        let (ours, raw) = (bench.our_places(&ours), bench.raw_places(&raw));
        bench.same("find_references", &format!("places, declaration {include}"), &ours, &raw);
    }
}

async fn highlights(bench: &mut Bench) {
    let tool = "get_document_highlights";
    let at = bench.at(bench.case.marks.local);
    let ours = bench.answer(tool, at.arguments()).await;
    let params = bench.place(&at);
    let raw = bench.raw.ask("textDocument/documentHighlight", &params);
    let ours = sorted(list(&ours).iter().map(|one| format!("{} kind {}", range(&one["range"]), one["kind"])));
    let kind = |one: &Value| one["kind"].as_u64().unwrap_or(1);
    let raw = sorted(
        list(&raw)
            .iter()
            .map(|one| format!("{} kind {}", bench.raw.range(&at.file, &one["range"]), kind(one))),
    );
    bench.same(tool, "places", &ours, &raw);
    if bench.case.language == "python" {
        // A parameter, which only the server lists.
        let file = bench.root.join(bench.case.marks.declared.0);
        let found = bench.answer(tool, json!({"file_path": file, "symbol_path": "splice.first"})).await;
        bench.check(tool, &format!("a parameter by its path: {found}"), list(&found).len() > 1);
    }
}

/// `1:2-3:4` of a range of ours.
pub(crate) fn range(range: &Value) -> String {
    let at = |end: &str| format!("{}:{}", range[end]["line"], range[end]["character"]);
    format!("{}-{}", at("start"), at("end"))
}

/// An item of a hierarchy of ours: its name, its kind, where it is and where its name is.
fn our_item(bench: &Bench, item: &Value) -> String {
    let file = bench.short(Path::new(item["file"].as_str().unwrap()));
    format!(
        "{} kind {} in {file} {} named at {}",
        item["name"],
        item["kind"],
        range(&item["range"]),
        range(&item["selectionRange"])
    )
}

fn raw_item(bench: &Bench, item: &Value) -> String {
    let file = path(item["uri"].as_str().unwrap());
    let range = |key: &str| bench.raw.range(&file, &item[key]);
    format!(
        "{} kind {} in {} {} named at {}",
        item["name"],
        item["kind"],
        bench.short(&file),
        range("range"),
        range("selectionRange")
    )
}

/// The raw calls to a function, or from it: one line for each place.
pub(crate) fn raw_calls(bench: &mut Bench, at: &At, way: &str) -> Vec<(Value, String)> {
    let params = bench.place(at);
    let (method, end) = match way {
        "incoming" => ("callHierarchy/incomingCalls", "from"),
        _ => ("callHierarchy/outgoingCalls", "to"),
    };
    let mut found = Vec::new();
    for item in list(&bench.raw.ask("textDocument/prepareCallHierarchy", &params)) {
        let asked = path(item["uri"].as_str().unwrap());
        for call in list(&bench.raw.ask(method, &json!({"item": item}))) {
            let other = call[end].clone();
            let file = if end == "from" { path(other["uri"].as_str().unwrap()) } else { asked.clone() };
            for place in list(&call["fromRanges"]) {
                let line = format!("{} at {}", raw_item(bench, &other), bench.raw.range(&file, &place));
                found.push((other.clone(), line));
            }
        }
    }
    found
}

async fn calls(bench: &mut Bench) {
    let at = bench.at(bench.case.marks.function);
    let method = "textDocument/prepareCallHierarchy";
    assert!(bench.raw.offers("callHierarchyProvider", method), "all five have call hierarchies");
    for (tool, ways) in [("find_callers", &["incoming", "outgoing"][..]), ("callers", &["incoming"])] {
        let ours = bench.answer(tool, at.arguments()).await;
        let params = bench.place(&at);
        let items = list(&bench.raw.ask(method, &params));
        let raw = sorted(items.iter().map(|item| raw_item(bench, item)));
        let items = sorted(list(&ours["items"]).iter().map(|item| our_item(bench, item)));
        bench.same(tool, "items", &items, &raw);
        for way in ways {
            let raw = sorted(raw_calls(bench, &at, way).into_iter().map(|(_, line)| line));
            let end = if *way == "incoming" { "from" } else { "to" };
            let calls = list(&ours[*way]);
            let lines = calls.iter().flat_map(|call| {
                let item = our_item(bench, &call[end]);
                list(&call["fromRanges"]).into_iter().map(move |place| format!("{item} at {}", range(&place)))
            });
            let lines = sorted(lines);
            bench.same(tool, way, &lines, &raw);
        }
    }
    // Which of the uses run beside their caller is told by their text; where they are, by the server.
    let at = bench.at(bench.case.marks.coil);
    let mut arguments = at.arguments();
    arguments["cross_concurrent"] = json!(true);
    let ours = bench.answer("find_callers", arguments).await;
    let beside = bench.at(bench.case.marks.beside);
    let expected = format!("{}:{}", bench.short(&beside.file), beside.line);
    let raw = bench.raw_references(&at, false);
    let raw = lines(&bench.raw_places(&raw)).into_iter().filter(|line| *line == expected);
    let (ours, raw) = (bench.our_lines(&ours["concurrent_callers"]), sorted(raw));
    bench.same("find_callers", "concurrent callers", &ours, &raw);
}

/// `file:line` of places.
pub(crate) fn lines(places: &[String]) -> Vec<String> {
    let line = |place: &String| {
        let start = place.rsplit_once('-').unwrap().0;
        start.rsplit_once(':').unwrap().0.to_owned()
    };
    sorted(places.iter().map(line))
}

async fn types(bench: &mut Bench) {
    let tool = "type_hierarchy";
    let (key, method) = ("typeHierarchyProvider", "textDocument/prepareTypeHierarchy");
    let at = bench.at(bench.case.marks.hierarchy);
    if !bench.raw.offers(key, method) {
        return bench.lacking(tool, key, at.arguments()).await;
    }
    let ours = bench.answer(tool, at.arguments()).await;
    let params = bench.place(&at);
    let items = list(&bench.raw.ask(method, &params));
    let mut raw: Vec<String> = items.iter().map(|item| format!("item {}", raw_item(bench, item))).collect();
    for item in &items {
        for way in ["supertypes", "subtypes"] {
            let found = list(&bench.raw.ask(&format!("typeHierarchy/{way}"), &json!({"item": item})));
            raw.extend(found.iter().map(|found| format!("{way} {}", raw_item(bench, found))));
        }
    }
    let of = |key: &str, word: &str| -> Vec<String> {
        list(&ours[key]).iter().map(|item| format!("{word} {}", our_item(bench, item))).collect()
    };
    let ours = [of("items", "item"), of("supertypes", "supertypes"), of("subtypes", "subtypes")].concat();
    let (ours, raw) = (sorted(ours.into_iter()), sorted(raw.into_iter()));
    bench.check(tool, "a type has others above or below", raw.len() > 1);
    bench.same(tool, "types", &ours, &raw);
}

async fn rename(bench: &mut Bench) {
    let tool = "prepare_rename";
    let at = bench.at(bench.case.marks.declared);
    let ours = bench.answer(tool, at.arguments()).await;
    let params = bench.place(&at);
    let raw = bench.raw.ask("textDocument/prepareRename", &params);
    let place = bench.raw.range(&at.file, raw.get("range").unwrap_or(&raw));
    let placeholder = raw["placeholder"].as_str().unwrap_or(bench.case.function);
    let ours =
        vec![format!("{} {}", range(&ours["range"]), ours["placeholder"].as_str().unwrap_or_default())];
    bench.same(tool, "what is renamed", &ours, &[format!("{place} {placeholder}")]);
}
