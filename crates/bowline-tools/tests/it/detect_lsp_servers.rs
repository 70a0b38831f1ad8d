//! `detect_lsp_servers`

use insta::assert_snapshot;
use serde_json::json;

use crate::ask;

#[tokio::test]
async fn ranks_languages_and_names_what_is_missing() {
    let text = "//- /Cargo.toml\n//- /src/main.rs\n//- /tool.py\n";
    assert_snapshot!(ask("detect_lsp_servers", text, json!({"workspace_dir": "."})).await, @r#"
    {"workspace_dir":"","workspace_languages":["rust","python"],"installed_servers":[],"suggested_config":[],"not_installed":["rust (rust-analyzer)","python (pyright-langserver)"]}
    syntax answers where no server is installed; `bowline doctor` says what is missing
    "#);
}

#[tokio::test]
async fn a_file_is_not_a_directory() {
    assert_snapshot!(ask("detect_lsp_servers", "//- /a.rs\n", json!({"workspace_dir": "a.rs"})).await, @"bad arguments: `/a.rs` is not a directory");
}
