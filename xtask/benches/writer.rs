//! A hundred files written so that all of them are there or none, and the same files merely written.
//!
//! Called with a folder and how many rounds. Prints one line of JSON for `cargo xtask bench drafts`; judges nothing.
#![expect(clippy::print_stdout, reason = "its line is what it is for")]
#![expect(clippy::disallowed_methods, reason = "what others do is what it is measured against")]

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bowline_write::{Change, ContentHash, Plan, Writer};

const FILES: usize = 100;
const BYTES: usize = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().ok_or("no folder")?);
    let rounds: usize = words.next().and_then(|word| word.parse().ok()).ok_or("no rounds")?;
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let sides = ["plain", "renamed", "writer"].map(|name| folder.join(name));
    for side in &sides {
        std::fs::create_dir_all(side)?;
        files_of(side).try_for_each(|file| std::fs::write(file, text(0)))?;
    }
    let [plain, renamed, written] = sides.map(|side| side.canonicalize().unwrap_or(side));
    let state = folder.canonicalize()?.join("state");
    let writer = Writer::new(vec![written.clone()], state);
    let mut times: [Vec<Duration>; 3] = Default::default();
    for round in 0..=rounds {
        let (before, after) = (text(round), text(round + 1));
        let plan = plan(&written, &before, &after);
        let took = [
            timed(|| files_of(&plain).try_for_each(|file| write(&file, &after)).map_err(Into::into))?,
            timed(|| files_of(&renamed).try_for_each(|file| replace(&file, &after)).map_err(Into::into))?,
            timed(|| writer.write(plan, &|_| true).map(drop).map_err(Into::into))?,
        ];
        // The first is for warming up.
        if round > 0 {
            times.iter_mut().zip(took).for_each(|(times, took)| times.push(took));
        }
    }
    let [plain, renamed, writer] = times.map(median);
    println!(
        "{{\"files\": {FILES}, \"bytes\": {BYTES}, \"plain_ms\": {plain:.3}, \"renamed_ms\": {renamed:.3}, \
         \"writer_ms\": {writer:.3}}}"
    );
    Ok(())
}

fn files_of(folder: &Path) -> impl Iterator<Item = PathBuf> {
    (0..FILES).map(|number| folder.join(format!("f{number:03}.txt")))
}

fn text(round: usize) -> Vec<u8> {
    let mut text = format!("round {round:02}\n").into_bytes();
    text.resize(BYTES, b'.');
    text
}

fn plan(folder: &Path, before: &[u8], after: &[u8]) -> Plan {
    let changes = files_of(folder).map(|file| Change::modify(file, ContentHash::of(before), after));
    Plan { label: "bench".into(), undoes: None, changes: changes.collect() }
}

fn timed(work: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

/// As editors do that do not care.
fn write(file: &Path, text: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(file)?;
    file.write_all(text)?;
    file.sync_all()
}

/// As editors do that care for one file.
fn replace(file: &Path, text: &[u8]) -> std::io::Result<()> {
    let aside = file.with_extension("new");
    write(&aside, text)?;
    std::fs::rename(aside, file)
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}
