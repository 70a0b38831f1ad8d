//! `run_build` and `run_tests`, with a `go` that prints what it is told to.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use bowline_call::{Effect, Intent, Target, Targets};

use super::*;

struct House {
    fixture: Fixture,
    tools: Registry,
}

impl House {
    /// The script is what `go` does.
    fn new(files: &str, script: &str) -> Self {
        let fixture = Fixture::new(files);
        let programs = fixture.root().with_extension("programs");
        let go = programs.join("go");
        bowline_std::fs::replace_private(&go, format!("#!/bin/sh\n{script}\n").as_bytes()).unwrap();
        std::fs::set_permissions(&go, std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", programs.display());
        let environment = vec![("PATH".into(), path.into())];
        let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
        let workspace = workspace.with_servers(ServerOptions { specs: vec![], environment });
        let run_logs = Some(programs.join("logs"));
        let house = bowline_tools::House {
            workspace: Arc::new(workspace),
            path: OsString::new(),
            log_level: None,
            run_logs,
            skills: None,
        };
        Self { fixture, tools: Registry::new(all(&house)).unwrap() }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = call_on(&self.tools, tool, arguments).await.unwrap();
        let mut payload = answer.payload;
        payload["hint"] = answer.hint.into();
        payload
    }

    async fn error(&self, tool: &str, arguments: Value) -> String {
        let error = call_on(&self.tools, tool, arguments).await.unwrap_err();
        self.fixture.relative(&error.to_string())
    }

    fn intent(&self, tool: &str, arguments: Value) -> Intent {
        self.tools.get(tool).unwrap().prepare(arguments).unwrap().intent()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.fixture.root().with_extension("programs"));
    }
}

const MODULE: &str = "//- /go.mod\nmodule m\n//- /a.go\npackage m\n//- /a_test.go\npackage m\n";

#[tokio::test]
async fn a_build_that_fails_says_where_and_keeps_everything() {
    let house = House::new(MODULE, "echo '# m' >&2; echo './a.go:1:9: no good' >&2; exit 1");
    let answer = house.call("run_build", json!({"workspace_dir": "."})).await;
    assert_eq!(answer["success"], false);
    let file = house.fixture.path("a.go");
    assert_eq!(
        answer["errors"],
        json!([{"file": file, "line": 1, "column": 9, "message": "no good", "severity": "error"}])
    );
    assert_eq!((&answer["warnings"], &answer["not_listed"]), (&json!([]), &json!(0)));
    assert_eq!(answer["command"], "go build -o /dev/null ./...");
    assert_eq!((&answer["runner"], &answer["timed_out"]), (&json!("go build"), &json!(false)));
    assert_eq!(answer["raw"], "# m\n./a.go:1:9: no good\n");
    let log = PathBuf::from(answer["log"].as_str().unwrap());
    assert_eq!(bowline_std::fs::read_text(&log, 1000).unwrap().0, "# m\n./a.go:1:9: no good\n");
}

#[tokio::test]
async fn lists_are_bounded_and_never_null() {
    let script = "for n in $(seq 150); do echo \"./a.go:$n:1: wrong\"; done; exit 1";
    let answer = House::new(MODULE, script).call("run_build", json!({"workspace_dir": "."})).await;
    assert_eq!(answer["errors"].as_array().unwrap().len(), 100);
    assert_eq!(answer["not_listed"], 50);
    let answer = House::new(MODULE, "exit 0").call("run_build", json!({"workspace_dir": "."})).await;
    assert_eq!((&answer["success"], &answer["errors"]), (&json!(true), &json!([])));
    let answer = House::new(MODULE, "exit 7").call("run_build", json!({"workspace_dir": "."})).await;
    assert_eq!(answer["errors"][0]["message"], "`go` exited with code 7 and printed nothing");
}

