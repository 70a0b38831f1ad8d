//! The compilers, and what they complain about.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::truth::COMPILE;
use crate::bench::repositories::{Language, Repository};
use crate::{compilers, run};

/// Errors, by file from the root on: what is said there. Lines are left out, because they move.
#[derive(Debug, Default, Clone)]
pub(super) struct Said(Vec<(String, String)>);

impl Said {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn new_since(mut self, before: &Self) -> Vec<(String, String)> {
        for old in &before.0 {
            if let Some(again) = self.0.iter().position(|new| new == old) {
                self.0.swap_remove(again);
            }
        }
        self.0.sort();
        self.0
    }

    pub(super) fn to_json(&self) -> String {
        json!(self.0).to_string() + "\n"
    }

    pub(super) fn from_json(text: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(text).ok()?;
        let pair = |pair: &Value| Some((pair[0].as_str()?.to_owned(), pair[1].as_str()?.to_owned()));
        value.as_array()?.iter().map(pair).collect::<Option<_>>().map(Self)
    }

    /// Lines as `file:line:column: text` and `file(line,column): text` that hold one of the marks, or any if there is none.
    fn read(root: &Path, output: &str, marks: &[&str]) -> Self {
        let mut said = Vec::new();
        for line in output.lines() {
            let line = line.strip_prefix("vet: ").unwrap_or(line);
            let Some((file, rest)) = line.split_once([':', '(']) else { continue };
            let text = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ":,) ".contains(c));
            let is_place = rest.starts_with(|c: char| c.is_ascii_digit());
            if is_place && (marks.is_empty() || marks.iter().any(|mark| text.starts_with(mark))) {
                said.push((inside(root, Path::new(file)), text.to_owned()));
            }
        }
        Self(said)
    }
}

fn inside(root: &Path, file: &Path) -> String {
    let file = file.strip_prefix(root).unwrap_or(file);
    file.strip_prefix(".").unwrap_or(file).display().to_string()
}

/// All that the compiler says of a repository in which these files were edited.
pub(super) fn ask(repository: &Repository, root: &Path, edited: &[&Path]) -> Result<Said> {
    match repository.language {
        Language::Python => pyright(root),
        Language::TypeScript => tsc(root),
        Language::Go => go(root),
        Language::Rust => cargo(root),
        Language::C | Language::Cpp => units(root, edited),
    }
}

fn pyright(root: &Path) -> Result<Said> {
    let mut pyright = installed("BOWLINE_COMPILER_PYRIGHT")?;
    // What it remembers of a file is much; Node allows itself less than the larger repositories need.
    pyright.env("NODE_OPTIONS", "--max-old-space-size=8192");
    let output = capture(pyright.current_dir(root).args(["--outputjson", "-p", "."]))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let said: Value = serde_json::from_str(&text)
        .with_context(|| format!("pyright printed no JSON: {}", String::from_utf8_lossy(&output.stderr)))?;
    let all = said["generalDiagnostics"].as_array().context("pyright has no diagnostics")?;
    let of = |found: &Value| {
        let file = inside(root, Path::new(found["file"].as_str()?));
        Some((file, found["message"].as_str()?.to_owned()))
    };
    Ok(Said(all.iter().filter(|found| found["severity"] == "error").filter_map(of).collect()))
}

fn tsc(root: &Path) -> Result<Said> {
    let mut tsc = installed("BOWLINE_COMPILER_TYPESCRIPT")?;
    let output = capture(tsc.current_dir(root).args(["--noEmit", "--pretty", "false", "-p", "."]))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let said = Said::read(root, &text, &["error"]);
    ensure!(output.status.success() || said.len() > 0, "tsc failed: {text}");
    Ok(said)
}

