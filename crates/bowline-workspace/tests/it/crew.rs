//! Questions to the whole project: every server is asked, and syntax where there is none.

use bowline_lsp::{ServerSpec, SpokenLanguage};
use bowline_testkit::Fixture;
use bowline_workspace::Workspace;

use super::patient;
use super::served::{fake, with};

const THREE: &str = "//- /a.py\ndef splice_py(): pass\n//- /b.go\npackage b\n\nfunc SpliceGo() {}\n//- /c.rs\npub fn splice_rs() {}\n";

fn speaking(id: &str, extension: &str, args: &[&str]) -> ServerSpec {
    let languages = vec![SpokenLanguage { id: id.into(), extensions: vec![extension.into()], names: vec![] }];
    ServerSpec { name: format!("fake-{id}"), languages, ..fake(args) }
}

async fn find(fixture: &Fixture, workspace: &Workspace, query: &str) -> String {
    let found = workspace.find_symbols(query, 10, 0, &patient()).await.unwrap();
    let mut lines: Vec<String> = found
        .value
        .hits
        .iter()
        .map(|hit| format!("{} {}:{}", hit.symbol.name, hit.path.display(), hit.symbol.selection.start.line))
        .collect();
    lines.push(format!("{} of {} indexed={}", found.engine.as_str(), found.value.total, found.indexed));
    lines.extend(found.note);
    fixture.relative(&lines.join("\n"))
}

#[tokio::test]
async fn every_server_is_asked_and_syntax_for_the_rest() {
    let fixture = Fixture::new(THREE);
    let workspace = with(&fixture, vec![speaking("python", "py", &[]), speaking("go", "go", &[])]);
    let found = find(&fixture, &workspace, "plice").await;
    assert_eq!(found, "SpliceGo /b.go:3\nsplice_py /a.py:1\nsplice_rs /c.rs:1\nserver of 3 indexed=true");
    let names: Vec<String> = workspace.server_statuses().into_iter().map(|status| status.name).collect();
    assert_eq!(names, ["fake-go", "fake-python"], "both were asked");
}

#[tokio::test]
async fn the_very_name_comes_first_also_where_the_server_leaves_it_out() {
    let fixture = Fixture::new(
        "//- /a.py\ndef main_of(): pass\nclass main: pass\nclass main_too: pass\n//- /b.py\ndef main(): pass\n",
    );
    let workspace = with(&fixture, vec![speaking("python", "py", &[])]);
    // It knows functions only, and says that it knows everything.
    let found = find(&fixture, &workspace, "main").await;
    assert_eq!(found, "main /a.py:2\nmain /b.py:1\nmain_of /a.py:1\nserver of 3 indexed=true");
}

#[tokio::test]
async fn a_server_that_fails_takes_no_other_along() {
    let fixture = Fixture::new(THREE);
    let workspace =
        with(&fixture, vec![speaking("python", "py", &[]), speaking("go", "go", &["die-on-open"])]);
    let found = find(&fixture, &workspace, "plice").await;
    assert!(
        found.starts_with("SpliceGo /b.go:3\nsplice_py /a.py:1\nsplice_rs /c.rs:1\nserver of 3"),
        "{found}"
    );
    assert!(found.contains("answered without the language server: `fake-go`"), "{found}");
}

#[tokio::test]
async fn a_symbol_is_found_in_any_language() {
    let fixture = Fixture::new(THREE);
    let workspace = with(&fixture, vec![speaking("python", "py", &[]), speaking("go", "go", &[])]);
    for (name, place) in [("splice_py", "/a.py:1:5"), ("SpliceGo", "/b.go:3:6"), ("splice_rs", "/c.rs:1:8")] {
        let found = workspace.go_to_symbol(name, None, &patient()).await.unwrap();
        let places: Vec<String> = found
            .value
            .iter()
            .map(|one| {
                format!("{}:{}:{}", one.location.file.display(), one.location.line, one.location.column)
            })
            .collect();
        assert_eq!(fixture.relative(&places.join(" ")), place);
    }
    let none = workspace.go_to_symbol("Splice", None, &patient()).await.unwrap();
    assert!(none.value.is_empty(), "never something of another name");
}

#[tokio::test]
async fn offers_come_from_every_server() {
    let fixture = Fixture::new(THREE);
    let workspace = with(&fixture, vec![speaking("python", "py", &[]), speaking("go", "go", &["mute"])]);
    let patience = bowline_workspace::Patience {
        deadline: Some(std::time::Instant::now() + std::time::Duration::from_secs(2)),
        ..bowline_workspace::Patience::default()
    };
    let (offers, notes) =
        workspace.offers(&["textDocument/hover", "textDocument/completion"], &patience).await.unwrap();
    assert_eq!(offers.len(), 1);
    assert_eq!(offers[0].methods, ["textDocument/hover"]);
    assert!(
        notes.len() == 1 && notes[0].starts_with("`fake-go` has not answered the handshake"),
        "{notes:?}"
    );
}

#[tokio::test]
async fn a_server_that_does_not_run_is_not_waited_for() {
    let fixture = Fixture::new(THREE);
    // It would never answer the handshake.
    let workspace = with(&fixture, vec![speaking("python", "py", &[]), speaking("go", "go", &["mute"])]);
    let hurried = || bowline_workspace::Patience {
        deadline: Some(std::time::Instant::now() + std::time::Duration::from_secs(20)),
        ..bowline_workspace::Patience::default()
    };
    workspace.refresh(&patient()).await.unwrap();
    let found = workspace.go_to_symbol("SpliceGo", None, &hurried()).await.unwrap();
    assert_eq!((found.value.len(), found.engine.as_str()), (1, "syntax"));
    assert_eq!(found.note.as_deref(), Some("answered by syntax while `fake-go` and `fake-python` start"));
    let found = workspace.find_symbols("plice", 10, 0, &hurried()).await.unwrap();
    assert_eq!(found.value.total, 3);
    let ready = Some(std::time::Duration::from_secs(60));
    workspace.start_server("python", fixture.root(), ready, &patient()).await.unwrap();
    let found = workspace.find_symbols("splice_py", 10, 0, &hurried()).await.unwrap();
    assert_eq!(found.engine.as_str(), "server", "what runs is asked: {found:?}");
}
