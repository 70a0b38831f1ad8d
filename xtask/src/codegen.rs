//! `cargo xtask codegen`: writes docs/reference from what the binary says of itself. `--check` only compares.

mod cli;
mod tools;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::arguments::Arguments;
use crate::{paths, run};

const BUILD: Duration = Duration::from_secs(1800);
const ASK: Duration = Duration::from_secs(30);

type Page = fn() -> Result<String>;

/// Every generated page, and what writes it. A new page is a new line.
const PAGES: [(&str, Page); 2] =
    [("docs/reference/tools.md", tools::page), ("docs/reference/cli.md", cli::page)];

const MEND: &str = "run `cargo xtask codegen` and commit what it writes";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    Check,
}

pub(crate) fn main(mut arguments: Arguments) -> Result<()> {
    let mode = if arguments.flag("--check") { Mode::Check } else { Mode::Write };
    arguments.finish()?;
    run(mode)
}

pub(crate) fn run(mode: Mode) -> Result<()> {
    run::header("codegen");
    run::stdout(run::cargo().args(["build", "--package", "bowline", "--locked"]), BUILD)?;
    let mut stale = 0;
    for (name, page) in PAGES {
        let path = paths::root().join(name);
        let new = page().with_context(|| format!("cannot generate {name}"))?;
        let old = std::fs::read_to_string(&path).unwrap_or_default();
        if old == new {
            println!("{name}: up to date");
        } else if mode == Mode::Write {
            write(&path, &new).with_context(|| format!("cannot write {name}"))?;
            println!("{name}: written");
        } else {
            println!("{name}:{}: stale; {MEND}", first_difference(&old, &new));
            stale += 1;
        }
    }
    if stale > 0 {
        bail!("docs/reference is stale; {MEND}");
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(std::fs::write(path, text)?)
}

/// What the binary prints. The person's settings, and the terminal's width and colour, must not reach the page.
fn bowline(arguments: &[&str]) -> Result<String> {
    let home = tempfile::tempdir()?;
    let mut command = run::command(paths::binary("debug"));
    run::isolate(&mut command, home.path());
    command.args(arguments).env("COLUMNS", "100").env("NO_COLOR", "1").env("TERM", "dumb");
    run::stdout(&mut command, ASK)
}

/// The line, counted from one, at which two texts part.
fn first_difference(old: &str, new: &str) -> usize {
    old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_line_at_which_a_page_is_stale() {
        assert_eq!(first_difference("a\nb\nc\n", "a\nx\nc\n"), 2);
        assert_eq!(first_difference("a\n", "a\nb\n"), 2);
        assert_eq!(first_difference("", "a\n"), 1);
    }
}
