//! Other people's MCP clients against the real binary: what they make of us is what agents get.
//!
//! Needs the clients that `cargo xtask test` installs, and so is built only with the feature `real-clients`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "foreign programs are started as they are")]

use std::path::{Path, PathBuf};
use std::process::Command;

use bowline_testkit::Fixture;

const BOWLINE: &str = env!("CARGO_BIN_EXE_bowline");

fn tool(variable: &str) -> PathBuf {
    PathBuf::from(
        std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set: use `cargo xtask test`")),
    )
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real_clients").join(name)
}

fn fixture() -> Fixture {
    // No language server: what this machine has installed is not what is tested.
    Fixture::new(
        "//- /bowline.toml\n[servers.rust]\nenabled = false\n\
         //- /lib.rs\npub fn greet() {}\n//- /main.rs\nfn main() { greet() }\n",
    )
}

/// How many tools there are, by what was committed.
fn tools() -> usize {
    let listed: serde_json::Value = serde_json::from_str(include_str!("../it/tools_list.json")).unwrap();
    listed.as_array().or_else(|| listed["tools"].as_array()).unwrap().len()
}

/// Runs a client in the fixture; its stdout, if it was content.
fn run(fixture: &Fixture, mut command: Command) -> String {
    let output = command
        .current_dir(fixture.root())
        .env("XDG_STATE_HOME", fixture.path("state"))
        .env("XDG_CACHE_HOME", fixture.path("cache"))
        .env("XDG_CONFIG_HOME", fixture.path("config"))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn python(mode: &str) -> String {
    let mut command = Command::new(tool("BOWLINE_TEST_PYTHON"));
    command.arg(script("client.py")).args([BOWLINE, mode]);
    run(&fixture(), command)
}

#[test]
fn the_python_client_speaks_the_older_era() {
    assert_eq!(
        python("legacy"),
        format!("2025-11-25\n{} tools\nmain.rs 1 13\nindexed=true engine=syntax\nrefused True\n", tools())
    );
}

#[test]
fn the_python_client_speaks_the_newer_era() {
    assert_eq!(
        python("2026-07-28"),
        format!("2026-07-28\n{} tools\nmain.rs 1 13\nindexed=true engine=syntax\nrefused True\n", tools())
    );
}

#[test]
fn the_python_client_finds_the_newer_era_by_itself() {
    assert!(python("auto").starts_with(&format!("2026-07-28\n{} tools\n", tools())));
}

#[test]
fn the_typescript_client_calls_cancels_and_hears_progress() {
    let modules = tool("BOWLINE_TEST_NODE_MODULES");
    let mut command = Command::new(tool("BOWLINE_TEST_NODE"));
    command.arg(script("client.mjs")).arg(BOWLINE).env("NODE_MODULES", modules);
    let expected = format!("{} tools\nmain.rs 1 13\nrefused true\nunknown -32602\n", tools());
    assert_eq!(run(&fixture(), command), expected);
}

#[test]
fn the_inspectors_strict_lint_has_no_complaint() {
    for era in ["legacy", "modern"] {
        let mut command = Command::new(tool("BOWLINE_TEST_NODE"));
        command.arg(tool("BOWLINE_TEST_INSPECTOR")).args([
            "--cli",
            BOWLINE,
            "--method",
            "tools/list",
            "--strict",
        ]);
        command.args(["--format", "json", "--protocol-era", era]);
        let listed = run(&fixture(), command);
        assert!(listed.contains("find_references"), "{listed}");
    }
}
