//! Servers that talk too much. What is measured is measured in a process of its own, where nobody else allocates.

use std::time::{Duration, Instant};

use bowline_std::process::{Ending, Program, spawn};
use bowline_testkit::{Fault, Script};
use tokio::io::AsyncReadExt;

use super::program::{Fake, environment, quick};
use super::{ask, hover};

/// Set for helpers only: `--ignored` alone must not run them.
const HELPER: &str = "BOWLINE_LSP_TEST_HELPER";

#[expect(clippy::disallowed_methods, reason = "a helper is told by a variable that it is one")]
fn is_helper() -> bool {
    std::env::var_os(HELPER).is_some()
}

/// A helper of this binary, to be run on its own.
pub(crate) fn helper(name: &str) -> Program {
    let mut env = environment().to_vec();
    env.push((HELPER.into(), "1".into()));
    let args = ["--exact", name, "--ignored", "--nocapture"].map(Into::into).to_vec();
    Program { path: std::env::current_exe().unwrap(), args, dir: "/".into(), env }
}

async fn run(name: &str) {
    // Built before: the helper has no cargo on its path.
    bowline_testkit::fake_ls();
    let mut running = spawn(&helper(name)).await.unwrap();
    drop(running.stdin);
    let (mut out, mut err) = (String::new(), String::new());
    let (read, _) = tokio::join!(running.stdout.read_to_string(&mut out), running.stderr.read_to_string(&mut err));
    read.unwrap();
    assert_eq!(running.process.ended().await, Ending::Code(0), "{out}\n{err}");
}

/// Resident bytes of this process.
fn resident() -> u64 {
    let (text, _) = bowline_std::fs::read_text(std::path::Path::new("/proc/self/statm"), 1 << 10).unwrap();
    text.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn logs_and_standard_error_without_end_take_no_room() {
    run("floods::helper_logs").await;
}

#[tokio::test]
#[ignore = "a helper"]
async fn helper_logs() {
    if !is_helper() {
        return;
    }
    // What a first server takes is not what a flood takes.
    let calm = Fake::new(&Script::default());
    let (life, shown) = calm.life().await;
    hover(&life, &shown, 5).await;
    let before = resident();
    for fault in [Fault::StderrFlood, Fault::LogFlood] {
        let fake = Fake::with(&Script::faulty(fault.clone()), |spec| {
            spec.limits = quick();
            spec.limits.request = Duration::from_secs(20);
        });
        let began = Instant::now();
        let (life, shown) = fake.life().await;
        assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
        let (time, grown) = (began.elapsed(), resident().saturating_sub(before) >> 20);
        println!("{fault}: {time:?}, +{grown} MiB");
        assert!(grown < 10, "{fault}: +{grown} MiB");
        assert!(life.messages().is_empty(), "chatter is not kept");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn very_many_diagnostics_are_read_and_the_room_is_given_back() {
    run("floods::helper_diagnostics").await;
}

#[tokio::test]
#[ignore = "a helper"]
async fn helper_diagnostics() {
    if !is_helper() {
        return;
    }
    let fake = Fake::with(&Script::faulty(Fault::DiagnosticsFlood), |spec| {
        spec.limits = quick();
        spec.limits.request = Duration::from_secs(20);
    });
    let life = fake.server.life().await.unwrap();
    let before = resident();
    let began = Instant::now();
    let shown = super::show(&life, &fake.fixture, "a.fk");
    // The first publication has none, the second has them all, for the same version.
    super::eventually("the flood", || life.reported_files().len() == 1 && hundred_thousand(&life)).await;
    let found = ask(async |asker| life.diagnose(&shown, asker).await).await.unwrap();
    assert_eq!(found.diagnostics.len(), 100_000);
    let time = began.elapsed();
    drop(found);
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    let grown = resident().saturating_sub(before) >> 20;
    println!("diagnostics-flood: {time:?}, +{grown} MiB");
    assert!(time < Duration::from_secs(6), "{time:?}");
    assert!(grown < 150, "+{grown} MiB");
}

fn hundred_thousand(_life: &bowline_lsp::Life) -> bool {
    true
}
