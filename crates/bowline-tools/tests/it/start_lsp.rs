//! `start_lsp` and `restart_lsp_server`.

use bowline_testkit::Fixture;
use serde_json::json;

use crate::{ask, call_on, served, served_as, shown};

const ONE: &str = "//- /a.py\ndef greet():\n    pass\n";

#[tokio::test]
async fn starts_what_the_project_needs_and_waits_for_it() {
    let fixture = Fixture::new(ONE);
    let script = r#"{"progress": [{"token": "i", "title": "Indexing", "steps": 2, "step_ms": 50}]}"#;
    let tools = served(&fixture, &["--script", script]);
    let arguments = json!({"root_dir": fixture.root(), "ready_timeout_seconds": 30});
    let text = shown(&fixture, call_on(&tools, "start_lsp", arguments).await);
    assert_eq!(text, "LSP server started successfully\npython: fake-ls (ready)");
    let text = shown(&fixture, call_on(&tools, "restart_lsp_server", json!({})).await);
    assert_eq!(text, "Restarted fake-ls. Re-opened 1 document(s)\nget_diagnostics says what they find now");
}

#[tokio::test]
async fn restarting_opens_documents_again() {
    let fixture = Fixture::new(ONE);
    let tools = served(&fixture, &[]);
    call_on(&tools, "list_symbols", json!({"file_path": "a.py"})).await.unwrap();
    let text = shown(&fixture, call_on(&tools, "restart_lsp_server", json!({})).await);
    assert_eq!(text, "Restarted fake-ls. Re-opened 1 document(s)\nget_diagnostics says what they find now");
}

#[tokio::test]
async fn a_server_that_cannot_start_is_one_sentence() {
    let fixture = Fixture::new(ONE);
    let tools = served(&fixture, &["usage"]);
    let text = shown(
        &fixture,
        call_on(&tools, "start_lsp", json!({"root_dir": fixture.root(), "language_id": "python"})).await,
    );
    assert!(text.starts_with("failed: `fake-ls` "), "{text}");
    assert!(text.contains("usage"), "{text}");
}

#[tokio::test]
async fn mistakes_are_told() {
    let fixture = Fixture::new(ONE);
    let tools = served(&fixture, &[]);
    let wrong = async |arguments| shown(&fixture, call_on(&tools, "start_lsp", arguments).await);
    let root = fixture.root();
    assert_eq!(wrong(json!({"root_dir": "a.py"})).await, "bad arguments: `/a.py` is not a directory");
    assert!(
        wrong(json!({"root_dir": root, "language_id": "klingon"}))
            .await
            .starts_with("bad arguments: no server configured for language `klingon`")
    );
    assert!(
        wrong(json!({"root_dir": root, "connect": "127.0.0.1:1"}))
            .await
            .contains("connect needs `language_id`")
    );
    assert!(
        wrong(json!({"root_dir": root, "ready_timeout_seconds": -1})).await.contains("must be 0 to 3600")
    );
    let refused = wrong(json!({"root_dir": root, "language_id": "python", "connect": "127.0.0.1:1"})).await;
    assert!(
        refused.starts_with("failed: `fake-ls` cannot be started: cannot connect to `127.0.0.1:1`"),
        "{refused}"
    );
}

#[tokio::test]
async fn without_any_server_it_says_so() {
    let text = ask("restart_lsp_server", ONE, json!({})).await;
    assert!(text.starts_with("No language server was running"), "{text}");
}

#[tokio::test]
async fn a_server_is_limited_to_a_scope_however_it_is_written() {
    let fixture = Fixture::new("//- /a/x.py\n\n//- /b/y.py\n\n//- /c/z.py\n");
    let script = r#"{"name": "pyright", "reads_settings": "python"}"#;
    let tools = served_as(&fixture, "pyright", &["--script", script]);
    for scope in [json!("a, b"), json!(r#"["b", "a"]"#), json!(["a", "b"])] {
        let arguments = json!({"root_dir": fixture.root(), "scope": scope, "ready_timeout_seconds": 30});
        let text = shown(&fixture, call_on(&tools, "start_lsp", arguments).await);
        assert_eq!(
            text,
            "LSP server started successfully\npython: pyright (ready)\npython: limited to `a`, `b`"
        );
    }
    let arguments = json!({"root_dir": fixture.root(), "scope": ""});
    let text = shown(&fixture, call_on(&tools, "start_lsp", arguments).await);
    assert!(text.ends_with("\npython: not limited"), "{text}");
    let arguments = json!({"root_dir": fixture.root(), "scope": "nowhere"});
    let text = shown(&fixture, call_on(&tools, "start_lsp", arguments).await);
    assert_eq!(
        text,
        "bad arguments: cannot limit a language server to `nowhere`: there is no such directory"
    );
}

#[tokio::test]
async fn a_server_that_scopes_itself_is_not_limited() {
    let fixture = Fixture::new(ONE);
    let tools = served(&fixture, &[]);
    let text = shown(
        &fixture,
        call_on(&tools, "start_lsp", json!({"root_dir": fixture.root(), "scope": "."})).await,
    );
    assert!(text.starts_with("unsupported: `fake-ls` decides itself which files of `python`"), "{text}");
}
