//! Questions that a language server answers, and what becomes of them when it cannot. The server is `fake-ls`, which
//! knows words: its references are what is written, not what is meant, so its answers differ from those of syntax.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use bowline_code::{Engine, Position, Severity};
use bowline_lsp::{Limits, Reach, ServerSpec, SpokenLanguage};
use bowline_testkit::{Fixture, fake_ls};
use bowline_workspace::{
    Found, Options, Patience, References, ServerOptions, Was, Workspace, WorkspaceError,
};

use super::{patient, place};

const TWO: &str = "//- /a.py\ndef greet():\n    pass\n//- /b.py\nfrom a import greet\n\ngr$0eet()\n# greet\n";

/// A server of Python that behaves as these words say.
pub(super) fn fake(args: &[&str]) -> ServerSpec {
    ServerSpec {
        name: "fake-ls".into(),
        reach: Reach::Program {
            program: fake_ls().to_str().unwrap().into(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        },
        asked_for: true,
        languages: vec![SpokenLanguage { id: "python".into(), extensions: vec!["py".into()], names: vec![] }],
        root_markers: vec![],
        initialization_options: None,
        settings: None,
        env: BTreeMap::default(),
        limits: Limits::default(),
    }
}

pub(super) fn with(fixture: &Fixture, specs: Vec<ServerSpec>) -> Workspace {
    let environment = std::env::vars_os().collect();
    Workspace::new(Options::default(), vec![fixture.root().to_owned()], None)
        .unwrap()
        .with_servers(ServerOptions { specs, environment })
}

fn within(time: Duration) -> Patience<'static> {
    Patience { deadline: Some(Instant::now() + time), ..Patience::default() }
}

/// The answer on a few lines: the places, who found them, and what was noted.
fn told(fixture: &Fixture, found: Result<Found<References>, WorkspaceError>) -> String {
    let found = match found {
        Ok(found) => found,
        Err(error) => return fixture.relative(&format!("error: {error}")),
    };
    let mut lines: Vec<String> = found.value.places.iter().map(|location| place(fixture, location)).collect();
    lines.push(format!("{} indexed={}", found.engine.as_str(), found.indexed));
    lines.extend(found.note);
    fixture.relative(&lines.join("\n"))
}

async fn references(fixture: &Fixture, workspace: &Workspace, patience: &Patience<'_>) -> String {
    let (path, at) = fixture.cursor();
    told(fixture, workspace.references(&path, at, false, patience).await)
}

#[tokio::test]
async fn the_server_answers_where_there_is_one() {
    let fixture = Fixture::new(TWO);
    let workspace = with(&fixture, vec![fake(&[])]);
    // The comment is a use for the fake, and none for syntax.
    assert_eq!(
        references(&fixture, &workspace, &patient()).await,
        "/b.py:1:15-20\n/b.py:3:1-6\n/b.py:4:3-8\nserver indexed=true"
    );
    let (path, at) = fixture.cursor();
    let found = workspace.definition(&path, at, &patient()).await.unwrap();
    assert_eq!(
        (place(&fixture, &found.value[0].location), found.engine),
        ("/a.py:1:5-10".into(), Engine::Server)
    );
    let hover = workspace.hover(&path, at, &patient()).await.unwrap();
    assert!(hover.value.unwrap().text.contains("greet"));
    let outline = workspace.outline(Path::new("a.py"), &patient()).await.unwrap();
    assert_eq!((outline.value.symbols[0].name.as_str(), outline.engine), ("greet", Engine::Server));
}

#[tokio::test]
async fn a_server_that_dies_is_started_again_and_asked_again() {
    let fixture = Fixture::new(TWO);
    let workspace = with(&fixture, vec![fake(&["die-once"])]);
    let told = references(&fixture, &workspace, &patient()).await;
    assert!(told.ends_with("server indexed=true"), "{told}");
    assert_eq!(workspace.server_statuses()[0].restarts, 1);
}

