//! One helper that calls a tool on a fixture, and many tests that only hold data.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod bad_input;
mod detect_lsp_servers;
mod find_references;
mod find_symbol;
mod get_symbol_source;
mod get_tests_for_file;
mod go_to_definition;
mod go_to_symbol;
mod list_symbols;
mod schemas;

use std::ffi::OsString;
use std::sync::Arc;

use bowline_call::{AnyAnswer, CallContext, CallId, Caller, Gatekeeper, Intent, Registry, ToolError};
use bowline_testkit::Fixture;
use bowline_tools::{House, all};
use bowline_workspace::{Options, Workspace};
use serde_json::{Value, json};

/// Tools that only read never come back to the gate.
struct Unneeded;

impl Gatekeeper for Unneeded {
    fn judge<'a>(
        &'a self,
        _intent: &'a Intent,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), ToolError>> + Send + 'a>> {
        unreachable!("nothing here writes")
    }
}

fn registry(fixture: &Fixture) -> Registry {
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
    Registry::new(all(&House { workspace: Arc::new(workspace), path: OsString::new() })).unwrap()
}

async fn call(fixture: &Fixture, tool: &str, arguments: Value) -> Result<AnyAnswer, ToolError> {
    let registry = registry(fixture);
    let prepared = registry.get(tool).expect("a tool of that name").prepare(arguments)?;
    prepared.intent();
    let cx = CallContext::new(CallId::fresh(), Caller::default(), None, Arc::new(Unneeded));
    prepared.run(&cx).await
}

/// The answer on one line: the payload, then what is known about it.
fn shown(fixture: &Fixture, reply: Result<AnyAnswer, ToolError>) -> String {
    let text = match reply {
        Err(error) => error.text(),
        Ok(answer) => {
            let payload = match answer.payload {
                Value::String(text) => text,
                Value::Array(items) if items.is_empty() => "[]".to_owned(),
                Value::Array(items) => items.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
                other => other.to_string(),
            };
            let engine = answer.engine.map(|engine| format!("\nengine={}", engine.as_str()));
            let indexed = answer.indexed.map(|indexed| format!(" indexed={indexed}"));
            let hint = answer.hint.map(|hint| format!("\n{hint}"));
            [Some(payload), engine, indexed, hint].into_iter().flatten().collect()
        }
    };
    fixture.relative(&text)
}

/// Asks with the place of `$0`, and whatever else is given.
async fn ask_at(tool: &str, text: &str, more: Value) -> String {
    let fixture = Fixture::new(text);
    let (file, at) = fixture.cursor();
    let mut arguments = json!({"file_path": file, "line": at.line, "column": at.column});
    arguments.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    shown(&fixture, call(&fixture, tool, arguments).await)
}

async fn ask(tool: &str, text: &str, arguments: Value) -> String {
    let fixture = Fixture::new(text);
    shown(&fixture, call(&fixture, tool, arguments).await)
}
