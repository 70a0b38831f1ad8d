//! Conversations: what several take part in is never lost, and never made up.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use bowline_store::{ConversationRow, ConversationStore, NewRow, RowFound, RowMark, StoreError};
use rusqlite::Connection;

use super::names_in;

type Damage = fn(&Path);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + 20_000 * DAY
}

fn open(path: &Path) -> ConversationStore {
    ConversationStore::open(path, now()).unwrap()
}

fn new(state: &str, log: &[&str]) -> NewRow {
    NewRow { state: state.into(), anew: false, log: log.iter().map(|entry| (*entry).into()).collect() }
}

fn put(store: &ConversationStore, name: &str, row: NewRow) -> RowMark {
    store.change::<StoreError>(name, None, 0, now(), |_| Ok(Some(row))).unwrap().unwrap()
}

/// One more call, counted in the state.
fn count(store: &ConversationStore) {
    let more = |found| {
        let counted = match found {
            RowFound::Nothing => 0,
            RowFound::Other(ConversationRow { state, .. }) => state.parse::<u64>().unwrap(),
            RowFound::Same => unreachable!("nothing is known"),
        };
        Ok(Some(new(&(counted + 1).to_string(), &["call"])))
    };
    store.change::<StoreError>("talk", None, 0, now(), more).unwrap();
}

fn row(found: RowFound) -> ConversationRow {
    match found {
        RowFound::Other(row) => row,
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_knows_it_already_is_told_so_and_others_are_told_what_is_new() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("state/ledger.db");
    let (first, second) = (open(&path), open(&path));
    assert_eq!(first.read("talk", None, 10).unwrap(), RowFound::Nothing);
    let known = put(&first, "talk", new("one", &["a", "b"]));
    assert_eq!((known.version, known.calls), (1, 2));
    assert_eq!(first.read("talk", Some(known), 10).unwrap(), RowFound::Same);
    assert_eq!(second.read("other", Some(known), 10).unwrap(), RowFound::Nothing);

    let later = put(&second, "talk", new("two", &["c", "d", "e"]));
    let found = row(first.read("talk", Some(known), 10).unwrap());
    assert_eq!(
        (found.mark, &*found.state, found.log),
        (later, "two", vec!["c".into(), "d".into(), "e".into()])
    );
    let last = row(first.read("talk", None, 2).unwrap());
    assert_eq!(last.log, ["d", "e"]);
}

#[test]
fn what_begins_anew_has_a_new_number_and_no_past() {
    let scratch = tempfile::tempdir().unwrap();
    let store = open(&scratch.path().join("ledger.db"));
    let old = put(&store, "talk", new("one", &["a", "b"]));
    let anew = put(&store, "talk", NewRow { anew: true, ..new("two", &["c"]) });
    assert!(anew.row > old.row);
    let found = row(store.read("talk", Some(old), 10).unwrap());
    assert_eq!((found.mark.calls, found.log), (1, vec!["c".into()]));
    store.remove("talk").unwrap();
    assert_eq!(store.read("talk", Some(anew), 10).unwrap(), RowFound::Nothing);
    assert!(put(&store, "talk", new("three", &[])).row > anew.row);
}

#[test]
fn work_that_fails_or_panics_changes_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let store = open(&scratch.path().join("ledger.db"));
    let known = put(&store, "talk", new("one", &["a"]));
    let failed = store.change("talk", None, 0, now(), |_| Err(StoreError::Busy));
    assert!(matches!(failed, Err(StoreError::Busy)));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        store.change::<StoreError>("talk", None, 0, now(), |_| panic!("on purpose"))
    }));
    assert!(panicked.is_err());
    assert_eq!(store.change::<StoreError>("talk", None, 0, now(), |_| Ok(None)).unwrap(), Some(known));
    assert_eq!(store.read("talk", Some(known), 0).unwrap(), RowFound::Same);
}

#[test]
fn nobody_loses_what_another_has_written() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("ledger.db");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let store = open(&path);
                (0..50).for_each(|_| count(&store));
            });
        }
    });
    let found = row(open(&path).read("talk", None, 0).unwrap());
    assert_eq!((&*found.state, found.mark.version, found.mark.calls), ("200", 200, 200));
    assert_eq!(open(&path).logged("talk").unwrap(), 200);
}

