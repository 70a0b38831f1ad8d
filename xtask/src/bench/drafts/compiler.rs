//! What the compiler takes by itself: the edit is saved, `cargo check` runs, and the file is as it was.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;

use super::Sample;
use super::project::{Edit, Generated};
use crate::home::Home;
use crate::run;

const PATIENCE: Duration = Duration::from_secs(180);

pub(super) struct Compiler<'a> {
    home: &'a Home,
    project: &'a Generated,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(home: &'a Home, project: &'a Generated) -> Self {
        Self { home, project }
    }

    /// Once without the edit, and once with it. After the first time, both have to be compiled: cargo goes by the times of
    /// files.
    pub(super) fn try_out(&self, edit: &Edit) -> Result<Sample> {
        let began = Instant::now();
        let before = self.errors()?;
        let baseline = began.elapsed();
        std::fs::write(&edit.file, &edit.after)?;
        let after = self.errors();
        let both = began.elapsed();
        std::fs::write(&edit.file, &edit.before)?;
        let after = after?;
        let fault = (before > 0)
            .then(|| format!("{before} errors before the edit"))
            .or_else(|| (after < edit.breaks).then(|| format!("{after} errors of {}", edit.breaks)))
            .or_else(|| (edit.is_safe() && after > 0).then(|| format!("{after} errors")));
        Ok(Sample { took: both, draft: Some(both - baseline), fault, compared: None })
    }

    fn errors(&self) -> Result<usize> {
        let mut command = self.home.command(Path::new("cargo"), &self.project.root);
        command.args(["check", "--workspace", "--all-targets", "--keep-going", "--offline"]);
        command.args(["--message-format=json,json-diagnostic-short"]);
        let output = run::capture(&mut command, PATIENCE)?;
        let said = String::from_utf8_lossy(&output.stdout);
        let is_error = |line: &str| {
            let message: Value = serde_json::from_str(line).unwrap_or_default();
            message["message"]["level"] == "error"
                && message["message"]["spans"].as_array().is_some_and(|spans| !spans.is_empty())
        };
        Ok(said.lines().filter(|line| is_error(line)).count())
    }
}
