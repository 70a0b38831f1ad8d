//! Tools about the servers themselves, about documentation, and about several repositories, against raw queries.

use bowline_call::ToolError;
use serde_json::{Value, json};

use super::Doing;
use super::bench::{Bench, list, sorted};
use super::raw::{path, uri};
use super::reading::hover;

pub(crate) async fn walk(bench: &mut Bench) {
    capabilities(bench).await;
    command(bench).await;
    documentation(bench).await;
    macros(bench).await;
    counterparts(bench).await;
    across(bench).await;
}

async fn capabilities(bench: &mut Bench) {
    let tool = "get_server_capabilities";
    let ours = bench.answer(tool, json!({})).await;
    let fields = |value: &Value| -> Vec<String> {
        value.as_object().into_iter().flatten().map(|(key, value)| format!("{key}: {value}")).collect()
    };
    let raw = bench.raw.capabilities.clone();
    bench.same(
        tool,
        "capabilities",
        &sorted(fields(&ours["capabilities"]).into_iter()),
        &sorted(fields(&raw).into_iter()),
    );
    // What the server does not have is told, and nothing else.
    let told = sorted(list(&ours["unsupported_tools"]).iter().map(|name| name.as_str().unwrap().to_owned()));
    let (lacking, equal) = (bench.seen("not offered"), bench.seen("="));
    bench.check(tool, &format!("{told:?} has {lacking:?}"), lacking.iter().all(|name| told.contains(name)));
    let instead = bench.seen("= its definitions");
    let wrong =
        equal.iter().filter(|name| told.contains(name) && !instead.contains(name)).collect::<Vec<_>>();
    bench.check(tool, &format!("{wrong:?} are supported"), wrong.is_empty());
}

async fn command(bench: &mut Bench) {
    let tool = "execute_command";
    let offered = bench.raw.capabilities["executeCommandProvider"]["commands"].clone();
    let offered: Vec<String> = list(&offered).iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    let file = bench.root.join(bench.case.marks.used.0);
    let (name, arguments) = match bench.case.command {
        Doing::Nothing(reason) => {
            // What it does not know it says, with what the server does.
            match bench.call(tool, json!({"command": "no.such"})).await {
                Err(ToolError::Unsupported { message, .. }) if offered.is_empty() => {
                    let named = message.contains(bench.case.name);
                    bench.check(tool, &format!("names the server: {message}"), named);
                }
                Err(ToolError::BadArguments { message, .. }) if !offered.is_empty() => {
                    let all = offered.iter().all(|name| message.contains(name));
                    bench.check(tool, &format!("names what there is: {message}"), all);
                }
                other => bench
                    .fail(tool, &format!("an error was due, not {:?}", other.map(|answer| answer.payload))),
            }
            let is_offered = bench.raw.offers("executeCommandProvider", "workspace/executeCommand");
            let reason = if is_offered { reason } else { "not offered (`executeCommandProvider`)" };
            return bench.cell(tool, reason);
        }
        Doing::Command(name, arguments) => (name, arguments(&file, &uri(&file))),
    };
    bench.check(tool, "the server has it", offered.iter().any(|offered| offered == name));
    let ours = bench.answer(tool, json!({"command": name, "arguments": arguments, "file_path": file})).await;
    bench.raw.open(&file);
    let raw = bench.raw.ask("workspace/executeCommand", &json!({"command": name, "arguments": arguments}));
    // Each process counts its own requests.
    let told = |mut answer: Value| {
        for key in ["request_seq", "seq", "performanceData", "metadata"] {
            if let Some(fields) = answer.as_object_mut() {
                fields.shift_remove(key);
            }
        }
        answer.to_string()
    };
    bench.check(tool, "it says something", raw.to_string().len() > 20);
    bench.same(tool, "what came of it", &[told(ours)], &[told(raw)]);
}

