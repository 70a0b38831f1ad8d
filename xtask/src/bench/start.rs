//! From nothing to the list of tools: what every client waits for, and what every model reads.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::measure::{high_water, percentile};
use super::table::Table;
use super::{Effort, Report, scratch};
use crate::{install, run, tools};

/// For one answer, and for going away.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn report(ours: &Path, effort: Effort) -> Result<Report> {
    let peer = install::tool(&tools::AGENT_LSP)?;
    let home = tempfile::tempdir_in(scratch()?)?;
    let project = home.path().join("project");
    std::fs::create_dir(&project)?;
    let no_servers = home.path().join("no-servers.json");
    std::fs::write(&no_servers, "{\"servers\": []}")?;

    let start_ours = || {
        let mut command = server(ours, &project, home.path());
        command.arg("serve").arg("--root").arg(&project);
        command
    };
    // With an empty list it does not even look for language servers: its fastest start.
    let start_peer = || {
        let mut command = server(&peer, &project, home.path());
        command.arg("--config").arg(&no_servers);
        command
    };
    let (warm_up, rounds) = match effort {
        Effort::Quick => (2, 10),
        Effort::Full => (5, 40),
    };
    let (mut left, mut right) = (Samples::default(), Samples::default());
    for round in 0..warm_up + rounds {
        let (a, b) = (listing(start_ours())?, listing(start_peer())?);
        if round >= warm_up {
            left.add(&a);
            right.add(&b);
        }
    }
    Ok(compare(&mut left, &mut right, rounds))
}

fn server(program: &Path, project: &Path, home: &Path) -> Command {
    let mut command = run::command(program);
    run::isolate(&mut command, home);
    command.current_dir(project);
    command
}

struct Listing {
    took: Duration,
    peak: Option<u64>,
    bytes: usize,
    tools: usize,
}

/// Starts a server, shakes hands, asks for the tools, and sends it home.
fn listing(mut command: Command) -> Result<Listing> {
    let program = command.get_program().display().to_string();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = run::spawn(&mut command)?;
    let (mut stdin, stdout) = match (child.stdin.take(), child.stdout.take()) {
        (Some(stdin), Some(stdout)) => (stdin, stdout),
        _ => bail!("no pipes"),
    };
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let mut talk = || -> Result<(Duration, String)> {
        let hello = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "bench", "version": "0" },
            },
        });
        writeln!(stdin, "{hello}")?;
        answer(&lines, 1)?;
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
        write!(stdin, "{ready}\n{list}\n")?;
        let line = answer(&lines, 2)?;
        Ok((started.elapsed(), line))
    };
    let talked = talk().with_context(|| format!("`{program}` did not list its tools"));
    let peak = high_water(child.id());
    drop(stdin);
    if talked.is_err() || run::wait(&mut child, PATIENCE).is_err() {
        run::end(&mut child);
    }
    let (took, line) = talked?;
    let parsed: Value = serde_json::from_str(&line)?;
    let tools = parsed["result"]["tools"]
        .as_array()
        .with_context(|| format!("`{program}` answered without tools: {line:.200}"))?;
    Ok(Listing { took, peak, bytes: line.len(), tools: tools.len() })
}

/// The line that answers this request; notifications on the way are passed over.
fn answer(lines: &mpsc::Receiver<String>, id: u64) -> Result<String> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let line = lines
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            .with_context(|| format!("no answer to request {id}"))?;
        // The long line is parsed after the clock has stopped: an answer is told by its first bytes or its end.
        let head: String = line.chars().take(40).collect();
        let marks = [format!("\"id\":{id},"), format!("\"id\": {id},")];
        if marks.iter().any(|mark| head.contains(mark)) || line.ends_with(&format!("\"id\":{id}}}")) {
            return Ok(line);
        }
    }
}

#[derive(Default)]
struct Samples {
    millis: Vec<f64>,
    mebibytes: Vec<f64>,
    bytes: f64,
    tools: f64,
}

