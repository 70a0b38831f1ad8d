//! `detect_changes` with real repositories: whose lines are meant, and who still uses what is gone.
#![expect(clippy::disallowed_methods, reason = "tests make repositories with git itself")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use bowline_call::{AnyAnswer, Registry};
use bowline_testkit::Fixture;
use bowline_tools::{House, all};
use bowline_workspace::{Options, ServerOptions, Workspace};
use serde_json::{Value, json};

use crate::call_on;

struct Repository {
    fixture: Fixture,
    tools: Registry,
}

impl Repository {
    /// A repository whose first commit holds these files.
    fn new(text: &str) -> Self {
        let fixture = Fixture::new(text);
        let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
        let environment = std::env::vars_os().collect();
        let workspace = Arc::new(workspace.with_servers(ServerOptions { specs: vec![], environment }));
        let house = House {
            workspace,
            path: std::ffi::OsString::new(),
            log_level: None,
            run_logs: None,
            skills: None,
        };
        let repository = Self { fixture, tools: Registry::new(all(&house)).unwrap() };
        repository.git(&["init", "-q", "-b", "main", "."]);
        repository.commit();
        repository
    }

    fn git(&self, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=n", "-c", "user.email=e@x"]).args(arguments);
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let said = git.current_dir(self.fixture.root()).output().unwrap();
        assert!(said.status.success(), "{arguments:?}: {said:?}");
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "message"]);
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        self.fixture.write_bytes(name, text.as_ref());
    }

    fn delete(&self, name: &str) {
        std::fs::remove_file(self.fixture.path(name)).unwrap();
    }

    async fn answer(&self, arguments: Value) -> AnyAnswer {
        call_on(&self.tools, "detect_changes", arguments).await.unwrap()
    }

    async fn changed(&self, arguments: Value) -> Vec<String> {
        let answer = self.answer(arguments).await;
        let listed = answer.payload["changed_symbols"].as_array().unwrap();
        listed.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    }

    /// `name file:line risk reason <- user file:line`
    fn removed(&self, answer: &AnyAnswer) -> Vec<String> {
        let place = |one: &Value| {
            let file = Path::new(one["file"].as_str().unwrap());
            let file = file.strip_prefix(self.fixture.root()).unwrap();
            format!("{} {}:{}", one["name"].as_str().unwrap(), file.display(), one["line"])
        };
        let listed = answer.payload["removed_symbols"].as_array().unwrap();
        let shown = listed.iter().map(|one| {
            let uses: Vec<String> = one["still_used"].as_array().unwrap().iter().map(place).collect();
            let uses = if uses.is_empty() { String::new() } else { format!(" <- {}", uses.join(", ")) };
            let (risk, reason) = (one["risk"].as_str().unwrap(), one["risk_reason"].as_str().unwrap());
            self.fixture.relative(&format!("{} {risk} {reason}{uses}", place(one)))
        });
        shown.collect()
    }

    async fn gone(&self, arguments: Value) -> Vec<String> {
        self.removed(&self.answer(arguments).await)
    }
}

const TWO: &str = "//- /a.py\ndef foo():\n    return 1\n\n\ndef bar():\n    return 2\n";

#[tokio::test]
async fn staged_lines_are_those_of_the_file_as_it_is_now() {
    let repository = Repository::new(TWO);
    repository.write("a.py", "def foo():\n    return 1\n\n\ndef bar():\n    return 3\n");
    repository.git(&["add", "-A"]);
    repository.write("a.py", "# 1\n# 2\n# 3\n# 4\ndef foo():\n    return 1\n\n\ndef bar():\n    return 3\n");
    assert_eq!(repository.changed(json!({"scope": "staged"})).await, ["bar"]);
}

