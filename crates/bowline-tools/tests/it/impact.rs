//! `blast_radius`, `detect_changes`, `explore_symbol`, `get_editing_context`, with a scripted server and without one.

use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::{call_on, registry, served, shown};

const SHOP: &str = "//- /shop.py\ndef price():\n    return 1\n\n\ndef _hidden():\n    return price()\n\n\ndef lonely():\n    return 2\n\
                    //- /till.py\nfrom shop import price\n\n\ndef pay():\n    return price()\n\
                    //- /counter.py\nfrom till import pay\n\n\ndef serve():\n    return pay()\n\
                    //- /test_shop.py\nfrom shop import price\n\n\ndef test_one():\n    assert price()\n\n\ndef test_two():\n    assert price()\n";

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_caller_with_what_it_stands_in_and_every_test() {
    let fixture = Fixture::new(SHOP);
    for tools in [served(&fixture, &[]), registry(&fixture)] {
        let answer = call_on(&tools, "blast_radius", json!({"changed_files": ["shop.py"]})).await.unwrap();
        let found = &answer.payload;
        assert_eq!(names(&found["changed_symbols"]), ["price", "lonely"], "{found}");
        let price = &found["affected_symbols"][0];
        assert_eq!(price["name"], "price");
        assert_eq!(names(&price["non_test_callers"]), ["_hidden", "till.py", "pay"]);
        assert_eq!(names(&price["test_callers"]), ["test_shop.py", "test_one", "test_two"]);
        assert_eq!(found["test_files"], json!([fixture.path("test_shop.py")]));
        assert!(found["non_test_callers"].as_array().unwrap().iter().all(|one| one["line"].is_u64()));
        assert_eq!(answer.indexed, Some(true));
        let untested = json!({"changed_files": ["shop.py"], "filter": "untested"});
        let answer = call_on(&tools, "blast_radius", untested).await.unwrap();
        assert_eq!(names(&answer.payload["changed_symbols"]), ["lonely"], "price is tested");
        let all = json!({"changed_files": ["shop.py"], "scope": "all", "limit": 2});
        let answer = call_on(&tools, "blast_radius", all).await.unwrap();
        assert_eq!(names(&answer.payload["changed_symbols"]), ["price", "_hidden"]);
        assert!(answer.hint.unwrap().contains("and 1 more symbols"));
    }
}

#[tokio::test]
async fn callers_of_callers_on_request() {
    let fixture = Fixture::new(SHOP);
    let tools = served(&fixture, &[]);
    let arguments = json!({"changed_files": ["shop.py"], "include_transitive": true});
    let answer = call_on(&tools, "blast_radius", arguments).await.unwrap();
    let reached = answer.payload["transitive_callers"].as_array().unwrap();
    let serve = reached.iter().find(|one| one["name"] == "serve").unwrap();
    assert_eq!((serve["via"].as_str(), serve["depth"].as_u64()), (Some("pay"), Some(2)), "{reached:?}");
}

#[tokio::test]
async fn each_language_tells_its_tests() {
    let text = "//- /src/lib.rs\npub fn tie() {}\n\n#[cfg(test)]\nmod tests {\n    use super::tie;\n    #[test]\n    fn ties() {\n        tie();\n    }\n}\n\
                //- /tests/it.rs\nfn helper() {\n    rope::tie();\n}\n//- /src/main.rs\nfn main() {\n    tie();\n}\n\
                //- /Knot.java\npublic class Knot {\n    public static void bind() {}\n}\n\
                //- /KnotTest.java\nclass KnotTest {\n    @Test\n    void binds() {\n        Knot.bind();\n    }\n}\n\
                //- /a/tool.py\ndef cut(): pass\n//- /a/tool_test.py\nimport tool\n\n\ndef check():\n    tool.cut()\n";
    let fixture = Fixture::new(text);
    let tools = registry(&fixture);
    for (file, symbol, tests, others) in [
        ("src/lib.rs", "tie", 3, vec!["main"]),
        ("Knot.java", "Knot.bind", 1, vec![]),
        ("a/tool.py", "cut", 1, vec![]),
    ] {
        let answer = call_on(&tools, "blast_radius", json!({"changed_files": [file]})).await.unwrap();
        let affected = answer.payload["affected_symbols"].as_array().unwrap();
        let one = affected.iter().find(|one| one["name"] == symbol).unwrap_or_else(|| panic!("{affected:?}"));
        assert_eq!(one["test_callers"].as_array().unwrap().len(), tests, "{one}");
        assert_eq!(names(&one["non_test_callers"]), others, "{one}");
    }
}

#[tokio::test]
async fn a_test_is_known_by_its_marks() {
    let text = r#"//- /src/lib.rs
pub fn tie() {}
#[cfg(test)]
pub(crate) mod support;
mod real;
#[cfg_attr(test, derive(Debug))]
pub struct Production;
impl Production {
    fn one(&self) { tie() }
}
#[cfg_attr(test, inline)]
fn two() { tie() }
#[cfg(any(test, feature = "x"))]
fn three() { tie() }
#[test]
#[expect(
    dead_code,
    reason = "a long [one]"
)]
// And a word.

