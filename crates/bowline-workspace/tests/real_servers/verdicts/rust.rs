//! Rust, by the compiler in a copy.

use super::{Accepted, Breaks, Compiler, New, Removed, Renamed, Row, Table, Text, compare, compilers};

#[tokio::test(flavor = "multi_thread")]
async fn verdicts_of_rust() {
    compare(&TABLE).await;
}

static TABLE: Table = Table {
    title: "Rust, by rust-analyzer and cargo",
    language: "rust",
    servers: &[("rust", "BOWLINE_SERVER_RUST_ANALYZER")],
    project: PROJECT,
    crlf: &["rope/src/crlf.rs"],
    compiler: Compiler::InPlace(compilers::cargo),
    rows: ROWS,
    not_known: 4,
};

const PROJECT: &str = r#"//- /Cargo.toml
[workspace]
members = ["rope", "knots"]
exclude = ["broken"]
resolver = "2"
//- /Cargo.lock
version = 4

[[package]]
name = "knots"
version = "0.1.0"
dependencies = [
 "rope",
]

[[package]]
name = "rope"
version = "0.1.0"
//- /broken/Cargo.toml
[package]
name = "broken"
version = "0.1.0"
edition = "2021"

[workspace]
//- /broken/Cargo.lock
version = 4

[[package]]
name = "broken"
version = "0.1.0"
//- /broken/src/lib.rs
pub const WRONG: u32 = "text";

pub fn fine() -> u32 {
    WRONG
}
//- /rope/Cargo.toml
[package]
name = "rope"
version = "0.1.0"
edition = "2021"
//- /rope/src/lib.rs
pub mod chain;
pub mod crlf;
pub mod lonely;
pub mod spare;

#[derive(Debug, Clone)]
pub struct Rope {
    pub label: String,
    pub metres: u32,
}

pub trait Knot {
    fn name(&self) -> String;
}

pub fn make(label: &str, metres: u32) -> Rope {
    Rope { label: label.to_owned(), metres }
}

pub fn splice(first: &Rope, second: &Rope) -> Rope {
    make(&format!("{}{}", first.label, second.label), first.metres + second.metres)
}

pub fn longer<'a>(first: &'a Rope, second: &'a Rope) -> &'a Rope {
    if first.metres > second.metres { first } else { second }
}

pub fn forgotten() -> u32 {
    1
}

pub fn länge(größe: &Rope) -> u32 {
    größe.metres
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splices() {
        assert_eq!(splice(&make("a", 1), &make("b", 2)).metres, 3);
    }
}
//- /rope/src/spare.rs
pub fn spare() -> u32 {
    3
}

pub fn other() -> u32 {
    4
}
//- /rope/src/lonely.rs
pub fn lonely() -> u32 {
    4
}
//- /rope/src/crlf.rs
pub fn twice(n: u32) -> u32 {
    n * 2
}
//- /rope/src/chain.rs
pub const MOST: usize = 2;

pub fn count() -> impl Fn() -> u32 {
    let one = 1;
    move || one
}

pub enum Shape {
    Round,
    Flat,
}
//- /knots/Cargo.toml
[package]
name = "knots"
version = "0.1.0"
edition = "2021"

[dependencies]
rope = { path = "../rope" }
//- /knots/src/lib.rs
pub mod second;
pub mod third;

use rope::{Knot, Rope, splice};

pub struct Bowline;

impl Knot for Bowline {
    fn name(&self) -> String {
        "bowline".to_owned()
    }
}

pub fn tie(one: &Rope, other: &Rope) -> Rope {
    splice(one, other)
}
//- /knots/src/second.rs
pub fn total() -> impl Fn() -> u32 {
    rope::chain::count()
}
//- /knots/src/third.rs
use rope::chain::{MOST, Shape};

pub static NAMES: [&str; MOST] = ["one", "two"];

pub fn start() {
    let total = super::second::total();
    std::thread::spawn(move || total());
}

pub fn sides(shape: Shape) -> u32 {
    match shape {
        Shape::Round => 1,
        Shape::Flat => 2,
    }
}
//- /knots/src/main.rs
use knots::tie;
use rope::crlf::twice;
use rope::spare::{other, spare};

fn main() {
    let long = rope::make("größer 😀", 3);
    let short = rope::make("klein", 1);
    println!("{:?} {} {}", tie(&long, &short), rope::länge(&long), twice(2));
    println!("{} {} {}", rope::longer(&long, &short).label, spare(), other());
}
//- /knots/tests/knots.rs
use knots::Bowline;
use rope::Knot;

#[test]
fn is_named() {
    assert_eq!(Bowline.name(), "bowline");
}
"#;

