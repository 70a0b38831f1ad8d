//! `docs/reference/reading.md`: what the tools that read take on real repositories.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::bench::measure::percentile;
use crate::bench::scratch;
use crate::paths;

const HEAD: &str = "\
# The tools that read, on real repositories

Written by `cargo xtask bench reading --update`. Six symbols of each repository (twenty without `--quick`), spread over its files, are asked about \
through bowline and of the language server by itself, in turns, with both warm. *first* is the first answer about a symbol or a \
file, *again* the median of those after it. *raw* is the server's own answer to the request that stands beside the tool: \
`textDocument/definition`, `references`, `documentSymbol`, `workspace/symbol`; the tools that have none of their own stand beside \
the nearest. A token is four bytes. *equal* says how many answers have the very places of the server's.

";

const COLUMNS: &str = "| repository | tool | asked | first, median | p95 | max | again, median | raw, first | raw, again | added | tokens, median | max | equal |\n\
                       |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";

/// Takes in what was measured now, keeps what was measured before of other repositories, and writes the page.
pub(super) fn update(rows: &Value) -> Result<()> {
    let kept = scratch()?.join("reading.json");
    let before: Value = std::fs::read_to_string(&kept)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_else(|| json!([]));
    let now = rows.as_array().map_or(&[][..], Vec::as_slice);
    let is_new = |row: &&Value| now.iter().any(|new| new["repository"] == row["repository"]);
    let mut all: Vec<Value> =
        before.as_array().into_iter().flatten().filter(|row| !is_new(row)).cloned().collect();
    all.extend(now.iter().cloned());
    std::fs::write(&kept, serde_json::to_string(&all)?)?;
    let page = paths::root().join("docs/reference/reading.md");
    let lines: String = all.iter().map(line).collect();
    std::fs::write(page, format!("{HEAD}{COLUMNS}{lines}")).context("cannot write the page")
}

fn line(row: &Value) -> String {
    let samples = row["samples"].as_array().map_or(&[][..], Vec::as_slice);
    let at = |read: &dyn Fn(&Value) -> Option<f64>, percent: usize| {
        percentile(&mut samples.iter().filter_map(read).collect::<Vec<_>>(), percent)
    };
    let of = |key: &'static str| move |sample: &Value| sample[key].as_f64();
    let again = |sample: &Value| sample["again_ms"].as_f64().or_else(|| sample["first_ms"].as_f64());
    let told = samples.iter().filter(|sample| sample["is_equal"].is_boolean()).count();
    let equal = samples.iter().filter(|sample| sample["is_equal"] == true).count();
    let cells = [
        row["repository"].as_str().unwrap_or_default().to_owned(),
        format!("`{}`", row["tool"].as_str().unwrap_or_default()),
        samples.len().to_string(),
        millis(at(&of("first_ms"), 50)),
        millis(at(&of("first_ms"), 95)),
        millis(at(&of("first_ms"), 100)),
        millis(at(&again, 50)),
        millis(at(&of("raw_first_ms"), 50)),
        millis(at(&of("raw_again_ms"), 50)),
        row["added_ms"].as_f64().map_or("–".into(), |added| format!("{added:+.1} ms")),
        format!("{:.0}", at(&of("tokens"), 50)),
        format!("{:.0}", at(&of("tokens"), 100)),
        if told == 0 { String::new() } else { format!("{equal} of {told}") },
    ];
    format!("| {} |\n", cells.join(" | "))
}

fn millis(value: f64) -> String {
    if value < 10.0 { format!("{value:.1} ms") } else { format!("{value:.0} ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_both_sides() {
        let sample = |first: f64, is_equal: bool| {
            json!({ "first_ms": first, "again_ms": 1.0, "raw_first_ms": 9.0, "raw_again_ms": 0.5, "tokens": 80,
                    "is_equal": is_equal })
        };
        let row = json!({ "repository": "flask", "tool": "find_references", "added_ms": 0.5,
                          "samples": [sample(20.0, true), sample(30.0, false)] });
        let wanted = "| flask | `find_references` | 2 | 20 ms | 30 ms | 30 ms | 1.0 ms | 9.0 ms | 0.5 ms | +0.5 ms | 80 | 80 | 1 of 2 |\n";
        assert_eq!(line(&row), wanted);
    }
}
