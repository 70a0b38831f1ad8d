//! Skills: listing many of them, and one decision about phases. The measuring is in `benches/skills.rs`.

use anyhow::Result;

use super::table::Table;
use super::{Effort, Report, figure, figures};

/// Times of the plain reading.
const MOST_RATIO: f64 = 2.0;
/// Microseconds, of ninety-nine in a hundred decisions.
const MOST: f64 = 20.0;

pub(crate) fn report(effort: Effort) -> Result<Report> {
    let values = figures("skills", effort)?;
    let figure = |name: &str| figure(&values, name);
    let (ratio, p99) = (figure("ratio")?, figure("p99_us")?);
    let met = |is: bool| if is { "met" } else { "missed" }.to_owned();
    let row = |cells: [&str; 2], target: String, met: String| {
        vec![cells[0].to_owned(), cells[1].to_owned(), target, met]
    };
    let listing = Table {
        title: format!("listing {} skills, beside reading the first 4 KB of each", values["skills"]),
        columns: vec!["", "bowline", "target", ""],
        rows: vec![
            row(["list", &format!("{:.1} ms", figure("list_ms")?)], String::new(), String::new()),
            row(["plain reading", &format!("{:.1} ms", figure("plain_ms")?)], String::new(), String::new()),
            row(["ratio", &format!("{ratio:.2}")], format!("≤ {MOST_RATIO}"), met(ratio <= MOST_RATIO)),
        ],
    };
    let deciding = Table {
        title: "one decision of fence and phases, over the four tables".to_owned(),
        columns: vec!["", "bowline", "target", ""],
        rows: vec![
            row(["median", &format!("{:.1} µs", figure("p50_us")?)], String::new(), String::new()),
            row(["99 %", &format!("{p99:.1} µs")], format!("< {MOST} µs"), met(p99 < MOST)),
            row(["slowest", &format!("{:.1} µs", figure("max_us")?)], String::new(), String::new()),
        ],
    };
    Ok(Report { tables: vec![listing, deciding], values })
}
