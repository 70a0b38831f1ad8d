//! What is written is what is read, also by others and later.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::thread;

use bowline_store::SymbolStore;

use super::{file, store};

#[test]
fn gives_back_what_it_was_given() {
    let given = file("/a.rs", "T.one two");
    let store = store(&[given.clone(), file("/b.rs", "three")]);
    assert_eq!(store.files().unwrap()[0], (PathBuf::from("/a.rs"), 1_700_000_000_123_456_789, 9, [7; 32]));
    let rows = store.named("one").unwrap();
    assert_eq!(rows, [(PathBuf::from("/a.rs"), "rust".to_owned(), given.symbols[0].clone())]);
}

#[test]
fn a_file_written_again_leaves_nothing_of_its_old_self() {
    let store = store(&[file("/a", "old"), file("/b", "kept"), file("/c", "gone")]);
    let mut again = file("/a", "new");
    again.words = vec![9];
    store.replace(&[again], &[PathBuf::from("/c")]).unwrap();
    let paths: Vec<PathBuf> = store.files().unwrap().into_iter().map(|stamp| stamp.0).collect();
    assert_eq!(paths, [Path::new("/a"), Path::new("/b")]);
    assert!(store.named("old").unwrap().is_empty() && store.named("gone").unwrap().is_empty());
    assert_eq!(store.holding(5).unwrap(), [Path::new("/b")]);
    assert_eq!(store.holding(9).unwrap(), [Path::new("/a")]);
}

#[test]
fn a_new_stamp_changes_nothing_else() {
    let store = store(&[file("/a", "one")]);
    store.restamp(&[("/a".into(), i64::MIN, 99), ("/none".into(), 1, 1)]).unwrap();
    assert_eq!(store.files().unwrap(), [("/a".into(), i64::MIN, 99, [7; 32])]);
    assert_eq!(store.named("one").unwrap().len(), 1);
}

#[test]
fn paths_need_not_be_text() {
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"/caf\xe9 \xff.rs"));
    let mut odd = file("/x", "one");
    odd.path = path.clone();
    let store = store(&[odd]);
    assert_eq!(store.files().unwrap()[0].0, path);
    assert_eq!(store.holding(1).unwrap()[0], path);
    assert_eq!(store.search("", 10, 0).unwrap().0[0].0, path);
}

#[test]
fn outlives_its_process_and_is_for_its_user_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("new/index.db");
    SymbolStore::open(&path).unwrap().replace(&[file("/a", "one")], &[]).unwrap();
    assert_eq!(SymbolStore::open(&path).unwrap().named("one").unwrap().len(), 1);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
}

#[test]
fn several_handles_open_and_write_one_file_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("index.db");
    let barrier = Barrier::new(4);
    thread::scope(|scope| {
        for writer in 0..4 {
            let (path, barrier) = (&path, &barrier);
            scope.spawn(move || {
                barrier.wait();
                let store = SymbolStore::open(path).unwrap();
                for round in 0..20 {
                    let name = format!("/{writer}/{round}");
                    store.replace(&[file(&name, "one two three")], &[]).unwrap();
                    assert!(!store.named("two").unwrap().is_empty());
                }
            });
        }
    });
    assert_eq!(SymbolStore::open(&path).unwrap().files().unwrap().len(), 80);
}

#[test]
fn one_handle_sees_what_another_wrote() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("index.db");
    let (left, right) = (SymbolStore::open(&path).unwrap(), SymbolStore::open(&path).unwrap());
    left.replace(&[file("/a", "one")], &[]).unwrap();
    assert_eq!(right.named("one").unwrap().len(), 1);
    right.replace(&[], &["/a".into()]).unwrap();
    assert!(left.files().unwrap().is_empty());
}
