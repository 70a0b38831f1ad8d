//! Heads, right and wrong.

use proptest::prelude::*;

use super::{Document, Reading};

fn read_as(text: impl AsRef<[u8]>, reading: Reading) -> Document {
    let bytes = text.as_ref();
    super::read(bytes, crate::head::split_all(bytes), "demo", reading)
}

/// Everything that is said about a head: errors with `!`, warnings with `?`.
fn said(text: impl AsRef<[u8]>, reading: Reading) -> Vec<String> {
    let document = read_as(text, reading);
    assert_eq!(document.fields.is_some(), document.errors.is_empty());
    let line = |mark: &str, f: &crate::Finding| {
        format!("{mark} {} {}", f.line.map_or("-".to_owned(), |line| line.to_string()), f.message)
    };
    let errors = document.errors.iter().map(|f| line("!", f));
    errors.chain(document.warnings.iter().map(|f| line("?", f))).collect()
}

fn head(more: &str) -> String {
    format!("---\nname: demo\ndescription: Does it.\n{more}---\nBody\n")
}

#[test]
fn all_fields_are_read() {
    let more = "license: MIT\ncompatibility: ' Needs git '\nallowed-tools: Read Bash(git:*)\nmetadata:\n  a: \"1\"\n";
    let fields = read_as(head(more), Reading::Strict).fields.unwrap();
    assert_eq!((fields.name.as_str(), fields.description.as_str()), ("demo", "Does it."));
    assert_eq!(
        (fields.license.as_deref(), fields.compatibility.as_deref()),
        (Some("MIT"), Some("Needs git"))
    );
    assert_eq!(fields.allowed_tools.unwrap().entries.len(), 2);
    assert_eq!(fields.metadata.into_iter().collect::<Vec<_>>(), [("a".to_owned(), "1".to_owned())]);
    let bare = read_as(head(""), Reading::Strict).fields.unwrap();
    assert_eq!((bare.license, bare.compatibility, bare.allowed_tools), (None, None, None));
    let empty = read_as(head("allowed_tools:\nmetadata:\nlicense: ''\n"), Reading::Strict).fields.unwrap();
    assert_eq!(empty.allowed_tools.unwrap().entries, []);
    assert_eq!((empty.license, empty.metadata.len()), (None, 0));
}

#[test]
fn a_block_keeps_its_dashes() {
    let text = "---\nname: demo\ndescription: |\n  one\n  ---\n  two\n---\nBody\n";
    assert_eq!(read_as(text, Reading::Strict).fields.unwrap().description, "one\n---\ntwo");
}

#[test]
fn every_fault_of_a_head_is_told_with_its_line() {
    let text = "---\nname: Demo\ndescription:\ncompatibility: [git]\nmetadata:\n  version: 1\n  deep: {a: b}\nallowed-tools: {Read: true}\n---\n";
    assert_eq!(
        said(text, Reading::Strict),
        [
            "! 2 `name` is `Demo`: `D` is a capital letter; only a-z, 0-9 and single hyphens between them may stand in a name",
            "! 3 `description` is empty",
            "! 4 `compatibility` is a list; it must be text",
            "! 8 `allowed-tools` has a map in it; it must be text, or a list of text",
            "! 6 `metadata.version` is a number to other readers, and metadata is text only: put it in quotes",
            "! 7 `metadata.deep` is a map, and metadata is text only",
        ]
    );
    assert_eq!(
        said("---\nlicense: MIT\n---\n", Reading::Strict),
        ["! 1 `name` is missing", "! 1 `description` is missing"]
    );
    assert_eq!(
        said("---\n---\n", Reading::Strict),
        ["! 1 the head is empty: `name` and `description` are missing"]
    );
    assert_eq!(
        said("---\n- a\n---\n", Reading::Strict),
        ["! 2 the head is a list; it must be `key: value` lines"]
    );
    assert_eq!(
        said("---\nname: demo\ndescription: x\n...\n", Reading::Strict),
        ["! 4 `...` does not end a head: write `---`"]
    );
    assert_eq!(said(head("name: demo\n"), Reading::Strict), ["! 4 `name` is there twice, first in line 2"]);
}

