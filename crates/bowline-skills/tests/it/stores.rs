//! Directories of skills: what is listed, loaded and read.

use bowline_skills::{FileSystemStore, Location, PhasesError, Reading, Scope, SkillError, Store, Truncation};

use super::{Skills, head, names, said};

#[test]
fn immediate_subdirectories_with_a_skill_are_listed_by_name() {
    let skills = Skills::with(&["b", "a", "c"]);
    skills.write(".hidden/SKILL.md", head("hidden", ""));
    skills.write("file.md", "x");
    skills.write("empty/README.md", "x");
    skills.write("deep/er/SKILL.md", head("er", ""));
    let listed = skills.store(Reading::Strict).list();
    assert_eq!(names(&listed), ["a", "b", "c"]);
    assert_eq!(said(&listed, &skills.root), [""; 0]);
    assert_eq!(listed.roots, std::slice::from_ref(&skills.root));
    assert_eq!(listed.skills[0].location, Location::File(skills.root.join("a/SKILL.md")));
    assert_eq!(listed.skills[0].description, "Does a. Use it for a.");
}

#[test]
fn one_bad_skill_hides_no_other_and_is_told() {
    let skills = Skills::with(&["good"]);
    skills.write("bad/SKILL.md", "---\nname: bad\n---\n");
    skills.write("other/SKILL.md", head("another", ""));
    skills.write("small/skill.md", head("small", ""));
    let strict = skills.store(Reading::Strict);
    assert_eq!(names(&strict.list()), ["good"]);
    assert_eq!(
        said(&strict.list(), &skills.root),
        [
            "! /bad: SKILL.md:1: `description` is missing",
            "! /other: SKILL.md:2: `name` is `another`, but the directory is `other`",
            "? /small: skill.md: `skill.md` is not read: the file must be called SKILL.md",
        ]
    );
    let lenient = skills.store(Reading::Lenient);
    assert_eq!(names(&lenient.list()), ["another", "good"]);
    assert!(strict.load("good", 100).is_ok());
    assert_eq!(lenient.load("another", 100).unwrap().summary.name, "another");
    assert_eq!(lenient.load("other", 100).unwrap_err().code(), "SKILL_NOT_FOUND");
    assert_eq!(strict.load("another", 100).unwrap_err().code(), "SKILL_NOT_FOUND");
    let bad = strict.load("bad", 100).unwrap_err();
    assert_eq!(bad.code(), "SKILL_NOT_FOUND");
    assert_eq!(bad.to_string(), "the skill `bad` is rejected: SKILL.md:1: `description` is missing");
}

#[test]
fn a_root_that_is_not_there_is_told() {
    let skills = Skills::with(&["a"]);
    let roots = [
        (skills.root.join("none"), Scope::Project),
        (skills.root.clone(), Scope::User),
        ("x".into(), Scope::User),
    ];
    let told = |reading| {
        let listed = FileSystemStore::new(roots.clone(), reading).list();
        assert_eq!(names(&listed), ["a"]);
        said(&listed, &skills.root)
    };
    assert_eq!(
        told(Reading::Strict),
        [
            "! /none: .: the directory cannot be read: No such file or directory (os error 2)",
            "! x: .: the path of a root must be absolute"
        ]
    );
    assert_eq!(
        told(Reading::Lenient),
        [
            "? /none: .: the directory cannot be read: No such file or directory (os error 2); it is left out",
            "? x: .: the path of a root must be absolute; it is left out"
        ]
    );
}

#[test]
fn names_are_compared_exactly_after_trimming() {
    let skills = Skills::with(&["meta"]);
    let store = skills.store(Reading::Strict);
    assert_eq!(store.load(" meta\n", 10).unwrap().summary.name, "meta");
    for (name, code) in [
        ("META", "SKILL_NOT_FOUND"),
        ("none", "SKILL_NOT_FOUND"),
        ("../skills/meta", "SKILL_NOT_FOUND"),
        (".", "SKILL_NOT_FOUND"),
        ("", "ARGUMENT_ERROR"),
        ("  ", "ARGUMENT_ERROR"),
        ("me\0ta", "ARGUMENT_ERROR"),
        ("meta\u{a0}", "SKILL_NOT_FOUND"),
        ("\u{2003}meta", "SKILL_NOT_FOUND"),
    ] {
        assert_eq!(store.load(name, 10).unwrap_err().code(), code, "{name:?}");
        assert_eq!(store.read_file(name, "scripts/a", 10).unwrap_err().code(), code, "{name:?}");
        let PhasesError::Skill(error) = store.phases(name).unwrap_err() else { panic!() };
        assert_eq!(error.code(), code, "{name:?}");
    }
}

