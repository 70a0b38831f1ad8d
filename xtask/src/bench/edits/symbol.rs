//! An edit of one symbol. The server alone: it is shown the file and says where its symbols are, which is what whoever asks
//! it must wait for before anything can be written. We find the symbol by syntax, ask the gate, and write.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::target::Target;
use super::{Rounds, Sides, millis};
use crate::bench::drafts::project::{Generated, Language, Shape};
use crate::bench::drafts::raw::Raw;
use crate::bench::drafts::through::Through;
use crate::bench::plain;
use crate::bench::servers::through::Who;
use crate::home::Home;

const PATIENCE: Duration = Duration::from_secs(60);
/// Until a cold server knows the project, on a busy machine.
const READY: Duration = Duration::from_secs(180);
/// Functions of a small file and of a large one.
const SIZES: [usize; 2] = [5, 200];

/// One server and one file.
pub(super) struct Row {
    pub(super) language: &'static Language,
    pub(super) lines: usize,
    /// All in milliseconds.
    pub(super) server: Vec<f64>,
    pub(super) written: Vec<f64>,
    pub(super) replaced: Vec<f64>,
    pub(super) inserted: Vec<f64>,
    /// As the peer does it: it waits for diagnostics.
    pub(super) checked: Vec<f64>,
    pub(super) peer: Vec<f64>,
    /// Why there are no figures of the peer, or what it has made of the file.
    pub(super) fault: Option<String>,
}

pub(super) fn measure(sides: &Sides<'_>, rounds: &Rounds) -> Result<Vec<Row>> {
    SIZES.into_iter().map(|functions| of_size(sides, rounds, functions)).collect()
}

fn of_size(sides: &Sides<'_>, rounds: &Rounds, functions: usize) -> Result<Row> {
    let began = Instant::now();
    let shape = Shape { libraries: 4, users: 2, functions };
    let mut row = in_turns(sides, rounds, shape)?;
    if let Err(error) = of_peer(sides, rounds, shape, &mut row) {
        row.fault.get_or_insert(format!("{error:#}"));
    }
    let (server, seconds) = (sides.language.server, began.elapsed().as_secs_f64());
    println!("  {server}, a symbol of {} lines: {seconds:.1} s", row.lines);
    Ok(row)
}

/// The server, the disk and we, in turns: what else a machine does changes by the second.
fn in_turns(sides: &Sides<'_>, rounds: &Rounds, shape: Shape) -> Result<Row> {
    let language = sides.language;
    let homes = (Home::new()?, Home::new()?);
    let first = Generated::shaped(language, &homes.0.path()?.join("project"), shape)?;
    let second = Generated::shaped(language, &homes.1.path()?.join("project"), shape)?;
    homes.1.agree_to(&["replace_symbol_body", "insert_after_symbol", "undo_write"])?;
    let directly = || format!("{}, asked directly", language.server);
    let through_us = || format!("{}, through bowline", language.server);
    let mut raw = Raw::start(&homes.0, &first, Path::new(sides.program)).with_context(directly)?;
    let spec = language.spec(sides.program);
    let mut through =
        Through::start(Who::Ours, sides.ours, &homes.1, &second, &spec).with_context(through_us)?;
    let (theirs, mine) = (Target::of(&first)?, Target::of(&second)?);
    let mut row = Row {
        language,
        lines: mine.text.lines().count(),
        server: Vec::new(),
        written: Vec::new(),
        replaced: Vec::new(),
        inserted: Vec::new(),
        checked: Vec::new(),
        peer: Vec::new(),
        fault: None,
    };
    let all = rounds.warm_up + rounds.measured;
    await_ready(&mut through, &mine, all + rounds.peer).with_context(through_us)?;
    for round in 0..all {
        let server = symbols(&mut raw, &theirs, round).with_context(directly)?;
        let began = Instant::now();
        plain::replace(&homes.0.path()?.join("plain"), &mine.after(round))?;
        let written = began.elapsed();
        let replaced = replace(&mut through, &mine, round, false).with_context(through_us)?;
        let inserted = insert(&mut through, &mine, round).with_context(through_us)?;
        if round >= rounds.warm_up {
            row.server.push(millis(server));
            row.written.push(millis(written));
            row.replaced.push(millis(replaced));
            row.inserted.push(millis(inserted));
        }
    }
    for round in all..=all + rounds.peer {
        let checked = replace(&mut through, &mine, round, true).with_context(through_us)?;
        if round > all {
            row.checked.push(millis(checked));
        }
    }
    through.close();
    raw.close()?;
    Ok(row)
}

