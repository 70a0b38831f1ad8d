//! The tools about skills, from outside: what they give, what they cut, and by which code each says no.

use std::os::unix::fs::symlink;

use bowline_testkit::Fixture;
use serde_json::{Value, json};

use crate::serve::Server;

/// What may come to a model, if nobody says otherwise.
const MOST: usize = 60_000;

/// A house whose person has skills of their own.
struct House {
    fixture: Fixture,
}

impl House {
    fn new(settings: &str) -> Self {
        let mut house = Self { fixture: crate::fixture() };
        house.settle(settings);
        house
    }

    fn settle(&mut self, settings: &str) {
        let root = self.fixture.path("mine");
        let text = format!("[skills]\nroots = [\"{}\"]\n{settings}", root.display());
        self.fixture.write("config/bowline/bowline.toml", &text);
    }

    fn skill(&mut self, name: &str, head: &str, body: &str) {
        let text = format!("---\nname: {name}\n{head}\n---\n{body}");
        self.fixture.write_bytes(&format!("mine/{name}/SKILL.md"), text.as_bytes());
    }

    fn file(&mut self, path: &str, bytes: &[u8]) {
        self.fixture.write_bytes(&format!("mine/{path}"), bytes);
    }

    fn enter(&self) -> Guest {
        Guest { server: Server::initialized(&self.fixture), asked: 1 }
    }
}

/// Whoever calls.
struct Guest {
    server: Server,
    asked: u64,
}

