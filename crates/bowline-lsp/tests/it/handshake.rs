//! Servers that cannot be started, or never answer the first question: each is one clear sentence.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use bowline_lsp::{Reach, ServerSpec, Was};
use bowline_testkit::{Fault, Fixture, Script};

use super::program::{Fake, GREETING, gone, quick};
use super::{refusal, timed};

/// Why a server that is started so does not start.
async fn why_not(fixture: Fixture, change: impl FnOnce(&mut ServerSpec)) -> String {
    let root = fixture.root().to_owned();
    let fake = Fake::on(fixture, &Script::default(), |spec| {
        spec.limits = quick();
        change(spec);
        if let Reach::Program { program, .. } = &mut spec.reach {
            *program = program.replace("ROOT", root.to_str().unwrap());
        }
    });
    let (why, time) = timed(async { refusal(fake.server.life().await) }).await;
    assert!(time < Duration::from_secs(2), "{why} after {time:?}");
    let (again, _) = timed(async { refusal(fake.server.life().await) }).await;
    assert_eq!(why, again, "told once more without another try");
    assert_eq!(fake.server.status().state, Was::Failed);
    fake.fixture.relative(&why)
}

/// Started so; `ROOT` is the directory of the fixture.
fn program(text: &'static str) -> impl FnOnce(&mut ServerSpec) {
    move |spec| spec.reach = Reach::Program { program: text.to_owned(), args: vec![] }
}

fn executable(fixture: &Fixture, name: &str, bytes: &[u8]) {
    fixture.write_bytes(name, bytes);
    let allowed = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(fixture.path(name), allowed).unwrap();
}

#[tokio::test]
async fn a_server_that_never_answers_is_named_with_its_bound() {
    let fake = Fake::with(&Script::faulty(Fault::Mute), |spec| {
        spec.limits = quick();
        spec.limits.initialize = Duration::from_millis(200);
    });
    let (why, time) = timed(async { refusal(fake.server.life().await) }).await;
    assert_eq!(why, "`fake` gave no answer to `initialize` in 0.2 s");
    assert!(time < Duration::from_secs(2), "{time:?}");
    fake.is(Was::Failed).await;
    let why = refusal(fake.server.life().await);
    assert_eq!(
        why,
        "`fake` failed 5 times in three minutes and is not started again by itself; the last time it gave no answer to `initialize` in 0.2 s"
    );
    assert_eq!(fake.server.status().detail.unwrap(), why.strip_prefix("`fake` ").unwrap());
    assert_eq!((fake.count("initialize"), fake.server.status().restarts), (5, 4));
    gone(fake.pid()).await;
}

#[tokio::test]
async fn a_program_that_is_no_server_shows_its_usage() {
    let fake = Fake::new(&Script::faulty(Fault::Usage));
    let (why, time) = timed(async { refusal(fake.server.life().await) }).await;
    assert_eq!(
        why,
        "`fake` exited with code 2 before it answered the handshake and printed its usage: these arguments do not \
         start a language server; it said: usage: fake-ls [--script FILE] [--log FILE] [--pid FILE] [--marker FILE] \
         [MODE]..."
    );
    assert!(time < Duration::from_secs(2), "{time:?}");
}

#[tokio::test]
async fn a_complaint_before_the_usage_is_told() {
    let fake = Fake::with(&Script::default(), |spec| {
        spec.limits = quick();
        if let Reach::Program { args, .. } = &mut spec.reach {
            *args = vec!["--no-such-mode".into()];
        }
    });
    let why = refusal(fake.server.life().await);
    assert!(why.contains("; it said: fake-ls: no such fault: `--no-such-mode`\nusage: fake-ls"), "{why}");
    assert_eq!(why.lines().count(), 2);
}

#[tokio::test]
async fn what_is_not_there_is_said_in_one_sentence() {
    let why = why_not(Fixture::new(GREETING), program("/none/fake-ls")).await;
    assert_eq!(
        why,
        "`fake` cannot be started: no program `/none/fake-ls` was found; install it or correct its path"
    );
    let why = why_not(Fixture::new(GREETING), program("no-such-server")).await;
    assert_eq!(why, "`fake` is not installed: there is no such program on the search path");
}

#[tokio::test]
async fn what_cannot_run_is_said_in_one_sentence() {
    let fixture = Fixture::new("//- /tool\n#!/bin/sh\n");
    assert_eq!(
        why_not(fixture, program("./tool")).await,
        "`fake` cannot be started: `/./tool` is not an executable file; allow it with `chmod +x` or name another program"
    );
    let fixture = Fixture::new(GREETING);
    executable(&fixture, "tool", b"#!/opt/none/python3 -u\n");
    assert_eq!(
        why_not(fixture, program("ROOT/tool")).await,
        "`fake` cannot be started: `/tool` is a script for `/opt/none/python3`, which was not found; install that, or \
         correct the script's first line or the `PATH`"
    );
    let fixture = Fixture::new(GREETING);
    executable(&fixture, "tool", b"\x7fELF\x02\x01\x01garbage garbage garbage garbage garbage");
    assert_eq!(
        why_not(fixture, program("ROOT/tool")).await,
        "`fake` cannot be started: `/tool` cannot run on this system; install the build for this system and processor, \
         or give it a `#!` line if it is a script"
    );
}

#[tokio::test]
async fn a_stand_in_of_rustup_is_not_started() {
    let fixture = Fixture::new("//- /.rustup/settings.toml\ndefault_toolchain = \"stable-x\"\n");
    executable(&fixture, ".cargo/bin/rustup", b"#!/bin/sh\n");
    std::os::unix::fs::symlink("rustup", fixture.path(".cargo/bin/rust-analyzer")).unwrap();
    executable(&fixture, ".rustup/toolchains/nightly-x/bin/rust-analyzer", b"#!/bin/sh\n");
    let path = fixture.path(".cargo/bin").to_str().unwrap().to_owned();
    let why = why_not(fixture, |spec| {
        spec.reach = Reach::Program { program: "rust-analyzer".into(), args: vec![] };
        spec.env.insert("PATH".into(), path);
    })
    .await;
    assert_eq!(
        why,
        "`fake` cannot be started: `/.cargo/bin/rust-analyzer` is rustup's stand-in; `rustup component add \
         rust-analyzer` puts the real one behind it"
    );
}

#[tokio::test]
async fn a_directory_that_is_gone_is_said_in_one_sentence() {
    let fake = Fake::new(&Script::default());
    let root = fake.fixture.root().to_owned();
    let Fake { fixture, server, .. } = fake;
    fixture.close();
    let why = refusal(server.life().await);
    let shown = root.display();
    let end = format!(
        "cannot start in `{shown}`, which is no directory that can be entered; create it or name another"
    );
    assert!(why.starts_with("`fake` cannot be started: `") && why.ends_with(&end), "{why}");
}

#[tokio::test]
async fn what_would_be_started_is_known_before() {
    let fake = Fake::new(&Script::default());
    assert!(fake.server.program().unwrap().ends_with("fake-ls"));
    let missing = Fake::with(&Script::default(), program("no-such-server"));
    assert_eq!(
        refusal(missing.server.program()),
        "`fake` is not installed: there is no such program on the search path"
    );
}
