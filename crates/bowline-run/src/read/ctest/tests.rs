//! Output of CTest 3.25.

use super::super::place::failed;
use super::*;

#[test]
fn a_run() {
    let report = ctest(include_str!("../../../tests/recorded/ctest.txt"));
    let shown = failed(&report.failures);
    assert_eq!(
        shown[0],
        "bad /src/m/src/bad_test.c:7: Subprocess aborted: Exception\nbefore\nbad_test: /src/m/src/bad_test.c:7: main: \
         Assertion `1 + 1 == 3' failed."
    );
    assert_eq!(shown[1], "crash -: Exception: SegFault");
    assert!(
        shown[2].starts_with("with -: Not Run\n") && shown[2].contains("Could not find executable space")
    );
    assert_eq!(shown[3], "slow -: Timeout");
    assert_eq!(report.counts, Some(Counts { passed: 1, failed: 4, skipped: 0 }));
    assert_eq!(ctest("Test project /src/m/build\nNo tests were found!!!\n").counts, Some(Counts::default()));
    assert_eq!(ctest("CMake Error: no").counts, None);
}
