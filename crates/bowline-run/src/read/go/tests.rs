//! Output of go 1.26.

use super::*;

const EVENTS: &str = include_str!("../../../tests/recorded/go-test.jsonl");

fn dir_of(package: &str) -> Option<PathBuf> {
    Some(PathBuf::from("/src/m").join(package.strip_prefix("example.com/m")?.trim_start_matches('/')))
}

fn shown(problem: &Problem) -> String {
    let place = |part: Option<u32>| part.map_or_else(String::new, |part| format!(":{part}"));
    let file = problem.file.as_deref().map_or_else(String::new, |file| file.display().to_string());
    format!("{file}{}{}: {}", place(problem.line), place(problem.column), problem.message)
}

#[test]
fn a_build() {
    let printed = "# example.com/m/bad\n\
        bad/bad.go:3:23: cannot use \"x\" (untyped string constant) as int value in return statement\n\
        bad/bad.go:5:12: undefined: undefined\n\
        bad/more.go:7:6: missing return\n\
        \thave a\n\
        ./go.mod:3: invalid go version 'x': must match format 1.23\n\
        stat /src/m/nosuch: directory not found\n";
    let report = build(printed);
    assert_eq!(
        report.problems.iter().map(shown).collect::<Vec<_>>(),
        [
            "bad/bad.go:3:23: cannot use \"x\" (untyped string constant) as int value in return statement",
            "bad/bad.go:5:12: undefined: undefined",
            "bad/more.go:7:6: missing return\nhave a",
            "./go.mod:3: invalid go version 'x': must match format 1.23",
        ]
    );
}

#[test]
fn a_test_run() {
    let report = test(EVENTS, "", dir_of);
    assert_eq!(
        report.problems.iter().map(shown).collect::<Vec<_>>(),
        [
            "bad/bad.go:3:23: cannot use \"x\" (untyped string constant) as int value in return statement",
            "bad/bad.go:5:12: undefined: undefined",
            "badtest/a_test.go:5:28: undefined: nope",
        ]
    );
    let failure = |test_name: &str, file: &str, line, message: &str| Failure {
        test_name: test_name.into(),
        file: Some(file.into()),
        line: Some(line),
        message: message.into(),
    };
    assert_eq!(
        report.failures,
        [
            failure("TestAdd", "/src/m/main_test.go", 7, "Add(1, 2) = -1, want 3\nsecond line"),
            failure("TestSub/first_case", "/src/m/main_test.go", 12, "no"),
            failure(
                "TestPanic",
                "/src/m/sub/sub_test.go",
                7,
                "panic: assignment to entry in nil map [recovered, repanicked]"
            ),
        ]
    );
    assert_eq!(report.counts, Some(Counts { passed: 1, failed: 3, skipped: 1 }));
}

#[test]
fn people_see_what_the_tests_printed() {
    let seen: String = EVENTS.lines().filter_map(view).collect();
    assert!(seen.contains("--- FAIL: TestAdd (0.00s)\n") && !seen.contains("\"Action\""));
    assert_eq!(view("no event").as_deref(), Some("no event"));
}

#[test]
fn a_package_that_fails_without_a_test_is_told() {
    let lines = [
        r#"{"Action":"start","Package":"example.com/m"}"#,
        r#"{"Action":"output","Package":"example.com/m","Output":"panic: in init\n"}"#,
        r#"{"Action":"output","Package":"example.com/m","Output":"FAIL\texample.com/m\t0.003s\n"}"#,
        r#"{"Action":"fail","Package":"example.com/m","Elapsed":0.003}"#,
    ];
    let report = test(&lines.join("\n"), "", dir_of);
    assert_eq!(report.failures[0].test_name, "example.com/m");
    assert_eq!(report.failures[0].message, "panic: in init");
    assert_eq!(report.counts, Some(Counts::default()));
}

#[test]
fn what_a_test_prints_itself_is_no_place() {
    let report = test(include_str!("../../../tests/recorded/go-test-chatty.jsonl"), "", dir_of);
    let failures: Vec<String> = report
        .failures
        .iter()
        .map(|one| {
            let file = one.file.as_deref().unwrap().display();
            format!("{} {file}:{} {}", one.test_name, one.line.unwrap(), one.message)
        })
        .collect();
    assert_eq!(
        failures,
        [
            "TestPanic /src/m/a/a_test.go:12 panic: assignment to entry in nil map [recovered, repanicked]",
            "TestC /src/m/c/c_test.go:8 x",
            "TestLog /src/m/c/c_test.go:11 one\ntwo",
            "TestSub/a_b /src/m/c/c_test.go:14 y",
        ]
    );
    assert_eq!(report.counts, Some(Counts { passed: 1, failed: 4, skipped: 0 }), "`TestSub` is its parts");
}
