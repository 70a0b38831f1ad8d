//! The section about real repositories in `docs/reference/verdicts.md`. What stands above it is written by the tests of the
//! workspace, which leave this alone.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::edits::KINDS;
use crate::bench::measure::percentile;
use crate::bench::repositories::REPOSITORIES;
use crate::bench::scratch;
use crate::paths;

/// Where the section begins. The tests know it, too.
const MARK: &str = "<!-- What follows is written by the benchmark. -->\n";

const HEAD: &str = "\
# Real repositories

Written by `cargo xtask bench drafts --only real --update`. Each edit is data, in `xtask/edits/`; the repositories are pinned, \
come from the package registries, and are not fixtures of this project. The compilers are the truth: `pyright`, `tsc`, `go \
vet`, `cargo check --all-targets`, and the C and C++ compiler with the commands of each unit, before and after the edit in a \
copy. *Right* is safe where the compiler introduces no error, and broken where it does; *wrong* is the opposite; *not known* is \
neither, by the first answer within the limits that are set without being asked for. *Settled* is the same after \
`evaluate_session` was called again, for at most 30 seconds.

*raw* is the language server by itself: it is shown the file, says what is wrong with it, is shown the edit, and says it again; \
for edits of what other files can see, it also says who refers to the symbol, and what is wrong with each of those files. For \
Rust it is `cargo check` after the edit. Targets: an edit that no other file can see is answered within raw + 50 ms, an edit of \
a private symbol within 1.5 × raw, and an edit of an exported symbol within 3 × raw.

";

const COLUMNS: &str = "| | edits | right | wrong | not known | not known, settled | median | p95 | raw, median | ÷ raw, median | within target |\n\
                       |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";

/// Takes in what was measured now, keeps what was measured before of other repositories, and writes the section.
pub(super) fn update(values: &Value) -> Result<()> {
    let kept = scratch()?.join("drafts-real.json");
    let before: Value = std::fs::read_to_string(&kept)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_else(|| json!([]));
    let now = values["edits"].as_array().map_or(&[][..], Vec::as_slice);
    let is_new = |edit: &&Value| now.iter().any(|new| new["repository"] == edit["repository"]);
    let mut edits: Vec<Value> =
        before.as_array().into_iter().flatten().filter(|edit| !is_new(edit)).cloned().collect();
    edits.extend(now.iter().cloned());
    std::fs::write(&kept, serde_json::to_string(&edits)?)?;
    let page: PathBuf = paths::root().join("docs/reference/verdicts.md");
    let text = std::fs::read_to_string(&page).context("cannot read the page")?;
    let (above, _) = text.split_once(MARK).unwrap_or((&text, ""));
    let above = above.trim_end();
    std::fs::write(&page, format!("{above}\n\n{MARK}\n{}", section(&edits))).context("cannot write the page")
}

fn section(edits: &[Value]) -> String {
    let all: Vec<&Value> = edits.iter().collect();
    let of =
        |key: &str, value: &str| -> Vec<&Value> { edits.iter().filter(|edit| edit[key] == value).collect() };
    let mut text = format!("{HEAD}## By repository\n\n{COLUMNS}");
    for repository in &REPOSITORIES {
        let found = of("repository", repository.short());
        if !found.is_empty() {
            let name =
                format!("{} {} ({})", repository.short(), repository.version, repository.language.name());
            text.push_str(&line(&name, &found));
        }
    }
    text.push_str(&line("all", &all));
    text.push_str(&format!("\n## By kind\n\n{COLUMNS}"));
    for (kind, _) in KINDS {
        let found = of("kind", kind);
        if !found.is_empty() {
            text.push_str(&line(kind, &found));
        }
    }
    let listed = |class: &str| -> Vec<&Value> {
        edits.iter().filter(|edit| edit["first"]["class"] == class).collect()
    };
    let wrong = listed("WRONG");
    if !wrong.is_empty() {
        text.push_str("\n## Wrong\n\n");
        text.extend(
            wrong.iter().map(|edit| format!("- {}: {}\n", name(edit), cell(&edit["first"]["verdict"]))),
        );
    }
    let unknown = listed("not known");
    if !unknown.is_empty() {
        text.push_str("\n## Not known\n\n| edit | compiler | after | why |\n|---|---|---:|---|\n");
        for edit in unknown {
            let is_clean = edit["truth"].as_array().is_none_or(Vec::is_empty);
            let compiler = if is_clean { "accepts" } else { "breaks" };
            let took = millis(edit["first"]["ms"].as_f64());
            text.push_str(&format!(
                "| {} | {compiler} | {took} | {} |\n",
                name(edit),
                cell(&edit["reasons"])
            ));
        }
    }
    text
}

