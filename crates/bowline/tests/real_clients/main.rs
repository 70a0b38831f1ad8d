//! Other people's MCP clients against the real binary: what they make of us is what agents get. And other people's
//! validator against our skills.
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
    let listed: serde_json::Value = serde_json::from_str(include_str!("../../tools_list.json")).unwrap();
    listed.as_array().or_else(|| listed["tools"].as_array()).unwrap().len()
}

/// Our skills, in the tree that they are compiled in from.
fn skills() -> Vec<PathBuf> {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
    let entries = std::fs::read_dir(tree).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

/// How many prompts there are: the skills, and the block of them.
fn prompts() -> usize {
    skills().len() + 1
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

/// What the Python client prints after the version.
fn python_says() -> String {
    format!(
        "{} tools\nmain.rs 1 13\nindexed=true engine=syntax\nrefused True\n{} prompts old-name new-name\n\
         ['Arguments:', '- old-name: greet', '- new-name: hail']\n",
        tools(),
        prompts()
    )
}

fn python(mode: &str) -> String {
    let mut command = Command::new(tool("BOWLINE_TEST_PYTHON"));
    command.arg(script("client.py")).args([BOWLINE, mode]);
    run(&fixture(), command)
}

#[test]
fn the_python_client_speaks_the_older_era() {
    assert_eq!(python("legacy"), format!("2025-11-25\n{}", python_says()));
}

#[test]
fn the_python_client_speaks_the_newer_era() {
    assert_eq!(python("2026-07-28"), format!("2026-07-28\n{}", python_says()));
}

#[test]
fn the_python_client_finds_the_newer_era_by_itself() {
    assert!(python("auto").starts_with(&format!("2026-07-28\n{} tools\n", tools())));
}

#[test]
fn the_python_client_asks_its_person_in_both_eras() {
    for mode in ["legacy", "2026-07-28"] {
        let mut command = Command::new(tool("BOWLINE_TEST_PYTHON"));
        command.arg(script("asked.py")).args([BOWLINE, mode]);
        assert_eq!(
            run(&fixture(), command),
            "`apply_edit` would change files\n['once', 'conversation', 'always', 'no']\nTrue pub fn greet() {}\n\
             `apply_edit` would change files\n['once', 'conversation', 'always', 'no']\nFalse pub fn hail() {}\n",
            "{mode}"
        );
    }
}

#[test]
fn the_typescript_client_calls_cancels_and_hears_progress() {
    let modules = tool("BOWLINE_TEST_NODE_MODULES");
    let mut command = Command::new(tool("BOWLINE_TEST_NODE"));
    command.arg(script("client.mjs")).arg(BOWLINE).env("NODE_MODULES", modules);
    let expected = format!(
        "{} tools\nmain.rs 1 13\nrefused true\nunknown -32602\n{} prompts old-name new-name\n\
         [\"Arguments:\",\"- old-name: greet\",\"- new-name: hail\"]\n",
        tools(),
        prompts()
    );
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

#[test]
fn the_reference_validator_has_no_complaint_about_our_skills() {
    let validate = |directory: &Path| {
        let output = Command::new(tool("BOWLINE_TEST_SKILLS_REF")).arg("validate").arg(directory).output();
        let output = output.unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let all = skills();
    assert_eq!(all.len(), 24);
    for skill in all {
        let (valid, said) = validate(&skill);
        assert!(valid, "{}: {said}", skill.display());
    }
    // It does complain where there is something to complain about.
    let fixture = Fixture::new("//- /demo/SKILL.md\n---\nname: other\ndescription: x\n---\n");
    let (valid, said) = validate(&fixture.path("demo"));
    assert!(!valid && said.contains("must match"), "{said}");
}
