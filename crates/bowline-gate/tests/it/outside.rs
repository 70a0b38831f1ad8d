//! The three traits, seen from outside: a crate that is not of this workspace implements one of each.
#![expect(clippy::disallowed_methods, reason = "a crate is copied and built as anybody would build it")]

use std::path::Path;
use std::process::Command;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn a_foreign_crate_implements_one_of_each() {
    let source = Path::new(HERE).join("tests/outside");
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    std::fs::create_dir_all(place.join("src")).unwrap();
    let manifest = std::fs::read_to_string(source.join("Cargo.toml")).unwrap();
    let manifest =
        manifest.replace("../../../", &format!("{HERE}/../")).replace("../..\"", &format!("{HERE}\""));
    std::fs::write(place.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(source.join("src/lib.rs"), place.join("src/lib.rs")).unwrap();
    // The versions that this house was built with, so that nothing has to be fetched.
    std::fs::copy(Path::new(HERE).join("../../Cargo.lock"), place.join("Cargo.lock")).unwrap();
    let built = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet", "--lib", "--manifest-path"])
        .arg(place.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join(".."))
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&built.stdout), String::from_utf8_lossy(&built.stderr));
    assert!(built.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}
