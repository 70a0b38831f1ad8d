//! What a file has beside its bytes stays.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use bowline_write::Change;
use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};

use crate::{Place, hash, write};

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o7777
}

#[test]
fn the_mode_stays() {
    let place = Place::new();
    for wanted in [0o600, 0o755, 0o640, 0o4755, 0o666] {
        let path = place.put("a", "a");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(wanted)).unwrap();
        write(&place.writer(), [Change::modify(&path, hash("a"), "b")]).unwrap();
        assert_eq!(mode(&path), wanted);
    }
}

#[test]
fn a_file_that_comes_back_has_its_mode_and_owner() {
    let place = Place::new();
    let root = place.root.metadata().unwrap().uid() == 0;
    for wanted in [0o4755, 0o2750, 0o1644, 0o600] {
        let path = place.put("a", "a");
        if root {
            std::os::unix::fs::chown(&path, Some(1234), Some(4321)).unwrap();
        }
        std::fs::set_permissions(&path, PermissionsExt::from_mode(wanted)).unwrap();
        let before = path.metadata().unwrap();
        let gone = write(&place.writer(), [Change::remove(&path, hash("a"))]).unwrap();
        place.writer().write(place.writer().undoing(&gone.id).unwrap(), &|_| true).unwrap();
        let after = path.metadata().unwrap();
        assert_eq!((mode(&path), after.uid(), after.gid()), (wanted, before.uid(), before.gid()));
        std::fs::remove_file(&path).unwrap();
    }
}

/// Root takes back the removal of a program that ran as somebody else: it must not run as root now.
#[test]
fn rights_are_not_lent_by_an_owner_nobody_knows() {
    let place = Place::new();
    let path = place.put("a", "a");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o4755)).unwrap();
    let gone = write(&place.writer(), [Change::remove(&path, hash("a"))]).unwrap();
    let receipt = place.state.join("receipts").join(format!("{}.json", gone.id));
    let mut record: serde_json::Value = serde_json::from_slice(&std::fs::read(&receipt).unwrap()).unwrap();
    record["files"][0].as_object_mut().unwrap().remove("owner").unwrap();
    std::fs::write(&receipt, record.to_string()).unwrap();
    place.writer().write(place.writer().undoing(&gone.id).unwrap(), &|_| true).unwrap();
    assert_eq!(mode(&path), 0o755);
}

#[test]
fn a_new_file_is_like_the_one_it_is_told_to_be_like() {
    let place = Place::new();
    let old = place.put("old.sh", "#!");
    std::fs::set_permissions(&old, PermissionsExt::from_mode(0o751)).unwrap();
    let (new, plain) = (place.root.join("new.sh"), place.root.join("plain"));
    let rename = [
        Change::create(&new, "#!").like(&old),
        Change::remove(&old, hash("#!")),
        Change::create(&plain, "x"),
    ];
    write(&place.writer(), rename).unwrap();
    assert_eq!(mode(&new), 0o751);
    let ordinary = place.put("ordinary", "x");
    assert_eq!(mode(&plain), mode(&ordinary));
}

#[test]
fn extended_attributes_stay() {
    let place = Place::new();
    let path = place.put("a", "a");
    setxattr(&path, "user.origin", b"here", XattrFlags::empty()).unwrap();
    write(&place.writer(), [Change::modify(&path, hash("a"), "b")]).unwrap();
    let mut buffer = [0; 16];
    let length = getxattr(&path, "user.origin", &mut buffer[..]).unwrap();
    assert_eq!(&buffer[..length], b"here");
}

/// Version 2; user::rw-, user:1234:r--, group::r--, mask::r--, other::---.
fn access_list() -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in
        [(1_u16, 6_u16, u32::MAX), (2, 4, 1234), (4, 4, u32::MAX), (16, 4, u32::MAX), (32, 0, u32::MAX)]
    {
        list.extend([tag.to_le_bytes(), rights.to_le_bytes()].concat());
        list.extend(id.to_le_bytes());
    }
    list
}

fn names(path: &Path) -> Vec<String> {
    let mut buffer = [0; 256];
    let length = listxattr(path, &mut buffer[..]).unwrap();
    let names = std::str::from_utf8(&buffer[..length]).unwrap();
    names.split_terminator('\0').map(str::to_owned).collect()
}

/// A directory that lends an access list to whatever is made in it: the file in it was made before.
#[test]
fn a_file_gains_no_readers() {
    let place = Place::new();
    let (path, model) = (place.put("a", "a"), place.put("model", "m"));
    for path in [&path, &model] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(0o640)).unwrap();
    }
    setxattr(&path, "user.origin", b"here", XattrFlags::empty()).unwrap();
    setxattr(&place.root, "system.posix_acl_default", &access_list(), XattrFlags::empty()).unwrap();
    let new = place.root.join("new");
    let both = [Change::modify(&path, hash("a"), "b"), Change::create(&new, "n").like(&model)];
    write(&place.writer(), both).unwrap();
    let lists = |path: &Path| names(path).iter().any(|name| name == "system.posix_acl_access");
    assert!(lists(&place.put("ordinary", "x")), "no list was lent here at all");
    assert!(!lists(&path) && !lists(&new));
    assert!(names(&path).contains(&"user.origin".to_owned()));
    assert_eq!((mode(&path), mode(&new)), (0o640, 0o640));
}

#[test]
fn access_lists_stay() {
    let place = Place::new();
    let path = place.put("a", "a");
    let list = access_list();
    setxattr(&path, "system.posix_acl_access", &list, XattrFlags::empty()).unwrap();
    write(&place.writer(), [Change::modify(&path, hash("a"), "b")]).unwrap();
    let mut buffer = [0; 256];
    let length = getxattr(&path, "system.posix_acl_access", &mut buffer[..]).unwrap();
    assert_eq!(&buffer[..length], list);
}

/// Only root can give a file away; for anybody else this shows that the own one stays.
#[test]
fn the_owner_stays() {
    let place = Place::new();
    let path = place.put("a", "a");
    let root = path.metadata().unwrap().uid() == 0;
    if root {
        std::os::unix::fs::chown(&path, Some(1234), Some(4321)).unwrap();
    }
    let before = path.metadata().unwrap();
    write(&place.writer(), [Change::modify(&path, hash("a"), "b")]).unwrap();
    let after = path.metadata().unwrap();
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
}
