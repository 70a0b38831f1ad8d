//! Output of Python 3.11.

use super::super::place::{failed, shown};
use super::*;

const PRINTED: &str = include_str!("../../../tests/recorded/unittest.txt");

#[test]
fn a_run() {
    let report = unittest(PRINTED);
    assert_eq!(
        failed(&report.failures),
        [
            "tests.test_a.TestA.test_error /src/m/tests/test_a.py:12: KeyError: 'gone'",
            "tests.test_a.TestA.test_equal /src/m/tests/test_a.py:6: AssertionError: 1 != 2 : not the same",
            "tests.test_a.TestA.test_sub (n=0) /src/m/tests/test_a.py:17: AssertionError: 0 != 1",
            "tests.test_a.TestA.test_sub (n=2) /src/m/tests/test_a.py:17: AssertionError: 2 != 1",
        ]
    );
    assert_eq!(
        shown(&report.problems),
        ["/src/m/tests/test_b.py:1 error: ModuleNotFoundError: No module named 'nosuchmodule'"]
    );
    assert_eq!(report.counts, Some(Counts { passed: 2, failed: 4, skipped: 1 }));
}

#[test]
fn names_and_sums() {
    assert_eq!(name("FAIL: test_a (m.A)").as_deref(), Some("m.A.test_a"), "before 3.11");
    assert_eq!(name("ERROR: setUpClass (m.A)").as_deref(), Some("m.A.setUpClass"));
    let nothing = "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n";
    assert_eq!(unittest(nothing).counts, Some(Counts::default()));
    let good = "test_a (m.A.test_a) ... ok\n\n-----\nRan 1 test in 0.000s\n\nOK (skipped=1)\n";
    assert_eq!(unittest(good).counts, Some(Counts { passed: 0, failed: 0, skipped: 1 }));
}
