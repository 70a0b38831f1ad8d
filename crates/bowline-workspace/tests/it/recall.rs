//! What servers have answered before: used again exactly where it is still true.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bowline_code::Location;
use bowline_testkit::Fixture;
use bowline_workspace::{
    IndexStoreError, Patience, Recollected, Recollection, RecollectionKey, ServerSpec, Workspace,
};

use super::patient;
use super::served::{fake, with};

const SHOP: &str = "//- /shop.py\ndef gr$0eet():\n    pass\n//- /till.py\nfrom shop import greet\n//- /README.md\ngreet\n//- /a.go\npackage a\n";

/// A memory that outlives its workspace.
#[derive(Clone, Default)]
struct Kept {
    entries: Arc<Mutex<HashMap<RecollectionKey, Vec<Location>>>>,
    broken: bool,
}

impl Recollection for Kept {
    fn recall(&self, keys: &[RecollectionKey]) -> Result<Vec<Option<Recollected>>, IndexStoreError> {
        if self.broken {
            return Err(IndexStoreError::Failed("on purpose".into()));
        }
        let entries = self.entries.lock().unwrap();
        let found =
            |key| entries.get(key).map(|places| Recollected { places: places.clone(), shared: false });
        Ok(keys.iter().map(found).collect())
    }

    fn remember(&self, entries: Vec<(RecollectionKey, Vec<Location>)>) -> Result<(), IndexStoreError> {
        if self.broken {
            return Err(IndexStoreError::Busy);
        }
        self.entries.lock().unwrap().extend(entries);
        Ok(())
    }

    fn export(&self, _: &Path) -> Result<usize, IndexStoreError> {
        Err(IndexStoreError::Failed("not here".into()))
    }

    fn import(&self, _: &Path) -> Result<usize, IndexStoreError> {
        Err(IndexStoreError::Failed("not here".into()))
    }
}

fn remembering(fixture: &Fixture, kept: &Kept, spec: ServerSpec) -> Workspace {
    with(fixture, vec![spec]).with_recollection(Arc::new(kept.clone()))
}

/// The files of all uses, and who said so.
async fn uses(fixture: &Fixture, workspace: &Workspace) -> String {
    let (path, at) = fixture.cursor();
    let found = workspace.references(&path, at, false, &patient()).await.unwrap();
    let files = found.value.places.iter().map(|place| fixture.relative(&place.file.display().to_string()));
    format!("{} by {}", files.collect::<Vec<_>>().join(" "), found.engine.as_str())
}

#[tokio::test]
async fn what_is_still_true_is_not_asked_again() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let first = remembering(&fixture, &kept, fake(&[]));
    assert_eq!(uses(&fixture, &first).await, "/till.py by server");
    assert_eq!(uses(&fixture, &first).await, "/till.py by cache");
    first.stop_servers().await;
    // Another process, another server of the same kind.
    let second = remembering(&fixture, &kept, fake(&[]));
    assert_eq!(uses(&fixture, &second).await, "/till.py by cache");
    // Prose changes nothing; what some server may read does, known or not.
    fixture.write_bytes("README.md", b"greet greet");
    assert_eq!(uses(&fixture, &second).await, "/till.py by cache");
    fixture.write_bytes("a.go", b"package b\n");
    assert_eq!(uses(&fixture, &second).await, "/till.py by server");
}

#[tokio::test]
async fn a_new_caller_anywhere_is_noticed() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let workspace = remembering(&fixture, &kept, fake(&[]));
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
    fixture.write_bytes("deep/in/new.py", b"from shop import greet\n");
    assert_eq!(uses(&fixture, &workspace).await, "/deep/in/new.py /till.py by server");
    assert_eq!(uses(&fixture, &workspace).await, "/deep/in/new.py /till.py by cache");
    // Back to what it was: what was true then is true again.
    std::fs::remove_file(fixture.path("deep/in/new.py")).unwrap();
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by cache");
    // Nobody watched while this changed.
    workspace.stop_servers().await;
    drop(workspace);
    fixture.write_bytes("till.py", b"import shop\n");
    let later = remembering(&fixture, &kept, fake(&[]));
    assert_eq!(uses(&fixture, &later).await, " by server");
}

#[tokio::test]
async fn a_change_that_keeps_size_and_time_is_noticed() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let workspace = remembering(&fixture, &kept, fake(&[]));
    let file = fixture.path("till.py");
    let before = file.metadata().unwrap().modified().unwrap();
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
    fixture.write_bytes("till.py", b"from shop import great\n");
    std::fs::File::options().write(true).open(&file).unwrap().set_modified(before).unwrap();
    assert_eq!(uses(&fixture, &workspace).await, " by server");
}

