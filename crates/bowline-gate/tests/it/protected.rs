//! Places that nothing is written to unless the user says so.

use std::path::PathBuf;

use bowline_call::{Effect, Intent, Target};
use bowline_gate::{Asked, BadPlace, Gate, Ledger, Maker, Openings, PathFact, Protected, TreeNames, Verdict};

use crate::{about, ask, call, facts, leads, shown, straight};

fn gate(open: &[&str]) -> Gate {
    let own = [PathBuf::from("/home/me/.config/bowline")];
    Gate::new(vec![Box::new(Protected::new(Openings::new(open).unwrap(), &own))])
}

fn verdict(open: &[&str], path: PathFact, effect: Effect) -> Verdict {
    ask(&gate(open), "apply_edit", effect, vec![path])
}

fn writes(open: &[&str], path: PathFact) -> bool {
    match verdict(open, path, Effect::Write) {
        Verdict::Allow { .. } => true,
        Verdict::Refuse(objection) => {
            assert_eq!(objection.rule, "protected");
            false
        }
        Verdict::Warn(_) | Verdict::Ask(_) => panic!("nobody is asked about protected places"),
    }
}

fn below(path: &str) -> PathFact {
    straight(&format!("/project/{path}"))
}

#[test]
fn doors_and_what_programs_make_are_refused() {
    for path in [
        ".git",
        ".git/config",
        ".git/hooks/post-checkout",
        "sub/module/.git",
        ".hg/hgrc",
        ".jj/repo",
        ".husky/pre-commit",
        "bowline.toml",
        "crates/a/bowline.toml",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".claude/skills/x/SKILL.md",
        ".mcp.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".cursor/hooks.json",
        ".opencode/plugins/x.ts",
        "opencode.json",
        ".github/hooks/pre.json",
        ".vscode/tasks.json",
        ".aider.conf.yml",
        ".zed/settings.json",
        ".envrc",
        "web/node_modules/left-pad/index.js",
        "Cargo.lock",
        "web/package-lock.json",
        "go.sum",
        ".venv/bin/activate",
        "src/__pycache__/a.pyc",
        "x.egg-info/PKG-INFO",
        // Other spellings of the same names.
        ".GIT/config",
        ".Claude/Settings.json",
        ".git\u{200d}/config",
        ".claude/\u{17f}ettings.json",
        ".git./config",
        ".git /config",
        "GIT~1/config",
        "CARGO.LOCK",
        ".git::$INDEX_ALLOCATION/config",
        ".git:x:$DATA",
        ".cargo/config.toml",
        "crates/a/.cargo/config",
        ".npmrc",
        ".yarnrc.yml",
        ".pnpmfile.cjs",
    ] {
        assert!(!writes(&[], below(path)), "{path}");
    }
}

#[test]
fn what_git_keeps_under_another_name_is_refused_unless_the_user_opens_it() {
    let kept = || PathFact { door: Ok(Some("`meta` is a git directory".into())), ..below("meta/hooks/x") };
    assert!(!writes(&[], kept()));
    assert!(matches!(verdict(&[], kept(), Effect::Run), Verdict::Refuse(_)));
    assert!(matches!(verdict(&[], kept(), Effect::Read), Verdict::Allow { .. }));
    assert!(writes(&["meta/**"], kept()));
    let unknown = PathFact { door: Err("no leave".into()), ..below("a.rs") };
    assert!(matches!(verdict(&[], unknown, Effect::Write), Verdict::Refuse(_)));
}

#[test]
fn what_chooses_the_program_that_runs_is_a_door() {
    for path in [
        "rust-toolchain.toml",
        "rust-toolchain",
        "crates/a/rust-toolchain.toml",
        ".cargo/config.toml",
        ".mvn/extensions.xml",
        ".mvn/jvm.config",
        "gradle/wrapper/gradle-wrapper.properties",
    ] {
        assert!(!writes(&[], below(path)), "{path}");
        assert!(writes(&[path], below(path)), "{path}");
    }
}

#[test]
fn what_people_ask_agents_to_change_is_left_alone() {
    for path in [
        "src/lib.rs",
        ".github/workflows/ci.yml",
        ".gitignore",
        ".gitattributes",
        ".gitmodules",
        "CLAUDE.md",
        "AGENTS.md",
        "git/config",
        "src/.gitkeep",
        "docs/claude/settings.json",
        ".vscode/extensions.json",
        "vendor/x.go",
        "dist/index.js",
        "src/lock.rs",
        "Makefile",
        ".claude/worktrees/fix/src/lib.rs",
        "...",
        "a:b",
        ".cargo/audit.toml",
        "conftest.py",
        "tests/conftest.py",
        "pytest.ini",
        "pyproject.toml",
        "package.json",
        "gradle/libs.versions.toml",
    ] {
        assert!(writes(&[], below(path)), "{path}");
    }
    for path in
        [".claude/worktrees/fix", ".claude/worktrees/fix/.git", ".claude/worktrees/fix/.claude/settings.json"]
    {
        assert!(!writes(&[], below(path)), "{path}");
    }
}

