//! Readers of Go, Rust, Python and C against text that no program would print, and against output broken off or mixed.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{bounded, cargo, cc, cmake, ctest, go, pytest, python, unittest};
use crate::Report;

type Reader = (&'static str, fn(&str) -> Report);

const READERS: [Reader; 12] = [
    ("go build", go::build),
    ("go test", |text| go::test(text, text, |_| None)),
    ("cargo build", |text| cargo::build(text, text)),
    ("cargo test", |text| cargo::test(text, text)),
    ("pytest", pytest::pytest),
    ("unittest", unittest::unittest),
    ("mypy", python::mypy),
    ("pyright", python::pyright),
    ("compileall", python::compileall),
    ("cc", cc::cc),
    ("cmake", cmake::build),
    ("ctest", ctest::ctest),
];

const RECORDED: [&str; 10] = [
    include_str!("../../tests/recorded/cargo-build.jsonl"),
    include_str!("../../tests/recorded/cargo-test.txt"),
    include_str!("../../tests/recorded/cmake-build.txt"),
    include_str!("../../tests/recorded/cmake.txt"),
    include_str!("../../tests/recorded/ctest.txt"),
    include_str!("../../tests/recorded/go-test.jsonl"),
    include_str!("../../tests/recorded/make.txt"),
    include_str!("../../tests/recorded/pyright.txt"),
    include_str!("../../tests/recorded/pytest.txt"),
    include_str!("../../tests/recorded/unittest.txt"),
];

/// Nothing panics, and nothing unbounded is told.
fn check(text: &str) {
    for (name, read) in READERS {
        let report = bounded(read(text));
        let messages = report.problems.iter().map(|problem| &problem.message);
        for message in messages.chain(report.failures.iter().map(|failure| &failure.message)) {
            assert!(message.chars().count() < 2_100, "{name}: {} characters", message.chars().count());
        }
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let words: Vec<&str> =
        RECORDED.iter().flat_map(|text| text.lines()).filter(|line| line.len() < 400).collect();
    let line = prop_oneof![prop::sample::select(words).prop_map(ToOwned::to_owned), ".{0,40}"];
    prop::collection::vec((line, prop_oneof![Just("\n"), Just(""), Just("\r\n")]), 0..40)
        .prop_map(|parts| parts.into_iter().map(|(text, end)| text + end).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "(?s).{0,400}") {
        check(&text);
    }

    #[test]
    fn mixtures_are_read(text in pieces()) {
        check(&text);
    }

    #[test]
    fn output_that_breaks_off_is_read(at in 0.0..1.0_f64, from in 0.0..1.0_f64) {
        for text in RECORDED {
            let near = |part: f64| text.floor_char_boundary((text.len() as f64 * part) as usize);
            check(&text[..near(at)]);
            check(&text[near(from)..]);
        }
    }
}

/// A reader that looks from each place to the end of the text would need minutes for these.
#[test]
fn time_grows_with_the_text_only() {
    const SIZE: usize = 200_000;
    let pieces = [
        ":",
        ":1",
        ":1:",
        ":1:1: error: ",
        "a.c:1:1: error: b\n",
        " - ",
        "_ a _\n",
        "_ a _\na.py:1: in a\nE   no\n",
        "FAILED a.py::a - b\n",
        "---- a stdout ----\n",
        "1/1 Test #1: a ...***Failed 0.1 sec\n",
        "Test ",
        "/ Test #1: ",
        "======================================================================\n",
        "FAIL: a (b)\n",
        "File \"a\", line 1\n",
        "CMake Error at a:1 (b):\n",
        "make[1]: Entering directory 'a'\n",
        "undefined reference to ",
        "*** Error compiling ",
        "{\"Action\":\"fail\",\"Package\":\"a\",\"Test\":\"b/c\"}\n",
        "a.go:1:1: b\n",
        ".go:",
        "(",
        "'",
        "\n",
    ];
    for piece in pieces {
        let mut text = piece.repeat(SIZE / piece.len());
        for beginning in ["", "= short test summary info =\n", "a.c:1:1: error: "] {
            text.insert_str(0, beginning);
            for (name, read) in READERS {
                let started = Instant::now();
                read(&text);
                let took = started.elapsed();
                assert!(took < Duration::from_secs(5), "{name} took {took:?} for many {piece:?}");
            }
        }
    }
}