#[test]
fn lenient_reading_says_what_it_did() {
    for (text, says) in [
        (
            "\u{feff}---\nname: demo\ndescription: x\n---\n".to_owned(),
            "? 1 the file begins with a byte-order mark; it is left out",
        ),
        (
            "---\rname: demo\rdescription: x\r---\r".to_owned(),
            "? 1 a line ends with a lone carriage return (CR); it is taken for the end of the line",
        ),
        (
            "---\nname: other\ndescription: x\n---\n".to_owned(),
            "? 2 `name` is `other`, but the directory is `demo`; `name` counts",
        ),
        (
            head("allowed_tools: Read\nallowed-tools: Bash\n"),
            "? 5 `allowed-tools` is there twice, first in line 4; the last one is used",
        ),
        (head("metadata: text\n"), "? 4 `metadata` is text; it must be a map; it is left out"),
        (
            head("metadata:\n  a: [1, b]\n"),
            "? 5 `metadata.a` is a list, and metadata is text only; it is written as text",
        ),
        (
            "---\nname: demo\ndescription: Use when: asked\n---\n".to_owned(),
            "? 3 a value has `: ` in it and no quotes; it is read as if it had quotes",
        ),
        (
            head("metadata:\n  tool_permissions:\n    phases: {a: {}}\n"),
            "? 5 `metadata.tool_permissions` is a map, and metadata is text only: keep the table in a file beside SKILL.md and name it with `phases: phases.yaml`; it is read as the table of phases",
        ),
    ] {
        assert_eq!(said(&text, Reading::Lenient), [says]);
        assert!(said(&text, Reading::Strict)[0].starts_with("! "), "{text}");
    }
    let long = format!("---\nname: {0}\ndescription: {0}\n---\n", "a".repeat(1025));
    assert!(said(&long, Reading::Lenient)[0].starts_with("! 2 `name` has 1025 characters"));
    let long = format!("---\nname: {}\ndescription: {}\n---\n", "a".repeat(65), "b".repeat(1025));
    let told = said(&long, Reading::Lenient);
    assert_eq!(told[0], "? 2 `name` has 65 characters, above 64; it is used all the same");
    assert_eq!(told[2], "? 3 `description` has 1025 characters, above 1024; it is kept");
}

#[test]
fn what_was_mended_is_what_was_meant() {
    let fields = |text: &str| read_as(text, Reading::Lenient).fields.unwrap();
    assert_eq!(
        fields("---\nname: demo\ndescription: Use when: \"it\" is\n---\n").description,
        "Use when: \"it\" is"
    );
    assert_eq!(fields("---\nname: demo\ndescription: a\ndescription: b\n---\n").description, "b");
    let text = "---\nname: demo\ndescription: x\nmetadata:\n  v: 1.0\n  l: [a, {b: c}]\n---\n";
    assert_eq!(fields(text).metadata["v"], "1.0");
    assert_eq!(fields(text).metadata["l"], "[a, {b: c}]");
}

#[test]
fn neither_reading_takes_these() {
    for (text, says) in [
        (&b"---\nname: demo\ndescription: caf\xe9\n---\n"[..], "! 3 the head is not UTF-8"),
        (b"---\nname: demo\ndescription: a\0b\n---\n", "! 3 there is a NUL byte in the head"),
        (b"\xff\xfe-\0-\0-\0\n\0", "! 1 it is in UTF-16: save it as UTF-8"),
        (
            b"---\nname: demo\ndescription: &a x\nmetadata: {b: *a}\n---\n",
            "! 3 cannot be read as YAML: anchors",
        ),
        (b"---\nname: demo\ndescription: [x\n---\n", "! "),
        (
            b"---\nname: d\xd0\xb5mo\ndescription: x\n---\n",
            "! 2 `name` is `d\u{435}mo`: `\u{435}` (U+0435) is not the letter `e`",
        ),
        (b"---\nname: demo\n---\n", "! 1 `description` is missing"),
    ] {
        for reading in [Reading::Strict, Reading::Lenient] {
            let told = said(text, reading);
            assert!(told[0].starts_with(says), "{told:?}");
        }
    }
}

