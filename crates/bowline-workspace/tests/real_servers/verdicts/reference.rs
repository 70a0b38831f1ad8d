//! What was seen, as `docs/reference/verdicts.md` says it. `UPDATE_TABLE=1` writes it anew.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/verdicts.md");

const HEAD: &str = "\
# What is said of drafts, and what the compilers say

Written by `UPDATE_TABLE=1 cargo test -p bowline-workspace --features real-servers --test real_servers verdicts`, and checked \
by every run of it: each line was seen.

Each line is an edit of a small project that has one error from the start. It is evaluated as a draft, in memory; then it is \
written into a copy of the project, and the compiler runs there: `go build` and `go vet`, `pyright`, `tsc`, `c++`, `cargo check \
--all-targets`. An edit *breaks* the project if there is an error afterwards that there was not before. No edit that breaks it \
is called safe, and none that the compiler accepts is called broken. *Not known* is neither: the answer says why. After each \
evaluation the servers say of the files what they said before.

";

const COLUMNS: &str = "| edit | compiler | bowline | confidence |\n|---|---|---|---|\n";

/// What stands below is the benchmark's, and is left alone.
const BENCHMARK: &str = "<!-- What follows is written by the benchmark. -->";

/// One run writes or reads it at a time.
static PAGE: Mutex<()> = Mutex::new(());

/// Compares a section with the page, or writes it there.
pub(super) fn settle(title: &str, lines: &[String]) {
    let _one = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
    let whole = std::fs::read_to_string(FILE).unwrap_or_default();
    let (written, below) = whole.split_at(whole.find(BENCHMARK).unwrap_or(whole.len()));
    let below = if below.is_empty() { String::new() } else { format!("\n{below}") };
    let written = format!("{}\n", written.trim_end());
    let mut sections = read(&written);
    let section: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if std::env::var_os("UPDATE_TABLE").is_some() {
        sections.insert(title.to_owned(), section);
        return std::fs::write(FILE, text(&sections) + &below).unwrap();
    }
    let told = sections.get(title).cloned().unwrap_or_default();
    assert_eq!(told, section, "{title}: the page is not what was seen (UPDATE_TABLE=1)");
    assert_eq!(written, text(&sections), "the words around the tables have changed (UPDATE_TABLE=1)");
}

fn read(text: &str) -> BTreeMap<String, String> {
    let section = |section: &str| {
        let (title, rest) = section.split_once('\n')?;
        let lines = rest.lines().filter(|line| line.starts_with("| ") && !COLUMNS.starts_with(line));
        Some((title.to_owned(), lines.map(|line| format!("{line}\n")).collect()))
    };
    text.split("\n## ").skip(1).filter_map(section).collect()
}

fn text(sections: &BTreeMap<String, String>) -> String {
    let section = |(title, lines): (&String, &String)| format!("## {title}\n\n{COLUMNS}{lines}");
    let sections: Vec<String> = sections.iter().map(section).collect();
    format!("{HEAD}{}", sections.join("\n"))
}
