//! Which languages a project has, and which servers are there for them.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use bowline_testkit::Fixture;
use bowline_workspace::servers::detect;
use insta::assert_snapshot;

use super::{open, patient};

const PROJECT: &str = "//- /Cargo.toml\n//- /src/a.rs\n//- /src/b.rs\n//- /tool.py\n//- /node_modules/x/package.json\n\
    //- /.gitignore\nout/\n//- /out/a.go\n//- /vendor/b.go\n";

fn program(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "#!/bin/sh\n").unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// What is found with the home's `.cargo/bin` and `bin` on the search path.
fn detected(home: &Path) -> String {
    let project = Fixture::new(PROJECT);
    let path = OsString::from(format!("relative:{0}/bin:{0}/.cargo/bin", home.display()));
    let found = detect(project.root(), &path, &|| false);
    let languages: Vec<String> =
        found.languages.iter().map(|language| format!("{}={}", language.language, language.score)).collect();
    let installed: Vec<String> = found
        .installed
        .iter()
        .map(|installed| format!("{}:{}", installed.server.language, installed.path.display()))
        .collect();
    let missing: Vec<String> = found
        .not_installed
        .iter()
        .map(|missing| {
            let reason = missing.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
            format!("{} ({}){reason}", missing.server.language, missing.server.binary)
        })
        .collect();
    let lines = [languages.join(" "), installed.join("\n"), missing.join("\n")];
    lines.join("\n").replace(&home.display().to_string(), "~")
}

#[test]
fn ranks_by_markers_and_files_and_skips_what_is_not_the_projects() {
    let home = Fixture::new("");
    program(&home.path("bin/pyright-langserver"));
    home.write_bytes("bin/rust-analyzer", b"not executable");
    assert_snapshot!(detected(home.root()), @r"
    rust=52 python=1
    python:~/bin/pyright-langserver
    rust (rust-analyzer)
    ");
}

#[test]
fn a_stand_in_of_rustup_is_no_server() {
    let home = Fixture::new("//- /.rustup/settings.toml\ndefault_toolchain = \"stable-x\"\n");
    program(&home.path(".cargo/bin/rustup"));
    symlink("rustup", home.path(".cargo/bin/rust-analyzer")).unwrap();
    program(&home.path(".rustup/toolchains/nightly-x/bin/rust-analyzer"));
    fs::create_dir_all(home.path(".rustup/toolchains/stable-x/bin")).unwrap();
    assert_snapshot!(detected(home.root()), @r"
    rust=52 python=1

    rust (rust-analyzer): `~/.cargo/bin/rust-analyzer` is rustup's stand-in; `rustup component add rust-analyzer` puts the real one behind it
    python (pyright-langserver)
    ");
    program(&home.path(".rustup/toolchains/stable-x/bin/rust-analyzer"));
    assert_snapshot!(detected(home.root()), @r"
    rust=52 python=1
    rust:~/.cargo/bin/rust-analyzer
    python (pyright-langserver)
    ");
}

#[test]
fn a_hard_link_is_a_stand_in_too() {
    let home = Fixture::new("");
    program(&home.path(".cargo/bin/rustup"));
    fs::hard_link(home.path(".cargo/bin/rustup"), home.path(".cargo/bin/rust-analyzer")).unwrap();
    assert!(detected(home.root()).contains("is rustup's stand-in"));
}

#[tokio::test]
async fn a_workspace_knows_its_languages() {
    let fixture = Fixture::new(PROJECT);
    let languages = open(&fixture).languages(&patient()).await.unwrap();
    let counts: Vec<_> = languages.iter().map(|language| (language.language, language.files)).collect();
    assert_eq!(counts, [("rust", 2), ("python", 1)]);
    assert_eq!(languages[0].markers, [fixture.path("Cargo.toml")]);
}
