//! Drafts through their tools: the words that clients know, and the errors that say the way out.

use bowline_call::{Registry, ToolError};
use bowline_testkit::{Fixture, Script};
use bowline_tools::{House, all};
use bowline_workspace::Writer;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{call_on, with_server};

const SHOP: &str =
    "//- /shop.py\nclass Shop:\n    def total(self):\n        return 1\n\n\ndef main():\n    pass\n";

struct Desk {
    fixture: Fixture,
    tools: Registry,
    _state: TempDir,
}

impl Desk {
    fn new(text: &str) -> Self {
        let fixture = Fixture::new(text);
        let state = tempfile::tempdir().unwrap();
        let script = Script { pull: true, ..Script::default() }.to_argument();
        let journal = state.path().canonicalize().unwrap().join("writes");
        let workspace = with_server(&fixture, "fake-ls", &["--script", &script])
            .with_writer(Writer::new(vec![fixture.root().to_owned()], journal));
        let house = House::of(workspace);
        Self { tools: Registry::new(all(&house)).unwrap(), fixture, _state: state }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        call_on(&self.tools, tool, arguments).await.map(|answer| answer.payload)
    }

    async fn begin(&self) -> String {
        let arguments = json!({"workspace_root": self.fixture.root(), "language": "python"});
        let made = self.call("create_simulation_session", arguments).await.unwrap();
        assert_eq!(made["status"], "created");
        made["session_id"].as_str().unwrap().to_owned()
    }

    /// With the session's id in the arguments, and out of the answer.
    async fn on(&self, id: &str, tool: &str, mut arguments: Value) -> String {
        arguments["session_id"] = json!(id);
        let text = match self.call(tool, arguments).await {
            Ok(mut payload) => {
                for key in ["duration_ms", "receipt"] {
                    payload.as_object_mut().unwrap().remove(key);
                }
                payload.to_string()
            }
            Err(error) => error.text(),
        };
        let file = bowline_code::uri::of(self.fixture.root());
        self.fixture.relative(&text.replace(id, "ID").replace(&file, "file://"))
    }

    fn text(&self) -> String {
        bowline_std::fs::read_text(&self.fixture.path("shop.py"), 10_000).unwrap().0
    }
}

