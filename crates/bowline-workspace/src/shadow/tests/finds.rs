//! What the compiler finds in a draft, and where.

use insta::assert_snapshot;

use super::*;

#[tokio::test]
async fn types_and_borrows_are_checked_in_the_draft() {
    let project = Project::new("//- /src/lib.rs\npub fn one() -> u32 { 1 }\n");
    assert_snapshot!(project.says(&[]).await, @"");
    let wrong = [("src/lib.rs", Some("pub fn one() -> u32 { \"x\" }\n"))];
    assert_snapshot!(project.says(&wrong).await, @"
    /src/lib.rs:1:23-1:26 error E0308 mismatched types
    stopped early
    ");
    let moved = "pub fn one(s: String) -> usize { drop(s); s.len() }\n";
    assert_snapshot!(project.says(&[("src/lib.rs", Some(moved))]).await, @"
    /src/lib.rs:1:43-1:44 error E0382 borrow of moved value: `s`
    stopped early
    ");
    let checked = project.check(&[("src/lib.rs", Some(moved))]).await.unwrap();
    let found = &checked.diagnostics[&project.fixture.path("src/lib.rs")][0];
    assert_eq!(found.source.as_deref(), Some("rustc"));
    assert!(found.message.contains("value borrowed here after move"), "{}", found.message);
    let related: Vec<_> = found.related.iter().map(|at| (at.location.column, at.message.as_str())).collect();
    assert_snapshot!(format!("{related:#?}"), @r#"
    [
        (
            39,
            "value moved here",
        ),
        (
            12,
            "move occurs because `s` has type `String`, which does not implement the `Copy` trait",
        ),
        (
            40,
            "consider cloning the value if the performance cost is acceptable",
        ),
    ]
    "#);
    let unused = [("src/lib.rs", Some("pub fn one() -> u32 { let x = 2; 1 }\n"))];
    assert_snapshot!(project.says(&unused).await, @"/src/lib.rs:1:27-1:28 warning unused_variables unused variable: `x`");
}

#[tokio::test]
async fn other_crates_tests_and_benches_are_checked() {
    let project = Project::of(
        r#"
//- /Cargo.toml
[workspace]
members = ["core", "app"]
resolver = "2"
//- /core/Cargo.toml
[package]
name = "core-things"
version = "0.1.0"
edition = "2021"
[[bench]]
name = "fast"
harness = false
//- /core/src/lib.rs
pub fn total(of: &[u32]) -> u32 { of.iter().sum() }
pub fn most(of: &[u32]) -> u32 { of.iter().copied().max().unwrap_or(0) }
//- /core/tests/sums.rs
#[test]
fn sums() { assert_eq!(core_things::most(&[1, 2]), 2); }
//- /core/benches/fast.rs
fn main() { core_things::most(&[]); }
//- /app/Cargo.toml
[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
core-things = { path = "../core" }
//- /app/src/main.rs
fn main() { println!("{}", core_things::total(&[1])); }
"#,
    )
    .at("core/src");
    assert_snapshot!(project.says(&[]).await, @"");
    let other =
        "pub fn total(of: Vec<u32>) -> u32 { of.iter().sum() }\npub fn most(of: &[u32]) -> u32 { of[0] }\n";
    assert_snapshot!(project.says(&[("core/src/lib.rs", Some(other))]).await, @"
    /app/src/main.rs:1:47-1:51 error E0308 mismatched types
    stopped early
    ");
    let without = "pub fn total(of: &[u32]) -> u32 { of.iter().sum() }\n";
    assert_snapshot!(project.says(&[("core/src/lib.rs", Some(without))]).await, @"
    /core/benches/fast.rs:1:26-1:30 error E0425 cannot find function `most` in crate `core_things`
    /core/tests/sums.rs:2:37-2:41 error E0425 cannot find function `most` in crate `core_things`
    stopped early
    ");
}

#[tokio::test]
async fn new_and_removed_files_are_part_of_a_draft() {
    let project = Project::new("//- /src/lib.rs\npub mod old;\n//- /src/old.rs\npub fn old() {}\n");
    let lib = "pub mod old;\npub mod new;\npub mod deep;\n";
    let new = [
        ("src/lib.rs", Some(lib)),
        ("src/new.rs", Some("pub fn new() { crate::old::old(); crate::deep::er(); }\n")),
        ("src/deep/mod.rs", Some("pub fn er() -> bool { 1 }\n")),
    ];
    assert_snapshot!(project.says(&new).await, @"
    /src/deep/mod.rs:1:23-1:24 error E0308 mismatched types
    stopped early
    ");
    assert_snapshot!(project.says(&[("src/lib.rs", Some(lib))]).await, @"
    /src/lib.rs:2:1-2:13 error E0583 file not found for module `new`
    /src/lib.rs:3:1-3:14 error E0583 file not found for module `deep`
    stopped early
    ");
    assert_snapshot!(project.says(&[("src/old.rs", None)]).await, @"
    /src/lib.rs:1:1-1:13 error E0583 file not found for module `old`
    stopped early
    ");
    // Cargo does not look for a second file of the same module.
    assert_snapshot!(project.says(&[]).await, @"");
    assert_snapshot!(project.says(&[("src/old/mod.rs", Some("pub fn old() {}\n"))]).await, @r#"
    /src/lib.rs:1:1-1:13 error E0761 file for module `old` found at both "src/old.rs" and "src/old/mod.rs"
    stopped early
    "#);
}

#[tokio::test]
async fn columns_are_those_of_the_drafted_text() {
    let project = Project::new("//- /src/lib.rs\n");
    let wide = "pub fn f() { let _s: (&str, u32) = (\"ä😀\", \"x\"); }\n";
    assert_snapshot!(project.says(&[("src/lib.rs", Some(wide))]).await, @"
    /src/lib.rs:1:44-1:47 error E0308 mismatched types
    stopped early
    ");
    // A mark at the beginning, and line ends of two characters.
    let marked = format!("\u{feff}{}\r\n\r\n{}", wide.trim(), wide.replace("f()", "g()"));
    assert_snapshot!(project.says(&[("src/lib.rs", Some(&marked))]).await, @"
    /src/lib.rs:1:45-1:48 error E0308 mismatched types
    /src/lib.rs:3:44-3:47 error E0308 mismatched types
    stopped early
    ");
}

#[tokio::test]
async fn what_a_macro_made_is_found_where_it_was_called() {
    let project = Project::new("//- /src/lib.rs\n");
    let of_std = "pub fn f() -> String { format!(\"{}\", missing) }\npub fn g() { vec![1, \"x\"]; }\npub fn h() { assert_eq!(1, \"x\"); }\n";
    assert_snapshot!(project.says(&[("src/lib.rs", Some(of_std))]).await, @"
    /src/lib.rs:1:38-1:45 error E0425 cannot find value `missing` in this scope
    /src/lib.rs:2:22-2:25 error E0308 mismatched types
    /src/lib.rs:3:14-3:32 error E0277 can't compare `{integer}` with `&str`
    stopped early
    ");
    let own = "macro_rules! wrong { ($t:ty) => { pub fn f() -> $t { \"x\" } } }\nwrong!(u32);\n";
    let checked = project.check(&[("src/lib.rs", Some(own))]).await.unwrap();
    assert_snapshot!(project.fixture.relative(&lines(&checked)), @"
    /src/lib.rs:1:54-1:57 error E0308 mismatched types
    stopped early
    ");
    let related = &checked.diagnostics[&project.fixture.path("src/lib.rs")][0].related;
    let call = related.iter().find(|at| at.message == "in this macro call").unwrap();
    assert_eq!(call.location.line, 2);
}

#[tokio::test]
async fn paths_out_of_the_workspace_lead_where_they_lead_in_the_project() {
    let project = Project::of(
        r#"
//- /shop/Cargo.toml
[package]
name = "shop"
version = "0.1.0"
edition = "2021"
[dependencies]
other = { path = "../other" }
//- /shop/src/lib.rs
#[path = "../../shared/common.rs"]
pub mod common;
pub fn f() -> u32 { other::one() }
//- /other/Cargo.toml
[package]
name = "other"
version = "0.1.0"
edition = "2021"
//- /other/src/lib.rs
pub fn one() -> u32 { 1 }
//- /shared/common.rs
pub fn common() {}
"#,
    )
    .at("shop");
    assert_snapshot!(project.says(&[]).await, @"");
    let mut said = Vec::new();
    for _ in 0..2 {
        said.push(project.says(&[("other/src/lib.rs", Some("pub fn one() -> u64 { 1 }\n"))]).await);
        said.push(project.says(&[("other/src/lib.rs", Some("pub fn one() -> u32 { true }\n"))]).await);
        said.push(project.says(&[]).await);
    }
    assert_eq!(said[..3], said[3..]);
    assert_snapshot!(said[..3].join("\n--\n"), @"
    /shop/src/lib.rs:3:21-3:33 error E0308 mismatched types
    stopped early
    --
    /other/src/lib.rs:1:23-1:27 error E0308 mismatched types
    stopped early
    --
    ");
    // In no package: whatever takes it in may run.
    assert_snapshot!(project.says(&[("shared/common.rs", None)]).await, @"no verdict: `/shared/common.rs` would be run by the compiler; a draft of it is not compiled before it is written");
    project.fixture.write_bytes("shared/common.rs", b"pub fn common() { nothing() }\n");
    assert_snapshot!(project.says(&[]).await, @"
    /shared/common.rs:1:19-1:26 error E0425 cannot find function `nothing` in this scope
    stopped early
    ");
}

#[tokio::test]
async fn what_is_no_verdict_is_not_called_one() {
    let project = Project::new("//- /src/lib.rs\npub fn one() {}\n//- /build.rs\nfn main() {}\n");
    project.fixture.write_bytes("build.rs", b"fn main() { panic!(\"boom\") }\n");
    let said = project.says(&[]).await;
    assert!(
        said.starts_with("no verdict: cargo check could not run: failed to run custom build command"),
        "{said}"
    );
    assert!(said.contains("panicked at build.rs:1:13: boom"), "{said}");
    let manifest = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let unknown = format!("{manifest}[dependencies]\nno-such-package-anywhere = \"1\"\n");
    project.fixture.write_bytes("build.rs", b"fn main() {}\n");
    project.fixture.write_bytes("Cargo.toml", unknown.as_bytes());
    let said = project.says(&[]).await;
    assert!(said.starts_with("no verdict: cargo check could not run: no matching package"), "{said}");
    project.fixture.write_bytes("Cargo.toml", b"[package\n");
    let said = project.says(&[]).await;
    assert!(
        said.starts_with("no verdict: cargo check could not run: ") && said.contains("Cargo.toml"),
        "{said}"
    );
    assert!(!said.contains("shadow"), "{said}");
    project.fixture.write_bytes("Cargo.toml", manifest.as_bytes());
    assert_snapshot!(project.says(&[]).await, @"");

    let nothing = Project::of("//- /readme.md\nhello\n");
    assert_snapshot!(nothing.says(&[]).await, @"no verdict: `` belongs to no Cargo package");
}
