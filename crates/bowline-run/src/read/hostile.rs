//! Every reader against text that no program would print, and against its own output broken off or mixed with others'.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::shown::shown;
use crate::Report;

struct Reader {
    name: &'static str,
    read: fn(&str) -> Report,
    recorded: &'static [&'static str],
}

macro_rules! readers {
    ($($reader:ident: $($file:literal),+;)+) => {
        const READERS: &[Reader] = &[$(Reader {
            name: stringify!($reader),
            read: super::$reader::read,
            recorded: &[$(include_str!(concat!("../../tests/recorded/", stringify!($reader), "/", $file))),+],
        }),+];
    };
}

readers! {
    dotnet: "build.txt", "xunit.txt", "nunit_mstest.txt", "testing_platform.txt";
    eslint: "json.txt";
    gradle: "short.txt", "full.txt", "junit5.txt", "kotlin.txt", "script.txt";
    javac: "errors.txt", "warnings.txt";
    jest: "json.txt";
    junit_xml: "gradle.xml", "surefire.xml";
    kotlin: "kotlinc.txt", "gradle.txt";
    maven: "tests.txt", "compile.txt", "pom.txt";
    minitest: "run.txt", "rails.txt";
    mocha: "json.txt", "unloaded.txt";
    node_test: "tap.txt", "tap22.txt";
    php: "syntax.txt";
    phpstan: "json.txt";
    phpunit: "run.txt", "ten.txt";
    rspec: "json.txt", "unloaded.txt";
    ruby: "syntax.txt", "prism.txt";
    swift: "errors.txt", "xctest.txt", "xctest_mac.txt", "testing.txt";
    tsc: "plain.txt", "pretty.txt";
    vitest: "json.txt", "five.json";
    zig: "build_test.txt", "build_test_0_13.txt", "test.txt", "errors.txt";
}

/// Nothing unbounded leaves a reader.
fn check(report: &Report) {
    let messages = report.problems.iter().map(|problem| &problem.message);
    for message in messages.chain(report.failures.iter().map(|failure| &failure.message)) {
        assert!(message.chars().count() < 2_100, "{} characters", message.chars().count());
        assert!(message.lines().count() < 30, "{} lines", message.lines().count());
    }
}

/// Pieces that readers look for, so that random text reaches more than their first line.
fn pieces() -> impl Strategy<Value = String> {
    let words = READERS.iter().flat_map(|reader| reader.recorded).flat_map(|text| text.lines()).step_by(3);
    let words: Vec<&str> = words.filter(|line| line.len() < 400).collect();
    let odd = prop_oneof![
        Just(":3:4: error: "),
        Just("(3,4): error TS1: "),
        Just("\u{1b}[31m"),
        Just("\u{1b}]8;;"),
        Just("{\"a\":["),
        Just("<testcase name=\""),
        Just("not ok 1 - "),
        Just("  ---"),
        Just("ä\u{301}…"),
        Just("\r"),
        Just("99999999999"),
        Just("[ERROR] "),
        Just("✘ Test x recorded an issue at "),
        Just("'"),
        Just(" > "),
        Just("&#x;"),
        Just(""),
    ];
    let line = prop_oneof![
        prop::sample::select(words).prop_map(ToOwned::to_owned),
        odd.prop_map(ToOwned::to_owned),
        ".{0,40}",
    ];
    prop::collection::vec((line, prop_oneof![Just("\n"), Just(""), Just("\r\n"), Just(" ")]), 0..40)
        .prop_map(|parts| parts.into_iter().map(|(text, end)| text + end).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "(?s).{0,400}") {
        for reader in READERS {
            check(&(reader.read)(&text));
        }
    }

    #[test]
    fn mixtures_of_all_programs_are_read(text in pieces()) {
        for reader in READERS {
            check(&(reader.read)(&text));
        }
    }

    #[test]
    fn output_that_breaks_off_is_read(at in 0.0..1.0_f64, from in 0.0..1.0_f64) {
        for reader in READERS {
            for text in reader.recorded {
                let near = |part: f64| text.floor_char_boundary((text.len() as f64 * part) as usize);
                check(&(reader.read)(&text[..near(at)]));
                check(&(reader.read)(&text[near(from)..]));
            }
        }
    }
}

