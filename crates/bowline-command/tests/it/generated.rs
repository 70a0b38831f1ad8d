//! Bash is the judge: whatever ran was seen, or there was a doubt.

use std::cell::RefCell;

use bowline_command::{Script, Surroundings};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::bash::Playground;
use crate::{generator, runs};

#[derive(Debug, Default)]
struct Counts {
    generated: usize,
    marked: usize,
    found_by_command: usize,
    found_by_doubt: usize,
    changed: usize,
    found_by_touch: usize,
    changed_in_doubt: usize,
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

fn covers(script: &Script, playground: &Playground) -> bool {
    let guarded = playground.guarded();
    script.writes().any(|touch| {
        touch.paths.iter().any(|path| {
            let plain: std::path::PathBuf = path.to_str().unwrap_or_default().replace("prot/../", "").into();
            plain == guarded || touch.is_deep && guarded.starts_with(&plain)
        })
    })
}

fn judge(with_programs: bool) -> Counts {
    let playground = Playground::new();
    let surroundings = Surroundings { cwd: Some(playground.work()), home: None };
    let counts = RefCell::new(Counts::default());
    let config =
        Config { cases: cases(), failure_persistence: None, max_shrink_iters: 400, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed()));
    let outcome = runner.run(&generator::texts(with_programs), |text| {
        let script = bowline_command::read(&text, &surroundings);
        let left = playground.run(&text);
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
            if covers(&script, &playground) {
                counts.found_by_touch += 1;
            } else if !script.doubts.is_empty() {
                counts.changed_in_doubt += 1;
            } else {
                return Err(TestCaseError::fail(format!("the guarded file changed unseen: {script:?}")));
            }
        }
        Ok(())
    });
    let counts = counts.into_inner();
    tell(&counts);
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    counts
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
    assert_telling(&judge(false));
}

#[test]
fn whatever_leaves_a_mark_was_seen_through_programs() {
    assert_telling(&judge(true));
}
