//! `list_symbols`

use bowline_testkit::Fixture;
use insta::assert_snapshot;
use serde_json::json;

use crate::{ask, call};

const TEXT: &str = "//- /cart.py
class Cart:
    def add(self, item):
        pass

def main():
    pass
";

#[tokio::test]
async fn an_outline_is_short() {
    assert_snapshot!(ask("list_symbols", TEXT, json!({"file_path": "cart.py", "format": "outline"})).await, @r"
    Cart [Class] :1
      add [Method] :2
    main [Function] :5
    engine=syntax
    get_symbol_source shows the code of one of them
    ");
}

#[tokio::test]
async fn a_tree_has_ranges_from_one() {
    assert_snapshot!(ask("list_symbols", "//- /a.sh\nf() { :; }\n", json!({"file_path": "a.sh"})).await, @r#"
    {"name":"f","detail":"f()","kind":12,"range":{"start":{"line":1,"character":1},"end":{"line":1,"character":11}},"selectionRange":{"start":{"line":1,"character":1},"end":{"line":1,"character":2}}}
    engine=syntax
    get_symbol_source shows the code of one of them
    "#);
}

#[tokio::test]
async fn counts_what_it_saves() {
    let fixture = Fixture::new(TEXT);
    let answer =
        call(&fixture, "list_symbols", json!({"file_path": "cart.py", "format": "outline"})).await.unwrap();
    let savings = answer.savings.unwrap();
    assert_eq!((savings.tokens_returned, savings.tokens_full_file), (13, 18));
}

#[tokio::test]
async fn broken_code_is_listed_as_far_as_it_goes() {
    let broken = "//- /a.rs\nfn good() {}\nfn bad( {\n";
    let answer = ask("list_symbols", broken, json!({"file_path": "a.rs", "format": "outline"})).await;
    assert!(
        answer.starts_with("good [Function] :1") && answer.ends_with("symbols near them may be missing"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_huge_file_is_cut() {
    let many: String = (0..3000).map(|index| format!("def f{index}(): pass\n")).collect();
    let text = format!("//- /a.py\n{many}");
    let answer = ask("list_symbols", &text, json!({"file_path": "a.py", "format": "outline"})).await;
    assert!(answer.len() < 40_000 && answer.contains(" more; offset="), "{answer}");
    let page = json!({"file_path": "a.py", "format": "outline", "limit": 1000});
    assert!(ask("list_symbols", &text, page).await.ends_with("and 2000 more; offset=1000 shows the next"));
    let last = json!({"file_path": "a.py", "format": "outline", "limit": 2, "offset": 2998});
    assert!(
        ask("list_symbols", &text, last)
            .await
            .starts_with("f2998 [Function] :2999\nf2999 [Function] :3000\n")
    );
}

#[tokio::test]
async fn a_page_that_is_too_long_ends_earlier_and_says_where_the_next_begins() {
    let name = "x".repeat(60);
    let many: String = (0..3000).map(|index| format!("def {name}{index}(): pass\n")).collect();
    let fixture = Fixture::new(&format!("//- /a.py\n{many}"));
    let page = json!({"file_path": "a.py", "format": "outline", "limit": 900, "offset": 100});
    let answer = call(&fixture, "list_symbols", page).await.unwrap();
    let listed = answer.payload.as_str().unwrap();
    assert!(listed.len() < 40_000 && listed.starts_with(&format!("{name}100 ")), "{listed}");
    let shown = listed.lines().count();
    let next = 100 + shown;
    let hint = answer.hint.unwrap();
    assert_eq!(hint, format!("and {} more; offset={next} shows the next", 3000 - next));
}

#[tokio::test]
async fn a_page_keeps_what_its_symbols_stand_in() {
    let text = "//- /a.py\nclass A:\n    def one(self): pass\n    def two(self): pass\nclass B:\n    def three(self): pass\n";
    let page = json!({"file_path": "a.py", "format": "outline", "limit": 2, "offset": 2});
    let answer = ask("list_symbols", text, page).await;
    assert!(answer.starts_with("A [Class] :1\n  two [Method] :3\nB [Class] :4\nengine"), "{answer}");
}