#[tokio::test]
async fn tests_that_fail_and_tests_that_never_ran() {
    let events = r#"
cat <<'END'
{"Action":"output","Package":"m","Test":"TestA","Output":"    a_test.go:1: not so\n"}
{"Action":"fail","Package":"m","Test":"TestA"}
{"Action":"pass","Package":"m","Test":"TestB"}
{"Action":"fail","Package":"m"}
END
exit 1"#;
    let house = House::new(MODULE, events);
    let answer = house.call("run_tests", json!({"workspace_dir": ".", "path": "a_test.go::TestA"})).await;
    assert_eq!(answer["command"], "go test -json '-run=^TestA$' .");
    assert_eq!(answer["passed"], false);
    let file = house.fixture.path("a_test.go");
    let uri = format!("file://{}", file.display());
    let at = json!({"line": 0, "character": 0});
    assert_eq!(
        answer["failures"],
        json!([{
            "file": file,
            "line": 1,
            "test_name": "TestA",
            "message": "not so",
            "location": {"uri": uri, "range": {"start": at, "end": at}},
        }])
    );
    assert_eq!(answer["counts"], json!({"passed": 1, "failed": 1, "skipped": 0}));
    assert_eq!((&answer["ran"], &answer["errors"]), (&json!(2), &json!([])));

    let nothing = House::new(MODULE, "exit 0").call("run_tests", json!({"workspace_dir": "."})).await;
    assert_eq!((&nothing["passed"], &nothing["ran"]), (&json!(false), &json!(0)));
    assert!(nothing["hint"].as_str().unwrap().starts_with("no test ran: nothing is known to pass"));
    let one = json!({"workspace_dir": ".", "path": "a_test.go::TestNone"});
    let none = House::new(MODULE, "exit 0").call("run_tests", one).await;
    assert_eq!((&none["passed"], &none["ran"]), (&json!(false), &json!(0)));
    assert!(none["hint"].as_str().unwrap().starts_with("no test `TestNone` was found in `a_test.go`"));
    let make = House::new("//- /Makefile\ntest:\n\ttrue\n", "");
    let uncounted = make.call("run_tests", json!({"workspace_dir": ".", "language": "c"})).await;
    assert_eq!((&uncounted["ran"], &uncounted["counts"]), (&Value::Null, &Value::Null), "it does not say");
}

#[tokio::test]
async fn a_run_that_takes_too_long_is_ended_and_told() {
    let house = House::new(MODULE, "echo working; exec sleep 1000");
    let answer = house.call("run_build", json!({"workspace_dir": ".", "timeout_ms": 700})).await;
    assert_eq!((&answer["success"], &answer["timed_out"]), (&json!(false), &json!(true)));
    assert_eq!(answer["raw"], "working\n");
}

#[tokio::test]
async fn what_is_wrong_with_the_question_is_said_before_anything_runs() {
    let house = House::new(MODULE, "exit 0");
    let error = async |arguments: Value| house.error("run_build", arguments).await;
    assert_eq!(error(json!({"workspace_dir": "a.go"})).await, "bad arguments: `/a.go` is not a directory");
    assert!(
        error(json!({"workspace_dir": ".", "language": "cobol"}))
            .await
            .contains("unsupported language: `cobol`")
    );
    assert_eq!(
        error(json!({"workspace_dir": ".", "path": "--exec=x"})).await,
        "bad arguments: no such file or directory: `/--exec=x`; a single test is written `file::test`"
    );
    assert_eq!(
        error(json!({"workspace_dir": ".", "timeout_ms": 4_000_000})).await,
        "bad arguments: timeout_ms is at most 3600000"
    );
    assert!(error(json!({"workspace_dir": ".."})).await.contains("outside"));
    let rust = House::new("//- /Cargo.toml\n[package]\nname = \"a\"\n", "");
    let missing = rust.error("run_build", json!({"workspace_dir": "."})).await;
    assert!(missing.starts_with("failed: `cargo` was not found; install Rust"), "{missing}");
}

#[test]
fn the_gate_sees_the_very_command() {
    let house = House::new(MODULE, "exit 0");
    let intent = house.intent("run_tests", json!({"workspace_dir": "."}));
    assert_eq!(intent.effect, Effect::Run);
    let root = house.fixture.root().to_owned();
    let wanted = vec![Target::Command("go test -json ./...".into()), Target::Path(root)];
    assert_eq!(intent.targets, Targets::Known(wanted));
    let wrong = house.intent("run_tests", json!({"workspace_dir": ".", "path": "none"}));
    assert_eq!(wrong.effect, Effect::Read, "nothing would run");
}
