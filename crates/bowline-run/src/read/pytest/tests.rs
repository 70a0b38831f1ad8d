//! Output of pytest 9.2.

use super::super::place::{failed, shown};
use super::*;

const PRINTED: &str = include_str!("../../../tests/recorded/pytest.txt");

#[test]
fn a_run() {
    let report = pytest(PRINTED);
    assert_eq!(
        failed(&report.failures),
        [
            "tests/test_add.py::test_add tests/test_add.py:9: AssertionError: one and two\nassert -1 == 3\n +  where \
             -1 = add(1, 2)",
            "tests/test_add.py::test_many[2] tests/test_add.py:14: assert 2 == 1\n +  where 2 = add(2, 0)",
            "tests/test_add.py::TestThing::test_raises tests/test_add.py:26: ValueError: two\nlines",
            "tests/test_add.py::Old::test_old tests/test_add.py:31: AssertionError: 0 != 2",
            "tests/test_add.py::test_fixture tests/test_add.py:36: RuntimeError: no fixture",
        ]
    );
    assert_eq!(
        shown(&report.problems),
        [
            "tests/test_broken.py:1 error: ModuleNotFoundError: No module named 'nosuchmodule'",
            "tests/test_syntax.py:1 error: File \"/src/m/tests/test_syntax.py\", line 1\n    def test_x(:\n               \
             ^\nSyntaxError: invalid syntax",
        ]
    );
    assert_eq!(report.counts, Some(Counts { passed: 2, failed: 5, skipped: 2 }), "a file is no test");
}

#[test]
fn sums() {
    assert_eq!(counts("=== no tests ran in 0.07s ==="), Some(Counts::default()));
    assert_eq!(
        counts("2 passed, 1 warning in 61.20s (0:01:01)"),
        Some(Counts { passed: 2, ..Counts::default() })
    );
    assert_eq!(counts("it is 3 days in 2s"), None);
}

#[test]
fn a_parameter_may_hold_the_dash_and_a_name_may_occur_twice() {
    let printed = "\
=== FAILURES ===
__ test_a[x - y] __
a_test.py:3: in test_a
    assert 0
E   assert 0
__ test_b __
a_test.py:5: in test_b
E   assert 1
__ test_b __
b_test.py:7: in test_b
E   assert 2
=== short test summary info ===
FAILED a_test.py::test_a[x - y] - assert 0
FAILED b_test.py::test_b - assert 2
FAILED a_test.py::test_b - assert 1
FAILED c_test.py::test_c - gone
=== 4 failed in 0.1s ===
";
    assert_eq!(
        failed(&pytest(printed).failures),
        [
            "a_test.py::test_a[x - y] a_test.py:3: assert 0",
            "b_test.py::test_b b_test.py:7: assert 2",
            "a_test.py::test_b a_test.py:5: assert 1",
            "c_test.py::test_c c_test.py: gone",
        ]
    );
}

#[test]
fn a_parameter_is_no_path() {
    let report = pytest(include_str!("../../../tests/recorded/pytest-parameters.txt"));
    let so = |value: &str| {
        format!("test_a.py:6: AssertionError: not\n  so\nassert '{value}' == 'zz'\n  \n  - zz\n  + {value}")
    };
    assert_eq!(
        failed(&report.failures),
        [
            format!("test_a.py::test_par[a b] {}", so("a b")),
            format!("test_a.py::test_par[x[0]::y] {}", so("x[0]::y")),
            format!("test_a.py::test_par[\\xfc] {}", so("ü")),
            format!("test_a.py::test_par[p - q::r] {}", so("p - q::r")),
            "test_a.py::TestC::test_m[a::b] test_a.py:12: ValueError: boom".to_owned(),
        ]
    );
    assert_eq!(report.counts, Some(Counts { failed: 5, ..Counts::default() }));
}
