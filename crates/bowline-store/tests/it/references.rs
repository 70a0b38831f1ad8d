//! An answer comes back for the very question in the very state of the world, until there is no room.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Barrier;
use std::thread;

use bowline_code::{Position, Span};
use bowline_store::{
    Limits, Origin, ReferenceKey, ReferenceStore, RelativePlace, Remembered, StoreError, SymbolStore,
};
use rusqlite::Connection;

use super::names_in;

pub(crate) fn key(world: u8, question: u32) -> ReferenceKey {
    let mut bytes = [0xa5; 32];
    bytes[..4].copy_from_slice(&question.to_le_bytes());
    ReferenceKey { world: [world; 32], question: bytes }
}

/// So many places, told apart from those of other questions by their lines.
pub(crate) fn places(question: u32, count: u32) -> Vec<RelativePlace> {
    let place = |n: u32| RelativePlace {
        file: format!("src/{}.rs", n % 3).into(),
        span: Span::new(Position::new(question + 1, n + 1), Position::new(question + 1, n + 9)),
    };
    (0..count).map(place).collect()
}

pub(crate) fn put(store: &ReferenceStore, world: u8, questions: impl IntoIterator<Item = u32>) {
    let answers: Vec<_> = questions.into_iter().map(|n| (key(world, n), places(n, 4))).collect();
    store.put(&answers).unwrap();
}

/// Which of these questions are answered, and each of them rightly.
fn known(store: &ReferenceStore, questions: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let answered = |n: &u32| match store.get(&key(1, *n)).unwrap() {
        Some(remembered) => {
            assert_eq!(remembered, Remembered { places: places(*n, 4), origin: Origin::Own });
            true
        }
        None => false,
    };
    questions.into_iter().filter(answered).collect()
}

fn entries(entries: usize) -> Limits {
    Limits { entries, ..Limits::default() }
}

#[test]
fn gives_back_what_it_was_given_in_its_order() {
    let store = ReferenceStore::in_memory().unwrap();
    let mut answer = places(7, 20);
    answer.reverse();
    store.put(&[(key(1, 7), answer.clone()), (key(1, 8), Vec::new())]).unwrap();
    let expected = |places| Some(Remembered { places, origin: Origin::Own });
    assert_eq!(store.get(&key(1, 7)).unwrap(), expected(answer));
    assert_eq!(store.get(&key(1, 8)).unwrap(), expected(Vec::new()));
    assert_eq!(store.count().unwrap(), 2);
}

#[test]
fn another_world_is_another_question_and_comes_back_with_its_answers() {
    let store = ReferenceStore::in_memory().unwrap();
    put(&store, 1, [1]);
    assert_eq!(store.get(&key(2, 1)).unwrap(), None);
    store.put(&[(key(2, 1), places(9, 1))]).unwrap();
    assert_eq!(known(&store, [1, 2]), [1]);
    assert_eq!(store.get(&key(2, 1)).unwrap().unwrap().places, places(9, 1));
}

#[test]
fn an_answer_put_again_replaces_the_old_one() {
    let store = ReferenceStore::in_memory().unwrap();
    store.put(&[(key(1, 1), places(5, 50))]).unwrap();
    put(&store, 1, [1]);
    assert_eq!((known(&store, [1]), store.count().unwrap()), (vec![1], 1));
}

#[test]
fn what_was_used_least_recently_goes_first() {
    let store = ReferenceStore::in_memory().unwrap().with_limits(entries(3));
    put(&store, 1, [1, 2, 3]);
    assert_eq!(known(&store, [2, 1]), [2, 1]);
    put(&store, 1, [4]);
    put(&store, 1, [5]);
    assert_eq!(known(&store, 1..=5), [1, 4, 5]);
    assert_eq!(store.count().unwrap(), 3);
}

