//! Every kind of rule says no over real pipes: the answer names it, the file is as it was, and the trail has a record.

use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::serve::Server;
use crate::{project, run};

struct Kind {
    name: &'static str,
    /// The user's file, and the project's.
    user: &'static str,
    project: &'static str,
    /// Calls that are made before, whatever comes of them.
    before: &'static [(&'static str, &'static str)],
    file: &'static str,
    error: &'static str,
    rule: &'static str,
}

const OPEN: &str = "[rules]\nallow = [\"*\", \"@write\"]\n";

const fn kind(name: &'static str, user: &'static str, error: &'static str, rule: &'static str) -> Kind {
    Kind { name, user, project: "", before: &[], file: "a.py", error, rule }
}

fn kinds() -> Vec<Kind> {
    vec![
        kind(
            "deny a tool",
            "[rules]\ndeny = [\"apply_edit\"]\n",
            "TOOL_POLICY_DENIED",
            "user deny `apply_edit`",
        ),
        kind(
            "deny files",
            "[rules]\nallow = [\"*\"]\ndeny = [\"Edit(*.py)\"]\n",
            "TOOL_POLICY_DENIED",
            "user deny `Edit(*.py)`",
        ),
        kind("deny a class", "[rules]\ndeny = [\"@write\"]\n", "TOOL_POLICY_DENIED", "user deny `@write`"),
        kind(
            "ask, and nobody is there",
            "[rules]\nallow = [\"*\"]\nask = [\"Edit(*.py)\"]\n",
            "TOOL_CONFIRMATION_REQUIRED",
            "user ask `Edit(*.py)`",
        ),
        kind("nobody has written a rule", "", "TOOL_CONFIRMATION_REQUIRED", "user default"),
        kind(
            "deny by default",
            "[rules]\nallow = [\"@read\"]\ndefault = \"deny\"\n",
            "TOOL_POLICY_DENIED",
            "user default",
        ),
        Kind {
            project: "[rules]\ndeny = [\"Edit(a.py)\"]\n",
            ..kind("a project tightens", OPEN, "TOOL_POLICY_DENIED", "project deny `Edit(a.py)`")
        },
        Kind { file: "../home/x.py", ..kind("roots", OPEN, "TOOL_POLICY_DENIED", "roots") },
        Kind { file: "bowline.toml", ..kind("protected", OPEN, "TOOL_POLICY_DENIED", "protected") },
        Kind {
            before: &[("activate_skill", r#"{"skill_name": "lsp-refactor", "mode": "block"}"#)],
            ..kind("phases", OPEN, "phase_violation", "phases of lsp-refactor")
        },
        Kind {
            user: "[rules]\nallow = [\"*\", \"@write\"]\n[profile.default]\npolicies = [\"read_before_write\"]\n",
            ..kind(
                "read before write",
                "",
                "policy_denied",
                "policy read_before_write of the profile default",
            )
        },
        Kind {
            user: "[rules]\nallow = [\"*\", \"@write\"]\n[profile.default]\npolicies = [{ sequential_dependency = { apply_edit = [\"find_symbol\"] } }]\n",
            ..kind("an order", "", "policy_denied", "policy sequential_dependency of the profile default")
        },
        Kind {
            user: "[rules]\nallow = [\"*\", \"@write\"]\n[profile.default]\ndeadline_seconds = 1\n",
            ..kind("a deadline", "", "deadline", "deadline of the profile default")
        },
        Kind {
            user: "[rules]\nallow = [\"*\", \"@write\"]\n[profile.default]\nbudget = { calls = 1 }\n",
            before: &[("find_symbol", r#"{"query": "x"}"#)],
            ..kind("a budget", "", "budget", "budget of the profile default")
        },
    ]
}

#[test]
fn every_kind_of_rule_says_no_and_is_on_record() {
    for kind in kinds() {
        let project_file = if kind.project.is_empty() { "[rules]\n" } else { kind.project };
        let fixture = Fixture::new(&format!(
            "//- /config/bowline/bowline.toml\n{}\n//- /project/a.py\nx = 1\n//- /project/bowline.toml\n{project_file}\n//- /home/x.py\nx = 1\n",
            kind.user
        ));
        let file = project(&fixture).join(kind.file);
        let hash = || blake3::hash(&std::fs::read(&file).unwrap());
        let before = hash();
        let mut server = Server::initialized_with(&fixture, &["--conversation", "kinds"]);
        let call = |server: &mut Server, id: u64, tool: &str, arguments: &Value| {
            server.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}));
            loop {
                let message = server.receive();
                if message["id"] == id {
                    return message["result"].clone();
                }
            }
        };
        for (at, (tool, arguments)) in kind.before.iter().enumerate() {
            call(&mut server, 10 + at as u64, tool, &serde_json::from_str(arguments).unwrap());
        }
        if kind.error == "deadline" {
            // The conversation begins with its first call, and the second after it is over.
            call(&mut server, 5, "find_symbol", &json!({"query": "x"}));
            let over = std::time::Instant::now() + std::time::Duration::from_millis(1100);
            while std::time::Instant::now() < over {
                std::thread::yield_now();
            }
        }
        let edit = json!({"file_path": kind.file, "old_text": "1", "new_text": "2"});
        let answer = call(&mut server, 50, "apply_edit", &edit);
        let said = answer["content"].to_string();
        assert_eq!(answer["isError"], true, "{}: {answer}", kind.name);
        assert!(said.contains(kind.error) && said.contains(kind.rule), "{}: {said}", kind.name);
        assert_eq!(hash(), before, "{}: the file has changed", kind.name);
        drop(server.stdin.take());
        assert_eq!(server.ended(), Some(0));
        let (code, trail, _) = run(&fixture, &["audit", "show", "--json", "--tool", "apply_edit"]);
        assert_eq!(code, 0);
        assert!(trail.contains(kind.rule), "{}: no record of it: {trail}", kind.name);
    }
}
