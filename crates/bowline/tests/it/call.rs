//! `bowline call`: answers on stdout, the rest on stderr, and exit codes that scripts can go by.

use insta::assert_snapshot;

use crate::{bowline, fixture, run};

#[test]
fn answers_on_stdout_alone() {
    let (code, stdout, stderr) = run(&fixture(), &["call", "go_to_symbol", "--symbol-path", "greet"]);
    assert_eq!(code, 0);
    assert_snapshot!(stdout, @r#"[{"file":"/project/src/lib.rs","line":1,"column":8,"end_line":1,"end_column":13}]"#);
    assert_snapshot!(stderr, @r"
    engine: syntax, indexed: true
    get_symbol_source shows its code, find_references its uses
    ");
}

#[test]
fn takes_json_and_flags_alike() {
    let fixture = fixture();
    let flags = ["call", "find_references", "--file-path", "src/lib.rs", "--line", "1", "--column", "8"];
    let json =
        ["call", "find_references", "--json", r#"{"file_path": "src/lib.rs", "line": 1, "column": 8}"#];
    assert_eq!(run(&fixture, &flags), run(&fixture, &json));
}

#[test]
fn every_ending_has_its_code() {
    let cases: [(&[&str], i32, &str); 8] = [
        (&["call", "list_symbols", "--file-path", "src/lib.rs", "--format", "outline"], 0, ""),
        (&["call", "list_symbols", "--file-path", "/etc/passwd"], 3, "Refused by roots"),
        (&["call", "list_symbols", "--file-path", "../../x"], 3, "Refused by roots"),
        (&["call", "list_symbols", "--file-path", "none.rs"], 2, "no such file"),
        (&["call", "list_symbol"], 2, "did you mean `list_symbols`?"),
        (&["call", "list_symbols", "--fil", "x"], 2, "this tool has no argument `--fil`"),
        (&["call", "list_symbols", "--file-path", "src"], 2, "is a directory"),
        (&["frobnicate"], 2, "unrecognized subcommand"),
    ];
    for (arguments, expected, says) in cases {
        let (code, _, stderr) = run(&fixture(), arguments);
        assert_eq!(code, expected, "{arguments:?}: {stderr}");
        assert!(stderr.contains(says), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_rule_of_the_project_is_obeyed_and_named() {
    let mut fixture = fixture();
    fixture.write(
        "project/bowline.toml",
        "[rules]\ndeny = [{ tool = \"find_*\", justification = \"look it up by hand\" }]\n",
    );
    let (code, _, stderr) = run(&fixture, &["call", "find_symbol"]);
    assert_eq!(code, 3);
    assert_snapshot!(stderr, @r"
    bowline: Refused by project deny `find_*`: look it up by hand

    Recovery: reach the goal with the tools that are allowed, or ask the person you work for to change the rule in bowline.toml
    ");
}

#[test]
fn a_configuration_with_a_mistake_starts_nothing() {
    let mut fixture = fixture();
    fixture.write("config/bowline/bowline.toml", "[rules]\nallow = [\"find_*\", \"@everything\"]\n");
    for command in [&["call", "find_symbol"][..], &["serve"], &["tools"]] {
        let (code, stdout, stderr) = run(&fixture, command);
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert_eq!(
            stderr,
            concat!(
                "bowline: /config/bowline/bowline.toml:2:20: ",
                "`@everything` is not a class: `@read`, `@draft`, `@write` and `@run` are\n"
            )
        );
    }
}

#[test]
fn colours_are_for_terminals() {
    let fixture = fixture();
    for command in [&["tools"][..], &["demo"], &["audit", "stats"]] {
        let (code, stdout, _) = run(&fixture, command);
        assert_eq!(code, 0, "{command:?}");
        assert!(!stdout.contains('\u{1b}'), "{command:?}: {stdout}");
    }
}

#[test]
fn the_demo_shows_a_strange_project_too() {
    let fixture = fixture();
    let (code, stdout, stderr) = run(&fixture, &["demo"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    for part in [
        "tools in",
        "greet [Function] :1",
        "src/main.rs:1:13",
        "Refused by roots",
        "find_references",
        "embedded syntax engine",
    ] {
        assert!(stdout.contains(part), "{part} is missing from:\n{stdout}");
    }
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, stdout, _) = run(&fixture(), &["completions", shell]);
        assert!(code == 0 && stdout.contains("audit") && stdout.contains("demo"), "{shell}");
    }
}

#[test]
fn without_a_home_it_says_what_to_do() {
    let fixture = fixture();
    let mut command = bowline(&fixture);
    command
        .env_remove("HOME")
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME")
        .env_remove("XDG_CONFIG_HOME");
    let status = command.args(["call", "find_symbol", "--audit-log", "trail.jsonl"]).output().unwrap().status;
    assert_eq!(status.code(), Some(0));
}

#[test]
fn the_file_that_is_judged_is_the_file_that_is_read() {
    let mut fixture = fixture();
    fixture.write("project/x.rs", "fn outer() {}\n");
    fixture.write("project/sub/x.rs", "fn inner() {}\n");
    fixture.write("project/sub/dir/y.rs", "");
    std::os::unix::fs::symlink("sub/dir", fixture.path("project/link")).unwrap();
    let (_, outline, _) =
        run(&fixture, &["call", "list_symbols", "--format", "outline", "--file-path", "link/../x.rs"]);
    let (_, records, _) = run(&fixture, &["audit", "show", "--tool", "list_symbols", "--json"]);
    assert!(outline.starts_with("inner"), "{outline}");
    assert!(records.contains("/project/sub/x.rs"), "{records}");
}

#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let fixture = fixture();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let status = bowline(&fixture).arg("tools").stdout(full).status().unwrap();
    assert_eq!(status.code(), Some(1));
}
