//! `inspect_symbol`.

use bowline_testkit::Fixture;
use serde_json::json;

use crate::{ask_at, call_on, served, shown};

#[tokio::test]
async fn says_what_the_server_says() {
    let fixture = Fixture::new("//- /a.py\ndef greet():\n    pass\n");
    let tools = served(&fixture, &[]);
    let at = json!({"file_path": "a.py", "position_pattern": "def @@greet"});
    let text = shown(&fixture, call_on(&tools, "inspect_symbol", at).await);
    assert!(text.contains("greet") && text.contains("engine=server"), "{text}");
    let nothing = json!({"file_path": "a.py", "line": 2, "column": 1});
    let text = shown(&fixture, call_on(&tools, "inspect_symbol", nothing).await);
    assert!(text.contains("the language server has nothing to say about this place"), "{text}");
}

#[tokio::test]
async fn without_a_server_it_says_what_answers_without_one() {
    assert_eq!(
        ask_at("inspect_symbol", "//- /a.py\ndef gr$0eet(): pass\n", json!({})).await,
        "unsupported: no language server for `/a.py`; `bowline doctor` says which could be used\n\
         Next step: list_symbols, go_to_definition and find_references answer without a server"
    );
}

#[tokio::test]
async fn a_server_that_fails_is_named() {
    let fixture = Fixture::new("//- /a.py\ndef greet():\n    pass\n");
    let tools = served(&fixture, &["die-on-open"]);
    let at = json!({"file_path": "a.py", "line": 1, "column": 5});
    let text = shown(&fixture, call_on(&tools, "inspect_symbol", at).await);
    assert!(text.starts_with("failed: `fake-ls` exited with code 1"), "{text}");
    assert!(text.contains("Next step: restart_lsp_server"), "{text}");
}
