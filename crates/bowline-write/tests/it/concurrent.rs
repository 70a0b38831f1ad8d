//! Many writers with one directory of their own, in threads and in processes.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use bowline_write::{Change, Limits, WriteError, Writer};

use crate::{Place, hash, write};

const PLACE: &str = "BOWLINE_WRITE_TEST_PLACE";

/// Adds one to two counters that must never differ; how often it had to look again.
fn count_up(writer: &Writer, root: &Path, times: usize) -> usize {
    let mut lost = 0;
    for _ in 0..times {
        loop {
            let texts = ["a", "b"].map(|name| std::fs::read_to_string(root.join(name)).unwrap_or_default());
            let changes = ["a", "b"].into_iter().zip(&texts).map(|(name, text)| {
                let next = text.parse::<usize>().unwrap_or(0) + 1;
                Change::modify(root.join(name), hash(text), next.to_string())
            });
            match write(writer, changes) {
                Ok(_) => break,
                Err(error) => {
                    assert!(matches!(error, WriteError::Changed { .. } | WriteError::Moved(_)), "{error}");
                    lost += 1;
                }
            }
        }
    }
    lost
}

#[test]
fn threads_lose_no_change() {
    let place = Place::new();
    place.put("a", "0");
    place.put("b", "0");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| count_up(&place.writer(), &place.root, 25));
        }
    });
    assert_eq!((place.text("a"), place.text("b"), place.tree().len()), ("100".into(), "100".into(), 2));
}

fn child(test: &str, place: &Place) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored"]).env(PLACE, place.keep.path().canonicalize().unwrap());
    command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
}

fn of_parent() -> Option<(Writer, PathBuf)> {
    let dir = PathBuf::from(std::env::var_os(PLACE)?);
    Some((Writer::new(vec![dir.join("project")], dir.join("state")), dir.join("project")))
}

#[test]
fn processes_lose_no_change() {
    let place = Place::new();
    place.put("a", "0");
    place.put("b", "0");
    let children: Vec<Child> = (0..4).map(|_| child("concurrent::child_counts", &place)).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!((place.text("a"), place.text("b"), place.tree().len()), ("100".into(), "100".into(), 2));
}

#[test]
#[ignore = "run by its parent, four times at once"]
fn child_counts() {
    let Some((writer, root)) = of_parent() else { return };
    count_up(&writer, &root, 25);
}

/// Killed at moments that nobody chose, with others at work: the counters never part.
#[test]
fn killed_processes_leave_nothing_half_done() {
    let place = Place::new();
    place.put("a", "0");
    place.put("b", "0");
    for round in 0..20 {
        let mut one = child("concurrent::child_counts_for_ever", &place);
        let mut other = child("concurrent::child_counts_for_ever", &place);
        std::thread::sleep(Duration::from_millis(30 + 7 * round));
        one.kill().unwrap();
        one.wait().unwrap();
        std::thread::sleep(Duration::from_millis(10));
        other.kill().unwrap();
        other.wait().unwrap();
        place.writer().recover().unwrap();
        assert_eq!(place.text("a"), place.text("b"));
        assert_eq!((place.tree(), place.names("journal")), (vec!["a".into(), "b".into()], vec![]));
    }
    assert!(place.text("a").parse::<usize>().unwrap() > 0);
}

#[test]
#[ignore = "run by its parent, which kills it"]
fn child_counts_for_ever() {
    let Some((writer, root)) = of_parent() else { return };
    count_up(&writer, &root, usize::MAX);
}

/// A start need not wait for somebody else's write, unless there is something to recover.
#[test]
fn a_recovery_of_nothing_waits_for_nobody() {
    let place = Place::new();
    let path = place.put("a", "a");
    let writer = place.limited(Limits { wait: Duration::from_millis(50), ..Limits::default() });
    assert_eq!(writer.recover().unwrap(), []);
    assert!(!place.state.exists());
    write(&writer, [Change::modify(&path, hash("a"), "b")]).unwrap();
    let held = std::fs::File::open(place.state.join("lock")).unwrap();
    held.lock().unwrap();
    assert_eq!(writer.recover().unwrap(), []);
    let journal = place.state.join("journal");
    std::fs::write(journal.join("old.staged.bad"), "put aside").unwrap();
    assert_eq!(writer.recover().unwrap(), []);
    for left in [journal.join("some.staged"), place.state.join("packs/stray.pack")] {
        std::fs::write(&left, "left behind").unwrap();
        let busy = writer.recover().unwrap_err();
        assert_eq!(busy.to_string(), "another bowline is writing; it was waited for 0 s");
        std::fs::remove_file(left).unwrap();
    }
}

#[test]
fn whoever_waits_too_long_is_told() {
    let place = Place::new();
    let path = place.put("a", "a");
    let writer = place.limited(Limits { wait: Duration::from_millis(50), ..Limits::default() });
    write(&writer, [Change::modify(&path, hash("a"), "b")]).unwrap();
    let held = std::fs::File::open(place.state.join("lock")).unwrap();
    held.lock().unwrap();
    let busy = write(&writer, [Change::modify(&path, hash("b"), "c")]).unwrap_err();
    assert_eq!(busy.to_string(), "another bowline is writing; it was waited for 0 s");
    drop(held);
    write(&writer, [Change::modify(&path, hash("b"), "c")]).unwrap();
}
