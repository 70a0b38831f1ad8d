//! A commit, killed or failed at each of its calls.

use std::path::Path;
use std::process::Command;

use bowline_testkit::syscalls::{Interruption, begin, end};
use bowline_write::WriteError;

use crate::scene::{Scene, State, plan, writer};
use crate::sweep::{Counts, OLD, System, THIS, run, sweep};

const DONE: i32 = 0;
const REFUSED: i32 = 10;
/// Not even putting back was possible.
const LEFT: i32 = 11;

/// So many calls fail, spread evenly over the second half of a commit, before the one that puts back is killed.
const PLACES: usize = 5;

pub(crate) fn child(dir: &Path) {
    let (writer, plan) = (writer(dir), plan(dir));
    begin();
    let written = writer.write(plan, &|_| true);
    end();
    let code = match &written {
        Ok(_) => DONE,
        Err(WriteError::NotPutBack { .. } | WriteError::Undecided { .. }) => LEFT,
        Err(_) => REFUSED,
    };
    if let Err(error) = written {
        println!("{error}");
    }
    std::process::exit(code);
}

pub(crate) fn all() -> Counts {
    let mut counts = Counts::default();
    for system in [THIS, OLD] {
        counts += sweep(|scene, at| killed(scene, Interruption::KillBefore(at), system));
        counts += sweep(|scene, at| failed(scene, Interruption::Fail(at, libc::EIO), system));
    }
    counts += sweep(|scene, at| killed(scene, Interruption::KillAfter(at), THIS));
    for error in [libc::ENOSPC, libc::EACCES] {
        counts += sweep(|scene, at| failed(scene, Interruption::Fail(at, error), THIS));
    }
    for error in [libc::EIO, libc::ENOSPC] {
        counts += sweep(|scene, at| failed(scene, Interruption::FailFrom(at, error), THIS));
    }
    // Putting back what a failed call left is itself cut short.
    let calls = untouched_calls();
    let made_durable = calls_to_the_commit(calls) + 1;
    counts +=
        sweep(|scene, then| killed(scene, Interruption::FailThenKill(made_durable, libc::EIO, then), THIS));
    for place in 1..=PLACES {
        let at = calls * (PLACES + place) / (2 * PLACES + 1);
        counts += sweep(|scene, then| killed(scene, Interruption::FailThenKill(at, libc::EIO, then), THIS));
    }
    counts
}

fn untouched_calls() -> usize {
    let scene = Scene::new();
    scene.reset();
    run("commit", &scene.dir(), Interruption::Never, THIS).calls
}

/// How many calls it takes until the journal says that all is new. The next one makes it durable.
fn calls_to_the_commit(calls: usize) -> usize {
    let scene = Scene::new();
    let is_committed = |at: usize| {
        scene.reset();
        run("commit", &scene.dir(), Interruption::KillAfter(at), THIS);
        let is_record = |name: String| name.ends_with(".committed") || name.ends_with(".json");
        scene.snapshot().keys().any(|path| is_record(path.display().to_string()))
    };
    let (mut before, mut after) = (0, calls);
    while after - before > 1 {
        let middle = before.midpoint(after);
        if is_committed(middle) {
            after = middle;
        } else {
            before = middle;
        }
    }
    after
}

fn killed(scene: &Scene, interruption: Interruption, system: System) -> Option<Counts> {
    scene.reset();
    let ended = run("commit", &scene.dir(), interruption, system);
    let settled = scene.settle();
    let Ok((state, _)) = settled else { panic!("{interruption:?}: {settled:?}") };
    if !ended.interrupted {
        let wanted = if state == State::AllNew { DONE } else { REFUSED };
        assert_eq!(ended.code, Some(wanted), "{interruption:?}: {}", ended.said);
        return None;
    }
    let mut counts = Counts { kills: 1, ..Counts::default() };
    counts.count(state);
    Some(counts)
}

fn failed(scene: &Scene, interruption: Interruption, system: System) -> Option<Counts> {
    scene.reset();
    let ended = run("commit", &scene.dir(), interruption, system);
    let what = format!("{interruption:?} ended with {:?}: {}", ended.code, ended.said);
    match ended.code {
        Some(DONE) => assert_eq!(scene.files(), Ok(State::AllNew), "{what}"),
        Some(REFUSED) => assert_eq!(scene.everything(), Ok(State::AllOld), "{what}"),
        Some(LEFT) => {}
        _ => panic!("{what}"),
    }
    if ended.code != Some(DONE) {
        let place = scene.dir().display().to_string();
        assert!(ended.said.contains(&place), "the message names no file: {what}");
    }
    let settled = scene.settle();
    let Ok((state, _)) = settled else { panic!("{what}: {settled:?}") };
    let wanted = [(DONE, State::AllOld), (REFUSED, State::AllNew)];
    assert!(!wanted.iter().any(|wrong| (Some(wrong.0), state) == (ended.code, wrong.1)), "{what}: {state:?}");
    let mut counts = Counts { failures: 1, ..Counts::default() };
    counts.count(state);
    ended.interrupted.then_some(counts)
}

/// A real limit of the system instead of one that is played: no file may grow beyond one block.
pub(crate) fn with_a_limit_on_file_size() -> String {
    let scene = Scene::new();
    scene.reset();
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]).arg(program).arg("commit");
    let output = command.arg(scene.dir()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(REFUSED), "{said}");
    assert!(said.starts_with("no space left to write"), "{said}");
    assert_eq!(scene.everything(), Ok(State::AllOld));
    let settled = scene.settle();
    assert!(settled.is_ok(), "{settled:?}");
    "a limit on file size refused".to_owned()
}
