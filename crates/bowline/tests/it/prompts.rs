//! bowline's own skills as prompts, from the real binary.

use serde_json::{Value, json};

use crate::serve::Server;
use crate::{fixture, run};

fn listed(server: &mut Server) -> Vec<Value> {
    let answer = server.ask(2, "prompts/list", &json!({}));
    assert_eq!(answer["result"].get("nextCursor"), None);
    answer["result"]["prompts"].as_array().unwrap().clone()
}

/// `lsp-rename old-name new-name`, with a `?` behind what need not be given.
fn shown(prompt: &Value) -> String {
    let arguments = prompt["arguments"].as_array().map(Vec::as_slice).unwrap_or_default();
    let arguments = arguments.iter().map(|argument| {
        let mark = if argument["required"] == true { "" } else { "?" };
        format!(" {}{mark}", argument["name"].as_str().unwrap())
    });
    format!("{}{}", prompt["name"].as_str().unwrap(), arguments.collect::<String>())
}

#[test]
fn every_skill_of_ours_is_one_with_arguments_that_make_sense() {
    let fixture = fixture();
    let mut server = Server::initialized(&fixture);
    let prompts = listed(&mut server);
    let all: Vec<String> = prompts.iter().map(shown).collect();
    insta::assert_snapshot!(all.join("\n"), @"
    available_skills
    lsp-architecture workspace-root?
    lsp-concurrency-audit file-path type?
    lsp-cross-repo symbol-name library-file consumer-roots
    lsp-dead-code file-path
    lsp-docs symbol-name file-path?
    lsp-edit-export symbol-name
    lsp-edit-symbol symbol-name new-body-or-signature
    lsp-explore symbol-name file-path?
    lsp-extract-function file-path start-line end-line new-function-name
    lsp-fix-all file-path
    lsp-format-code file-path start_line-end_line?
    lsp-generate file-path-line-col generation-intent
    lsp-impact symbol-or-file
    lsp-implement type-or-method-name file-path?
    lsp-inspect file-or-directory checks? top? diff? json?
    lsp-local-symbols file-path symbol-name?
    lsp-onboard workspace-root?
    lsp-refactor symbol-or-file intent
    lsp-rename old-name new-name
    lsp-safe-edit
    lsp-simulate
    lsp-test-correlation file-path run?
    lsp-understand symbol-or-file
    lsp-verify
    ");
    for prompt in &prompts {
        assert!(prompt["description"].as_str().is_some_and(|text| text.len() > 20), "{prompt}");
    }
}

#[test]
fn one_is_had_with_its_arguments_and_not_without() {
    let fixture = fixture();
    let mut server = Server::initialized(&fixture);
    let arguments = json!({"old-name": "greet", "new-name": "hail"});
    let got = server.ask(2, "prompts/get", &json!({"name": "lsp-rename", "arguments": arguments}));
    let text = got["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    let (given, body) = text.split_once("\n\n").unwrap();
    assert_eq!(given, "Arguments:\n- old-name: greet\n- new-name: hail");
    assert!(body.trim_start().starts_with("# Rename a symbol\n"), "{body}");
    let refused = server.ask(3, "prompts/get", &json!({"name": "lsp-rename"}));
    let message = "prompt `lsp-rename`: these arguments are missing: old-name, new-name";
    assert_eq!(refused["error"], json!({"code": -32602, "message": message}));
    let unknown = server.ask(4, "prompts/get", &json!({"name": "lsp-renam"}));
    assert_eq!(unknown["error"]["message"], "there is no prompt `lsp-renam`; did you mean `lsp-rename`?");
    let block = server.ask(5, "prompts/get", &json!({"name": "available_skills"}));
    let block = block["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert_eq!(block.matches("<skill>").count(), 24);
    drop(server.stdin.take());
    assert_eq!(server.ended(), Some(0));

    let (_, stdout, _) = run(&fixture, &["audit", "show", "--event", "prompt", "--json"]);
    let records: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let skills: Vec<_> = records.iter().map(|record| record["skill"].as_str().unwrap()).collect();
    assert_eq!(skills, ["lsp-rename", "lsp-rename", "lsp-renam", "available_skills"]);
    assert_eq!(records[1]["error_message"], message);
}

#[test]
fn what_was_found_is_on_the_record_once_and_again_when_it_changes() {
    let mut fixture = fixture();
    fixture.write(
        "config/bowline/bowline.toml",
        &format!("[skills]\nroots = [\"{}\"]\n", fixture.path("mine").display()),
    );
    fixture.write("mine/first/SKILL.md", "---\nname: first\ndescription: The first one.\n---\nDo it.\n");
    fixture.write("mine/bad/SKILL.md", "no head\n");
    let mut server = Server::initialized(&fixture);
    assert_eq!(listed(&mut server).len(), 26);
    assert_eq!(listed(&mut server).len(), 26);
    fixture.write("mine/second/SKILL.md", "---\nname: second\ndescription: The second one.\n---\nDo it.\n");
    assert_eq!(listed(&mut server).len(), 27);
    drop(server.stdin.take());
    assert_eq!(server.ended(), Some(0));

    let (_, stdout, _) = run(&fixture, &["audit", "show", "--event", "skills_discovered", "--json"]);
    let found: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let counts: Vec<_> = found.iter().map(|record| record["discovery"]["found"].as_u64().unwrap()).collect();
    assert_eq!(counts, [25, 26], "{stdout}");
    let rejected = &found[0]["discovery"]["rejected"];
    assert_eq!(rejected.as_array().unwrap().len(), 1, "{stdout}");
    assert!(rejected[0]["place"].as_str().unwrap().ends_with("mine/bad"), "{stdout}");
    assert!(found[0]["conversation"].is_string());
}
