//! TypeScript.

use super::{Case, exercise};

#[tokio::test(flavor = "multi_thread")]
async fn answers_for_typescript() {
    exercise(Case {
        language: "typescript",
        variable: "BOWLINE_SERVER_TYPESCRIPT",
        project: "typescript",
        library: ("src/rope.ts", "export function "),
        main: "src/main.ts",
        name: "splice",
        uses: &[
            "src/knots.ts:1",
            "src/knots.ts:16",
            "src/main.ts:3",
            "src/main.ts:11",
            "src/odd names/with #1 100%.ts:1",
            "src/odd names/with #1 100%.ts:5",
            "src/rope.test.ts:1",
            "src/rope.test.ts:3",
        ],
        mistake: "\nexport const wrong: number = \"text\";\n",
        breaking: ("first: Rope, second: Rope", "first: Rope, second: Rope, third: Rope"),
        newcomer: ("src/new.ts", "import { splice } from \"./rope\";\n\nexport const made = splice;\n"),
        named_in: None,
    })
    .await;
}
