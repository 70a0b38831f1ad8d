//! What one store exports another can import, and nothing is left lying about.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::thread;

use bowline_store::{ImportLimits, Limits, Origin, ReferenceStore, StoreError, is_exported};
use rusqlite::Connection;

use super::names_in;
use super::references::{key, places, put};

fn exported(store: &ReferenceStore) -> (Vec<u8>, usize) {
    let scratch = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    let count = store.export(&mut bytes, scratch.path()).unwrap();
    assert_eq!(names_in(scratch.path()), [""; 0]);
    (bytes, count)
}

fn imported(store: &ReferenceStore, bytes: &[u8]) -> usize {
    let scratch = tempfile::tempdir().unwrap();
    let count = store.import(&mut &*bytes, ImportLimits::ASKED_FOR, scratch.path()).unwrap();
    assert_eq!(names_in(scratch.path()), [""; 0]);
    count
}

fn memory(questions: impl IntoIterator<Item = u32>) -> ReferenceStore {
    let store = ReferenceStore::in_memory().unwrap();
    put(&store, 1, questions);
    store
}

/// The questions with an answer of this origin, each of them rightly answered.
fn of_origin(store: &ReferenceStore, origin: Origin) -> Vec<u32> {
    let of_origin = |n: &u32| {
        store.get(&key(1, *n)).unwrap().is_some_and(|found| {
            assert_eq!(found.places, places(*n, 4));
            found.origin == origin
        })
    };
    (0..200).filter(of_origin).collect()
}

#[test]
fn an_empty_store_takes_everything() {
    let (bytes, count) = exported(&memory(0..100));
    let store = memory([]);
    assert_eq!((count, imported(&store, &bytes), store.count().unwrap()), (100, 100, 100));
    assert_eq!(of_origin(&store, Origin::Shared), (0..100).collect::<Vec<_>>());
    assert_eq!(imported(&store, &bytes), 0);
}

#[test]
fn what_is_too_large_for_its_reader_is_refused_whole() {
    let (bytes, _) = exported(&memory(0..100));
    let scratch = tempfile::tempdir().unwrap();
    let store = memory([]);
    let most = ImportLimits { unpacked: 8 << 10 };
    let refused = store.import(&mut &*bytes, most, scratch.path()).unwrap_err();
    assert!(matches!(&refused, StoreError::TooLarge(why) if why.contains("8192 bytes")), "{refused:?}");
    assert_eq!((store.count().unwrap(), names_in(scratch.path()).len()), (0, 0));
    assert_eq!(ImportLimits::BROUGHT_ALONG.unpacked, 64 << 20);
}

#[test]
fn an_export_is_known_by_its_beginning() {
    let (bytes, _) = exported(&memory(0..3));
    assert!(is_exported(&mut &*bytes) && is_exported(&mut &bytes[..bytes.len() / 2]));
    let packed = |content: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    };
    let foreign = [&b"SQLite format 3\0"[..], &[0; 200]].concat();
    for other in [vec![], b"text".to_vec(), packed(b"text"), packed(&foreign), foreign.clone()] {
        assert!(!is_exported(&mut &*other), "{other:?}");
    }
}

#[test]
fn own_answers_win_over_imported_ones() {
    let (bytes, _) = exported(&memory(0..10));
    let store = memory([2, 3, 50]);
    assert_eq!((imported(&store, &bytes), store.count().unwrap()), (8, 11));
    assert_eq!(of_origin(&store, Origin::Own), [2, 3, 50]);
    put(&store, 1, [4]);
    assert_eq!(of_origin(&store, Origin::Own), [2, 3, 4, 50]);
}

#[test]
fn an_empty_store_can_be_exported_and_imported() {
    let (bytes, count) = exported(&memory([]));
    assert_eq!((count, imported(&memory([1]), &bytes)), (0, 0));
}

#[test]
fn files_on_disk_that_others_hold_open_are_exported_and_imported_into() {
    let scratch = tempfile::tempdir().unwrap();
    let open = |name: &str| ReferenceStore::open(&scratch.path().join(name)).unwrap();
    let (from, to) = (open("from"), open("to"));
    let watching = open("to");
    put(&from, 1, 0..50);
    put(&to, 1, [1]);
    let (bytes, count) = exported(&from);
    assert_eq!((count, imported(&to, &bytes)), (50, 49));
    assert_eq!(of_origin(&watching, Origin::Shared).len(), 49);
    put(&watching, 1, [2]);
    assert_eq!(of_origin(&to, Origin::Own), [1, 2]);
    drop((from, to, watching));
    assert_eq!(names_in(scratch.path()), ["from", "to"]);
}

#[test]
fn what_was_imported_can_be_passed_on() {
    let (bytes, _) = exported(&memory(0..5));
    let between = memory([7]);
    imported(&between, &bytes);
    let last = memory([]);
    assert_eq!(imported(&last, &exported(&between).0), 6);
    assert_eq!(of_origin(&last, Origin::Shared), [0, 1, 2, 3, 4, 7]);
}