#[tokio::test]
async fn a_server_that_always_dies_is_named_and_syntax_answers() {
    let fixture = Fixture::new(TWO);
    let workspace = with(&fixture, vec![fake(&["die-on-open"])]);
    let began = Instant::now();
    assert_eq!(
        references(&fixture, &workspace, &patient()).await,
        "/b.py:1:15-20\n/b.py:3:1-6\nsyntax indexed=true\nanswered without the language server: `fake-ls` exited with code 1; it said: fatal: cannot read project"
    );
    assert!(began.elapsed() < Duration::from_secs(5));
    let (path, at) = fixture.cursor();
    let hover = workspace.hover(&path, at, &patient()).await.unwrap_err();
    assert!(hover.to_string().starts_with("`fake-ls` exited with code 1"), "{hover}");
}

#[tokio::test]
async fn a_failed_server_is_never_covered_up_by_an_empty_answer() {
    let fixture = Fixture::new("//- /a.py\ndef un$0used():\n    pass\n");
    let workspace = with(&fixture, vec![fake(&["die-on-open"])]);
    let told = references(&fixture, &workspace, &patient()).await;
    assert!(told.starts_with("error: `fake-ls` exited with code 1"), "{told}");
}

#[tokio::test]
async fn a_silent_server_leaves_time_for_another_answer() {
    for mode in ["mute", "silent"] {
        let fixture = Fixture::new(TWO);
        let workspace = with(&fixture, vec![fake(&[mode])]);
        let told = references(&fixture, &workspace, &within(Duration::from_millis(1500))).await;
        let why = match mode {
            "mute" => "has not answered the handshake after 1.2 s (it is given 300 s)",
            _ => "is still indexing",
        };
        assert!(told.starts_with("/b.py:1:15-20\n/b.py:3:1-6\nsyntax indexed=true\nanswered without the language server: `fake-ls` "), "{told}");
        assert!(
            told.contains(why) || told.contains("has not answered the handshake after"),
            "{mode}: {told}"
        );
    }
}

#[tokio::test]
async fn one_broken_server_takes_no_other_along() {
    let fixture = Fixture::new("//- /a.py\ndef greet():\n    gr$0eet()\n//- /b.go\npackage b\n");
    let mut missing = fake(&[]);
    missing.reach = Reach::Program { program: "/none/such".into(), args: vec![] };
    missing.languages =
        vec![SpokenLanguage { id: "go".into(), extensions: vec!["go".into()], names: vec![] }];
    let workspace = with(&fixture, vec![missing, fake(&[])]);
    let go = workspace.hover(Path::new("b.go"), Position::new(1, 1), &patient()).await.unwrap_err();
    assert!(go.to_string().contains("/none/such"), "{go}");
    assert!(references(&fixture, &workspace, &patient()).await.ends_with("server indexed=true"));
}

#[tokio::test]
async fn what_is_merely_known_may_be_missing_without_a_word() {
    let fixture = Fixture::new(TWO);
    let mut known = fake(&[]);
    known.asked_for = false;
    known.reach = Reach::Program { program: "no-such-language-server".into(), args: vec![] };
    let workspace = with(&fixture, vec![known]);
    assert_eq!(
        references(&fixture, &workspace, &patient()).await,
        "/b.py:1:15-20\n/b.py:3:1-6\nsyntax indexed=true"
    );
    let (path, at) = fixture.cursor();
    let hover = workspace.hover(&path, at, &patient()).await.unwrap_err();
    assert!(matches!(hover, WorkspaceError::NoServer { .. }), "{hover}");
}

#[tokio::test]
async fn open_documents_follow_the_disk() {
    let mut fixture = Fixture::new(TWO);
    let workspace = with(&fixture, vec![fake(&[])]);
    references(&fixture, &workspace, &patient()).await;
    workspace.outline(Path::new("a.py"), &patient()).await.unwrap();
    // Same size, and within the resolution of many clocks.
    fixture.write("a.py", "def great():\n    pass\n");
    let outline = workspace.outline(Path::new("a.py"), &patient()).await.unwrap();
    assert_eq!(outline.value.symbols[0].name, "great");
    fixture.write("a.py", "greet\n");
    let told = references(&fixture, &workspace, &patient()).await;
    assert!(told.starts_with("/a.py:1:1-6\n/b.py:1"), "asked about another file: {told}");
    std::fs::remove_file(fixture.path("a.py")).unwrap();
    let told = references(&fixture, &workspace, &patient()).await;
    assert!(told.starts_with("/b.py:1"), "a file that is gone has no uses: {told}");
}

