//! The same over the wire: what is refused leaves every file as it was, and a record; what is in order goes through.

use bowline_call::Effect;
use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::stdio::{Bowline, hashes, records};
use crate::{ENFORCED, specs};

/// The user lets everything be written and run, so that nothing but the phases stands in the way.
fn project(of_the_project: &str) -> Fixture {
    Fixture::new(&format!(
        "//- /config/bowline/bowline.toml
[rules]
allow = [\"@write\", \"@run\"]
//- /project/bowline.toml
{of_the_project}
//- /project/go.mod
module example.org/rope

go 1.21
//- /project/rope.go
package rope

// Metres of a rope.
func Metres(knots int) int {{
\treturn knots * 2
}}

// Twice as long.
func Twice(knots int) int {{
\treturn Metres(knots) + Metres(knots)
}}
//- /project/rope_test.go
package rope

import \"testing\"

func TestTwice(t *testing.T) {{
\tif Twice(1) != 4 {{
\t\tt.Fail()
\t}}
}}
"
    ))
}

/// Every tool that may write or run, with arguments that would have it do so.
fn writers(file: &str, root: &str, session: &Value, receipt: &Value) -> Vec<(&'static str, Value)> {
    let body = "func Metres(knots int) int {\n\treturn knots * 3\n}";
    let edit = json!({"file_path": file, "old_text": "knots * 2", "new_text": "knots * 3"});
    let at = json!({"file_path": file, "line": 4, "column": 6});
    let with = |base: &Value, more: Value| {
        let mut merged = base.clone();
        merged.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        merged
    };
    let symbol = json!({"file_path": file, "symbol_path": "Metres"});
    let range =
        json!({"file_path": file, "start_line": 4, "start_column": 1, "end_line": 5, "end_column": 2});
    vec![
        ("apply_edit", edit.clone()),
        ("commit_session", json!({"session_id": session, "apply": true})),
        ("execute_command", json!({"command": "gopls.tidy", "arguments": []})),
        ("export_cache", json!({"dest_path": format!("{root}/cache.db.gz")})),
        ("format_document", json!({"file_path": file, "apply": true})),
        ("format_range", with(&range, json!({"apply": true}))),
        (
            "get_symbol_documentation",
            json!({"symbol": "rope.Metres", "language_id": "rust", "file_path": file}),
        ),
        ("insert_after_symbol", with(&symbol, json!({"code": "\nvar _ = 1\n"}))),
        ("insert_before_symbol", with(&symbol, json!({"code": "var _ = 1\n"}))),
        ("rename_symbol", with(&at, json!({"new_name": "Fathoms"}))),
        ("replace_in_files", json!({"pattern": "knots", "replacement": "loops", "dry_run": false})),
        ("replace_symbol_body", with(&symbol, json!({"new_body": body}))),
        ("run_build", json!({"workspace_dir": root})),
        ("run_tests", json!({"workspace_dir": root})),
        ("safe_apply_edit", edit.clone()),
        ("safe_delete_symbol", symbol.clone()),
        ("safe_edit", edit),
        ("suggest_fixes", with(&range, json!({"apply": 0}))),
        ("undo_write", json!({"receipt": receipt})),
    ]
}

/// What was there before the skill: a draft that could be committed, and a write that could be taken back.
struct Ready {
    fixture: Fixture,
    bowline: Bowline,
    writers: Vec<(&'static str, Value)>,
    violations: usize,
}

fn ready(of_the_project: &str, path: &str) -> Ready {
    let fixture = project(of_the_project);
    let mut bowline = Bowline::start(&fixture, path);
    let root = fixture.path("project").display().to_string();
    let file = format!("{root}/rope.go");
    let written =
        json!({"file_path": file, "old_text": "Twice as long.", "new_text": "Twice is twice as long."});
    let receipt = bowline.works("apply_edit", &written).payload["receipt"].clone();
    let session = json!({"workspace_root": root, "language": "go"});
    let session = bowline.works("create_simulation_session", &session).payload["session_id"].clone();
    let draft =
        json!({"session_id": session, "file_path": file, "old_text": "knots * 2", "new_text": "2 * knots"});
    bowline.works("simulate_edit", &draft);
    let writers = writers(&file, &root, &session, &receipt);
    Ready { fixture, bowline, writers, violations: 0 }
}

impl Ready {
    /// Every writer is refused, changes no file, and leaves a record.
    fn nothing_is_written(&mut self, skill: &str, except: &[&str]) {
        let (before, phase) = (hashes(&self.fixture), self.bowline.phase());
        let phase = phase.trim_end_matches(" (complete)").to_owned();
        for (tool, arguments) in self.writers.iter().filter(|(tool, _)| !except.contains(tool)) {
            let known = self.violations;
            let reply = self.bowline.call(tool, arguments);
            assert!(
                reply.failed && reply.text.starts_with("Phase violation: "),
                "{skill} {tool}: {}",
                reply.text
            );
            assert!(reply.text.contains("\"error\":\"phase_violation\""), "{}", reply.text);
            self.violations += 1;
            let records = records(&self.fixture, "phase_violation", self.violations);
            assert_eq!(records.len(), self.violations, "{skill} {tool}");
            let record = &records[known];
            assert_eq!(
                (&record["skill"], &record["phase"], &record["tool"], &record["mode"]),
                (&json!(skill), &json!(phase), &json!(tool), &json!("block"))
            );
            assert!(record["timestamp"].is_string());
        }
        assert_eq!(hashes(&self.fixture), before, "{skill} in {phase}");
        assert_eq!(self.bowline.phase().trim_end_matches(" (complete)"), phase);
    }
}

#[test]
fn every_tool_that_may_write_or_run_is_tried() {
    let mut expected: Vec<String> =
        specs().into_iter().filter(|spec| spec.most >= Effect::Write).map(|spec| spec.name).collect();
    expected.sort();
    let tried: Vec<String> =
        writers("", "", &Value::Null, &Value::Null).into_iter().map(|(tool, _)| tool.to_owned()).collect();
    assert_eq!(tried, expected);
}

#[test]
fn a_refused_call_leaves_every_file_as_it_was_and_a_record() {
    let mut ready = ready("", "");
    for skill in ENFORCED {
        ready.bowline.works("activate_skill", &json!({"skill_name": skill, "mode": "block"}));
        // What it would run is not known to run at all: then it only reads, and fails.
        ready.nothing_is_written(skill, &["get_symbol_documentation"]);
        ready.bowline.works("deactivate_skill", &json!({}));
    }
    let events = |event: &str| records(&ready.fixture, event, 4).len();
    assert_eq!((events("activate_skill"), events("deactivate_skill")), (4, 4));
}

#[test]
fn a_warning_reaches_the_agent_and_the_trail() {
    let Ready { fixture, mut bowline, writers, .. } = ready("", "");
    bowline.works("activate_skill", &json!({"skill_name": "lsp-safe-edit"}));
    let (tool, arguments) = writers.iter().find(|(tool, _)| *tool == "apply_edit").unwrap();
    let before = hashes(&fixture);
    let reply = bowline.works(tool, arguments);
    assert!(
        reply.text.contains("Phase warning: apply_edit is forbidden in the \"setup\" phase. Complete the"),
        "{}",
        reply.text
    );
    assert_ne!(hashes(&fixture), before, "it ran all the same");
    let records = records(&fixture, "phase_violation", 1);
    assert_eq!(records.len(), 1, "once for each call, however often it is looked at: {records:?}");
    assert_eq!((&records[0]["mode"], &records[0]["phase"]), (&json!("warn"), &json!("setup")));
}

#[test]
fn a_project_sets_a_floor_that_the_agent_cannot_lower() {
    let Ready { mut bowline, .. } = ready("[skills]\nmode = \"block\"\ndeactivate = \"deny\"", "");
    let reply = bowline.works("activate_skill", &json!({"skill_name": "lsp-safe-edit", "mode": "warn"}));
    assert_eq!(reply.payload["mode"], "block");
    let left = bowline.call("deactivate_skill", &json!({}));
    assert!(left.failed && left.text.contains("is not finished"), "{}", left.text);
    assert_eq!(bowline.phase(), "setup");
}

#[cfg(feature = "real-servers")]
mod with_a_server {
    use std::time::{Duration, Instant};

    use super::*;

    /// gopls, go, and nothing else that this machine may have.
    #[expect(clippy::disallowed_methods, reason = "the real one, as it was installed")]
    fn path() -> String {
        let gopls = std::env::var("BOWLINE_SERVER_GOPLS").expect("`cargo xtask test` installs it");
        let dir = std::path::Path::new(&gopls).parent().unwrap().display().to_string();
        format!("{dir}:{}", std::env::var("PATH").unwrap())
    }

    /// Previews until the server has said its last word: while it still reads the project nothing is proved.
    fn safely(bowline: &mut Bowline, edit: &Value) {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let preview = bowline.works("preview_edit", edit);
            if preview.payload["safe_to_apply"] == true {
                return;
            }
            assert!(Instant::now() < deadline, "{}", preview.text);
        }
    }

    #[test]
    fn refactor_done_right_and_tried_wrong_at_every_step() {
        let mut ready = ready("", &path());
        let root = ready.fixture.path("project").display().to_string();
        let file = format!("{root}/rope.go");
        let skill = "lsp-refactor";
        ready.bowline.works("activate_skill", &json!({"skill_name": skill, "mode": "block"}));
        ready.nothing_is_written(skill, &["get_symbol_documentation"]);
        ready.bowline.works("blast_radius", &json!({"changed_files": [file]}));
        assert_eq!(ready.bowline.phase(), "blast_radius (complete)");
        ready.nothing_is_written(skill, &["get_symbol_documentation"]);
        let edit = json!({"file_path": file, "old_text": "knots * 2", "new_text": "knots + knots"});
        let broken = json!({"file_path": file, "old_text": "knots * 2", "new_text": "nots * 2"});
        let unsafe_edit = ready.bowline.works("preview_edit", &broken);
        assert_eq!(unsafe_edit.payload["safe_to_apply"], false, "{}", unsafe_edit.text);
        assert_eq!(ready.bowline.phase(), "speculative_preview");
        ready.nothing_is_written(skill, &["get_symbol_documentation"]);
        safely(&mut ready.bowline, &edit);
        assert_eq!(ready.bowline.phase(), "speculative_preview (complete)");
        let before = hashes(&ready.fixture);
        ready.bowline.works("apply_edit", &edit);
        assert_ne!(hashes(&ready.fixture), before);
        assert_eq!(ready.bowline.phase(), "apply (complete)");
        ready.bowline.works("run_build", &json!({"workspace_dir": root}));
        assert_eq!(ready.bowline.phase(), "build_verification (complete)");
        let late = ready
            .bowline
            .call("apply_edit", &json!({"file_path": file, "old_text": "Twice", "new_text": "Thrice"}));
        assert!(late.failed && late.text.starts_with("Phase violation"), "{}", late.text);
        ready.bowline.works("run_tests", &json!({"workspace_dir": root}));
        assert_eq!(ready.bowline.phase(), "test_execution (complete)");
        let ended = ready.bowline.works("deactivate_skill", &json!({})).payload;
        assert_eq!(ended, json!({"status": "deactivated", "skill": skill, "finished": true}));
        let opened: Vec<String> = records(&ready.fixture, "phase_advance", 4)
            .iter()
            .map(|record| {
                let word = |key: &str| record[key].as_str().unwrap().to_owned();
                format!("{}: {} → {}", word("tool"), word("from_phase"), word("phase"))
            })
            .collect();
        assert_eq!(
            opened,
            [
                "preview_edit: blast_radius → speculative_preview",
                "apply_edit: speculative_preview → apply",
                "run_build: apply → build_verification",
                "run_tests: build_verification → test_execution",
            ]
        );
    }

    #[test]
    fn rename_done_right_and_tried_wrong_at_every_step() {
        let mut ready = ready("", &path());
        let file = ready.fixture.path("project/rope.go").display().to_string();
        let skill = "lsp-rename";
        ready.bowline.works("activate_skill", &json!({"skill_name": skill, "mode": "block"}));
        ready.bowline.works("find_references", &json!({"file_path": file, "line": 4, "column": 6}));
        assert_eq!(ready.bowline.phase(), "preview");
        ready.nothing_is_written(skill, &["get_symbol_documentation"]);
        let rename = |dry: bool| json!({"file_path": file, "line": 4, "column": 6, "new_name": "Fathoms", "dry_run": dry});
        let before = hashes(&ready.fixture);
        ready.bowline.works("rename_symbol", &rename(true));
        assert_eq!(hashes(&ready.fixture), before);
        assert_eq!(ready.bowline.phase(), "preview (complete)");
        ready.bowline.works("rename_symbol", &rename(false));
        assert_ne!(hashes(&ready.fixture), before);
        assert_eq!(ready.bowline.phase(), "execute (complete)");
        assert_eq!(ready.bowline.works("deactivate_skill", &json!({})).payload["finished"], true);
    }

    #[test]
    fn safe_edit_done_right_and_tried_wrong_at_every_step() {
        let mut ready = ready("", &path());
        let file = ready.fixture.path("project/rope.go").display().to_string();
        let skill = "lsp-safe-edit";
        ready.bowline.works("activate_skill", &json!({"skill_name": skill, "mode": "block"}));
        ready.nothing_is_written(skill, &["get_symbol_documentation"]);
        ready.bowline.works("get_diagnostics", &json!({"file_path": file}));
        assert_eq!(ready.bowline.phase(), "setup (complete)");
        ready.nothing_is_written(skill, &["get_symbol_documentation"]);
        let edit = json!({"file_path": file, "old_text": "knots * 2", "new_text": "knots + knots"});
        safely(&mut ready.bowline, &edit);
        assert_eq!(ready.bowline.phase(), "speculative_preview (complete)");
        ready.bowline.works("apply_edit", &edit);
        assert_eq!(ready.bowline.phase(), "apply (complete)");
        ready.bowline.works("get_diagnostics", &json!({"file_path": file}));
        assert_eq!(ready.bowline.phase(), "verify_and_fix (complete)");
        assert_eq!(ready.bowline.works("deactivate_skill", &json!({})).payload["finished"], true);
    }

    #[test]
    fn verify_done_right_and_tried_wrong_at_every_step() {
        let mut ready = ready("", &path());
        let root = ready.fixture.path("project").display().to_string();
        let file = format!("{root}/rope.go");
        let skill = "lsp-verify";
        ready.bowline.works("activate_skill", &json!({"skill_name": skill, "mode": "block"}));
        ready.bowline.works("get_tests_for_file", &json!({"file_path": file}));
        ready.nothing_is_written(skill, &["get_symbol_documentation"]);
        ready.bowline.works("get_diagnostics", &json!({"file_path": file}));
        assert_eq!(ready.bowline.phase(), "diagnostics (complete)");
        let running = ["get_symbol_documentation", "run_build"];
        ready.nothing_is_written(skill, &running);
        ready.bowline.works("run_build", &json!({"workspace_dir": root}));
        assert_eq!(ready.bowline.phase(), "build (complete)");
        ready.nothing_is_written(skill, &["get_symbol_documentation", "run_build", "run_tests"]);
        ready.bowline.works("run_tests", &json!({"workspace_dir": root}));
        assert_eq!(ready.bowline.phase(), "tests (complete)");
        ready.bowline.works("format_document", &json!({"file_path": file, "apply": true}));
        assert_eq!(ready.bowline.phase(), "fix_and_format (complete)");
        assert_eq!(ready.bowline.works("deactivate_skill", &json!({})).payload["finished"], true);
    }
}
