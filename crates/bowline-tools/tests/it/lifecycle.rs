//! Documents, capabilities, commands, caches and levels: what is not about one place in the code.

use bowline_testkit::Fixture;
use bowline_tools::{CORE, House, chosen};
use serde_json::json;

use crate::{ask, call_on, registry, served, shown};

const TWO: &str = "//- /a.py\ndef greet():\n    pass\n//- /b.py\nfrom a import greet\n";

#[tokio::test]
async fn a_document_is_shown_and_taken_away() {
    let fixture = Fixture::new(TWO);
    let tools = served(&fixture, &[]);
    let file = json!({"file_path": "a.py"});
    let opened = shown(&fixture, call_on(&tools, "open_document", file.clone()).await);
    assert!(opened.starts_with("Document opened: /a.py\n`fake-ls` has it open"), "{opened}");
    let same = json!({"file_path": "a.py", "text": "def greet():\n    pass\n"});
    assert!(call_on(&tools, "open_document", same).await.is_ok());
    let other = json!({"file_path": "a.py", "text": "def other(): pass"});
    let refused = shown(&fixture, call_on(&tools, "open_document", other).await);
    assert!(refused.starts_with("bad arguments: `text` differs from the file"), "{refused}");
    let closed = shown(&fixture, call_on(&tools, "close_document", file.clone()).await);
    assert!(closed.starts_with("Document closed: a.py\nclosed at fake-ls"), "{closed}");
    let again = shown(&fixture, call_on(&tools, "close_document", file).await);
    assert!(again.ends_with("no language server had it open"), "{again}");
    let missing = shown(&fixture, call_on(&tools, "open_document", json!({"file_path": "no.py"})).await);
    assert!(missing.starts_with("bad arguments: no such file: `/no.py`"), "{missing}");
}

#[tokio::test]
async fn without_a_server_a_document_is_still_read() {
    let said = ask("open_document", "//- /a.py\nx = 1\n", json!({"file_path": "a.py"})).await;
    assert!(said.ends_with("there is no language server for it; syntax answers"), "{said}");
}

