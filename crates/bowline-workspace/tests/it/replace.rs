//! Texts replaced in many files: what is found, what is chosen, and what stands there afterwards.

use std::path::{Path, PathBuf};

use bowline_testkit::Fixture;
use bowline_workspace::{Options, Replace, ReplaceError, Replacements, Workspace, WorkspaceError, Writer};
use proptest::prelude::*;

use super::patient;

struct Scene {
    fixture: Fixture,
    workspace: Workspace,
    _state: tempfile::TempDir,
}

impl Scene {
    fn new(text: &str) -> Self {
        Self::at(Fixture::new(text), &[""])
    }

    fn at(fixture: Fixture, roots: &[&str]) -> Self {
        let state = tempfile::tempdir().unwrap();
        let roots: Vec<PathBuf> = roots.iter().map(|root| fixture.path(root)).collect();
        let writer = Writer::new(roots.clone(), state.path().canonicalize().unwrap().join("writes"));
        let workspace = Workspace::new(Options::default(), roots, None).unwrap().with_writer(writer);
        Self { fixture, workspace, _state: state }
    }

    async fn find(&self, replace: &Replace) -> Result<Replacements, WorkspaceError> {
        self.workspace.replacements(replace, &patient()).await
    }

    /// One line for each: the place, the line before and after.
    async fn shown(&self, replace: &Replace) -> String {
        let found = match self.find(replace).await {
            Ok(found) => found,
            Err(error) => return error.to_string(),
        };
        let one = |one: &bowline_workspace::Occurrence| {
            let file = self.fixture.relative(&one.file.display().to_string());
            format!("{file}:{}:{} {} -> {}", one.at.line, one.at.column, one.before, one.after)
        };
        found.occurrences.iter().map(one).collect::<Vec<_>>().join("\n")
    }

    async fn apply(&self, found: &Replacements) -> Result<String, WorkspaceError> {
        let edit = found.edit()?;
        let draft = self.workspace.new_wide_draft()?;
        self.workspace.edit_draft(&draft, edit, &patient()).await?;
        let all = Box::new(|_: &Path| true);
        let committed = self.workspace.commit_draft(&draft, None, "replace", all, &patient()).await?;
        Ok(committed.receipt.id)
    }

    fn text(&self, file: &str) -> String {
        bowline_std::fs::read_text(&self.fixture.path(file), 1 << 20).unwrap().0
    }
}

fn plain(pattern: &str, replacement: &str) -> Replace {
    Replace { pattern: pattern.into(), replacement: replacement.into(), ..Replace::default() }
}

fn regex(pattern: &str, replacement: &str) -> Replace {
    Replace { is_regex: true, ..plain(pattern, replacement) }
}

fn globs(globs: &[&str]) -> Vec<String> {
    globs.iter().map(|glob| (*glob).to_owned()).collect()
}

const SHOP: &str = "//- /.gitignore\nbuilt/\n//- /src/a.rs\nlet cart = Cart::new();\ncart.add(1);\n//- /src/deep/b.rs\nuse Cart;\n\
    //- /built/c.rs\nCart\n//- /.hidden/d.rs\nCart\n//- /notes.txt\nä Cart\n";

#[tokio::test]
async fn finds_by_text_word_case_and_groups() {
    let scene = Scene::new(SHOP);
    assert_eq!(
        scene.shown(&plain("Cart", "Bag")).await,
        "/notes.txt:1:3 ä Cart -> ä Bag\n/src/a.rs:1:12 let cart = Cart::new(); -> let cart = Bag::new();\n\
         /src/deep/b.rs:1:5 use Cart; -> use Bag;"
    );
    let any_case = Replace { ignore_case: true, include: globs(&["a.rs"]), ..plain("CART", "x") };
    assert_eq!(scene.find(&any_case).await.unwrap().occurrences.len(), 3);
    assert_eq!(
        scene.shown(&regex(r"(\w+)\.add\((\d)\)", "$1.push(${2}0)")).await,
        "/src/a.rs:2:1 cart.add(1); -> cart.push(10);"
    );
    assert_eq!(scene.shown(&plain("none of this", "x")).await, "");
}

