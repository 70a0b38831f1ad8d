//! `find_symbol`

use insta::assert_snapshot;
use serde_json::json;

use crate::ask;

const TEXT: &str = "//- /src/lib.rs
pub struct Greeter;
impl Greeter {
    pub fn greet(&self, name: &str) -> String { name.into() }
}
//- /app.py
def greet_all(names):
    pass
";

#[tokio::test]
async fn finds_by_part_of_the_name_best_first() {
    assert_snapshot!(ask("find_symbol", TEXT, json!({"query": "greet"})).await, @r#"
    {"name":"greet","kind":6,"containerName":"Greeter","file":"/src/lib.rs","line":3,"location":{"uri":"file:///src/lib.rs","range":{"start":{"line":3,"character":12},"end":{"line":3,"character":17}}}}
    {"name":"Greeter","kind":23,"file":"/src/lib.rs","line":1,"location":{"uri":"file:///src/lib.rs","range":{"start":{"line":1,"character":12},"end":{"line":1,"character":19}}}}
    {"name":"greet_all","kind":12,"file":"/app.py","line":1,"location":{"uri":"file:///app.py","range":{"start":{"line":1,"character":5},"end":{"line":1,"character":14}}}}
    engine=syntax indexed=true
    get_symbol_source shows the code of one, find_references its uses
    "#);
}

#[tokio::test]
async fn hover_shows_signatures_of_one_page() {
    assert_snapshot!(ask("find_symbol", TEXT, json!({"query": "greet", "detail_level": "hover", "limit": 1})).await, @r#"
    {"total":3,"symbols":[{"name":"greet","kind":6,"containerName":"Greeter","file":"/src/lib.rs","line":3,"location":{"uri":"file:///src/lib.rs","range":{"start":{"line":3,"character":12},"end":{"line":3,"character":17}}}}],"enriched":[{"name":"greet","kind":6,"containerName":"Greeter","file":"/src/lib.rs","line":3,"location":{"uri":"file:///src/lib.rs","range":{"start":{"line":3,"character":12},"end":{"line":3,"character":17}}},"hover":"pub fn greet(&self, name: &str) -> String"}],"pagination":{"offset":0,"limit":1,"more":true}}
    engine=syntax indexed=true
    and 2 more; offset=1 shows the next
    "#);
}

#[tokio::test]
async fn nothing_is_an_empty_list() {
    assert_snapshot!(ask("find_symbol", TEXT, json!({"query": "zzz"})).await, @r"
    []
    engine=syntax indexed=true
    no symbol is called so; a part of the name, or its letters in order, will do
    ");
}
