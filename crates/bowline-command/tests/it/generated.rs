//! Real shells are the judges: whatever ran, was written or was shown had been seen, or there was a doubt.

use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};

use bowline_command::{Access, Script, ShellKind, Surroundings};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::bash::{Judge, Left, Playground};
use crate::generator::{self, Kind};
use crate::runs;

#[derive(Debug, Default)]
struct Counts {
    generated: usize,
    marked: usize,
    found_by_command: usize,
    found_by_doubt: usize,
    changed: usize,
    found_by_touch: usize,
    changed_in_doubt: usize,
    leaked: usize,
    found_by_read: usize,
    leaked_in_doubt: usize,
    without_doubt: usize,
}

/// How many texts each run makes: a few seconds of bash. `BOWLINE_CASES` asks for more.
#[expect(clippy::disallowed_methods, reason = "how a person asks this test for more")]
fn cases() -> u32 {
    std::env::var("BOWLINE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(700)
}

#[expect(clippy::disallowed_methods, reason = "how a person asks this test for other texts")]
fn seed() -> [u8; 32] {
    let seed = std::env::var("BOWLINE_SEED").ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(9);
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// Is this file among those that are touched?
pub(crate) fn covers(script: &Script, access: Access, file: &Path) -> bool {
    script.touches.iter().filter(|touch| touch.access == access).any(|touch| {
        touch.paths.iter().any(|path| {
            let plain = plain(path);
            plain == file || touch.is_deep && file.starts_with(&plain)
        })
    })
}

/// Without `..`: there are no links here.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

fn judge(kind: Kind, judge: Judge, shell: ShellKind) -> Counts {
    judge_some(kind, judge, shell, cases())
}

fn judge_some(kind: Kind, judge: Judge, shell: ShellKind, cases: u32) -> Counts {
    if !judge.is_there() {
        return Counts::default();
    }
    let playground = Playground::new();
    let home = playground.work().parent().map(Path::to_path_buf);
    let surroundings = Surroundings { cwd: Some(playground.work()), home, shell };
    let counts = RefCell::new(Counts::default());
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed()));
    let outcome = runner.run(&generator::texts(kind), |text| {
        let script = bowline_command::read(&text, &surroundings);
        let mut left = playground.run(judge, &text);
        // What an earlier text has left running may end only now: what a text does, it does again.
        if is_unseen(&script, left, &playground) {
            left = playground.run(judge, &text);
        }
        let mut counts = counts.borrow_mut();
        counts.generated += 1;
        counts.without_doubt += usize::from(script.doubts.is_empty());
        if left.has_mark {
            counts.marked += 1;
            if runs(&script, "evil") {
                counts.found_by_command += 1;
            } else if !script.doubts.is_empty() {
                counts.found_by_doubt += 1;
            } else {
                return Err(TestCaseError::fail(format!("`evil` ran unseen: {script:?}")));
            }
        }
        if left.has_change {
            counts.changed += 1;
            if covers(&script, Access::Write, &playground.guarded()) {
                counts.found_by_touch += 1;
            } else if !script.doubts.is_empty() {
                counts.changed_in_doubt += 1;
            } else {
                return Err(TestCaseError::fail(format!("the guarded file changed unseen: {script:?}")));
            }
        }
        if left.has_leak {
            counts.leaked += 1;
            if covers(&script, Access::Read, &playground.secret()) {
                counts.found_by_read += 1;
            } else if !script.doubts.is_empty() {
                counts.leaked_in_doubt += 1;
            } else {
                return Err(TestCaseError::fail(format!("the secret was shown unseen: {script:?}")));
            }
        }
        Ok(())
    });
    let counts = counts.into_inner();
    tell(&counts);
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    counts
}

/// Something happened that the script does not tell of.
fn is_unseen(script: &Script, left: Left, playground: &Playground) -> bool {
    let is_seen = (!left.has_mark || runs(script, "evil"))
        && (!left.has_change || covers(script, Access::Write, &playground.guarded()))
        && (!left.has_leak || covers(script, Access::Read, &playground.secret()));
    !is_seen && script.doubts.is_empty()
}

#[expect(clippy::print_stderr, reason = "the counts are for people, who ask with `--nocapture`")]
fn tell(counts: &Counts) {
    eprintln!("{counts:?}");
}

fn assert_telling(counts: &Counts) {
    assert!(counts.marked * 5 > counts.generated, "too few texts run `evil`: {counts:?}");
    assert!(counts.changed * 20 > counts.generated, "too few texts write: {counts:?}");
    assert!(counts.found_by_command * 10 > counts.marked * 8, "too little is found: {counts:?}");
    assert!(counts.without_doubt * 5 > counts.generated, "everything is doubted: {counts:?}");
}

#[test]
fn whatever_leaves_a_mark_was_seen() {
    assert_telling(&judge(Kind::Grammar, Judge::Bash, ShellKind::Bash));
}

#[test]
fn whatever_leaves_a_mark_was_seen_through_programs() {
    assert_telling(&judge(Kind::Programs, Judge::Bash, ShellKind::Bash));
}

#[test]
fn files_that_are_opened_again_are_seen() {
    let counts = judge(Kind::Files, Judge::Bash, ShellKind::Bash);
    assert!(counts.changed * 12 > counts.generated, "too few texts write: {counts:?}");
    assert!(counts.leaked * 12 > counts.generated, "too few texts read: {counts:?}");
    assert!(counts.found_by_touch * 10 > counts.changed * 6, "too little is found: {counts:?}");
    assert!(counts.found_by_read * 10 > counts.leaked * 7, "too little is found: {counts:?}");
}

#[test]
fn dash_does_nothing_that_was_not_seen() {
    for kind in [Kind::Shells, Kind::Programs, Kind::Files] {
        let counts = judge_some(kind, Judge::Dash, ShellKind::Unknown, cases() / 2);
        let done = counts.marked + counts.changed + counts.leaked;
        assert!(done * 8 >= counts.generated, "too few texts do something: {counts:?}");
    }
}

#[test]
fn where_the_shell_is_not_known_bash_does_nothing_that_was_not_seen() {
    assert_telling(&judge(Kind::Shells, Judge::Bash, ShellKind::Unknown));
}
