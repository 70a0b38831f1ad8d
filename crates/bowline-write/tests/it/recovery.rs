//! What was left unfinished is brought to an end, and what somebody else did meanwhile is theirs.

use std::path::PathBuf;

use bowline_write::{Change, Outcome};
use serde_json::{Value, json};

use crate::{Place, hash, write};

const ID: &str = "0198a7c1d2e37f00812345678901abcd";

/// A journal as a process would leave it that died in this phase.
fn journal(place: &Place, phase: &str, files: &[Value]) -> PathBuf {
    write(&place.writer(), [Change::create(place.root.join("first"), "x")]).unwrap();
    let record = json!({
        "format": 1, "id": ID, "at": "2026-11-16T08:30:00.000Z", "label": "test", "files": files,
    });
    let path = place.state.join("journal").join(format!("{ID}.{phase}"));
    std::fs::write(&path, record.to_string()).unwrap();
    path
}

fn file(place: &Place, name: &str, before: Option<&str>, after: Option<&str>) -> Value {
    let size = before.map_or(0, str::len);
    json!({
        "path": place.root.join(name), "before": before.map(hash), "after": after.map(hash), "size": size,
    })
}

fn stage(number: usize) -> String {
    format!(".bowline-{ID}-{number}.tmp")
}

/// What recovery says: outcome, and each conflict with what was kept for it.
fn recovered(place: &Place) -> (Outcome, Vec<(String, Option<String>)>) {
    let mut all = place.writer().recover().unwrap();
    assert_eq!(all.len(), 1, "{all:?}");
    let one = all.remove(0);
    let conflicts = one.conflicts.into_iter().map(|conflict| {
        let path = conflict.path.strip_prefix(&place.root).unwrap().display().to_string();
        (path, conflict.kept.map(|kept| std::fs::read_to_string(kept).unwrap()))
    });
    let said = (one.outcome, conflicts.collect());
    assert_eq!(place.writer().recover().unwrap(), [], "a second recovery found something");
    let litter = place.tree().into_iter().filter(|name| name.contains("bowline")).count();
    assert_eq!((litter, place.names("journal")), (0, vec![]));
    said
}

#[test]
fn an_exchange_is_taken_back() {
    let place = Place::new();
    place.put("a", "new");
    place.put(&stage(0), "old");
    journal(&place, "staged", &[file(&place, "a", Some("old"), Some("new"))]);
    assert_eq!(recovered(&place), (Outcome::RolledBack, vec![]));
    assert_eq!(place.text("a"), "old");
}

#[test]
fn a_commit_is_finished_and_has_its_receipt() {
    let place = Place::new();
    place.put("a", "new");
    place.put(&stage(0), "old");
    journal(&place, "committed", &[file(&place, "a", Some("old"), Some("new"))]);
    assert_eq!(place.writer().receipt(ID).unwrap().id, ID, "known before it is tidied up");
    assert_eq!(recovered(&place), (Outcome::Finished, vec![]));
    assert_eq!(place.text("a"), "new");
    assert_eq!(place.writer().receipt(ID).unwrap().label, "test");
}

#[test]
fn a_new_file_goes_and_a_removed_one_returns() {
    let place = Place::new();
    place.put("new", "n");
    place.put(&stage(1), "r");
    let files = [file(&place, "new", None, Some("n")), file(&place, "removed", Some("r"), None)];
    journal(&place, "staged", &files);
    assert_eq!(recovered(&place), (Outcome::RolledBack, vec![]));
    assert_eq!((place.tree(), place.text("removed")), (vec!["first".into(), "removed".into()], "r".into()));
}

#[test]
fn before_everything_was_staged_no_file_is_touched() {
    let place = Place::new();
    place.put("a", "new");
    place.put(&stage(0), "hal");
    journal(&place, "prepared", &[file(&place, "a", Some("old"), Some("new"))]);
    assert_eq!(recovered(&place), (Outcome::RolledBack, vec![]));
    assert_eq!(place.text("a"), "new", "somebody made the same change by hand");
}

