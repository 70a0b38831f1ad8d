//! All the ways to say where, alone and together.

use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::{ask, call_on, served};

const SHOP: &str = "//- /shop.py\nclass Cart:\n    def total(self):\n        return self.sum\n\n\nclass Order:\n    def total(self):\n        return self.sum\n\n\ndef total():\n    return 1\n";

async fn source(at: Value) -> String {
    let mut arguments = json!({"file_path": "shop.py"});
    arguments.as_object_mut().unwrap().extend(at.as_object().cloned().unwrap());
    let text = ask("get_symbol_source", SHOP, arguments).await;
    match serde_json::from_str::<Value>(text.lines().next().unwrap()) {
        Ok(answer) => format!("{}:{}", answer["symbol_name"].as_str().unwrap(), answer["start_line"]),
        Err(_) => text,
    }
}

#[tokio::test]
async fn a_symbol_by_its_path() {
    assert_eq!(source(json!({"symbol_path": "Order.total"})).await, "total:7");
    assert_eq!(source(json!({"symbol_path": "Order::total"})).await, "total:7");
    assert_eq!(source(json!({"symbol_path": "total"})).await, "total:11", "the one that stands by itself");
    assert_eq!(source(json!({"symbol_path": "total[1]"})).await, "total:7", "the second of three");
    let missing = source(json!({"symbol_path": "Basket"})).await;
    assert!(missing.starts_with("bad arguments: symbol `Basket` not found in the file"), "{missing}");
}

#[tokio::test]
async fn a_symbol_that_only_the_server_lists() {
    let fixture = Fixture::new("//- /rope.py\ndef splice(first):\n    return \"def first_of\"\n");
    let tools = served(&fixture, &[]);
    let listed = call_on(&tools, "list_symbols", json!({"file_path": "rope.py"})).await.unwrap().payload;
    assert!(listed.to_string().contains("first_of"), "{listed}");
    let at = |path: &str| json!({"file_path": "rope.py", "symbol_path": path});
    let found = call_on(&tools, "inspect_symbol", at("splice.first_of")).await.unwrap().payload;
    assert!(found.to_string().contains("first_of"), "{found}");
    let missing = call_on(&tools, "inspect_symbol", at("splice.second")).await.unwrap_err();
    assert!(missing.text().contains("symbol `splice.second` not found in the file"), "{}", missing.text());
}

#[tokio::test]
async fn each_way_narrows_the_others() {
    let several = source(json!({"position_pattern": "def @@total"})).await;
    assert!(several.contains("position_pattern is found 3 times: 2:9, 7:9, 11:5"), "{several}");
    assert_eq!(source(json!({"position_pattern": "def @@total", "symbol_path": "Order"})).await, "total:7");
    assert_eq!(source(json!({"position_pattern": "def @@total", "line": 11})).await, "total:11");
    let scope = json!({"position_pattern": "def @@total", "line_scope_start": 1, "line_scope_end": 5});
    assert_eq!(source(scope).await, "total:2");
    assert_eq!(source(json!({"symbol_path": "total[0]", "line_scope_start": 1})).await, "total:2");
    assert_eq!(source(json!({"symbol_path": "Cart.total", "line": 3, "column": 16})).await, "total:2");
    let all =
        json!({"symbol_path": "Cart", "position_pattern": "@@self.sum", "line": 3, "line_scope_end": 4});
    assert_eq!(source(all).await, "total:2");
}

#[tokio::test]
async fn what_contradicts_itself_is_refused() {
    let says = |at| async move { source(at).await.lines().next().unwrap().to_owned() };
    assert_eq!(
        says(json!({"line": 9, "line_scope_end": 4})).await,
        "bad arguments: line 9 is not within lines ..4"
    );
    assert_eq!(
        says(json!({"line": 1, "line_scope_start": 5, "line_scope_end": 4})).await,
        "bad arguments: line_scope_start (5) must not be after line_scope_end (4)"
    );
    assert_eq!(
        says(json!({"position_pattern": "def @@total", "symbol_path": "Cart", "line": 7})).await,
        "bad arguments: symbol `Cart` not found in the file"
    );
    assert_eq!(
        says(json!({"line": 1, "line_scope_start": 0})).await,
        "bad arguments: line_scope_start must be >= 1, got 0"
    );
    assert_eq!(
        says(json!({"line_scope_start": 2})).await,
        "bad arguments: line: missing required argument `line`"
    );
    let twice = source(json!({"symbol_path": "sum"})).await;
    assert!(twice.starts_with("bad arguments: symbol `sum` not found"), "{twice}");
}

#[tokio::test]
async fn several_symbols_of_one_name_are_listed() {
    let text = "//- /a.py\nclass A:\n    def run(self): pass\nclass B:\n    def run(self): pass\n";
    let said = ask("find_references", text, json!({"file_path": "a.py", "symbol_path": "run"})).await;
    assert_eq!(
        said,
        "bad arguments: symbol_path is found 2 times: A.run at 2:9, B.run at 4:9\n\
         Next step: name what is around it (`Type.method`), or `line`, or the nth: `name[1]`"
    );
}

#[tokio::test]
async fn stretches_that_run_backwards_are_refused() {
    let range =
        json!({"file_path": "shop.py", "start_line": 3, "start_column": 4, "end_line": 2, "end_column": 1});
    let said = ask("get_inlay_hints", SHOP, range).await;
    assert_eq!(said, "bad arguments: start position (3:4) must not be after end position (2:1)");
}
