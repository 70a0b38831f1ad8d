//! Rust.

use super::{Case, exercise};

#[tokio::test(flavor = "multi_thread")]
async fn answers_for_rust() {
    exercise(Case {
        language: "rust",
        variable: "BOWLINE_SERVER_RUST_ANALYZER",
        project: "rust",
        library: ("src/rope.rs", "Joins two ropes into one.\npub fn "),
        main: "src/main.rs",
        name: "splice",
        uses: &[
            "src/knots.rs:3",
            "src/knots.rs:20",
            "src/main.rs:2",
            "src/main.rs:11",
            "src/odd names/with #1 100%.rs:3",
            "src/odd names/with #1 100%.rs:7",
            "tests/rope.rs:1",
            "tests/rope.rs:5",
        ],
        mistake: "\nfn wrong() -> u32 {\n    undefined_function()\n}\n",
        breaking: ("first: &Rope, second: &Rope", "first: &Rope, second: &Rope, _third: &Rope"),
        newcomer: ("src/new.rs", "use crate::rope::splice;\n"),
        named_in: Some(("src/lib.rs", "pub mod new;\n")),
    })
    .await;
}