#[test]
fn either_reading_is_enough_to_refuse() {
    assert!(!writes(&[], leads("/project/notes.txt", Ok("/project/.claude/settings.json"))));
    assert!(!writes(&[], leads("/project/.git/config", Ok("/project/notes.txt"))));
    assert!(!writes(&[], leads("/home/me/link/.git/config", Ok("/project/.git/config"))));
    assert!(writes(&[], leads("/home/me/link/a", Ok("/project/a"))));
    assert!(!writes(&[".git/**"], leads("/project/notes.txt", Err("too many links"))));
}

#[test]
fn another_name_of_a_protected_file_is_refused() {
    let linked = |other: &str| PathFact {
        links: TreeNames::Known(vec![other.into()]),
        ..leads("/project/notes.txt", Ok("/project/notes.txt"))
    };
    assert!(!writes(&[], linked("/project/.claude/settings.json")));
    assert!(!writes(&[], linked("/home/me/.config/bowline/bowline.toml")));
    assert!(writes(&[], linked("/project/other.txt")));
    assert!(writes(&[".claude/**"], linked("/project/.claude/settings.json")));
}

#[test]
fn a_copy_that_brings_a_protected_place_is_a_question() {
    let copies = |open: &[&str], names: TreeNames| {
        let intent = Intent::new(Effect::Run, [Target::Command("cp -r /tmp/x/. lib".into())]);
        let mut facts = about(&intent, vec![]);
        for touched in facts.commands.iter_mut().flat_map(|command| &mut command.touched) {
            touched.readings.iter_mut().for_each(|path| path.below = names.clone());
        }
        let (ledger, call) = (Ledger::default(), call("Bash"));
        gate(open).before(&Asked::new(&ledger, &call, &intent, &facts)).verdict
    };
    let known = |name: &str| TreeNames::Known(vec![name.into()]);
    let Verdict::Ask(question) = copies(&[], known("/project/lib/.claude")) else { panic!("not asked") };
    insta::assert_snapshot!(question.reason, @"`lib/.claude` is protected, and would come there with the rest");
    let Verdict::Ask(question) = copies(&[], TreeNames::Unknown) else { panic!("not asked") };
    insta::assert_snapshot!(question.reason, @"which files would come to `lib` cannot be told: one may be protected");
    assert_eq!(shown(&copies(&[], known("/project/lib/a.rs"))), "allow by protected");
    assert_eq!(shown(&copies(&["lib/.claude"], known("/project/lib/.claude"))), "allow by protected");
}

#[test]
fn whoever_starts_inside_such_a_place_means_it() {
    let facts = bowline_gate::Facts {
        roots: vec!["/home/me/.claude/worktrees/x".into(), "/home/me/.claude/worktrees/x/target".into()],
        ..facts(vec![straight("/home/me/.claude/worktrees/x/src/lib.rs")])
    };
    let intent = Intent::write(["/home/me/.claude/worktrees/x/src/lib.rs"]);
    let (ledger, call) = (Ledger::default(), call("apply_edit"));
    let asked = Asked::new(&ledger, &call, &intent, &facts);
    assert_eq!(shown(&gate(&[]).before(&asked).verdict), "allow by protected");
}

#[test]
fn the_user_opens_what_a_glob_names_and_nothing_else() {
    let open = [".claude/skills/**", "Cargo.lock", "**/*.pb.go"];
    assert!(writes(&open, below(".claude/skills/a/b/SKILL.md")));
    assert!(writes(&open, below("Cargo.lock")));
    for closed in [".claude/settings.json", "crates/a/Cargo.lock", ".CLAUDE/skills/a", ".git/config"] {
        assert!(!writes(&open, below(closed)), "{closed}");
    }
    assert!(
        !writes(&["src/*"], leads("/project/src/link", Ok("/project/.git/config"))),
        "the link is not the place"
    );
    assert!(
        !writes(&[".git/config"], leads("/project/.hg/x", Ok("/project/.git/config"))),
        "both must be open"
    );
    assert!(writes(&[".git/*"], leads("/home/me/link/.git/config", Ok("/project/.git/config"))));
    assert!(!writes(&[".claude/*"], below(".claude/skills/a")), "one star is one name");
}

