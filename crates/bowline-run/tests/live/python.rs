//! Python.

use bowline_run::{Limits, Task, run};

use crate::harness::{Live, installed};

/// With an environment of its own, which is a link to the one that has the package.
fn with(project: &str, variable: &str) -> Live {
    let python = installed(variable);
    let home = python.parent().and_then(|bin| bin.parent()).unwrap().to_owned();
    Live::of(project).linked(".venv", &home)
}

#[tokio::test]
async fn failing_tests_of_pytest() {
    let live = with("pytest/failing", "BOWLINE_RUNNER_PYTEST");
    let broken = live.run(Task::Test, None).await;
    assert_eq!(
        broken.problems(),
        ["tests/test_broken.py:1 error: ModuleNotFoundError: No module named 'nosuchmodule'"]
    );
    assert_eq!((broken.failures().len(), broken.counts()), (0, Some((0, 0, 0))));

    let ran = live.run(Task::Test, Some("tests/test_add.py")).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.failures(),
        [
            "tests/test_add.py::TestThing::test_raises tests/test_add.py:24: ValueError: two\nlines",
            "tests/test_add.py::test_add tests/test_add.py:7: AssertionError: one and two\nassert -1 == 3\n +  where -1 = \
             add(1, 2)",
            "tests/test_add.py::test_fixture tests/test_add.py:29: RuntimeError: no fixture",
            "tests/test_add.py::test_many[2] tests/test_add.py:12: assert 2 == 1\n +  where 2 = add(2, 0)",
        ]
    );
    assert_eq!(ran.counts(), Some((2, 4, 1)));

    let one = live.run(Task::Test, Some("tests/test_add.py::test_many[2]")).await;
    assert_eq!(one.counts(), Some((0, 1, 0)));
    let none = live.run(Task::Test, Some("sums.py")).await;
    assert_eq!(none.counts(), Some((0, 0, 0)));
    assert!(!none.outcome.success());
}

#[tokio::test]
async fn failing_tests_of_unittest() {
    let live = Live::of("unittest/failing");
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.problems(),
        ["tests/test_imports.py:1 error: ModuleNotFoundError: No module named 'nosuchmodule'"]
    );
    assert_eq!(
        ran.failures(),
        [
            "tests.test_sums.Sums.test_cases (n=0) tests/test_sums.py:17: AssertionError: 0 != 1",
            "tests.test_sums.Sums.test_cases (n=2) tests/test_sums.py:17: AssertionError: 2 != 1",
            "tests.test_sums.Sums.test_equal tests/test_sums.py:6: AssertionError: 1 != 2 : not the same",
            "tests.test_sums.Sums.test_error tests/test_sums.py:12: KeyError: 'gone'",
        ]
    );
    assert_eq!(ran.counts(), Some((1, 3, 1)));

    let one = live.run(Task::Test, Some("tests/test_sums.py::Sums::test_equal")).await;
    assert_eq!((one.failures().len(), one.counts()), (1, Some((0, 1, 0))));
    let good = live.run(Task::Test, Some("tests/test_sums.py::Sums::test_fine")).await;
    assert!(good.outcome.success());
}

#[tokio::test]
async fn wrong_types_by_mypy() {
    let ran = with("mypy/broken", "BOWLINE_RUNNER_MYPY").run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.problems(),
        [
            "shop.py:2:12 error [return-value]: Incompatible return value type (got \"int\", expected \"str\")",
            "shop.py:5:7 error [arg-type]: Argument 1 to \"price\" has incompatible type \"str\"; expected \"int\"",
        ]
    );
}

#[tokio::test]
async fn wrong_types_by_pyright() {
    let pyright = installed("BOWLINE_COMPILER_PYRIGHT");
    let live = Live::of("pyright/broken").linked("node_modules/.bin/pyright", &pyright);
    let ran = live.run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    assert_eq!(
        ran.problems(),
        [
            "shop.py:2:12 error [reportReturnType]: Type \"int\" is not assignable to return type \"str\"\n\"int\" is not \
             assignable to \"str\"",
            "shop.py:5:7 error [reportArgumentType]: Argument of type \"Literal['three']\" cannot be assigned to parameter \
             \"count\" of type \"int\" in function \"price\"\n\"Literal['three']\" is not assignable to \"int\"",
        ]
    );
}

#[tokio::test]
async fn wrong_syntax() {
    let live = Live::of("compileall/broken");
    let ran = live.run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    let mut files: Vec<String> =
        ran.problems().iter().map(|one| one.split(" error: ").next().unwrap().to_owned()).collect();
    files.sort_unstable();
    assert_eq!(files, ["part/more.py:2", "shop.py:1"]);
    assert!(!live.root().join("__pycache__").exists(), "nothing is written into the project");
    assert!(live.run(Task::Build, Some("fine.py")).await.outcome.success());
}

#[tokio::test]
async fn a_module_that_is_not_installed_is_an_error_and_no_failure() {
    // mypy's environment has no pytest.
    let live = with("pytest/failing", "BOWLINE_RUNNER_MYPY");
    let limits = Limits {
        time: std::time::Duration::from_secs(60),
        cancellation: tokio_util::sync::CancellationToken::new(),
        progress: None,
        logs: None,
    };
    let error = run(&live.plan(Task::Test, None).unwrap(), &limits).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "`pytest` was not found; install pytest into the project's virtual environment: `python -m pip install pytest`"
    );
}
