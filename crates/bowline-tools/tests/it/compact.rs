//! Long answers are told in few words, and say what they leave out.

use serde_json::{Value, json};

use crate::call;

fn size(value: &Value) -> usize {
    value.as_str().map_or_else(|| value.to_string().len(), str::len)
}

#[tokio::test]
async fn a_long_list_of_symbols_has_everything_at_the_top_first() {
    let fields: String = (0..900).map(|index| format!("    int field_number_{index};\n")).collect();
    let functions: String = (0..900).map(|index| format!("void function_number_{index}(int x);\n")).collect();
    let text = format!("//- /server.h\nstruct server {{\n{fields}}};\n{functions}");
    let fixture = bowline_testkit::Fixture::new(&text);
    let answer = call(&fixture, "list_symbols", json!({"file_path": "server.h"})).await.unwrap();
    let listed = answer.payload.as_str().unwrap();
    assert!(listed.contains("function_number_899 [Function]") && !listed.contains("field_number_1 "));
    assert!(listed.len() < 40_000, "{}", listed.len());
    let hint = answer.hint.unwrap();
    assert!(hint.contains("and 900 inside of these; limit lists them in their order"), "{hint}");
    let tree =
        call(&fixture, "list_symbols", json!({"file_path": "server.h", "format": "tree"})).await.unwrap();
    assert_eq!(tree.payload.as_array().map(Vec::len), Some(901), "who asks for all of it gets all of it");
}

#[tokio::test]
async fn a_list_that_is_too_long_even_so_has_pages() {
    let many: String = (0..3000).map(|index| format!("def function_number_{index}(): pass\n")).collect();
    let fixture = bowline_testkit::Fixture::new(&format!("//- /a.py\n{many}"));
    let mut names = Vec::new();
    loop {
        let offset = names.len();
        let answer =
            call(&fixture, "list_symbols", json!({"file_path": "a.py", "offset": offset})).await.unwrap();
        let text = answer.payload.as_str().map(str::to_owned).unwrap_or_else(|| answer.payload.to_string());
        assert!(text.len() < 40_000);
        names.extend(text.match_indices("function_number_").map(|(at, _)| text[at + 16..].to_owned()));
        if !answer.hint.unwrap().contains("more; offset=") {
            break;
        }
    }
    assert_eq!(names.len(), 3000);
}

#[tokio::test]
async fn a_context_with_many_callers_is_grouped_by_file() {
    let functions: String = (0..9).map(|index| format!("def function_{index}(): pass\n")).collect();
    let used: String = (0..9).map(|index| format!("    function_{index}()\n")).collect();
    let calls: String = (0..60).map(|index| format!("def caller_{index}():\n{used}")).collect();
    let text = format!(
        "//- /lib.py\n{functions}//- /one.py\nfrom lib import *\n{calls}//- /two.py\nfrom lib import *\n{calls}"
    );
    let fixture = bowline_testkit::Fixture::new(&text);
    let ask = |detail: Value| {
        let mut arguments = json!({"file_path": "lib.py"});
        if !detail.is_null() {
            arguments["detail"] = detail;
        }
        call(&fixture, "get_editing_context", arguments)
    };
    let (full, compact, usual) = (
        ask(json!("full")).await.unwrap(),
        ask(json!("compact")).await.unwrap(),
        ask(Value::Null).await.unwrap(),
    );
    assert_eq!(full.payload["symbols"][0]["name"], "function_0");
    assert_eq!(usual.payload, compact.payload, "the full one is long");
    assert!(
        size(&compact.payload) * 2 < size(&full.payload),
        "{} {}",
        size(&compact.payload),
        size(&full.payload)
    );
    assert_eq!(compact.payload["file"], "lib.py");
    assert_eq!(compact.payload["symbols"][0], "1 Function function_0: def function_0()");
    let callers = &compact.payload["callers"][0];
    assert_eq!(callers["symbol"], "function_0");
    let listed = callers["non_test_callers"]["one.py"].as_array().unwrap();
    assert!(listed.contains(&json!("caller_0:3")), "{listed:?}");
    assert!(callers["more"].as_u64().unwrap() > 0 && compact.payload["left_out"][0].as_str().is_some());

    let all = call(&fixture, "blast_radius", json!({"changed_files": ["lib.py"]})).await.unwrap();
    assert_eq!(
        all.payload["changed_symbols"]["lib.py"],
        json!((1..=9).map(|line| format!("function_{}:{line}", line - 1)).collect::<Vec<_>>())
    );
    assert!(all.payload["affected_symbols"][0]["non_test_callers"]["one.py"].is_array(), "{}", all.payload);
    let full =
        call(&fixture, "blast_radius", json!({"changed_files": ["lib.py"], "detail": "full"})).await.unwrap();
    assert!(full.payload["changed_symbols"][0]["file"].as_str().unwrap().ends_with("/lib.py"));
    assert!(size(&all.payload) * 3 < size(&full.payload));
}