#[tokio::test]
async fn committed_lines_are_those_of_the_file_as_it_is_now() {
    let repository = Repository::new(TWO);
    repository.write("a.py", "def foo():\n    return 1\n\n\ndef bar():\n    return 3\n");
    repository.commit();
    repository.write(
        "a.py",
        "def new():\n    return 0\n\n\ndef foo():\n    return 1\n\n\ndef bar():\n    return 3\n",
    );
    repository.commit();
    let asked = json!({"scope": "committed", "range": "HEAD~2..HEAD~1"});
    assert_eq!(repository.changed(asked.clone()).await, ["bar"]);
    repository.write("a.py", "def bar():\n    return 3\n");
    assert_eq!(repository.changed(asked.clone()).await, ["bar"], "what was above is gone");
    repository.write("a.py", "def foo():\n    return 1\n\n\ndef bar():\n    return 4 + 4\n");
    assert_eq!(repository.changed(asked.clone()).await, ["bar"], "written anew");
    repository.write("a.py", b"def foo():\n    return 1\n\n\ndef bar():\n    return '\0'\n");
    let answer = repository.answer(asked.clone()).await;
    let warnings = repository.fixture.relative(&answer.payload["warnings"].to_string());
    assert!(
        warnings.contains("changed since in a way that cannot be followed, so all of each counts: `/a.py`")
    );
    assert!(warnings.contains("is a binary file"), "{warnings}");
    repository.delete("a.py");
    let answer = repository.answer(asked).await;
    let warning = repository.fixture.relative(answer.payload["warnings"][0].as_str().unwrap());
    assert_eq!(warning, "removed or renamed since, so not looked at: `/a.py`");
    assert_eq!(answer.payload["removed_symbols"], json!([]), "another change took it away");
}

const SHOP: &str = "//- /shop/price.py\ndef foo():\n    return 1\n\n\ndef bar():\n    return 2\n\
                    //- /till/pay.py\nfrom shop.price import foo\n\n\ndef pay():\n    return foo()\n\
                    //- /tests/test_bar.py\nfrom shop.price import bar\n\n\ndef test_bar():\n    assert bar()\n";

#[tokio::test]
async fn a_removed_function_that_is_still_imported() {
    let repository = Repository::new(SHOP);
    assert_eq!(repository.gone(json!({})).await, [""; 0]);
    repository.write("shop/price.py", "\n\ndef bar():\n    return 2\n");
    let high = "foo shop/price.py:1 high still written in 1 files after it was removed <- pay.py till/pay.py:1, pay till/pay.py:5";
    let answer = repository.answer(json!({})).await;
    assert_eq!(repository.removed(&answer), [high]);
    assert_eq!(answer.hint.unwrap(), "1 symbols of high risk: look at their callers, and run their tests");
    repository.git(&["add", "-A"]);
    assert_eq!(repository.gone(json!({"scope": "staged"})).await, [high]);
    repository.commit();
    assert_eq!(repository.gone(json!({"scope": "committed"})).await, [high]);
    // Somebody has put it back.
    repository.write("shop/price.py", "def foo():\n    return 1\n\n\ndef bar():\n    return 2\n");
    assert_eq!(repository.gone(json!({"scope": "committed"})).await, [""; 0]);
}

#[tokio::test]
async fn renamed_deleted_and_used_only_by_tests() {
    let repository = Repository::new(SHOP);
    repository.write("shop/price.py", "def foo2():\n    return 1\n\n\ndef bar2():\n    return 2\n");
    let expected = [
        "foo shop/price.py:1 high still written in 1 files after it was removed <- pay.py till/pay.py:1, pay till/pay.py:5",
        "bar shop/price.py:5 medium only tests still use it <- test_bar.py tests/test_bar.py:1, test_bar tests/test_bar.py:5",
    ];
    assert_eq!(repository.gone(json!({})).await, expected);
    repository.delete("shop/price.py");
    let answer = repository.answer(json!({})).await;
    assert_eq!(repository.removed(&answer), expected);
    assert_eq!(answer.payload["warnings"], json!([]));
    repository.write("till/pay.py", "def pay():\n    return 1\n");
    repository.write("tests/test_bar.py", "def test_bar():\n    assert True\n");
    assert_eq!(
        repository.gone(json!({})).await,
        [
            "foo shop/price.py:1 low no other file mentions it by name",
            "bar shop/price.py:5 low no other file mentions it by name",
        ]
    );
    // A file of another name has lost nothing.
    repository.git(&["checkout", "-q", "."]);
    repository.git(&["mv", "shop/price.py", "shop/cost.py"]);
    assert_eq!(repository.gone(json!({"scope": "staged"})).await, [""; 0]);
}

