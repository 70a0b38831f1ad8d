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
    assert_eq!(report.counts, Some(Counts { passed: 2, failed: 3, skipped: 1 }), "a file is no test");
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

#[test]
fn a_test_that_passes_against_its_word_is_listed() {
    let printed = include_str!("../../../tests/recorded/unittest-surprises.txt");
    let report = unittest(printed);
    let listed = [
        "test_u.U.setUpClass /src/m/test_u.py:20: OSError: no",
        "test_u.T.test_a /src/m/test_u.py:6: AssertionError: 1 != 2",
        "test_u.T.test_c -: unexpected success",
        "test_u.T.test_doc -: unexpected success",
    ];
    assert_eq!(failed(&report.failures), listed);
    assert_eq!(report.counts, Some(Counts { passed: 0, failed: 4, skipped: 0 }));
    let older = unittest(include_str!("../../../tests/recorded/unittest-surprises-3.8.txt"));
    assert_eq!(failed(&older.failures), listed, "before 3.11");
}
