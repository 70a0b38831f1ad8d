//! Tools that look through the whole project, against raw queries.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::bench::{At, Bench, list, sorted};
use super::navigate::{lines, raw_calls};
use super::raw::path;
use super::reading::{RawSymbol, bare, hover, is_callable, raw_symbols};

pub(crate) async fn walk(bench: &mut Bench) {
    find(bench).await;
    go_to(bench).await;
    explore(bench).await;
    blast(bench).await;
    changes(bench).await;
    context(bench).await;
}

async fn find(bench: &mut Bench) {
    let tool = "find_symbol";
    let query = bench.case.function;
    let ours = bench.answer(tool, json!({"query": query, "limit": 1000})).await;
    // Both repositories have a server, and either may know symbols of the other.
    let consumer = bench.consumer.join(bench.case.consumer_file);
    bench.other.open(&consumer);
    let mut raw = list(&bench.raw.ask("workspace/symbol", &json!({"query": query})));
    raw.extend(list(&bench.other.ask("workspace/symbol", &json!({"query": query}))));
    let last = |name: &Value| name.as_str().unwrap().rsplit('.').next().unwrap().to_owned();
    let raw = raw.into_iter().filter_map(|symbol| {
        let file = path(symbol["location"]["uri"].as_str()?);
        let range = bench.raw.range(&file, &symbol["location"]["range"]);
        let told =
            format!("{} {}:{range} kind {}", last(&symbol["name"]), bench.short(&file), symbol["kind"]);
        file.starts_with(bench.root.parent()?).then_some(told)
    });
    let raw = sorted(raw);
    let count = list(&ours).len();
    let ours = sorted(list(&ours).iter().map(|symbol| {
        let file = bench.short(Path::new(symbol["file"].as_str().unwrap()));
        let range = super::navigate::range(&symbol["location"]["range"]);
        format!("{} {file}:{range} kind {}", symbol["name"].as_str().unwrap(), symbol["kind"])
    }));
    bench.check(tool, &format!("each once: {count} of {}", ours.len()), count == ours.len());
    bench.same(tool, "symbols", &ours, &raw);
}

/// The names of a raw symbol and of what it stands in, however the server writes them: `(T).M`, `impl Trait for T`.
fn segments(symbol: &RawSymbol) -> Vec<String> {
    let parts = symbol.names.iter().flat_map(|name| {
        let name = name.rsplit(" for ").next().unwrap_or(name);
        let name = name.strip_prefix("impl ").unwrap_or(name);
        name.split('.')
            .map(|part| part.trim_matches(|c: char| "()*".contains(c)).to_owned())
            .collect::<Vec<_>>()
    });
    parts.map(|part| bare(&part)).collect()
}

/// A symbol is found by its name: the witness looks through the symbols of every file.
async fn go_to(bench: &mut Bench) {
    for symbol_path in [bench.case.function, bench.case.method] {
        let ours = match bench.call("go_to_symbol", json!({"symbol_path": symbol_path})).await {
            Ok(answer) => answer.payload,
            Err(error) => return bench.fail("go_to_symbol", &error.text()),
        };
        let wanted: Vec<&str> = symbol_path.split('.').collect();
        let mut raw = Vec::new();
        for file in bench.case.sources {
            let file = bench.root.join(file);
            for symbol in raw_symbols(bench, &file) {
                let names = segments(&symbol);
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                if names.ends_with(&wanted) {
                    let (start, end) = symbol.selection;
                    let end = if bare(symbol.names.last().unwrap()) == *symbol.names.last().unwrap() {
                        end
                    } else {
                        (start.0, start.1 + u32::try_from(wanted.last().unwrap().len()).unwrap())
                    };
                    raw.push(format!("{}:{}:{}-{}:{}", bench.short(&file), start.0, start.1, end.0, end.1));
                }
            }
        }
        let ours = bench.our_places(&ours);
        bench.same("go_to_symbol", symbol_path, &ours, &sorted(raw.into_iter()));
    }
}

