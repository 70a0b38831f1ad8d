//! Tools that change files: what they say, what is on disk afterwards, and the way back.

use bowline_call::{Registry, ToolError};
use bowline_testkit::{Fixture, Script};
use bowline_tools::{House, all};
use bowline_workspace::servers::KNOWN;
use bowline_workspace::{Options, Reach, ServerOptions, ServerSpec, Workspace, Writer};
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
        let house = House::of(workspace);
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
    std::fs::create_dir(desk.fixture.path("dir")).unwrap();
    for folder in [
        json!({"kind": "delete", "uri": uri("dir"), "options": {"recursive": true}}),
        json!({"kind": "rename", "oldUri": uri("dir"), "newUri": uri("other")}),
    ] {
        let told = desk.say("apply_edit", json!({"workspace_edit": {"documentChanges": [folder]}})).await;
        assert!(told.contains("name each of its files"), "{told}");
    }
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
async fn a_rename_onto_a_name_that_is_there_is_refused() {
    let desk = Desk::new(
        "//- /a.py\ndef greet():\n    return 1\n\n\ndef two():\n    return 2\n//- /b.py\nfrom a import greet\n\nhail = greet()\n",
    );
    let to = |name: &str, globs: &[&str]| json!({"file_path": "a.py", "symbol_path": "greet", "new_name": name, "exclude_globs": globs, "dry_run": true});
    assert_snapshot!(desk.say("rename_symbol", to("two", &[])).await, @"bad arguments: `two` is declared already at /a.py:5; nothing was written");
    let told = desk.say("rename_symbol", to("hail", &[])).await;
    assert!(told.contains("`hail` is written already at 1 place(s)") && told.contains("/b.py:3"), "{told}");
    let told = desk.say("rename_symbol", to("new", &["c", "./b.py"])).await;
    assert!(told.contains("keep the old name by exclude_globs: b.py; `c` excluded nothing"), "{told}");
    for glob in ["!b.py", "../b.py"] {
        let told = desk.say("rename_symbol", to("new", &[glob])).await;
        assert!(told.starts_with("bad arguments: exclude_globs: "), "{told}");
    }
}