#[test]
fn what_nobody_sees_is_left_out_and_told() {
    for (value, odd) in [
        (r#""a\0b""#, "0000"),
        (r#""a\e[2Jb""#, "001B"),
        ("a\u{202e}b", "202E"),
        ("a\u{200b}b", "200B"),
        (r#""a\u00adb""#, "00AD"),
    ] {
        let more = format!(
            "license: {value}\ncompatibility: {value}\nargument-hint: {value}\nmetadata:\n  k: {value}\n"
        );
        let text = head(&more).replace("Does it.", value);
        let told = |reading| -> Vec<String> {
            said(&text, reading).into_iter().filter(|line| line.contains("invisible")).collect()
        };
        let says = || {
            [
                (3, "description"),
                (4, "license"),
                (5, "compatibility"),
                (8, "metadata.k"),
                (6, "argument-hint"),
            ]
            .map(|(line, key)| {
                format!(
                    "? {line} `{key}` has the invisible character U+{odd}; what cannot be seen is left out"
                )
            })
        };
        assert_eq!((told(Reading::Strict), told(Reading::Lenient)), (says().to_vec(), says().to_vec()));
        let fields = read_as(&text, Reading::Strict).fields.unwrap();
        let clean = value.trim_matches('"').replace(['\u{202e}', '\u{200b}'], "");
        let clean = clean.replace("\\0", "").replace("\\e", "").replace("\\u00ad", "");
        assert_eq!(fields.description, clean);
        assert_eq!((fields.license.unwrap(), fields.metadata["k"].clone()), (clean.clone(), clean.clone()));
        assert_eq!(fields.metadata["argument-hint"], clean);
    }
    let hidden = head("").replace("Does it.", "\"\u{200b} \\u2060\"");
    assert!(said(&hidden, Reading::Lenient).contains(&"! 3 `description` is empty".to_owned()));
    let key = head("metadata:\n  a\u{200b}b: c\n");
    assert!(said(&key, Reading::Strict)[0].starts_with("? 5 a key of `metadata` has the invisible"));
    let family = head("").replace("Does it.", "A \u{1f468}\u{200d}\u{1f469} of \u{26a0}\u{fe0f}.");
    assert!(said(&family, Reading::Strict).is_empty());
    assert_eq!(read_as(&key, Reading::Lenient).fields.unwrap().metadata["ab"], "c");
}

#[test]
fn an_entry_that_is_not_what_it_looks_like_allows_nothing() {
    let fields = read_as(head("allowed-tools: Re\u{200b}ad Grep\u{a0}Glob Edit\n"), Reading::Lenient).fields;
    let tools = fields.unwrap().allowed_tools.unwrap();
    let names: Vec<&str> = tools.entries.iter().map(|entry| entry.tool.as_str()).collect();
    assert_eq!(names, ["Grep\u{a0}Glob", "Edit"]);
    assert_eq!(tools.raw, "Read Grep\u{a0}Glob Edit");
}

#[test]
fn blanks_of_other_scripts_are_no_blanks() {
    for blank in ['\u{a0}', '\u{2003}'] {
        let text = head("").replace("name: demo", &format!("name: \"demo{blank}\""));
        for reading in [Reading::Strict, Reading::Lenient] {
            let told = said(&text, reading);
            assert!(
                told[0].contains(&format!("(U+{:04X}) is no letter of a name", blank as u32)),
                "{told:?}"
            );
        }
        let text = head("").replace("Does it.", &format!("\"{blank}\""));
        assert_eq!(said(&text, Reading::Strict), ["! 3 `description` is empty"]);
    }
    let fields = read_as(head("metadata:\n  phases: \" phases.yaml \"\n"), Reading::Strict).fields.unwrap();
    assert_eq!((fields.metadata["phases"].as_str(), fields.phases_line), ("phases.yaml", Some(5)));
}

#[test]
fn lines_that_end_with_cr_are_lines() {
    let text = "---\rname: demo\rdescription: Use when: asked\r---\rBody\r";
    let document = read_as(text, Reading::Lenient);
    assert_eq!(document.fields.unwrap().description, "Use when: asked");
    assert_eq!((document.warnings[1].line, document.body.unwrap().1), (Some(3), 5));
    assert!(
        said("---\rname: demo\rdescription: a\0\r---\r", Reading::Lenient)[0]
            .starts_with("! 3 there is a NUL")
    );
    assert!(
        said("---\rname: demo\rdescription: x\rmetadata: [\r---\r", Reading::Lenient)[0].starts_with("! 4 ")
    );
}

#[test]
fn too_much_is_read_in_time_and_told_briefly() {
    let started = std::time::Instant::now();
    let tools: String = (0..9_000).map(|n| format!(" a{n:x}")).collect();
    let told = said(head(&format!("allowed-tools:{tools}\n")), Reading::Lenient);
    assert_eq!(told, ["? 4 `allowed-tools` has more than 500 entries; the rest is left out"]);
    let strict = said(head(&format!("allowed-tools:{tools}\n")), Reading::Strict);
    assert_eq!(strict, ["! 4 `allowed-tools` has more than 500 entries"]);
    let keys: String = (0..900).map(|n| format!("k{n}: v\n")).collect();
    let told = said(head(&keys), Reading::Strict);
    assert_eq!(told.len(), 51);
    assert_eq!(told[50], "? 54 there is more from here on, which is not told");
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

#[test]
fn what_other_hosts_know_is_told() {
    assert_eq!(
        said(
            head("hooks:\n  PreToolUse: []\nshell: bash\nmodel: x\nversion: 1\nNAME: a\ncolour: red\n"),
            Reading::Strict
        ),
        [
            "? 4 `hooks` is code on other hosts and is not run here",
            "? 6 `shell` is code on other hosts and is not run here",
            "? 7 `model` is a key of other hosts, not of the format",
            "? 8 `version` is a key of other hosts, not of the format",
            "? 9 `NAME` is not a key of the format: is `name` meant?",
            "? 10 `colour` is not a key of the format",
        ]
    );
    let fields = read_as(head("argument-hint: \"[file]\"\n"), Reading::Strict).fields.unwrap();
    assert_eq!(fields.metadata["argument-hint"], "[file]");
}

#[test]
fn bombs_are_answered_at_once() {
    let started = std::time::Instant::now();
    let mut aliases = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for n in 1..9 {
        let before = format!("*a{},", n - 1).repeat(9);
        aliases.push_str(&format!("a{n}: &a{n} [{before}]\n"));
    }
    let heads = [
        head(&aliases),
        head(&format!("x: {}{}\n", "[".repeat(20_000), "]".repeat(20_000))),
        head(&format!("x: {}\n", "{a: ".repeat(10_000))),
        head(&"- ".repeat(20_000)),
        head(&"? ".repeat(20_000)),
        head(&format!("x: [{}]\n", "a,".repeat(20_000))),
        head(&"a: b\n".repeat(9_000)),
        head(&format!("x: {}\n", "\"\\".repeat(20_000))),
        format!("---\n{}", "a: b\n".repeat(2_000_000)),
        "-".repeat(10_000_000),
        format!("---\nname: {}\n---\n", "a".repeat(10_000_000)),
    ];
    for text in &heads {
        for reading in [Reading::Strict, Reading::Lenient] {
            let document = read_as(text, reading);
            assert!(document.fields.is_none() && !document.errors.is_empty());
            assert!(document.errors[0].message.len() < 500, "{}", document.errors[0].message);
        }
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

const REAL: &str = "---\nname: demo\ndescription: >-\n  Finds every use: \"of\" a symbol,\n  and more.\nlicense: 'MIT'\nallowed-tools: \
                    [Read, \"Bash(git:*)\"]\nmetadata:\n  author: me\n  phases: phases.yaml\n---\n# Body\n!`ls`\n";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_have_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for reading in [Reading::Strict, Reading::Lenient] {
            let _ = said(&bytes, reading);
        }
    }

    #[test]
    fn anything_in_a_head_has_an_answer(text in "[-a-e:'\"\\[\\]{},&*!|>%@`#? \n\r\t~.1\u{0}\u{e9}\u{feff}]{0,120}") {
        for reading in [Reading::Strict, Reading::Lenient] {
            let _ = said(format!("---\n{text}\n---\nbody"), reading);
        }
    }

    #[test]
    fn a_damaged_head_has_an_answer(
        damage in proptest::collection::vec((0..REAL.len(), any::<u8>(), 0..3_u8), 1..6)
    ) {
        let mut bytes = REAL.as_bytes().to_vec();
        for (at, byte, how) in damage {
            let at = at % bytes.len().max(1);
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
        }
        for reading in [Reading::Strict, Reading::Lenient] {
            let document = read_as(&bytes, reading);
            if let Some(fields) = document.fields {
                prop_assert!(crate::name::is_name(&fields.name) && !fields.description.is_empty());
            }
        }
    }
}
