//! Output of cargo 1.95.

use super::super::place::{failed, shown};
use super::*;

const BUILD: &str = include_str!("../../../tests/recorded/cargo-build.jsonl");
const TEST: &str = include_str!("../../../tests/recorded/cargo-test.txt");

#[test]
fn a_build() {
    assert_eq!(
        shown(&build(BUILD, "").problems),
        [
            "src/other.rs:1:28 error [E0425]: cannot find value `undefined_name` in this scope: not found in this scope",
            "src/main.rs:6:12 error [E0425]: cannot find function `missing` in module `other`: not found in `other`",
            "src/main.rs:5:24 error [E0308]: mismatched types: expected `String`, found integer",
        ]
    );
    assert_eq!(test(BUILD, "").counts, Some(Counts::default()), "none ran");
    let seen: Vec<_> = BUILD.lines().filter_map(view).collect();
    assert!(seen[0].starts_with("error[E0425]: cannot find value `undefined_name`") && seen.len() == 5);
}

#[test]
fn a_test_run() {
    let report = test(TEST, "");
    assert_eq!(
        failed(&report.failures),
        [
            "tests::adds src/lib.rs:18: assertion `left == right` failed: one and two\n  left: -1\n right: 3",
            "tests::calm src/lib.rs:35: note: test did not panic as expected at src/lib.rs:35:8",
            "tests::errs -: Error: \"no luck\"",
            "outer tests/outer.rs:4: called `Option::unwrap()` on a `None` value",
            "src/lib.rs - add (line 5) src/lib.rs:5: assertion `left == right` failed\n  left: -1\n right: 4",
        ]
    );
    assert_eq!(report.counts, Some(Counts { passed: 1, failed: 5, skipped: 1 }));
    assert_eq!(report.problems, []);
}

#[test]
fn a_test_that_took_its_process_along_is_told() {
    let stderr = "error: test failed, to rerun pass `--lib`\n\nCaused by:\n  process didn't exit successfully: \
                  `/src/m/target/debug/deps/sample-e6d` (signal: 6, SIGABRT: process abort signal)\n";
    assert_eq!(
        shown(&test("", stderr).problems),
        [
            "- error: process didn't exit successfully: `/src/m/target/debug/deps/sample-e6d` (signal: 6, SIGABRT: \
          process abort signal)"
        ]
    );
    assert_eq!(test("", stderr).counts, None);
}

#[test]
fn panics_as_they_were_written_before() {
    let text = "---- a stdout ----\nhello\nthread 'a' panicked at 'no, \"really\"', src/lib.rs:3:5\n\nfailures:\n    a\n";
    assert_eq!(failed(&test(text, "").failures), ["a src/lib.rs:3: no, \"really\""]);
}