async fn explore(bench: &mut Bench) {
    for tool in ["explore_symbol", "explore"] {
        let at = bench.at(bench.case.marks.declared);
        let ours = bench.answer(tool, at.arguments()).await;
        let raw = hover(bench, &at);
        bench.same(tool, "type_info", &[ours["type_info"].as_str().unwrap_or_default().to_owned()], &[raw]);
        let raw = bench.raw_references(&at, false);
        let places = bench.raw_places(&raw);
        bench.same(tool, "count", &[ours["references"]["count"].to_string()], &[places.len().to_string()]);
        let files = sorted(places.iter().map(|place| place.split(':').next().unwrap().to_owned()));
        let top = list(&ours["references"]["top_files"]);
        let top = sorted(top.iter().map(|file| bench.short(Path::new(file.as_str().unwrap()))));
        bench.same(tool, "files", &top, &files);
        let known = lines(&places);
        let callers = bench.our_lines(&ours["callers"]);
        let here = sorted(callers.iter().filter(|line| known.contains(line)).cloned());
        bench.same(tool, "callers are references", &callers, &here);
        let count = ours["callers_count"].as_u64().unwrap_or_default();
        bench.check(tool, "callers are counted", count as usize == callers.len());
        let tests = places.iter().filter(|place| is_test(bench, place)).count();
        bench.check(tool, "tests are counted", ours["test_callers_count"] == tests);
        let source = &ours["source"];
        let (first, last) =
            (source["start_line"].as_u64().unwrap_or(0), source["end_line"].as_u64().unwrap_or(0));
        let params = bench.place(&at);
        let raw = bench.raw.ask("textDocument/definition", &params);
        let definition = bench.raw_places(&raw);
        let file = bench.short(Path::new(source["file"].as_str().unwrap_or_default()));
        let within = |place: &String| {
            let line = lines(std::slice::from_ref(place))[0].rsplit_once(':').unwrap().1.parse().unwrap_or(0);
            place.starts_with(&format!("{file}:")) && (first..=last).contains(&line)
        };
        bench.check(tool, &format!("{definition:?} in {file}:{first}-{last}"), definition.iter().any(within));
    }
}

fn is_test(bench: &Bench, place: &str) -> bool {
    bench.case.tests.iter().any(|test| place.contains(&format!("/{test}:")))
}

/// Where the symbol around a place begins, by the raw symbols of its file: a test is known by it.
fn begins(bench: &mut Bench, place: &str) -> String {
    let (short, rest) = place.split_once(':').unwrap();
    let line: u32 = rest.split(':').next().unwrap().parse().unwrap();
    let file = bench.root.parent().unwrap().join(short);
    let symbols = raw_symbols(bench, &file);
    let around = symbols
        .iter()
        .rfind(|symbol| !symbol.is_inside && symbol.range.0.0 <= line && line <= symbol.range.1.0);
    format!("{short}:{}", around.map_or(line, |symbol| symbol.selection.0.0))
}

/// The callers of each symbol of ours against the raw references to it.
fn callers(bench: &mut Bench, tool: &'static str, ours: &Value) {
    for symbol in list(&ours["affected_symbols"]) {
        let file = PathBuf::from(symbol["file"].as_str().unwrap());
        let line = u32::try_from(symbol["line"].as_u64().unwrap()).unwrap();
        let found = raw_symbols(bench, &file);
        let name =
            symbol["name"].as_str().unwrap().rsplit('.').next().unwrap().trim_matches(['(', ')']).to_owned();
        let named = found.iter().find(|one| {
            one.selection.0.0 == line && segments(one).last().is_some_and(|last| *last == bare(&name))
        });
        let Some(named) = named else {
            bench.fail(tool, &format!("{symbol} is no raw symbol"));
            continue;
        };
        let at = At { file, line, column: named.selection.0.1 };
        let raw = bench.raw_references(&at, false);
        let places = bench.raw_places(&raw);
        let (tests, others): (Vec<String>, Vec<String>) =
            places.into_iter().partition(|place| is_test(bench, place));
        let tests: Vec<String> = tests.iter().map(|place| begins(bench, place)).collect();
        let mut raw: Vec<String> = tests.into_iter().map(|line| format!("test {line}")).collect();
        raw.extend(lines(&others));
        let mut ours: Vec<String> =
            bench.our_lines(&symbol["test_callers"]).iter().map(|line| format!("test {line}")).collect();
        ours.extend(bench.our_lines(&symbol["non_test_callers"]));
        let what = format!("callers of {name}");
        bench.same(tool, &what, &sorted(ours.into_iter()), &sorted(raw.into_iter()));
    }
}