fn tested() { tie() }
#[cfg(all(test, unix))]
mod more { fn four() { crate::tie() } }
#[test_case(1)] fn cases() { tie() }
#[rstest]
fn fixtures() { tie() }
#[tokio::test(flavor = "multi_thread")]
async fn waits() { tie() }
const LIST: [u8; 1] = [1];
fn five() { tie() }
//- /src/support/mod.rs
mod deeper;
fn helps() { crate::tie() }
//- /src/support/deeper.rs
fn helps_too() { crate::tie() }
//- /src/real.rs
fn works() { crate::tie() }
//- /Knot.java
public class Knot {
    public static void bind() {}
}
//- /Other.java
class Other {
    @Override
    @org.junit.jupiter.api.Test
    void binds() {
        Knot.bind();
    }
    @TestOnly
    void real() {
        Knot.bind();
    }
}
//- /tool.py
def cut(): pass


class Checks(
    unittest.TestCase,
):
    def setUp(self):
        cut()

    def testCamel(self):
        cut()


class Plain(Case):
    def run(self):
        cut()
"#;
    let fixture = Fixture::new(text);
    let tools = registry(&fixture);
    for (file, symbol, tests, others) in [
        (
            "src/lib.rs",
            "tie",
            vec!["tested", "more.four", "cases", "fixtures", "waits", "helps_too", "helps"],
            vec!["Production.one", "two", "three", "five", "works"],
        ),
        ("Knot.java", "Knot.bind", vec!["Other.binds"], vec!["Other.real"]),
        ("tool.py", "cut", vec!["Checks.setUp", "Checks.testCamel"], vec!["Plain.run"]),
    ] {
        let answer = call_on(&tools, "blast_radius", json!({"changed_files": [file]})).await.unwrap();
        let affected = answer.payload["affected_symbols"].as_array().unwrap();
        let one = affected.iter().find(|one| one["name"] == symbol).unwrap_or_else(|| panic!("{affected:?}"));
        assert_eq!(names(&one["test_callers"]), tests, "{one}");
        assert_eq!(names(&one["non_test_callers"]), others, "{one}");
    }
}

#[tokio::test]
async fn what_other_files_can_use() {
    let text = "//- /a.js\nfunction foo() {}\nfunction bar() {}\nfunction inner() {}\nmodule.exports = {\n  foo,\n  bar\n};\n\
                //- /A.java\nclass A {\n    void open() {}\n    private void shut() {}\n    private static class In {\n        void deep() {}\n    }\n}\n\
                //- /a.go\npackage a\n\ntype box struct{}\n\nfunc (b *box) Open() {}\n\nfunc (b *box) shut() {}\n\nfunc New() *box { return nil }\n";
    let fixture = Fixture::new(text);
    let tools = registry(&fixture);
    for (file, expected) in
        [("a.js", &["foo", "bar"][..]), ("A.java", &["A", "A.open"]), ("a.go", &["Open", "New"])]
    {
        let answer = call_on(&tools, "blast_radius", json!({"changed_files": [file]})).await.unwrap();
        assert_eq!(names(&answer.payload["changed_symbols"]), expected, "{file}");
    }
}

#[tokio::test]
async fn locks_are_seen() {
    let text = "//- /a.go\npackage a\n\nimport \"sync\"\n\ntype Box struct {\n\tmu sync.Mutex\n}\n\nfunc Free() {}\n\nfunc Use(b *Box) {\n\tb.mu.Lock()\n}\n";
    let fixture = Fixture::new(text);
    let answer =
        call_on(&registry(&fixture), "blast_radius", json!({"changed_files": ["a.go"]})).await.unwrap();
    let guarded: Vec<&str> = answer.payload["affected_symbols"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["sync_guarded"] == true)
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(guarded, ["Box", "Use"]);
}

#[tokio::test]
async fn bad_questions() {
    let fixture = Fixture::new(SHOP);
    let tools = registry(&fixture);
    let ask = async |arguments| shown(&fixture, call_on(&tools, "blast_radius", arguments).await);
    assert!(ask(json!({"changed_files": []})).await.starts_with("bad arguments: changed_files is required"));
    assert!(
        ask(json!({"changed_files": ["nothing.py"]}))
            .await
            .starts_with("bad arguments: no such file: `/nothing.py`")
    );
    let one_bad = ask(json!({"changed_files": ["nothing.py", "shop.py"]})).await;
    assert!(one_bad.contains("\"warnings\":[\"`nothing.py`: no such file"), "{one_bad}");
}

#[tokio::test]
async fn one_symbol_in_one_answer() {
    let fixture = Fixture::new(SHOP);
    let tools = served(&fixture, &[]);
    let at = json!({"file_path": "till.py", "position_pattern": "return @@price"});
    for tool in ["explore_symbol", "explore"] {
        let answer = call_on(&tools, tool, at.clone()).await.unwrap();
        let found = answer.payload;
        assert!(found["type_info"].as_str().unwrap().contains("price"), "{found}");
        assert_eq!(found["source"]["source"], "def price():\n    return 1");
        assert_eq!(
            (found["references"]["count"].as_u64(), found["callers_count"].as_u64()),
            (Some(6), Some(6))
        );
        assert_eq!(found["test_callers_count"], 3);
        assert_eq!(names(&found["callers"])[..3], ["_hidden", "till.py", "pay"], "tests come last");
    }
}

