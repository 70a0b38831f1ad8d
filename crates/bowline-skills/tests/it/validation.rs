//! What a validator tells the author of a skill.

use bowline_skills::{Reading, validate};

use super::{Skills, head};

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
            "scripts: `scripts` is a link that leads out, to `/etc`"
        ]
    );
}

#[test]
fn the_table_of_phases_is_checked() {
    let skills = Skills::new();
    skills.write("a/SKILL.md", head("a", "metadata:\n  phases: phases.yaml\n"));
    assert_eq!(told(&skills, "a", Reading::Strict).1, ["phases.yaml: there is no `phases.yaml`"]);
    skills.write("a/phases.yaml", "phases:\n  look:\n    alowed: [x]\n");
    let (valid, errors, _) = told(&skills, "a", Reading::Strict);
    assert!(!valid);
    assert!(errors[0].starts_with("phases.yaml:3: `alowed` is not a key of a phase"), "{errors:?}");
    skills.write("a/phases.yaml", "phases:\n  look:\n    allowed: [x]\n");
    assert!(told(&skills, "a", Reading::Strict).0);
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
