//! `add_workspace_folder`, `remove_workspace_folder` and `list_workspace_folders`.

use bowline_testkit::Fixture;
use serde_json::json;

use crate::{call_on, registry, shown};

#[tokio::test]
async fn folders_are_added_listed_and_removed() {
    let fixture = Fixture::new("//- /a.py\n\n//- /more/b.py\n\n");
    let tools = registry(&fixture);
    let call = async |tool, arguments| shown(&fixture, call_on(&tools, tool, arguments).await);
    let added = call("add_workspace_folder", json!({"path": "more"})).await;
    assert_eq!(
        added.lines().next().unwrap(),
        r#"{"added":"/more","workspace_folders":[{"uri":"file://","name":""},{"uri":"file:///more","name":"/more"}]}"#
    );
    assert!(call("list_workspace_folders", json!({})).await.contains("/more"));
    let removed = call("remove_workspace_folder", json!({"path": "more"})).await;
    assert_eq!(
        removed.lines().next().unwrap(),
        r#"{"removed":"/more","workspace_folders":[{"uri":"file://","name":""}]}"#
    );
    assert!(
        call("remove_workspace_folder", json!({"path": "more"}))
            .await
            .starts_with("bad arguments: `/more` was not added")
    );
    assert_eq!(
        call("add_workspace_folder", json!({"path": "a.py"})).await,
        "bad arguments: `/a.py` is not a directory"
    );
}
