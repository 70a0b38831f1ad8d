//! Rust.

use bowline_run::Task;

use crate::harness::Live;

#[tokio::test]
async fn a_broken_build() {
    let ran = Live::of("cargo/broken").run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    let mut problems = ran.problems();
    problems.sort_unstable();
    assert_eq!(
        problems,
        [
            "src/main.rs:5:24 error [E0308]: mismatched types: expected `String`, found integer",
            "src/main.rs:6:12 error [E0425]: cannot find function `missing` in module `other`: not found in `other`",
            "src/other.rs:3:9 error [E0425]: cannot find value `undefined_name` in this scope: not found in this scope",
        ]
    );
}

#[tokio::test]
async fn failing_tests() {
    let live = Live::of("cargo/failing");
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    let doc = "members/inner/src/lib.rs - add (line 3) members/inner/src/lib.rs:5: assertion `left == right` failed\n  \
               left: -1\n right: 4";
    let adds = "tests::adds members/inner/src/lib.rs:17: assertion `left == right` failed: one and two\n  left: -1\n right: 3";
    assert_eq!(
        ran.failures(),
        [
            doc,
            "outer members/inner/tests/outer.rs:4: called `Option::unwrap()` on a `None` value",
            adds,
            "tests::errs -: Error: \"no luck\"",
        ]
    );
    assert_eq!(ran.counts(), Some((1, 4, 1)));

    let one = live.run(Task::Test, Some("members/inner/src/lib.rs::tests::adds")).await;
    assert_eq!(one.failures(), [adds]);
    assert_eq!(one.counts(), Some((0, 1, 0)));
    let short = live.run(Task::Test, Some("members/inner/src/lib.rs::adds")).await;
    assert_eq!(short.failures(), [adds]);
    for part in ["add", "nosuch"] {
        let none = live.run(Task::Test, Some(&format!("members/inner/src/lib.rs::{part}"))).await;
        assert_eq!(none.counts(), Some((0, 0, 0)), "{}", none.log);
    }
    let file = live.run(Task::Test, Some("members/inner/tests/outer.rs")).await;
    assert_eq!(file.counts(), Some((0, 1, 0)));
    let built = live.run(Task::Build, None).await;
    assert!(built.outcome.success());
}