#[tokio::test]
async fn every_server_says_what_it_can() {
    let fixture = Fixture::new(TWO);
    let tools = served(&fixture, &[]);
    let answer = call_on(&tools, "get_server_capabilities", json!({})).await.unwrap();
    let found = answer.payload;
    assert_eq!(found["capabilities"]["hoverProvider"], true);
    assert_eq!(found["servers"][0]["languages"], json!(["python"]));
    let unsupported: Vec<&str> =
        found["unsupported_tools"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert!(unsupported.contains(&"get_inlay_hints") && !unsupported.contains(&"inspect_symbol"));
    // Every tool is in one of the lists, and nothing else is.
    let supported = found["supported_tools"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    let mut listed: Vec<String> = supported.chain(unsupported).map(str::to_owned).collect();
    listed.sort_unstable();
    let every: Vec<String> = tools.specs().map(|spec| spec.name.clone()).collect();
    let missing: Vec<&String> = every.iter().filter(|name| !listed.contains(name)).collect();
    let not_about_servers =
        ["add_workspace_folder", "get_server_capabilities", "remove_workspace_folder"].map(str::to_owned);
    assert_eq!(missing.into_iter().cloned().collect::<Vec<_>>(), not_about_servers);
    assert!(listed.iter().all(|name| every.contains(name)), "{listed:?}");
}

#[tokio::test]
async fn without_servers_the_lists_are_there_all_the_same() {
    let fixture = Fixture::new(TWO);
    let tools = registry(&fixture);
    let answer = call_on(&tools, "get_server_capabilities", json!({})).await.unwrap();
    assert_eq!((&answer.payload["servers"], &answer.payload["capabilities"]), (&json!([]), &json!({})));
    // What answers by syntax is supported.
    let supported = answer.payload["supported_tools"].as_array().unwrap();
    assert!(supported.contains(&json!("get_cross_repo_references")));
}

#[tokio::test]
async fn a_command_that_nobody_knows() {
    let fixture = Fixture::new(TWO);
    let tools = served(&fixture, &[]);
    let said = shown(
        &fixture,
        call_on(&tools, "execute_command", json!({"command": "nope", "arguments": [1, "a", {}]})).await,
    );
    assert_eq!(said, "unsupported: `fake-ls` does not offer commands");
}

#[tokio::test]
async fn what_the_server_does_not_offer_is_said() {
    let fixture = Fixture::new(TWO);
    let tools = served(&fixture, &[]);
    let at = json!({"file_path": "a.py", "symbol_path": "greet"});
    for (tool, what) in [
        ("go_to_type_definition", "type definitions"),
        ("go_to_implementation", "implementations"),
        ("type_hierarchy", "type hierarchies"),
        ("prepare_rename", "checking of renames"),
        ("get_completions", "completions"),
        ("get_signature_help", "signatures"),
        ("suggest_fixes", "code actions"),
        ("get_inlay_hints", "inlay hints"),
        ("get_semantic_tokens", "semantic tokens"),
    ] {
        let said = shown(&fixture, call_on(&tools, tool, at.clone()).await);
        assert!(said.starts_with(&format!("unsupported: `fake-ls` does not offer {what}")), "{tool}: {said}");
    }
    // These have another answer.
    let declared = call_on(&tools, "go_to_declaration", at.clone()).await.unwrap();
    assert_eq!(declared.engine.unwrap().as_str(), "server");
    let callers = call_on(&tools, "find_callers", at.clone()).await.unwrap();
    assert_eq!(callers.payload["incoming"][0]["from"]["name"], "b.py");
    assert!(callers.hint.unwrap().contains("does not offer call hierarchies"));
    let highlights = call_on(&tools, "get_document_highlights", at).await.unwrap();
    assert_eq!(
        (highlights.payload[0]["kind"].as_u64(), highlights.engine.unwrap().as_str()),
        (Some(3), "syntax")
    );
}

#[tokio::test]
async fn callers_that_run_beside() {
    let text = "//- /a.py\nimport threading\n\n\ndef work():\n    pass\n\n\ndef main():\n    work()\n    threading.Thread(\n        target=work,\n    ).start()\n";
    let fixture = Fixture::new(text);
    let arguments = json!({"file_path": "a.py", "symbol_path": "work", "cross_concurrent": true});
    let answer = call_on(&registry(&fixture), "callers", arguments).await.unwrap();
    assert_eq!(
        answer.payload["concurrent_callers"],
        json!([{"caller": "main", "pattern": "Thread(", "file": fixture.path("a.py"), "line": 11}])
    );
}

#[tokio::test]
async fn changes_that_are_told_are_checked() {
    let fixture = Fixture::new(TWO);
    let tools = served(&fixture, &[]);
    let tell = async |changes| {
        shown(&fixture, call_on(&tools, "did_change_watched_files", json!({"changes": changes})).await)
    };
    let uri = format!("file://{}", fixture.path("a.py").display());
    assert!(tell(json!([{"uri": uri, "type": 2}])).await.starts_with("File change notifications sent"));
    assert_eq!(tell(json!([{"type": 1}])).await, "bad arguments: changes[0].uri is required");
    assert_eq!(
        tell(json!([{"uri": uri, "type": 9}])).await,
        "bad arguments: changes[0].type must be 1 (created), 2 (changed), or 3 (deleted)"
    );
    assert_eq!(
        tell(json!([{"uri": "http://x", "type": 1}])).await,
        "bad arguments: changes[0].uri must be a `file://` address"
    );
}

#[tokio::test]
async fn a_cache_that_is_not_there_is_said() {
    let said = ask("export_cache", TWO, json!({"dest_path": "c.gz"})).await;
    assert_eq!(said, "unsupported: reference cache is not available");
    let said = ask("import_cache", TWO, json!({"src_path": "a.py"})).await;
    assert_eq!(said, "unsupported: reference cache is not available");
}

#[tokio::test]
async fn diagnostics_by_symbol() {
    let fixture = Fixture::new("//- /a.py\nBUG\ndef greet():\n    BUG\n    WARN\n");
    let tools = served(&fixture, &[]);
    let arguments = json!({"file_path": "a.py", "group_by": "symbol"});
    let answer = call_on(&tools, "get_diagnostics", arguments).await.unwrap();
    assert_eq!(answer.payload["symbols"][0]["name"], "greet");
    assert_eq!(answer.payload["symbols"][0]["diagnostics"].as_array().unwrap().len(), 2);
    assert_eq!(answer.payload["ungrouped"].as_array().unwrap().len(), 1);
    let said = shown(&fixture, call_on(&tools, "get_diagnostics", json!({"group_by": "symbol"})).await);
    assert_eq!(said, "bad arguments: group_by needs `file_path`");
}

fn house(fixture: &Fixture) -> House {
    let workspace = bowline_workspace::Workspace::new(
        bowline_workspace::Options::default(),
        vec![fixture.root().to_owned()],
        None,
    );
    House {
        workspace: std::sync::Arc::new(workspace.unwrap()),
        path: std::ffi::OsString::new(),
        log_level: None,
        run_logs: None,
        skills: None,
    }
}

#[test]
fn tools_are_chosen_by_name_or_by_the_dozen() {
    let fixture = Fixture::new("");
    let house = house(&fixture);
    let choose = |words| chosen(&house, Vec::new(), words).map(|(_, names)| names);
    let full = choose(None).unwrap();
    assert_eq!(choose(Some("full")).unwrap(), full);
    assert!(full.len() > 40 && CORE.iter().all(|name| full.contains(*name)));
    assert_eq!(choose(Some("core")).unwrap().len(), CORE.len());
    let some: Vec<String> = choose(Some(" find_symbol, rust-expand_macro,")).unwrap().into_iter().collect();
    assert_eq!(some, ["find_symbol", "rust-expand_macro"]);
    let error = choose(Some("core,nope")).unwrap_err().to_string();
    assert!(error.starts_with("there is no tool `nope` to choose; `core`, `full`, or any of: "), "{error}");
}

/// An extension's name has a dash, which no tool of our own has: neither can stand in the other's place.
#[test]
fn no_extension_can_be_taken_for_a_tool_of_our_own() {
    let fixture = Fixture::new("");
    let (tools, full) = chosen(&house(&fixture), Vec::new(), None).unwrap();
    let (own, extensions): (Vec<_>, Vec<_>) = tools.iter().partition(|tool| full.contains(&tool.spec().name));
    assert!(own.iter().all(|tool| !tool.spec().name.contains('-')));
    let names: Vec<&str> = extensions.iter().map(|tool| tool.spec().name.as_str()).collect();
    assert_eq!(
        names,
        ["cpp-switch_source_header", "rust-expand_macro"],
        "there only where a server is named"
    );
}