/// What toolchains say is no server's; the sentence above the function must be in both.
async fn documentation(bench: &mut Bench) {
    let tool = "get_symbol_documentation";
    let at = bench.at(bench.case.marks.declared);
    let arguments = json!({
        "symbol": bench.case.function, "language_id": bench.case.language, "file_path": at.file,
    });
    let answer = match bench.call(tool, arguments).await {
        Ok(answer) => answer.payload,
        Err(error) => return bench.fail(tool, &error.text()),
    };
    let raw = hover(bench, &at);
    let sentence = bench.case.sentence;
    bench.check(tool, "the hover has the sentence", raw.contains(sentence));
    if matches!(bench.case.language, "go" | "python" | "rust") {
        let doc = answer["doc"].as_str().unwrap_or_default();
        bench.check(
            tool,
            &format!("documentation: {answer}"),
            doc.contains(sentence) && answer["source"] == "toolchain",
        );
        bench.check(
            tool,
            "signature",
            answer["signature"].as_str().is_some_and(|said| said.contains(bench.case.function)),
        );
        bench.equal(tool);
    } else {
        let said = answer["error"].as_str().unwrap_or_default().to_owned();
        bench.check(tool, &format!("points elsewhere: {said}"), said.contains("inspect_symbol"));
        bench.cell(tool, "no toolchain documentation; points to `inspect_symbol`");
    }
}

async fn macros(bench: &mut Bench) {
    let tool = "rust-expand_macro";
    if bench.case.language != "rust" {
        return bench.cell(tool, "Rust only");
    }
    let at = bench.at(("src/bin/macro.rs", "@@format!("));
    let ours = bench.answer(tool, at.arguments()).await;
    let params = bench.place(&at);
    let raw = bench.raw.ask("rust-analyzer/expandMacro", &params);
    let told = |answer: &Value| vec![format!("{}: {}", answer["name"], answer["expansion"])];
    bench.check(tool, "it is expanded", raw["expansion"].as_str().is_some_and(|text| text.len() > 10));
    bench.same(tool, "expansion", &told(&ours), &told(&raw));
}

async fn counterparts(bench: &mut Bench) {
    let tool = "cpp-switch_source_header";
    if bench.case.language != "cpp" {
        return bench.cell(tool, "C and C++ only");
    }
    for file in ["rope.hpp", "rope.cpp"] {
        let file = bench.root.join(file);
        let ours = bench.answer(tool, json!({"file_path": file})).await;
        bench.raw.open(&file);
        let raw = bench.raw.ask("textDocument/switchSourceHeader", &json!({"uri": uri(&file)}));
        let ours = vec![ours["file"].as_str().unwrap_or_default().to_owned()];
        let raw = raw.as_str().map(|uri| path(uri).display().to_string());
        bench.same(tool, "counterpart", &ours, &raw.into_iter().collect::<Vec<_>>());
    }
}

/// The consumer is another repository with a server of its own.
async fn across(bench: &mut Bench) {
    let tool = "get_cross_repo_references";
    let consumer = bench.consumer.clone();
    let at = bench.at(bench.case.marks.declared);
    let arguments = json!({
        "symbol_file": at.file, "line": at.line, "column": at.column, "consumer_roots": [consumer],
    });
    let ours = bench.answer(tool, arguments).await;
    bench.check(tool, &format!("warnings: {}", ours["warnings"]), list(&ours["warnings"]).is_empty());
    let found = bench.raw_references(&at, false);
    let raw = bench.raw_places(&found);
    bench.check(tool, "the consumer uses it", raw.iter().any(|place| place.starts_with("consumer/")));
    let start = |place: &String| place.rsplit_once('-').unwrap().0.to_owned();
    let raw = sorted(raw.iter().map(start));
    let ours = sorted(list(&ours["references"]).iter().map(|one| {
        let file = bench.short(std::path::Path::new(one["file"].as_str().unwrap()));
        format!("{file}:{}:{}", one["line"], one["column"])
    }));
    bench.same(tool, "places", &ours, &raw);
}
