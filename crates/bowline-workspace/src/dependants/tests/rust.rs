//! Rust, and languages of which nothing more is known.

use super::{ask, check, edit, shown};
use bowline_testkit::Fixture;

const TREE: &str = "\
//- /Cargo.toml
[workspace]
members = [\"crates/*\"]
[workspace.dependencies]
renamed = { package = \"low-level\", path = \"crates/low\" }
//- /crates/low/Cargo.toml
[package]
name = \"low-level\"
//- /crates/low/src/lib.rs
mod a;
//- /crates/low/src/a.rs
pub fn f() {}
//- /crates/mid/Cargo.toml
[package]
name = \"mid\"
[dependencies]
renamed.workspace = true
//- /crates/mid/src/lib.rs
pub fn m() {}
//- /crates/top/Cargo.toml
[package]
name = \"top\"
[dependencies]
mid = { path = \"../mid\" }
//- /crates/top/src/main.rs
fn main() {}
//- /crates/apart/Cargo.toml
[package]
name = \"apart\"
//- /crates/apart/src/lib.rs
fn a() {}
";

#[tokio::test]
async fn crates_reach_themselves_and_their_users() {
    check(
        TREE,
        &[
            ("crates/low/src/a.rs", "crates/low/src/lib.rs crates/mid/src/lib.rs crates/top/src/main.rs"),
            ("crates/mid/src/lib.rs", "crates/top/src/main.rs"),
            ("crates/top/src/main.rs", ""),
            ("crates/apart/src/lib.rs", ""),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_body_reaches_its_crate() {
    let fixture = Fixture::new(TREE);
    let mut edited = edit(&fixture, "crates/low/src/a.rs");
    edited.after = Some("pub fn f() { g() }\n".into());
    assert_eq!(shown(&fixture, &ask(&fixture, vec![edited], 9).await), "crates/low/src/lib.rs");
}

#[tokio::test]
async fn files_of_other_crates_may_be_included() {
    let tree = "\
//- /a/Cargo.toml
[package]
name = \"a\"
//- /a/src/shared.rs
fn s() {}
//- /b/Cargo.toml
[package]
name = \"b\"
//- /b/src/lib.rs
#[path = \"../../a/src/shared.rs\"] mod shared;
//- /b/src/x.rs
fn x() {}
";
    check(tree, &[("a/src/shared.rs", "b/src/lib.rs b/src/x.rs")]).await;
    check("//- /a.rs\nfn a() {}\n//- /d/b.rs\nfn b() {}\n", &[("a.rs", "d/b.rs")]).await;
}

#[tokio::test]
async fn other_languages_reach_all_of_their_files() {
    let tree = "//- /a.rb\nx = 1\n//- /d/b.rb\ny = 1\n//- /c.py\nz = 1\n";
    check(tree, &[("a.rb", "d/b.rb")]).await;
}
