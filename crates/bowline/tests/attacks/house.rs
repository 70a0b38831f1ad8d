//! A project, its user's rules, and the binary between them.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bowline_testkit::Fixture;
use serde_json::Value;

use crate::Outcome;

pub(crate) struct House {
    pub(crate) fixture: Fixture,
    config: PathBuf,
}

impl House {
    pub(crate) fn new(files: &str, config: &str) -> Self {
        let fixture = Fixture::new(files);
        let path = fixture.path("rules.toml");
        std::fs::write(&path, config).unwrap();
        Self { config: path, fixture }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.fixture.path("project").canonicalize().unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bowline"));
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", "")
            .env("HOME", self.fixture.path("home"))
            .env("XDG_STATE_HOME", self.fixture.path("state"))
            .env("XDG_CACHE_HOME", self.fixture.path("cache"))
            .env("XDG_CONFIG_HOME", self.fixture.path("config"));
        command
    }

    /// The gate, asked line by line.
    pub(crate) fn gate(&self) -> Gate {
        let root = self.root();
        let arguments =
            ["gate", "check", "--root", root.to_str().unwrap(), "--config", self.config.to_str().unwrap()];
        let mut child =
            self.command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Gate { child, input, output }
    }

    /// What it says when it cannot start.
    pub(crate) fn complaint(&self) -> (i32, String) {
        let root = self.root();
        let arguments =
            ["config", "check", "--root", root.to_str().unwrap(), "--config", self.config.to_str().unwrap()];
        let output = self.command(&arguments).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    /// One verdict for one call in a conversation of its own.
    pub(crate) fn verdict(&self, line: &Value) -> Outcome {
        self.gate().ask(line).0
    }
}

pub(crate) struct Gate {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Gate {
    /// The verdict, and all that was said.
    pub(crate) fn ask(&mut self, line: &Value) -> (Outcome, Value) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        let said: Value = serde_json::from_str(&answer).unwrap_or_else(|_| panic!("{line} → {answer:?}"));
        let text = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
        (Outcome::new(text("verdict"), text("rule")), said)
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

pub(crate) fn link(to: &str, at: &Path) {
    std::os::unix::fs::symlink(to, at).unwrap();
}
