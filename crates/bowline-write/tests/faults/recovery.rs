//! A recovery, itself killed at each of its calls: the one after it comes to the same end.

use std::path::Path;

use bowline_testkit::syscalls::{Interruption, begin, end};

use crate::scene::{Scene, State, writer};
use crate::sweep::{Counts, OLD, System, THIS, run, sweep};

/// A commit is interrupted so many times, at places spread evenly over it.
const PLACES: usize = 6;

pub(crate) fn child(dir: &Path) {
    let writer = writer(dir);
    begin();
    let recovered = writer.recover();
    end();
    let Err(error) = recovered else { return };
    println!("{error}");
    std::process::exit(10);
}

pub(crate) fn all() -> String {
    let mut counts = Counts::default();
    for system in [THIS, OLD] {
        let scene = Scene::new();
        scene.reset();
        let calls = run("commit", &scene.dir(), Interruption::Never, system).calls;
        for place in 1..=PLACES {
            // From the first exchange on, where there is something to put back.
            let at = calls * (PLACES + place) / (2 * PLACES + 1);
            counts += sweep(|scene, again| killed_twice(scene, at, again, system));
        }
    }
    format!("recoveries: {counts}")
}

fn killed_twice(scene: &Scene, at: usize, again: usize, system: System) -> Option<Counts> {
    scene.reset();
    run("commit", &scene.dir(), Interruption::KillBefore(at), system);
    let committed = scene.snapshot().keys().any(|path| path.to_string_lossy().ends_with(".committed"));
    let ended = run("recover", &scene.dir(), Interruption::KillBefore(again), system);
    let settled = scene.settle();
    let Ok((state, _)) = settled else { panic!("at {at}, then at {again}: {settled:?}") };
    // What was committed before the second death is committed after it.
    assert_eq!(state == State::AllNew, committed, "at {at}, then at {again}");
    let mut counts = Counts { kills: 1, ..Counts::default() };
    counts.count(state);
    ended.interrupted.then_some(counts)
}