#[tokio::test]
async fn looks_where_it_is_told() {
    let scene = Scene::new(SHOP);
    let files = |replace: Replace| {
        let scene = &scene;
        async move {
            let found = scene.find(&replace).await.unwrap();
            let files =
                found.occurrences.iter().map(|one| scene.fixture.relative(&one.file.display().to_string()));
            files.collect::<Vec<_>>().join(" ")
        }
    };
    let with = |include: &[&str], exclude: &[&str], below: Option<&str>| Replace {
        include: globs(include),
        exclude: globs(exclude),
        below: below.map(PathBuf::from),
        ..plain("Cart", "Bag")
    };
    assert_eq!(files(with(&["**/*.rs"], &[], None)).await, "/src/a.rs /src/deep/b.rs");
    assert_eq!(files(with(&["src/*.rs"], &[], None)).await, "/src/a.rs");
    assert_eq!(files(with(&[], &["src/**"], None)).await, "/notes.txt");
    assert_eq!(files(with(&[], &[], Some("src/deep"))).await, "/src/deep/b.rs");
    assert_eq!(files(with(&["deep/**"], &[], Some("src"))).await, "/src/deep/b.rs");
    assert_eq!(files(with(&[], &[], Some("src/a.rs"))).await, "/src/a.rs");
    assert!(scene.shown(&with(&[], &[], Some("none"))).await.starts_with("no such file"));
    assert!(scene.shown(&with(&[], &[], Some("/"))).await.contains("outside the workspace"));
    assert_eq!(
        scene.shown(&with(&["a[b"], &[], None)).await,
        "`a[b` is not a glob: unclosed character class; missing ']'"
    );
}

#[tokio::test]
async fn says_what_it_passed_over() {
    let scene = Scene::new("//- /a.txt\nx\n//- /same.txt\nX x\n");
    #[expect(clippy::disallowed_methods, reason = "fixtures that are no text")]
    {
        std::fs::write(scene.fixture.path("binary"), b"x\0x").unwrap();
        std::fs::write(scene.fixture.path("latin"), b"x \xe9").unwrap();
        std::fs::write(scene.fixture.path("large"), "x".repeat(3 << 20)).unwrap();
    }
    let found = scene.find(&regex("(?i)x", "x")).await.unwrap();
    assert_eq!(found.occurrences.len(), 1);
    let passed = found.passed_over;
    assert_eq!((passed.binary, passed.not_utf8, passed.too_large, passed.unchanged), (1, 1, 1, 2));
}

#[tokio::test]
async fn what_is_chosen_is_replaced_and_nothing_else() {
    let scene = Scene::new("//- /a.txt\none one\r\none\r\n//- /b.txt\none\n");
    let found = scene.find(&plain("one", "two\nthree")).await.unwrap();
    let ids: Vec<String> = [1, 3].iter().map(|at| found.occurrences[*at].id.clone()).collect();
    let chosen = found.only(&ids).unwrap();
    assert_eq!((chosen.files(), chosen.occurrences.len()), (2, 2));
    scene.apply(&chosen).await.unwrap();
    assert_eq!(scene.text("a.txt"), "one two\r\nthree\r\none\r\n");
    assert_eq!(scene.text("b.txt"), "two\nthree\n");
}

#[tokio::test]
async fn a_file_that_has_changed_refuses_its_ids_and_writes_nothing() {
    let scene = Scene::new("//- /a.txt\none\n//- /b.txt\none\n");
    let replace = plain("one", "two");
    let found = scene.find(&replace).await.unwrap();
    let ids: Vec<String> = found.occurrences.iter().map(|one| one.id.clone()).collect();
    #[expect(clippy::disallowed_methods, reason = "somebody else")]
    std::fs::write(scene.fixture.path("b.txt"), "one more\n").unwrap();

    let again = scene.find(&replace).await.unwrap();
    let refused = again.only(&ids).unwrap_err();
    assert_eq!(refused, ReplaceError::Changed { ids: vec![ids[1].clone()] });
    // The ids of the other file still hold.
    assert_eq!(again.occurrences[0].id, ids[0]);
    // What was found before is not written over it either.
    let error = scene.apply(&found).await.unwrap_err().to_string();
    assert!(error.contains("has changed since"), "{error}");
    assert_eq!((scene.text("a.txt").as_str(), scene.text("b.txt").as_str()), ("one\n", "one more\n"));
}