fn name(edit: &Value) -> String {
    format!("{}: {} in `{}`", cell(&edit["repository"]), cell(&edit["kind"]), cell(&edit["file"]))
}

/// Text for a cell: short, without what would end it, and without the place of this repository on the disk.
fn cell(value: &Value) -> String {
    let place = paths::root().display().to_string();
    let text = value.as_str().unwrap_or_default().replace(&place, "").replace('\n', " ").replace('|', "\\|");
    if text.chars().count() <= 160 { text } else { text.chars().take(160).collect::<String>() + " …" }
}

fn line(name: &str, edits: &[&Value]) -> String {
    let count =
        |answer: &str, class: &str| edits.iter().filter(|edit| edit[answer]["class"] == class).count();
    let numbers = |read: &dyn Fn(&Value) -> Option<f64>, percent: usize| {
        let mut found: Vec<f64> = edits.iter().filter_map(|edit| read(edit)).collect();
        (!found.is_empty()).then(|| percentile(&mut found, percent))
    };
    let first = |edit: &Value| edit["first"]["ms"].as_f64();
    let ratio = numbers(&|edit| Some(first(edit)? / edit["raw_ms"].as_f64()?), 50);
    let told = edits.iter().filter(|edit| edit["is_within"].is_boolean()).count();
    let within = edits.iter().filter(|edit| edit["is_within"] == true).count();
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {within} of {told} |\n",
        edits.len(),
        count("first", "right"),
        count("first", "WRONG"),
        count("first", "not known"),
        count("settled", "not known"),
        millis(numbers(&first, 50)),
        millis(numbers(&first, 95)),
        millis(numbers(&|edit| edit["raw_ms"].as_f64(), 50)),
        ratio.map_or("–".into(), |ratio| format!("{ratio:.2}")),
    )
}

fn millis(value: Option<f64>) -> String {
    value.map_or("–".into(), |value| format!("{value:.0} ms"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_listed_with_its_reason_and_all_is_counted() {
        let edit = |class: &str, ms: f64| {
            json!({
                "repository": "flask", "kind": "comment", "file": "a.py", "truth": [], "raw_ms": 100.0,
                "is_within": ms < 150.0, "first": { "class": class, "ms": ms }, "settled": { "class": "right" },
                "reasons": "out of time | more",
            })
        };
        let text = section(&[edit("right", 120.0), edit("not known", 7000.0)]);
        let line = "| 2 | 1 | 0 | 1 | 0 | 120 ms | 7000 ms | 100 ms | 1.20 | 1 of 2 |\n";
        assert!(text.contains(&format!("| flask 3.1.1 (python) {line}")), "{text}");
        assert!(text.contains(&format!("| comment {line}")));
        assert!(text.contains("| flask: comment in `a.py` | accepts | 7000 ms | out of time \\| more |"));
        assert!(!text.contains("## Wrong"));
    }

    #[test]
    fn the_tests_know_where_the_section_begins() {
        let tests = "crates/bowline-workspace/tests/real_servers/verdicts/reference.rs";
        let text = std::fs::read_to_string(paths::root().join(tests)).unwrap();
        assert!(text.contains(MARK.trim_end()));
    }
}