#[tokio::test]
async fn from_the_first_edit_to_the_disk_and_back() {
    let desk = Desk::new(SHOP);
    let id = desk.begin().await;
    assert_snapshot!(desk.on(&id, "evaluate_session", json!({})).await, @"bad arguments: evaluate_session failed: session ID cannot be evaluated in state created; edit it first (simulate_edit)");
    assert_snapshot!(desk.on(&id, "simulate_edit", json!({"file_path": "shop.py", "old_text": "return 1", "new_text": "return BUG"})).await, @r#"{"session_id":"ID","edit_applied":true,"version_after":1,"files":["/shop.py"],"files_touched":1}"#);
    assert_snapshot!(desk.on(&id, "evaluate_session", json!({})).await, @r#"{"session_id":"ID","safe_to_apply":false,"verdict":"unsafe","confidence":"high","net_delta":1,"errors_introduced":[{"file":"/shop.py","line":3,"col":16,"message":"found a BUG","severity":"error","source":"fake","code":"bug1"}],"errors_resolved":[],"warnings_introduced":[],"warnings_resolved":[],"scope":"file","timeout":false,"evidence":{"pulled":1},"files_compared":1}"#);
    assert_snapshot!(desk.on(&id, "simulate_edit", json!({"file_path": "shop.py", "symbol_path": "Shop.total", "body": "return 2"})).await, @r#"{"session_id":"ID","edit_applied":true,"version_after":2,"files":["/shop.py"],"files_touched":1}"#);
    assert_snapshot!(desk.on(&id, "evaluate_session", json!({"scope": "workspace", "timeout_ms": 5000})).await, @r#"{"session_id":"ID","safe_to_apply":true,"verdict":"safe","confidence":"high","net_delta":0,"errors_introduced":[],"errors_resolved":[],"warnings_introduced":[],"warnings_resolved":[],"scope":"workspace","timeout":false,"evidence":{"pulled":1},"files_compared":1}"#);
    assert_snapshot!(desk.on(&id, "commit_session", json!({})).await, @r#"{"session_id":"ID","patch":{"file:///shop.py":"--- a/shop.py\n+++ b/shop.py\n@@ -1,6 +1,6 @@\n class Shop:\n     def total(self):\n-        return 1\n+        return 2\n \n \n def main():\n"},"safe_to_apply":true}"#);
    assert!(desk.text().contains("return 1"), "nothing is written without `apply`");
    let written = desk.call("commit_session", json!({"session_id": id, "apply": true})).await.unwrap();
    assert_eq!(written["files_written"], 1);
    assert!(desk.text().contains("return 2"));
    assert_snapshot!(desk.on(&id, "simulate_edit", json!({"file_path": "shop.py", "old_text": "pass", "new_text": "x"})).await, @"bad arguments: session ID cannot be edited in state committed; it is on disk already: undo_write takes it back");
    let undone = desk.call("undo_write", json!({"receipt": written["receipt"]})).await.unwrap();
    assert_eq!(undone["undone"], written["receipt"]);
    assert!(desk.text().contains("return 1"));
    let again = desk.call("undo_write", json!({"receipt": written["receipt"]})).await.unwrap_err();
    assert!(again.text().contains("taken back already"), "{}", again.text());
    assert_snapshot!(desk.on(&id, "discard_session", json!({})).await, @"bad arguments: session ID cannot be discarded in state committed; it is on disk already: undo_write takes it back");
    assert_snapshot!(desk.on(&id, "destroy_session", json!({})).await, @r#"{"session_id":"ID","status":"destroyed"}"#);
    assert_snapshot!(desk.on(&id, "destroy_session", json!({})).await, @r#"{"session_id":"ID","status":"already_destroyed","note":"there is no such session: it was destroyed before, or never created"}"#);
    assert_snapshot!(desk.on(&id, "commit_session", json!({"apply": true})).await, @"bad arguments: session ID cannot be used in state destroyed; create another (create_simulation_session)");
}

#[tokio::test]
async fn a_chain_is_safe_up_to_a_step() {
    let desk = Desk::new(SHOP);
    let id = desk.begin().await;
    let edit = |old: &str, new: &str| json!({"file_path": "shop.py", "old_text": old, "new_text": new});
    let edits = json!([edit("return 1", "return 2"), edit("pass", "BUG"), edit("return 2", "WARN")]);
    assert_snapshot!(desk.on(&id, "simulate_chain", json!({"edits": edits})).await, @r#"{"session_id":"ID","safe_to_apply":false,"steps":[{"step":1,"net_delta":0,"safe_to_apply":true,"confidence":"high","errors_introduced":[],"warnings_introduced":[]},{"step":2,"net_delta":1,"safe_to_apply":false,"confidence":"high","errors_introduced":[{"file":"/shop.py","line":7,"col":5,"message":"found a BUG","severity":"error","source":"fake","code":"bug1"}],"warnings_introduced":[]},{"step":3,"net_delta":2,"safe_to_apply":false,"confidence":"high","errors_introduced":[{"file":"/shop.py","line":7,"col":5,"message":"found a BUG","severity":"error","source":"fake","code":"bug1"}],"warnings_introduced":[{"file":"/shop.py","line":3,"col":9,"message":"found a WARN","severity":"warning","source":"fake","code":"warn1"}]}],"safe_to_apply_through_step":1,"cumulative_delta":2}"#);
    let edits = json!([edit("BUG", "pass"), edit("WARN", "return 3")]);
    assert_snapshot!(desk.on(&id, "simulate_chain", json!({"edits": edits})).await, @r#"{"session_id":"ID","safe_to_apply":true,"steps":[{"step":1,"net_delta":1,"safe_to_apply":true,"confidence":"high","errors_introduced":[],"warnings_introduced":[{"file":"/shop.py","line":3,"col":9,"message":"found a WARN","severity":"warning","source":"fake","code":"warn1"}]},{"step":2,"net_delta":0,"safe_to_apply":true,"confidence":"high","errors_introduced":[],"warnings_introduced":[]}],"safe_to_apply_through_step":2,"cumulative_delta":0}"#);
    assert_snapshot!(desk.on(&id, "simulate_chain", json!({"edits": [{"file_path": "shop.py", "line": 1}]})).await, @r"
    bad arguments: edit 1: unknown field `line`
    Next step: give a range with `new_text`, or `old_text` with `new_text`, or `symbol_path` with `new_text` or `new_body`, or `workspace_edit`, or `action`
    ");
    assert_snapshot!(desk.on(&id, "simulate_chain", json!({"edits": []})).await, @"bad arguments: give 1 to 50 edits, got 0");
}

#[tokio::test]
async fn writing_a_draft_says_what_was_known_of_it() {
    let edit = |old: &str, new: &str| json!({"file_path": "shop.py", "old_text": old, "new_text": new});
    let (bad, good) = (edit("return 1", "return BUG"), edit("return 1", "return 2"));
    let more = edit("pass", "return");
    // The edits, each evaluated or not; what is known in the end.
    for (steps, target, safe, said) in [
        (vec![(&good, true)], None, json!(true), ""),
        (vec![(&bad, true)], None, json!(false), "not proved safe"),
        (vec![(&good, false)], None, json!(null), "not evaluated as it is"),
        (vec![(&good, true), (&more, false)], None, json!(null), "not evaluated as it is"),
        (vec![(&good, true)], Some("."), json!(null), "nobody has evaluated it there"),
    ] {
        let desk = Desk::new(SHOP);
        let id = desk.begin().await;
        for (edit, is_evaluated) in steps {
            desk.on(&id, "simulate_edit", edit.clone()).await;
            if is_evaluated {
                desk.on(&id, "evaluate_session", json!({})).await;
            }
        }
        for apply in [false, true] {
            let arguments = json!({"session_id": id, "target": target, "apply": apply});
            let answer = call_on(&desk.tools, "commit_session", arguments).await.unwrap();
            assert_eq!(answer.payload["safe_to_apply"], safe, "{said}");
            let hint = answer.hint.unwrap();
            assert!(hint.contains(said) && hint.contains("get_diagnostics") != said.is_empty(), "{hint}");
        }
    }
    // A chain is an evaluation, too.
    let desk = Desk::new(SHOP);
    let id = desk.begin().await;
    desk.on(&id, "simulate_chain", json!({"edits": [good, more]})).await;
    let written = desk.call("commit_session", json!({"session_id": id, "apply": true})).await.unwrap();
    assert_eq!(written["safe_to_apply"], true);
}

#[tokio::test]
async fn a_rename_is_drafted_by_the_name_of_the_symbol() {
    let desk = super::changes::Desk::new(
        "//- /a.py\ndef greet():\n    return 1\n//- /b.py\nfrom a import greet\n\ngreet()\n",
    );
    let arguments = json!({"workspace_root": desk.fixture.root(), "language": "python"});
    let made = desk.call("create_simulation_session", arguments).await.unwrap();
    let id = &made["session_id"];
    let rename = |symbol: &str, new_name: &str| json!({"session_id": id, "file_path": "a.py", "action": "rename", "symbol_path": symbol, "new_name": new_name});
    let drafted = desk.call("simulate_edit", rename("greet", "hail")).await.unwrap();
    assert_eq!(drafted["files_touched"], 2);
    // It is looked for in the draft, not on disk.
    desk.call("simulate_edit", rename("hail", "call")).await.unwrap();
    let missing = desk.call("simulate_edit", rename("greet", "x")).await.unwrap_err().text();
    assert!(missing.contains("symbol `greet` not found"), "{missing}");
    desk.call("commit_session", json!({"session_id": id, "apply": true})).await.unwrap();
    assert_eq!(desk.text("b.py"), "from a import call\n\ncall()\n");
    let format = json!({"file_path": "a.py", "action": "format", "symbol_path": "call"});
    let refused = desk.call("preview_edit", format).await.unwrap_err().text();
    assert!(refused.contains("`symbol_path` goes with `rename`"), "{refused}");
}

#[tokio::test]
async fn one_edit_is_previewed_without_a_session() {
    let desk = Desk::new(SHOP);
    let range = |line: u32, text: &str| json!({"file_path": "shop.py", "start_line": line, "start_column": 5, "end_line": line, "end_column": 9, "new_text": text});
    let broken = desk.call("preview_edit", range(7, "BUG")).await.unwrap();
    assert_eq!((&broken["safe_to_apply"], &broken["net_delta"]), (&json!(false), &json!(1)));
    assert_eq!(broken["errors_introduced"][0]["line"], 7);
    let fine = desk.call("preview_edit", range(7, "return")).await.unwrap();
    assert_eq!((&fine["safe_to_apply"], &fine["confidence"]), (&json!(true), &json!("high")));
    assert!(desk.text().contains("pass"));
    let gone = desk.call("evaluate_session", json!({"session_id": fine["session_id"]})).await.unwrap_err();
    assert!(gone.text().contains("state destroyed"), "{}", gone.text());
    // In a draft that is there already, it stays.
    let id = desk.begin().await;
    let mut edit = range(7, "BUG");
    edit["session_id"] = json!(id);
    desk.call("preview_edit", edit).await.unwrap();
    let held = desk.call("commit_session", json!({"session_id": id, "full_text": true})).await.unwrap();
    assert!(held["text"].to_string().contains("BUG"));
}

#[tokio::test]
async fn an_edit_is_made_only_if_it_is_safe() {
    let desk = Desk::new(SHOP);
    let edit = |new: &str| json!({"file_path": "shop.py", "old_text": "return 1", "new_text": new});
    let refused = desk.call("safe_apply_edit", edit("return BUG")).await.unwrap();
    assert_eq!((&refused["applied"], &refused["net_delta"]), (&json!(false), &json!(1)));
    assert!(desk.text().contains("return 1"));
    let made = desk.call("safe_edit", edit("return 3")).await.unwrap();
    assert_eq!((&made["applied"], &made["safe_to_apply"]), (&json!(true), &json!(true)));
    assert!(desk.text().contains("return 3") && made["receipt"].is_string());
    let missing = desk.call("safe_apply_edit", edit("x")).await.unwrap_err();
    assert!(missing.text().contains("old_text not found in"), "{}", missing.text());
}

#[tokio::test]
async fn a_draft_can_be_written_elsewhere() {
    let desk = Desk::new("//- /a/shop.py\nx = 1\n//- /b/other.py\ny = 1\n");
    let arguments = json!({"workspace_root": desk.fixture.path("a"), "language": "python"});
    let made = desk.call("create_simulation_session", arguments).await.unwrap();
    let id = &made["session_id"];
    let edit = json!({"session_id": id, "file_path": "a/shop.py", "old_text": "1", "new_text": "2"});
    desk.call("simulate_edit", edit).await.unwrap();
    let outside = json!({"session_id": id, "file_path": "b/other.py", "old_text": "1", "new_text": "2"});
    let outside = desk.call("simulate_edit", outside).await.unwrap_err();
    assert!(outside.text().contains("which the session is about"), "{}", outside.text());
    desk.call("commit_session", json!({"session_id": id, "target": "b", "apply": true})).await.unwrap();
    let text = |path: &str| bowline_std::fs::read_text(&desk.fixture.path(path), 100).unwrap().0;
    assert_eq!((text("a/shop.py"), text("b/shop.py")), ("x = 1\n".into(), "x = 2\n".into()));
}

#[tokio::test]
async fn a_workspace_edit_changes_moves_makes_and_removes_files() {
    let desk = Desk::new("//- /a.py\none\ntwo\n//- /b.py\nold\n//- /c.py\ngone\n");
    let id = desk.begin().await;
    let uri = |name: &str| bowline_code::uri::of(&desk.fixture.path(name));
    let at = |line: u32, from: u32, to: u32, text: &str| json!({"range": {"start": {"line": line, "character": from}, "end": {"line": line, "character": to}}, "newText": text});
    let edit = json!({"documentChanges": [
        {"textDocument": {"uri": uri("a.py"), "version": null}, "edits": [at(1, 0, 3, "2"), at(0, 0, 0, "zero ")]},
        {"kind": "rename", "oldUri": uri("b.py"), "newUri": uri("d/b2.py")},
        {"textDocument": {"uri": uri("d/b2.py"), "version": null}, "edits": [at(0, 0, 3, "new")]},
        {"kind": "create", "uri": uri("e.py")},
        {"kind": "delete", "uri": uri("c.py")},
    ]});
    assert_snapshot!(desk.on(&id, "simulate_edit", json!({"workspace_edit": edit})).await, @r#"{"session_id":"ID","edit_applied":true,"version_after":1,"files":["/a.py","/b.py","/c.py","/d/b2.py","/e.py"],"files_touched":5}"#);
    let written = desk.call("commit_session", json!({"session_id": id, "apply": true})).await.unwrap();
    let text =
        |path: &str| bowline_std::fs::read_text(&desk.fixture.path(path), 100).map(|(text, _)| text).ok();
    let all = || ["a.py", "b.py", "c.py", "d/b2.py", "e.py"].map(&text);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(all(), [some("zero one\n2\n"), None, None, some("new\n"), some("")]);
    desk.call("undo_write", json!({"receipt": written["receipt"]})).await.unwrap();
    assert_eq!(all(), [some("one\ntwo\n"), some("old\n"), some("gone\n"), None, None]);

    let id = desk.begin().await;
    for (edit, expected) in [
        (json!({}), "it has neither `changes` nor `documentChanges`"),
        (json!({"changes": {"http://x": []}}), "`http://x` is not the uri of a file"),
        (json!({"changes": {uri("a.py"): [at(0, 0, 2, "x"), at(0, 1, 3, "y")]}}), "overlap"),
        (json!({"changes": {uri("a.py"): [at(9, 0, 0, "x")]}}), "the last line is 3"),
        (json!({"documentChanges": [{"kind": "create", "uri": uri("a.py")}]}), "exists already"),
        (json!({"changes": {"file:///etc/passwd": [at(0, 0, 0, "x")]}}), "outside the workspace"),
    ] {
        let told = desk.on(&id, "simulate_edit", json!({"workspace_edit": edit})).await;
        assert!(told.contains(expected), "{told}");
    }
    assert_eq!(
        desk.call("commit_session", json!({"session_id": id})).await.unwrap_err().kind(),
        "bad_arguments"
    );
}

#[tokio::test]
async fn a_chain_sees_every_file_at_every_step() {
    let desk = Desk::new("//- /a.py\nx = 1\n//- /b.py\nfrom a import x\ny = 2\n");
    let id = desk.begin().await;
    let edit =
        |file: &str, old: &str, new: &str| json!({"file_path": file, "old_text": old, "new_text": new});
    let edits = json!([edit("a.py", "1", "3"), edit("b.py", "2", "BUG"), edit("b.py", "BUG", "4")]);
    let chain = desk.call("simulate_chain", json!({"session_id": id, "edits": edits})).await.unwrap();
    let safe: Vec<&Value> = (0..3).map(|step| &chain["steps"][step]["safe_to_apply"]).collect();
    assert_eq!(safe, [&json!(true), &json!(false), &json!(true)], "{chain}");
    assert_eq!((&chain["safe_to_apply_through_step"], &chain["safe_to_apply"]), (&json!(3), &json!(true)));
}

#[tokio::test]
async fn prose_is_safe_while_it_stays_and_nothing_else_is_without_a_server() {
    let desk = Desk::new("//- /README.md\nold\n//- /notes.txt\nold\n//- /go.mod\nold\n");
    for (file, safe) in [("README.md", true), ("notes.txt", false), ("go.mod", false)] {
        let edit = json!({"file_path": file, "old_text": "old", "new_text": "new"});
        assert_eq!(desk.call("preview_edit", edit).await.unwrap()["safe_to_apply"], safe, "{file}");
    }
    let gone = json!({"documentChanges": [{"kind": "delete", "uri": bowline_code::uri::of(&desk.fixture.path("README.md"))}]});
    let gone = desk.call("preview_edit", json!({"workspace_edit": gone})).await.unwrap();
    assert_eq!(gone["safe_to_apply"], false, "it may be embedded somewhere");
}

#[tokio::test]
async fn looking_at_a_commit_elsewhere_writes_nothing() {
    let desk = Desk::new("//- /a/shop.py\nx = 1\n//- /b/shop.py\nx = 9\n");
    let arguments = json!({"workspace_root": desk.fixture.path("a"), "language": "python"});
    let made = desk.call("create_simulation_session", arguments).await.unwrap();
    let id = &made["session_id"];
    let edit = json!({"session_id": id, "file_path": "a/shop.py", "old_text": "1", "new_text": "2"});
    desk.call("simulate_edit", edit).await.unwrap();
    desk.call("commit_session", json!({"session_id": id, "target": "b"})).await.unwrap();
    let text = || bowline_std::fs::read_text(&desk.fixture.path("b/shop.py"), 100).unwrap().0;
    assert_eq!(text(), "x = 9\n");
    // What is there is not what the draft was made from; the draft itself is none the worse for it.
    let refused = desk.call("commit_session", json!({"session_id": id, "target": "b", "apply": true})).await;
    assert!(refused.unwrap_err().text().contains("has changed on disk"));
    assert_eq!(text(), "x = 9\n");
    desk.call("commit_session", json!({"session_id": id, "apply": true})).await.unwrap();
}

#[tokio::test]
async fn an_edit_that_changes_nothing_is_no_edit() {
    // With a server and without one.
    let desk = Desk::new("//- /shop.py\nx = 1\n//- /notes.txt\nold\n//- /README.md\nold\n");
    let nothing = "bad arguments: nothing would change: everything is so already";
    let text = |file: &str, text: &str| json!({"file_path": file, "old_text": text, "new_text": text});
    let range = json!({"file_path": "shop.py", "start_line": 1, "start_column": 1, "end_line": 1, "end_column": 2, "new_text": "x"});
    let shop = bowline_code::uri::of(&desk.fixture.path("shop.py"));
    let none = json!({"workspace_edit": {"changes": {shop: []}}});
    for edit in [text("shop.py", "1"), text("notes.txt", "old"), text("README.md", "old"), range, none] {
        let id = desk.begin().await;
        for tool in ["preview_edit", "simulate_edit"] {
            assert_eq!(desk.on(&id, tool, edit.clone()).await, nothing, "{tool} {edit}");
        }
        let refused = desk.call("preview_edit", edit.clone()).await.unwrap_err();
        assert_eq!(refused.text(), nothing, "{edit}");
        // A draft that was not edited is as it was made.
        let unedited = desk.on(&id, "evaluate_session", json!({})).await;
        assert!(unedited.contains("in state created"), "{unedited}");
    }
    for tool in ["safe_apply_edit", "safe_edit"] {
        assert_eq!(desk.call(tool, text("shop.py", "1")).await.unwrap_err().text(), nothing);
    }
}

#[tokio::test]
async fn a_draft_that_is_what_is_on_disk_is_not_called_safe() {
    let edit =
        |file: &str, old: &str, new: &str| json!({"file_path": file, "old_text": old, "new_text": new});
    for (file, old, new) in [("shop.py", "1", "2"), ("notes.txt", "old", "new"), ("README.md", "old", "new")]
    {
        let desk = Desk::new("//- /shop.py\nx = 1\n//- /notes.txt\nold\n//- /README.md\nold\n");
        let id = desk.begin().await;
        let said = |answer: &Value| (answer["safe_to_apply"].clone(), answer["confidence"].clone());
        let (away, back) = (edit(file, old, new), edit(file, new, old));
        desk.on(&id, "simulate_edit", away.clone()).await;
        let mut last = back.clone();
        last["session_id"] = json!(id);
        let previewed = desk.call("preview_edit", last).await.unwrap();
        assert_eq!(said(&previewed), (json!(false), json!("low")), "{previewed}");
        let answer = call_on(&desk.tools, "evaluate_session", json!({"session_id": id})).await.unwrap();
        assert_eq!(said(&answer.payload), (json!(false), json!("low")), "{}", answer.payload);
        assert!(answer.hint.unwrap().contains("nothing to prove"));
        let there_and_back = json!({"session_id": id, "edits": [away, back]});
        let chain = desk.call("simulate_chain", there_and_back).await.unwrap();
        assert_eq!(said(&chain["steps"][1]), (json!(false), json!("low")), "{chain}");
        assert_eq!(chain["safe_to_apply"], false, "{chain}");
        let idle = json!({"session_id": id, "edits": [edit(file, old, old)]});
        let chain = desk.call("simulate_chain", idle).await.unwrap();
        assert_eq!(
            (&chain["safe_to_apply"], &chain["safe_to_apply_through_step"]),
            (&json!(false), &json!(0))
        );
    }
}
