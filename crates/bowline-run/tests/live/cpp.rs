//! C and C++.

use bowline_run::Task;

use crate::harness::Live;

#[tokio::test]
async fn a_broken_build_with_cmake() {
    let ran = Live::of("cmake/broken").run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.problems(),
        [
            "src/count.c:5:12 error: ‘missing’ undeclared (first use in this function)",
            "src/count.c:4:9 warning [-Wunused-variable]: unused variable ‘unused’",
        ]
    );
}

#[tokio::test]
async fn failing_tests_with_ctest() {
    let live = Live::of("cmake/failing");
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    let failures = ran.failures();
    assert_eq!(failures.len(), 2, "{failures:?}");
    assert_eq!(failures[0], "crash -: Exception: SegFault");
    assert!(
        failures[1].starts_with("sums tests/sums.c:9: Subprocess aborted: Exception\nsums: "),
        "{}",
        failures[1]
    );
    assert!(failures[1].ends_with("sums.c:9: main: Assertion `1 + 1 == 3' failed."), "{}", failures[1]);
    assert_eq!(ran.counts(), Some((1, 2, 0)));

    // Configured already, it is only built.
    assert_eq!(live.plan(Task::Test, None).unwrap().commands().len(), 2);
    let one = live.run(Task::Test, Some("tests/sums.c::fine")).await;
    assert!(one.outcome.success() && one.counts() == Some((1, 0, 0)));
    let none = live.run(Task::Test, Some("tests/sums.c::fi")).await;
    assert_eq!(none.counts(), Some((0, 0, 0)));
}

#[tokio::test]
async fn a_broken_build_with_make() {
    let ran = Live::of("make/broken").run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.problems(),
        [
            "lib/count.c:3:12 error: ‘missing’ undeclared (first use in this function)",
            "lib/count.c:2:9 warning [-Wunused-variable]: unused variable ‘unused’",
        ]
    );
}

#[tokio::test]
async fn failing_tests_with_make() {
    let ran = Live::of("make/failing").run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    // make does not know what a test is: the end of what was printed is all there is.
    let [problem] = &ran.problems()[..] else { panic!("{:?}", ran.problems()) };
    assert!(problem.starts_with("- error: `make` exited with code 2:\n"), "{problem}");
    assert!(problem.contains("sums.c: 1 + 1 is not 3"), "{problem}");
    assert_eq!(ran.counts(), None);
}