#[test]
fn a_program_is_handed_no_door() {
    let runs = |path| shown(&verdict(&[], below(path), Effect::Run));
    assert_eq!(runs(".claude/settings.json"), "refuse by protected");
    assert_eq!(runs("node_modules/x/index.js"), "allow by protected");
    for effect in [Effect::Read, Effect::Draft] {
        assert_eq!(shown(&verdict(&[], below(".git/config"), effect)), "allow by protected");
    }
}

#[test]
fn what_a_team_shares_is_written_by_its_own_tool_alone() {
    let by = |tool: &str, path| shown(&ask(&gate(&[]), tool, Effect::Write, vec![below(path)]));
    assert_eq!(by("export_cache", ".bowline/cache.db.gz"), "allow by protected");
    assert_eq!(by("export_cache", ".bowline/other"), "refuse by protected");
    assert_eq!(by("export_cache", ".git/config"), "refuse by protected");
    assert_eq!(by("apply_edit", ".bowline/cache.db.gz"), "refuse by protected");
}

#[test]
fn who_makes_a_file_counts_and_not_knowing_refuses() {
    let by = |maker| PathFact { maker, ..below("src/api.pb.go") };
    let program = || Maker::Program { how: "its head says `@generated`".into() };
    assert!(writes(&[], by(Maker::Person)));
    assert!(!writes(&[], by(program())));
    assert!(!writes(&[], by(Maker::Unknown("permission denied".into()))));
    assert!(writes(&["**/*.pb.go"], by(program())));
    let Verdict::Refuse(objection) = verdict(&[], by(Maker::NotAsked), Effect::Write) else {
        panic!("not refused")
    };
    assert_eq!(objection.reason, "the rule could not be checked: the facts do not say who makes the file");
    let verdict = gate(&[])
        .before(&Asked::new(
            &Ledger::default(),
            &call("apply_edit"),
            &Intent::write(["/project/a"]),
            &facts(vec![]),
        ))
        .verdict;
    assert_eq!(verdict.word(), "refuse");
}

#[test]
fn no_rule_opens_what_is_bowlines_own() {
    let own = straight("/home/me/.config/bowline/bowline.toml");
    let linked = leads("/project/x", Ok("/home/me/.config/Bowline/state.db"));
    for path in [own, linked] {
        let Verdict::Refuse(objection) = verdict(&["**"], path, Effect::Write) else { panic!("not refused") };
        insta::allow_duplicates! {
            insta::assert_snapshot!(objection.recovery, @"leave it as it is; the person you work for can change it by hand");
        }
    }
}

#[test]
fn a_refusal_says_why_and_who_can_allow_it() {
    let refused = |path| match verdict(&[], path, Effect::Write) {
        Verdict::Refuse(objection) => format!("{}\n{}", objection.reason, objection.recovery),
        other => panic!("{}", shown(&other)),
    };
    insta::assert_snapshot!(refused(leads("/project/notes.txt", Ok("/project/.claude/settings.json"))), @r#"
    `/project/notes.txt`, which leads to `/project/.claude/settings.json`, is protected: `.claude`: Claude Code's settings, hooks, skills, commands and agents run programs
    leave it out, or change what it is made from; the person you work for can allow it with `write_protected = [".claude/settings.json"]` under [rules] in their own bowline.toml
    "#);
    insta::assert_snapshot!(refused(below("yarn.lock")), @r#"
    `/project/yarn.lock` is protected: Yarn writes it from package.json
    leave it out, or change what it is made from; the person you work for can allow it with `write_protected = ["yarn.lock"]` under [rules] in their own bowline.toml
    "#);
    let maker = Maker::Program { how: "its head says `@generated`".into() };
    insta::assert_snapshot!(refused(PathFact { maker, ..below("a[1].go") }), @r#"
    `/project/a[1].go` is protected: a program makes it: its head says `@generated`
    leave it out, or change what it is made from; the person you work for can allow it with `write_protected = ["a[[]1[]].go"]` under [rules] in their own bowline.toml
    "#);
}

#[test]
fn a_glob_nobody_can_follow_is_an_error() {
    let bad = |pattern: &str| Openings::new(&[pattern]).unwrap_err();
    assert_eq!(bad(" "), BadPlace::Empty);
    for elsewhere in ["/etc/**", "~/x", "a/../b", "!x"] {
        assert_eq!(bad(elsewhere), BadPlace::NotBelowARoot(elsewhere.into()));
    }
    assert!(matches!(bad("a[b"), BadPlace::Glob { .. }));
}