async fn blast(bench: &mut Bench) {
    let tool = "blast_radius";
    let file = bench.root.join(bench.case.marks.declared.0);
    let ours = bench.answer(tool, json!({"changed_files": [file], "detail": "full"})).await;
    let names = list(&ours["affected_symbols"]);
    let named = |symbol: &Value| symbol["name"].as_str().unwrap_or_default().ends_with(bench.case.function);
    bench.check(tool, "the function is among them", names.iter().any(named));
    callers(bench, tool, &ours);
    let mut every = Vec::new();
    for symbol in &names {
        every.extend(bench.our_lines(&symbol["non_test_callers"]));
    }
    let all = bench.our_lines(&ours["non_test_callers"]);
    bench.same(tool, "callers of all", &all, &sorted(every.into_iter()));
}

async fn changes(bench: &mut Bench) {
    let tool = "detect_changes";
    let ours = bench.answer(tool, json!({"detail": "full"})).await;
    let at = bench.at(bench.case.marks.coil);
    let files = list(&ours["changed_files"]);
    let files = sorted(files.iter().map(|file| bench.short(Path::new(file.as_str().unwrap()))));
    bench.same(tool, "files", &files, &[bench.short(&at.file)]);
    let changed = bench.our_lines(&ours["changed_symbols"]);
    bench.same(tool, "symbols", &changed, &[format!("{}:{}", bench.short(&at.file), at.line)]);
    callers(bench, tool, &ours);
}

async fn context(bench: &mut Bench) {
    let tool = "get_editing_context";
    let file = bench.root.join(bench.case.marks.function.0);
    let ours = bench.answer(tool, json!({"file_path": file, "detail": "full"})).await;
    let raw = raw_symbols(bench, &file);
    let told = |symbol: &RawSymbol| {
        format!("{} {}-{}", symbol.names.join("."), symbol.selection.0.0, symbol.range.1.0)
    };
    let seen: Vec<&RawSymbol> = raw.iter().filter(|symbol| !symbol.is_inside).collect();
    let symbols = list(&ours["symbols"]);
    let symbols = sorted(
        symbols
            .iter()
            .map(|one| format!("{} {}-{}", one["name"].as_str().unwrap(), one["line"], one["end_line"])),
    );
    bench.same(tool, "symbols", &symbols, &sorted(seen.iter().map(|symbol| told(symbol))));
    let (mut callees, mut callers) = (Vec::new(), Vec::new());
    // Types, functions and what stands alone; not fields, modules and such.
    for symbol in seen
        .iter()
        .filter(|symbol| is_callable(symbol.kind) || matches!(symbol.kind, 5 | 10 | 11 | 13 | 14 | 23))
    {
        let name = symbol.names.join(".");
        let at = At { file: file.clone(), line: symbol.selection.0.0, column: symbol.selection.0.1 };
        let found = bench.raw_references(&at, false);
        let places = bench.raw_places(&found);
        let (short, (first, last)) = (bench.short(&file), symbol.range);
        let outside = |place: &&String| {
            let mut numbers = place.rsplit_once('-').unwrap().0.rsplit(':');
            let column: u32 = numbers.next().unwrap().parse().unwrap();
            let line: u32 = numbers.next().unwrap().parse().unwrap();
            let here = place.strip_prefix(&format!("{short}:")).is_some();
            !(here && first <= (line, column) && (line, column) < last)
        };
        let places: Vec<String> = places.iter().filter(outside).cloned().collect();
        callers.extend(lines(&places).into_iter().map(|line| format!("{name} by {line}")));
        if is_callable(symbol.kind) {
            for (other, _) in raw_calls(bench, &at, "outgoing") {
                let file = path(other["uri"].as_str().unwrap());
                let line = bench.raw.position(&file, &other["selectionRange"]["start"]).0;
                let callee = other["name"].as_str().unwrap();
                callees.push(format!("{name} calls {callee} {}:{line}", bench.short(&file)));
            }
        }
    }
    let ours_callees = list(&ours["callees"]);
    let ours_callees = sorted(ours_callees.iter().map(|one| {
        let word = |key: &str| one[key].as_str().unwrap();
        format!(
            "{} calls {} {}:{}",
            word("from"),
            word("name"),
            bench.short(Path::new(word("file"))),
            one["line"]
        )
    }));
    bench.same(tool, "callees", &ours_callees, &sorted(callees.into_iter()));
    let mut ours_callers = Vec::new();
    for one in list(&ours["callers"]) {
        for key in ["test_callers", "non_test_callers"] {
            let lines = bench.our_lines(&one[key]);
            ours_callers.extend(
                lines.into_iter().map(|line| format!("{} by {line}", one["symbol"].as_str().unwrap())),
            );
        }
    }
    bench.same(tool, "callers", &sorted(ours_callers.into_iter()), &sorted(callers.into_iter()));
}
