//! `bowline skills`: listed, shown, checked, and installed where agents look.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

use bowline_testkit::Fixture;
use serde_json::Value;

use crate::{bowline, project, run};

/// A project and a user with skills of their own, good and bad.
fn house() -> Fixture {
    Fixture::new(
        "//- /project/.bowline/skills/deploy/SKILL.md
---
name: deploy
description: How we deploy.
allowed-tools: Read Bash(git:*)
metadata:
  phases: phases.yaml
---
# Deploying

Carefully.
//- /project/.bowline/skills/deploy/references/hosts.md
one
//- /project/.bowline/skills/deploy/phases.yaml
phases:
  look:
    description: Look first.
    allowed: [find_references]
    forbidden: [\"@write\"]
    complete_when: [find_references]
    skippable: false
  do:
    allowed: [apply_edit]
global_forbidden: [rename_symbol]
//- /project/.bowline/skills/broken/SKILL.md
no head at all
//- /home/.agents/skills/deploy/SKILL.md
---
name: deploy
description: Another way.
---
text
//- /home/.agents/skills/notes/SKILL.md
---
name: notes
description: Takes notes.
---
text
",
    )
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn names(listing: &Value, scope: &str) -> Vec<String> {
    let skills = listing["skills"].as_array().unwrap().iter();
    skills
        .filter(|skill| skill["scope"] == scope)
        .map(|skill| skill["name"].as_str().unwrap().into())
        .collect()
}

/// The names of our own, as the binary knows them.
fn ours(fixture: &Fixture) -> Vec<String> {
    let (code, stdout, stderr) = run(fixture, &["skills", "list", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    names(&json(&stdout), "built-in")
}

fn entries(dir: &Path) -> Vec<String> {
    let Ok(entries) = dir.read_dir() else {
        return Vec::new();
    };
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn lists_what_there_is_and_what_is_left_out() {
    let fixture = house();
    let (code, stdout, _) = run(&fixture, &["skills", "list", "--json"]);
    assert_eq!(code, 0);
    let listing = json(&stdout);
    assert_eq!(names(&listing, "project"), ["deploy"]);
    assert_eq!(names(&listing, "user"), ["notes"]);
    assert!(!names(&listing, "built-in").is_empty());
    assert_eq!(listing["roots"], serde_json::json!(["/project/.bowline/skills", "/home/.agents/skills"]));
    assert_eq!(listing["shadowed"][0]["hidden"], "/home/.agents/skills/deploy");
    assert_eq!(listing["shadowed"][0]["by"], "/project/.bowline/skills/deploy");
    assert_eq!(listing["rejected"][0]["place"], "/project/.bowline/skills/broken");
    assert_eq!(listing["rejected"][0]["errors"][0]["file"], "SKILL.md");

    let (code, text, _) = run(&fixture, &["skills", "list"]);
    assert_eq!(code, 0);
    for part in [
        "deploy  project\n    How we deploy.",
        "notes  user\n    Takes notes.",
        "deploy  /home/.agents/skills/deploy is hidden by /project/.bowline/skills/deploy",
        "left out  /project/.bowline/skills/broken\n    SKILL.md",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn shows_one_with_its_files_and_phases() {
    let fixture = house();
    let (code, text, _) = run(&fixture, &["skills", "show", "deploy"]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text, @"
    deploy  project
    How we deploy.
    location: /project/.bowline/skills/deploy/SKILL.md
    allowed-tools: Read Bash(git:*)
    phases: phases.yaml

    # Deploying

    Carefully.

    Files
      references/hosts.md

    Phases phases.yaml
      1. look  cannot be skipped
         Look first.
         allowed: find_references
         forbidden: @write
         complete when: find_references
      2. do
         allowed: apply_edit
      in every phase
         forbidden: rename_symbol
    ");
    let (code, _, said) = run(&fixture, &["skills", "show", "deplyo"]);
    assert_eq!(code, 2);
    assert!(said.contains("there is no skill `deplyo`; did you mean `deploy`?"), "{said}");
    let (code, _, said) = run(&fixture, &["skills", "show", "broken"]);
    assert_eq!(code, 1, "{said}");
}

#[test]
fn a_mistake_in_the_configuration_is_pointed_at() {
    let mut fixture = house();
    fixture.write("project/bowline.toml", "[skills]\nallowed_tools = \"grant\"\n");
    let (code, _, said) = run(&fixture, &["skills", "list"]);
    assert_eq!(code, 2);
    assert!(said.contains("/project/bowline.toml:2:17: a project cannot grant anything"), "{said}");
    fixture.write("project/bowline.toml", "[skills]\nroots = [\"missing\"]\n");
    let (code, _, said) = run(&fixture, &["skills", "list"]);
    assert_eq!(code, 0);
    assert!(said.contains("bowline.toml:2:10: there is no directory `missing`"), "{said}");
}

#[test]
fn validates_one_skill() {
    let fixture = house();
    let validate = |path: &str| {
        let (code, stdout, stderr) = run(&fixture, &["skills", "validate", path, "--json"]);
        assert_eq!(stderr, "", "{path}");
        (code, json(&stdout))
    };
    for path in [".bowline/skills/deploy", ".bowline/skills/deploy/", ".bowline/skills/deploy/SKILL.md"] {
        assert_eq!(
            validate(path),
            (0, serde_json::json!({"valid": true, "errors": [], "warnings": []})),
            "{path}"
        );
    }
    let (code, said) = validate(".bowline/skills/broken");
    assert_eq!((code, &said["valid"]), (1, &Value::from(false)));
    assert_eq!(said["errors"][0]["file"], "SKILL.md");
    for (path, message) in [
        ("nowhere", "it cannot be read: No such file"),
        ("src", "it cannot be read: No such file"),
        (".bowline/skills/deploy/phases.yaml", "this is neither a directory nor a SKILL.md"),
        (".bowline/skills/deploy/references", "there is no SKILL.md"),
        ("/dev/null", "this is neither a directory nor a SKILL.md"),
    ] {
        let (code, said) = validate(path);
        assert_eq!((code, &said["valid"]), (1, &Value::from(false)));
        let first = said["errors"][0]["message"].as_str().unwrap();
        assert!(first.starts_with(message), "{path}: {first}");
    }
    let (code, text, _) = run(&fixture, &["skills", "validate", ".bowline/skills/broken"]);
    assert_eq!(code, 1);
    assert!(text.starts_with(".bowline/skills/broken: not valid\n  error   SKILL.md"), "{text}");
}

#[test]
fn a_table_of_phases_is_proved() {
    let mut fixture = house();
    let mut validate = |table: &str| {
        fixture.write("project/.bowline/skills/deploy/phases.yaml", table);
        let (code, stdout, _) = run(&fixture, &["skills", "validate", ".bowline/skills/deploy", "--json"]);
        (code, json(&stdout)["errors"].clone())
    };
    let (code, errors) = validate("phases:\n  look:\n    allowed: [find_references, find_refrences]\n");
    assert_eq!((code, &errors[0]["file"], &errors[0]["line"]), (1, &"phases.yaml".into(), &3.into()));
    assert!(errors[0]["message"].as_str().unwrap().contains("find_refrences"), "{errors}");
    let unreachable = "phases:\n  look:\n    allowed: [find_references]\n  never:\n    allowed: [find_references]\n    forbidden: [find_references]\n";
    let (code, errors) = validate(unreachable);
    assert_eq!((code, &errors[0]["line"]), (1, &4.into()), "{errors}");
}

/// The table that is proved is the one that was read, whatever the directory and the skill are called.
#[test]
fn the_table_is_proved_whatever_the_skill_is_called() {
    let fixture = house();
    let table = b"phases:\n  look:\n    allowed: [find_refrences]\n";
    let skill = |name: &str| {
        format!("---\nname: {name}\ndescription: x\nmetadata:\n  phases: phases.yaml\n---\ntext\n")
            .into_bytes()
    };
    for (directory, name) in [("x/demo", "other"), ("x/Demo", "demo"), ("y/one", "two")] {
        fixture.write_bytes(&format!("project/{directory}/SKILL.md"), &skill(name));
        fixture.write_bytes(&format!("project/{directory}/phases.yaml"), table);
        // A sound one beside it has the name of the directory.
        fixture.write_bytes("project/y/zzz/SKILL.md", b"---\nname: one\ndescription: x\n---\n");
        let (code, stdout, _) = run(&fixture, &["skills", "validate", directory, "--lenient", "--json"]);
        let said = json(&stdout);
        assert_eq!((code, &said["errors"][0]["file"]), (1, &"phases.yaml".into()), "{directory} {stdout}");
    }
    symlink(fixture.path("project/x/demo"), fixture.path("project/linked")).unwrap();
    assert_eq!(run(&fixture, &["skills", "validate", "linked", "--lenient"]).0, 1);
}

#[test]
fn a_projects_copy_of_ours_is_left_out_without_a_word() {
    let fixture = Fixture::new("//- /project/empty\n");
    let ours = ours(&fixture);
    assert_eq!(run(&fixture, &["skills", "install", "--project", "--agent", "agents"]).0, 0);
    let listing = json(&run(&fixture, &["skills", "list", "--json"]).1);
    assert_eq!(
        (&listing["rejected"], &listing["warnings"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    assert_eq!(names(&listing, "built-in"), ours);
}

#[test]
fn validates_each_of_a_directory() {
    let fixture = house();
    let (code, stdout, _) = run(&fixture, &["skills", "validate", ".bowline/skills", "--json"]);
    let said = json(&stdout);
    assert_eq!((code, &said["valid"]), (1, &Value::from(false)));
    assert_eq!(said["errors"][0]["file"], "broken/SKILL.md");
    assert_eq!(
        said["skills"],
        serde_json::json!([{"directory": "broken", "valid": false}, {"directory": "deploy", "valid": true}])
    );
    let home = fixture.path("home/.agents/skills");
    assert_eq!(run(&fixture, &["skills", "validate", home.to_str().unwrap()]).0, 0);
}

#[test]
fn whatever_the_bytes_a_validator_answers() {
    let fixture = house();
    let long = [b"---\nname: x\ndescription: ".as_slice(), &b"a".repeat(300_000)].concat();
    for bytes in [
        b"".as_slice(),
        b"---",
        b"---\n---\n",
        b"\xff\xfe\x00---\n",
        b"---\nname: \x00\n---\n",
        b"---\nname: &a [*a, *a]\n---\n",
        b"---\n- [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n---\n",
        &long,
    ] {
        fixture.write_bytes("project/x/SKILL.md", bytes);
        for reading in [&[][..], &["--lenient"]] {
            let all = [&["skills", "validate", "x", "--json"], reading].concat();
            let (code, stdout, stderr) = run(&fixture, &all);
            assert_eq!((code, &json(&stdout)["valid"]), (1, &Value::from(false)), "{bytes:?} {stderr}");
        }
    }
}

#[test]
fn lenient_reading_mends_what_it_can() {
    let fixture = house();
    fixture.write_bytes("project/x/SKILL.md", b"---\nname: x\ndescription: a: b\n---\ntext\n");
    assert_eq!(run(&fixture, &["skills", "validate", "x"]).0, 1);
    let (code, stdout, _) = run(&fixture, &["skills", "validate", "x", "--lenient", "--json"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(!json(&stdout)["warnings"].as_array().unwrap().is_empty(), "{stdout}");
}

#[test]
fn installs_ours_where_agents_look() {
    let fixture = Fixture::new("//- /project/empty\n");
    let ours = ours(&fixture);
    let places = [
        ("claude", "home/.claude/skills", "project/.claude/skills"),
        ("codex", "home/.agents/skills", "project/.agents/skills"),
        ("gemini", "home/.gemini/skills", "project/.gemini/skills"),
        ("cursor", "home/.cursor/skills", "project/.cursor/skills"),
        ("opencode", "config/opencode/skills", "project/.opencode/skills"),
        ("pi", "home/.pi/agent/skills", "project/.pi/skills"),
        ("agents", "home/.agents/skills", "project/.agents/skills"),
    ];
    for (agent, of_the_user, of_the_project) in places {
        let (code, text, said) = run(&fixture, &["skills", "install", "--agent", agent]);
        assert_eq!(code, 0, "{text}{said}");
        assert_eq!(entries(&fixture.path(of_the_user)), ours, "{agent}");
        let (code, text, said) = run(&fixture, &["skills", "install", "--agent", agent, "--project"]);
        assert_eq!(code, 0, "{text}{said}");
        assert_eq!(entries(&fixture.path(of_the_project)), ours, "{agent}");
    }
    // What was installed is a skill to the letter.
    let (code, text, _) = run(&fixture, &["skills", "validate", ".claude/skills"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn installs_some_and_says_what_it_would_do() {
    let fixture = Fixture::new("//- /project/empty\n");
    let ours = ours(&fixture);
    let first = ours[0].as_str();
    let (code, text, _) = run(&fixture, &["skills", "install", "--dest", "out/deep", "--dry-run"]);
    assert_eq!(code, 0);
    assert!(text.starts_with("/project/out/deep\n") && text.contains("would be installed"), "{text}");
    assert_eq!(entries(&project(&fixture)), ["empty"]);

    let (code, text, _) = run(&fixture, &["skills", "install", "--dest", "out", first, first]);
    assert_eq!(code, 0);
    assert_eq!(text.matches("installed").count(), 1, "{text}");
    assert_eq!(entries(&fixture.path("project/out")), [first]);

    let wrong = |arguments: &[&str], message: &str| {
        let (code, _, said) = run(&fixture, &[&["skills", "install"], arguments].concat());
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(message), "{said}");
    };
    wrong(&[], "say where: `--agent NAME`");
    wrong(&["--dest", "out", &format!("{first}x")], &format!("did you mean `{first}`?"));
    wrong(&["--agent", "vim"], "invalid value 'vim'");
    wrong(&["--dest", "out", "--agent", "pi"], "cannot be used with");
    wrong(&["--dest", ""], "a value is required");
    wrong(&["--dest", "out", "--project"], "cannot be used with");
}

#[test]
fn several_at_once_do_not_disturb_each_other() {
    let fixture = Fixture::new("//- /project/empty\n");
    let ours = ours(&fixture);
    let install =
        || bowline(&fixture).args(["skills", "install", "--dest", "out"]).stdout(Stdio::null()).spawn();
    let running: Vec<_> = (0..6).map(|_| install().unwrap()).collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(entries(&fixture.path("project/out")), ours);
    assert_eq!(run(&fixture, &["skills", "validate", "out"]).0, 0);
}

#[test]
fn several_who_force_at_once_end_well_and_what_was_killed_is_tidied_up() {
    let fixture = Fixture::new("//- /project/empty\n");
    let ours = ours(&fixture);
    assert_eq!(run(&fixture, &["skills", "install", "--dest", "out"]).0, 0);
    for name in &ours {
        fixture.write_bytes(&format!("project/out/{name}/SKILL.md"), b"mine");
    }
    fixture.write_bytes("project/out/.bowline-aB3xYz/lsp-rename/SKILL.md", b"half");
    let force = || {
        bowline(&fixture)
            .args(["skills", "install", "--dest", "out", "--force"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    };
    let running: Vec<_> = (0..3).map(|_| force().unwrap()).collect();
    let mut replaced = 0;
    for child in running {
        let ended = child.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        replaced += String::from_utf8_lossy(&ended.stdout).matches("the old one is kept in").count();
    }
    assert_eq!(replaced, ours.len());
    assert_eq!(entries(&fixture.path("project/out")), ours);
    assert_eq!(entries(&fixture.path("state/bowline/replaced-skills")).len(), ours.len());
}

#[test]
fn a_home_that_is_relative_is_none() {
    let fixture = Fixture::new("//- /project/empty\n");
    for dry in [&["--dry-run"][..], &[]] {
        let ended = bowline(&fixture)
            .env("HOME", "home")
            .args(["skills", "install", "--agent", "claude"])
            .args(dry)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success());
        assert!(said.contains("there is no home directory; say `--dest DIR`"), "{said}");
    }
    assert_eq!(entries(&project(&fixture)), ["empty"]);
}

#[test]
fn what_the_user_changed_stays_unless_forced_and_then_is_kept() {
    let fixture = Fixture::new("//- /project/empty\n");
    let ours = ours(&fixture);
    let first = ours[0].as_str();
    let install = |more: &[&str]| {
        let (code, text, said) = run(&fixture, &[&["skills", "install", "--agent", "claude"], more].concat());
        assert_eq!(code, 0, "{said}");
        text
    };
    let file = fixture.path(&format!("home/.claude/skills/{first}/SKILL.md"));
    install(&[]);
    let original = std::fs::read_to_string(&file).unwrap();
    assert_eq!(install(&[]).matches("up to date").count(), ours.len());
    std::fs::write(&file, "mine").unwrap();
    assert!(install(&[]).contains("differs, and is left alone"));
    let text = install(&["--force", "--dry-run"]);
    assert!(text.contains("would be replaced; the old one would be kept below /state/bowline/"), "{text}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");

    let text = install(&["--force"]);
    let kept = text.lines().find_map(|line| line.split_once("the old one is kept in ")).unwrap().1;
    let kept = fixture.path(kept.trim_start_matches('/'));
    assert!(kept.starts_with(fixture.path("state/bowline/replaced-skills")), "{text}");
    assert_eq!(std::fs::read_to_string(kept.join("SKILL.md")).unwrap(), "mine");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), original);
    assert_eq!(entries(&fixture.path("home/.claude/skills")), ours);
}

#[test]
fn what_is_in_the_way_is_said_and_the_others_are_installed() {
    let fixture = Fixture::new("//- /project/empty\n//- /elsewhere/a\n");
    let ours = ours(&fixture);
    let (first, second) = (ours[0].as_str(), ours[1].as_str());
    fixture.write_bytes(&format!("project/out/{first}"), b"mine");
    let (code, text, said) = run(&fixture, &["skills", "install", "--dest", "out", "--force"]);
    assert_eq!(code, 1);
    assert!(said.contains(&format!("/project/out/{first}: a file is in the way")), "{said}");
    assert!(said.contains("1 could not be installed"), "{said}");
    assert!(text.contains(&format!("{second} ")), "{text}");
    assert!(fixture.path(&format!("project/out/{second}/SKILL.md")).is_file());

    for (link, dest) in [("project/link", "link"), ("project/link", "link/")] {
        let _ = symlink(fixture.path("elsewhere"), fixture.path(link));
        let (code, _, said) = run(&fixture, &["skills", "install", "--dest", dest]);
        assert_eq!(code, 1);
        assert!(said.contains("/project/link: it is a link to `/elsewhere`"), "{said}");
    }
    // One place that cannot be used does not keep the other from being filled.
    symlink(fixture.path("elsewhere"), fixture.path("project/.claude")).unwrap();
    let (code, _, said) = run(&fixture, &["skills", "install", "--agent", "claude,agents", "--project"]);
    assert_eq!(code, 1);
    assert!(said.contains("leads out of the project, to `/elsewhere/skills`"), "{said}");
    assert_eq!(entries(&fixture.path("project/.agents/skills")), ours);
    assert_eq!(entries(&fixture.path("elsewhere")), ["a"]);

    let (code, _, said) = run(&fixture, &["skills", "install", "--dest", "empty/below"]);
    assert_eq!(code, 1);
    assert!(said.contains("something on the way there is not a directory"), "{said}");
}

#[test]
fn without_permission_it_says_so() {
    let fixture = Fixture::new("//- /project/empty\n//- /project/closed/a\n");
    let closed = fixture.path("project/closed");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o500)).unwrap();
    let may_write = std::fs::write(closed.join("probe"), "").is_ok();
    let (dry, _, _) = run(&fixture, &["skills", "install", "--dest", "closed", "--dry-run"]);
    let (code, _, said) = run(&fixture, &["skills", "install", "--dest", "closed"]);
    assert_eq!(dry, code, "{said}");
    if may_write {
        // The super-user may write everywhere, but not into what the system itself makes up.
        assert_eq!(code, 0, "{said}");
        let (code, _, said) = run(&fixture, &["skills", "install", "--dest", "/proc/skills"]);
        assert_eq!(code, 1);
        assert!(said.contains("/proc/skills: the directory cannot be made"), "{said}");
    } else {
        assert_eq!(code, 1);
        assert!(said.contains("nothing can be written into the directory: Permission denied"), "{said}");
    }
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o700)).unwrap();
}