#[test]
fn an_import_keeps_within_the_limits_and_the_most_recently_used() {
    let from = memory(0..20);
    from.get(&key(1, 0)).unwrap();
    put(&from, 1, []);
    let store = memory(100..105).with_limits(Limits { entries: 3, ..Limits::default() });
    imported(&store, &exported(&from).0);
    assert_eq!(of_origin(&store, Origin::Shared), [0, 18, 19]);
    let narrow = memory([]).with_limits(Limits { bytes: 10, ..Limits::default() });
    assert_eq!((imported(&narrow, &exported(&from).0), narrow.count().unwrap()), (0, 0));
}

#[test]
fn the_same_answers_give_the_same_file() {
    assert_eq!(exported(&memory(0..50)), exported(&memory(0..50)));
    let store = memory(0..50);
    assert_eq!(exported(&store), exported(&store));
}

#[test]
fn a_damaged_row_does_not_spoil_an_export() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("references.db");
    let store = ReferenceStore::open(&path).unwrap();
    put(&store, 1, 0..5);
    let other = Connection::open(&path).unwrap();
    other.execute("UPDATE entry SET places = x'00' WHERE id = 2", []).unwrap();
    other.execute("UPDATE entry SET world = x'00' WHERE id = 3", []).unwrap();
    let (bytes, count) = exported(&store);
    assert_eq!((count, imported(&memory([]), &bytes), store.count().unwrap()), (3, 3, 5));
}

#[test]
fn a_writer_that_fails_leaves_nothing_behind() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let scratch = tempfile::tempdir().unwrap();
    for room in [0, 10, 500] {
        let failed = memory(0..100).export(&mut Full(room), scratch.path()).unwrap_err();
        assert!(matches!(failed, StoreError::Write(_)), "{failed:?}");
        assert_eq!(names_in(scratch.path()), [""; 0]);
    }
}

#[test]
fn a_scratch_directory_is_made_and_one_that_cannot_be_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let store = memory([1]);
    let mut bytes = Vec::new();
    store.export(&mut bytes, &directory.path().join("new/er")).unwrap();
    assert_eq!(names_in(&directory.path().join("new/er")), [""; 0]);
    for nowhere in ["/proc/nowhere", "/dev/null/x"] {
        let failed = store.export(&mut Vec::new(), Path::new(nowhere)).unwrap_err();
        assert!(matches!(failed, StoreError::Io { .. }), "{failed:?}");
        let failed = store.import(&mut &*bytes, ImportLimits::ASKED_FOR, Path::new(nowhere)).unwrap_err();
        assert!(matches!(failed, StoreError::Io { .. }), "{failed:?}");
    }
}

#[test]
fn odd_names_of_scratch_directories_mean_nothing() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["a b", "a?immutable=0", "a#b", "a%41", "it's \"so\"", "ü"] {
        let scratch = directory.path().join(name);
        let mut bytes = Vec::new();
        assert_eq!(memory([1, 2]).export(&mut bytes, &scratch).unwrap(), 2, "{name}");
        assert_eq!(memory([]).import(&mut &*bytes, ImportLimits::ASKED_FOR, &scratch).unwrap(), 2, "{name}");
        assert_eq!(names_in(&scratch), [""; 0], "{name}");
    }
}

/// A process that is killed leaves the database and a part of the log behind.
#[test]
fn a_kill_during_an_import_leaves_all_or_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("to");
    let store = ReferenceStore::open(&path).unwrap();
    put(&store, 1, [150]);
    imported(&store, &exported(&memory(0..100)).0);
    let log = fs::read(scratch.path().join("to-wal")).unwrap();
    let mut seen = Vec::new();
    for length in (0..log.len()).step_by(1024).chain([log.len()]) {
        let elsewhere = tempfile::tempdir().unwrap();
        let copy = elsewhere.path().join("to");
        fs::copy(&path, &copy).unwrap();
        fs::write(elsewhere.path().join("to-wal"), &log[..length]).unwrap();
        seen.push(ReferenceStore::open(&copy).unwrap().count().unwrap());
    }
    seen.dedup();
    assert_eq!(seen, [0, 1, 101]);
}

#[test]
fn others_go_on_writing_while_one_imports() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("to");
    let (bytes, _) = exported(&memory(0..100));
    let store = || ReferenceStore::open(&path).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| imported(&store(), &bytes));
        scope.spawn(|| imported(&store(), &bytes));
        let writer = store();
        (50..150).for_each(|question| put(&writer, 1, [question]));
    });
    let store = store();
    assert_eq!(of_origin(&store, Origin::Shared), (0..50).collect::<Vec<_>>());
    assert_eq!(of_origin(&store, Origin::Own), (50..150).collect::<Vec<_>>());
}
