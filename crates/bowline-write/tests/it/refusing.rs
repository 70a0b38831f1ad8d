//! What is refused, in words that name the file, and before anything is written.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use bowline_write::{Change, Limits, WriteError, Writer};

use crate::{Place, hash, plan, refusal, write};

#[test]
fn another_version_than_the_expected_one() {
    let place = Place::new();
    let (a, b) = (place.put("a", "1"), place.put("b", "now"));
    let both = [Change::modify(&a, hash("1"), "2"), Change::modify(&b, hash("then"), "2")];
    let (then, now) = (hash("then"), hash("now"));
    assert_eq!(refusal(&place, both), format!("`/b` is not what it was: expected {then}, found {now}"));
    assert_eq!(place.text("a"), "1");
    let gone = [Change::remove(place.root.join("no/c"), then)];
    assert_eq!(refusal(&place, gone), format!("`/no/c` is not what it was: expected {then}, found nothing"));
    let there = [Change::create(&b, "x")];
    assert_eq!(refusal(&place, there), format!("`/b` is not what it was: expected nothing, found {now}"));
}

#[test]
fn places_outside_the_roots() {
    let place = Place::new();
    let at = |path: &str| refusal(&place, [Change::create(path, "x")]);
    assert_eq!(at("/etc/x"), "`/etc/x` does not lie within the project's roots");
    assert!(at("relative").contains("is not a plain absolute path"));
    let root = place.root.display().to_string();
    for odd in ["/../x", "/./x", "//x", "/x/", "/a/../../x"] {
        assert!(at(&format!("{root}{odd}")).contains("is not a plain absolute path"), "{odd}");
    }
    assert!(at(&root).contains("does not lie within"));
    assert!(at(&format!("/proc/self/root{root}/x")).contains("does not lie within"));
    let within = Writer::new(vec![place.root.clone()], place.root.join(".state"));
    let own = write(&within, [Change::create(place.root.join(".state/journal/x"), "x")]);
    assert!(matches!(own, Err(WriteError::OwnState(_))));
}

#[test]
fn links_wherever_they_lead() {
    let place = Place::new();
    let real = place.put("real/a", "a");
    std::os::unix::fs::symlink("real", place.root.join("link")).unwrap();
    std::os::unix::fs::symlink("/etc", place.root.join("out")).unwrap();
    std::os::unix::fs::symlink("real/a", place.root.join("file")).unwrap();
    let root = &place.root;
    let on_the_way = |name: &str, change| {
        assert_eq!(
            refusal(&place, [change]),
            format!("a link, or something that is no directory, is on the way to `{name}`")
        );
    };
    on_the_way("/link", Change::modify(root.join("link/a"), hash("a"), "b"));
    on_the_way("/out", Change::create(root.join("out/new"), "b"));
    on_the_way("/real/a", Change::create(real.join("below"), "b"));
    let target = Change::modify(root.join("file"), hash("a"), "b");
    assert_eq!(refusal(&place, [target]), "`/file` is a link, not a file");
    let linked_root = Writer::new(vec![root.join("link")], place.state.clone());
    assert!(write(&linked_root, [Change::modify(root.join("link/a"), hash("a"), "b")]).is_err());
    assert_eq!(place.text("real/a"), "a");
}

#[test]
fn a_file_with_two_names() {
    let place = Place::new();
    let a = place.put("a", "a");
    std::fs::hard_link(&a, place.keep.path().join("outside")).unwrap();
    let said = refusal(&place, [Change::modify(&a, hash("a"), "b")]);
    assert_eq!(said, "`/a` has 2 names (hard links), and the others may lie anywhere");
}

