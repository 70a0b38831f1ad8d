//! Cases about phases and about skills.

use serde_json::{Value, json};

use crate::house::House;
use crate::{Case, Outcome};

/// Writing is allowed, so that nothing but the order stands in the way.
const FLOOR: &str = "[rules]\nallow = [\"@write\", \"@run\"]\n[skills]\ndeactivate = \"ask\"\n";

fn arguments(tool: &str) -> Value {
    match tool.rsplit("__").next().unwrap_or(tool) {
        "apply_edit" => json!({"file_path": "src/lib.rs", "old_text": "a", "new_text": "b"}),
        "format_document" => json!({"file_path": "src/lib.rs"}),
        "go_to_symbol" => json!({"symbol_path": "a"}),
        "preview_edit" => json!({"file_path": "src/lib.rs", "old_text": "a", "new_text": "b"}),
        _ => json!({}),
    }
}

pub(crate) fn phases(cases: &[Case]) -> Vec<(String, Outcome)> {
    cases.iter().map(|case| (case.id.clone(), phase(case))).collect()
}

fn phase(case: &Case) -> Outcome {
    let house = House::new("//- /project/src/lib.rs\na\n", FLOOR);
    if case.id == "ph-dead-end" {
        return table_error();
    }
    if let Some(activate) = case.input.get("activate") {
        let (outcome, said) = house.gate().ask(&json!({"tool": "activate_skill", "args": activate}));
        assert!(said["reason"].as_str().unwrap().contains("BLOCK"), "{said}");
        return if outcome.verdict == "refuse" { Outcome::new("error", outcome.by) } else { outcome };
    }
    let mut gate = house.gate();
    let skill = case.input.get("skill").cloned().unwrap_or(json!("lsp-refactor"));
    let mode = case.input["mode"].clone();
    let activated =
        gate.ask(&json!({"tool": "activate_skill", "args": {"skill_name": skill, "mode": mode}})).0;
    assert_eq!(activated.verdict, "allow");
    let calls = case.input.get("calls").or_else(|| case.input.get("parallel")).unwrap().as_array().unwrap();
    let mut last = Outcome::new("", "");
    for call in calls {
        let name = call.as_str().or_else(|| call["tool"].as_str()).unwrap();
        let mut line = json!({"tool": name, "args": arguments(name), "agent_id": call["agent_id"]});
        if call["result"] == "error" {
            line["outcome"] = json!("error");
        }
        let (verdict, said) = gate.ask(&line);
        let warned = said["warnings"].as_array().is_some_and(|warnings| !warnings.is_empty());
        last = if verdict.verdict == "allow" && warned {
            Outcome::new("allow+record", "a warning with the answer")
        } else {
            verdict
        };
    }
    if last.verdict == "refuse" {
        assert!(last.by.starts_with("phases"), "{}: {last:?}", case.id);
    }
    last
}

/// The table that cannot be walked, in the form of those who wrote it.
fn table_error() -> Outcome {
    let skill = "//- /project/dead/SKILL.md\n---\nname: dead\ndescription: A phase that nothing reaches.\nmetadata:\n  phases: phases.yaml\n---\nx\n\
                 //- /project/dead/phases.yaml\nphases:\n  preview:\n    allowed: [preview_edit]\n    forbidden: [apply_edit, safe_apply_edit]\n  \
                 apply:\n    allowed: [apply_edit]\n  verify:\n    allowed: [get_diagnostics]\n";
    let house = House::new(skill, "");
    let output = house.command(&["skills", "validate", "dead"]).output().unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(1) && text.contains("apply") {
        Outcome::new("table-error", "skills validate")
    } else {
        Outcome::new("allow", text)
    }
}

pub(crate) fn skills(cases: &[Case]) -> Vec<(String, Outcome)> {
    cases.iter().map(|case| (case.id.clone(), skill(case))).collect()
}

/// A skill of the user's own, which is trusted most.
fn users(name: &str, allowed: Option<&str>) -> String {
    let allowed = allowed.map_or_else(String::new, |list| format!("allowed-tools: {list}\n"));
    format!(
        "//- /config/bowline/skills/{name}/SKILL.md\n---\nname: {name}\ndescription: d\n{allowed}---\nbody\n"
    )
}

