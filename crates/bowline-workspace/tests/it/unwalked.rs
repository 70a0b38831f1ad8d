//! Questions over the whole workspace do not walk the tree while the watcher proves that nothing in it has changed, and
//! are never answered from an older tree for that.

use std::sync::Arc;
use std::time::Duration;

use bowline_testkit::Fixture;
use bowline_workspace::{IndexReport, Workspace};

use super::{find, open, patient};

const PATIENCE: Duration = Duration::from_secs(60);

async fn refresh(workspace: &Workspace) -> Arc<IndexReport> {
    workspace.refresh(&patient()).await.unwrap()
}

/// Refreshes until one is the last one again: nothing was walked for it.
async fn until_unwalked(workspace: &Workspace) -> Arc<IndexReport> {
    let proving = async {
        let mut last = refresh(workspace).await;
        loop {
            let next = refresh(workspace).await;
            if Arc::ptr_eq(&last, &next) {
                return last;
            }
            last = next;
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, proving).await.unwrap()
}

#[tokio::test]
async fn an_unchanged_tree_is_not_walked_again() {
    let fixture = Fixture::new("//- /a.rs\nfn one() {}\n//- /notes.md\nnone\n");
    let workspace = open(&fixture);
    let proven = until_unwalked(&workspace).await;
    fixture.write_bytes("notes.md", b"nobody reads this");
    assert!(Arc::ptr_eq(&proven, &refresh(&workspace).await), "no file of the index");
}

#[tokio::test]
async fn every_change_is_known_to_the_next_question() {
    let fixture = Fixture::new("//- /a.rs\nfn one() {}\n//- /sub/b.rs\nfn two() {}\n");
    let workspace = open(&fixture);
    until_unwalked(&workspace).await;
    fixture.write_bytes("a.rs", b"fn uno() {}");
    assert_eq!(find(&fixture, &workspace, "").await, "/sub/b.rs:1 two\n/a.rs:1 uno");
    until_unwalked(&workspace).await;
    std::fs::rename(fixture.path("sub"), fixture.path("moved")).unwrap();
    assert_eq!(find(&fixture, &workspace, "").await, "/moved/b.rs:1 two\n/a.rs:1 uno");
    until_unwalked(&workspace).await;
    fixture.write_bytes(".gitignore", b"moved\n");
    assert_eq!(find(&fixture, &workspace, "").await, "/a.rs:1 uno");
}

#[tokio::test]
async fn what_the_watcher_passes_over_is_walked() {
    let fixture = Fixture::new("//- /a.rs\nfn one() {}\n");
    let workspace = open(&fixture);
    until_unwalked(&workspace).await;
    // The index reads it, since nothing ignores it; the watcher does not.
    fixture.write_bytes("target/b.rs", b"fn two() {}");
    assert_eq!(find(&fixture, &workspace, "").await, "/a.rs:1 one\n/target/b.rs:1 two");
    fixture.write_bytes("target/c.rs", b"fn zwei() {}");
    assert_eq!(find(&fixture, &workspace, "").await, "/a.rs:1 one\n/target/b.rs:1 two\n/target/c.rs:1 zwei");
}

#[tokio::test]
async fn a_repository_inside_has_rules_of_its_own() {
    let fixture = Fixture::new("//- /a.rs\nfn one() {}\n//- /inner/b.rs\nfn two() {}\n");
    let workspace = open(&fixture);
    until_unwalked(&workspace).await;
    fixture.write_bytes("inner/.git/info/exclude", b"*.rs\n");
    assert_eq!(find(&fixture, &workspace, "").await, "/a.rs:1 one");
    fixture.write_bytes("inner/.git/info/exclude", b"*.go\n");
    assert_eq!(find(&fixture, &workspace, "").await, "/a.rs:1 one\n/inner/b.rs:1 two");
}
