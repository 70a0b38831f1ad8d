//! Records that were torn, forged or made by somebody else: none leads anywhere, and none stops the writer.

use bowline_write::{Change, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Place, hash, write};

const ID: &str = "0198a7c1d2e37f00812345678901abcd";

fn record(place: &Place) -> Value {
    let file =
        json!({ "path": place.root.join("a"), "before": hash("old"), "after": hash("new"), "size": 3 });
    json!({ "format": 1, "id": ID, "at": "", "label": "", "files": [file] })
}

/// A place with a file `a` that is new, and a stage that holds the old one.
fn place() -> Place {
    let place = Place::new();
    write(&place.writer(), [Change::create(place.root.join("first"), "x")]).unwrap();
    place.put("a", "new");
    place.put(&format!(".bowline-{ID}-0.tmp"), "old");
    place
}

fn put(place: &Place, name: &str, content: impl AsRef<[u8]>) {
    std::fs::write(place.state.join("journal").join(name), content).unwrap();
}

#[test]
fn is_set_aside_and_told() {
    let place = place();
    let root = place.root.display().to_string();
    let with = |at: &str, value: Value| {
        let mut record = record(&place);
        *record.pointer_mut(at).unwrap() = value;
        record.to_string()
    };
    let mut twice = record(&place);
    let file = twice["files"][0].clone();
    twice["files"].as_array_mut().unwrap().push(file);
    let mut dirs = record(&place);
    dirs["made"] = json!(["/etc"]);
    for (content, reason) in [
        (String::new(), "EOF"),
        (record(&place).to_string()[..60].to_owned(), "EOF"),
        ("[1, 2]".repeat(100_000), "trailing characters"),
        ("[".repeat(200_000), "invalid type"),
        (format!("{{\"x\":{}", "[".repeat(200_000)), "EOF while parsing a list"),
        (with("/id", json!("0198a7c1d2e37f00812345678901abce")), "a name that is not its own"),
        (with("/files", json!([])), "names no file"),
        (twice.to_string(), "one more than once"),
        (dirs.to_string(), "a directory that has none of its files"),
        (with("/files/0/path", json!(format!("{root}/../../etc/passwd"))), "not plain"),
        (with("/files/0/path", json!("a")), "not plain"),
        (with("/files/0/path", json!("/a\0b")), "not plain"),
        (with("/files/0/before", json!("zz")), "hex"),
        (with("/files/0/before", json!(hash("new"))), "does not change"),
        (with("/files/0/size", json!(-1)), "invalid value"),
    ] {
        put(&place, &format!("{ID}.staged"), &content);
        let recovered = place.writer().recover().unwrap();
        let [one] = &recovered[..] else { panic!("{recovered:?}") };
        let Outcome::SetAside { reason: said } = &one.outcome else { panic!("{one:?}") };
        assert!(said.contains(reason), "{said} is not {reason}");
        assert_eq!(place.text("a"), "new");
        assert_eq!(place.names("journal"), [format!("{ID}.staged.bad")]);
    }
    assert_eq!(place.writer().recover().unwrap(), []);
}

#[test]
fn names_and_kinds_of_files_that_are_not_ours() {
    let place = place();
    put(&place, "README", "x");
    put(&place, "half.tmp", "x");
    put(&place, "0123.staged", record(&place).to_string());
    put(&place, &format!("{ID}.done"), record(&place).to_string());
    let journal = place.state.join("journal");
    std::fs::create_dir(journal.join("dir.prepared")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", journal.join(format!("{ID}.staged"))).unwrap();
    let fifo = journal.join(format!("{ID}.committed"));
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let recovered = place.writer().recover().unwrap();
    assert_eq!(recovered.len(), 6);
    assert!(recovered.iter().all(|one| matches!(one.outcome, Outcome::SetAside { .. })), "{recovered:?}");
    assert_eq!(place.names("journal").len(), 6);
    assert_eq!(place.text("a"), "new");
}

#[test]
fn a_newer_format_is_left_for_the_newer_program() {
    let place = place();
    let mut newer = record(&place);
    newer["format"] = json!(2);
    put(&place, &format!("{ID}.staged"), newer.to_string());
    let recovered = place.writer().recover().unwrap();
    assert!(matches!(&recovered[0].outcome, Outcome::Unfinished { reason } if reason.contains("newer")));
    assert_eq!(place.names("journal"), [format!("{ID}.staged")]);
    write(&place.writer(), [Change::create(place.root.join("b"), "still works")]).unwrap();
}

/// The record itself is in order, but a link lies on the way to its file.
#[test]
fn a_link_on_the_way_is_not_followed() {
    let place = place();
    let outside = place.keep.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("a"), "new").unwrap();
    std::fs::write(outside.join(format!(".bowline-{ID}-0.tmp")), "old").unwrap();
    std::os::unix::fs::symlink(&outside, place.root.join("link")).unwrap();
    let mut hostile = record(&place);
    hostile["files"][0]["path"] = json!(place.root.join("link/a"));
    for phase in ["prepared", "staged", "committed"] {
        put(&place, &format!("{ID}.{phase}"), hostile.to_string());
        place.writer().recover().unwrap();
        assert_eq!(std::fs::read(outside.join("a")).unwrap(), b"new");
        assert_eq!(outside.read_dir().unwrap().count(), 2, "{phase}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any bytes, and any damage to a real record.
    #[test]
    fn damage_is_never_followed_out_and_never_a_panic(
        at in 0..400_usize, length in 0..40_usize, bytes in proptest::collection::vec(any::<u8>(), 0..40),
        phase in 0..3_usize,
    ) {
        let place = place();
        let outside = place.keep.path().join("outside");
        std::fs::write(&outside, "new").unwrap();
        let mut content = record(&place).to_string().into_bytes();
        let at = at.min(content.len());
        let end = (at + length).min(content.len());
        content.splice(at..end, bytes);
        put(&place, &format!("{ID}.{}", ["prepared", "staged", "committed"][phase]), content);
        place.writer().recover().unwrap();
        place.writer().receipts().unwrap();
        prop_assert_eq!(std::fs::read(&outside).unwrap(), b"new");
        let now = place.text("a");
        prop_assert!(now == "new" || now == "old");
    }
}
