//! `go_to_symbol`

use insta::assert_snapshot;
use serde_json::json;

use crate::ask;

const TEXT: &str = "//- /a.go
package a

type Cart struct{}

func (c *Cart) Add() {}
//- /b.py
class Cart:
    def add(self): pass
";

#[tokio::test]
async fn names_a_method_by_its_type() {
    assert_snapshot!(ask("go_to_symbol", TEXT, json!({"symbol_path": "Cart.Add"})).await, @r#"
    {"file":"/a.go","line":5,"column":16,"end_line":5,"end_column":19}
    engine=syntax indexed=true
    get_symbol_source shows its code, find_references its uses
    "#);
}

#[tokio::test]
async fn a_language_narrows_it() {
    assert_snapshot!(ask("go_to_symbol", TEXT, json!({"symbol_path": "Cart", "language": "python"})).await, @r#"
    {"file":"/b.py","line":1,"column":7,"end_line":1,"end_column":11}
    engine=syntax indexed=true
    get_symbol_source shows its code, find_references its uses
    "#);
}

#[tokio::test]
async fn never_answers_another_name() {
    assert_snapshot!(ask("go_to_symbol", TEXT, json!({"symbol_path": "Cart.Remove"})).await, @r"
    []
    engine=syntax indexed=true
    no symbols found for symbol_path: Cart.Remove; find_symbol finds similar names
    ");
}
