//! Which files the compiler has looked at.

use super::*;

#[tokio::test]
async fn only_what_a_target_includes_is_seen() {
    let manifest = MANIFEST.to_owned()
        + "[features]\nextra = []\n[[example]]\nname = \"shown\"\nrequired-features = [\"extra\"]\n";
    let project = Project::of(&format!(
        "{manifest}//- /src/lib.rs\npub mod a;\n//- /src/a.rs\n//- /src/orphan.rs\n//- /src/main.rs\nfn main() {{}}\n\
         //- /tests/t.rs\n//- /examples/shown.rs\nfn main() {{}}\n"
    ));
    let draft = [
        (
            "src/a.rs",
            Some(
                "#[path = \"with space.rs\"]\npub mod spaced;\npub const T: &str = include_str!(\"t.txt\");\n",
            ),
        ),
        ("src/with space.rs", Some("pub fn f() {}\n")),
        ("src/t.txt", Some("text")),
        ("src/orphan.rs", Some("pub fn f() { x }\n")),
        ("examples/shown.rs", Some("fn main() { x }\n")),
    ];
    for _ in 0..2 {
        let checked = project.check(&draft).await.unwrap();
        assert!(checked.diagnostics.is_empty() && !checked.stopped_early);
        let seen: Vec<String> =
            checked.seen.iter().map(|path| project.fixture.relative(&path.display().to_string())).collect();
        let wanted =
            ["/src/a.rs", "/src/lib.rs", "/src/main.rs", "/src/t.txt", "/src/with space.rs", "/tests/t.rs"];
        assert_eq!(seen, wanted);
    }
}