#[test]
fn a_body_is_cut_between_characters_and_says_so() {
    let skills = Skills::new();
    let text = format!("{}é€{}", head("a", "").trim_end_matches("# a\n"), "x".repeat(100_000));
    skills.write("a/SKILL.md", text);
    let store = skills.store(Reading::Strict);
    let load = |max| store.load("a", max).unwrap();
    for (max, body) in [(1, ""), (2, "é"), (4, "é"), (5, "é€"), (6, "é€x")] {
        let skill = load(max);
        assert_eq!(skill.body, body, "{max}");
        assert_eq!(skill.truncated, Some(Truncation { kept_bytes: body.len(), total_bytes: 100_005 }));
        assert_eq!(skill.summary.name, "a");
    }
    assert_eq!(load(100_005).truncated, None);
    assert_eq!(load(usize::MAX).body.len(), 100_005);
    assert_eq!(store.load("a", 0).unwrap_err().code(), "ARGUMENT_ERROR");
}

#[test]
fn what_is_not_utf_8_in_a_body_is_replaced_and_told() {
    let skills = Skills::new();
    let mut bytes = head("a", "").into_bytes();
    bytes.extend(b"bad \xff\n!`rm -rf x`\n");
    skills.write("a/SKILL.md", bytes);
    let skill = skills.store(Reading::Strict).load("a", 1000).unwrap();
    assert_eq!(skill.body, "# a\nbad \u{fffd}\n!`rm -rf x`\n");
    let told: Vec<String> = skill.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "SKILL.md:6: the text is not UTF-8: what cannot be read is replaced",
            "SKILL.md:7: a command in the text is not run here: `rm -rf x`"
        ]
    );
}

#[test]
fn what_is_left_of_a_body_is_counted_in_bytes_of_the_file() {
    let skills = Skills::new();
    let mut bytes = head("a", "").trim_end_matches("# a\n").as_bytes().to_vec();
    bytes.extend([0xff; 60]);
    skills.write("a/SKILL.md", bytes);
    let skill = skills.store(Reading::Strict).load("a", 60).unwrap();
    assert_eq!(skill.body, "\u{fffd}".repeat(20));
    assert_eq!(skill.truncated, Some(Truncation { kept_bytes: 20, total_bytes: 60 }));
}

#[test]
fn files_beside_a_skill_are_listed_and_read() {
    let skills = Skills::with(&["a"]);
    let outside = skills.root.parent().unwrap().join("secret");
    std::fs::write(&outside, "secret").unwrap();
    for file in [
        "scripts/run.sh",
        "references/b.md",
        "references/a.md",
        "assets/x",
        "references/.hid",
        "references/sub/c.md",
        "other/d",
    ] {
        skills.write(&format!("a/{file}"), format!("text of {file}"));
    }
    skills.link("a/references/inside.md", "../assets/x");
    skills.link("a/references/beside.md", "a.md");
    skills.link("a/references/outside.md", &outside);
    skills.link("a/references/nowhere.md", "none");
    let store = skills.store(Reading::Strict);
    let skill = store.load("a", 10).unwrap();
    assert_eq!(
        skill.files,
        [
            "assets/x",
            "references/a.md",
            "references/b.md",
            "references/beside.md",
            "references/inside.md",
            "scripts/run.sh"
        ]
    );
    assert_eq!(skill.warnings[0].message, "`references/outside.md` is a link that leads out of the skill");
    for (path, text) in [
        ("references/a.md", "text of references/a.md"),
        (" references\\a.md\n", "text of references/a.md"),
        ("references/beside.md", "text of references/a.md"),
        ("references/inside.md", "text of assets/x"),
    ] {
        assert_eq!(store.read_file("a", path, 100).unwrap(), text, "{path:?}");
    }
    for (path, code) in [
        ("references/.hid", "FILE_NOT_FOUND"),
        ("references/outside.md", "FILE_NOT_FOUND"),
        ("references/nowhere.md", "FILE_NOT_FOUND"),
        ("references/none.md", "FILE_NOT_FOUND"),
        ("references/sub", "FILE_NOT_FOUND"),
        ("references/%2e%2e", "FILE_NOT_FOUND"),
        ("references/sub/c.md", "INVALID_PATH"),
        ("other/d", "INVALID_PATH"),
        ("SKILL.md", "INVALID_PATH"),
        ("references/../SKILL.md", "INVALID_PATH"),
        ("references/a\0", "ARGUMENT_ERROR"),
        ("", "ARGUMENT_ERROR"),
    ] {
        assert_eq!(store.read_file("a", path, 100).unwrap_err().code(), code, "{path:?}");
    }
    let exact = "text of references/a.md".len();
    assert!(store.read_file("a", "references/a.md", exact).is_ok());
    assert_eq!(
        store.read_file("a", "references/a.md", exact - 1),
        Err(SkillError::TooLarge { path: "references/a.md".into(), max_bytes: exact - 1 })
    );
    assert_eq!(store.read_file("a", "references/a.md", 0).unwrap_err().code(), "ARGUMENT_ERROR");
}