fn write() -> Value {
    json!({"tool": "Write", "args": {"file_path": "a.txt", "content": "x"}})
}

fn load(name: &str) -> Value {
    json!({"tool": "skills_load", "args": {"name": name}})
}

fn skill(case: &Case) -> Outcome {
    let fence = "[rules]\nallow = [\"*\", \"@write\"]\n[skills]\nallowed_tools = \"fence\"\ninvalid_allowlist = \"enforce\"\n";
    let project = "//- /project/a.txt\nx\n";
    let after = |config: &str, skills: &[String], lines: &[Value]| {
        let house = House::new(&format!("{project}{}", skills.concat()), config);
        let mut gate = house.gate();
        lines.iter().map(|line| gate.ask(line).0).last().unwrap()
    };
    match case.id.as_str() {
        "sk-grant-all" => {
            let config = "[skills]\nallowed_tools = \"grant\"\n";
            after(config, &[users("all", Some("\"*\""))], &[load("all"), write()])
        }
        "sk-unfence" => {
            let skills = [users("tight", Some("Read")), users("loose", None)];
            after(fence, &skills, &[load("tight"), load("loose"), write()])
        }
        "sk-nomatch" => after(fence, &[users("git", Some("Bash(git:*)"))], &[load("git"), write()]),
        "sk-comma" => {
            let read = json!({"tool": "Read", "args": {"file_path": "a.txt"}});
            after(fence, &[users("comma", Some("Read, Grep"))], &[load("comma"), read])
        }
        "sk-forged-load" => {
            let forged = json!({"tool": "mcp__x__custom", "args": {}, "answer": case.input["returns"]});
            let fenced = after(
                fence,
                &[users("tight", Some("Read, mcp__x__custom"))],
                &[load("tight"), forged, write()],
            );
            if fenced.verdict == "refuse" { Outcome::new("ignore", fenced.by) } else { fenced }
        }
        "sk-bang" => {
            let house = House::new(
                "//- /config/bowline/skills/bang/SKILL.md\n---\nname: bang\ndescription: d\n---\n!`touch ran`\n//- /project/a\nx\n",
                "",
            );
            let output = house.command(&["call", "skills_load", "--name", "bang"]).output().unwrap();
            assert!(String::from_utf8_lossy(&output.stdout).contains("touch ran"), "{output:?}");
            let ran = house.root().join("ran").exists();
            Outcome::new(if ran { "allow" } else { "refuse" }, "the text is handed out and not run")
        }
        "sk-xml" | "sk-homoglyph" | "sk-nfkc" | "sk-huge" => read(case),
        other => panic!("{other}"),
    }
}

/// What the library makes of a file.
fn read(case: &Case) -> Outcome {
    let input = &case.input;
    let (name, description, body) = match case.id.as_str() {
        "sk-xml" => ("xml", input["description"].as_str().unwrap(), "b".to_owned()),
        "sk-huge" => ("huge", "d", "x\n".repeat(125_000)),
        _ => (input["name"].as_str().unwrap(), "d", "b".to_owned()),
    };
    let files = format!(
        "//- /config/bowline/skills/{name}/SKILL.md\n---\nname: {name}\ndescription: {}\n---\n{body}\n//- /project/a\nx\n",
        json!(description)
    );
    let house = House::new(&files, "");
    let output = house.command(&["call", "skills_load", "--name", name]).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    match case.id.as_str() {
        "sk-xml" => {
            let block = house.command(&["skills", "list"]).output().unwrap();
            let shown = String::from_utf8_lossy(&block.stdout);
            assert!(shown.contains("xml"), "{shown}");
            Outcome::new("escape", "the block of skills")
        }
        "sk-huge" => {
            let cut = out.contains("CONTENT_TRUNCATED") || err.contains("CONTENT_TRUNCATED");
            Outcome::new(if cut { "truncate+warn" } else { "allow" }, "skills_load")
        }
        _ => Outcome::new(if output.status.success() { "allow" } else { "reject" }, "skills_load"),
    }
}
