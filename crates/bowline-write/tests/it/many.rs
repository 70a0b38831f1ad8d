//! Thousands of files, each in a directory of its own.

use std::time::{Duration, Instant};

use bowline_write::{Change, Limits, Outcome};

use crate::{Place, hash, write};

/// Four times the files may take twice that long on a busy machine, but not sixteen times.
#[test]
fn the_time_grows_with_the_files_and_not_with_their_square() {
    let few = times(500);
    let many = times(2000);
    for (what, few, many) in [("write", few.0, many.0), ("undo", few.1, many.1), ("recovery", few.2, many.2)]
    {
        assert!(many < few * 9 + Duration::from_millis(500), "{what}: {few:?}, then {many:?}");
    }
}

/// To write so many new files, to put such a write back after a crash, and to take it back.
fn times(count: usize) -> (Duration, Duration, Duration) {
    let place = Place::in_memory();
    let writer = place.limited(Limits::default());
    let path = |n: usize| place.root.join(format!("d{n}/deep/f"));
    let begun = Instant::now();
    let receipt = write(&writer, (0..count).map(|n| Change::create(path(n), "x"))).unwrap();
    let written = begun.elapsed();

    let begun = Instant::now();
    let undo = writer.write(writer.undoing(&receipt.id).unwrap(), &|_| true).unwrap();
    let undone = begun.elapsed();
    assert_eq!(place.tree().len(), 0);

    // The undo, as if it had been killed before its commit, with every file still in its stage.
    for (n, file) in undo.files.iter().enumerate() {
        let dir = file.path.parent().unwrap();
        std::fs::create_dir_all(dir).unwrap();
        std::fs::write(dir.join(format!(".bowline-{}-{n}.tmp", undo.id)), "x").unwrap();
    }
    let (receipts, journal) = (place.state.join("receipts"), place.state.join("journal"));
    std::fs::rename(receipts.join(format!("{}.json", undo.id)), journal.join(format!("{}.staged", undo.id)))
        .unwrap();
    let begun = Instant::now();
    let recovered = writer.recover().unwrap();
    assert_eq!((&recovered[0].outcome, recovered[0].files.len()), (&Outcome::RolledBack, count));
    assert_eq!(std::fs::read(path(count - 1)).map(hash).unwrap(), hash("x"));
    (written, undone, begun.elapsed())
}
