//! What a check leaves alone, and what it leaves behind.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::Duration;

use bowline_std::process::alive;
use insta::assert_snapshot;

use super::*;

#[tokio::test]
async fn a_lock_file_stays_as_it_is_and_none_is_made() {
    let project = Project::new("//- /src/lib.rs\npub fn f() {}\n");
    assert_snapshot!(project.says(&[]).await, @"");
    assert!(!project.fixture.path("Cargo.lock").exists());

    // One that cargo would bring up to date.
    project.fixture.write_bytes("Cargo.lock", b"version = 4\n");
    assert_snapshot!(project.says(&[("src/lib.rs", Some("pub fn f() { x }\n"))]).await, @"
    /src/lib.rs:1:14-1:15 error E0425 cannot find value `x` in this scope
    stopped early
    ");
    assert_snapshot!(project.says(&[]).await, @"");
}

#[tokio::test]
async fn what_is_not_needed_is_not_in_the_shadow() {
    let project =
        Project::new("//- /src/lib.rs\npub const T: &str = include_str!(\"../target/source.txt\");\n");
    project.fixture.write_bytes("target/source.txt", b"not what cargo built");
    project.fixture.write_bytes("build/CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55");
    project.fixture.write_bytes(".git/HEAD", b"ref: x");
    assert_snapshot!(project.says(&[]).await, @"");
    let shadow = project.cache.path().read_dir().unwrap().next().unwrap().unwrap().path();
    assert_eq!(shadow.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let tree = shadow.canonicalize().unwrap().join("tree");
    let here = tree.join(project.fixture.root().strip_prefix("/").unwrap());
    assert!(here.join("target/source.txt").exists());
    assert!(!here.join("build").exists() && !here.join(".git").exists());
}

#[tokio::test]
async fn a_project_behind_a_link_is_the_same_project() {
    let project = Project::new("//- /src/lib.rs\npub mod linked;\n//- /common/linked.rs\npub fn f() {}\n");
    symlink("../common/linked.rs", project.fixture.path("src/linked.rs")).unwrap();
    let aside = tempfile::tempdir().unwrap();
    let link = aside.path().join("link");
    symlink(project.fixture.root(), &link).unwrap();
    let file = project.fixture.path("common/linked.rs");
    let draft: [Overlay<'_>; 1] = [(&file, Some("pub fn f() { x }\n"))];
    let checked = project.workspace.check_in_shadow(&link, &draft, &Patience::default()).await.unwrap();
    assert_snapshot!(project.fixture.relative(&lines(&checked)), @"
    /common/linked.rs:1:14-1:15 error E0425 cannot find value `x` in this scope
    stopped early
    ");
    assert_eq!(project.cache.path().read_dir().unwrap().count(), 1);
    assert_snapshot!(project.says(&[]).await, @"");
    assert_eq!(project.cache.path().read_dir().unwrap().count(), 1);
}

#[tokio::test]
async fn without_a_cache_nothing_is_left() {
    let fixture = Fixture::new(&format!("{MANIFEST}//- /src/lib.rs\npub fn f() {{ x }}\n"));
    let workspace = workspace(&fixture, None);
    let checked = workspace.check_in_shadow(fixture.root(), &[], &Patience::default()).await.unwrap();
    assert_eq!(checked.errors(), 1);
    let passing = workspace.shadows.passing().unwrap();
    assert!(passing.exists());
    drop(workspace);
    assert!(!passing.exists());
}

#[tokio::test]
async fn checks_of_one_project_wait_for_one_another() {
    let project = Project::new("//- /src/lib.rs\npub fn f() {}\n");
    let again = workspace(&project.fixture, Some(project.cache.path()));
    let file = project.fixture.path("src/lib.rs");
    let (patience, root) = (Patience::default(), project.fixture.root());
    let draft = |text: &'static str| [(file.as_path(), Some(text))];
    let (one, two) = (draft("pub fn f() { x }\n"), draft("pub fn f() -> u32 { \"\" }\n"));
    // Two in this workspace, and one that sees only the lock on the file.
    let (first, second, third) = tokio::join!(
        project.workspace.check_in_shadow(root, &one, &patience),
        project.workspace.check_in_shadow(root, &two, &patience),
        again.check_in_shadow(root, &[], &patience),
    );
    let code = |checked: Result<Checked, ShadowError>| {
        let found = checked.unwrap().diagnostics.into_values().flatten().next();
        found.and_then(|diagnostic| diagnostic.code)
    };
    assert_eq!(code(first).as_deref(), Some("E0425"));
    assert_eq!(code(second).as_deref(), Some("E0308"));
    assert_eq!(code(third), None);
}

#[tokio::test]
async fn a_check_that_nobody_waits_for_ends_with_all_its_children() {
    let keep = tempfile::tempdir().unwrap();
    let pid = keep.path().join("pid");
    let script = format!(
        "fn main() {{ std::fs::write({:?}, std::process::id().to_string()).unwrap(); \
         std::thread::sleep(std::time::Duration::from_secs(1000)); }}\n",
        pid.display().to_string()
    );
    let project = Project::new(&format!("//- /src/lib.rs\npub fn f() {{}}\n//- /build.rs\n{script}"));
    let begun = async {
        while !pid.exists() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    tokio::select! {
        checked = project.check(&[]) => panic!("{checked:?}"),
        () = begun => {}
    }
    let (text, _) = bowline_std::fs::read_text(&pid, 100).unwrap();
    let child: u32 = text.parse().unwrap();
    for _ in 0..100 {
        if !alive(child) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(!alive(child), "the build script is still there");

    // The place is free again, and what was left half done does no harm.
    project.fixture.write_bytes("build.rs", b"fn main() {}\n");
    assert_snapshot!(project.says(&[]).await, @"");
    project.fixture.write_bytes("build.rs", script.as_bytes());
    let patience = Patience {
        deadline: Some(std::time::Instant::now() + Duration::from_millis(1500)),
        ..Patience::default()
    };
    let late = project.workspace.check_in_shadow(project.fixture.root(), &[], &patience).await.unwrap_err();
    assert!(late.to_string().ends_with("what it has built is kept, so ask again"), "{late}");
}

#[tokio::test]
async fn a_project_whose_shadow_was_removed_gets_a_new_one_and_old_ones_go() {
    let project = Project::new("//- /src/lib.rs\npub fn f() {}\n");
    assert_snapshot!(project.says(&[]).await, @"");
    let shadow = project.cache.path().read_dir().unwrap().next().unwrap().unwrap().path();
    let old = project.cache.path().join("shadow-0123456789abcdef");
    std::fs::create_dir_all(old.join("target")).unwrap();
    bowline_std::fs::replace_private(&old.join("lock"), b"").unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(15 * 24 * 60 * 60);
    for path in [old.join("lock"), old.clone()] {
        std::fs::OpenOptions::new().read(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
    // Somebody waits for the place while its holder removes it.
    let holder = std::fs::OpenOptions::new().write(true).open(shadow.join("lock")).unwrap();
    // A process that was forked meanwhile may have it until it runs another program.
    holder.lock().unwrap();
    let removing = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        std::fs::rename(&shadow, project.cache.path().join("gone-shadow-x")).unwrap();
        drop(holder);
    };
    let wrong = [("src/lib.rs", Some("pub fn f() { x }\n"))];
    let (codes, ()) = tokio::join!(project.codes(&wrong), removing);
    assert_eq!(codes, ["E0425"]);
    assert!(shadow.join("tree").exists());
    let is_left = |path: &Path| path.exists() || project.cache.path().join("gone-shadow-x").exists();
    for _ in 0..500 {
        if !is_left(&old) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!is_left(&old));
}
