//! Language servers on the command line: which words are taken, and what is said to those that are not.

use insta::assert_snapshot;

use crate::{fixture, run};

/// Exit code and stderr of a server whose client leaves at once.
fn said(arguments: &[&str]) -> (i32, String) {
    let mut fixture = fixture();
    fixture.write("project/servers.json", r#"{"servers": [{"extensions": ["go"], "command": ["gopls"]}]}"#);
    let (code, stdout, stderr) = run(&fixture, arguments);
    assert_eq!(stdout, "", "{arguments:?}");
    (code, stderr)
}

#[test]
fn every_form_starts_without_looking_for_the_program() {
    let forms: [&[&str]; 13] = [
        &["go:gopls", "python:pyright-langserver,--stdio"],
        &["go", "gopls", "-remote=auto"],
        &["go:gopls", "--root", "src", "--audit-log", "trail", "python:pylsp"],
        &["--root", "src", "go", "gopls", "--audit-log=trail", "--stdio"],
        &["go", "gopls", "--", "--config", "gopls.cfg"],
        &["cobol:./no/such/program"],
        &["--server", "go:gopls", "--server", "c clangd --log=error"],
        &["serve", "--server", "go:gopls", "--auto"],
        &["--auto"],
        &["--config", "servers.json"],
        &["serve", "--merge-config=servers.json"],
        &["--merge-config", "servers.json", "rust:ra"],
        &["go:gopls", "--auto"],
    ];
    for form in forms {
        assert_eq!(said(form), (0, String::new()), "{form:?}");
    }
}

#[test]
fn our_own_flags_count_wherever_they_stand() {
    let (code, stderr) = said(&["go", "gopls", "--root", "nowhere"]);
    assert_eq!(code, 2);
    assert!(stderr.starts_with("bowline: the root `nowhere` cannot be used"), "{stderr}");
    let (code, stderr) = said(&["go:gopls", "--root"]);
    assert_eq!((code, stderr.as_str()), (2, "bowline: `--root` needs a value\n"));
}

#[test]
fn other_words_are_commands_that_there_are_not() {
    let (code, stderr) = said(&["tols", "gopls"]);
    assert_eq!(code, 2);
    assert_snapshot!(stderr, @r"
    error: unrecognized subcommand 'tols'

      tip: a similar subcommand exists: 'tools'

    Usage: bowline [OPTIONS] [COMMAND]

    For more information, try '--help'.
    ");
    let (code, stderr) = said(&["nonsense"]);
    assert_eq!(code, 2);
    assert!(stderr.starts_with("error: unrecognized subcommand 'nonsense'\n"), "{stderr}");
}

#[test]
fn every_mistake_is_one_sentence() {
    let cases: [(&[&str], &str); 9] = [
        (&["go:"], "`go:`: a program must follow the colon, as in `go:gopls`"),
        (&[":gopls"], "`:gopls`: a language must stand before the colon, as in `go:gopls`"),
        (&["go"], "`go`: a program must follow the language, as in `go gopls`"),
        (
            &["python:pylsp", "--stdio"],
            "`--stdio`: not an option of bowline; what a server is given follows its program after commas, as in \
             `python:pyright-langserver,--stdio`",
        ),
        (
            &["call", "find_symbol", "--server", "go:"],
            "`go:`: a program must follow the colon, as in `go:gopls`",
        ),
        (&["--config", "none.json"], "no such file: `/project/none.json`"),
        (&["tools", "--config", "src/lib.rs"], "/project/src/lib.rs:1:1: this is not JSON: expected value"),
        (
            &["--config", "servers.json", "go:gopls"],
            "`go:gopls` cannot be given with `--config`, which uses the servers of its file alone; add it to the \
             file, or use `--merge-config`",
        ),
        (
            &["--config", "servers.json", "tools", "--merge-config", "servers.json"],
            "`--config` and `--merge-config` exclude each other: one uses the servers of its file alone, the other \
             lays its file over the known ones",
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(said(arguments), (2, format!("bowline: {expected}\n")), "{arguments:?}");
    }
}

#[test]
fn help_is_there_for_pairs_and_belongs_to_the_program_otherwise() {
    let fixture = fixture();
    let (code, stdout, _) = run(&fixture, &["go:gopls", "--help"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("Usage: bowline"), "{stdout}");
    assert_eq!(run(&fixture, &["go", "gopls", "--help"]), (0, String::new(), String::new()));
}

#[test]
fn a_project_that_wants_to_run_things_is_told_about() {
    let mut fixture = fixture();
    fixture.write("project/bowline.toml", "[servers.go]\ncommand = [\"./evil\"]\n");
    let (code, _, stderr) = run(&fixture, &[]);
    assert_eq!(code, 0);
    assert!(
        stderr.contains(
            "/project/bowline.toml:1:10: `command` of the server `go` ignored: it could run programs or make \
             files look clean, and the project is not trusted; if you trust it, put the line `trusted_projects = [\"/project\"]` at the top of \
             `/config/bowline/bowline.toml`"
        ),
        "{stderr}"
    );
}
