//! `replace_in_files`

use bowline_call::Registry;
use bowline_testkit::Fixture;
use bowline_tools::{House, all};
use bowline_workspace::{Options, Workspace, Writer};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{call_on, shown};

/// The tools, with a writer whose state is beside the project.
fn registry(fixture: &Fixture) -> Registry {
    let roots = vec![fixture.path("project")];
    let writer = Writer::new(roots.clone(), fixture.path("state"));
    let workspace = Workspace::new(Options::default(), roots, None).unwrap().with_writer(writer);
    Registry::new(all(&House::of(workspace))).unwrap()
}

async fn payload(registry: &Registry, arguments: Value) -> Value {
    call_on(registry, "replace_in_files", arguments).await.unwrap().payload
}

fn text(fixture: &Fixture, file: &str) -> String {
    bowline_std::fs::read_text(&fixture.path(file), 1000).unwrap().0
}

#[tokio::test]
async fn a_dry_run_lists_and_writes_nothing() {
    let fixture = Fixture::new("//- /project/a.txt\none two\n//- /project/b.txt\nno one\n");
    let registry = registry(&fixture);
    let ask = |arguments| call_on(&registry, "replace_in_files", arguments);
    let listed = shown(&fixture, ask(json!({"pattern": "one", "replacement": "1", "limit": 1})).await);
    let id = payload(&registry, json!({"pattern": "one"})).await["occurrences"][0]["id"].clone();
    assert_snapshot!(listed.replace(id.as_str().unwrap(), "ID"), @r#"
    {"dry_run":true,"files":2,"occurrences":[{"id":"ID","file":"/project/a.txt","line":1,"column":1,"before":"one two","after":"1 two"}],"total":2,"not_listed":1,"skipped":{"binary":0,"too_large":0,"not_utf8":0,"unreadable":0,"unchanged":0}}
    and 1 more; offset=1 shows the next
    "#);
    assert_eq!(text(&fixture, "project/a.txt"), "one two\n");
    assert_snapshot!(shown(&fixture, ask(json!({"pattern": "three", "dry_run": false})).await), @r#"
    {"dry_run":false,"files":0,"occurrences":[],"total":0,"not_listed":0,"skipped":{"binary":0,"too_large":0,"not_utf8":0,"unreadable":0,"unchanged":0},"applied":0}
    nothing to replace
    "#);
    assert_snapshot!(shown(&fixture, ask(json!({"pattern": "o*", "is_regex": true})).await), @"bad arguments: the pattern matches the empty string, which stands everywhere; let it match at least one character");
}

#[tokio::test]
async fn applies_all_or_what_is_chosen_with_a_receipt_that_takes_it_back() {
    let fixture = Fixture::new("//- /project/a.txt\none one\n//- /project/b.txt\none\n");
    let registry = registry(&fixture);
    let find = json!({"pattern": "one", "replacement": "1"});
    let ids: Vec<Value> = payload(&registry, find).await["occurrences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].clone())
        .collect();
    let some =
        json!({"pattern": "one", "replacement": "1", "dry_run": false, "occurrences": [ids[1], ids[2]]});
    let written = payload(&registry, some.clone()).await;
    assert_eq!((&written["applied"], &written["files"]), (&json!(2), &json!(2)));
    assert_eq!(
        (text(&fixture, "project/a.txt").as_str(), text(&fixture, "project/b.txt").as_str()),
        ("one 1\n", "1\n")
    );

    // The ids meant the texts as they were.
    let refused = shown(&fixture, call_on(&registry, "replace_in_files", some).await);
    assert!(
        refused.contains("changed since they were listed") && refused.contains("nothing was written"),
        "{refused}"
    );

    let undone = call_on(&registry, "undo_write", json!({"receipt": written["receipt"]})).await;
    assert!(undone.is_ok(), "{undone:?}");
    assert_eq!(text(&fixture, "project/a.txt"), "one one\n");
    let all = payload(&registry, json!({"pattern": "one", "replacement": "1", "dry_run": false})).await;
    assert_eq!(all["applied"], 3);
    assert_eq!(
        (text(&fixture, "project/a.txt").as_str(), text(&fixture, "project/b.txt").as_str()),
        ("1 1\n", "1\n")
    );
}