/// By the mode, because root may write to anything.
#[test]
fn what_is_read_only() {
    let place = Place::new();
    let (a, b) = (place.put("a", "a"), place.put("sub/b", "b"));
    let mode = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    mode(&a, 0o444);
    mode(&place.root.join("sub"), 0o555);
    assert_eq!(refusal(&place, [Change::modify(&a, hash("a"), "x")]), "`/a` is read-only");
    assert_eq!(refusal(&place, [Change::remove(&a, hash("a"))]), "`/a` is read-only");
    assert_eq!(refusal(&place, [Change::modify(&b, hash("b"), "x")]), "`/sub` is read-only");
    let sub = place.root.join("sub");
    assert_eq!(refusal(&place, [Change::create(sub.join("new"), "x")]), "`/sub` is read-only");
    assert_eq!(refusal(&place, [Change::create(sub.join("new/deep/x"), "x")]), "`/sub` is read-only");
    mode(&sub, 0o755);
}

#[test]
fn what_is_no_file_and_never_waits_for_it() {
    let place = Place::new();
    let fifo = place.root.join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
    assert!(made.success());
    std::fs::create_dir(place.root.join("dir")).unwrap();
    let at = |name: &str| refusal(&place, [Change::modify(place.root.join(name), hash(""), "x")]);
    assert_eq!(at("fifo"), "`/fifo` is a device, socket or pipe, not a file");
    assert_eq!(at("dir"), "`/dir` is a directory, not a file");
    let devices = Writer::new(vec!["/dev".into()], place.state.clone());
    let refused = write(&devices, [Change::modify("/dev/zero", hash(""), "x")]);
    assert!(matches!(refused, Err(WriteError::NotAFile { .. })));
}

#[test]
fn what_is_too_large() {
    let place = Place::new();
    let limits = Limits { file_bytes: 10, plan_bytes: 25, plan_files: 3, ..Limits::default() };
    let writer = place.limited(limits);
    let big = place.put("big", "12345678901");
    let sparse = std::fs::File::create(place.root.join("sparse")).unwrap();
    sparse.set_len(2 << 30).unwrap();
    let tried = |changes: Vec<Change>| write(&writer, changes).unwrap_err();
    let new = |n: usize| Change::create(place.root.join(format!("n{n}")), "1234567890");
    assert!(matches!(
        tried(vec![Change::modify(&big, hash(""), "x")]),
        WriteError::TooLarge { size: 11, .. }
    ));
    let sparse = Change::remove(place.root.join("sparse"), hash(""));
    assert!(matches!(tried(vec![sparse]), WriteError::TooLarge { .. }));
    assert!(matches!(
        tried(vec![Change::create(place.root.join("n"), vec![0; 11])]),
        WriteError::TooLarge { .. }
    ));
    assert!(matches!(tried((0..3).map(new).collect()), WriteError::PlanTooLarge { .. }));
    assert!(matches!(tried((0..4).map(new).collect()), WriteError::PlanTooLarge { .. }));
    assert_eq!(place.tree(), ["big", "sparse"]);
}

#[test]
fn one_path_twice_or_as_two_things() {
    let place = Place::new();
    let a = place.put("a", "a");
    let twice = [Change::modify(&a, hash("a"), "b"), Change::remove(&a, hash("a"))];
    assert_eq!(refusal(&place, twice), "`/a` is named more than once");
    let both = [Change::remove(&a, hash("a")), Change::create(a.join("x/y"), "b")];
    assert_eq!(refusal(&place, both), "`/a/x/y` would be both a file and a directory");
}

#[test]
fn what_was_not_cleared() {
    let place = Place::new();
    let (a, b) = (place.put("a", "a"), place.put("b", "b"));
    let both = plan([Change::modify(&a, hash("a"), "x"), Change::modify(&b, hash("b"), "x")]);
    let refused = place.writer().write(both, &|path| path.ends_with("a")).unwrap_err();
    assert!(matches!(refused, WriteError::NotCleared(path) if path == b));
    assert_eq!((place.text("a"), place.text("b")), ("a".into(), "b".into()));
    assert!(!place.state.exists());
}

#[test]
fn a_root_that_is_gone() {
    let place = Place::new();
    let writer = Writer::new(vec![place.root.join("gone")], place.state.clone());
    let refused = write(&writer, [Change::create(place.root.join("gone/a"), "x")]).unwrap_err();
    assert!(matches!(refused, WriteError::Io { .. }), "{refused}");
    assert_eq!(place.tree(), [""; 0]);
}