fn symbols(raw: &mut Raw, target: &Target, round: usize) -> Result<Duration> {
    let (took, answer) = raw.symbols(&target.file, &target.after(round))?;
    // Some write the parameters behind the name.
    let is_named = |symbol: &Value| symbol["name"].as_str().is_some_and(|name| name.starts_with(target.name));
    let all = answer.as_array().into_iter().flatten();
    let within = all.clone().flat_map(|symbol| symbol["children"].as_array().into_iter().flatten());
    ensure!(all.chain(within).any(is_named), "`{}` is not among the symbols: {answer}", target.name);
    Ok(took)
}

fn arguments(target: &Target, round: usize, check: bool) -> Value {
    json!({
        "file_path": target.file, "symbol_path": target.symbol_path, "new_body": target.body(round),
        "check": check,
    })
}

/// Until a look at what was written is answered: a server that still reads the project is slow, and knows nothing.
fn await_ready(through: &mut Through<'_>, target: &Target, used: usize) -> Result<()> {
    let deadline = Instant::now() + READY;
    for round in used + 1.. {
        let arguments = arguments(target, round, true);
        let (answer, _) = through.mcp.demand("replace_symbol_body", &arguments, PATIENCE)?;
        if answer["unverified"].is_null() {
            break;
        }
        ensure!(Instant::now() < deadline, "it is not ready in time: {answer}");
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

fn replace(through: &mut Through<'_>, target: &Target, round: usize, check: bool) -> Result<Duration> {
    let arguments = arguments(target, round, check);
    let (answer, took) = through.mcp.demand("replace_symbol_body", &arguments, PATIENCE)?;
    ensure!(answer["applied"] == true && answer["receipt"].is_string(), "it was not written: {answer}");
    ensure!(!check || answer["errors_after"] == 0, "it was not checked, or it is wrong: {answer}");
    let text = std::fs::read_to_string(&target.file)?;
    ensure!(text == target.after(round), "not what was to be written:\n{text}");
    Ok(took)
}

/// Inserts a function, and takes it back.
fn insert(through: &mut Through<'_>, target: &Target, round: usize) -> Result<Duration> {
    let code = target.another(round);
    let arguments = json!({
        "file_path": target.file, "symbol_path": target.symbol_path, "code": code, "check": false,
    });
    let (answer, took) = through.mcp.demand("insert_after_symbol", &arguments, PATIENCE)?;
    ensure!(answer["applied"] == true, "it was not written: {answer}");
    let (before, text) = (target.after(round), std::fs::read_to_string(&target.file)?);
    let is_right = Target::is_inserted(&before, &code, &text, &target.body(round));
    ensure!(is_right, "not what was to be inserted:\n{text}");
    through.mcp.demand("undo_write", &json!({ "receipt": answer["receipt"] }), PATIENCE)?;
    ensure!(std::fs::read_to_string(&target.file)? == before, "it was not taken back");
    Ok(took)
}

fn of_peer(sides: &Sides<'_>, rounds: &Rounds, shape: Shape, row: &mut Row) -> Result<()> {
    let home = Home::new()?;
    let project = Generated::shaped(sides.language, &home.path()?.join("project"), shape)?;
    let spec = sides.language.spec(sides.program);
    let mut through = Through::connect(Who::Peer, sides.peer, &home, &project, &spec)?;
    let target = Target::of(&project)?;
    for round in 0..=rounds.peer {
        let arguments = json!({
            "file_path": target.file, "symbol_path": target.symbol_path,
            "new_body": target.body_for_peer(round),
        });
        let timed = through.mcp.call("replace_symbol_body", &arguments, PATIENCE)?.context("no answer")?;
        ensure!(!timed.answer.is_error, "{}", timed.answer.text());
        let text = std::fs::read_to_string(&target.file)?;
        ensure!(text == target.after(round), "the file is not what was to be written");
        // The first is for warming up.
        if round > 0 {
            row.peer.push(millis(timed.took));
        }
    }
    through.close();
    Ok(())
}