#[tokio::test]
async fn what_has_moved_is_not_removed() {
    let repository = Repository::new(SHOP);
    repository.write("shop/price.py", "def bar():\n    return 2\n");
    repository.write("shop/other.py", "def foo():\n    return 1\n");
    assert_eq!(repository.gone(json!({})).await, ["foo shop/price.py:1 low moved to `/shop/other.py`"]);
    repository.write("shop/other.py", "class Other:\n    def foo(self):\n        return 1\n");
    let gone = repository.gone(json!({})).await;
    assert!(gone[0].starts_with("foo shop/price.py:1 high"), "{gone:?}");
}

#[tokio::test]
async fn a_type_stands_for_what_was_in_it_and_others_of_that_name_are_not_meant() {
    let text = "//- /src/a.rs\npub struct Knot;\nimpl Knot {\n    pub fn new() -> Knot { Knot }\n    pub fn tighten(&self) {}\n}\n\
                pub struct Rope;\nimpl Rope {\n    pub fn new() -> Rope { Rope }\n    pub fn cut(&self) { let inner = 1; }\n}\n\
                //- /src/b.rs\nuse crate::a::Knot;\npub struct Other;\nimpl Other {\n    pub fn new() -> Other { Other }\n}\n\
                pub fn go() {\n    let other = Other::new();\n    Knot::new().tighten();\n}\n";
    let repository = Repository::new(text);
    repository.write("src/a.rs", "pub struct Rope;\n");
    assert_eq!(
        repository.gone(json!({})).await,
        [
            "Knot src/a.rs:1 high still written in 1 files after it was removed <- b.rs src/b.rs:1, go src/b.rs:8",
            "Rope.new src/a.rs:8 medium still written in 1 files, which may mean others of that name <- go src/b.rs:8",
            "Rope.cut src/a.rs:9 low no other file mentions it by name",
        ]
    );
}

#[tokio::test]
async fn old_texts_that_are_no_text() {
    let repository = Repository::new("//- /use.py\nfrom latin import foo\n\nfoo()\n");
    repository.write("latin.py", b"# caf\xe9\ndef foo():\n    return 1\n");
    repository.write("binary.py", b"def foo():\0\n    return 1\n");
    repository.write("data.bin", b"\0\0");
    repository.commit();
    repository.write("latin.py", "x = 1\n");
    repository.write("binary.py", "x = 1\n");
    repository.write("data.bin", b"\0\x01");
    let answer = repository.answer(json!({})).await;
    assert_eq!(
        repository.removed(&answer),
        [
            "foo latin.py:2 high still written in 1 files after it was removed <- use.py use.py:1, use.py use.py:3"
        ]
    );
    let warnings = repository.fixture.relative(&answer.payload["warnings"].to_string());
    assert_eq!(
        warnings,
        r#"["what was removed from `/binary.py` is not known: of the old text, it is no text"]"#
    );
}

#[tokio::test]
async fn nothing_of_the_repository_is_run() {
    let repository = Repository::new(SHOP);
    let marker = repository.fixture.path("ran");
    let evil = format!("sh -c 'touch {}; cat'", marker.display());
    repository.write(".gitattributes", "*.py filter=f diff=d\n");
    for key in ["filter.f.clean", "filter.f.smudge", "filter.f.process", "diff.d.textconv", "diff.d.command"]
    {
        repository.git(&["config", key, &evil]);
    }
    repository.write("shop/price.py", "def bar():\n    return 2\n");
    for scope in ["unstaged", "staged", "committed"] {
        let answer = repository.answer(json!({"scope": scope})).await;
        let count = usize::from(scope == "unstaged");
        assert_eq!(repository.removed(&answer).len(), count, "{scope}: {}", answer.payload);
    }
    assert!(!marker.exists());
    repository.git(&["-c", "filter.f.process=", "diff", "--textconv"]);
    assert!(marker.exists(), "the trap does not work");
}
