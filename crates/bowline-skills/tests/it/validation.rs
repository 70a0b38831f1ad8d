//! What a validator tells the author of a skill.

use bowline_skills::{Reading, Store, validate, validate_root};

use super::{Skills, head, names};

fn told(skills: &Skills, name: &str, reading: Reading) -> (bool, Vec<String>, Vec<String>) {
    let report = validate(&skills.root.join(name), reading);
    let text = |findings: &[bowline_skills::Finding]| findings.iter().map(ToString::to_string).collect();
    (report.valid, text(&report.errors), text(&report.warnings))
}

#[test]
fn a_good_skill_is_valid_and_everything_doubtful_is_told() {
    let skills = Skills::with(&["good"]);
    assert_eq!(told(&skills, "good", Reading::Strict), (true, vec![], vec![]));
    skills.write("odd/SKILL.md", format!("{}Text\n!`ls`\n", head("odd", "hooks: {}\n")));
    skills.link("odd/scripts", "/etc");
    let (valid, errors, warnings) = told(&skills, "odd", Reading::Strict);
    assert!(valid && errors.is_empty());
    assert_eq!(
        warnings,
        [
            "SKILL.md:4: `hooks` is code on other hosts and is not run here",
            "SKILL.md:8: a command in the text is not run here: `ls`",
            "scripts: `scripts` is a link that leads out"
        ]
    );
}

#[test]
fn the_table_of_phases_is_checked() {
    let skills = Skills::new();
    skills.write("a/SKILL.md", head("a", "metadata:\n  phases: phases.yaml\n"));
    assert_eq!(
        told(&skills, "a", Reading::Strict).1,
        ["SKILL.md:5: `metadata.phases`: there is no `phases.yaml`"]
    );
    skills.write("a/phases.yaml", "phases:\n  look:\n    alowed: [x]\n");
    let (valid, errors, _) = told(&skills, "a", Reading::Strict);
    assert!(!valid);
    assert!(errors[0].starts_with("phases.yaml:3: `alowed` is not a key of a phase"), "{errors:?}");
    skills.write("a/phases.yaml", "phases:\n  look:\n    allowed: [x]\n");
    assert!(told(&skills, "a", Reading::Strict).0);
    let read = validate(&skills.root.join("a"), Reading::Strict).phases.unwrap();
    assert_eq!((read.file.as_str(), read.phases[0].allowed[0].line), ("phases.yaml", 3));
}

/// What a list leaves out, a validator of the same directory does not call valid; what a list has, it does.
#[test]
fn a_directory_of_skills_is_judged_as_it_is_listed() {
    use std::os::unix::ffi::OsStrExt;
    let outside = Skills::with(&["evil"]);
    let skills = Skills::with(&["good", "g00d", "Good", "real"]);
    skills.write("dup/SKILL.md", head("good", ""));
    skills.link("evil", outside.root.join("evil"));
    skills.link("alias", "real");
    skills.write("small/skill.md", head("small", ""));
    skills.write("table/SKILL.md", head("table", "metadata:\n  phases: phases.yaml\n"));
    skills.write("notes/README.md", "");
    let odd = skills.root.join(std::ffi::OsStr::from_bytes(b"b\xffd"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(odd.join("SKILL.md"), head("bad", "")).unwrap();
    for reading in [Reading::Strict, Reading::Lenient] {
        let report = validate_root(&skills.root, reading);
        assert_eq!(report.errors, []);
        let each: Vec<String> =
            report.skills.iter().map(|(name, one)| format!("{name} {}", one.valid)).collect();
        assert_eq!(
            each,
            [
                "Good false",
                "alias false",
                "b\u{fffd}d false",
                "dup false",
                "evil false",
                "g00d true",
                "good true",
                "real true",
                "small false",
                "table false"
            ]
        );
        let listed = skills.store(reading).list();
        let valid = report.skills.iter().filter(|(_, one)| one.valid).map(|(name, _)| name.as_str());
        // A table of phases is read when a skill is activated, not when it is listed.
        assert_eq!(names(&listed), valid.chain(["table"]).collect::<Vec<_>>());
        let said = |wanted: &str| {
            let one = &report.skills.iter().find(|(name, _)| name == wanted).unwrap().1;
            let all: Vec<String> = one.errors.iter().chain(&one.warnings).map(ToString::to_string).collect();
            all.join("\n").replace(&skills.root.display().to_string(), "")
        };
        assert_eq!(said("evil"), "SKILL.md: the directory is a link that leads out");
        assert_eq!(said("alias"), ".: it leads to the same directory as `/real`");
        assert_eq!(said("good"), "SKILL.md: `good` looks like the skill `g00d`");
        assert!(said("Good").contains("differs from the skill `good` only in case"));
        assert!(said("b\u{fffd}d").contains("the name of the directory is not UTF-8"));
        assert!(said("dup").contains(match reading {
            Reading::Strict => "the directory is `dup`",
            Reading::Lenient => "the name `good` is taken by `/good`",
        }));
    }
    let none = validate_root(&skills.root.join("none"), Reading::Strict);
    assert!(none.errors[0].message.starts_with("the directory cannot be read"), "{none:?}");
}

#[test]
fn what_is_not_there_is_told() {
    let skills = Skills::new();
    skills.write("small/skill.md", head("small", ""));
    std::fs::create_dir(skills.root.join("void")).unwrap();
    assert_eq!(
        told(&skills, "small", Reading::Strict).1,
        ["SKILL.md: there is no SKILL.md: `skill.md` is not read, rename it"]
    );
    assert_eq!(told(&skills, "void", Reading::Strict).1, ["SKILL.md: there is no SKILL.md"]);
    assert_eq!(
        told(&skills, "none", Reading::Strict).1,
        [".: the directory cannot be read: No such file or directory (os error 2)"]
    );
}

#[test]
fn the_directory_may_be_named_in_any_way() {
    let skills = Skills::with(&["good"]);
    for path in ["good", "good/", "good/.", "./good", "good/../good"] {
        assert!(validate(&skills.root.join(path), Reading::Strict).valid, "{path}");
    }
    skills.write("good/scripts/x", "");
    assert!(validate(&skills.root.join("good/scripts/.."), Reading::Strict).valid);
}

#[test]
fn a_report_is_data() {
    let skills = Skills::new();
    skills.write("a/SKILL.md", "---\nname: a\nextra: 1\n---\n");
    let report = serde_json::to_value(validate(&skills.root.join("a"), Reading::Strict)).unwrap();
    assert_eq!(
        report,
        serde_json::json!({
            "valid": false,
            "errors": [{ "file": "SKILL.md", "line": 1, "message": "`description` is missing" }],
            "warnings": [{ "file": "SKILL.md", "line": 3, "message": "`extra` is not a key of the format" }],
        })
    );
}