#[tokio::test]
async fn a_fix_is_made_as_the_server_wrote_it() {
    let desk = Desk::new("//- /a.py\nx = \"ä😀\"; y = BUG\n");
    let here = |more: Value| {
        let mut arguments = json!({"file_path": "a.py", "start_line": 1});
        arguments.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        arguments
    };
    assert_snapshot!(desk.say("suggest_fixes", here(json!({}))).await, @r#"[{"title":"Mend it","kind":"quickfix","isPreferred":true,"data":{"uri":"file:///a.py"},"edit":{"documentChanges":[{"textDocument":{"uri":"file:///a.py","version":1},"edits":[{"range":{"start":{"line":0,"character":15},"end":{"line":0,"character":18}},"newText":"cure"}]}]},"index":0},{"title":"Mend it by a command","command":{"title":"Mend","command":"fake.replace","arguments":["file:///a.py","BUG","cure"]},"index":1}]"#);
    let hint = call_on(&desk.tools, "suggest_fixes", here(json!({}))).await.unwrap().hint.unwrap();
    assert!(hint.ends_with("; 1 that cannot be made here are left out"), "{hint}");
    for (index, title) in [(0, "Mend it"), (1, "Mend it by a command")] {
        let apply = here(json!({"apply": index, "title": title}));
        let after = desk.and_back("suggest_fixes", apply, &["a.py"]).await;
        assert_eq!(after, ["x = \"ä😀\"; y = cure\n"], "{title}");
    }
    let moved = here(json!({"apply": 1, "title": "Mend it"}));
    desk.and_back("suggest_fixes", moved, &["a.py"]).await;
    assert_snapshot!(desk.say("suggest_fixes", here(json!({"apply": 1, "title": "Mend"}))).await, @"bad arguments: no `1: Mend` at that place; the server offers: Mend it; Mend it by a command");
    assert_snapshot!(desk.say("suggest_fixes", here(json!({"apply": 2}))).await, @"bad arguments: `Make it worse` cannot be done here: `fake-ls` refused `codeAction/resolve`: it cannot be worse (code -32602)");
    assert_snapshot!(desk.say("suggest_fixes", here(json!({"apply": 7}))).await, @"bad arguments: no `7` at that place; the server offers: Mend it; Mend it by a command");
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
    assert!(failed.starts_with("failed: `fake-ls` refused"), "{failed}");
    assert_eq!(desk.text("a.py"), "x = cure\n");
    assert_snapshot!(desk.say("execute_command", command("fake.unknown", json!([]))).await, @"bad arguments: no server knows `fake.unknown`; there are: fake.args, fake.fail, fake.replace");
    let outside = bowline_code::uri::of(&desk.fixture.path("../outside.py"));
    let refused = desk.say("execute_command", command("fake.replace", json!([outside, "a", "b"]))).await;
    assert!(refused.contains("no document"), "{refused}");
}

const SHELF: &str = r#"//- /shelf.py
import tools


# How long.
@staticmethod
def lonely(depth):
    """Nobody calls it but itself."""
    return lonely(depth - 1)


def used():
    return 1


@app.route("/")
def routed():
    return 2


def named_in_text():
    return 3


class Box:
    def open(self):
        return 4

    def __len__(self):
        return 5


def main():
    return used()
//- /other.py
import shelf

print(getattr(shelf, "named_in_text"))
thing.open()
"#;

#[tokio::test]
async fn a_symbol_is_deleted_only_if_nobody_misses_it() {
    let desk = Desk::new(SHELF);
    let symbol = |name: &str| json!({"file_path": "shelf.py", "symbol_path": name});
    let before = desk.text("shelf.py");
    for (name, expected) in [
        ("used", "symbol has 1 references; cannot safely delete. /shelf.py:33"),
        ("routed", "whoever reads the attribute `app.route` may use it without naming it"),
        ("named_in_text", "symbol has 1 references"),
        ("Box.open", "symbol has 1 references"),
        ("Box.__len__", "`__len__` is called by the language, whoever names it"),
        ("main", "`main` is called by the system, whoever names it"),
        ("nothing", "symbol `nothing` not found"),
    ] {
        let said = desk.say("safe_delete_symbol", symbol(name)).await;
        assert!(said.contains(expected), "{name}: {said}");
        assert_eq!(desk.text("shelf.py"), before, "{name}");
    }
    // Without a server, every file is looked through for the name.
    let by_name = super::ask("safe_delete_symbol", SHELF, symbol("named_in_text")).await;
    assert!(by_name.contains("its name stands in text, by which it can be found: /other.py:3"), "{by_name}");
    let after = desk.and_back("safe_delete_symbol", symbol("lonely"), &["shelf.py"]).await;
    assert_eq!(
        after[0],
        before.replacen(&before[before.find("# How").unwrap()..before.find("def used").unwrap()], "", 1)
    );
}

#[tokio::test]
async fn symbols_get_bodies_and_neighbours() {
    let desk = Desk::new(SHELF);
    let body = json!({"file_path": "shelf.py", "symbol_path": "Box.open", "new_body": "if self:\n    return 5\nreturn 6"});
    let after = desk.and_back("replace_symbol_body", body, &["shelf.py"]).await;
    assert!(
        after[0]
            .contains("    def open(self):\n        if self:\n            return 5\n        return 6\n\n"),
        "{}",
        after[0]
    );
    let above = json!({"file_path": "shelf.py", "symbol_path": "routed", "code": "def new():\n    return 0"});
    let after = desk.and_back("insert_before_symbol", above.clone(), &["shelf.py"]).await;
    assert!(after[0].contains("def new():\n    return 0\n\n\n@app.route"), "{}", after[0]);
    let after = desk.and_back("insert_after_symbol", above, &["shelf.py"]).await;
    assert!(after[0].contains("    return 2\n\n\ndef new():\n    return 0\n\n\ndef named"), "{}", after[0]);
    assert_snapshot!(desk.say("replace_symbol_body", json!({"file_path": "shelf.py", "symbol_path": "used", "new_body": "return ("})).await, @"bad arguments: `used` in `/shelf.py` is left as it is: afterwards line 12 cannot be read: `return (`");
    assert_snapshot!(desk.say("insert_after_symbol", json!({"file_path": "shelf.py", "symbol_path": "used", "code": ""})).await, @"bad arguments: `used` in `/shelf.py` is left as it is: there is no code to insert");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_none() {
    let fixture = Fixture::new(TWO);
    let known = KNOWN.iter().find(|known| known.language == "python").unwrap();
    let mut spec = ServerSpec::from_known(known);
    spec.reach = Reach::Program { program: "no-such-server".into(), args: Vec::new() };
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None)
        .unwrap()
        .with_servers(ServerOptions { specs: vec![spec], environment: Vec::new() });
    let house = House::of(workspace);
    let tools = Registry::new(all(&house)).unwrap();
    let rename = json!({"file_path": "a.py", "symbol_path": "greet", "new_name": "hail"});
    let error = call_on(&tools, "rename_symbol", rename).await.unwrap_err();
    assert!(matches!(error, ToolError::Unsupported { .. }), "{}", error.text());
    assert!(error.text().contains("no language server for"), "{}", error.text());
}
