//! Every tool with five real language servers, which `cargo xtask test` installs: what it answers must equal what another
//! client hears from another process of the same server. Each language is walked once, by one bowline and one witness.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests make and damage files on purpose, and fail by panicking"
)]

mod bench;
mod changing;
mod navigate;
mod project;
mod raw;
mod reading;
mod servers;
mod table;

mod cpp;
mod go;
mod python;
mod rust;
mod typescript;

use std::path::Path;

use serde_json::Value;

use bench::{Bench, Mark};
use raw::{Findings, Ready};

/// One language: its server, what is added to its project, and what is asked about.
struct Case {
    language: &'static str,
    /// In the table.
    column: &'static str,
    /// By which bowline knows the server.
    name: &'static str,
    /// Where `cargo xtask test` says that the server is.
    variable: &'static str,
    project: &'static str,
    /// As bowline sends them: answers depend on them.
    options: fn() -> Option<Value>,
    ready: Ready,
    findings: Findings,
    /// Files that the project lacks, and lines to add to others.
    extra: &'static [(&'static str, &'static str)],
    appended: &'static [(&'static str, &'static str)],
    /// What is changed after everything was committed: in the body of `coil`.
    changed: (&'static str, &'static str, &'static str),
    /// All source files that are neither broken nor untidy.
    sources: &'static [&'static str],
    tests: &'static [&'static str],
    broken: &'static str,
    untidy: &'static str,
    /// What the function is called that everything uses, and what is written above it.
    function: &'static str,
    sentence: &'static str,
    /// A method with its type.
    method: &'static str,
    command: Doing,
    marks: Marks,
    /// Another repository, which uses the function.
    consumer: &'static [(&'static str, &'static str)],
    consumer_file: &'static str,
}

#[derive(Clone, Copy)]
struct Marks {
    /// The function where it is declared, and where it is used in a file with letters outside ASCII.
    declared: Mark,
    used: Mark,
    /// A variable of a type that the project declares.
    variable: Mark,
    /// Something that is implemented, and a type with others below it.
    interface: Mark,
    hierarchy: Mark,
    /// A name that stands several times in its file.
    local: Mark,
    /// A function that calls and is called.
    function: Mark,
    /// A function, and a use of it that runs beside its caller.
    coil: Mark,
    beside: Mark,
    /// Behind a dot, and between parentheses.
    completed: Mark,
    argument: Mark,
}

/// A command that changes nothing.
enum Doing {
    Nothing(&'static str),
    Command(&'static str, fn(&Path, &str) -> Value),
}

async fn walk(case: Case) {
    let mut bench = Bench::new(case);
    navigate::walk(&mut bench).await;
    bench.time("navigate");
    reading::walk(&mut bench).await;
    bench.time("reading");
    project::walk(&mut bench).await;
    bench.time("project");
    servers::walk(&mut bench).await;
    bench.time("servers");
    changing::walk(&mut bench).await;
    bench.time("changing");
    bench.end().await;
}
