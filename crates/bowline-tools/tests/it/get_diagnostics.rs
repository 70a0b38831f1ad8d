//! `get_diagnostics`.

use bowline_testkit::Fixture;
use serde_json::json;

use crate::{ask, call_on, served, shown};

#[tokio::test]
async fn lists_what_is_wrong_with_evidence() {
    let fixture = Fixture::new("//- /a.py\nx = BUG\nWARN\n//- /b.py\nfine\n");
    let tools = served(&fixture, &[]);
    let text = shown(&fixture, call_on(&tools, "get_diagnostics", json!({"file_path": "a.py"})).await);
    assert_eq!(
        text,
        r#"{"file:///a.py":[{"range":{"start":{"line":1,"character":5},"end":{"line":1,"character":8}},"severity":1,"code":"bug1","source":"fake","message":"found a BUG"},{"range":{"start":{"line":2,"character":1},"end":{"line":2,"character":5}},"severity":2,"code":"warn1","source":"fake","message":"found a WARN"}]}
1 errors, 1 warnings, 0 other (evidence: versioned)"#
    );
    call_on(&tools, "get_diagnostics", json!({"file_path": "b.py"})).await.unwrap();
    let all = call_on(&tools, "get_diagnostics", json!({})).await.unwrap();
    assert_eq!(all.payload.as_object().unwrap().len(), 2, "every file that is open");
}

#[tokio::test]
async fn a_flood_is_a_page_and_a_number() {
    let fixture = Fixture::new("//- /a.py\nBUG\n");
    let tools = served(&fixture, &["diagnostics-flood"]);
    let answer = call_on(&tools, "get_diagnostics", json!({"file_path": "a.py"})).await.unwrap();
    let listed = answer.payload.as_object().unwrap().values().next().unwrap().as_array().unwrap().len();
    assert_eq!(listed, 200);
    assert!(answer.hint.unwrap().contains("and 99800 more; offset=200 shows the next"));
}

#[tokio::test]
async fn without_a_server_nothing_is_clean() {
    let text = ask("get_diagnostics", "//- /a.py\nx = 1\n", json!({"file_path": "a.py"})).await;
    assert!(text.starts_with("unsupported: no language server for `a.py`"), "{text}");
    let text = ask("get_diagnostics", "//- /a.py\nx = 1\n", json!({})).await;
    assert!(text.contains("no file is open at a language server yet"), "{text}");
}

#[tokio::test]
async fn a_server_that_dies_is_not_a_clean_file() {
    let fixture = Fixture::new("//- /a.py\nBUG\n");
    let tools = served(&fixture, &["die-on-open"]);
    let text = shown(&fixture, call_on(&tools, "get_diagnostics", json!({"file_path": "a.py"})).await);
    assert!(text.starts_with("failed: `fake-ls` exited with code 1"), "{text}");
}

#[tokio::test]
async fn a_file_on_another_page_is_not_listed_as_clean() {
    let fixture = Fixture::new("//- /a.py\nBUG BUG\n//- /b.py\nBUG\n//- /c.py\nfine\n");
    let tools = served(&fixture, &[]);
    for file in ["a.py", "b.py", "c.py"] {
        call_on(&tools, "get_diagnostics", json!({"file_path": file})).await.unwrap();
    }
    let mut seen = Vec::new();
    for offset in [0, 2] {
        let page = call_on(&tools, "get_diagnostics", json!({"limit": 2, "offset": offset})).await.unwrap();
        for (file, listed) in page.payload.as_object().unwrap() {
            seen.push(format!("{} {}", file.rsplit('/').next().unwrap(), listed.as_array().unwrap().len()));
        }
    }
    assert_eq!(seen, ["a.py 2", "c.py 0", "b.py 1", "c.py 0"]);
}
