//! Places that belong to bowline are not written to, though they lie within the roots.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use bowline_write::{Change, Outcome, WriteError, Writer};
use serde_json::json;

use crate::{Place, hash, write};

fn guarding<const N: usize>(place: &Place, paths: [PathBuf; N]) -> Writer {
    place.writer().guarding(paths.into())
}

#[track_caller]
fn refused(writer: &Writer, change: Change) {
    let path = change.path.clone();
    let said = write(writer, [change]).unwrap_err();
    assert!(matches!(&said, WriteError::OwnState(at) if *at == path), "{said}");
    assert_eq!(said.to_string(), format!("`{}` belongs to bowline itself", path.display()));
}

#[test]
fn files_directories_and_what_is_below_them() {
    let place = Place::new();
    let (config, other) = (place.put("bowline.toml", "c"), place.put("bowline.toml.md", "o"));
    let own = place.root.join(".bowline");
    let writer = guarding(&place, [config.clone(), own.clone()]);
    refused(&writer, Change::modify(&config, hash("c"), "x"));
    refused(&writer, Change::remove(&config, hash("c")));
    refused(&writer, Change::create(own.clone(), "x"));
    refused(&writer, Change::create(own.join("audit/log"), "x"));
    refused(&writer, Change::create(place.root.join(".Bowline/audit"), "x"));
    let like = write(&writer, [Change::create(place.root.join("n"), "x").like(&config)]);
    assert!(matches!(like, Err(WriteError::OwnState(_))));
    write(&writer, [Change::modify(&other, hash("o"), "x")]).unwrap();
    assert_eq!(place.tree(), ["bowline.toml", "bowline.toml.md"]);
}

#[test]
fn links_are_guarded_where_they_lead() {
    let place = Place::new();
    let real = place.put("real/config", "c");
    let outside = place.keep.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    symlink(&real, outside.join("config")).unwrap();
    symlink(place.root.join("real"), outside.join("dir")).unwrap();
    symlink(Path::new("dir/later"), outside.join("dangling")).unwrap();
    symlink(outside.join("round"), outside.join("round")).unwrap();
    for (guarded, at) in [("config", "real/config"), ("dir", "real/new"), ("dir/audit/log", "real/audit/log")]
    {
        refused(&guarding(&place, [outside.join(guarded)]), Change::create(place.root.join(at), "x"));
    }
    let writer = guarding(&place, ["dangling", "round"].map(|name| outside.join(name)));
    refused(&writer, Change::create(place.root.join("real/later"), "x"));
    write(&writer, [Change::modify(&real, hash("c"), "x")]).unwrap();
}

#[test]
fn the_state_is_known_behind_a_link() {
    let place = Place::new();
    std::fs::create_dir(place.root.join("state")).unwrap();
    symlink(place.root.join("state"), place.keep.path().join("link")).unwrap();
    let state = place.keep.path().join("link/write");
    let writer = Writer::new(vec![place.root.clone()], state);
    refused(&writer, Change::create(place.root.join("state/write/journal/x"), "x"));
}

#[test]
fn nothing_is_taken_back_there() {
    let place = Place::new();
    let path = place.put("a", "a");
    let receipt = write(&place.writer(), [Change::modify(&path, hash("a"), "b")]).unwrap();
    let writer = guarding(&place, [path.clone()]);
    assert!(matches!(writer.undoing(&receipt.id), Err(WriteError::OwnState(at)) if at == path));
    let plan = place.writer().undoing(&receipt.id).unwrap();
    assert!(matches!(writer.write(plan, &|_| true), Err(WriteError::OwnState(_))));
    assert_eq!(place.text("a"), "b");
}

#[test]
fn nothing_is_recovered_there_but_it_is_told() {
    let place = Place::new();
    let path = place.put("a", "new");
    write(&place.writer(), [Change::create(place.root.join("first"), "x")]).unwrap();
    let id = "0198a7c1d2e37f00812345678901abcd";
    place.put(&format!(".bowline-{id}-0.tmp"), "old");
    let file = json!({ "path": path, "before": hash("old"), "after": hash("new"), "size": 3 });
    let record = json!({ "format": 1, "id": id, "at": "", "label": "", "files": [file] });
    std::fs::write(place.state.join("journal").join(format!("{id}.staged")), record.to_string()).unwrap();
    let recovered = guarding(&place, [path.clone()]).recover().unwrap();
    let Outcome::Unfinished { reason } = &recovered[0].outcome else { panic!("{recovered:?}") };
    assert_eq!(*reason, format!("`{}` belongs to bowline itself", path.display()));
    assert_eq!(place.text("a"), "new");
    assert_eq!(place.writer().recover().unwrap()[0].outcome, Outcome::RolledBack);
    assert_eq!(place.text("a"), "old");
}