#[tokio::test]
async fn another_server_or_other_settings_are_another_world() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let workspace = remembering(&fixture, &kept, fake(&[]));
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
    let settings = serde_json::json!({"strict": true});
    let other = ServerSpec { settings: Some(settings), ..fake(&[]) };
    let workspace = remembering(&fixture, &kept, other);
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
    let folder = Fixture::new("//- /x.py\n");
    workspace.add_folder(folder.root()).await;
    assert_eq!(
        uses(&fixture, &workspace).await,
        "/till.py by server",
        "what is outside the root cannot be known"
    );
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
}

#[tokio::test]
async fn a_memory_that_fails_changes_no_answer() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept { broken: true, ..Kept::default() };
    let workspace = remembering(&fixture, &kept, fake(&[]));
    for _ in 0..2 {
        assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
    }
}

#[tokio::test]
async fn what_was_not_known_for_sure_is_not_kept() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let workspace = remembering(&fixture, &kept, fake(&["die-on-open"]));
    let (path, at) = fixture.cursor();
    let found = workspace.references(&path, at, false, &patient()).await.unwrap();
    assert_eq!(found.engine.as_str(), "syntax");
    assert!(kept.entries.lock().unwrap().is_empty());
}

/// What a link leads to may change without anybody noticing, and who sees it under which name is the server's business.
#[cfg(unix)]
#[tokio::test]
async fn where_there_are_links_nothing_is_remembered() {
    let elsewhere = Fixture::new("//- /far.py\nfrom shop import greet\n");
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let workspace = remembering(&fixture, &kept, fake(&[]));
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
    std::os::unix::fs::symlink(elsewhere.root(), fixture.path("linked")).unwrap();
    for _ in 0..2 {
        assert!(uses(&fixture, &workspace).await.ends_with("by server"));
    }
    let later = remembering(&fixture, &kept, fake(&[]));
    assert!(uses(&fixture, &later).await.ends_with("by server"), "nor by who comes later");
}

#[tokio::test]
async fn what_is_not_watched_is_not_remembered() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let workspace = remembering(&fixture, &kept, fake(&[]));
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
    workspace.stop_servers().await;
    drop(workspace);
    // A package by a name that build directories have: nobody is told when it changes.
    fixture.write_bytes("target/new.py", b"from shop import greet\n");
    let later = remembering(&fixture, &kept, fake(&[]));
    for _ in 0..2 {
        assert!(uses(&fixture, &later).await.ends_with("by server"));
    }
}

#[tokio::test]
async fn what_was_installed_counts_wherever_it_is() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let workspace = remembering(&fixture, &kept, fake(&[]));
    uses(&fixture, &workspace).await;
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by cache");
    fixture.write_bytes("node_modules/.package-lock.json", b"{}");
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by server");
    assert_eq!(uses(&fixture, &workspace).await, "/till.py by cache");
}

#[tokio::test]
async fn a_file_that_is_too_large_to_read_is_told_by_its_time() {
    let fixture = Fixture::new(SHOP);
    let kept = Kept::default();
    let workspace = remembering(&fixture, &kept, fake(&[]));
    for byte in [b'1', b'2', b'3'] {
        fixture.write_bytes("data.bin", &vec![byte; (5 << 20) + 1]);
        assert_eq!(uses(&fixture, &workspace).await, "/till.py by server", "{byte}");
    }
}

const TWO_PROJECTS: &str = "//- /lib/pyproject.toml\n\n//- /lib/lib.py\ndef gr$0eet():\n    pass\n\
                            //- /app/pyproject.toml\n\n//- /app/app.py\nfrom lib import greet\n";

/// The fake knows words, and each of them only those of its own project: as real servers do.
#[tokio::test]
async fn uses_in_another_project_are_found_or_said_to_be_in_doubt() {
    let fixture = Fixture::new(TWO_PROJECTS);
    let spec = ServerSpec { root_markers: vec!["pyproject.toml".into()], ..fake(&[]) };
    let workspace = with(&fixture, vec![spec]);
    let (path, at) = fixture.cursor();
    // An ordinary call does not start a server for this; one with minutes to spare does.
    let ordinary = Patience { deadline: Some(Instant::now() + Duration::from_secs(25)), ..patient() };
    let found = workspace.references(&path, at, false, &ordinary).await.unwrap();
    let note = "the name is also written in the project `app` (app/app.py): its server does not run; start_lsp with \
                its root_dir starts it";
    assert_eq!((found.value.total, found.indexed, found.note.as_deref()), (0, false, Some(note)));
    let found = workspace.references(&path, at, false, &patient()).await.unwrap();
    let files: Vec<String> =
        found.value.places.iter().map(|place| fixture.relative(&place.file.display().to_string())).collect();
    assert_eq!(files, ["/app/app.py"]);
    assert!(found.indexed, "{:?}", found.note);
}
