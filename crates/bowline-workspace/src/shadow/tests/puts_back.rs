//! Nothing of a draft is in the shadow's tree once it was looked at, however that ended.

use std::time::{Duration, Instant};

use super::*;

const DRAFTED: &str = "GhostOnDisk";

/// Files of the tree in which something of the draft is left.
fn left(project: &Project) -> Vec<PathBuf> {
    let mut left = Vec::new();
    for shadow in project.cache.path().read_dir().unwrap().map(Result::unwrap) {
        let here = project.fixture.root().strip_prefix("/").unwrap().to_owned();
        for (path, (_, content)) in everything(&shadow.path().join("tree").join(here)) {
            let says =
                || bowline_std::fs::read_text(&path, 1 << 20).is_ok_and(|(text, _)| text.contains(DRAFTED));
            if path.to_string_lossy().contains(DRAFTED) || (content != "directory" && says()) {
                left.push(path);
            }
        }
    }
    left
}

#[tokio::test]
async fn a_draft_is_gone_after_it_was_compiled() {
    let project = Project::new("//- /src/lib.rs\npub fn f() {}\n//- /src/old.rs\n");
    let draft = |text: &'static str| {
        [
            ("src/lib.rs", Some(text)),
            ("src/deep/GhostOnDisk.rs", Some("pub fn g() {}\n")),
            ("src/old.rs", None),
        ]
    };
    for text in ["pub fn GhostOnDisk() {}\n", "pub fn GhostOnDisk() { x }\n"] {
        project.check(&draft(text)).await.unwrap();
        assert_eq!(left(&project), [] as [PathBuf; 0]);
    }
    assert!(project.codes(&[]).await.is_empty());
}

#[tokio::test]
async fn a_draft_is_gone_soon_after_nobody_waits_for_it() {
    let script = "fn main() { if std::path::Path::new(\"slow\").exists() { \
                  std::thread::sleep(std::time::Duration::from_secs(1000)) } }\n";
    let project =
        Project::new(&format!("//- /src/lib.rs\npub fn f() {{}}\n//- /slow\n//- /build.rs\n{script}"));
    let file = project.fixture.path("src/lib.rs");
    let draft: [Overlay<'_>; 1] = [(&file, Some("pub fn GhostOnDisk() {}\n"))];
    let patience =
        Patience { deadline: Some(Instant::now() + Duration::from_secs(6)), ..Patience::default() };
    let late = project.workspace.check_in_shadow(project.fixture.root(), &draft, &patience).await;
    assert!(late.as_ref().is_err_and(|error| !matches!(error, ShadowError::WouldRun { .. })), "{late:?}");
    wait_until_gone(&project).await;

    let forever = Patience::default();
    let checking = project.workspace.check_in_shadow(project.fixture.root(), &draft, &forever);
    let laid = async {
        while left(&project).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        checked = checking => panic!("{checked:?}"),
        () = laid => {}
    }
    wait_until_gone(&project).await;
    std::fs::remove_file(project.fixture.path("slow")).unwrap();
    assert!(project.codes(&[]).await.is_empty());
}

async fn wait_until_gone(project: &Project) {
    for _ in 0..300 {
        if left(project).is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("left: {:?}", left(project));
}

#[tokio::test]
async fn what_a_script_made_is_not_there_for_the_next_draft() {
    let script = "fn main() { println!(\"cargo:rerun-if-changed=words\"); \
                  if let Ok(words) = std::fs::read_to_string(\"words\") { \
                  std::fs::create_dir_all(\"made\").unwrap(); std::fs::write(\"made/gen.rs\", words).unwrap(); } }\n";
    let uses = "#[path = \"../made/gen.rs\"]\npub mod gen;\n";
    let project = Project::new(&format!("//- /src/lib.rs\n//- /words\n//- /build.rs\n{script}"));
    assert!(project.codes(&[("src/lib.rs", Some(uses))]).await.is_empty());
    assert!(project.codes(&[("src/lib.rs", Some(uses))]).await.is_empty(), "it is made again");
    std::fs::remove_file(project.fixture.path("words")).unwrap();
    let said = project.says(&[("src/lib.rs", Some(uses))]).await;
    assert!(said.contains("couldn't read") || said.contains("E0583"), "{said}");
}
