//! TypeScript, by typescript-language-server.

use serde_json::json;

use super::{Case, Doing, Findings, Marks, Ready, walk};

#[tokio::test(flavor = "multi_thread")]
async fn typescript_language_server_says_the_same() {
    walk(Case {
        language: "typescript",
        column: "typescript-language-server",
        name: "typescript-language-server",
        variable: "BOWLINE_SERVER_TYPESCRIPT",
        project: "typescript",
        options: || {
            Some(json!({
                "tsserver": {"useSyntaxServer": "never"},
                "disableAutomaticTypingAcquisition": true,
                "preferences": {
                    "includeInlayParameterNameHints": "all",
                    "includeInlayFunctionParameterTypeHints": true,
                    "includeInlayVariableTypeHints": true,
                    "includeInlayPropertyDeclarationTypeHints": true,
                    "includeInlayFunctionLikeReturnTypeHints": true,
                    "includeInlayEnumMemberValueHints": true,
                },
            }))
        },
        ready: Ready::ByItself,
        findings: Findings::PushedUntilQuiet,
        extra: &[
            (
                "src/coil.ts",
                "import { type Rope } from \"./rope\";\n\n/** Lays a rope in rings. */\n\
                 export function coil(rope: Rope): number {\n  return rope.metres / 2;\n}\n\n\
                 export function work(rope: Rope): Promise<number[]> {\n  return Promise.all([1, 2].map(async () => coil(rope)));\n}\n\n\
                 export function idle(rope: Rope): number {\n  return coil(rope);\n}\n",
            ),
            (
                "src/broken.ts",
                "import { type Rope } from \"./rope\";\n\nexport const wrong: number = \"text\";\n\
                 export function lost(rope: Rope): number {\n  return rope.metre;\n}\n",
            ),
            ("src/untidy.ts", "export function  untidy( a:number ){\nreturn a+1}\n"),
        ],
        appended: &[],
        changed: ("src/coil.ts", "/ 2", "/ 3"),
        sources: &[
            "src/coil.ts",
            "src/knots.ts",
            "src/main.ts",
            "src/odd names/with #1 100%.ts",
            "src/rope.test.ts",
            "src/rope.ts",
        ],
        tests: &["src/rope.test.ts"],
        broken: "src/broken.ts",
        untidy: "src/untidy.ts",
        function: "splice",
        sentence: "Joins two ropes into one.",
        method: "Bowline.strength",
        command: Doing::Command("typescript.tsserverRequest", |file, _| {
            json!(["navtree", {"file": file}])
        }),
        marks: Marks {
            declared: ("src/rope.ts", "export function @@splice("),
            used: ("src/main.ts", "@@splice(line, spare)"),
            variable: ("src/main.ts", "splice(@@line, spare)"),
            interface: ("src/rope.ts", "interface @@Knot"),
            hierarchy: ("src/rope.ts", "interface @@Knot"),
            local: ("src/main.ts", "const @@spare"),
            function: ("src/knots.ts", "export function @@doubled("),
            coil: ("src/coil.ts", "export function @@coil("),
            beside: ("src/coil.ts", "async () => @@coil(rope)"),
            completed: ("src/main.ts", "{knot.@@name()}"),
            argument: ("src/main.ts", "splice(@@line, spare)"),
        },
        consumer: &[
            ("package.json", "{\"name\": \"consumer\", \"private\": true, \"type\": \"module\"}\n"),
            (
                "tsconfig.json",
                "{\"compilerOptions\": {\"target\": \"ES2022\", \"module\": \"ESNext\", \"moduleResolution\": \"bundler\", \
                 \"strict\": true, \"noEmit\": true, \"types\": []}, \"include\": [\"src\"]}\n",
            ),
            (
                "src/use.ts",
                "import { splice } from \"../../typescript/src/rope\";\n\n\
                 export const joined = splice({ label: \"a\", metres: 1 }, { label: \"b\", metres: 2 });\n",
            ),
        ],
        consumer_file: "src/use.ts",
    })
    .await;
}
