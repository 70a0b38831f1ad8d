//! The real binary as it judges: `gate check` reads all commands in one process.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// What was said to one command.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    pub(crate) word: String,
    pub(crate) rule: String,
    pub(crate) reason: String,
}

impl Verdict {
    pub(crate) fn is_allowed(&self) -> bool {
        self.word == "allow"
    }
}

/// One verdict for each command, in the project below `base`, under the rules of the user whose home is there.
pub(crate) fn verdicts(base: &Path, commands: &[String]) -> Vec<Verdict> {
    let root = base.join("project");
    let mut child = Command::new(env!("CARGO_BIN_EXE_bowline"))
        .args(["gate", "check", "--root", root.to_str().unwrap()])
        .current_dir(base)
        .env_clear()
        .env("PATH", "")
        .env("HOME", base.join("home"))
        .env("XDG_STATE_HOME", base.join("state"))
        .env("XDG_CACHE_HOME", base.join("cache"))
        .env("XDG_CONFIG_HOME", base.join("home/.config"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: String = commands
        .iter()
        .map(|command| format!("{}\n", json!({"tool": "Bash", "args": {"command": command}, "cwd": root})))
        .collect();
    // Written beside the reading, as neither pipe holds everything.
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let verdicts: Vec<Verdict> = answers.map(|line| read(&line.unwrap())).collect();
    writer.join().unwrap().unwrap();
    assert!(child.wait().unwrap().success(), "the gate ended badly");
    assert_eq!(verdicts.len(), commands.len(), "one verdict for each command");
    verdicts
}

fn read(line: &str) -> Verdict {
    let said: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("no verdict: {line:?}"));
    let text = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
    Verdict { word: text("verdict"), rule: text("rule"), reason: text("reason") }
}
