//! What a call costs that has nothing to do: one at a time, and many at once, beside the peer by turns.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::measure::percentile;
use super::table::Table;
use super::{Effort, Report, scratch};
use crate::{install, run, tools};

/// For going away.
const PATIENCE: Duration = Duration::from_secs(20);
/// Calls under way at once, where there are many.
const IN_FLIGHT: usize = 64;

/// What is asked: a request of the protocol, and a tool that both have and that needs no language server.
const QUESTIONS: [Question; 2] = [
    Question { name: "ping", message: |id| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }) },
    Question {
        name: "get_skill_phase",
        message: |id| {
            let params = json!({ "name": "get_skill_phase", "arguments": {} });
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
        },
    },
];

struct Question {
    name: &'static str,
    message: fn(u64) -> Value,
}

pub(crate) fn report(ours: &Path, effort: Effort) -> Result<Report> {
    let peer = install::tool(&tools::AGENT_LSP)?;
    let home = tempfile::tempdir_in(scratch()?)?;
    let project = home.path().join("project");
    std::fs::create_dir(&project)?;
    let no_servers = home.path().join("no-servers.json");
    std::fs::write(&no_servers, "{\"servers\": []}")?;
    let (rounds, calls) = match effort {
        Effort::Quick => (4, 250),
        Effort::Full => (10, 1000),
    };
    let start = |program: &Path, arguments: &[&Path]| {
        let mut command = run::command(program);
        run::isolate(&mut command, home.path());
        Server::start(command.current_dir(&project).args(arguments))
    };
    let mut left = start(ours, &[Path::new("serve"), Path::new("--root"), &project])?;
    let mut right = start(&peer, &[Path::new("--config"), &no_servers])?;
    let (mut rows, mut values) = (Vec::new(), serde_json::Map::new());
    for question in &QUESTIONS {
        let (mut a, mut b) = (Figures::default(), Figures::default());
        for round in 0..=rounds {
            let measured = (left.measure(question, calls)?, right.measure(question, calls)?);
            // The first round is a warm-up.
            if round > 0 {
                a.add(measured.0);
                b.add(measured.1);
            }
        }
        let medians = (percentile(&mut a.micros, 50), percentile(&mut b.micros, 50));
        let rates = (percentile(&mut a.rates, 50), percentile(&mut b.rates, 50));
        let switches = (percentile(&mut a.switches, 50), percentile(&mut b.switches, 50));
        let (name, each, many) = (question.name, medians.0 / medians.1, rates.0 / rates.1);
        let wanted = |met: bool| if met { "met" } else { "missed" };
        let mut row = |what: String, unit: &str, of: (f64, f64), target: &str, met: &str| {
            let ratio = of.0 / of.1;
            let shown = |value: f64| format!("{value:.1} {unit}").trim_end().to_owned();
            rows.push(vec![
                what.clone(),
                shown(of.0),
                shown(of.1),
                format!("{ratio:.2}"),
                target.to_owned(),
                met.to_owned(),
            ]);
            let value = json!({ "unit": unit, "bowline": of.0, "peer": of.1, "ratio": ratio, "met": met });
            values.insert(what, value);
        };
        row(format!("{name}, median"), "µs", medians, "≤ 0.5", wanted(each <= 0.5));
        row(format!("{name}, context switches"), "", switches, "", "");
        row(format!("{name}, {IN_FLIGHT} in flight"), "/s", rates, "≥ 3", wanted(many >= 3.0));
    }
    left.end();
    right.end();
    let title = format!("a call that has nothing to do, {rounds} × {calls} by turns");
    let columns = vec!["", "bowline", "agent-lsp", "ratio", "target", ""];
    Ok(Report { tables: vec![Table { title, columns, rows }], values: values.into() })
}

/// All rounds of one server.
#[derive(Default)]
struct Figures {
    micros: Vec<f64>,
    rates: Vec<f64>,
    switches: Vec<f64>,
}

/// One round.
struct Round {
    micros: Vec<f64>,
    rate: f64,
    switches: f64,
}

impl Figures {
    fn add(&mut self, round: Round) {
        self.micros.extend(round.micros);
        self.rates.push(round.rate);
        self.switches.push(round.switches);
    }
}

/// A server whose answers are read by the thread that asks: another one would be measured too.
struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last_id: u64,
}

impl Server {
    fn start(command: &mut Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = run::spawn(command)?;
        let stdin = child.stdin.take().context("no pipe")?;
        let stdout = BufReader::with_capacity(1 << 16, child.stdout.take().context("no pipe")?);
        let mut server = Self { child, stdin, stdout, last_id: 0 };
        let client = json!({ "name": "bench", "version": "0" });
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        server.ask(|id| json!({ "jsonrpc": "2.0", "id": id, "method": "initialize", "params": params }))?;
        writeln!(server.stdin, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(server)
    }

    fn ask(&mut self, message: impl Fn(u64) -> Value) -> Result<Duration> {
        self.last_id += 1;
        let line = format!("{}\n", message(self.last_id));
        let asked = Instant::now();
        self.stdin.write_all(line.as_bytes())?;
        self.answer()?;
        Ok(asked.elapsed())
    }

    /// Waits for the next answer, whichever it is.
    fn answer(&mut self) -> Result<()> {
        let mut line = String::new();
        loop {
            line.clear();
            ensure!(self.stdout.read_line(&mut line)? > 0, "it has gone");
            // Notifications have no id.
            if line.contains("\"id\":") {
                return Ok(());
            }
        }
    }

    fn measure(&mut self, question: &Question, calls: usize) -> Result<Round> {
        let before = switches(self.child.id());
        let mut micros = Vec::with_capacity(calls);
        for _ in 0..calls {
            micros.push(self.ask(question.message)?.as_secs_f64() * 1e6);
        }
        let switches = (switches(self.child.id()) - before) / calls as f64;
        let total = calls * 4;
        let started = Instant::now();
        let (mut sent, mut got) = (0, 0);
        while got < total {
            let mut lines = String::new();
            while sent < total && sent - got < IN_FLIGHT {
                self.last_id += 1;
                sent += 1;
                lines += &format!("{}\n", (question.message)(self.last_id));
            }
            self.stdin.write_all(lines.as_bytes())?;
            self.answer()?;
            got += 1;
            // What is there already is read before more is sent.
            while got < total && self.stdout.buffer().contains(&b'\n') {
                self.answer()?;
                got += 1;
            }
        }
        Ok(Round { micros, rate: total as f64 / started.elapsed().as_secs_f64(), switches })
    }

    fn end(mut self) {
        drop(self.stdin);
        if run::wait(&mut self.child, PATIENCE).is_err() {
            run::end(&mut self.child);
        }
    }
}

/// How often the threads of a process were switched, of those that live.
fn switches(process: u32) -> f64 {
    let of = |task: std::fs::DirEntry| {
        let status = std::fs::read_to_string(task.path().join("status")).unwrap_or_default();
        let counts = status.lines().filter_map(|line| line.split_once("ctxt_switches:"));
        counts.filter_map(|(_, count)| count.trim().parse::<f64>().ok()).sum::<f64>()
    };
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
    tasks.into_iter().flatten().flatten().map(of).sum()
}