#[tokio::test]
async fn too_much_is_shown_in_part_and_never_written() {
    let scene = Scene::new(&format!("//- /a.txt\n{}\n", "x".repeat(10_001)));
    let found = scene.find(&plain("x", "y")).await.unwrap();
    assert_eq!(found.occurrences.len(), 10_000);
    assert_eq!(found.partial.as_deref(), Some("there are more than 10000 occurrences"));
    assert!(matches!(found.edit(), Err(ReplaceError::Partial { .. })));
}

#[tokio::test]
async fn when_time_is_over_what_was_found_is_shown() {
    let scene = Scene::new("//- /a.txt\nx\n");
    let now = std::time::Instant::now() + std::time::Duration::from_millis(200);
    let patience = bowline_workspace::Patience { deadline: Some(now), ..patient() };
    let found = scene.workspace.replacements(&plain("x", "y"), &patience).await.unwrap();
    assert_eq!(found.partial.as_deref(), Some("the time for this call was over"));
    patience.cancellation.cancel();
    let cancelled = scene.workspace.replacements(&plain("x", "y"), &patience).await;
    assert!(matches!(cancelled, Err(WorkspaceError::Cancelled)));
}

#[tokio::test]
async fn files_of_several_roots_are_one_write() {
    let scene = Scene::at(Fixture::new("//- /one/a.txt\nx\n//- /two/b.txt\nx\n"), &["one", "two"]);
    let texts = || (scene.text("one/a.txt"), scene.text("two/b.txt"));
    let below = Replace { below: Some(scene.fixture.path("two")), ..plain("x", "z") };
    scene.apply(&scene.find(&below).await.unwrap()).await.unwrap();
    assert_eq!(texts(), ("x\n".into(), "z\n".into()));
    let both = Replace { is_regex: true, ..plain("[xz]", "y") };
    scene.apply(&scene.find(&both).await.unwrap()).await.unwrap();
    assert_eq!(texts(), ("y\n".into(), "y\n".into()));
}

#[tokio::test]
async fn patterns_that_cannot_be_used_are_told() {
    let scene = Scene::new("//- /a.txt\nabc\n");
    assert!(scene.shown(&regex(r"\b", "x")).await.starts_with("the pattern matches the empty string"));
    assert!(scene.shown(&regex("(", "x")).await.starts_with("the pattern cannot be used: regex parse error"));
    assert!(scene.shown(&regex("a", "$1")).await.starts_with("the replacement names the group `1`"));
    assert!(scene.shown(&plain(&"a".repeat(70_000), "x")).await.contains("is longer than 65536 bytes"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What is replaced and taken back is what it was; all ids together mean everything; and what is written is what the
    /// pattern itself would make of the texts.
    #[test]
    fn applying_is_exact_and_undone(
        texts in proptest::collection::vec("[abä \r\n]{0,40}", 1..4),
        pattern in "[abä]{1,2}",
        replacement in "[bc$ä]{0,3}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let scene = Scene::new("//- /keep.txt\n\n");
        for (number, text) in texts.iter().enumerate() {
            #[expect(clippy::disallowed_methods, reason = "a fixture with any line ends")]
            std::fs::write(scene.fixture.path(&format!("{number}.txt")), text).unwrap();
        }
        runtime.block_on(async {
            let replace = plain(&pattern, &replacement);
            let found = scene.find(&replace).await.unwrap();
            let ids: Vec<String> = found.occurrences.iter().map(|one| one.id.clone()).collect();
            assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), ids.len());
            let chosen = found.only(&ids).unwrap();
            assert_eq!(&chosen.occurrences, &found.occurrences);
            if found.occurrences.is_empty() {
                assert!(texts.iter().all(|text| text.replace(&pattern, &replacement) == *text));
                return;
            }
            let receipt = scene.apply(&chosen).await.unwrap();
            for (number, text) in texts.iter().enumerate() {
                assert_eq!(scene.text(&format!("{number}.txt")), text.replace(&pattern, &replacement));
            }
            scene.workspace.undo(&receipt, Box::new(|_: &Path| true)).await.unwrap();
            for (number, text) in texts.iter().enumerate() {
                assert_eq!(scene.text(&format!("{number}.txt")), *text);
            }
        });
    }
}
