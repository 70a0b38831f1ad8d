//! `get_symbol_documentation`. What the toolchains say is tested in `bowline-workspace`; here a script plays them.

use std::os::unix::fs::PermissionsExt;

use bowline_call::{Effect, Registry, Target, Targets};
use bowline_testkit::Fixture;
use bowline_tools::{House, all};
use bowline_workspace::{Options, ServerOptions, Workspace};
use serde_json::{Value, json};

use crate::{ask, call_on, shown};

const TOOL: &str = "get_symbol_documentation";

/// The tools, with a `go` that knows one function.
fn with_go(fixture: &Fixture) -> Registry {
    let script = b"#!/bin/sh\ncase \"$*\" in *Splice) printf 'package rope\\n\\nfunc Splice(a Rope) Rope\\n    Joins.\\n';; \
                   *) echo 'doc: no symbol' >&2; exit 1;; esac\n";
    fixture.write_bytes("bin/go", script);
    std::fs::set_permissions(fixture.path("bin/go"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let environment =
        vec![("PATH".into(), format!("{}:/usr/bin:/bin", fixture.path("bin").display()).into())];
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None)
        .unwrap()
        .with_servers(ServerOptions { specs: vec![], environment });
    Registry::new(all(&House::of(workspace))).unwrap()
}

async fn go(arguments: Value) -> String {
    let fixture = Fixture::new("//- /rope.go\npackage rope\n");
    let mut all = json!({"language_id": "go"});
    all.as_object_mut().unwrap().extend(arguments.as_object().cloned().unwrap());
    shown(&fixture, call_on(&with_go(&fixture), TOOL, all).await)
}

/// Without the hint.
fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[tokio::test]
async fn says_what_the_toolchain_says() {
    assert_eq!(
        first_line(&go(json!({"symbol": "Splice", "file_path": "rope.go"})).await),
        r#"{"symbol":"Splice","language":"go","source":"toolchain","doc":"func Splice(a Rope) Rope\n\nJoins.","signature":"func Splice(a Rope) Rope"}"#
    );
    assert_eq!(
        first_line(&go(json!({"symbol": "Splice", "format": "markdown"})).await),
        r#"{"symbol":"Splice","language":"go","source":"toolchain","doc":"```go\nfunc Splice(a Rope) Rope\n```\n\nJoins.","signature":"func Splice(a Rope) Rope"}"#
    );
}

#[tokio::test]
async fn that_there_is_none_is_an_answer() {
    assert_eq!(
        first_line(&go(json!({"symbol": "Nothing"})).await),
        r#"{"symbol":"Nothing","language":"go","source":"error","doc":"","signature":"","error":"no documentation for `Nothing`: doc: no symbol"}"#
    );
    let fixture = Fixture::new("");
    let missing = call_on(&with_go(&fixture), TOOL, json!({"symbol": "x::y", "language_id": "rust"})).await;
    let text = shown(&fixture, missing);
    assert!(text.contains(r#""source":"error""#), "{text}");
    for (language, instead) in [
        ("typescript", "inspect_symbol shows it (the language server's hover)"),
        ("javascript", "inspect_symbol shows it (the language server's hover)"),
        ("haskell", "inspect_symbol shows what the language server knows"),
        ("", "no toolchain documentation for ``"),
    ] {
        let text = ask(TOOL, "", json!({"symbol": "x", "language_id": language})).await;
        assert!(text.contains(r#""source":"error","doc":"","signature":"","error":"#), "{text}");
        assert!(text.contains(instead), "{text}");
    }
}

#[tokio::test]
async fn what_is_no_symbol_is_refused() {
    assert_eq!(
        go(json!({"symbol": "-h"})).await,
        "bad arguments: \"-h\" is not a symbol; write `Name`, `Type.Method` or `path/to/pkg.Name`"
    );
    assert!(go(json!({"symbol": "$(touch x)"})).await.starts_with("bad arguments: "));
    assert!(go(json!({"symbol": ""})).await.starts_with("bad arguments: "));
    assert!(go(json!({})).await.starts_with("bad arguments: "));
    let outside = go(json!({"symbol": "x", "file_path": "/etc/passwd"})).await;
    assert!(outside.starts_with("bad arguments: `/etc/passwd` is outside the workspace"), "{outside}");
}

#[test]
fn it_intends_to_run_what_it_runs() {
    let fixture = Fixture::new("");
    let tools = with_go(&fixture);
    let intent = |language: &str, symbol: &str| {
        let arguments = json!({"symbol": symbol, "language_id": language, "file_path": "a.x"});
        tools.get(TOOL).unwrap().prepare(arguments).unwrap().intent()
    };
    let path = Target::Path("a.x".into());
    let run = |command: &str| Targets::Known(vec![path.clone(), Target::Command(command.into())]);
    let cargo = "cargo doc --no-deps --offline --document-private-items";
    assert_eq!((intent("rust", "X").effect, intent("rust", "X").targets), (Effect::Run, run(cargo)));
    for (language, symbol) in [("go", "X"), ("python", "a.b"), ("rust", "std::vec::Vec")] {
        assert_eq!(intent(language, symbol).effect, Effect::Read, "{language} runs nothing of the project");
    }
    assert_eq!(intent("typescript", "X").effect, Effect::Read);
    assert_eq!(intent("typescript", "X").targets, Targets::Known(vec![path.clone()]));
}