/// Packages and their tests, without what vet says beyond the compiler. It says the first error of each package: to build
/// them as well would say more of them, and take twice as long.
fn go(root: &Path) -> Result<Said> {
    let mut go = run::command("go");
    let output = capture(go.current_dir(root).args(["vet", "-stdversion", "./..."]).env("GOPROXY", "off"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let said = Said::read(root, &text, &[]);
    ensure!(output.status.success() || said.len() > 0, "go failed: {text}");
    Ok(said)
}

fn cargo(root: &Path) -> Result<Said> {
    let mut cargo = run::cargo();
    cargo.current_dir(root).env("CARGO_TARGET_DIR", root.join("target"));
    cargo.args(["check", "--all-targets", "--offline", "--keep-going", "--message-format=json"]);
    let output = capture(&mut cargo)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut said = Said::default();
    for line in text.lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        let message = &message["message"];
        let spans = message["spans"].as_array().into_iter().flatten();
        let file =
            spans.filter(|span| span["is_primary"] == true).find_map(|span| span["file_name"].as_str());
        if let (true, Some(file), Some(text)) =
            (message["level"] == "error", file, message["message"].as_str())
        {
            said.0.push((inside(root, Path::new(file)), text.to_owned()));
        }
    }
    // A library and its tests are compiled from the same files, and say the same twice.
    let once: BTreeSet<(String, String)> = said.0.drain(..).collect();
    said.0.extend(once);
    ensure!(
        output.status.success() || said.len() > 0,
        "cargo failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(said)
}

/// Every unit that reads an edited file; all, if none was edited.
fn units(root: &Path, edited: &[&Path]) -> Result<Said> {
    let text = std::fs::read_to_string(root.join("compile_commands.json"))?;
    let commands: Vec<Value> = serde_json::from_str(&text)?;
    let mut said = Said::default();
    for (unit, words) in with_new_units(&commands, edited) {
        let [program, words @ ..] = &words[..] else { continue };
        let compiler = || {
            let mut compiler = run::command(program);
            compiler.current_dir(root).args(words).arg(&unit).env("LC_ALL", "C");
            compiler
        };
        if !edited.is_empty() {
            let output = capture(compiler().args(["-MM", "-MG"]))?;
            let listed = String::from_utf8_lossy(&output.stdout);
            let is_read =
                |file: &&Path| listed.split_whitespace().any(|word| Path::new(word).ends_with(file));
            if output.status.success() && !edited.iter().any(is_read) {
                continue;
            }
        }
        let output = capture(compiler().arg("-fsyntax-only"))?;
        let text = String::from_utf8_lossy(&output.stderr);
        let found = Said::read(root, &text, &["error", "fatal error"]);
        ensure!(output.status.success() || found.len() > 0, "the compiler failed: {text}");
        said.0.extend(found.0);
    }
    Ok(said)
}

/// The units with the words of their commands, but for `-c`. One that is new has those of the first.
fn with_new_units(commands: &[Value], edited: &[&Path]) -> Vec<(PathBuf, Vec<String>)> {
    let of = |command: &Value| {
        let words = command["arguments"].as_array()?.iter().filter_map(Value::as_str);
        let words: Vec<String> = words.take_while(|word| *word != "-c").map(str::to_owned).collect();
        Some((PathBuf::from(command["file"].as_str()?), words))
    };
    let mut units: Vec<(PathBuf, Vec<String>)> = commands.iter().filter_map(of).collect();
    let Some((_, words)) = units.first().cloned() else { return units };
    for file in edited {
        let is_unit = file.extension().is_some_and(|ending| ending == "c" || ending == "cc");
        if is_unit && !units.iter().any(|(unit, _)| unit == file) {
            units.push((file.to_path_buf(), words.clone()));
        }
    }
    units
}

fn installed(variable: &str) -> Result<Command> {
    let places = compilers::environment()?;
    let place = places.into_iter().find(|(name, _)| *name == variable);
    Ok(run::command(PathBuf::from(place.with_context(|| format!("`{variable}` is not known"))?.1)))
}

fn capture(command: &mut Command) -> Result<Output> {
    run::capture(command, COMPILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_is_told_and_lines_that_move_are_not() {
        let root = Path::new("/r");
        let before = Said::read(root, "a.c:1:2: error: x\n/r/b.c:1:2: warning: y\n", &["error"]);
        assert_eq!(before.0, [("a.c".to_owned(), "error: x".to_owned())]);
        let after = Said::read(root, "./a.c:9:2: error: x\na.c:11:2: error: x\nin file: it\n", &["error"]);
        assert_eq!(after.new_since(&before), [("a.c".to_owned(), "error: x".to_owned())]);
        let tsc = Said::read(root, "src/a.ts(3,4): error TS2322: no\n", &["error"]);
        assert_eq!(tsc.0, [("src/a.ts".to_owned(), "error TS2322: no".to_owned())]);
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let said = Said(vec![("a".into(), "b".into())]);
        assert_eq!(Said::from_json(&said.to_json()).unwrap().0, said.0);
    }
}