impl Guest {
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.asked += 1;
        let call = json!({"name": tool, "arguments": arguments});
        self.server
            .send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": call}));
        loop {
            let message = self.server.receive();
            // What a fence changes is told before the answer.
            if message["id"] == self.asked {
                return message["result"].clone();
            }
            assert_eq!(message["method"], "notifications/tools/list_changed", "{message}");
        }
    }

    fn answer(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        serde_json::from_str(text(&result)).unwrap()
    }

    fn load(&mut self, name: &str) -> Value {
        self.answer("skills_load", &json!({"name": name}))
    }

    /// The code of a refusal, and all of its text.
    fn refusal(&mut self, tool: &str, arguments: &Value) -> (String, String) {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = text(&result).to_owned();
        let data: Value = serde_json::from_str(text.rsplit("\n\n").next().unwrap()).unwrap();
        (data["error"].as_str().unwrap().to_owned(), text)
    }

    fn names(&mut self) -> Vec<String> {
        let listed = self.answer("skills_list", &json!({}));
        let skills = listed["skills"].as_array().unwrap();
        skills.iter().map(|skill| skill["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// Its warnings, as `CODE message`.
fn warnings(loaded: &Value) -> Vec<String> {
    let warnings = loaded["warnings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of = |key: &str, warning: &Value| warning[key].as_str().unwrap().to_owned();
    warnings.iter().map(|warning| of("code", warning) + " " + &of("message", warning)).collect()
}

const HEAD: &str = "description: Says how.";

#[test]
fn a_skill_is_listed_loaded_and_read() {
    let mut house = House::new("");
    house.skill("tie-knots", "description: Ties them.\nallowed-tools: Read Bash(git:*)", "# Knots\n");
    house.file("tie-knots/references/b.md", b"two");
    house.file("tie-knots/scripts/a.sh", b"one");
    house.file("tie-knots/references/.hidden", b"no");
    house.file("tie-knots/references/deep/c.md", b"no");
    let mut guest = house.enter();
    let listed = guest.answer("skills_list", &json!({}));
    assert_eq!(listed["skills"].as_array().unwrap().len(), 25);
    assert_eq!(listed["skills"][24], json!({"name": "tie-knots", "description": "Ties them."}));
    assert_eq!((listed.get("next_offset"), listed.get("rejected")), (None, None));
    let loaded = json!({
        "name": "tie-knots",
        "description": "Ties them.",
        "allowed_tools": ["Read", "Bash(git:*)"],
        "allowed_tools_raw": "Read Bash(git:*)",
        "body_markdown": "# Knots\n",
        "files": ["references/b.md", "scripts/a.sh"],
    });
    assert_eq!(guest.load("tie-knots"), loaded);
    assert_eq!(guest.load(" tie-knots\n"), loaded);
    let read = guest.answer("skills_read_file", &json!({"name": "tie-knots", "path": "scripts/a.sh"}));
    assert_eq!(read, json!({"path": "scripts/a.sh", "content": "one"}));
}

#[test]
fn a_file_is_had_by_a_path_of_one_form_only() {
    let mut house = House::new("max_bytes = 100\n");
    house.skill("meta", HEAD, "body");
    house.file("meta/references/a.md", b"text");
    house.file("meta/references/.hid", b"hidden");
    house.file("meta/references/sub/b.md", b"text");
    house.file("meta/references/full.md", &[b'x'; 100]);
    house.file("meta/references/over.md", &[b'x'; 101]);
    house.file("secret.md", b"not yours");
    symlink(house.fixture.path("mine/secret.md"), house.fixture.path("mine/meta/references/out.md")).unwrap();
    symlink("a.md", house.fixture.path("mine/meta/references/in.md")).unwrap();
    let mut guest = house.enter();
    let ask = |path: &str| json!({"name": "meta", "path": path});
    for path in ["references/a.md", " references/a.md ", "references\\a.md", "references/a.md\n"] {
        let read = guest.answer("skills_read_file", &ask(path));
        assert_eq!(read, json!({"path": path, "content": "text"}));
    }
    assert_eq!(guest.answer("skills_read_file", &ask("references/in.md"))["content"], "text");
    let full = guest.answer("skills_read_file", &ask("references/full.md"));
    assert_eq!(full["content"].as_str().unwrap().len(), 100);
    for (path, code) in [
        ("references/a.md/", "INVALID_PATH"),
        ("references/", "INVALID_PATH"),
        ("references", "INVALID_PATH"),
        ("REFERENCES/a.md", "INVALID_PATH"),
        ("references/../SKILL.md", "INVALID_PATH"),
        ("references/..", "INVALID_PATH"),
        ("references/sub/b.md", "INVALID_PATH"),
        ("references//a.md", "INVALID_PATH"),
        ("/references/a.md", "INVALID_PATH"),
        ("SKILL.md", "INVALID_PATH"),
        ("C:\\x", "INVALID_PATH"),
        ("~/x", "INVALID_PATH"),
        ("references/.hid", "FILE_NOT_FOUND"),
        ("references/sub", "FILE_NOT_FOUND"),
        ("references/%2e%2e", "FILE_NOT_FOUND"),
        ("references/none.md", "FILE_NOT_FOUND"),
        ("references/out.md", "FILE_NOT_FOUND"),
        ("references/over.md", "FILE_TOO_LARGE"),
        ("references/a\0.md", "ARGUMENT_ERROR"),
        ("", "ARGUMENT_ERROR"),
        (" \n", "ARGUMENT_ERROR"),
    ] {
        let (said, text) = guest.refusal("skills_read_file", &ask(path));
        assert_eq!(said, code, "{path:?}: {text}");
        assert!(!text.contains("not yours"), "{text}");
    }
}

#[test]
fn what_is_not_there_is_said_by_its_code_and_with_the_way_on() {
    let mut house = House::new("");
    house.skill("tie-knots", HEAD, "body");
    let mut guest = house.enter();
    for (name, hint) in [
        ("tie-knot", "Next step: did you mean `tie-knots`?"),
        ("TIE-KNOTS", "Next step: "),
        ("nothing-like-it", "Next step: skills_list says which there are"),
        ("../mine/tie-knots", "Next step: "),
    ] {
        for (tool, arguments) in [
            ("skills_load", json!({"name": name})),
            ("skills_read_file", json!({"name": name, "path": "references/a.md"})),
        ] {
            let (code, text) = guest.refusal(tool, &arguments);
            assert_eq!(code, "SKILL_NOT_FOUND", "{tool} {name}");
            assert!(text.contains(hint), "{text}");
        }
    }
    for name in ["", " ", "a\0b"] {
        let (code, text) = guest.refusal("skills_load", &json!({"name": name}));
        assert_eq!(code, "ARGUMENT_ERROR", "{name:?}: {text}");
    }
    let script = json!({"name": "tie-knots", "script": "scripts/a.sh", "args": ["x"]});
    let (code, text) = guest.refusal("skills_run_script", &script);
    assert_eq!(code, "NOT_IMPLEMENTED");
    assert!(text.contains("skills_read_file shows what it would do"), "{text}");
}

#[test]
fn a_long_body_is_cut_between_characters_and_that_is_said() {
    let mut house = House::new("");
    for (name, body) in [
        ("below", "x".repeat(MOST - 1)),
        ("full", "x".repeat(MOST)),
        ("over", "x".repeat(MOST + 1)),
        // The limit is within its last character.
        ("split", "x".repeat(MOST - 1) + "é"),
        ("fits", "x".repeat(MOST - 2) + "é"),
        // Twice as long on the wire.
        ("lines", "\n".repeat(MOST)),
    ] {
        house.skill(name, HEAD, &body);
    }
    let mut guest = house.enter();
    let cut = |kept: usize, total: usize| {
        format!("CONTENT_TRUNCATED the first {kept} of {total} bytes; the rest is left out")
    };
    for (name, kept, total) in [
        ("below", MOST - 1, None),
        ("full", MOST, None),
        ("over", MOST, Some(MOST + 1)),
        ("split", MOST - 1, Some(MOST + 1)),
        ("fits", MOST, None),
        ("lines", MOST / 2, Some(MOST)),
    ] {
        let loaded = guest.load(name);
        assert_eq!(loaded["body_markdown"].as_str().unwrap().len(), kept, "{name}");
        assert_eq!(warnings(&loaded), total.map(|total| cut(kept, total)).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn whatever_a_skill_brings_an_answer_stays_near_its_limit() {
    let mut house = House::new("");
    let tools: Vec<String> = (0..3_000).map(|number| format!("tool_{number}")).collect();
    house.skill(
        "heavy",
        &format!("description: {}\nallowed-tools: {}", "d".repeat(900), tools.join(" ")),
        &"\"\n".repeat(MOST),
    );
    for number in 0..250 {
        house.file(&format!("heavy/assets/{number:03}-{}", "n".repeat(200)), b"");
    }
    house.skill("many", HEAD, "body");
    for number in 0..250 {
        house.file(&format!("many/references/{number:03}.md"), b"text");
    }
    let mut guest = house.enter();
    let loaded = guest.call("skills_load", &json!({"name": "heavy"}));
    assert!(text(&loaded).len() < MOST + 10_000, "{} bytes", text(&loaded).len());
    let loaded: Value = serde_json::from_str(text(&loaded)).unwrap();
    assert!(loaded["body_markdown"].as_str().unwrap().len() >= MOST / 4);
    let said = warnings(&loaded).join("\n");
    for what in
        ["more files are there", "`allowed-tools` has more than 500 entries", "bytes; the rest is left out"]
    {
        assert!(said.contains(what), "{said}");
    }
    let many = guest.load("many");
    assert_eq!(many["files"].as_array().unwrap().len(), 200);
    assert_eq!(warnings(&many), ["CONTENT_TRUNCATED 50 more files are there and not listed"]);
    for (settings, most) in [("max_bytes = 1\n", 10_000), ("max_bytes = 10000\n", 20_000)] {
        house.settle(settings);
        let loaded = house.enter().call("skills_load", &json!({"name": "heavy"}));
        assert!(text(&loaded).len() < most, "{settings}: {} bytes", text(&loaded).len());
    }
    // What is not listed can be read.
    let last = guest.answer("skills_read_file", &json!({"name": "many", "path": "references/249.md"}));
    assert_eq!(last["content"], "text");
}

#[test]
fn a_listing_comes_in_pages_that_a_model_can_take() {
    let mut house = House::new("");
    for number in 0..60 {
        house.skill(&format!("s-{number:03}"), &format!("description: {}", "d".repeat(40_000)), "body");
    }
    let mut guest = house.enter();
    let (mut offset, mut names, mut pages) = (0, Vec::new(), 0);
    loop {
        let result = guest.call("skills_list", &json!({"offset": offset}));
        assert!(text(&result).len() <= MOST + 1_000, "{} bytes", text(&result).len());
        let page: Value = serde_json::from_str(text(&result)).unwrap();
        for skill in page["skills"].as_array().unwrap() {
            assert!(skill["description"].as_str().unwrap().chars().count() <= 1_536);
            names.push(skill["name"].as_str().unwrap().to_owned());
        }
        pages += 1;
        match page.get("next_offset") {
            Some(next) => offset = next.as_u64().unwrap(),
            None => break,
        }
    }
    assert_eq!((names.len(), pages), (84, 3));
    assert!(names.is_sorted() && names.iter().any(|name| name == "s-059"));
    // Behind the end there is nothing, and nothing more to ask for.
    assert_eq!(guest.answer("skills_list", &json!({"offset": 1_000}))["skills"], json!([]));
}

#[test]
fn what_is_doubtful_about_a_skill_comes_with_it() {
    let mut house = House::new("");
    house.skill("odd", &format!("{HEAD}\nversion: 1"), "Look: !`git diff`\n");
    house.file("odd/bad/SKILL.md", b"");
    house.file("broken/SKILL.md", b"no head");
    let mut guest = house.enter();
    let said = warnings(&guest.load("odd"));
    assert!(said.iter().all(|warning| warning.starts_with("SKILL_FORMAT SKILL.md:")), "{said:?}");
    assert!(said.iter().any(|warning| warning.contains("a command in the text is not run here")), "{said:?}");
    let listed = guest.answer("skills_list", &json!({}));
    assert_eq!(listed["rejected"], 1);
    let (code, text) = guest.refusal("skills_load", &json!({"name": "broken"}));
    assert_eq!((code.as_str(), text.contains("SKILL.md:1")), ("SKILL_NOT_FOUND", true), "{text}");
}

#[test]
fn what_a_list_of_tools_does_is_said_when_it_is_loaded() {
    let list = |tools: &str| format!("{HEAD}\nallowed-tools: {tools}");
    let setting = |mode: &str| format!("allowed_tools = \"{mode}\"\n");
    let only = "ALLOWED_TOOLS_ENFORCED from now on only what every loaded skill lists can be called, and what is always \
                there; tools left: ";
    let granted =
        "ALLOWED_TOOLS_ENFORCED what this skill lists is granted where nobody wrote a rule; tools listed: ";
    let unknown = "ALLOWED_TOOLS_UNKNOWN these entries of allowed-tools name no tool that there is: nope";
    let ignored = "ALLOWED_TOOLS_IGNORED allowed-tools of this skill does nothing here: NO_MATCHES";
    for (settings, head, expected) in [
        (String::new(), list("find_symbol"), vec![]),
        (setting("fence"), HEAD.to_owned(), vec![]),
        (setting("fence"), list("find_symbol mcp__bowline__list_symbols"), vec![format!("{only}2")]),
        (setting("fence"), list("nope"), vec![format!("{only}0"), unknown.to_owned()]),
        (
            setting("fence") + "invalid_allowlist = \"ignore\"\n",
            list("nope"),
            vec![ignored.to_owned(), unknown.to_owned()],
        ),
        (setting("grant"), list("find_symbol"), vec![format!("{granted}1")]),
    ] {
        let mut house = House::new(&settings);
        house.skill("narrow", &head, "body");
        let loaded = house.enter().load("narrow");
        assert_eq!(warnings(&loaded), expected, "{settings} {head}");
    }
    let mut house = House::new("allowed_tools = \"fence\"\ninvalid_allowlist = \"error\"\n");
    house.skill("narrow", &list("nope"), "body");
    let mut guest = house.enter();
    let (code, text) = guest.refusal("skills_load", &json!({"name": "narrow"}));
    assert_eq!(code, "ALLOWED_TOOLS_POLICY_ERROR", "{text}");
}

#[test]
fn skills_are_what_they_are_on_disk_at_the_moment() {
    let mut house = House::new("");
    house.skill("first", HEAD, "one");
    house.file("first/references/a.md", b"old");
    let mut guest = house.enter();
    assert_eq!(guest.load("first")["body_markdown"], "one");
    house.skill("first", HEAD, "two");
    house.file("first/references/a.md", b"new");
    house.file("first/references/b.md", b"more");
    house.skill("second", HEAD, "three");
    let loaded = guest.load("first");
    assert_eq!(loaded["body_markdown"], "two");
    assert_eq!(loaded["files"], json!(["references/a.md", "references/b.md"]));
    let read = guest.answer("skills_read_file", &json!({"name": "first", "path": "references/a.md"}));
    assert_eq!(read["content"], "new");
    assert!(guest.names().contains(&"second".to_owned()));
    std::fs::remove_dir_all(house.fixture.path("mine/first")).unwrap();
    assert!(!guest.names().contains(&"first".to_owned()));
    assert_eq!(guest.refusal("skills_load", &json!({"name": "first"})).0, "SKILL_NOT_FOUND");
    // One that cannot be read any more says why.
    house.file("second/SKILL.md", b"no head");
    let (code, text) = guest.refusal("skills_load", &json!({"name": "second"}));
    assert!(code == "SKILL_NOT_FOUND" && text.contains("is rejected: SKILL.md:1"), "{text}");
    assert_eq!(guest.answer("skills_list", &json!({}))["rejected"], 1);
}

#[test]
fn none_of_ours_is_stopped_by_its_own_list() {
    let house = House::new("allowed_tools = \"fence\"\n");
    let mut guest = house.enter();
    guest.load("lsp-rename");
    let references = json!({"file_path": "src/lib.rs", "symbol_path": "greet"});
    assert_ne!(guest.call("find_references", &references)["isError"], true);
    assert_ne!(guest.call("activate_skill", &json!({"skill_name": "lsp-verify"}))["isError"], true);
    let (code, _) = guest.refusal("format_document", &json!({"file_path": "src/lib.rs"}));
    assert_eq!(code, "TOOL_NOT_ALLOWED");
}

#[test]
fn what_was_read_is_on_the_record() {
    let mut house = House::new("");
    house.skill("mine", HEAD, "body");
    house.file("mine/references/a.md", b"text");
    let mut guest = house.enter();
    guest.load("mine");
    guest.answer("skills_read_file", &json!({"name": "mine", "path": "references/a.md"}));
    drop(guest.server.stdin.take());
    let Guest { server, .. } = guest;
    assert_eq!(server.ended(), Some(0));
    let (_, stdout, _) = crate::run(&house.fixture, &["audit", "show", "--skill", "mine*", "--json"]);
    let read: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Vec<_> = read.iter().map(|record| (&record["tool"], &record["skill"])).collect();
    let expected =
        [(json!("skills_load"), json!("mine")), (json!("skills_read_file"), json!("mine/references/a.md"))];
    assert_eq!(shown, expected.iter().map(|(tool, skill)| (tool, skill)).collect::<Vec<_>>());
}

#[test]
fn any_skill_with_a_sound_table_can_be_activated() {
    let mut house = House::new("");
    let table = |last: &str| {
        format!(
            "{HEAD}\nmetadata:\n  tool_permissions:\n    phases:\n      look:\n        allowed: [mcp__lsp__find_symbol]\n        \
             forbidden: [mcp__lsp__apply_edit]\n      edit:\n        allowed: [{last}]\n"
        )
    };
    house.skill("sound", &table("mcp__lsp__list_symbols, mcp__lsp__apply_edit"), "body");
    house.skill("stuck", &table("mcp__lsp__apply_edit"), "body");
    let mut guest = house.enter();
    let available = guest.answer("get_skill_phase", &json!({}))["available_skills"].clone();
    let expected = json!(["lsp-refactor", "lsp-rename", "lsp-safe-edit", "lsp-verify", "sound", "stuck"]);
    assert_eq!(available, expected);
    let stuck = guest.call("activate_skill", &json!({"skill_name": "stuck"}));
    assert!(text(&stuck).contains("SKILL.md:10: the phase `edit` cannot be reached"), "{stuck}");
    let sound = guest.answer("activate_skill", &json!({"skill_name": "sound", "mode": "block"}));
    assert_eq!((&sound["current_phase"], &sound["phase_index"]), (&json!("look"), &json!(0)));
}