#[tokio::test]
async fn positions_outside_the_text_are_the_callers_mistake() {
    let fixture = Fixture::new(TWO);
    let workspace = with(&fixture, vec![fake(&[])]);
    let error = workspace.hover(Path::new("a.py"), Position::new(99, 1), &patient()).await.unwrap_err();
    assert!(matches!(error, WorkspaceError::BadPosition { .. }), "{error}");
}

#[tokio::test]
async fn odd_names_are_files_like_others() {
    let fixture = Fixture::new("//- /odd names/#1 100% é.py\ndef greet():\n    😀 = gr$0eet()\n");
    let workspace = with(&fixture, vec![fake(&[])]);
    assert_eq!(
        references(&fixture, &workspace, &patient()).await,
        "/odd names/#1 100% é.py:2:10-15\nserver indexed=true"
    );
}

async fn diagnosed(workspace: &Workspace, name: &str, patience: &Patience<'_>) -> String {
    let found = workspace.diagnostics(&[name.into()], patience).await.unwrap();
    match &found.files[0].known {
        Ok((diagnostics, evidence)) => {
            let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
            format!("{errors} errors, {}", evidence.as_str())
        }
        Err(error) => format!("error: {error}"),
    }
}

#[tokio::test]
async fn diagnostics_are_fresh_and_say_how_we_know() {
    let pull = r#"{"pull": true, "push": "never"}"#;
    for (script, evidence) in [(pull, "pulled"), ("{}", "versioned"), (r#"{"push": "unversioned"}"#, "quiet")]
    {
        let mut fixture = Fixture::new("//- /a.py\nBUG\n//- /b.py\nfine\n");
        let workspace = with(&fixture, vec![fake(&["--script", script])]);
        assert_eq!(diagnosed(&workspace, "a.py", &patient()).await, format!("1 errors, {evidence}"));
        fixture.write("a.py", "BUG BUG\n");
        assert_eq!(diagnosed(&workspace, "a.py", &patient()).await, format!("2 errors, {evidence}"));
        fixture.write("a.py", "fine\n");
        assert_eq!(diagnosed(&workspace, "a.py", &patient()).await, format!("0 errors, {evidence}"));
    }
}

#[tokio::test]
async fn no_fault_makes_a_broken_file_clean() {
    let modes = [
        "mute",
        "silent",
        "die-on-open",
        "wrong-length",
        "no-header",
        "huge-length",
        "half-frame",
        "wrong-ids",
    ];
    for mode in modes {
        let fixture = Fixture::new("//- /a.py\nBUG\n");
        let workspace = with(&fixture, vec![fake(&[mode])]);
        let told = diagnosed(&workspace, "a.py", &within(Duration::from_secs(3))).await;
        assert!(told.starts_with("error: `fake-ls` ") || told == "1 errors, versioned", "{mode}: {told}");
    }
    let fixture = Fixture::new("//- /a.py\nBUG\n");
    let workspace = with(&fixture, vec![fake(&["--script", r#"{"push": "never"}"#])]);
    let told = diagnosed(&workspace, "a.py", &within(Duration::from_millis(1500))).await;
    assert!(told.starts_with("error: `fake-ls` "), "it never says anything: {told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_in_the_middle_of_32_calls_every_call_answers() {
    let fixture = Fixture::new(TWO);
    let slow = r#"{"delays": {"textDocument/references": 300}}"#;
    let workspace = std::sync::Arc::new(with(&fixture, vec![fake(&["--script", slow])]));
    references(&fixture, &workspace, &patient()).await;
    let (path, _) = fixture.cursor();
    let calls: Vec<_> = (0..32_u32)
        .map(|number| {
            let (workspace, path) = (std::sync::Arc::clone(&workspace), path.clone());
            // Different questions, so that none is answered by another.
            let at = Position::new(3, 1 + number % 5);
            tokio::spawn(
                async move { workspace.references(&path, at, number < 16, &Patience::default()).await },
            )
        })
        .collect();
    let pid = workspace.server_statuses()[0].pid.unwrap();
    tokio::task::yield_now().await;
    let killed = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
    assert!(killed.success());
    for call in calls {
        let found = call.await.unwrap().unwrap();
        assert!(found.value.total >= 2, "{found:?}");
    }
    assert!(references(&fixture, &workspace, &patient()).await.ends_with("server indexed=true"));
    let status = &workspace.server_statuses()[0];
    assert!(status.pid != Some(pid) && status.state == Was::Ready, "{status:?}");
}

#[tokio::test]
async fn a_failed_dial_leaves_the_working_server_alone() {
    let fixture = Fixture::new(TWO);
    let workspace = with(&fixture, vec![fake(&[])]);
    references(&fixture, &workspace, &patient()).await;
    let before = workspace.server_statuses()[0].pid;
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let failed = workspace.connect_server("python", fixture.root(), &nobody, &patient()).await.unwrap_err();
    assert!(failed.to_string().contains(&format!("cannot connect to `{nobody}`")), "{failed}");
    assert!(references(&fixture, &workspace, &patient()).await.ends_with("server indexed=true"));
    assert_eq!(workspace.server_statuses()[0].pid, before);
}

#[tokio::test]
async fn folders_are_added_and_removed() {
    let fixture = Fixture::new("//- /a.py\ndef gr$0eet():\n    pass\n//- /more/b.py\ngreet\n");
    let log = fixture.path("log.jsonl");
    let workspace = with(&fixture, vec![fake(&["--log", log.to_str().unwrap()])]);
    references(&fixture, &workspace, &patient()).await;
    workspace.add_folder(&fixture.path("more")).await;
    assert_eq!(workspace.folders(), [fixture.path("more")]);
    assert!(workspace.remove_folder(&fixture.path("more")).await);
    assert!(!workspace.remove_folder(&fixture.path("more")).await);
    references(&fixture, &workspace, &patient()).await;
    let log = std::fs::read_to_string(log).unwrap();
    assert_eq!(log.matches("workspace/didChangeWorkspaceFolders").count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_not_open_are_told_before_the_next_question() {
    let mut fixture = Fixture::new(TWO);
    let log = tempfile::NamedTempFile::new().unwrap();
    let script = r#"{"register_watchers": ["**/*.py", "**/*.toml"]}"#;
    let workspace = with(&fixture, vec![fake(&["--script", script, "--log", log.path().to_str().unwrap()])]);
    references(&fixture, &workspace, &patient()).await;
    fixture.write("new/c.py", "greet\n");
    fixture.write("settings.toml", "a = 1\n");
    fixture.write("ignored.txt", "a = 1\n");
    let told = references(&fixture, &workspace, &patient()).await;
    assert!(told.contains("/new/c.py:1:1-6"), "{told}");
    std::fs::remove_dir_all(fixture.path("new")).unwrap();
    let told = references(&fixture, &workspace, &patient()).await;
    assert!(!told.contains("c.py"), "{told}");
    let heard: Vec<String> = std::fs::read_to_string(log.path())
        .unwrap()
        .lines()
        .filter_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).unwrap();
            let changes = message["params"]["changes"].as_array()?.clone();
            Some(changes.into_iter().map(|change| {
                let uri = change["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
                format!("{uri} {}", change["type"])
            }))
        })
        .flatten()
        .collect();
    for expected in ["c.py 1", "settings.toml 1", "c.py 3"] {
        assert!(heard.iter().any(|heard| heard == expected), "{expected}: {heard:?}");
    }
    assert!(!heard.iter().any(|heard| heard.contains("ignored")), "{heard:?}");
}

#[tokio::test]
async fn an_outline_does_not_wait_for_a_server_that_starts() {
    let fixture = Fixture::new(TWO);
    let slow = r#"{"faults": ["slow-initialize"], "initialize_delay_ms": 500}"#;
    let workspace = with(&fixture, vec![fake(&["--script", slow])]);
    let outline = workspace.outline(Path::new("a.py"), &within(Duration::from_secs(9))).await.unwrap();
    assert_eq!(outline.note.as_deref(), Some("answered by syntax while `fake-ls` starts"));
    assert_eq!((outline.value.symbols[0].name.as_str(), outline.engine), ("greet", Engine::Syntax));
    let told = references(&fixture, &workspace, &patient()).await;
    assert!(told.ends_with("server indexed=true"), "it was on its way: {told}");
}

#[tokio::test]
async fn many_projects_do_not_mean_many_servers() {
    let mut fixture = Fixture::new("");
    for number in 0..14 {
        fixture.write(&format!("p{number}/pyproject.toml"), "");
        fixture.write(&format!("p{number}/a.py"), "def greet():\n    pass\n");
    }
    let mut spec = fake(&[]);
    spec.root_markers = vec!["pyproject.toml".into()];
    let workspace = with(&fixture, vec![spec]);
    for number in 0..14 {
        let file = format!("p{number}/a.py");
        workspace.hover(Path::new(&file), Position::new(1, 5), &patient()).await.unwrap();
    }
    let statuses = workspace.server_statuses();
    let living = statuses.iter().filter(|status| status.pid.is_some()).count();
    assert_eq!((statuses.len(), living), (14, 12));
    assert!(
        statuses.iter().find(|status| status.root.ends_with("p0")).unwrap().pid.is_none(),
        "the oldest went"
    );
}

#[tokio::test]
async fn files_that_git_ignores_are_told_too() {
    let mut fixture = Fixture::new(
        "//- /.gitignore\ngen/\nnode_modules/\n//- /a.py\ndef gr$0eet():\n    pass\n//- /gen/pb.py\nold\n",
    );
    let log = tempfile::NamedTempFile::new().unwrap();
    let script = r#"{"register_watchers": ["**"]}"#;
    let workspace = with(&fixture, vec![fake(&["--script", script, "--log", log.path().to_str().unwrap()])]);
    references(&fixture, &workspace, &patient()).await;
    fixture.write("gen/pb.py", "greet\n");
    fixture.write("node_modules/x/y.py", "greet\n");
    references(&fixture, &workspace, &patient()).await;
    let log = std::fs::read_to_string(log.path()).unwrap();
    assert!(log.contains("gen/pb.py"), "generated code is read by servers");
    assert!(!log.contains("node_modules"), "what was fetched is not watched");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_while_a_server_starts_is_told_when_it_lives() {
    let mut fixture = Fixture::new(TWO);
    let log = tempfile::NamedTempFile::new().unwrap();
    let slow = r#"{"faults": ["slow-initialize"], "initialize_delay_ms": 400, "register_watchers": ["**"]}"#;
    let workspace = with(&fixture, vec![fake(&["--script", slow, "--log", log.path().to_str().unwrap()])]);
    let patience = patient();
    let (_, ()) = tokio::join!(workspace.hover(Path::new("a.py"), Position::new(1, 5), &patience), async {
        while !std::fs::read_to_string(log.path()).unwrap().contains("initialize") {
            tokio::task::yield_now().await;
        }
        fixture.write("c.py", "greet\n");
    });
    workspace.hover(Path::new("a.py"), Position::new(1, 5), &patient()).await.unwrap();
    let log = std::fs::read_to_string(log.path()).unwrap();
    assert!(log.contains("c.py"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_dropped_loses_no_change() {
    let mut fixture = Fixture::new(TWO);
    let workspace = with(&fixture, vec![fake(&[])]);
    references(&fixture, &workspace, &patient()).await;
    for round in 0..30_u64 {
        let name = format!("n{round}.py");
        fixture.write(&name, "greet\n");
        let (path, at) = fixture.cursor();
        // Left at some moment on the way.
        let patience = patient();
        let hasty = workspace.references(&path, at, false, &patience);
        let _ = tokio::time::timeout(Duration::from_micros(40 * round), hasty).await;
        let told = references(&fixture, &workspace, &patient()).await;
        assert!(told.contains(&format!("/{name}:")), "round {round}: {told}");
    }
}

#[tokio::test]
async fn many_files_that_go_at_once_are_soon_told() {
    let mut fixture = Fixture::new(TWO);
    for number in 0..3000 {
        fixture.write_bytes(&format!("many/{number}.txt"), b"x");
    }
    fixture.write("many/c.py", "greet\n");
    let workspace = with(&fixture, vec![fake(&[])]);
    references(&fixture, &workspace, &patient()).await;
    for number in 0..3000 {
        std::fs::remove_file(fixture.path(&format!("many/{number}.txt"))).unwrap();
    }
    std::fs::remove_file(fixture.path("many/c.py")).unwrap();
    let told = references(&fixture, &workspace, &within(Duration::from_secs(10))).await;
    assert!(told.ends_with("server indexed=true") && !told.contains("c.py"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_projects_at_once_do_not_mean_thirty_servers() {
    let mut fixture = Fixture::new("");
    for number in 0..30 {
        fixture.write(&format!("p{number}/pyproject.toml"), "");
        fixture.write(&format!("p{number}/a.py"), "def greet():\n    pass\n");
    }
    let mut spec = fake(&[]);
    spec.root_markers = vec!["pyproject.toml".into()];
    let workspace = std::sync::Arc::new(with(&fixture, vec![spec]));
    let calls: Vec<_> = (0..30)
        .map(|number| {
            let workspace = std::sync::Arc::clone(&workspace);
            tokio::spawn(async move {
                let file = format!("p{number}/a.py");
                workspace.hover(Path::new(&file), Position::new(1, 5), &Patience::default()).await
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    let living = workspace.server_statuses().iter().filter(|status| status.pid.is_some()).count();
    assert!(living <= 12, "{living}");
}

#[tokio::test]
async fn folders_added_before_a_server_starts_reach_it() {
    let fixture = Fixture::new("//- /a.py\ndef gr$0eet():\n    pass\n//- /more/b.py\ngreet\n");
    let log = tempfile::NamedTempFile::new().unwrap();
    let workspace = with(&fixture, vec![fake(&["--log", log.path().to_str().unwrap()])]);
    workspace.add_folder(&fixture.path("more")).await;
    references(&fixture, &workspace, &patient()).await;
    let log = std::fs::read_to_string(log.path()).unwrap();
    let hello: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_eq!(hello["params"]["workspaceFolders"].as_array().unwrap().len(), 2, "{hello}");
}

#[tokio::test]
async fn another_project_is_asked_only_if_it_can_see_the_file() {
    let fixture = Fixture::new(
        "//- /own/package.json\n{}\n//- /own/shop.ts\nexport function tot$0al() {}\n\
         //- /sees/package.json\n{}\n//- /sees/main.ts\nimport { total } from '../own/shop'\ntotal()\n\
         //- /blind/package.json\n{}\n//- /blind/main.ts\nexport function total() {}\n",
    );
    let languages =
        vec![SpokenLanguage { id: "typescript".into(), extensions: vec!["ts".into()], names: vec![] }];
    let spec = ServerSpec { root_markers: vec!["package.json".into()], languages, ..fake(&[]) };
    let workspace = with(&fixture, vec![spec]);
    let found = references(&fixture, &workspace, &patient()).await;
    assert!(found.contains("/sees/main.ts") && !found.contains("blind"), "{found}");
    let roots: Vec<String> = workspace
        .server_statuses()
        .into_iter()
        .filter(|status| status.state != Was::Resting)
        .map(|status| fixture.relative(&status.root.display().to_string()))
        .collect();
    assert_eq!(roots, ["/own", "/sees"], "no server is started for a project that cannot see it");
}
