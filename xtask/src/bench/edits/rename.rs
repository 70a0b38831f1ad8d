//! A rename over a hundred files. The server alone says what is to be changed; the disk alone takes the same files; we do
//! both, all or none, through the gate and with a receipt.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{Rounds, Sides, millis};
use crate::bench::drafts::project::{Edit, Generated, Kind, Language, Shape};
use crate::bench::drafts::raw::Raw;
use crate::bench::drafts::through::Through;
use crate::bench::plain;
use crate::bench::servers::through::Who;
use crate::home::Home;

const PATIENCE: Duration = Duration::from_secs(120);
/// One library, and who calls it: a hundred files.
const SHAPE: Shape = Shape { libraries: 1, users: 99, functions: 20 };
/// clangd renames in fifty files at most, if it is not told otherwise.
pub(super) const LANGUAGES: [&str; 4] = ["go", "python", "typescript", "rust"];

/// One server.
pub(super) struct Row {
    pub(super) language: &'static Language,
    pub(super) files: usize,
    /// All in milliseconds. What the server takes to say what is to be changed.
    pub(super) answered: Vec<f64>,
    /// The files merely written, and each so that it is never half there.
    pub(super) written: Vec<f64>,
    pub(super) replaced: Vec<f64>,
    pub(super) ours: Vec<f64>,
    /// The first question since the last rename: of the server, and through us.
    pub(super) next_answered: Vec<f64>,
    pub(super) next_ours: Vec<f64>,
}

/// A project whose function is renamed again and again.
struct Renaming {
    edit: Edit,
    name: &'static str,
    /// Every file with its first text.
    files: Vec<(PathBuf, String)>,
}

impl Renaming {
    fn of(project: &Generated) -> Result<Self> {
        let edit = project.edit(Kind::Signature)?;
        let (name, _) = project.language.signature[0].split_once('(').context("it has parameters")?;
        let files = std::iter::once(&edit.file).chain(&edit.others);
        let files = files.map(|file| Ok((file.clone(), std::fs::read_to_string(file)?)));
        let files = files.collect::<Result<Vec<_>>>()?;
        ensure!(files.iter().all(|(_, text)| text.contains(name)), "not every file has the name");
        Ok(Self { edit, name, files })
    }

    fn new_name(&self, round: usize) -> String {
        format!("{}r{round}", self.name)
    }

    fn arguments(&self, round: usize, dry_run: bool) -> Value {
        json!({
            "file_path": self.edit.file, "line": self.edit.line, "column": self.edit.columns.0,
            "new_name": self.new_name(round), "dry_run": dry_run, "check": false,
        })
    }

    /// Every file with the name of this round.
    fn after(&self, round: usize) -> Vec<(&Path, String)> {
        let new_name = self.new_name(round);
        self.files.iter().map(|(file, text)| (file.as_path(), text.replace(self.name, &new_name))).collect()
    }
}

pub(super) fn measure(sides: &Sides<'_>, rounds: &Rounds) -> Result<Row> {
    let (language, began) = (sides.language, Instant::now());
    let homes = (Home::new()?, Home::new()?);
    let first = Generated::shaped(language, &homes.0.path()?.join("project"), SHAPE)?;
    let second = Generated::shaped(language, &homes.1.path()?.join("project"), SHAPE)?;
    homes.1.agree_to(&["rename_symbol"])?;
    let directly = || format!("{}, asked directly", language.server);
    let through_us = || format!("{}, through bowline", language.server);
    let mut raw = Raw::start(&homes.0, &first, Path::new(sides.program)).with_context(directly)?;
    let spec = language.spec(sides.program);
    let mut through =
        Through::start(Who::Ours, sides.ours, &homes.1, &second, &spec).with_context(through_us)?;
    let (theirs, mine) = (Renaming::of(&first)?, Renaming::of(&second)?);
    await_ready(&mut through, &mine).with_context(through_us)?;
    let beside = homes.0.path()?.join("plain");
    std::fs::create_dir_all(&beside)?;
    let files = mine.files.len();
    let mut row = Row {
        language,
        files,
        answered: Vec::new(),
        written: Vec::new(),
        replaced: Vec::new(),
        ours: Vec::new(),
        next_answered: Vec::new(),
        next_ours: Vec::new(),
    };
    // The first is for warming up.
    for round in 0..=rounds.renamed {
        let (next_answered, answered) = ask(&mut raw, &theirs, round).with_context(directly)?;
        let texts = theirs.after(round);
        let written = timed(|| {
            let mut texts = texts.iter().enumerate();
            texts.try_for_each(|(number, (_, text))| plain::write(&beside.join(format!("f{number}")), text))
        })?;
        let replaced = timed(|| texts.iter().try_for_each(|(file, text)| plain::replace(file, text)))?;
        raw.written(texts.iter().map(|(file, text)| (*file, text.as_str())))?;
        let (next_ours, ours) = rename(&mut through, &mine, round).with_context(through_us)?;
        if round > 0 {
            row.answered.push(millis(answered));
            row.written.push(millis(written));
            row.replaced.push(millis(replaced));
            row.ours.push(millis(ours));
            row.next_answered.push(millis(next_answered));
            row.next_ours.push(millis(next_ours));
        }
    }
    through.close();
    raw.close()?;
    let seconds = began.elapsed().as_secs_f64();
    println!("  {}, a rename over {files} files: {seconds:.1} s", language.server);
    Ok(row)
}

fn timed(work: impl FnOnce() -> std::io::Result<()>) -> Result<Duration> {
    let began = Instant::now();
    work()?;
    Ok(began.elapsed())
}

/// Twice, on both sides: what is done anew since a hundred files have changed is no part of a rename, and has its own
/// figure.
fn ask(raw: &mut Raw, renaming: &Renaming, round: usize) -> Result<(Duration, Duration)> {
    let (first, _) = raw.rename(&renaming.edit, &renaming.new_name(round))?;
    let (took, edit) = raw.rename(&renaming.edit, &renaming.new_name(round))?;
    let changes = edit["changes"].as_object().map_or(0, serde_json::Map::len);
    let document_changes = edit["documentChanges"].as_array().map_or(0, Vec::len);
    let touched = changes.max(document_changes);
    ensure!(touched == renaming.files.len(), "{touched} files of {}", renaming.files.len());
    Ok((first, took))
}

/// A server that does not know the whole project yet renames nothing through us.
fn await_ready(through: &mut Through<'_>, renaming: &Renaming) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let timed = through.mcp.call("rename_symbol", &renaming.arguments(0, true), PATIENCE)?;
        let answer = timed.context("no answer")?.answer;
        if !answer.is_error {
            return Ok(());
        }
        ensure!(Instant::now() < deadline, "it is not ready in time: {}", answer.text());
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn rename(through: &mut Through<'_>, renaming: &Renaming, round: usize) -> Result<(Duration, Duration)> {
    let (_, first) = through.mcp.demand("rename_symbol", &renaming.arguments(round, true), PATIENCE)?;
    let arguments = renaming.arguments(round, false);
    let (answer, took) = through.mcp.demand("rename_symbol", &arguments, PATIENCE)?;
    ensure!(answer["applied"] == true && answer["receipt"].is_string(), "it was not written: {answer}");
    for (file, text) in renaming.after(round) {
        ensure!(std::fs::read_to_string(file)? == text, "`{}` is not what it is to be", file.display());
    }
    Ok((first, took))
}
