//! What is indexed, what is left out, and what is done again.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bowline_std::clock::HeldClock;
use bowline_testkit::Fixture;
use bowline_workspace::{IndexReport, IndexStoreError, Options, Skipped, Workspace, WorkspaceError};
use insta::assert_snapshot;

use super::scripted_store::ScriptedStore;
use super::{find, open, patient};

fn with(fixture: &Fixture, options: Options) -> Workspace {
    Workspace::new(options, vec![fixture.root().to_owned()], None).unwrap()
}

async fn report(workspace: &Workspace) -> IndexReport {
    (*workspace.refresh(&patient()).await.unwrap()).clone()
}

#[tokio::test]
async fn counts_by_reason_what_is_left_out() {
    let fixture = Fixture::new("//- /a b/größe.rs\nfn ok() {}\n//- /readme.md\n# no language\n");
    fixture.write_bytes("binary.rs", b"fn a\0() {}");
    fixture.write_bytes("latin.py", b"# caf\xe9");
    fixture.write_bytes("empty.rs", b"");
    fs::File::create(fixture.path("large.js")).unwrap().set_len(50 << 20).unwrap();
    let workspace = open(&fixture);
    let skipped = Skipped { too_large: 1, binary: 1, not_utf8: 1, ..Skipped::default() };
    let expected = IndexReport { files: 2, parsed: 2, skipped, ..IndexReport::default() };
    assert_eq!(report(&workspace).await, expected);
    assert_snapshot!(find(&fixture, &workspace, "").await, @r"
    /a b/größe.rs:1 ok
    not all indexed
    ");
}

#[tokio::test]
async fn a_file_that_takes_too_long_keeps_nobody_waiting() {
    let slow = "fn f() { g(1, 2, 3); }\n".repeat(20_000);
    let fixture = Fixture::new(&format!("//- /ok.rs\nfn healthy() {{}}\n//- /slow.rs\n{slow}"));
    let workspace = with(&fixture, Options { max_file_ms: 0, ..Options::default() });
    assert_snapshot!(find(&fixture, &workspace, "").await, @r"
    /ok.rs:1 healthy
    not all indexed
    ");
}

#[tokio::test]
async fn a_name_that_no_answer_could_say_makes_answers_unsure() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new("//- /ok.rs\nfn healthy() {}\n");
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.rs");
    fs::write(fixture.root().join(name), "fn hidden() {}").unwrap();
    assert_snapshot!(find(&fixture, &open(&fixture), "").await, @r"
    /ok.rs:1 healthy
    not all indexed
    ");
}

#[tokio::test]
async fn links_are_not_followed() {
    let fixture = Fixture::new("//- /real/a.rs\nfn once() {}\n");
    let outside = Fixture::new("//- /b.rs\nfn secret() {}\n");
    symlink("..", fixture.path("real/cycle")).unwrap();
    symlink("real/a.rs", fixture.path("again.rs")).unwrap();
    symlink(outside.root(), fixture.path("out")).unwrap();
    assert_snapshot!(find(&fixture, &open(&fixture), "").await, @"/real/a.rs:1 once");
}

#[tokio::test]
async fn links_that_are_followed_stay_within_the_roots() {
    let fixture = Fixture::new("//- /real/a.rs\nfn once() {}\n");
    let outside = Fixture::new("//- /b.rs\nfn secret() {}\n");
    symlink("real/a.rs", fixture.path("again.rs")).unwrap();
    symlink(outside.root(), fixture.path("out")).unwrap();
    let workspace = with(&fixture, Options { follow_links: true, ..Options::default() });
    assert_snapshot!(find(&fixture, &workspace, "").await, @r"
    /again.rs:1 once
    /real/a.rs:1 once
    ");
}

#[tokio::test]
async fn a_directory_that_cannot_be_read_is_counted_and_makes_answers_unsure() {
    let fixture = Fixture::new("//- /a.rs\nfn near() {}\n");
    // A path that is too long to be opened is unreadable even for root, who may open everything else.
    let long = |name: &str| PathBuf::from_iter(std::iter::repeat_n("d".repeat(200), 14)).join(name);
    fs::create_dir_all(fixture.path("near").join(long("x"))).unwrap();
    fs::create_dir_all(fixture.path("far").join(long("y"))).unwrap();
    fs::rename(fixture.path("far"), fixture.path("near").join(long("x")).join("far")).unwrap();
    let workspace = open(&fixture);
    assert_snapshot!(find(&fixture, &workspace, "").await, @r"
    /a.rs:1 near
    not all indexed
    ");
    assert_eq!(workspace.last_report().unwrap().skipped.unreadable, 1);
}

#[tokio::test]
async fn a_root_that_is_gone_makes_answers_unsure() {
    let fixture = Fixture::new("//- /a.rs\nfn near() {}\n");
    let workspace = open(&fixture);
    fs::remove_dir_all(fixture.root()).unwrap();
    assert_snapshot!(find(&fixture, &workspace, "").await, @r"
    nothing
    not all indexed
    ");
}

#[tokio::test]
async fn the_first_files_by_path_are_indexed_when_there_are_too_many() {
    let fixture = Fixture::new("//- /c.rs\nfn c() {}\n//- /a.rs\nfn a() {}\n//- /b.rs\nfn b() {}\n");
    let workspace = with(&fixture, Options { max_files: 2, ..Options::default() });
    assert_snapshot!(find(&fixture, &workspace, "").await, @r"
    /a.rs:1 a
    /b.rs:1 b
    not all indexed
    ");
    assert_eq!(workspace.last_report().unwrap().over_limit, 1);
}

#[tokio::test]
async fn options_leave_out_what_they_name() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n//- /gen/b.rs\nfn b() {}\n//- /c.pb.rs\nfn c() {}\n");
    let ignore = |globs: &[&str]| Options {
        ignore: globs.iter().map(|glob| (*glob).to_owned()).collect(),
        ..Options::default()
    };
    assert_snapshot!(find(&fixture, &with(&fixture, ignore(&["gen/", "*.pb.rs"])), "").await, @"/a.rs:1 a");
    let bad = Workspace::new(ignore(&["a{b"]), vec![fixture.root().to_owned()], None).err().unwrap();
    assert!(matches!(bad, WorkspaceError::BadIgnore { .. }), "{bad}");
}

#[tokio::test]
async fn several_roots_are_one_workspace() {
    let (left, right) = (Fixture::new("//- /a.rs\nfn a() {}\n"), Fixture::new("//- /b.rs\nfn b() {}\n"));
    let roots = vec![left.root().to_owned(), right.root().to_owned(), left.root().to_owned()];
    let workspace = Workspace::new(Options::default(), roots, None).unwrap();
    let found = workspace.find_symbols("", 10, 0, &patient()).await.unwrap().value;
    let paths: Vec<&Path> = found.hits.iter().map(|hit| hit.path.as_path()).collect();
    assert_eq!(paths, [left.path("a.rs"), right.path("b.rs")]);
}

/// A workspace at a later moment, when the files of the test are no longer new.
fn later(fixture: &Fixture, store: &ScriptedStore) -> Workspace {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let clock = HeldClock::at((now + Duration::from_secs(60)).as_secs());
    let roots = vec![fixture.root().to_owned()];
    Workspace::with_clock(Options::default(), roots, Some(store.boxed()), Arc::new(clock)).unwrap()
}

#[tokio::test]
async fn a_second_start_parses_only_what_changed() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n//- /b.rs\nfn b() {}\n//- /c.rs\nfn c() {}\n");
    let store = ScriptedStore::new(|_| Ok(()));
    assert_eq!(report(&later(&fixture, &store)).await.parsed, 3);
    fixture.write_bytes("b.rs", b"fn changed() {}\n");
    fs::remove_file(fixture.path("c.rs")).unwrap();
    let workspace = later(&fixture, &store);
    let expected = IndexReport { files: 2, parsed: 1, unchanged: 1, removed: 1, ..IndexReport::default() };
    assert_eq!(report(&workspace).await, expected);
    assert_snapshot!(find(&fixture, &workspace, "").await, @r"
    /a.rs:1 a
    /b.rs:1 changed
    ");
}

#[tokio::test]
async fn new_files_are_compared_by_content_until_their_time_proves_something() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n");
    let store = ScriptedStore::new(|_| Ok(()));
    let roots = vec![fixture.root().to_owned()];
    let now = Workspace::new(Options::default(), roots, Some(store.boxed())).unwrap();
    let counts = |report: IndexReport| (report.parsed, report.compared, report.unchanged);
    assert_eq!(counts(report(&now).await), (1, 0, 0));
    assert_eq!(counts(report(&now).await), (0, 1, 0));
    let later = later(&fixture, &store);
    assert_eq!(counts(report(&later).await), (0, 1, 0));
    assert_eq!(counts(report(&later).await), (0, 0, 1));
}

#[tokio::test]
async fn a_store_that_fails_is_done_without() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n//- /b.rs\nfn b() { a() }\n");
    for broken in ["files", "replace", "search"] {
        let store = ScriptedStore::new(move |operation| match operation == broken {
            true => Err(IndexStoreError::Failed("disk full".into())),
            false => Ok(()),
        });
        let roots = vec![fixture.root().to_owned()];
        let workspace = Workspace::new(Options::default(), roots, Some(store.boxed())).unwrap();
        assert_eq!(find(&fixture, &workspace, "").await, "/a.rs:1 a\n/b.rs:1 b", "{broken}");
        fixture.write_bytes("b.rs", b"fn b() { }\n");
        assert_eq!(find(&fixture, &workspace, "").await, "/a.rs:1 a\n/b.rs:1 b", "{broken}");
    }
}

#[tokio::test]
async fn a_store_that_fails_later_is_done_without_from_there_on() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n");
    let calls = Arc::new(AtomicUsize::new(0));
    let store = ScriptedStore::new({
        let calls = Arc::clone(&calls);
        move |_| match calls.fetch_add(1, Ordering::Relaxed) < 3 {
            true => Ok(()),
            false => Err(IndexStoreError::Busy),
        }
    });
    let roots = vec![fixture.root().to_owned()];
    let workspace = Workspace::new(Options::default(), roots, Some(store.boxed())).unwrap();
    for _ in 0..3 {
        assert_eq!(find(&fixture, &workspace, "").await, "/a.rs:1 a");
    }
    // Asked once more, and never again.
    assert_eq!(calls.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn many_files_are_written_in_batches() {
    let fixture = Fixture::new("");
    for number in 0..600 {
        fixture.write_bytes(&format!("f{number}.py"), format!("def f{number}(): pass\n").as_bytes());
    }
    let operations = Arc::new(Mutex::new(Vec::new()));
    let store = ScriptedStore::new({
        let operations = Arc::clone(&operations);
        move |operation| {
            operations.lock().unwrap().push(operation);
            Ok(())
        }
    });
    let workspace = later(&fixture, &store);
    assert_eq!(report(&workspace).await.parsed, 600);
    assert_eq!(*operations.lock().unwrap(), ["files", "replace", "replace", "replace"]);
    operations.lock().unwrap().clear();
    assert_eq!(report(&workspace).await.unchanged, 600);
    assert_eq!(*operations.lock().unwrap(), ["files"]);
}
