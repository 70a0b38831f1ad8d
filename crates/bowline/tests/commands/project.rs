//! A small project of several languages, as agents find them: a git repository with secrets, ignored build output and
//! dependencies, beside a home directory with the user's own rules.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bowline_testkit::Fixture;

/// A directory with `project`, `home` and whatever else the text describes.
pub(crate) fn project(files: &str) -> Fixture {
    let fixture = Fixture::new(files);
    let root = fixture.path("project");
    for arguments in
        [&["init", "-q", "-b", "main", "--template="][..], &["add", "-A"], &["commit", "-q", "-m", "start"]]
    {
        git(&root, &fixture.path("home"), arguments);
    }
    fixture
}

/// git with nothing of this machine's user in sight.
pub(crate) fn git(root: &Path, home: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(root)
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join(".config"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "git {arguments:?}");
}

/// A page or a list of this repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Commands of a list: one on a line, under headings, and the line before one may speak of it.
pub(crate) struct Row {
    pub(crate) kind: String,
    pub(crate) note: Option<String>,
    pub(crate) command: String,
}

/// Reads a list. `⏎` stands for a new line and `⇥` for a tab within a command.
pub(crate) fn rows(text: &str) -> Vec<Row> {
    let (mut rows, mut kind, mut note) = (Vec::new(), String::new(), None);
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            kind = heading.to_owned();
        } else if let Some(text) = line.strip_prefix('?') {
            note = Some(text.trim().to_owned());
        } else if !line.is_empty() && !line.starts_with("# ") {
            let command = line.replace('⏎', "\n").replace('⇥', "\t");
            rows.push(Row { kind: kind.clone(), note: note.take(), command });
        }
    }
    rows
}

/// As a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    let mut short: String = text.chars().take(160).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short.replace('\n', "⏎").replace('\t', "⇥").replace('|', "\\|").replace('`', "ˋ")
}
