//! A database that cannot be relied on is set aside, and nobody is bothered with it.

use std::fs;
use std::path::Path;

use bowline_store::SymbolStore;
use rusqlite::Connection;

use super::{file, names_in};

/// Opens a file after `damage` was done to a good one; the answer is how many files the store then knows, and
/// what lies in the directory.
fn after(damage: impl FnOnce(&Path)) -> (usize, Vec<String>) {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("index.db");
    let many: Vec<_> = (0..200).map(|n| file(&format!("/{n}"), "alpha beta gamma delta")).collect();
    SymbolStore::open(&path).unwrap().replace(&many, &[]).unwrap();
    damage(&path);
    let known = SymbolStore::open(&path).unwrap().files().unwrap().len();
    // What was begun anew can be used.
    SymbolStore::open(&path).unwrap().replace(&[file("/new", "fresh")], &[]).unwrap();
    assert_eq!(SymbolStore::open(&path).unwrap().named("fresh").unwrap().len(), 1);
    (known, names_in(scratch.path()))
}

fn set_aside() -> (usize, Vec<String>) {
    (0, vec!["index.db".into(), "index.db.broken-1".into()])
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_good_file_stays() {
    assert_eq!(after(|_| {}), (200, vec!["index.db".into()]));
}

#[test]
fn an_empty_file_is_a_new_one() {
    assert_eq!(after(|path| change(path, Vec::clear)), (0, vec!["index.db".into()]));
}

#[test]
fn another_kind_of_file_is_set_aside() {
    assert_eq!(after(|path| fs::write(path, "[section]\nkey = 1\n").unwrap()), set_aside());
}

#[test]
fn zeros_are_set_aside() {
    assert_eq!(after(|path| change(path, |bytes| bytes.fill(0))), set_aside());
}

#[test]
fn a_truncated_file_is_set_aside() {
    assert_eq!(after(|path| change(path, |bytes| bytes.truncate(bytes.len() / 2))), set_aside());
    assert_eq!(after(|path| change(path, |bytes| bytes.truncate(5000))), set_aside());
}

#[test]
fn a_file_with_a_hole_is_set_aside() {
    assert_eq!(after(|path| change(path, |bytes| bytes[4096..12_288].fill(0))), set_aside());
}

#[test]
fn another_programs_database_is_set_aside_and_not_written_to() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("index.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE notes (text)").unwrap();
    let before = fs::read(&path).unwrap();
    assert!(SymbolStore::open(&path).unwrap().files().unwrap().is_empty());
    assert_eq!(fs::read(scratch.path().join("index.db.broken-1")).unwrap(), before);
}

#[test]
fn a_newer_version_is_set_aside() {
    let newer = |path: &Path| {
        Connection::open(path).unwrap().pragma_update(None, "user_version", 999).unwrap();
    };
    assert_eq!(after(newer), set_aside());
}

#[test]
fn a_directory_is_set_aside() {
    let in_the_way = |path: &Path| {
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
    };
    assert_eq!(after(in_the_way), set_aside());
}

#[test]
fn only_a_few_are_kept_aside() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("index.db");
    for _ in 0..8 {
        fs::write(&path, "rubbish").unwrap();
        SymbolStore::open(&path).unwrap();
    }
    assert_eq!(names_in(scratch.path()).len(), 6);
}

#[test]
fn damage_met_while_running_is_an_error_once_and_gone_at_the_next_start() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("index.db");
    let store = SymbolStore::open(&path).unwrap();
    store.replace(&[file("/a", "one")], &[]).unwrap();
    // A row that nobody of us wrote.
    let other = Connection::open(&path).unwrap();
    other.execute("UPDATE symbol SET kind = 200", []).unwrap();
    assert!(store.named("one").is_err());
    drop((store, other));
    assert!(SymbolStore::open(&path).unwrap().files().unwrap().is_empty());
}

/// A process that is killed leaves the database and a part of the log behind.
#[test]
fn a_kill_at_any_instant_leaves_all_or_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("index.db");
    let store = SymbolStore::open(&path).unwrap();
    store.replace(&[file("/old", "before")], &[]).unwrap();
    store.replace(&[file("/new", "after")], &["/old".into()]).unwrap();
    let log = fs::read(scratch.path().join("index.db-wal")).unwrap();
    for length in (0..=log.len()).step_by(1024) {
        let elsewhere = tempfile::tempdir().unwrap();
        let copy = elsewhere.path().join("index.db");
        fs::copy(&path, &copy).unwrap();
        fs::write(elsewhere.path().join("index.db-wal"), &log[..length]).unwrap();
        let found = SymbolStore::open(&copy).unwrap();
        let count = |name: &str| found.named(name).unwrap().len();
        let state = (count("before"), count("after"), found.files().unwrap().len());
        assert!(matches!(state, (0, 0, 0) | (1, 0, 1) | (0, 1, 1)), "{length}: {state:?}");
        drop(found);
        assert_eq!(names_in(elsewhere.path()), ["index.db"], "{length}");
    }
}