#[test]
fn what_somebody_changed_since_is_theirs_and_the_old_version_is_kept() {
    let place = Place::new();
    place.put("a", "theirs");
    place.put(&stage(0), "old");
    place.put("b", "new");
    place.put(&stage(1), "old b");
    place.put("c", "again");
    place.put(&stage(2), "removed");
    place.put("d", "edited");
    let files = [
        file(&place, "a", Some("old"), Some("new")),
        file(&place, "b", Some("old b"), Some("new")),
        file(&place, "c", Some("removed"), None),
        file(&place, "d", None, Some("new")),
    ];
    journal(&place, "staged", &files);
    let conflicts =
        vec![("d".into(), None), ("c".into(), Some("removed".into())), ("a".into(), Some("old".into()))];
    assert_eq!(recovered(&place), (Outcome::RolledBack, conflicts));
    let texts = ["a", "b", "c", "d"].map(|name| place.text(name));
    assert_eq!(texts, ["theirs", "old b", "again", "edited"]);
}

/// Killed between the exchange and the look at what came out of it.
#[test]
fn an_edit_that_was_exchanged_by_accident_comes_back() {
    let place = Place::new();
    place.put("a", "new");
    place.put(&stage(0), "their edit");
    journal(&place, "staged", &[file(&place, "a", Some("old"), Some("new"))]);
    assert_eq!(recovered(&place), (Outcome::RolledBack, vec![]));
    assert_eq!(place.text("a"), "their edit");
}

#[test]
fn a_stage_that_somebody_cleaned_away_is_taken_from_the_pack() {
    let place = Place::new();
    place.put("a", "new");
    journal(&place, "staged", &[file(&place, "a", Some("old"), Some("new"))]);
    std::fs::write(place.state.join("packs").join(format!("{ID}.pack")), "old").unwrap();
    assert_eq!(recovered(&place), (Outcome::RolledBack, vec![]));
    assert_eq!(place.text("a"), "old");
}

#[test]
fn a_write_settles_what_was_left_before() {
    let place = Place::new();
    let a = place.put("a", "new");
    place.put(&stage(0), "old");
    journal(&place, "staged", &[file(&place, "a", Some("old"), Some("new"))]);
    let on_top = write(&place.writer(), [Change::modify(&a, hash("new"), "newer")]);
    assert!(on_top.unwrap_err().to_string().contains("is not what it was"));
    write(&place.writer(), [Change::modify(&a, hash("old"), "newer")]).unwrap();
    assert_eq!((place.text("a"), place.tree().len()), ("newer".into(), 2));
}

#[test]
fn a_directory_that_went_away_is_no_reason_to_stop() {
    let place = Place::new();
    place.put("b", "new");
    place.put(&stage(1), "old");
    let files =
        [file(&place, "gone/a", Some("old"), Some("new")), file(&place, "b", Some("old"), Some("new"))];
    journal(&place, "staged", &files);
    assert_eq!(recovered(&place), (Outcome::RolledBack, vec![("gone/a".into(), None)]));
    assert_eq!(place.text("b"), "old");
}

#[test]
fn what_was_put_aside_is_dropped_one_day() {
    let place = Place::new();
    journal(&place, "staged", &[file(&place, "a", Some("old"), Some("new"))]);
    let put = |part: &str, name: String, age: u64| {
        let file = std::fs::File::create(place.state.join(part).join(name)).unwrap();
        file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(age)).unwrap();
    };
    for age in 1..=60_u64 {
        put("kept", format!("{:032x}-0", 1000 + age), age);
        put("journal", format!("{age}.staged.bad"), age);
    }
    // One write that had to put many aside, just now.
    for number in 0..70 {
        put("kept", format!("{ID}-{number}"), 0);
    }
    place.writer().recover().unwrap();
    assert_eq!((place.names("kept").len(), place.names("journal").len()), (70, 50));
    assert!(place.names("journal").contains(&"50.staged.bad".to_owned()));
    assert!(!place.names("journal").contains(&"51.staged.bad".to_owned()));
    put("kept", "f-0".to_owned(), 0);
    write(&place.writer(), [Change::create(place.root.join("b"), "b")]).unwrap();
    assert_eq!(place.names("kept").len(), 50);
}

#[test]
fn other_roots_journals_are_left_alone() {
    let place = Place::new();
    let other = json!({ "path": "/elsewhere/a", "before": hash("o"), "after": hash("n"), "size": 1 });
    let path = journal(&place, "staged", &[file(&place, "a", Some("old"), Some("new")), other]);
    assert_eq!(place.writer().recover().unwrap(), []);
    assert!(path.exists());
}
