//! `go_to_definition`

use insta::assert_snapshot;
use serde_json::json;

use crate::ask_at;

#[tokio::test]
async fn leads_to_another_file() {
    let text =
        "//- /lib.ts\nexport function greet() {}\n//- /main.ts\nimport { greet } from './lib';\ngre$0et();\n";
    assert_snapshot!(ask_at("go_to_definition", text, json!({})).await, @r#"
    {"file":"/lib.ts","line":1,"column":17,"end_line":1,"end_column":22}
    engine=syntax indexed=true
    get_symbol_source shows its code, find_references its uses
    "#);
}

#[tokio::test]
async fn a_local_binding_is_nearer_than_a_function_of_that_name() {
    let text = "//- /lib.rs\nfn total() {}\nfn f(total: u32) -> u32 { tot$0al }\n";
    assert_snapshot!(ask_at("go_to_definition", text, json!({})).await, @r#"
    {"file":"/lib.rs","line":2,"column":6,"end_line":2,"end_column":11}
    engine=syntax indexed=true
    get_symbol_source shows its code, find_references its uses
    "#);
}

#[tokio::test]
async fn what_comes_from_a_library_is_said_to() {
    assert_snapshot!(ask_at("go_to_definition", "//- /a.py\nimport os\nos.ge$0tcwd()\n", json!({})).await, @r"
    []
    engine=syntax indexed=true
    it is not defined in this workspace; it may come from a library
    ");
}
