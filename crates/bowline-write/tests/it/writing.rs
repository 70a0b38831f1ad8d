//! What is written is there, byte for byte.

use bowline_write::{Change, Limits, WriteError};

use crate::{Place, hash, write};

#[test]
fn bytes_are_kept_exactly() {
    let place = Place::new();
    for (old, new) in [
        ("\u{feff}one\r\n", "\u{feff}two\r\nthree"),
        ("", "no final newline"),
        ("a\r\nb\nc\r", ""),
        ("\0\u{1}", "caf\u{e9}\0"),
    ] {
        let path = place.put("a.txt", old);
        write(&place.writer(), [Change::modify(path, hash(old), new)]).unwrap();
        assert_eq!(place.text("a.txt"), new);
    }
    assert_eq!(place.tree(), ["a.txt"]);
}

#[test]
fn several_files_change_as_one() {
    let place = Place::new();
    let (a, b) = (place.put("a.rs", "a"), place.put("sub/b.rs", "b"));
    let writer = place.writer();
    let receipt = write(
        &writer,
        [
            Change::modify(&a, hash("a"), "A").diff("-a\n+A\n"),
            Change::remove(&b, hash("b")),
            Change::create(place.root.join("new/deep/c.rs"), "c"),
        ],
    )
    .unwrap();
    assert_eq!(place.tree(), ["a.rs", "new/", "new/deep/", "new/deep/c.rs", "sub/"]);
    assert_eq!((place.text("a.rs"), place.text("new/deep/c.rs")), ("A".into(), "c".into()));

    assert_eq!(receipt.files[0].diff.as_deref(), Some("-a\n+A\n"));
    assert_eq!(receipt.files[1].after, None);
    assert_eq!(receipt.made, [place.root.join("new"), place.root.join("new/deep")]);
    assert_eq!(writer.receipts().unwrap(), std::slice::from_ref(&receipt));
    assert_eq!(writer.receipt(&receipt.id).unwrap(), receipt);
    assert_eq!(place.names("journal"), [""; 0]);
}

#[test]
fn the_writers_own_directory_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    write(&place.writer(), [Change::create(place.root.join("a"), "secret")]).unwrap();
    let mode = |path: &str| place.state.join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!([mode(""), mode("packs"), mode("receipts"), mode("lock")], [0o700, 0o700, 0o700, 0o600]);
    let name = place.names("receipts").remove(0);
    assert_eq!(mode(&format!("receipts/{name}")), 0o600);

    std::fs::set_permissions(&place.state, PermissionsExt::from_mode(0o777)).unwrap();
    let refused = write(&place.writer(), [Change::create(place.root.join("b"), "b")]);
    assert!(matches!(refused, Err(WriteError::StateNotPrivate(_))));
}

#[test]
fn names_with_odd_characters_are_names() {
    let place = Place::new();
    let path = place.put("with space\nand ünïcode 'quote'.rs", "old");
    write(&place.writer(), [Change::modify(&path, hash("old"), "new")]).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
}

#[test]
fn what_does_not_change_is_left_alone() {
    let place = Place::new();
    let (same, other) = (place.put("same", "x"), place.put("other", "y"));
    let before = same.metadata().unwrap().modified().unwrap();
    let idle = Change::modify(&same, hash("x"), "x");
    let receipt = write(&place.writer(), [idle.clone(), Change::modify(&other, hash("y"), "z")]).unwrap();
    assert_eq!(receipt.files.len(), 1);
    assert_eq!(same.metadata().unwrap().modified().unwrap(), before);
    assert!(matches!(write(&place.writer(), [idle]), Err(WriteError::NothingToWrite)));
    assert!(matches!(write(&place.writer(), []), Err(WriteError::NothingToWrite)));
}

#[test]
fn a_long_diff_is_cut_politely() {
    let place = Place::new();
    let writer = place.limited(Limits { diff_bytes: 5, ..Limits::default() });
    let receipt = write(&writer, [Change::create(place.root.join("a"), "a").diff("1234\u{e4}678")]).unwrap();
    assert_eq!(receipt.files[0].diff.as_deref(), Some("1234\n[5 more bytes of this diff are not kept]\n"));
}

#[test]
fn more_directories_than_files_may_be_open_are_written() {
    let place = Place::new();
    let changes: Vec<Change> =
        (0..100).map(|n| Change::create(place.root.join(format!("d{n}/f")), "x")).collect();
    write(&place.writer(), changes).unwrap();
    assert_eq!(place.tree().len(), 200);
}