#[test]
fn bytes_are_bounded_too_and_one_answer_never_costs_all_others() {
    let store = ReferenceStore::in_memory().unwrap();
    let limits = Limits { bytes: 20_000, ..Limits::default() };
    let store = store.with_limits(limits);
    for question in 0..20 {
        store.put(&[(key(1, question), places(question, 1000))]).unwrap();
    }
    let count = store.count().unwrap();
    assert!((2..=4).contains(&count), "{count}");
    assert!(store.get(&key(1, 19)).unwrap().is_some());
    store.put(&[(key(1, 99), places(99, 10_000))]).unwrap();
    assert_eq!((store.get(&key(1, 99)).unwrap(), store.count().unwrap()), (None, count));
}

#[test]
fn a_batch_larger_than_the_store_keeps_its_end() {
    let store = ReferenceStore::in_memory().unwrap().with_limits(entries(100));
    put(&store, 1, 0..1000);
    let kept = known(&store, 0..1000);
    assert_eq!((kept.len(), kept[0]), (98, 902));
}

#[test]
fn uses_are_remembered_by_the_next_process() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("references.db");
    put(&ReferenceStore::open(&path).unwrap(), 1, [1, 2, 3]);
    assert_eq!(known(&ReferenceStore::open(&path).unwrap(), [1]), [1]);
    let store = ReferenceStore::open(&path).unwrap().with_limits(entries(2));
    put(&store, 1, [4]);
    assert_eq!(known(&store, 1..=4), [1, 4]);
}

#[test]
fn many_uses_are_written_without_waiting_for_the_end() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("references.db");
    let store = ReferenceStore::open(&path).unwrap();
    put(&store, 1, 0..300);
    known(&store, 0..300);
    let used: i64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM entry WHERE used > 300", [], |row| row.get(0))
        .unwrap();
    assert_eq!(used, 256);
}

#[test]
fn reading_does_not_wait_for_a_writer() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("references.db");
    let store = ReferenceStore::open(&path).unwrap();
    put(&store, 1, 0..300);
    let other = Connection::open(&path).unwrap();
    other.execute("UPDATE entry SET places = x'00' WHERE id = 1", []).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let began = std::time::Instant::now();
    assert_eq!(known(&store, 0..300).len(), 299);
    drop(store);
    // One attempt to write that waits takes five seconds, and there were several.
    assert!(began.elapsed().as_secs() < 5);
}

#[test]
fn a_damaged_row_is_a_miss_and_is_removed() {
    for damage in
        ["places = x'00'", "places = zeroblob(100)", "origin = 7", "origin = -1", "question = zeroblob(32)"]
    {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("references.db");
        let store = ReferenceStore::open(&path).unwrap();
        put(&store, 1, [1, 2]);
        let other = Connection::open(&path).unwrap();
        other.execute(&format!("UPDATE entry SET {damage} WHERE id = 1"), []).unwrap();
        let moved = ReferenceKey { question: [0; 32], ..key(1, 1) };
        assert_eq!((store.get(&key(1, 1)).unwrap(), store.get(&moved).unwrap()), (None, None), "{damage}");
        assert_eq!((known(&store, [1, 2]), store.count().unwrap()), (vec![2], 1), "{damage}");
        assert!(!names_in(scratch.path()).iter().any(|name| name.contains("broken")), "{damage}");
    }
}

#[test]
fn a_place_outside_of_the_workspace_is_refused_with_all_that_came_with_it() {
    let store = ReferenceStore::in_memory().unwrap();
    for file in ["../a.rs", "/etc/passwd", "a/../../b", ""] {
        let mut outside = places(1, 2);
        outside[1].file = file.into();
        let refused = store.put(&[(key(1, 1), places(1, 4)), (key(1, 2), outside)]).unwrap_err();
        assert!(matches!(&refused, StoreError::BadPlace { file: named, .. } if named == Path::new(file)));
    }
    assert_eq!(store.count().unwrap(), 0);
    let mut outside = places(1, 1);
    outside[0].file = "../a.rs".into();
    let said = store.put(&[(key(1, 1), outside)]).unwrap_err().to_string();
    assert_eq!(said, "cannot remember a place in `../a.rs`: its path does not stay within the workspace");
}