static ROWS: &[Row] = &[
    Row {
        name: "a type error",
        changes: &[Text("knots/src/main.rs", "rope::make(\"klein\", 1)", "rope::make(\"klein\", \"one\")")],
        expected: Breaks("knots/src/main.rs"),
    },
    Row {
        name: "a value used after it was moved",
        changes: &[Text(
            "knots/src/main.rs",
            "    println!(\"{:?} ",
            "    drop(long);\n    println!(\"{:?} ",
        )],
        expected: Breaks("knots/src/main.rs"),
    },
    Row {
        name: "a lifetime that is too short for what is returned",
        changes: &[Text("rope/src/lib.rs", "second: &'a Rope) -> &'a Rope", "second: &Rope) -> &'a Rope")],
        expected: Breaks("rope/src/lib.rs"),
    },
    Row {
        name: "a parameter more, its callers elsewhere",
        changes: &[
            Text(
                "rope/src/lib.rs",
                "first: &Rope, second: &Rope",
                "first: &Rope, second: &Rope, _third: &Rope",
            ),
            Text("rope/src/lib.rs", "&make(\"b\", 2)).metres", "&make(\"b\", 2), &make(\"c\", 0)).metres"),
        ],
        expected: Breaks("knots/src/lib.rs"),
    },
    Row {
        name: "a parameter that accepts more",
        changes: &[
            Text("rope/src/lib.rs", "make(label: &str,", "make(label: impl AsRef<str>,"),
            Text("rope/src/lib.rs", "label.to_owned()", "label.as_ref().to_owned()"),
        ],
        expected: Accepted,
    },
    Row {
        name: "an export deleted that is used elsewhere",
        changes: &[Text("rope/src/spare.rs", "pub fn spare() -> u32 {\n    3\n}\n", "")],
        expected: Breaks("knots/src/main.rs"),
    },
    Row {
        name: "an export made private that is used elsewhere",
        changes: &[Text("rope/src/spare.rs", "pub fn spare()", "pub(crate) fn spare()")],
        expected: Breaks("knots/src/main.rs"),
    },
    Row {
        name: "a function deleted that nobody uses",
        changes: &[Text("rope/src/lib.rs", "pub fn forgotten() -> u32 {\n    1\n}\n\n", "")],
        expected: Accepted,
    },
    Row {
        name: "a function moved within its file",
        changes: &[
            Text("rope/src/lib.rs", "pub fn forgotten() -> u32 {\n    1\n}\n\n", ""),
            Text(
                "rope/src/lib.rs",
                "pub trait Knot",
                "pub fn forgotten() -> u32 {\n    1\n}\n\npub trait Knot",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another file, its users follow",
        changes: &[
            Text("rope/src/spare.rs", "pub fn other() -> u32 {\n    4\n}\n", ""),
            Text("rope/src/lonely.rs", "pub fn lonely", "pub fn other() -> u32 {\n    4\n}\n\npub fn lonely"),
            Text(
                "knots/src/main.rs",
                "use rope::spare::{other, spare};",
                "use rope::lonely::other;\nuse rope::spare::spare;",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another file, its users stay",
        changes: &[
            Text("rope/src/spare.rs", "pub fn other() -> u32 {\n    4\n}\n", ""),
            Text("rope/src/lonely.rs", "pub fn lonely", "pub fn other() -> u32 {\n    4\n}\n\npub fn lonely"),
        ],
        expected: Breaks("knots/src/main.rs"),
    },
    Row {
        name: "the error that there was is fixed",
        changes: &[Text("broken/src/lib.rs", "\"text\"", "1")],
        expected: Accepted,
    },
    Row {
        name: "one error fixed, another made",
        changes: &[
            Text("broken/src/lib.rs", "\"text\"", "1"),
            Text("broken/src/lib.rs", "-> u32 {\n    WRONG", "-> u8 {\n    WRONG"),
        ],
        expected: Breaks("broken/src/lib.rs"),
    },
    Row {
        name: "white space",
        changes: &[Text("rope/src/lib.rs", "größe.metres", "  größe.metres")],
        expected: Accepted,
    },
    Row {
        name: "a comment",
        changes: &[Text("rope/src/lib.rs", "pub fn splice", "/// Joins: größer 😀.\npub fn splice")],
        expected: Accepted,
    },
    Row {
        name: "letters outside ASCII, as text and as names",
        changes: &[
            Text("knots/src/main.rs", "größer 😀", "𝔤rößte 😀😀"),
            Text(
                "rope/src/lib.rs",
                "länge(größe: &Rope) -> u32 {\n    größe.",
                "länge(maß: &Rope) -> u32 {\n    maß.",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a name outside ASCII, at its declaration only",
        changes: &[Text("rope/src/lib.rs", "fn länge", "fn größe")],
        expected: Breaks("knots/src/main.rs"),
    },
    Row {
        name: "an import more, and used",
        changes: &[
            Text("knots/src/lib.rs", "use rope::{", "use std::borrow::Cow;\n\nuse rope::{"),
            Text("knots/src/lib.rs", "\"bowline\".to_owned()", "Cow::from(\"bowline\").into_owned()"),
        ],
        expected: Accepted,
    },
    Row {
        name: "an import more, and not used",
        changes: &[Text("knots/src/lib.rs", "use rope::{", "use std::borrow::Cow;\n\nuse rope::{")],
        expected: Accepted,
    },
    Row {
        name: "an import of what is not there",
        changes: &[Text("knots/src/lib.rs", "use rope::{", "use nowhere::Thing;\n\nuse rope::{")],
        expected: Breaks("knots/src/lib.rs"),
    },
    Row {
        name: "a syntax error",
        changes: &[Text("knots/src/lib.rs", "pub fn tie(one", "pub fn tie((one")],
        expected: Breaks("knots/src/lib.rs"),
    },
    Row {
        name: "a rename by the server",
        changes: &[Renamed("rope/src/lib.rs", "pub fn s", "join")],
        expected: Accepted,
    },
    Row {
        name: "a rename of the declaration only",
        changes: &[Text("rope/src/lib.rs", "pub fn splice", "pub fn join")],
        expected: Breaks("rope/src/lib.rs"),
    },
    Row {
        name: "an inferred type that only a user of a user minds",
        changes: &[
            Text("rope/src/chain.rs", "let one = 1;", "let one = std::rc::Rc::new(1);"),
            Text("rope/src/chain.rs", "move || one", "move || *one"),
        ],
        expected: Breaks("knots/src/third.rs"),
    },
    Row {
        name: "a constant that an array elsewhere minds",
        changes: &[Text("rope/src/chain.rs", "MOST: usize = 2", "MOST: usize = 3")],
        expected: Breaks("knots/src/third.rs"),
    },
    Row {
        name: "a variant more that a match elsewhere lacks",
        changes: &[Text("rope/src/chain.rs", "    Flat,\n", "    Flat,\n    Odd,\n")],
        expected: Breaks("knots/src/third.rs"),
    },
    Row {
        name: "a derive less that is used elsewhere",
        changes: &[Text("rope/src/lib.rs", "#[derive(Debug, Clone)]", "#[derive(Clone)]")],
        expected: Breaks("knots/src/main.rs"),
    },
    Row {
        name: "a new file that an edited one imports",
        changes: &[
            New("rope/src/fresh.rs", "pub fn one() -> u32 {\n    1\n}\n"),
            Text("rope/src/lib.rs", "pub mod lonely;", "pub mod fresh;\npub mod lonely;"),
            Text("knots/src/main.rs", "spare(), other()", "spare() + rope::fresh::one(), other()"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a new file with an error",
        changes: &[
            New("rope/src/fresh.rs", "pub fn one() -> u32 {\n    \"one\"\n}\n"),
            Text("rope/src/lib.rs", "pub mod lonely;", "pub mod fresh;\npub mod lonely;"),
        ],
        expected: Breaks("rope/src/fresh.rs"),
    },
    Row {
        name: "a module that has no file",
        changes: &[Text("rope/src/lib.rs", "pub mod lonely;", "pub mod fresh;\npub mod lonely;")],
        expected: Breaks("rope/src/lib.rs"),
    },
    Row {
        name: "a file removed that is used elsewhere",
        changes: &[Removed("rope/src/spare.rs")],
        expected: Breaks("rope/src/lib.rs"),
    },
    Row {
        name: "a file removed that nobody uses",
        changes: &[Removed("rope/src/lonely.rs"), Text("rope/src/lib.rs", "pub mod lonely;\n", "")],
        expected: Accepted,
    },
    Row {
        name: "a body in a file with CRLF",
        changes: &[Text("rope/src/crlf.rs", "    n * 2\n", "    let n = n + n;\n    n\n")],
        expected: Accepted,
    },
    Row {
        name: "a result in a file with CRLF",
        changes: &[Text("rope/src/crlf.rs", "-> u32 {\n    n * 2\n", "{\n    drop(n)\n")],
        expected: Breaks("knots/src/main.rs"),
    },
    Row {
        name: "a test",
        changes: &[Text(
            "knots/tests/knots.rs",
            "assert_eq!(Bowline.name(), \"bowline\")",
            "assert!(Bowline.name().starts_with('b'))",
        )],
        expected: Accepted,
    },
    Row {
        name: "a type error in a test",
        changes: &[Text("rope/src/lib.rs", "&make(\"b\", 2)).metres", "&make(2, 2)).metres")],
        expected: Breaks("rope/src/lib.rs"),
    },
    Row {
        name: "a method more that implementers elsewhere lack",
        changes: &[Text(
            "rope/src/lib.rs",
            "fn name(&self) -> String;",
            "fn name(&self) -> String;\n    fn strength(&self) -> u32;",
        )],
        expected: Breaks("knots/src/lib.rs"),
    },
    Row {
        name: "a body only",
        changes: &[Text(
            "rope/src/lib.rs",
            "    Rope { label: label.to_owned(), metres }",
            "    let label = label.to_owned();\n    Rope { label, metres }",
        )],
        expected: Accepted,
    },
    Row {
        name: "a variable that is not used",
        changes: &[Text(
            "rope/src/lib.rs",
            "    Rope { label: label",
            "    let unused = 1;\n    Rope { label: label",
        )],
        expected: Accepted,
    },
    Row {
        name: "a sound edit in a file with an error",
        changes: &[Text("broken/src/lib.rs", "    WRONG\n", "    let wrong = WRONG;\n    wrong\n")],
        expected: Accepted,
    },
];
