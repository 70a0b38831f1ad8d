//! One decision of the gate. The measuring is in `benches/gate.rs`, which cargo builds as it ships.

use anyhow::{Context, Result};
use serde_json::Value;

use super::table::Table;
use super::{BUILD, Effort, Report};
use crate::run;

/// Microseconds, of ninety-nine in a hundred decisions.
const MOST: f64 = 50.0;

pub(crate) fn report(effort: Effort) -> Result<Report> {
    let mut bench = run::cargo();
    bench.args(["bench", "--quiet", "--package", "xtask", "--bench", "gate", "--locked", "--"]);
    if effort == Effort::Quick {
        bench.arg("--quick");
    }
    let printed = run::stdout(&mut bench, BUILD)?;
    let line = printed.lines().last().unwrap_or_default();
    let values: Value = serde_json::from_str(line).context("the benchmark printed no figures")?;
    let figure = |name: &str| -> Result<f64> {
        values[name].as_f64().with_context(|| format!("the benchmark did not print `{name}`"))
    };
    let p99 = figure("p99_us")?;
    let row = |what: &str, value: f64, target: &str, met: &str| {
        vec![what.to_owned(), format!("{value:.1} µs"), target.to_owned(), met.to_owned()]
    };
    let met = if p99 < MOST { "met" } else { "missed" };
    Ok(Report {
        tables: vec![Table {
            title: format!(
                "one decision of the gate, {} rules, {} calls in the ledger",
                values["rules"], values["ledger"]
            ),
            columns: vec!["", "bowline", "target", ""],
            rows: vec![
                row("median", figure("p50_us")?, "", ""),
                row("99 %", p99, &format!("< {MOST} µs"), met),
                row("slowest", figure("max_us")?, "", ""),
            ],
        }],
        values,
    })
}