#[test]
fn what_is_long_over_is_forgotten_at_an_opening() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("ledger.db");
    let store = open(&path);
    put(&store, "old", new("state", &["a", "b"]));
    let later = now() + 2 * DAY;
    store.change::<StoreError>("young", None, 0, later, |_| Ok(Some(new("state", &["c"])))).unwrap();
    let names = |after: Duration| {
        let store = ConversationStore::open(&path, now() + after).unwrap();
        ["old", "young"].map(|name| {
            (store.read(name, None, 9).unwrap() != RowFound::Nothing, store.logged(name).unwrap())
        })
    };
    assert_eq!(names(29 * DAY), [(true, 2), (true, 1)]);
    assert_eq!(names(31 * DAY), [(false, 0), (true, 1)]);
    let left: i64 =
        Connection::open(&path).unwrap().query_row("SELECT count(*) FROM log", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 1);
}

#[test]
fn a_log_has_an_end_and_its_count_goes_on() {
    let scratch = tempfile::tempdir().unwrap();
    let store = open(&scratch.path().join("ledger.db"));
    put(&store, "talk", new("state", &vec!["x"; 100_000]));
    let mark = put(&store, "talk", new("state", &["y", "z"]));
    assert_eq!((mark.calls, store.logged("talk").unwrap()), (100_002, 100_000));
    assert_eq!(row(store.read("talk", None, 3).unwrap()).log, ["x", "y", "z"]);
}

/// What is damaged may have held a rule: it is neither made anew nor set aside, until a person has decided.
#[test]
fn a_damaged_one_is_an_error_and_stays_where_it_is() {
    let damages: [(&str, Damage); 6] = [
        ("rubbish", |path| fs::write(path, "[section]\nkey = 1\n").unwrap()),
        ("zeros", |path| fs::write(path, vec![0; fs::read(path).unwrap().len()]).unwrap()),
        ("cut", |path| fs::write(path, &fs::read(path).unwrap()[..5000]).unwrap()),
        ("a hole", |path| {
            let mut bytes = fs::read(path).unwrap();
            bytes[4096..8192].fill(0);
            fs::write(path, bytes).unwrap();
        }),
        ("a newer version", |path| {
            Connection::open(path).unwrap().pragma_update(None, "user_version", 999).unwrap();
        }),
        ("a directory", |path| {
            fs::remove_file(path).unwrap();
            fs::create_dir(path).unwrap();
        }),
    ];
    for (what, damage) in damages {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("ledger.db");
        put(&open(&path), "talk", new("state", &["a", "b", "c"]));
        damage(&path);
        let before = fs::read(&path).ok();
        for _ in 0..2 {
            let error = ConversationStore::open(&path, now()).unwrap_err();
            assert!(matches!(error, StoreError::Lost { .. }), "{what}: {error}");
            assert!(error.to_string().contains("whoever moves it away decides to forget that"), "{error}");
        }
        assert_eq!(fs::read(&path).ok(), before, "{what}");
        assert_eq!(names_in(scratch.path()), ["ledger.db"], "{what}");
    }
}

#[test]
fn damage_met_while_running_is_an_error_each_time() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("ledger.db");
    let store = open(&path);
    put(&store, "talk", new("state", &["a"]));
    Connection::open(&path).unwrap().execute_batch("DROP TABLE log").unwrap();
    for _ in 0..2 {
        assert!(store.change::<StoreError>("talk", None, 0, now(), |_| Ok(Some(new("x", &["b"])))).is_err());
    }
    assert!(path.exists());
    drop(store);
    assert!(ConversationStore::open(&path, now()).and_then(|store| store.read("talk", None, 9)).is_err());
}

/// A process that is killed leaves the database and a part of the log of its writes behind.
#[test]
fn a_kill_at_any_instant_leaves_the_last_state_whole() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("ledger.db");
    let store = open(&path);
    (0..5).for_each(|_| count(&store));
    let log = fs::read(scratch.path().join("ledger.db-wal")).unwrap();
    let mut seen = 0;
    for length in (0..log.len()).step_by(1024).chain([log.len()]) {
        let elsewhere = tempfile::tempdir().unwrap();
        let copy = elsewhere.path().join("ledger.db");
        fs::copy(&path, &copy).unwrap();
        fs::write(elsewhere.path().join("ledger.db-wal"), &log[..length]).unwrap();
        let found = open(&copy);
        let calls = match found.read("talk", None, 0).unwrap() {
            RowFound::Nothing => 0,
            found => {
                let found = row(found);
                assert_eq!(found.state, found.mark.version.to_string(), "{length}");
                assert_eq!(found.mark.version, found.mark.calls, "{length}");
                found.mark.calls
            }
        };
        assert_eq!(i64::try_from(found.logged("talk").unwrap()).unwrap(), calls, "{length}");
        assert!(calls >= seen, "{length}");
        seen = calls;
        // And it goes on from there.
        count(&found);
    }
    assert_eq!(seen, 5);
}
