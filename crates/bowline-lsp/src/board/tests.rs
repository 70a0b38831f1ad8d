//! What servers say unasked, and what is remembered of it.

use super::registrations::MOST_REGISTRATIONS;
use super::*;

fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).unwrap()
}

fn board(settings: Value) -> Board {
    Board::new(vec![PathBuf::from("/w s")], Some(settings))
}

fn ask(board: &Board, method: &str, params: &Value) -> Value {
    board.request(method, Some(&raw(params))).unwrap()
}

fn tell(board: &Board, method: &str, params: &Value) {
    board.notification(method, Some(&raw(params)));
}

#[test]
fn configuration_is_answered_section_by_section() {
    let board = board(json!({"python": {"analysis": {"mode": "strict"}}, "a.b": 1}));
    let items = json!({"items": [{"section": "python.analysis"}, {"section": "python"}, {"section": "a.b"}, {"section": "x"}, {}]});
    assert_eq!(
        ask(&board, "workspace/configuration", &items),
        json!([{"mode": "strict"}, {"analysis": {"mode": "strict"}}, 1, null, {"python": {"analysis": {"mode": "strict"}}, "a.b": 1}])
    );
}

#[test]
fn folders_are_uris() {
    let folders = ask(&board(Value::Null), "workspace/workspaceFolders", &Value::Null);
    assert_eq!(folders, json!([{"uri": "file:///w%20s", "name": "w s"}]));
}

#[test]
fn an_invitation_to_name_something_is_declined_without_an_error() {
    let board = board(Value::Null);
    let at = json!({"textDocument": {"uri": "file:///w/a.ts"}, "position": {"line": 0, "character": 9}});
    assert_eq!(ask(&board, "_typescript.rename", &at), Value::Null);
    assert!(board.request("_typescript.unheard", Some(&raw(&at))).is_err());
}

#[tokio::test]
async fn edits_are_made_by_leave_only() {
    let board = board(Value::Null);
    let edit = serde_json::value::to_raw_value(&json!({"label": "tidy", "edit": {"changes": {}}})).unwrap();
    let want = || board.later("workspace/applyEdit", Some(&edit)).unwrap();
    assert_eq!(want().await["applied"], false, "nobody asked for it");
    let mut wanted = board.let_edit();
    let decide = async |made: Option<Result<(), String>>| {
        let one = wanted.recv().await.unwrap();
        assert_eq!((one.label.as_deref(), one.edit.get()), (Some("tidy"), r#"{"changes":{}}"#));
        match made {
            Some(made) => one.answer(made),
            None => drop(one),
        }
    };
    let mut decide = decide;
    assert_eq!(tokio::join!(want(), decide(Some(Ok(())))).0, json!({"applied": true}));
    let no = json!({"applied": false, "failureReason": "no"});
    assert_eq!(tokio::join!(want(), decide(Some(Err("no".into())))).0, no);
    assert_eq!(tokio::join!(want(), decide(None)).0["applied"], false);
    drop(wanted);
    assert_eq!(want().await["applied"], false, "the command is over");
    assert_eq!(board.later("workspace/applyEdit", None).unwrap().await["applied"], false);
}

#[test]
fn unknown_questions_are_refused() {
    let board = board(Value::Null);
    assert_eq!(board.request("fake/unknown", None).unwrap_err().code, -32601);
}

#[test]
fn registrations_come_and_go() {
    let board = board(Value::Null);
    let (go, rs) = (Path::new("/w/a.go"), Path::new("/w/a.rs"));
    assert_eq!(board.watches(go, FileEvent::Changed), None);
    let watchers = json!([
        {"globPattern": "**/*.go", "kind": 3},
        {"globPattern": {"baseUri": "file:///w", "pattern": "*.rs"}},
    ]);
    let registrations = json!([
        {"id": "1", "method": "workspace/didChangeWatchedFiles", "registerOptions": {"watchers": watchers}},
        {"id": "2", "method": "textDocument/diagnostic", "registerOptions": {"documentSelector": [{"language": "go"}]}},
    ]);
    ask(&board, "client/registerCapability", &json!({"registrations": registrations}));
    assert_eq!(board.watches(go, FileEvent::Changed), Some(true));
    assert_eq!(board.watches(go, FileEvent::Deleted), Some(false));
    assert_eq!(board.watches(rs, FileEvent::Deleted), Some(true));
    assert!(board.registered("textDocument/diagnostic", Some((go, "go"))));
    assert!(!board.registered("textDocument/diagnostic", Some((rs, "rust"))));
    ask(&board, "client/unregisterCapability", &json!({"unregisterations": [{"id": "1"}, {"id": "2"}]}));
    assert_eq!(board.watches(go, FileEvent::Changed), None);
    assert!(!board.registered("textDocument/diagnostic", None));
}

#[test]
fn progress_is_counted_until_it_drains() {
    let board = board(Value::Null);
    let progress =
        |token: &str, value: Value| tell(&board, "$/progress", &json!({"token": token, "value": value}));
    progress("a", json!({"kind": "begin", "title": "Indexing", "percentage": 0}));
    progress("a", json!({"kind": "report", "message": "3/9", "percentage": 33}));
    let work = board.work();
    assert_eq!(
        work.tasks,
        [Task { title: "Indexing".into(), message: Some("3/9".into()), percentage: Some(33) }]
    );
    assert!(work.drained.is_none() && board.is_running("a"));
    progress("a", json!({"kind": "end"}));
    assert!(board.work().tasks.is_empty() && board.work().drained.is_some());
}

#[test]
fn diagnostics_of_an_older_version_do_not_replace_newer_ones() {
    let board = board(Value::Null);
    let publish = |version: Value, message: &str| {
        tell(
            &board,
            "textDocument/publishDiagnostics",
            &json!({"uri": "file:///w/a.go", "version": version, "diagnostics": [message]}),
        );
        board.published(Path::new("/w/a.go")).unwrap().diagnostics.get().to_owned()
    };
    assert_eq!(publish(json!(2), "two"), "[\"two\"]");
    assert_eq!(publish(json!(1), "one"), "[\"two\"]");
    assert_eq!(publish(json!(2), "again"), "[\"again\"]");
    assert_eq!(publish(Value::Null, "none"), "[\"none\"]");
}

fn publish(board: &Board, file: &str, diagnostics: &Value) {
    let params = json!({"uri": format!("file:///w/{file}"), "version": 1, "diagnostics": diagnostics});
    tell(board, "textDocument/publishDiagnostics", &params);
}

#[test]
fn errors_are_told_from_advice_and_from_other_errors() {
    let board = board(Value::Null);
    let at =
        |line: u32| json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 1}});
    let hint = json!({"range": at(0), "severity": 4, "message": "simplify"});
    let error = |line: u32| json!({"range": at(line), "severity": 1, "message": "no"});
    publish(&board, "a", &json!([hint]));
    publish(&board, "b", &json!([hint, error(1), error(2)]));
    publish(&board, "c", &json!([{"range": at(0), "message": "no severity"}]));
    let of = |file: &str| board.errors().get(&PathBuf::from("/w").join(file)).cloned();
    assert_eq!((of("a"), of("c").map(|errors| errors.len())), (None, Some(1)));
    let before = of("b");
    publish(&board, "b", &json!([error(2), error(1)]));
    assert_eq!(of("b"), before, "the same errors in another order");
    publish(&board, "b", &json!([error(2), error(3)]));
    assert_ne!(of("b"), before);
}

