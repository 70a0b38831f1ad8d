//! `get_symbol_source`

use insta::assert_snapshot;
use serde_json::json;

use crate::{ask, ask_at};

#[tokio::test]
async fn gives_the_innermost_symbol_in_whole_lines() {
    let text =
        "//- /lib.rs\nimpl A {\n    fn one(&self) {}\n    fn two(&self) {\n        bo$0dy();\n    }\n}\n";
    assert_snapshot!(ask_at("get_symbol_source", text, json!({})).await, @r#"
    {"symbol_name":"two","symbol_kind":"Method","file":"/lib.rs","start_line":3,"end_line":5,"source":"    fn two(&self) {\n        body();\n    }"}
    engine=syntax
    find_references shows its uses; inspect_symbol its type
    "#);
}

#[tokio::test]
async fn a_line_is_enough() {
    let text = "//- /a.go\npackage a\n\nfunc Add(x, y int) int {\n\treturn x + y\n}\n";
    assert_snapshot!(ask("get_symbol_source", text, json!({"file_path": "a.go", "line": 4})).await, @r#"
    {"symbol_name":"Add","symbol_kind":"Function","file":"/a.go","start_line":3,"end_line":5,"source":"func Add(x, y int) int {\n\treturn x + y\n}"}
    engine=syntax
    find_references shows its uses; inspect_symbol its type
    "#);
}

#[tokio::test]
async fn says_when_there_is_no_symbol() {
    let text = "//- /a.py\nimport os\n";
    assert_snapshot!(ask("get_symbol_source", text, json!({"file_path": "a.py", "line": 1})).await, @r"
    bad arguments: no symbol found at the given position: no symbol around line 1 column 1 of `/a.py`; its outline shows where symbols are
    Next step: list_symbols shows what the file holds
    ");
}
