//! Servers of large projects are limited to what is worked on, and say so. The server is `fake-ls`, which asks for its
//! settings and follows them as pyright does.

use std::path::Path;

use bowline_code::Position;
use bowline_testkit::Fixture;
use bowline_workspace::{Found, Options, References, ScopeWish, ServerOptions, ServerSpec, Workspace};

use super::served::fake;
use super::{patient, place};

/// Large enough: five packages of a hundred files, and one file that is asked about in the first.
fn large() -> Fixture {
    let mut fixture = Fixture::new("");
    for package in ["a", "b", "c", "d", "e"] {
        fixture.write(&format!("{package}/__init__.py"), "");
        for number in 0..100 {
            fixture.write_bytes(&format!("{package}/m{number}.py"), b"x = 1\n");
        }
    }
    fixture.write("a/here.py", "import b\n\ndef greet():\n    pass\n\ngreet()\n");
    fixture.write("c/there.py", "import d.m1\n\ndef other():\n    pass\n\nother()\n");
    fixture
}

fn pyright(log: &Path) -> ServerSpec {
    let script = r#"{"name": "pyright-langserver", "reads_settings": "python"}"#;
    let spec = fake(&["--script", script, "--log", log.to_str().unwrap()]);
    ServerSpec { name: "pyright-langserver".into(), ..spec }
}

struct Bench {
    fixture: Fixture,
    workspace: Workspace,
    log: tempfile::NamedTempFile,
}

fn bench_with(fixture: Fixture, options: Options, change: impl FnOnce(&mut ServerSpec)) -> Bench {
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut spec = pyright(log.path());
    change(&mut spec);
    let environment = std::env::vars_os().collect();
    let workspace = Workspace::new(options, vec![fixture.root().to_owned()], None)
        .unwrap()
        .with_servers(ServerOptions { specs: vec![spec], environment });
    Bench { fixture, workspace, log }
}

fn bench(fixture: Fixture) -> Bench {
    bench_with(fixture, Options::default(), |_| ())
}

impl Bench {
    async fn references(&self, file: &str, line: u32) -> Found<References> {
        self.workspace.references(Path::new(file), Position::new(line, 5), false, &patient()).await.unwrap()
    }

    /// The uses of `greet`, who found them, and what was noted.
    async fn greet(&self) -> String {
        let found = self.references("a/here.py", 3).await;
        let mut lines: Vec<String> =
            found.value.places.iter().map(|location| place(&self.fixture, location)).collect();
        lines.push(format!("{} indexed={}", found.engine.as_str(), found.indexed));
        lines.extend(found.note);
        lines.join("\n")
    }

