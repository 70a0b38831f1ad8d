//! One decision of the gate. The measuring is in `benches/gate.rs`, which cargo builds as it ships.

use anyhow::Result;

use super::table::Table;
use super::{Effort, Report, figure, figures};

/// Microseconds, of ninety-nine in a hundred decisions.
const MOST: f64 = 50.0;
/// The same of reading a command of ten thousand characters.
const MOST_READING: f64 = 5_000.0;
/// Milliseconds, until the rules can be asked.
const MOST_START: f64 = 100.0;
/// The same, to look at as many names in a tree as are looked at for one call.
const MOST_NAMES: f64 = 200.0;

pub(crate) fn report(effort: Effort) -> Result<Report> {
    let values = figures("gate", effort)?;
    let figure = |name: &str| figure(&values, name);
    let p99 = figure("p99_us")?;
    let row = |what: &str, value: f64, target: &str, met: &str| {
        vec![what.to_owned(), format!("{value:.1} µs"), target.to_owned(), met.to_owned()]
    };
    let met = |value: f64, most: f64| if value < most { "met" } else { "missed" };
    let reading = figure("command_p99_us")?;
    let (start, names) = (figure("start_p50_ms")?, figure("names_ms")?);
    let slow = |what: &str, value: f64, most: f64| {
        vec![what.to_owned(), format!("{value:.1} ms"), format!("< {most} ms"), met(value, most).to_owned()]
    };
    Ok(Report {
        tables: vec![Table {
            title: format!(
                "one decision of the gate, {} rules, {} calls in the ledger",
                values["rules"], values["ledger"]
            ),
            columns: vec!["", "bowline", "target", ""],
            rows: vec![
                row("median", figure("p50_us")?, "", ""),
                row("99 %", p99, &format!("< {MOST} µs"), met(p99, MOST)),
                row("slowest", figure("max_us")?, "", ""),
                row("a command of 10 000 characters read, median", figure("command_p50_us")?, "", ""),
                row("99 %", reading, &format!("< {MOST_READING} µs"), met(reading, MOST_READING)),
                slow("the rules read and ready, median", start, MOST_START),
                slow("60 000 names in a tree compared with them", names, MOST_NAMES),
            ],
        }],
        values,
    })
}
