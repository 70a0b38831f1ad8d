//! The real binary, from outside: as a server on its pipes, and as a command for people and scripts.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "the binary is started as its users start it")]

mod asking;
mod audit;
mod call;
mod doctor;
mod fence;
mod index;
mod kinds;
mod kit;
mod ledger;
mod prompts;
mod protected;
mod serve;
mod server_forms;
mod skill_tools;
mod skills;
mod start;
mod terminal;
mod tools_list;
mod writes;

use std::path::PathBuf;
use std::process::{Command, Output};

use bowline_testkit::Fixture;

/// The binary, in a project of its own and with nothing of this machine's user in sight.
fn bowline(fixture: &Fixture) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bowline"));
    command
        .current_dir(project(fixture))
        .env_clear()
        .env("PATH", "")
        .env("HOME", fixture.path("home"))
        .env("XDG_STATE_HOME", fixture.path("state"))
        .env("XDG_CACHE_HOME", fixture.path("cache"))
        .env("XDG_CONFIG_HOME", fixture.path("config"));
    command
}

fn project(fixture: &Fixture) -> PathBuf {
    fixture.path("project")
}

fn fixture() -> Fixture {
    Fixture::new(
        "//- /project/src/lib.rs
pub fn greet(name: &str) -> String { name.into() }
//- /project/src/main.rs
fn main() { greet(\"you\"); }
",
    )
}

/// Exit code, stdout and stderr, with the fixture's directory taken out.
fn run(fixture: &Fixture, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = bowline(fixture).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| fixture.relative(&String::from_utf8(bytes).unwrap());
    (status.code().unwrap(), text(stdout), text(stderr))
}
