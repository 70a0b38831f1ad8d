//! Rust, by rust-analyzer.

use super::{Case, Doing, Findings, Marks, Ready, walk};

#[tokio::test(flavor = "multi_thread")]
async fn rust_analyzer_says_the_same() {
    walk(Case {
        language: "rust",
        column: "rust-analyzer",
        name: "rust-analyzer",
        variable: "BOWLINE_SERVER_RUST_ANALYZER",
        project: "rust",
        options: || None,
        ready: Ready::Quiescent,
        findings: Findings::PulledAndChecked,
        extra: &[
            (
                "src/coil.rs",
                "//! Ropes in rings.\n\nuse crate::rope::Rope;\n\n/// Lays a rope in rings.\n\
                 pub fn coil(rope: &Rope) -> f64 {\n    rope.metres / 2.0\n}\n\n\
                 pub fn work(rope: Rope) {\n    let beside = std::thread::spawn(move || coil(&rope));\n    drop(beside);\n}\n\n\
                 pub fn idle(rope: &Rope) -> f64 {\n    coil(rope)\n}\n",
            ),
            // Without macros and `Self`: whether a use by these is found is a matter of chance in each process.
            (
                "src/rope.rs",
                "//! What the other modules tie knots into.\n\n/// A length of line.\npub struct Rope {\n    pub label: String,\n    pub metres: f64,\n}\n\n\
                 impl Rope {\n    pub fn new(label: &str, metres: f64) -> Rope {\n        Rope { label: label.to_owned(), metres }\n    }\n}\n\n\
                 /// Anything that can be tied into a rope.\npub trait Knot {\n    fn name(&self) -> &'static str;\n    fn strength(&self, rope: &Rope) -> f64;\n}\n\n\
                 /// Joins two ropes into one.\npub fn splice(first: &Rope, second: &Rope) -> Rope {\n    \
                 let label = first.label.clone() + \"+\" + &second.label;\n    Rope { label, metres: first.metres + second.metres }\n}\n",
            ),
            ("src/bin/macro.rs", "fn main() {\n    let text = format!(\"{}\", 1);\n    drop(text);\n}\n"),
            (
                "src/main.rs",
                "use rigging::knots::{Bowline, doubled};\nuse rigging::rope::{Knot, Rope, splice};\n\n\
                 fn describe(knot: &impl Knot, rope: &Rope) -> f64 {\n    let _name = knot.name();\n    knot.strength(rope)\n}\n\n\
                 fn main() {\n    let line = Rope::new(\"main\", 10.0);\n    let spare = Rope::new(\"spare\", 5.0);\n    \
                 let (_mark, joined) = (\"é 😀\", splice(&line, &spare));\n    let held = describe(&Bowline, &spare);\n    \
                 std::process::exit(i32::from(held < joined.metres + doubled(&line).metres));\n}\n",
            ),
            ("src/bin/broken.rs", "fn main() {\n    let wrong: Option<i32> = 1;\n    drop(wrong);\n}\n"),
            ("src/bin/untidy.rs", "fn  main( ){let a=1;\ndrop(a);}\n"),
        ],
        appended: &[("src/lib.rs", "pub mod coil;\n")],
        changed: ("src/coil.rs", "/ 2.0", "/ 3.0"),
        sources: &[
            "src/coil.rs",
            "src/knots.rs",
            "src/lib.rs",
            "src/main.rs",
            "src/odd names/with #1 100%.rs",
            "src/rope.rs",
            "tests/rope.rs",
        ],
        tests: &["tests/rope.rs"],
        broken: "src/bin/broken.rs",
        untidy: "src/bin/untidy.rs",
        function: "splice",
        sentence: "Joins two ropes into one.",
        method: "Bowline.strength",
        command: Doing::Nothing(""),
        marks: Marks {
            declared: ("src/rope.rs", "pub fn @@splice("),
            used: ("src/main.rs", "@@splice(&line, &spare)"),
            variable: ("src/main.rs", "splice(&@@line, &spare)"),
            interface: ("src/rope.rs", "pub trait @@Knot"),
            hierarchy: ("src/rope.rs", "pub trait @@Knot"),
            local: ("src/coil.rs", "let @@beside = "),
            function: ("src/knots.rs", "pub fn @@doubled("),
            coil: ("src/coil.rs", "pub fn @@coil("),
            beside: ("src/coil.rs", "move || @@coil(&rope)"),
            completed: ("src/knots.rs", "rope.@@metres"),
            argument: ("src/main.rs", "splice(@@&line, &spare)"),
        },
        consumer: &[
            (
                "Cargo.toml",
                "[package]\nname = \"consumer\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
                 [dependencies]\nrigging = { path = \"../rust\" }\n\n[workspace]\n",
            ),
            (
                "src/main.rs",
                "use rigging::rope::{Rope, splice};\n\nfn main() {\n    let joined = splice(&Rope::new(\"a\", 1.0), &Rope::new(\"b\", 2.0));\n    drop(joined);\n}\n",
            ),
        ],
        consumer_file: "src/main.rs",
    })
    .await;
}
