//! Checks that follow one another: what was built before must not be taken for what is asked now.

use std::time::{Duration, UNIX_EPOCH};

use super::*;

const GOOD: &str = "pub fn f() -> u32 { 1 }\n";
const BAD: &str = "pub fn f() -> u32 { x }\n";
const WORSE: &str = "pub fn f() -> u32 { \"\" }\n";

#[tokio::test]
async fn drafts_may_follow_one_another_in_any_order() {
    let project =
        Project::new(&format!("//- /src/lib.rs\n{GOOD}//- /src/main.rs\nfn main() {{ shop::f(); }}\n"));
    let draft = |text| [("src/lib.rs", Some(text))];
    let clean: [&str; 0] = [];
    for _ in 0..3 {
        assert_eq!(project.codes(&draft(GOOD)).await, clean);
        assert_eq!(project.codes(&draft(BAD)).await, ["E0425"]);
        assert_eq!(project.codes(&[]).await, clean);
        assert_eq!(project.codes(&draft(WORSE)).await, ["E0308"]);
        assert_eq!(project.codes(&draft(BAD)).await, ["E0425"]);
        assert_eq!(project.codes(&draft(BAD)).await, ["E0425"]);
    }
    assert_eq!(project.codes(&[]).await, clean);
}

#[tokio::test]
async fn files_that_change_on_disk_are_seen_whatever_their_time() {
    let project = Project::new(&format!("//- /src/lib.rs\npub mod a;\n//- /src/a.rs\n{GOOD}"));
    let file = project.fixture.path("src/a.rs");
    let long_ago = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for (text, wanted) in [(GOOD, None), (BAD, Some("E0425")), (GOOD, None), (WORSE, Some("E0308"))] {
        project.fixture.write_bytes("src/a.rs", text.as_bytes());
        std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
        assert_eq!(project.codes(&[]).await.first().map(String::as_str), wanted);
    }
    std::fs::remove_file(&file).unwrap();
    assert_eq!(project.codes(&[]).await, ["E0583"]);
}

#[tokio::test]
async fn a_clock_that_was_set_back_changes_nothing() {
    let project = Project::new(&format!("//- /src/lib.rs\n{GOOD}"));
    assert!(project.codes(&[]).await.is_empty());
    // As if the last check had been tomorrow.
    let tomorrow = SystemTime::now() + Duration::from_secs(86_400);
    let shadow = project.cache.path().read_dir().unwrap().next().unwrap().unwrap().path();
    let set = |path: &Path| {
        std::fs::OpenOptions::new().write(true).open(path).unwrap().set_modified(tomorrow).unwrap();
    };
    set(&shadow.join("checked"));
    let fingerprints: Vec<PathBuf> = everything(&shadow.join("target"))
        .into_iter()
        .filter(|(path, (_, content))| {
            content != "directory" && path.display().to_string().contains(".fingerprint")
        })
        .map(|(path, _)| path)
        .collect();
    assert!(!fingerprints.is_empty());
    fingerprints.iter().for_each(|path| set(path));
    for _ in 0..2 {
        assert_eq!(project.codes(&[("src/lib.rs", Some(BAD))]).await, ["E0425"]);
        assert!(project.codes(&[]).await.is_empty());
    }
}

#[tokio::test]
async fn what_is_broken_already_is_said_again_each_time() {
    let project =
        Project::new(&format!("//- /src/lib.rs\n{BAD}pub fn g() {{ let unused = 1; }}\n//- /readme.md\nx\n"));
    let first = project.check(&[]).await.unwrap();
    assert!(first.errors() == 1 && first.stopped_early);
    assert_eq!(project.check(&[("readme.md", Some("y\n"))]).await.unwrap(), first);
    let warns = Project::new("//- /src/lib.rs\npub fn g() { let unused = 1; }\n");
    let first = warns.check(&[]).await.unwrap();
    assert!(first.errors() == 0 && !first.stopped_early && first.diagnostics.len() == 1);
    assert_eq!(warns.check(&[]).await.unwrap(), first, "cargo says again what it found before");
}

#[tokio::test]
async fn what_a_build_script_writes_beside_the_sources_is_made_for_each_check() {
    let script = "fn main() {\n    println!(\"cargo:rerun-if-changed=words.txt\");\n    \
                  let words = std::fs::read_to_string(\"words.txt\").unwrap();\n    \
                  std::fs::create_dir_all(\"src/made\").unwrap();\n    \
                  for file in [\"src/made/new.rs\", \"src/old.rs\"] {\n        \
                  std::fs::write(file, format!(\"pub fn {}() {{}}\", words.trim())).unwrap();\n    }\n}\n";
    let project = Project::new(&format!(
        "//- /src/lib.rs\n#[path = \"made/new.rs\"]\npub mod new;\npub mod old;\npub fn f() {{ new::hello(); old::hello(); }}\n\
         //- /src/old.rs\n// Not made yet.\n//- /words.txt\nhello\n//- /build.rs\n{script}"
    ));
    for _ in 0..2 {
        project.fixture.write_bytes("words.txt", b"hello\n");
        assert!(project.codes(&[]).await.is_empty());
        assert!(project.codes(&[]).await.is_empty());
        project.fixture.write_bytes("words.txt", b"goodbye\n");
        assert_eq!(project.codes(&[]).await, ["E0425", "E0425"]);
        assert_eq!(project.codes(&[]).await, ["E0425", "E0425"]);
    }
}
