//! What holds for all languages: bounds, what is left out, what is remembered, what is in doubt.

use std::fmt::Write;
use std::time::Duration;

use super::*;

#[tokio::test]
async fn so_many_and_no_more() {
    let mut tree = "//- /hub.ts\nexport const h = 1;\n".to_owned();
    for number in 0..200 {
        write!(tree, "//- /u{number:03}.ts\nimport './hub';\n").unwrap();
    }
    let fixture = Fixture::new(&tree);
    let found = ask(&fixture, vec![edit(&fixture, "hub.ts")], 50).await;
    assert_eq!((found.files.len(), found.left_out, found.doubt), (50, 150, None));
    assert_eq!(found.files[49], fixture.path("u049.ts"));
}

#[tokio::test]
async fn an_edit_that_nobody_sees_reaches_nobody() {
    let fixture = Fixture::new("//- /a.py\nx = 1\n//- /b.py\nimport a\n//- /c.py\n__import__(n)\n");
    let mut edited = edit(&fixture, "a.py");
    edited.after = Some("x = 1  # one\n".into());
    assert_eq!(ask(&fixture, vec![edited.clone()], 9).await, Dependants::default());
    edited.after = edited.before.clone();
    assert_eq!(ask(&fixture, vec![edited], 9).await, Dependants::default());
}

#[tokio::test]
async fn edits_count_as_they_were_and_as_they_will_be() {
    let tree = "//- /a.py\nx = 1\n//- /b.py\ny = 1\n//- /old.py\nimport c\n//- /c.py\nz = 1\n//- /user.py\nimport b\n//- /user2.py\nimport old\n";
    let fixture = Fixture::new(tree);
    let mut b = edit(&fixture, "b.py");
    b.after = Some("y = 1\nimport a\n".into());
    let found = ask(&fixture, vec![edit(&fixture, "a.py"), b.clone()], 9).await;
    assert_eq!(shown(&fixture, &found), "user.py");
    // What no longer imports it did so before.
    let mut old = edit(&fixture, "old.py");
    old.after = Some("q = 1\n".into());
    let found = ask(&fixture, vec![edit(&fixture, "c.py"), old], 9).await;
    assert_eq!(shown(&fixture, &found), "user2.py");
}

#[tokio::test]
async fn an_edited_file_that_hides_its_change_hands_on_that_of_others() {
    let tree = "//- /a.ts\nexport const a = 1;\n//- /b.ts\nexport * from './a';\n//- /c.ts\nimport { a } from './b';\n";
    let fixture = Fixture::new(tree);
    let mut b = edit(&fixture, "b.ts");
    b.after = Some("// all of it\nexport * from './a';\n".into());
    let found = ask(&fixture, vec![edit(&fixture, "a.ts"), b], 9).await;
    assert_eq!(shown(&fixture, &found), "c.ts");
}

#[tokio::test]
async fn only_the_project_counts() {
    let fixture = Fixture::new("//- /p/a.py\nx = 1\n//- /p/b.py\nimport a\n//- /q/c.py\nimport a\n");
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
    let (edited, project) = (vec![edit(&fixture, "p/a.py")], fixture.path("p"));
    let found = workspace.dependants(edited, &project, 9, &Patience::default()).await.unwrap();
    assert_eq!(shown(&fixture, &found), "p/b.py");
}

#[tokio::test]
async fn what_is_remembered_is_what_is_on_disk() {
    let fixture = Fixture::new("//- /a.py\nx = 1\n//- /b.py\nimport a\n//- /c.py\nimport q\n");
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(60);
    let workspace = Workspace::new(Options::default(), vec![fixture.root().to_owned()], None).unwrap();
    let ask = || async {
        let edited = vec![edit(&fixture, "a.py")];
        let found = workspace.dependants(edited, fixture.root(), 9, &Patience::default()).await.unwrap();
        shown(&fixture, &found)
    };
    assert_eq!(ask().await, "b.py");
    // Of the same length, and with a time set back.
    fixture.write_bytes("c.py", b"import a\n");
    let file = std::fs::OpenOptions::new().write(true).open(fixture.path("c.py")).unwrap();
    file.set_modified(long_ago).unwrap();
    assert_eq!(ask().await, "b.py c.py");
    std::fs::remove_file(fixture.path("b.py")).unwrap();
    assert_eq!(ask().await, "c.py");
}

#[tokio::test]
async fn what_could_not_be_looked_at_is_said() {
    let fixture = Fixture::new("//- /a.py\nx = 1\n//- /b.py\nimport a\n//- /target/c.py\nimport a\n");
    let found = ask(&fixture, vec![edit(&fixture, "a.py")], 9).await;
    let passed_over = "b.py ? a directory is passed over because it is called like one for what is built";
    assert_eq!(shown(&fixture, &found), passed_over);

    let fixture = Fixture::new("//- /a.py\nx = 1\n");
    fixture.write_bytes("latin.py", b"# \xe4\nimport a\n");
    fixture.write_bytes("wide.py", b"i\0m\0p\0");
    let found = ask(&fixture, vec![edit(&fixture, "a.py")], 9).await;
    assert_eq!(shown(&fixture, &found), "latin.py ? `/wide.py` is a binary file");

    let fixture = Fixture::new("//- /a.py\nx = 1\n//- /pyproject.toml\n[x]\n//- /README.md\nhi\n");
    let other = |name: &str| Edited { after: Some("y".into()), ..edit(&fixture, name) };
    assert_eq!(ask(&fixture, vec![other("README.md")], 9).await, Dependants::default());
    let found = ask(&fixture, vec![other("pyproject.toml")], 9).await;
    assert_eq!(shown(&fixture, &found), " ? nobody knows which files depend on `/pyproject.toml`");
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_said_where_they_matter() {
    use std::os::unix::fs::symlink;
    let fixture = Fixture::new("//- /a.py\nx = 1\n//- /d/e.py\ny = 1\n");
    symlink(fixture.path("a.py"), fixture.path("d/a.py")).unwrap();
    let found = ask(&fixture, vec![edit(&fixture, "a.py")], 9).await;
    assert_eq!(shown(&fixture, &found), "", "the same under the same name");
    symlink(fixture.path("a.py"), fixture.path("d/other.py")).unwrap();
    let found = ask(&fixture, vec![edit(&fixture, "a.py")], 9).await;
    assert_eq!(
        shown(&fixture, &found),
        " ? `/d/other.py` is a link, and what it leads to may have another name"
    );
}
