//! Taking back what was written, and taking back the taking back.

use std::os::unix::fs::PermissionsExt;

use bowline_write::{Change, Limits, WriteError};

use crate::{Place, hash, write};

#[test]
fn a_write_is_taken_back_and_done_again() {
    let place = Place::new();
    let (a, b) = (place.put("a.rs", "a"), place.put("tool.sh", "#!"));
    std::fs::set_permissions(&b, PermissionsExt::from_mode(0o750)).unwrap();
    let writer = place.writer();
    let old = place.tree();
    let first = write(
        &writer,
        [
            Change::modify(&a, hash("a"), "A"),
            Change::remove(&b, hash("#!")),
            Change::create(place.root.join("new/deep/c.rs"), "c"),
        ],
    )
    .unwrap();
    let new = place.tree();

    let undo = writer.write(writer.undoing(&first.id).unwrap(), &|_| true).unwrap();
    assert_eq!(undo.undoes.as_deref(), Some(first.id.as_str()));
    assert_eq!(
        (place.tree(), place.text("a.rs"), place.text("tool.sh")),
        (old.clone(), "a".into(), "#!".into())
    );
    assert_eq!(b.metadata().unwrap().permissions().mode() & 0o7777, 0o750);

    let redo = writer.write(writer.undoing(&undo.id).unwrap(), &|_| true).unwrap();
    assert_eq!((place.tree(), place.text("a.rs")), (new, "A".into()));
    writer.write(writer.undoing(&redo.id).unwrap(), &|_| true).unwrap();
    assert_eq!(place.tree(), old);
    assert_eq!(writer.receipts().unwrap().len(), 4);
    assert_eq!(writer.receipts().unwrap()[3].id, first.id);
}

#[test]
fn an_undo_shows_what_it_does() {
    let place = Place::new();
    let path = place.put("a", "a\n");
    let limits = Limits { diff_bytes: 60, ..Limits::default() };
    let writer = place.limited(limits);
    let diff = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n";
    let first = write(&writer, [Change::modify(&path, hash("a\n"), "b\n").diff(diff)]).unwrap();
    let undo = writer.write(writer.undoing(&first.id).unwrap(), &|_| true).unwrap();
    let shown = undo.files[0].diff.as_deref();
    assert_eq!(shown, Some("--- b/a\n+++ a/a\n@@ -1 +1 @@\n-b\n+a\n"));
    let long = format!("{diff}@@ -9 +9 @@\n-{}\n+y\n", "x".repeat(50));
    let cut = write(&writer, [Change::modify(&path, hash("a\n"), "c").diff(long)]).unwrap();
    assert_eq!(writer.undoing(&cut.id).unwrap().changes[0].diff, None);
}

#[test]
fn a_file_changed_since_stops_the_whole_undo() {
    let place = Place::new();
    let (a, b) = (place.put("a", "1"), place.put("b", "1"));
    let writer = place.writer();
    let both = [Change::modify(&a, hash("1"), "2"), Change::modify(&b, hash("1"), "2")];
    let receipt = write(&writer, both).unwrap();
    place.put("b", "somebody else's");
    let refused = writer.write(writer.undoing(&receipt.id).unwrap(), &|_| true).unwrap_err();
    assert!(matches!(refused, WriteError::Changed { path, .. } if path == b));
    assert_eq!((place.text("a"), place.text("b")), ("2".into(), "somebody else's".into()));
}

#[test]
fn a_second_undo_says_that_there_was_a_first() {
    let place = Place::new();
    let a = place.put("a", "1");
    let writer = place.writer();
    let receipt = write(&writer, [Change::modify(&a, hash("1"), "2")]).unwrap();
    let undo = writer.write(writer.undoing(&receipt.id).unwrap(), &|_| true).unwrap();
    let again = || writer.write(writer.undoing(&receipt.id).unwrap(), &|_| true);
    assert!(matches!(again(), Err(WriteError::UndoneBefore { by, .. }) if by == undo.id));
    // Taken back itself, it no longer counts.
    writer.write(writer.undoing(&undo.id).unwrap(), &|_| true).unwrap();
    place.put("a", "theirs");
    assert!(matches!(again(), Err(WriteError::Changed { .. })));
    place.put("a", "2");
    again().unwrap();
}

