//! Go.

use bowline_run::Task;

use crate::harness::Live;

#[tokio::test]
async fn a_broken_build() {
    let ran = Live::of("go/broken").run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    let mut problems = ran.problems();
    problems.sort_unstable();
    assert_eq!(
        problems,
        [
            "main.go:4:18 error: cannot use \"three\" (untyped string constant) as int value in variable declaration",
            "part/part.go:4:13 error: undefined: undefinedName",
        ]
    );
    let part = Live::of("go/broken").run(Task::Build, Some("part")).await;
    assert_eq!(part.problems(), ["part/part.go:4:13 error: undefined: undefinedName"]);
}

#[tokio::test]
async fn failing_tests() {
    let live = Live::of("go/failing");
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(ran.problems(), ["uncompiled/a_test.go:5:32 error: undefined: missing"]);
    assert_eq!(
        ran.failures(),
        [
            "TestAdd sum_test.go:7: Add(1, 2) = -1, want 3",
            "TestPanics part/part_test.go:7: panic: assignment to entry in nil map [recovered, repanicked]",
            "TestTable/one_and_one sum_test.go:18: not two:\nthis is a second line",
        ]
    );
    assert_eq!(ran.counts(), Some((1, 3, 1)));
    assert!(!ran.log.contains("\"Action\""), "people read it");

    let one = live.run(Task::Test, Some("sum_test.go::TestTable/zero and zero")).await;
    assert!(one.outcome.success() && one.failures().is_empty());
    let none = live.run(Task::Test, Some("sum_test.go::TestNone")).await;
    assert_eq!(none.counts(), Some((0, 0, 0)), "{}", none.log);
}

#[tokio::test]
async fn a_good_build_leaves_nothing_behind() {
    let live = Live::of("go/failing");
    let ran = live.run(Task::Build, None).await;
    assert!(ran.outcome.success() && ran.problems().is_empty(), "{}", ran.log);
    let mut names: Vec<_> = live.root().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["go.mod", "part", "sum.go", "sum_test.go", "uncompiled"]);
}
