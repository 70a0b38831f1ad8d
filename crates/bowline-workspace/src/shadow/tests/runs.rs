//! Drafts of what runs while a project is compiled. Each would leave a mark; none does.

use super::*;

const WORKSPACE: &str = r#"
//- /Cargo.toml
[workspace]
members = ["app", "mac", "gen", "deep", "plain"]
resolver = "2"
//- /notes/x.rs
//- /app/Cargo.toml
[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
mac = { path = "../mac" }
plain = { path = "../plain" }
[build-dependencies]
gen = { path = "../gen" }
//- /app/build.rs
mod parts;
fn main() { gen::run(); parts::run(); }
//- /app/parts.rs
pub fn run() {}
//- /app/words.txt
hello
//- /app/src/lib.rs
mac::m!();
pub fn f() -> u32 { plain::one() }
//- /mac/Cargo.toml
[package]
name = "mac"
version = "0.1.0"
edition = "2021"
[lib]
proc-macro = true
[dependencies]
deep = { path = "../deep" }
//- /mac/src/lib.rs
use proc_macro::TokenStream;
#[proc_macro]
pub fn m(_: TokenStream) -> TokenStream { deep::run(); TokenStream::new() }
//- /gen/Cargo.toml
[package]
name = "gen"
version = "0.1.0"
edition = "2021"
//- /gen/src/lib.rs
pub fn run() {}
//- /deep/Cargo.toml
[package]
name = "deep"
version = "0.1.0"
edition = "2021"
//- /deep/src/lib.rs
pub fn run() {}
//- /plain/Cargo.toml
[package]
name = "plain"
version = "0.1.0"
edition = "2021"
//- /plain/src/lib.rs
pub fn one() -> u32 { 1 }
"#;

/// Drafts one file, and proves that nothing of it ran or is anywhere in the shadow.
async fn refuses(project: &Project, mark: &Path, name: &str, text: &str) {
    let said = project.says(&[(name, Some(text))]).await;
    let wanted = "would be run by the compiler; a draft of it is not compiled before it is written";
    assert!(said.ends_with(wanted) && said.contains(name.rsplit('/').next().unwrap()), "{name}: {said}");
    assert!(!mark.exists(), "{name} ran");
}

fn leaving(mark: &Path, around: &str) -> String {
    around.replace("MARK", &format!("std::fs::write({:?}, \"\").unwrap();", mark.display().to_string()))
}

#[tokio::test]
async fn nothing_that_is_drafted_runs() {
    let project = Project::of(WORKSPACE).at("app");
    let aside = tempfile::tempdir().unwrap();
    let mark = aside.path().join("ran");
    let run = leaving(&mark, "pub fn run() { MARK }\n");
    let macros = leaving(
        &mark,
        "#[proc_macro]\npub fn m(t: proc_macro::TokenStream) -> proc_macro::TokenStream { MARK t }\n",
    );
    let main = leaving(&mark, "fn main() { MARK }\n");
    for (name, text) in [
        ("app/build.rs", main.as_str()),
        ("plain/build.rs", &main),
        ("app/parts.rs", &run),
        ("app/parts/mod.rs", &run),
        ("app/words.txt", "x"),
        ("mac/src/lib.rs", &macros),
        ("mac/src/new.rs", &run),
        ("gen/src/lib.rs", &run),
        ("deep/src/lib.rs", &run),
        ("app/Cargo.toml", "[package]\n"),
        ("Cargo.lock", ""),
        (".cargo/config.toml", "[build]\nrustc-wrapper = \"x\"\n"),
        ("rust-toolchain.toml", ""),
        ("plain/other.rs", &main),
        ("notes/x.rs", &run),
    ] {
        refuses(&project, &mark, name, text).await;
    }
    assert_eq!(project.cache.path().read_dir().unwrap().count(), 0, "no shadow was made for any of it");
    // The rest of the project is compiled, and what is on disk runs for it.
    assert_eq!(project.codes(&[("plain/src/lib.rs", Some("pub fn one() -> u64 { 1 }\n"))]).await, ["E0308"]);
    assert_eq!(project.codes(&[("app/src/lib.rs", Some("pub fn f() { x }\n"))]).await, ["E0425"]);
}

#[tokio::test]
async fn a_script_that_takes_in_sources_has_all_of_its_package() {
    let aside = tempfile::tempdir().unwrap();
    let mark = aside.path().join("ran");
    let run = leaving(&mark, "pub fn run() { MARK }\n");
    for script in [
        "#[path = \"src/shared.rs\"]\nmod shared;\nfn main() { shared::run() }\n",
        "include!(\"src/shared.rs\");\nfn main() { run() }\n",
    ] {
        let files =
            format!("//- /src/lib.rs\n//- /src/shared.rs\npub fn run() {{}}\n//- /build.rs\n{script}");
        refuses(&Project::new(&files), &mark, "src/shared.rs", &run).await;
    }
    let manifest = MANIFEST.to_owned() + "build = \"src/make.rs\"\n";
    let files = "//- /src/lib.rs\n//- /src/shared.rs\npub fn run() {}\n//- /src/make.rs\nmod shared;\nfn main() { shared::run() }\n";
    refuses(&Project::of(&(manifest + files)), &mark, "src/shared.rs", &run).await;
}

#[tokio::test]
async fn a_macro_that_takes_in_other_packages_has_them() {
    let aside = tempfile::tempdir().unwrap();
    let mark = aside.path().join("ran");
    let run = leaving(&mark, "pub fn one() -> u32 { MARK 1 }\n");
    // By what it says.
    let out = WORKSPACE.replace("deep::run();", "one::one();");
    let out =
        out.replace("use proc_macro::", "#[path = \"../../plain/src/lib.rs\"]\nmod one;\nuse proc_macro::");
    refuses(&Project::of(&out).at("app"), &mark, "plain/src/lib.rs", &run).await;
    // By a link.
    let project = Project::of(&out.replace("#[path = \"../../plain/src/lib.rs\"]\n", "")).at("app");
    std::os::unix::fs::symlink("../../plain/src/lib.rs", project.fixture.path("mac/src/one.rs")).unwrap();
    refuses(&project, &mark, "plain/src/lib.rs", &run).await;
    // As a stand-in for what a macro of strangers may need.
    let patched = WORKSPACE
        .replace("resolver = \"2\"\n", "resolver = \"2\"\n[patch.crates-io]\nplain = { path = \"plain\" }\n");
    refuses(&Project::of(&patched).at("app"), &mark, "plain/src/lib.rs", &run).await;
}

const SIBLINGS: &str = r#"
//- /a/Cargo.toml
[workspace]
members = ["core", "mac"]
resolver = "2"
//- /a/core/Cargo.toml
[package]
name = "core-a"
version = "0.1.0"
edition = "2021"
//- /a/core/src/lib.rs
pub mod inner;
//- /a/core/src/inner.rs
pub fn one() -> u32 { 1 }
//- /a/mac/Cargo.toml
[package]
name = "mac"
version = "0.1.0"
edition = "2021"
[lib]
proc-macro = true
//- /a/mac/src/lib.rs
//- /b/Cargo.toml
[package]
name = "b"
version = "0.1.0"
edition = "2021"
[dependencies]
core-a = { path = "../a/core" }
//- /b/src/lib.rs
pub fn two() -> u32 { core_a::inner::one() + 1 }
"#;

#[tokio::test]
async fn a_workspace_that_depends_on_the_drafted_one_sees_the_draft() {
    let project = Project::of(SIBLINGS).at("b");
    let wide = [("a/core/src/inner.rs", Some("pub fn one() -> u64 { 1 }\n"))];
    let new = [
        ("a/core/src/lib.rs", Some("pub mod inner;\npub mod more;\n")),
        ("a/core/src/more.rs", Some("pub fn more() {}\n")),
    ];
    for _ in 0..2 {
        let checked = project.check(&wide).await.unwrap();
        assert!(checked.diagnostics.contains_key(&project.fixture.path("b/src/lib.rs")), "{checked:?}");
        let checked = project.check(&new).await.unwrap();
        assert!(checked.diagnostics.is_empty(), "{checked:?}");
        assert!(checked.seen.contains(&project.fixture.path("a/core/src/more.rs")), "{checked:?}");
        assert!(checked.seen.contains(&project.fixture.path("b/src/lib.rs")), "{checked:?}");
        assert!(project.codes(&[("a/core/src/inner.rs", None)]).await.contains(&"E0583".to_owned()));
        assert!(project.codes(&[]).await.is_empty());
    }
    let aside = tempfile::tempdir().unwrap();
    let mark = aside.path().join("ran");
    refuses(&project, &mark, "a/mac/src/lib.rs", &leaving(&mark, "fn f() { MARK }\n")).await;
    refuses(&project, &mark, "a/core/build.rs", &leaving(&mark, "fn main() { MARK }\n")).await;
}
