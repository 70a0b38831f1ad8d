//! An answer is never older than its question.

use std::fs;
use std::fs::File;

use bowline_testkit::Fixture;
use insta::assert_snapshot;

use super::{find, open, references_in};

#[tokio::test]
async fn sees_files_that_were_changed_added_removed_and_renamed() {
    let fixture = Fixture::new("//- /a.rs\nfn item_a() {}\n//- /b.rs\nfn item_b() {}\n");
    let workspace = open(&fixture);
    assert_snapshot!(find(&fixture, &workspace, "item").await, @r"
    /a.rs:1 item_a
    /b.rs:1 item_b
    ");
    fixture.write_bytes("a.rs", b"fn item_x() {}\n");
    assert_snapshot!(find(&fixture, &workspace, "item").await, @r"
    /b.rs:1 item_b
    /a.rs:1 item_x
    ");
    fixture.write_bytes("new/c.rs", b"fn item_c() {}\n");
    fs::remove_file(fixture.path("b.rs")).unwrap();
    assert_snapshot!(find(&fixture, &workspace, "item").await, @r"
    /new/c.rs:1 item_c
    /a.rs:1 item_x
    ");
    fs::rename(fixture.path("a.rs"), fixture.path("d.rs")).unwrap();
    assert_snapshot!(find(&fixture, &workspace, "item").await, @r"
    /new/c.rs:1 item_c
    /d.rs:1 item_x
    ");
}

#[tokio::test]
async fn sees_a_change_that_kept_size_and_time() {
    let fixture = Fixture::new("//- /a.rs\nfn one() {}\n");
    let workspace = open(&fixture);
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let age = || {
        let file = File::options().append(true).open(fixture.path("a.rs")).unwrap();
        file.set_modified(long_ago).unwrap();
    };
    age();
    assert_snapshot!(find(&fixture, &workspace, "").await, @"/a.rs:1 one");
    fixture.write_bytes("a.rs", b"fn two() {}\n");
    age();
    assert_snapshot!(find(&fixture, &workspace, "").await, @"/a.rs:1 two");
}

#[tokio::test]
async fn sees_that_a_file_is_now_ignored() {
    let fixture = Fixture::new("//- /a.rs\nfn one() {}\n//- /b.rs\nfn two() {}\n");
    let workspace = open(&fixture);
    assert_snapshot!(find(&fixture, &workspace, "").await, @r"
    /a.rs:1 one
    /b.rs:1 two
    ");
    fixture.write_bytes(".gitignore", b"a.rs\n");
    assert_snapshot!(find(&fixture, &workspace, "").await, @"/b.rs:1 two");
}

#[tokio::test]
async fn references_follow_every_change() {
    let fixture = Fixture::new("//- /a.rs\nfn gr$0eet() {}\n//- /b.rs\nfn b() { greet() }\n");
    let workspace = open(&fixture);
    assert_snapshot!(references_in(&fixture, &workspace, false).await, @"/b.rs:1:10-15");
    fixture.write_bytes("b.rs", b"fn b() { } fn c() { greet() }\n");
    fixture.write_bytes("z.rs", b"fn z() { greet() }\n");
    assert_snapshot!(references_in(&fixture, &workspace, false).await, @r"
    /b.rs:1:21-26
    /z.rs:1:10-15
    ");
    fs::remove_file(fixture.path("b.rs")).unwrap();
    assert_snapshot!(references_in(&fixture, &workspace, false).await, @"/z.rs:1:10-15");
}
