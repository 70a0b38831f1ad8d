//! Go.

use super::{Case, exercise};

#[tokio::test(flavor = "multi_thread")]
async fn answers_for_go() {
    exercise(Case {
        language: "go",
        variable: "BOWLINE_SERVER_GOPLS",
        project: "go",
        library: ("rope/rope.go", "func "),
        main: "main.go",
        name: "Splice",
        uses: &["knots/knots.go:16", "knots/with #1 100%.go:7", "main.go:17", "rope/rope_test.go:6"],
        mistake: "\nvar wrong int = \"text\"\n",
        breaking: ("first, second Rope", "first, second, third Rope"),
        newcomer: (
            "knots/new.go",
            "package knots\n\nimport \"example.com/rigging/rope\"\n\nvar made = rope.Splice\n",
        ),
        named_in: None,
    })
    .await;
}
