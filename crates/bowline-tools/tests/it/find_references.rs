//! `find_references`

use insta::assert_snapshot;
use serde_json::json;

use crate::{ask, ask_at};

#[tokio::test]
async fn counts_uses_in_other_files() {
    let answer = ask_at(
        "find_references",
        "//- /lib.rs\npub fn gr$0eet() {}\n//- /main.rs\nfn main() { greet() }\n",
        json!({}),
    );
    assert_snapshot!(answer.await, @r#"
    {"file":"/main.rs","line":1,"column":13,"end_line":1,"end_column":18}
    engine=syntax indexed=true
    find_callers groups calls by function; blast_radius tells tests from others
    "#);
}

#[tokio::test]
async fn counts_the_declaration_when_asked() {
    let text = "//- /lib.rs\npub fn gr$0eet() {}\nfn other() { greet() }\n";
    assert_snapshot!(ask_at("find_references", text, json!({"include_declaration": true})).await, @r#"
    {"file":"/lib.rs","line":1,"column":8,"end_line":1,"end_column":13}
    {"file":"/lib.rs","line":2,"column":14,"end_line":2,"end_column":19}
    engine=syntax indexed=true
    find_callers groups calls by function; blast_radius tells tests from others
    "#);
}

#[tokio::test]
async fn a_local_name_stays_in_its_scope() {
    let text = "//- /a.py\ndef f(count):\n    return cou$0nt + 1\n\ndef g(count):\n    return count\n";
    assert_snapshot!(ask_at("find_references", text, json!({})).await, @r#"
    {"file":"/a.py","line":2,"column":12,"end_line":2,"end_column":17}
    engine=syntax indexed=true
    find_callers groups calls by function; blast_radius tells tests from others
    "#);
}

#[tokio::test]
async fn long_lists_come_in_pages() {
    let text = "//- /lib.rs\nfn gr$0eet() {}\nfn a() { greet(); greet(); greet(); }\n";
    assert_snapshot!(ask_at("find_references", text, json!({"limit": 1, "offset": 1})).await, @r#"
    {"file":"/lib.rs","line":2,"column":19,"end_line":2,"end_column":24}
    engine=syntax indexed=true
    and 1 more; offset=2 shows the next
    "#);
}

#[tokio::test]
async fn says_what_nothing_may_mean() {
    assert_snapshot!(ask_at("find_references", "//- /lib.rs\nfn unu$0sed() {}\n", json!({})).await, @r"
    []
    engine=syntax indexed=true
    nothing refers to `unused` by that name; it may be dead, or used by a name that is made at run time
    ");
}

#[tokio::test]
async fn takes_a_pattern_instead_of_a_position() {
    let text = "//- /lib.rs\nfn greet() {}\nfn a() { greet() }\n";
    let pattern = |pattern: &str| {
        ask("find_references", text, json!({"file_path": "lib.rs", "position_pattern": pattern}))
    };
    assert_snapshot!(pattern("fn @@greet").await, @r#"
    {"file":"/lib.rs","line":2,"column":10,"end_line":2,"end_column":15}
    engine=syntax indexed=true
    find_callers groups calls by function; blast_radius tells tests from others
    "#);
    assert_snapshot!(pattern("@@greet").await, @r"
    bad arguments: position_pattern is found 2 times: 1:4, 2:10
    Next step: add more text around it, or `line`, or `symbol_path`
    ");
    assert_snapshot!(pattern("greet").await, @"bad arguments: position_pattern must contain @@ marker, once");
    assert_snapshot!(pattern("@@nowhere").await, @r#"bad arguments: position_pattern not found in file: "nowhere""#);
}
