//! Servers that talk too much. What is measured is measured in a process of its own, where nobody else allocates.

use std::path::Path;
use std::time::{Duration, Instant};

use bowline_testkit::{Fault, Script};

use super::program::{Fake, is_helper, quick, run_helper};
use super::{ask, hover};

/// Resident bytes of this process.
fn resident() -> u64 {
    let (text, _) = bowline_std::fs::read_text(Path::new("/proc/self/status"), 64 << 10).unwrap();
    let line = text.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() << 10
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn logs_and_standard_error_without_end_take_no_room() {
    run_helper("floods::helper_logs").await;
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
    run_helper("floods::helper_diagnostics").await;
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
    // Whatever was published before this answer has been heard with it.
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
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