impl Samples {
    fn add(&mut self, listing: &Listing) {
        self.millis.push(listing.took.as_secs_f64() * 1000.0);
        self.mebibytes.extend(listing.peak.map(|kibibytes| kibibytes as f64 / 1024.0));
        self.bytes = listing.bytes as f64;
        self.tools = listing.tools as f64;
    }
}

/// What must hold of ours over theirs, and what we hope for.
struct Target {
    most: f64,
    aim: f64,
}

fn compare(ours: &mut Samples, peer: &mut Samples, rounds: usize) -> Report {
    const QUARTER: Option<Target> = Some(Target { most: 0.25, aim: 0.25 });
    const HALF: Option<Target> = Some(Target { most: 0.5, aim: 0.5 });
    const THREE_FIFTHS: Option<Target> = Some(Target { most: 0.6, aim: 0.5 });
    let mut rows = Vec::new();
    let mut values = serde_json::Map::new();
    let mut figure = |what: &str, unit: &str, ours: f64, peer: f64, target: Option<Target>| {
        let ratio = ours / peer;
        let (wanted, met) = match &target {
            None => (String::new(), ""),
            Some(target) if target.aim < target.most => (
                format!("≤ {}, aim {}", target.most, target.aim),
                match ratio {
                    ratio if ratio <= target.aim => "met, aim too",
                    ratio if ratio <= target.most => "met",
                    _ => "missed",
                },
            ),
            Some(target) => {
                (format!("≤ {}", target.most), if ratio <= target.most { "met" } else { "missed" })
            }
        };
        let shown = |value: f64| match unit {
            "" | "bytes" => format!("{value:.0} {unit}").trim_end().to_owned(),
            _ => format!("{value:.1} {unit}"),
        };
        rows.push(vec![
            what.to_owned(),
            shown(ours),
            shown(peer),
            format!("{ratio:.2}"),
            wanted,
            met.to_owned(),
        ]);
        values.insert(
            what.to_owned(),
            json!({
                "unit": unit, "bowline": ours, "peer": peer, "ratio": ratio,
                "target": target.map(|target| target.most), "met": met,
            }),
        );
    };
    let mut pair = |percent, of: fn(&mut Samples) -> &mut Vec<f64>| {
        (percentile(of(ours), percent), percentile(of(peer), percent))
    };
    let (median, p95) = (pair(50, |s| &mut s.millis), pair(95, |s| &mut s.millis));
    let memory = pair(50, |s| &mut s.mebibytes);
    figure("time, median", "ms", median.0, median.1, QUARTER);
    figure("time, 95 %", "ms", p95.0, p95.1, None);
    figure("peak memory", "MiB", memory.0, memory.1, THREE_FIFTHS);
    figure("tools/list", "bytes", ours.bytes, peer.bytes, HALF);
    figure("tools", "", ours.tools, peer.tools, None);
    // As long as the two do not offer the same tools, the whole listing flatters the one with fewer.
    let each = |samples: &Samples| samples.bytes / samples.tools;
    figure("tools/list, each tool", "bytes", each(ours), each(peer), None);
    Report {
        tables: vec![Table {
            title: format!("start → initialize → tools/list, {rounds} rounds by turns"),
            columns: vec!["", "bowline", "agent-lsp", "ratio", "target", ""],
            rows,
        }],
        values: values.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_answer_among_notifications() {
        let (send, lines) = mpsc::channel();
        for line in [
            r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","result":{"tools":[]},"id":2}"#,
        ] {
            send.send(line.to_owned()).unwrap();
        }
        assert!(answer(&lines, 2).unwrap().ends_with("\"id\":2}"));
        drop(send);
        assert!(answer(&lines, 3).is_err());
    }

    #[test]
    fn ratios_are_held_against_their_targets() {
        let samples =
            |millis, bytes| Samples { millis: vec![millis], mebibytes: vec![8.0], bytes, tools: 9.0 };
        let report = compare(&mut samples(5.0, 20_000.0), &mut samples(20.0, 30_000.0), 1);
        let rows: Vec<&str> = report.tables[0].rows.iter().map(|row| row[5].as_str()).collect();
        assert_eq!(rows, ["met", "", "missed", "missed", "", ""]);
    }
}
