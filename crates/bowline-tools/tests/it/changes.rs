//! Tools that change files: what they say, what is on disk afterwards, and the way back.

use std::ffi::OsString;
use std::sync::Arc;

use bowline_call::{Registry, ToolError};
use bowline_testkit::{Fixture, Script};
use bowline_tools::{House, all};
use bowline_workspace::Writer;
use insta::assert_snapshot;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{call_on, with_server};

pub(crate) struct Desk {
    pub(crate) fixture: Fixture,
    tools: Registry,
    _state: TempDir,
}

impl Desk {
    pub(crate) fn new(text: &str) -> Self {
        let fixture = Fixture::new(text);
        let state = tempfile::tempdir().unwrap();
        let script = Script { pull: true, ..Script::editing() }.to_argument();
        let journal = state.path().canonicalize().unwrap().join("writes");
        let workspace = with_server(&fixture, "fake-ls", &["--script", &script])
            .with_writer(Writer::new(vec![fixture.root().to_owned()], journal));
        let house = House { workspace: Arc::new(workspace), path: OsString::new(), log_level: None };
        Self { tools: Registry::new(all(&house)).unwrap(), fixture, _state: state }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Result<Value, ToolError> {
        call_on(&self.tools, tool, arguments).await.map(|answer| answer.payload)
    }

    /// The answer without the receipt, which is another each time.
    pub(crate) async fn say(&self, tool: &str, arguments: Value) -> String {
        let text = match self.call(tool, arguments).await {
            Ok(mut payload) => {
                if let Some(fields) = payload.as_object_mut() {
                    fields.remove("receipt");
                }
                payload.to_string()
            }
            Err(error) => error.text(),
        };
        let file = bowline_code::uri::of(self.fixture.root());
        self.fixture.relative(&text.replace(&file, "file://"))
    }

    pub(crate) fn text(&self, file: &str) -> String {
        bowline_std::fs::read_text(&self.fixture.path(file), 10_000).unwrap().0
    }

    /// Makes a change, and takes it back by its receipt.
    async fn and_back(&self, tool: &str, arguments: Value, files: &[&str]) -> Vec<String> {
        let texts = || files.iter().map(|file| self.text(file)).collect::<Vec<_>>();
        let before = texts();
        let made = self.call(tool, arguments).await.unwrap();
        let after = texts();
        assert_ne!(before, after, "{made}");
        self.call("undo_write", json!({"receipt": made["receipt"]})).await.unwrap();
        assert_eq!(texts(), before);
        after
    }
}

const TWO: &str = "//- /a.py\ndef greet():\n    return 1\n//- /b.py\nfrom a import greet\n\ngreet()\n";

#[tokio::test]
async fn a_text_is_replaced_where_it_stands_once() {
    let desk = Desk::new(TWO);
    let edit = |old: &str, new: &str| json!({"file_path": "a.py", "old_text": old, "new_text": new});
    assert_snapshot!(desk.say("apply_edit", edit("return 1", "return 2")).await, @r#"{"message":"Edit applied successfully","applied":true,"files":["/a.py"],"files_checked":2,"errors_after":0,"warnings_after":0}"#);
    assert_eq!(desk.text("a.py"), "def greet():\n    return 2\n");
    assert_snapshot!(desk.say("apply_edit", edit("return 2", "return BUG")).await, @r#"{"message":"Edit applied successfully","applied":true,"files":["/a.py"],"errors":[{"file":"/a.py","line":2,"col":12,"message":"found a BUG","severity":"error","source":"fake","code":"bug1"}],"errors_after":1,"warnings_after":0,"files_checked":2}"#);
    assert_snapshot!(desk.say("apply_edit", edit("re", "x")).await, @"bad arguments: old_text stands 2 times in `/a.py` (lines 1, 2); give more of the text around it");
    assert_snapshot!(desk.say("apply_edit", edit("nowhere", "x")).await, @"bad arguments: old_text not found in `/a.py`");
    assert_snapshot!(desk.say("apply_edit", edit("      return BUG", "      return 3")).await, @r#"{"message":"Edit applied successfully; old_text was found with other whitespace around its lines","applied":true,"files":["/a.py"],"files_checked":2,"errors_after":0,"warnings_after":0}"#);
    assert_snapshot!(desk.say("apply_edit", edit("return 3", "return 3")).await, @r#"{"message":"nothing to change: the files are so already","applied":false,"files":[]}"#);
    assert_snapshot!(desk.say("apply_edit", json!({"file_path": "a.py"})).await, @"bad arguments: workspace_edit is required (or supply file_path + old_text + new_text for text-match mode)");
    assert_snapshot!(desk.say("apply_edit", json!({"file_path": "../x.py", "old_text": "a", "new_text": "b"})).await, @"bad arguments: `../x.py` is outside the workspace; name a file under ``");
    assert_eq!(desk.text("a.py"), "def greet():\n    return 3\n");
}

#[tokio::test]
async fn a_workspace_edit_creates_renames_and_deletes() {
    let desk = Desk::new("//- /a.py\nx = 1\n//- /gone.py\ny = 2\n");
    let uri = |file: &str| bowline_code::uri::of(&desk.fixture.path(file));
    let at = |line: u32, character: u32| json!({"line": line, "character": character});
    let edit = json!({"documentChanges": [
        {"kind": "create", "uri": uri("new/c.py")},
        {"textDocument": {"uri": uri("new/c.py"), "version": null}, "edits": [{"range": {"start": at(0, 0), "end": at(0, 0)}, "newText": "z = 3\n"}]},
        {"kind": "rename", "oldUri": uri("a.py"), "newUri": uri("b.py")},
        {"textDocument": {"uri": uri("b.py"), "version": null}, "edits": [{"range": {"start": at(0, 4), "end": at(0, 5)}, "newText": "9"}]},
        {"kind": "delete", "uri": uri("gone.py")},
    ]});
    let made = desk.call("apply_edit", json!({"workspace_edit": edit})).await.unwrap();
    assert_eq!((desk.text("new/c.py"), desk.text("b.py")), ("z = 3\n".into(), "x = 9\n".into()));
    assert!(!desk.fixture.path("a.py").exists() && !desk.fixture.path("gone.py").exists());
    desk.call("undo_write", json!({"receipt": made["receipt"]})).await.unwrap();
    assert_eq!((desk.text("a.py"), desk.text("gone.py")), ("x = 1\n".into(), "y = 2\n".into()));
    assert!(!desk.fixture.path("b.py").exists() && !desk.fixture.path("new/c.py").exists());
    let half = json!({"documentChanges": [
        {"kind": "delete", "uri": uri("gone.py")},
        {"textDocument": {"uri": uri("a.py")}, "edits": [{"range": {"start": at(9, 0), "end": at(9, 0)}, "newText": "z"}]},
    ]});
    assert_snapshot!(desk.say("apply_edit", json!({"workspace_edit": half})).await, @"bad arguments: line 10 column 1 is not in `/a.py`: the last line is 2");
    assert!(desk.fixture.path("gone.py").exists(), "all of it or nothing");
}

#[tokio::test]
async fn a_rename_says_what_it_touches_and_does_just_that() {
    let desk = Desk::new(TWO);
    let at = |more: Value| {
        let mut arguments = json!({"file_path": "a.py", "symbol_path": "greet", "new_name": "hail"});
        arguments.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        arguments
    };
    assert_snapshot!(desk.say("rename_symbol", at(json!({"dry_run": true}))).await, @r#"{"workspace_edit":{"documentChanges":[{"textDocument":{"uri":"file:///a.py","version":1},"edits":[{"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":9}},"newText":"hail"}]},{"textDocument":{"uri":"file:///b.py","version":null},"edits":[{"range":{"start":{"line":0,"character":14},"end":{"line":0,"character":19}},"newText":"hail"},{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":5}},"newText":"hail"}]}]},"preview":{"files":2,"locations":3,"file_names":["a.py","b.py"],"touched":[{"file":"/a.py","locations":1},{"file":"/b.py","locations":2}],"note":"nothing was written; call again without dry_run to rename"}}"#);
    assert_eq!(desk.text("a.py"), "def greet():\n    return 1\n", "nothing is written");
    let after = desk.and_back("rename_symbol", at(json!({})), &["a.py", "b.py"]).await;
    assert_eq!(after, ["def hail():\n    return 1\n", "from a import hail\n\nhail()\n"]);
    assert_snapshot!(desk.say("rename_symbol", at(json!({"exclude_globs": ["**/b.*"]}))).await, @r#"{"message":"Renamed to \"hail\" across 1 location(s) in 1 file(s): a.py; 1 file(s) keep the old name by exclude_globs: b.py","applied":true,"files":["/a.py"],"files_checked":2,"errors_after":0,"warnings_after":0}"#);
    assert_eq!(desk.text("b.py"), "from a import greet\n\ngreet()\n");
    assert_snapshot!(desk.say("rename_symbol", json!({"file_path": "a.py", "symbol_path": "hail", "new_name": "two words"})).await, @"bad arguments: that would break the syntax of `/a.py`: line 1; nothing was written");
    assert_snapshot!(desk.say("rename_symbol", json!({"file_path": "a.py", "symbol_path": "hail", "new_name": " "})).await, @"bad arguments: new_name is empty");
    assert_snapshot!(desk.say("rename_symbol", at(json!({"exclude_globs": ["a["]}))).await, @"bad arguments: exclude_globs: `a[` is not a glob: unclosed character class; missing ']'");
    assert_eq!(desk.text("a.py"), "def hail():\n    return 1\n");
}

#[tokio::test]
async fn a_fix_is_made_as_the_server_wrote_it() {
    let desk = Desk::new("//- /a.py\nx = \"ä😀\"; y = BUG\n");
    let here = |more: Value| {
        let mut arguments = json!({"file_path": "a.py", "start_line": 1});
        arguments.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        arguments
    };
    assert_snapshot!(desk.say("suggest_fixes", here(json!({}))).await, @r#"[{"title":"Mend it","kind":"quickfix","isPreferred":true,"data":{"uri":"file:///a.py"},"edit":{"documentChanges":[{"textDocument":{"uri":"file:///a.py","version":1},"edits":[{"range":{"start":{"line":0,"character":15},"end":{"line":0,"character":18}},"newText":"cure"}]}]},"index":0},{"title":"Mend it by a command","command":{"title":"Mend","command":"fake.replace","arguments":["file:///a.py","BUG","cure"]},"index":1},{"title":"Make it worse","kind":"refactor","data":{"fails":true},"disabled":{"reason":"`fake-ls` refused `codeAction/resolve`: it cannot be worse (code -32602)"},"index":2}]"#);
    for (index, title) in [(0, "Mend it"), (1, "Mend it by a command")] {
        let apply = here(json!({"apply": index, "title": title}));
        let after = desk.and_back("suggest_fixes", apply, &["a.py"]).await;
        assert_eq!(after, ["x = \"ä😀\"; y = cure\n"], "{title}");
    }
    assert_snapshot!(desk.say("suggest_fixes", here(json!({"apply": 1, "title": "Mend it"}))).await, @"bad arguments: no `1: Mend it` at that place; the server offers: Mend it; Mend it by a command; Make it worse");
    assert_snapshot!(desk.say("suggest_fixes", here(json!({"apply": 2}))).await, @"bad arguments: `Make it worse` cannot be done here: `fake-ls` refused `codeAction/resolve`: it cannot be worse (code -32602)");
    assert_snapshot!(desk.say("suggest_fixes", here(json!({"apply": 7}))).await, @"bad arguments: no `7` at that place; the server offers: Mend it; Mend it by a command; Make it worse");
    assert_snapshot!(desk.say("suggest_fixes", here(json!({"apply": -1}))).await, @"bad arguments: apply must be >= 0, got -1");
    assert_eq!(desk.text("a.py"), "x = \"ä😀\"; y = BUG\n");
}

#[tokio::test]
async fn a_layout_is_written_if_asked_for() {
    let desk = Desk::new("//- /a.py\nx = 1  \ny = 2\t\n");
    assert_snapshot!(desk.say("format_document", json!({"file_path": "a.py"})).await, @r#"[{"range":{"start":{"line":0,"character":5},"end":{"line":0,"character":7}},"newText":""},{"range":{"start":{"line":1,"character":5},"end":{"line":1,"character":6}},"newText":""}]"#);
    assert_eq!(desk.text("a.py"), "x = 1  \ny = 2\t\n");
    let after =
        desk.and_back("format_document", json!({"file_path": "a.py", "apply": true}), &["a.py"]).await;
    assert_eq!(after, ["x = 1\ny = 2\n"]);
    desk.call("format_document", json!({"file_path": "a.py", "apply": true, "check": false})).await.unwrap();
    assert_snapshot!(desk.say("format_document", json!({"file_path": "a.py", "apply": true})).await, @r#"{"message":"nothing to change: the files are so already","applied":false,"files":[]}"#);
    assert_snapshot!(desk.say("format_range", json!({"file_path": "a.py", "apply": true})).await, @"unsupported: `fake-ls` does not offer formatting of parts");
}

#[tokio::test]
async fn a_command_edits_through_the_one_writer() {
    let desk = Desk::new("//- /a.py\nx = BUG\n");
    let uri = bowline_code::uri::of(&desk.fixture.path("a.py"));
    let command =
        |name: &str, arguments: Value| json!({"command": name, "arguments": arguments, "file_path": "a.py"});
    let scalars = json!([1, "two", null, true, [3.5], {"six": 7}]);
    assert_eq!(desk.call("execute_command", command("fake.args", scalars.clone())).await.unwrap(), scalars);
    let made =
        desk.call("execute_command", command("fake.replace", json!([uri, "BUG", "cure"]))).await.unwrap();
    assert_eq!(made["result"], json!({"applied": true}));
    assert_eq!(desk.text("a.py"), "x = cure\n");
    desk.call("undo_write", json!({"receipt": made["edits"][0]["receipt"]})).await.unwrap();
    assert_eq!(desk.text("a.py"), "x = BUG\n");
    let failed = desk.say("execute_command", command("fake.fail", json!([uri, "BUG", "cure"]))).await;
    assert!(
        failed.contains("it failed in the end") && failed.contains("before that it changed 1 file(s)"),
        "{failed}"
    );
    assert_eq!(desk.text("a.py"), "x = cure\n");
    assert_snapshot!(desk.say("execute_command", command("fake.unknown", json!([]))).await, @"bad arguments: no server knows `fake.unknown`; there are: fake.args, fake.fail, fake.replace");
    let outside = bowline_code::uri::of(&desk.fixture.path("../outside.py"));
    let refused = desk.say("execute_command", command("fake.replace", json!([outside, "a", "b"]))).await;
    assert!(refused.contains("no document"), "{refused}");
}
