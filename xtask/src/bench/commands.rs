//! Thousands of generated commands: those that the gate allows are run by real bash, and none may do what the rules deny.
//! The work is in `crates/bowline/tests/commands`, where some hundreds are part of every test run.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::table::Table;
use super::{Effort, Report};
use crate::run;

const TEST: &str = "attacks::thousands_of_generated_commands_do_nothing_that_is_denied";
/// Commands for each set of rules.
const COMMANDS: [(Effort, &str); 2] = [(Effort::Quick, "1000"), (Effort::Full, "10000")];
const LIMIT: Duration = Duration::from_secs(3 * 3600);

pub(crate) fn report(effort: Effort, seed: Option<&str>) -> Result<Report> {
    let mut command = run::cargo();
    command.args(["test", "--quiet", "--package", "bowline", "--test", "commands", "--locked", "--"]);
    command.args(["--ignored", "--exact", TEST, "--nocapture"]);
    command
        .envs(COMMANDS.iter().filter(|(of, _)| *of == effort).map(|(_, count)| ("BOWLINE_COMMANDS", *count)));
    command.envs(seed.map(|seed| ("BOWLINE_SEED", seed)));
    let started = Instant::now();
    let printed = run::stdout(&mut command, LIMIT)?;
    let at = printed.rfind("{\"").context("the long run printed no figures")?;
    let line = printed[at..].lines().next().unwrap_or_default();
    let values: Value = serde_json::from_str(line).context("the long run printed no figures")?;
    if values["violations"] != 0 {
        bail!("allowed commands did what the rules deny:\n{}", &printed[..at]);
    }
    let row = |what: &str, name: &str| vec![what.to_owned(), values[name].to_string()];
    Ok(Report {
        tables: vec![Table {
            title: format!(
                "generated commands, seed {}, {:.0} s",
                values["seed"],
                started.elapsed().as_secs_f64()
            ),
            columns: vec!["", "commands"],
            rows: vec![
                row("generated", "generated"),
                row("allowed by the gate", "allowed"),
                row("run by bash", "executed"),
                row("did what is denied", "violations"),
            ],
        }],
        values,
    })
}
