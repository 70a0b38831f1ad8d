//! Go, by gopls.

use serde_json::json;

use super::{Case, Doing, Findings, Marks, Ready, walk};

#[tokio::test(flavor = "multi_thread")]
async fn gopls_says_the_same() {
    walk(Case {
        language: "go",
        column: "gopls",
        name: "gopls",
        variable: "BOWLINE_SERVER_GOPLS",
        project: "go",
        options: || {
            Some(json!({
                "pullDiagnostics": true,
                "semanticTokens": true,
                "hints": {
                    "assignVariableTypes": true,
                    "compositeLiteralFields": true,
                    "compositeLiteralTypes": true,
                    "constantValues": true,
                    "functionTypeParameters": true,
                    "parameterNames": true,
                    "rangeVariableTypes": true,
                },
            }))
        },
        ready: Ready::ByItself,
        findings: Findings::Pulled,
        extra: &[
            (
                "knots/coil.go",
                "package knots\n\nimport \"example.com/rigging/rope\"\n\n// Coil lays a rope in rings.\n\
                 func Coil(line rope.Rope) float64 {\n\treturn line.Metres / 2\n}\n\n\
                 // Work coils twice.\nfunc Work(line rope.Rope) float64 {\n\tgo Coil(line)\n\treturn Coil(line)\n}\n",
            ),
            (
                "broken/broken.go",
                "package broken\n\nimport \"fmt\"\n\nfunc Broken() int {\n\tvar wrong int = \"text\"\n\tunused := 1\n\treturn wrong\n}\n",
            ),
            ("untidy/untidy.go", "package untidy\n\nfunc  Untidy( a int )int{\nreturn a+1}\n"),
        ],
        appended: &[],
        changed: ("knots/coil.go", "/ 2", "/ 3"),
        sources: &[
            "knots/coil.go",
            "knots/knots.go",
            "knots/with #1 100%.go",
            "main.go",
            "rope/rope.go",
            "rope/rope_test.go",
        ],
        tests: &["rope/rope_test.go"],
        broken: "broken/broken.go",
        untidy: "untidy/untidy.go",
        function: "Splice",
        sentence: "Splice joins two ropes into one.",
        method: "Bowline.Strength",
        command: Doing::Command("gopls.list_imports", |_, uri| json!([{"URI": uri}])),
        marks: Marks {
            declared: ("rope/rope.go", "func @@Splice("),
            used: ("main.go", "rope.@@Splice(main"),
            variable: ("main.go", "describe(knots.Bowline{}, @@spare)"),
            interface: ("rope/rope.go", "type @@Knot interface"),
            hierarchy: ("rope/rope.go", "type @@Knot interface"),
            local: ("main.go", "@@spare := "),
            function: ("knots/knots.go", "func @@Doubled("),
            coil: ("knots/coil.go", "func @@Coil("),
            beside: ("knots/coil.go", "go @@Coil(line)"),
            completed: ("main.go", "knot.@@Name()"),
            argument: ("main.go", "rope.Splice(@@main"),
        },
        consumer: &[
            (
                "go.mod",
                "module example.com/consumer\n\ngo 1.22\n\nrequire example.com/rigging v0.0.0\n\n\
                 replace example.com/rigging => ../go\n",
            ),
            (
                "main.go",
                "package main\n\nimport \"example.com/rigging/rope\"\n\nfunc main() {\n\tprintln(rope.Splice(rope.Rope{}, rope.Rope{}).Metres)\n}\n",
            ),
        ],
        consumer_file: "main.go",
    })
    .await;
}
