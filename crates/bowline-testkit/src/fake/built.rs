//! Where the program `fake-ls` is: built on first use, beside the test that asks.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a program that cannot be built is a failed test, and cargo is started as people start it"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of `fake-ls`, which is built once per process. Cargo gives a package's tests the path of its own
/// programs only, and the tests that need this one are in other packages.
pub fn fake_ls() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build(&std::env::current_exe().unwrap())).clone()
}

fn build(test: &Path) -> PathBuf {
    let (target, directory) = place(test);
    let profile = if directory == "release" { "release" } else { "dev" };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--quiet", "--package", "bowline-testkit", "--bin", "fake-ls", "--profile", profile])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    if !output.status.success() {
        panic!("cannot build fake-ls: {}", String::from_utf8_lossy(&output.stderr));
    }
    target.join(directory).join("fake-ls")
}

/// The target directory and the name of the profile's directory in it, for a program in
/// `<target>/<profile>/deps/` or `<target>/<profile>/`. Examples in the documentation run elsewhere: for them it is the
/// workspace's own.
fn place(program: &Path) -> (PathBuf, &'static str) {
    let mut directory = program.parent().unwrap();
    if directory.ends_with("deps") || directory.ends_with("examples") {
        directory = directory.parent().unwrap();
    } else if directory.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rustdoctest")) {
        return (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), "debug");
    }
    let profile = if directory.ends_with("release") { "release" } else { "debug" };
    (directory.parent().unwrap().to_owned(), profile)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_target_directory() {
        let find = |path: &str| place(Path::new(path));
        assert_eq!(find("/t/debug/deps/it-1"), (PathBuf::from("/t"), "debug"));
        assert_eq!(find("/t/release/deps/it-1"), (PathBuf::from("/t"), "release"));
        assert_eq!(find("/t/debug/bowline"), (PathBuf::from("/t"), "debug"));
        // Any other profile is tested with the program that developers have.
        assert_eq!(find("/t/bench/deps/it-1"), (PathBuf::from("/t"), "debug"));
    }
}
