//! One helper that calls a tool on a fixture, and many tests that only hold data.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod bad_input;
mod changes;
mod compact;
mod detect_changes;
mod detect_lsp_servers;
mod find_callers;
mod find_references;
mod find_symbol;
mod get_diagnostics;
mod get_symbol_documentation;
mod get_symbol_source;
mod get_tests_for_file;
mod go_to_definition;
mod go_to_symbol;
mod impact;
mod inspect_symbol;
mod lifecycle;
mod list_symbols;
mod places;
mod replace_in_files;
mod running;
mod schemas;
mod sessions;
mod start_lsp;
mod workspace_folders;

use std::ffi::OsString;
use std::sync::Arc;

use bowline_call::{
    AnyAnswer, CallContext, CallId, Caller, ConversationId, Gatekeeper, Intent, Registry, ToolError, Turn,
};
use bowline_testkit::{Fixture, fake_ls};
use bowline_tools::{House, all};
use bowline_workspace::servers::KNOWN;
use bowline_workspace::{Options, Reach, ServerOptions, ServerSpec, Workspace};
use serde_json::{Value, json};

/// Lets everything through. What the gate says is shown elsewhere.
struct OpenGate;

impl Gatekeeper for OpenGate {
    fn judge<'a>(
        &'a self,
        _intent: &'a Intent,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<Turn, ToolError>> + Send + 'a>> {
        Box::pin(std::future::ready(Ok(Arc::new(()) as Turn)))
    }
}

fn registry(fixture: &Fixture) -> Registry {
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
    Registry::new(all(&House::of(workspace))).unwrap()
}

/// The tools, with a server of Python that behaves as these words say.
fn served(fixture: &Fixture, args: &[&str]) -> Registry {
    served_as(fixture, "fake-ls", args)
}

/// The same, with a server that is taken for another.
fn served_as(fixture: &Fixture, name: &str, args: &[&str]) -> Registry {
    let workspace = with_server(fixture, name, args);
    Registry::new(all(&House::of(workspace))).unwrap()
}

fn with_server(fixture: &Fixture, name: &str, args: &[&str]) -> Workspace {
    let args = args.iter().map(|arg| (*arg).to_owned()).collect();
    let program = fake_ls().to_str().unwrap().to_owned();
    let known = KNOWN.iter().find(|known| known.language == "python").unwrap();
    let mut spec = ServerSpec::from_known(known);
    (spec.name, spec.asked_for, spec.reach) = (name.into(), true, Reach::Program { program, args });
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
    let environment = std::env::vars_os().collect();
    workspace.with_servers(ServerOptions { specs: vec![spec], environment })
}

async fn call(fixture: &Fixture, tool: &str, arguments: Value) -> Result<AnyAnswer, ToolError> {
    call_on(&registry(fixture), tool, arguments).await
}

async fn call_on(registry: &Registry, tool: &str, arguments: Value) -> Result<AnyAnswer, ToolError> {
    let prepared = registry.get(tool).expect("a tool of that name").prepare(arguments)?;
    prepared.intent();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let cx = CallContext::new(
        CallId::fresh(),
        ConversationId::fresh(),
        Caller::default(),
        Some(deadline),
        Arc::new(OpenGate),
    );
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