#[test]
fn what_is_published_has_a_limit_and_what_was_let_go_is_known() {
    let board = board(Value::Null);
    let large = json!(["x".repeat(MOST_BYTES / 4)]);
    for file in ["a", "b", "c", "d", "e"] {
        publish(&board, file, &large);
    }
    let known = |file: &str| {
        let path = PathBuf::from("/w").join(file);
        (board.published(&path).is_some(), board.has_let_go(&path))
    };
    assert_eq!([known("a"), known("b"), known("c")], [(false, true), (false, true), (false, true)]);
    assert_eq!([known("d"), known("e"), known("f")], [(true, false), (true, false), (false, false)]);
    assert_eq!(board.published_files().len(), 5);
    publish(&board, "a", &json!([]));
    assert_eq!(known("a"), (true, false));
    for file in ["/w/b", "/w/d", "/w/e"] {
        board.forget(Path::new(file));
    }
    assert_eq!(board.lock().bytes, 2);
    assert_eq!(board.published_files().len(), 2);
}

#[test]
fn many_files_are_let_go_in_their_order() {
    let board = board(Value::Null);
    for file in 0..=MOST_FILES {
        publish(&board, &file.to_string(), &json!([]));
    }
    let state = board.lock();
    assert_eq!((state.published.len(), state.let_go.len()), (MOST_FILES / 2, MOST_FILES / 2 + 1));
    assert!(state.published.contains_key(Path::new(&format!("/w/{MOST_FILES}"))));
}

#[test]
fn a_server_that_registers_and_begins_without_end_takes_no_room_without_end() {
    let board = board(Value::Null);
    for number in 0..MOST_REGISTRATIONS + 5 {
        let registration = json!({"id": number.to_string(), "method": "a"});
        ask(&board, "client/registerCapability", &json!({"registrations": [registration]}));
        tell(&board, "$/progress", &json!({"token": number, "value": {"kind": "begin", "title": "a"}}));
    }
    let state = board.lock();
    assert_eq!((state.registrations.len(), state.progress.len()), (MOST_REGISTRATIONS, MOST_TOKENS));
}

#[test]
fn an_answer_from_before_a_turn_is_not_one_from_after() {
    let board = board(Value::Null);
    let mut turns = board.turns();
    let mut turned = || std::mem::replace(&mut turns, board.turns()) != board.turns();
    let progress = |kind: &str| tell(&board, "$/progress", &json!({"token": 1, "value": {"kind": kind}}));
    progress("begin");
    progress("end");
    assert!(!turned(), "pyright reports progress for each question");
    tell(&board, "experimental/serverStatus", &json!({"quiescent": true}));
    assert!(turned());
    tell(&board, "experimental/serverStatus", &json!({"quiescent": true}));
    assert!(!turned(), "said twice");
    ask(&board, "workspace/diagnostic/refresh", &Value::Null);
    assert!(turned());
    ask(&board, "client/registerCapability", &json!({"registrations": []}));
    assert!(turned());
}