#[test]
fn banners_line_ends_and_colours_change_nothing() {
    for reader in READERS {
        for text in reader.recorded {
            let expected = shown(&(reader.read)(text));
            let bannered = format!("> shop@1.0.0 test\n> run all\n\nnpm warn [odd] {{config}}\n{text}\n");
            let windows = text.replace('\n', "\r\n");
            let mut coloured = String::new();
            for line in text.lines() {
                coloured.push_str(&format!("\u{1b}[0m{line}\u{1b}[39;49m\n"));
            }
            for (kind, changed) in [("banner", bannered), ("line ends", windows), ("colours", coloured)] {
                assert_eq!(shown(&(reader.read)(&changed)), expected, "{}: {kind}", reader.name);
            }
        }
    }
}

#[test]
fn output_that_comes_twice_is_told_once() {
    // Documents are read as a whole, and TAP numbers its tests: only lines are said again in summaries.
    for reader in READERS.iter().filter(|reader| !matches!(reader.name, "junit_xml" | "node_test")) {
        for text in reader.recorded {
            let (once, twice) = ((reader.read)(text), (reader.read)(&format!("{text}\n{text}")));
            assert_eq!((once.problems, once.failures), (twice.problems, twice.failures), "{}", reader.name);
        }
    }
}

/// A reader that looks from each place to the end of the text would need minutes for these.
#[test]
fn time_grows_with_the_text_only() {
    const SIZE: usize = 200_000;
    let repeated = |piece: &str| piece.repeat(SIZE / piece.len());
    let mut texts: Vec<String> = [
        "{",
        "[",
        "{\n",
        "[\n",
        "{\"a\":[\n",
        "[{\"a\":1},\n",
        " ",
        "\n",
        "\u{1b}",
        "\u{1b}[",
        "\u{1b}]",
        ":",
        ":1",
        ":1:1",
        "(1,",
        "a(1,1): error TS1: b\n",
        "<testcase>",
        "<testcase a=\"",
        "<testcase name='a'><failure>",
        "&",
        "&#",
        "at ",
        "at a.b(C.java:1)\n",
        "not ok 1 - a\n",
        "not ok 1 - a\n  ---\n",
        "# a\n",
        " # ",
        "error: 'a' failed: b\n",
        "1/1 a...b\n",
        "[ERROR] a:[1,1] b\n",
        "[ERROR] a.b -- Time elapsed: 1 s <<< FAILURE!\n",
        "x > y FAILED\n",
        "Failed a [1 ms]\n",
        "  1) Failure:\nA#b [c:1]:\n",
        "There was 1 error:\n1) A::b\n",
        "file://%20",
        "a.js:1",
        "/a.js:1:1 (",
        " @ ",
        " in ",
    ]
    .iter()
    .map(|piece| repeated(piece))
    .collect();
    texts.push(format!("✘ Test x recorded an issue {}", repeated("at ")));
    texts.push(format!("\n✘ Test x recorded an issue {}", repeated("at a:1 ")));
    texts.push(format!(
        "{{\"testResults\":[{{\"name\":\"/a.js\",\"status\":\"failed\",\"message\":\"{}\"}}]}}",
        repeated("a.js:x ")
    ));
    texts
        .push(format!("{{\"testResults\":[{}{{}}]}}", repeated("{\"name\":\"a\",\"status\":\"failed\"},\n")));
    texts.push(format!("not ok 1 - a\n  ---\n  error: |-\n{}", repeated("    b\n")));
    texts.push(format!("Exception during run: {}", repeated("    at a (b:1:1)\n")));
    let mut slowest = (Duration::ZERO, "", String::new());
    for reader in READERS {
        for text in &texts {
            let began = Instant::now();
            check(&(reader.read)(text));
            let took = began.elapsed();
            if took > slowest.0 {
                slowest = (took, reader.name, text.chars().take(60).collect());
            }
        }
    }
    assert!(slowest.0 < Duration::from_secs(10), "{slowest:?}");
}