#[tokio::test]
async fn one_of_several_of_a_name_is_explored_and_no_other() {
    let fixture = Fixture::new("//- /dup.py\ndef a(x):\n    return 1\n\ndef a(x, y):\n    return 2\n");
    let tools = served(&fixture, &[]);
    for (path, source) in [("a[0]", "def a(x):\n    return 1"), ("a[1]", "def a(x, y):\n    return 2")] {
        let at = json!({"file_path": "dup.py", "symbol_path": path});
        for tool in ["explore_symbol", "get_symbol_source"] {
            let found = call_on(&tools, tool, at.clone()).await.unwrap().payload;
            let found = if tool == "explore_symbol" { &found["source"] } else { &found };
            assert_eq!(found["source"], source, "{tool} {path}");
        }
    }
}

#[tokio::test]
async fn a_file_before_an_edit_and_nothing_twice() {
    let fixture = Fixture::new(SHOP);
    let tools = served(&fixture, &[]);
    let ask = async |more: Value| {
        let mut arguments = json!({"file_path": "till.py"});
        arguments.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        call_on(&tools, "get_editing_context", arguments).await.unwrap()
    };
    let first = ask(json!({})).await;
    assert_eq!(names(&first.payload["symbols"]), ["pay"]);
    assert_eq!(first.payload["symbols"][0]["signature"], "def pay()");
    assert_eq!(first.payload["imports"], json!([{"line": 1, "text": "from shop import price"}]));
    assert_eq!(names(&first.payload["callers"][0]["non_test_callers"]), ["counter.py", "serve"]);
    assert!(first.savings.is_some());
    let etag = first.etag.unwrap();
    let second = ask(json!({"if_none_match": etag})).await;
    assert_eq!(
        (second.payload.clone(), second.etag),
        (json!({"status": "not_modified"}), Some(etag.clone()))
    );
    // The file itself has not changed, but somebody new calls it.
    fixture.write_bytes("new.py", b"from till import pay\n\npay()\n");
    let third = ask(json!({"if_none_match": etag.clone()})).await;
    assert_ne!(third.etag, Some(etag));
    assert!(names(&third.payload["callers"][0]["non_test_callers"]).contains(&"new.py"));
    // Those nearby come first: not all of them may be shown.
    fixture.write_bytes("an/example.py", b"from till import pay\n\npay()\n");
    let fourth = ask(json!({})).await;
    let callers = names(&fourth.payload["callers"][0]["non_test_callers"]);
    assert_eq!(callers.last(), Some(&"example.py"), "{callers:?}");
}

#[tokio::test]
async fn tags_of_outlines_and_sources() {
    let fixture = Fixture::new(SHOP);
    let tools = registry(&fixture);
    for (tool, mut arguments) in [
        ("list_symbols", json!({"file_path": "till.py"})),
        ("list_symbols", json!({"file_path": "till.py", "format": "outline"})),
        ("get_symbol_source", json!({"file_path": "till.py", "symbol_path": "pay"})),
    ] {
        let etag = call_on(&tools, tool, arguments.clone()).await.unwrap().etag.unwrap();
        arguments["if_none_match"] = json!(etag);
        let same = call_on(&tools, tool, arguments.clone()).await.unwrap();
        assert_eq!(
            (same.payload, same.etag.clone()),
            (json!({"status": "not_modified"}), same.etag),
            "{tool}"
        );
    }
    // Another body is another file, whatever its outline.
    let outline = json!({"file_path": "till.py", "format": "outline"});
    let before = call_on(&tools, "list_symbols", outline.clone()).await.unwrap().etag;
    fixture.write_bytes("till.py", b"from shop import price\n\n\ndef pay():\n    return price() + 1\n");
    assert_ne!(call_on(&tools, "list_symbols", outline).await.unwrap().etag, before);
}

#[tokio::test]
async fn a_chain_that_was_not_followed_to_its_end_is_said() {
    let chain: String =
        (1..8).map(|index| format!("def f{index}():\n    return f{}()\n\n\n", index - 1)).collect();
    let fixture = Fixture::new(&format!(
        "//- /a.py\ndef f0():\n    return 0\n//- /b.py\nfrom a import f0\n\n\n{chain}"
    ));
    let arguments = json!({"changed_files": ["a.py", "./a.py"], "include_transitive": true});
    let answer = call_on(&registry(&fixture), "blast_radius", arguments).await.unwrap();
    assert_eq!(names(&answer.payload["changed_symbols"]), ["f0"], "named twice, looked at once");
    assert_eq!(answer.indexed, Some(false));
    assert!(answer.payload["warnings"][0].as_str().unwrap().starts_with("callers were followed 3 calls far"));
}