#[test]
fn several_handles_write_and_read_one_file_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("references.db");
    let barrier = Barrier::new(4);
    thread::scope(|scope| {
        for writer in 0..4 {
            let (path, barrier) = (&path, &barrier);
            scope.spawn(move || {
                barrier.wait();
                let store = ReferenceStore::open(path).unwrap();
                for round in 0..20 {
                    put(&store, 1, [writer * 100 + round]);
                    assert_eq!(known(&store, [writer * 100 + round]).len(), 1);
                }
            });
        }
    });
    let store = ReferenceStore::open(&path).unwrap();
    assert_eq!((store.count().unwrap(), known(&store, 0..400).len()), (80, 80));
}

const PATH_FOR_CHILD: &str = "BOWLINE_STORE_TEST_PATH";

#[test]
fn several_processes_write_and_read_one_file_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("references.db");
    let children: Vec<_> = (0..3)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "references::child", "--ignored", "-q"])
                .env(PATH_FOR_CHILD, &path)
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = ReferenceStore::open(&path).unwrap();
    assert_eq!(known(&store, 0..50).len(), 50);
    assert_eq!(names_in(scratch.path()).iter().filter(|name| name.contains("broken")).count(), 0);
}

#[test]
#[ignore = "the other half of `several_processes_write_and_read_one_file_at_once`"]
fn child() {
    let Some(path) = std::env::var_os(PATH_FOR_CHILD) else { return };
    let store = ReferenceStore::open(Path::new(&path)).unwrap();
    for question in 0..50 {
        put(&store, 1, [question]);
        assert_eq!(known(&store, 0..=question).len() as u32, question + 1);
    }
}

#[test]
fn a_store_that_cannot_be_relied_on_is_set_aside() {
    let rubbish: [fn(&Path); 4] = [
        |path| fs::write(path, "[section]\nkey = 1\n").unwrap(),
        |path| drop(SymbolStore::open(path).unwrap()),
        |path| {
            put(&ReferenceStore::open(path).unwrap(), 1, 0..500);
            let mut bytes = fs::read(path).unwrap();
            bytes[4096..12_288].fill(0);
            fs::write(path, bytes).unwrap();
        },
        |path| {
            drop(ReferenceStore::open(path).unwrap());
            Connection::open(path).unwrap().pragma_update(None, "user_version", 2).unwrap();
        },
    ];
    for make in rubbish {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("references.db");
        make(&path);
        let store = ReferenceStore::open(&path).unwrap();
        assert_eq!(store.count().unwrap(), 0);
        put(&store, 1, [1]);
        drop(store);
        assert_eq!(known(&ReferenceStore::open(&path).unwrap(), [1]), [1]);
        assert_eq!(names_in(scratch.path()), ["references.db", "references.db.broken-1"]);
    }
}

#[test]
fn where_nothing_can_be_written_opening_is_an_error() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let read_only = scratch.path().join("read-only");
    fs::create_dir(&read_only).unwrap();
    fs::set_permissions(&read_only, std::os::unix::fs::PermissionsExt::from_mode(0o555)).unwrap();
    let mut paths = vec![file.join("references.db"), "/proc/nowhere/references.db".into()];
    // The superuser may write everywhere.
    if fs::create_dir(read_only.join("probe")).is_err() {
        paths.push(read_only.join("references.db"));
    }
    for path in paths {
        assert!(matches!(ReferenceStore::open(&path), Err(StoreError::Io { .. })), "{}", path.display());
    }
}

#[test]
fn can_be_used_from_any_thread() {
    fn shared<T: Send + Sync>() {}
    shared::<ReferenceStore>();
}