#[test]
fn a_directory_with_somebody_elses_file_outlives_the_undo() {
    let place = Place::new();
    let writer = place.writer();
    let receipt = write(&writer, [Change::create(place.root.join("new/a"), "a")]).unwrap();
    place.put("new/theirs", "x");
    writer.write(writer.undoing(&receipt.id).unwrap(), &|_| true).unwrap();
    assert_eq!(place.tree(), ["new/", "new/theirs"]);
}

#[test]
fn the_oldest_receipts_go_first() {
    let place = Place::new();
    let path = place.put("a", "0");
    let writer = place.limited(Limits { receipts: 3, ..Limits::default() });
    let mut ids = Vec::new();
    for n in 0..6 {
        let change = Change::modify(&path, hash(n.to_string()), (n + 1).to_string());
        ids.push(write(&writer, [change]).unwrap().id);
    }
    let kept: Vec<String> = writer.receipts().unwrap().into_iter().map(|receipt| receipt.id).collect();
    assert_eq!(kept, [ids[5].as_str(), &ids[4], &ids[3]]);
    assert_eq!(place.names("packs").len(), 3);
    let gone = writer.undoing(&ids[0]).unwrap_err().to_string();
    assert_eq!(gone, format!("there is no receipt `{}`; the oldest are dropped first", ids[0]));
}

#[test]
fn old_versions_are_kept_within_a_bound_but_the_newest_always() {
    let place = Place::new();
    let path = place.put("a", vec![b'0'; 1000]);
    let writer = place.limited(Limits { pack_bytes: 2500, ..Limits::default() });
    for n in b'0'..b'6' {
        let change = Change::modify(&path, hash(vec![n; 1000]), vec![n + 1; 1000]);
        write(&writer, [change]).unwrap();
    }
    assert_eq!(writer.receipts().unwrap().len(), 2);
    let writer = place.limited(Limits { pack_bytes: 10, ..Limits::default() });
    let last = write(&writer, [Change::modify(&path, hash(vec![b'6'; 1000]), "end")]).unwrap();
    assert_eq!(writer.receipts().unwrap().len(), 1);
    writer.write(writer.undoing(&last.id).unwrap(), &|_| true).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), vec![b'6'; 1000]);
}

#[test]
fn a_damaged_pack_is_not_believed() {
    let place = Place::new();
    let path = place.put("a", "old");
    let writer = place.writer();
    let receipt = write(&writer, [Change::modify(&path, hash("old"), "new")]).unwrap();
    let pack = place.state.join("packs").join(format!("{}.pack", receipt.id));
    std::fs::write(&pack, "odd").unwrap();
    assert!(matches!(writer.undoing(&receipt.id), Err(WriteError::NotKept(_))));
    std::fs::remove_file(&pack).unwrap();
    assert!(matches!(writer.undoing(&receipt.id), Err(WriteError::NotKept(_))));
}

#[test]
fn an_id_is_never_a_way_out_of_the_writers_directory() {
    let place = Place::new();
    write(&place.writer(), [Change::create(place.root.join("a"), "a")]).unwrap();
    for id in ["", "..", "../journal/x", "/etc/passwd", "0123", &"a/".repeat(16), &"A".repeat(32)] {
        assert!(matches!(place.writer().undoing(id), Err(WriteError::NoReceipt(_))), "{id}");
    }
}

#[test]
fn receipts_of_other_roots_are_not_shown() {
    let place = Place::new();
    place.put("one/a", "a");
    let one = bowline_write::Writer::new(vec![place.root.join("one")], place.state.clone());
    let two = bowline_write::Writer::new(vec![place.root.join("two")], place.state.clone());
    let receipt = write(&one, [Change::modify(place.root.join("one/a"), hash("a"), "b")]).unwrap();
    assert_eq!((one.receipts().unwrap().len(), two.receipts().unwrap().len()), (1, 0));
    assert!(matches!(two.undoing(&receipt.id), Err(WriteError::NoReceipt(_))));
}