#[test]
fn a_folder_that_leads_out_has_no_files() {
    let skills = Skills::with(&["a", "b"]);
    skills.write("b/references/b.md", "b's own");
    skills.link("a/references", "../b/references");
    skills.link("a/scripts", "shell");
    skills.write("a/shell/run.sh", "echo");
    let store = skills.store(Reading::Strict);
    let skill = store.load("a", 10).unwrap();
    assert_eq!(skill.files, ["scripts/run.sh"]);
    assert_eq!(skill.warnings[0].message, "`references` is a link that leads out");
    assert_eq!(store.read_file("a", "references/b.md", 10).unwrap_err().code(), "FILE_NOT_FOUND");
    assert_eq!(store.read_file("a", "scripts/run.sh", 10).unwrap(), "echo");
}

#[test]
fn a_table_of_phases_is_a_file_or_in_the_head() {
    let skills = Skills::with(&["none"]);
    skills.write("file/SKILL.md", head("file", "metadata:\n  phases: phases.yaml\n"));
    skills.write("file/phases.yaml", "phases:\n  look:\n    allowed: [find]\n");
    skills.write("gone/SKILL.md", head("gone", "metadata:\n  phases: phases.yaml\n"));
    skills.write("up/SKILL.md", head("up", "metadata:\n  phases: ../file/phases.yaml\n"));
    skills.write("out/SKILL.md", head("out", "metadata:\n  phases: phases.yaml\n"));
    skills.link("out/phases.yaml", "../file/phases.yaml");
    let table = "metadata:\n  tool_permissions:\n    phases:\n      look:\n        allowed: [find]\n";
    skills.write("head/SKILL.md", head("head", table));
    skills.write("both/SKILL.md", head("both", &format!("{table}  phases: phases.yaml\n")));

    let store = skills.store(Reading::Lenient);
    assert_eq!(store.phases("none").unwrap(), None);
    let from_file = store.phases("file").unwrap().unwrap();
    assert_eq!((from_file.file.as_str(), from_file.phases[0].allowed[0].line), ("phases.yaml", 3));
    let from_head = store.phases("head").unwrap().unwrap();
    assert_eq!((from_head.file.as_str(), from_head.phases[0].allowed[0].line), ("SKILL.md", 8));
    let told = |name: &str| store.phases(name).unwrap_err().to_string();
    let says = |what: &str| format!("the table of phases cannot be read: {what}");
    assert_eq!(told("gone"), says("SKILL.md:5: `metadata.phases`: there is no `phases.yaml`"));
    assert_eq!(
        told("up"),
        says(
            "SKILL.md:5: `metadata.phases` is `../file/phases.yaml`; it must be the name of a YAML file beside SKILL.md"
        )
    );
    assert_eq!(told("out"), says("SKILL.md:5: `metadata.phases`: `phases.yaml` is a link that leads out"));
    assert!(told("both").contains("there are two tables of phases"));
    let strict = skills.store(Reading::Strict);
    assert!(
        said(&strict.list(), &skills.root)
            .iter()
            .any(|line| line.contains("name it with `phases: phases.yaml`"))
    );
}
