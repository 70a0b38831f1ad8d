//! Thousands of files, each in a directory of its own.

use bowline_write::{Change, Limits, Outcome};

use crate::{Place, hash, write};

/// Written, taken back, and put back after a crash. How long that takes is for the benchmark to say.
#[test]
fn thousands_of_files_are_one_write() {
    let count = 2000;
    let place = Place::in_memory();
    let writer = place.limited(Limits::default());
    let path = |n: usize| place.root.join(format!("d{n}/deep/f"));
    let receipt = write(&writer, (0..count).map(|n| Change::create(path(n), "x"))).unwrap();

    let undo = writer.write(writer.undoing(&receipt.id).unwrap(), &|_| true).unwrap();
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
    let recovered = writer.recover().unwrap();
    assert_eq!((&recovered[0].outcome, recovered[0].files.len()), (&Outcome::RolledBack, count));
    assert_eq!(std::fs::read(path(count - 1)).map(hash).unwrap(), hash("x"));
}
