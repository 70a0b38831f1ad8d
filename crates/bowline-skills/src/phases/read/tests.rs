//! Tables, right and wrong.

use super::*;

fn read(text: &str) -> Result<PhaseTable, Vec<String>> {
    from_bytes(text.as_bytes(), "phases.yaml")
        .map_err(|found| found.iter().map(ToString::to_string).collect())
}

fn faults(text: &str) -> Vec<String> {
    read(text).unwrap_err()
}

#[test]
fn every_word_has_its_line() {
    let table = read(
        "phases:\n  look:\n    description: Look first.\n    allowed: [find_references, go_to_symbol]\n    forbidden:\n      \
         - \"@write\"\n      - simulate_*\n    complete_when: [\"preview(safe=true, x=1)\"]\n    skippable: false\n  act:\n\
         global_forbidden: [rename_symbol]\n",
    )
    .unwrap();
    let words =
        |words: &[Word]| words.iter().map(|w| format!("{}:{}", w.line, w.text)).collect::<Vec<_>>().join(" ");
    assert_eq!(table.file, "phases.yaml");
    assert_eq!(words(&table.global_forbidden), "11:rename_symbol");
    let [look, act] = &table.phases[..] else { panic!() };
    assert_eq!((look.name.text.as_str(), look.name.line, look.skippable), ("look", 2, false));
    assert_eq!(look.description, "Look first.");
    assert_eq!(words(&look.allowed), "4:find_references 4:go_to_symbol");
    assert_eq!(words(&look.forbidden), "6:@write 7:simulate_*");
    assert_eq!(words(look.complete_when.as_deref().unwrap()), "8:preview(safe=true, x=1)");
    assert_eq!((act.name.text.as_str(), act.skippable, &act.complete_when), ("act", true, &None));
}

#[test]
fn every_fault_has_its_line() {
    assert_eq!(
        faults(
            "phases:\n  a:\n    alowed: [x]\n    skippable: maybe\n    allowed: Read\n    forbidden: [[x], \"\", \"a\\tb\"]\n  a: {}\nextra: 1\n"
        ),
        [
            "phases.yaml:8: `extra` is not a key of a table: it has `phases` and `global_forbidden`",
            "phases.yaml:7: `a` is there twice in `phases`, first in line 2",
            "phases.yaml:3: `alowed` is not a key of a phase: it has `description`, `allowed`, `forbidden`, `complete_when` and `skippable`",
            "phases.yaml:4: `skippable` of the phase `a` must be `true` or `false`",
            "phases.yaml:5: `allowed` of the phase `a` is text; it must be a list, such as `[find_references, \"@write\"]`",
            "phases.yaml:6: an item of `forbidden` of the phase `a` is a list; it must be text",
            "phases.yaml:6: `` in `forbidden` of the phase `a` cannot be the name of a tool",
            "phases.yaml:6: `a\\u{9}b` in `forbidden` of the phase `a` cannot be the name of a tool",
        ]
    );
    for (text, says) in [
        ("", "phases.yaml: it is empty"),
        ("phases:\n", "phases.yaml:1: the table has no phases"),
        ("phases: {}\n", "phases.yaml:1: the table has no phases"),
        ("\nglobal_forbidden: []\n", "phases.yaml:2: `phases` is missing"),
        ("- a\n", "phases.yaml:1: the table is a list; it must be a map"),
        ("phases:\n  - name: a\n", "phases.yaml:2: `phases` is a list; it must be a map"),
        ("phases:\n  a: x\n", "phases.yaml:2: the phase `a` is text; it must be a map"),
        (
            "phases:\n  a:\n    allowed: [f(x=1, y=2)]\n",
            "phases.yaml:3: `f(x=1` has a parenthesis without its other half: put an item with a comma in quotes",
        ),
        (
            "phases:\n  a: &b {}\n",
            "phases.yaml:2: cannot be read as YAML: anchors (`&name`) are not read here: write the value out",
        ),
        (
            "phases:\n  a:\n    skippable: \"true\"\n",
            "phases.yaml:3: `skippable` of the phase `a` must be `true` or `false`",
        ),
    ] {
        assert_eq!(faults(text)[0], says, "{text}");
    }
}

#[test]
fn tables_are_bounded() {
    let many: String = (0..65).map(|n| format!("  p{n}: {{}}\n")).collect();
    assert_eq!(faults(&format!("phases:\n{many}")), ["phases.yaml:66: there are 65 phases, above 64"]);
    let words = "x, ".repeat(501);
    let long = format!("phases:\n  a:\n    allowed: [{words}]\n  b:\n    allowed: [{words}]\n");
    assert_eq!(faults(&long), ["phases.yaml:5: the table has more than 1000 words"]);
    assert_eq!(
        faults(&" ".repeat(MOST_BYTES + 1)),
        [format!("phases.yaml: it has more than {MOST_BYTES} bytes")]
    );
    let wrong: String = (0..60).map(|n| format!("  p{n}: x\n")).collect();
    let told = faults(&format!("phases:\n{wrong}"));
    assert_eq!(told.len(), 51);
    assert_eq!(told[50], "phases.yaml:52: there is more from here on, which is not told");
    assert_eq!(
        faults("phases:\n  a:\n    description: \"x\\e[2J\"\n"),
        ["phases.yaml:3: `description` of the phase `a` has the invisible character U+001B"]
    );
}

#[test]
fn only_a_file_beside_the_skill_is_named() {
    for file in ["phases.yaml", "my-phases_1.yml"] {
        assert!(is_plain(file), "{file}");
    }
    for file in [
        "",
        "../phases.yaml",
        "a/phases.yaml",
        ".phases.yaml",
        "/etc/x.yaml",
        "phases",
        "SKILL.md",
        "a\0.yaml",
        "..yaml",
    ] {
        assert!(!is_plain(file), "{file}");
    }
}
