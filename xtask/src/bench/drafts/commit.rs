//! A hundred files of twenty kilobytes, all or none, beside files that are merely written. The writer itself is measured in
//! `benches/writer.rs`, which cargo builds as it ships; here it is asked through MCP.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::bench::measure::percentile;
use crate::bench::servers::raw::uri;
use crate::bench::table::Table;
use crate::bench::{BUILD, Effort, plain, scratch};
use crate::home::Home;
use crate::mcp::Mcp;
use crate::run;

/// So many times what it takes to write and sync them.
const MOST: f64 = 3.0;
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn report(ours: &Path, effort: Effort) -> Result<(Table, Value)> {
    let folder = scratch()?.join("commit");
    let rounds = if effort == Effort::Quick { 5 } else { 30 };
    let mut values = writer(&folder, rounds)?;
    let figure = |values: &Value, name: &str| -> Result<f64> {
        values[name].as_f64().with_context(|| format!("the benchmark did not print `{name}`"))
    };
    let (mut beside, mut through) = through(ours, &folder.join("through"), &values, rounds)?;
    values["commit_session_ms"] = json!(percentile(&mut through, 50));
    values["plain_beside_ms"] = json!(percentile(&mut beside, 50));
    // A disk is not the same for long: each is compared with what was written in turns with it.
    let row = |what: &str, name: &str, beside: &str, is_ours: bool| -> Result<Vec<String>> {
        let millis = figure(&values, name)?;
        let ratio = millis / figure(&values, beside)?;
        let met = match is_ours {
            true if ratio <= MOST => "met",
            true => "missed",
            false => "",
        };
        let target = if is_ours { format!("≤ {MOST}") } else { String::new() };
        Ok(vec![what.to_owned(), format!("{millis:.1} ms"), format!("{ratio:.2}"), target, met.to_owned()])
    };
    let rows = vec![
        row("written and synced", "plain_ms", "plain_ms", false)?,
        row("written aside, synced and renamed", "renamed_ms", "plain_ms", false)?,
        row("bowline's writer", "writer_ms", "plain_ms", true)?,
        row("written and synced, later", "plain_beside_ms", "plain_beside_ms", false)?,
        row("commit_session", "commit_session_ms", "plain_beside_ms", true)?,
    ];
    let title =
        format!("a commit of {} files of {} bytes, medians of {rounds}", values["files"], values["bytes"]);
    Ok((Table { title, columns: vec!["", "median", "÷ written", "target", ""], rows }, values))
}

fn writer(folder: &Path, rounds: usize) -> Result<Value> {
    let mut bench = run::cargo();
    bench.args(["bench", "--quiet", "--package", "xtask", "--bench", "writer", "--locked", "--"]);
    bench.arg(folder).arg(rounds.to_string());
    let printed = run::stdout(&mut bench, BUILD)?;
    let line = printed.lines().last().unwrap_or_default();
    serde_json::from_str(line).context("the benchmark printed no figures")
}

/// The same files, merely written, and drafted in a session and committed, in turns. What is remembered of a session lies
/// on the same disk.
fn through(ours: &Path, folder: &Path, values: &Value, rounds: usize) -> Result<(Vec<f64>, Vec<f64>)> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    let number = |name: &str| values[name].as_u64().and_then(|value| usize::try_from(value).ok());
    let (files, bytes) = number("files").zip(number("bytes")).context("no sizes")?;
    let project = folder.join("project");
    std::fs::create_dir_all(&project)?;
    let project = project.canonicalize()?;
    let lines = "a line of text that stands in many files\n".repeat(bytes / 41);
    let files: Vec<PathBuf> = (0..files).map(|number| project.join(format!("f{number:03}.txt"))).collect();
    for file in &files {
        std::fs::write(file, format!("round 00\n{lines}"))?;
    }
    let home = Home::new()?;
    home.agree_to(&["commit_session"])?;
    let mut command = home.command(ours, &project);
    command.env("XDG_STATE_HOME", folder.join("state")).env("XDG_CACHE_HOME", folder.join("cache"));
    let mut mcp = Mcp::start(command.arg("--root").arg(&project))?;
    let beside = folder.join("plain");
    std::fs::create_dir_all(&beside)?;
    let (mut plain, mut millis) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let text = format!("round {:02}\n{lines}", (round + 1) % 100);
        let started = Instant::now();
        for number in 0..files.len() {
            plain::write(&beside.join(format!("f{number:03}.txt")), &text)?;
        }
        let written = started.elapsed();
        let range = json!({ "start": { "line": 0, "character": 6 }, "end": { "line": 0, "character": 8 } });
        let edit = json!([{ "range": range, "newText": format!("{:02}", (round + 1) % 100) }]);
        let changes: serde_json::Map<String, Value> =
            files.iter().map(|file| (uri(file), edit.clone())).collect();
        let session = mcp.demand(
            "create_simulation_session",
            &json!({ "workspace_root": project, "language": "json" }),
            PATIENCE,
        )?;
        let id = session.0["session_id"].clone();
        let edit = json!({ "session_id": id, "workspace_edit": { "changes": changes } });
        mcp.demand("simulate_edit", &edit, PATIENCE)?;
        let commit = json!({ "session_id": id, "apply": true });
        let (committed, took) = mcp.demand("commit_session", &commit, PATIENCE)?;
        ensure!(committed["files_written"] == files.len(), "not all were written: {committed}");
        // The first is for warming up.
        if round > 0 {
            plain.push(written.as_secs_f64() * 1000.0);
            millis.push(took.as_secs_f64() * 1000.0);
        }
    }
    let _ = mcp.talk.close(Duration::from_secs(20));
    Ok((plain, millis))
}
