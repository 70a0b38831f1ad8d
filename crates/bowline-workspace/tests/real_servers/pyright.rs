//! Python.

use super::{Case, exercise};

#[tokio::test(flavor = "multi_thread")]
async fn answers_for_python() {
    exercise(Case {
        language: "python",
        variable: "BOWLINE_SERVER_PYRIGHT",
        project: "python",
        library: ("rope.py", "def splice"),
        main: "main.py",
        name: "splice",
        uses: &[
            "knots.py:3",
            "knots.py:18",
            "main.py:2",
            "main.py:12",
            "odd names/with #1 100%.py:3",
            "odd names/with #1 100%.py:7",
            "test_rope.py:3",
            "test_rope.py:8",
        ],
        mistake: "\nwrong: int = \"text\"\n",
        breaking: ("first: Rope, second: Rope", "first: Rope, second: Rope, third: Rope"),
        newcomer: ("new.py", "from rope import splice\n\nmade = splice\n"),
        named_in: None,
    })
    .await;
}