    /// What the server was answered when it asked for its settings, one after the other.
    fn included(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.log.path()).unwrap();
        let messages = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        messages
            .filter(|message| message["kind"] == "response" && message["method"] == "workspace/configuration")
            .map(|message| {
                let places = message["params"][0]["analysis"]["include"].as_array().cloned();
                let places = places.unwrap_or_default();
                places.iter().map(|place| place.as_str().unwrap()).collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    async fn opened(&self, file: &str) -> String {
        let scoped = self.workspace.opened(Path::new(file), &patient()).await.unwrap();
        scoped.map_or_else(|| "everything".to_owned(), |scoped| scoped.places.join(" "))
    }

    async fn wish(&self, wish: &str) -> String {
        let wish = ScopeWish::parse(wish);
        match self.workspace.set_scope("python", self.fixture.root(), &wish, &patient()).await {
            Ok(scoped) => scoped.map_or_else(|| "everything".to_owned(), |scoped| scoped.places.join(" ")),
            Err(error) => self.fixture.relative(&format!("error: {error}")),
        }
    }
}

#[tokio::test]
async fn a_large_project_is_limited_to_the_package_and_what_it_imports() {
    let bench = bench(large());
    bench.workspace.hover(Path::new("a/here.py"), Position::new(3, 5), &patient()).await.unwrap();
    assert_eq!(bench.greet().await, "/a/here.py:6:1-6\nserver indexed=true", "no other file has the name");
    assert_eq!(bench.included(), ["a b"], "from its beginning, and only once");
}

#[tokio::test]
async fn files_elsewhere_that_hold_the_name_are_looked_at() {
    let mut fixture = large();
    fixture.write("e/user.py", "from a.here import greet\ngreet()\n");
    fixture.write(".gitignore", "made/\n");
    fixture.write("made/user.py", "from a.here import greet\n");
    let bench = bench(fixture);
    let told = bench.greet().await;
    assert_eq!(
        told,
        "/a/here.py:6:1-6\n/e/user.py:1:20-25\n/e/user.py:2:1-6\n/made/user.py:1:20-25\nserver indexed=true"
    );
    assert_eq!(bench.included().last().unwrap(), "a b e/user.py made/user.py");
    assert_eq!(bench.opened("a/m1.py").await, "a b", "what a reader is told of are packages");
}

#[tokio::test]
async fn a_name_that_many_files_hold_widens_it_by_directories_and_not_for_ever() {
    let fixture = large();
    for number in 0..40 {
        fixture.write_bytes(&format!("d/m{number}.py"), b"greet\n");
    }
    let mut bench = bench(fixture);
    assert!(bench.greet().await.ends_with("/d/m9.py:1:1-6\nserver indexed=true"));
    assert_eq!(bench.included().last().unwrap(), "a b d");
    for number in 0..250 {
        bench.fixture.write(&format!("many{number}/x.py"), "greet\n");
    }
    let told = bench.greet().await;
    assert!(told.ends_with("server indexed=false\nlimited to `a`, `b`: 453 files elsewhere were not looked at; start_lsp with scope \"\" lifts it"), "{told}");
}

#[tokio::test]
async fn a_name_that_may_go_by_another_proves_nothing() {
    let mut fixture = large();
    fixture.write("a/here.py", "from x import y as greet\n\ngreet()\n\ndef f():\n    greet()\n");
    let bench = bench(fixture);
    let found = bench.references("a/here.py", 3).await;
    assert!(!found.indexed, "{found:?}");
    assert_eq!(
        found.note.as_deref(),
        Some("limited to `a`: 405 files elsewhere were not looked at; start_lsp with scope \"\" lifts it")
    );
}

#[tokio::test]
async fn the_scope_follows_what_is_opened() {
    let bench = bench(large());
    assert_eq!(bench.opened("a/here.py").await, "a b");
    bench.greet().await;
    assert_eq!(bench.opened("a/m3.py").await, "a b", "the same package");
    assert_eq!(bench.opened("c/there.py").await, "a b c d", "it grows");
    let found = bench.references("c/there.py", 3).await;
    assert!(found.indexed && found.value.total == 1, "{found:?}");
    assert_eq!(bench.included(), ["a b", "a b c d"]);
    let hover = bench.workspace.hover(Path::new("e/m1.py"), Position::new(1, 1), &patient()).await;
    hover.unwrap();
    assert_eq!(bench.included().len(), 2, "a question about one file does not move it");
}

#[tokio::test]
async fn a_scope_set_by_hand_is_kept_and_said() {
    let mut fixture = large();
    fixture.write("e/user.py", "from a.here import greet\ngreet()\n");
    let bench = bench(fixture);
    assert_eq!(bench.wish("a, b").await, "a b");
    assert_eq!(
        bench.greet().await,
        "/a/here.py:6:1-6\nserver indexed=false\nlimited to `a`, `b`: 305 files elsewhere were not looked at; start_lsp with scope \"\" lifts it"
    );
    assert_eq!(bench.opened("e/user.py").await, "a b", "it does not follow");
    assert_eq!(bench.wish(r#"["e", "a"]"#).await, "a e");
    assert!(bench.greet().await.ends_with("/e/user.py:2:1-6\nserver indexed=true"));
    assert_eq!(bench.wish("").await, "everything");
    assert!(bench.greet().await.ends_with("server indexed=true"));
    assert_eq!(bench.opened("c/there.py").await, "everything", "lifted it stays lifted");
    assert_eq!(bench.included(), ["a b", "a e", ""]);
    assert!(bench.wish("auto").await.starts_with("a b"));
}

#[tokio::test]
async fn what_is_no_directory_of_the_project_is_refused() {
    let bench = bench(large());
    assert_eq!(
        bench.wish("a,nowhere").await,
        "error: cannot limit a language server to `nowhere`: there is no such directory"
    );
    assert_eq!(
        bench.wish("a/here.py").await,
        "error: cannot limit a language server to `a/here.py`: there is no such directory"
    );
    let outside = bench.wish("..").await;
    assert!(outside.contains("outside the workspace"), "{outside}");
    assert_eq!(bench.wish(".").await, "everything");
    assert_eq!(bench.included(), [""; 0], "nothing was started for it");
}

#[tokio::test]
async fn a_small_project_is_seen_whole() {
    let bench = bench(Fixture::new(
        "//- /a/__init__.py\n\n//- /a/here.py\nimport b\n\ndef greet():\n    pass\n//- /c/x.py\ngreet\n",
    ));
    assert_eq!(bench.greet().await, "/c/x.py:1:1-6\nserver indexed=true");
    assert_eq!(bench.included(), [""]);
    assert_eq!(bench.opened("c/x.py").await, "everything");
}

#[tokio::test]
async fn it_can_be_switched_off() {
    let options = Options { selective_indexing: false, ..Options::default() };
    let bench = bench_with(large(), options, |_| ());
    assert!(bench.greet().await.ends_with("server indexed=true"));
    assert_eq!(
        (bench.included(), bench.opened("a/here.py").await),
        (vec![String::new()], "everything".into())
    );
}

#[tokio::test]
async fn what_the_user_configured_is_respected() {
    for (file, text) in [("pyrightconfig.json", "{}"), ("pyproject.toml", "[tool.pyright]\nstrict = []\n")] {
        let mut fixture = large();
        fixture.write(file, text);
        let bench = bench(fixture);
        assert!(bench.greet().await.ends_with("server indexed=true"), "{file}");
        assert_eq!(bench.included(), [""], "{file}");
        let refused = bench.wish("a").await;
        assert!(refused.starts_with("error: `pyright-langserver` is not limited: "), "{refused}");
        assert!(refused.contains(file), "{refused}");
        assert_eq!(std::fs::read_to_string(bench.fixture.path(file)).unwrap(), text);
    }
    let settings = serde_json::json!({"python": {"analysis": {"include": ["e"]}}});
    let bench = bench_with(large(), Options::default(), |spec| spec.settings = Some(settings));
    bench.greet().await;
    assert!(bench.included().iter().all(|places| places == "e"), "{:?}", bench.included());
}

#[tokio::test]
async fn a_configuration_that_comes_later_lifts_the_scope() {
    let mut bench = bench(large());
    assert_eq!(bench.opened("a/here.py").await, "a b");
    bench.greet().await;
    bench.fixture.write("pyrightconfig.json", "{}");
    assert_eq!(bench.opened("c/there.py").await, "everything");
    assert!(bench.greet().await.ends_with("server indexed=true"));
    assert_eq!(bench.included(), ["a b", ""]);
}

#[tokio::test]
async fn the_next_life_is_limited_too() {
    let bench = bench(large());
    bench.greet().await;
    let pid = bench.workspace.server_statuses()[0].pid.unwrap();
    assert!(std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
    assert_eq!(bench.greet().await, "/a/here.py:6:1-6\nserver indexed=true");
    assert!(bench.included().iter().all(|places| places == "a b"), "{:?}", bench.included());
}

#[tokio::test]
async fn other_servers_scope_themselves() {
    let bench = bench_with(large(), Options::default(), |spec| spec.name = "fake-ls".into());
    bench.workspace.hover(Path::new("a/here.py"), Position::new(3, 5), &patient()).await.unwrap();
    let refused = bench.wish("a").await;
    assert_eq!(
        refused,
        "error: `fake-ls` decides itself which files of `python` it looks at; only pyright and typescript-language-server can be limited"
    );
    assert_eq!(bench.wish("").await, "everything");
    // It has heard everything before it ends.
    bench.workspace.stop_servers().await;
    assert_eq!(bench.included(), [""]);
}

#[tokio::test]
async fn who_goes_on_to_ask_about_all_of_it_is_given_all_of_it() {
    let mut fixture = large();
    fixture.write("a/here.py", "def one(): pass\ndef two(): pass\ndef three(): pass\n");
    for (name, package) in [("one", "c"), ("two", "d"), ("three", "e")] {
        fixture.write(&format!("{package}/user.py"), &format!("from a.here import {name}\n"));
    }
    let bench = bench(fixture);
    for line in 1..=3 {
        let found = bench.references("a/here.py", line).await;
        assert!(found.indexed && found.value.total == 1, "{found:?}");
    }
    // Each time it would read its project again.
    assert_eq!(bench.included(), ["a c/user.py", "a c/user.py d/user.py", ""]);
    assert_eq!(bench.opened("a/here.py").await, "everything");
}
