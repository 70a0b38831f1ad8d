//! `bowline doctor` and `bowline servers`, with a server that follows a script.

use std::time::{Duration, Instant};

use bowline_testkit::{Fixture, fake_ls};

use crate::run;

fn project() -> Fixture {
    Fixture::new("//- /project/a.py\ndef greet():\n    pass\n")
}

/// The flag that names the server.
fn server(modes: &str) -> String {
    format!("--server=python:{}{modes}", fake_ls().display())
}

#[test]
fn says_what_works() {
    let fixture = project();
    let (code, stdout, _) = run(&fixture, &[&server(""), "doctor"]);
    assert_eq!(code, 0, "{stdout}");
    for said in [
        "python",
        "asked about a.py",
        "symbols",
        "1 symbols",
        "references",
        "diagnostics",
        "1 of 1 servers work.",
    ] {
        assert!(stdout.contains(said), "`{said}` in {stdout}");
    }
    let (_, json, _) = run(&fixture, &[&server(""), "doctor", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&report["ok"], &report["language"]), (&true.into(), &"python".into()));
    assert_eq!(report["trials"].as_array().unwrap().len(), 5);
}

#[test]
fn a_server_that_fails_is_named_and_the_exit_code_says_so() {
    for (modes, said) in [
        (",die-on-open", "exited with code 1"),
        (",usage", "printed its usage"),
        (",mute", "gave no answer to `initialize` in 2.0 s"),
    ] {
        // Built first, if it was not: that takes its own time.
        let server = server(modes);
        let began = Instant::now();
        let (code, stdout, stderr) = run(&project(), &[&server, "doctor", "--timeout", "2"]);
        assert_eq!(code, 1, "{modes}: {stdout}");
        assert!(stdout.contains(said) && stdout.contains("1 of 1 servers failed."), "{modes}: {stdout}");
        assert!(stderr.contains("python: starting"), "progress without a terminal: {stderr}");
        assert!(began.elapsed() < Duration::from_secs(20), "{modes}");
    }
}

#[test]
fn nothing_to_examine_is_no_failure() {
    let (code, stdout, _) = run(&Fixture::new("//- /project/a.txt\n\n"), &["doctor"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("No language server to examine"), "{stdout}");
    let (code, stdout, stderr) = run(&project(), &["servers"]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    assert!(stderr.starts_with("no language server is running"), "{stderr}");
}
