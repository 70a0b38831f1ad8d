//! What agents run every day is decided, not asked about, under the team's file that the guide shows.

use std::fmt::Write;

use crate::gate::{Verdict, verdicts};
use crate::project::{Row, cell, project, repository, rows};

/// Where the commands of the list believe to be.
const WRITTEN_ROOT: &str = "/home/me/app";

/// The share of commands that may be asked about or refused, in a hundred.
const MAX_ASKED: usize = 3;

#[test]
fn ordinary_commands_are_decided_under_the_team_file() {
    let rows = rows(include_str!("ordinary.txt"));
    let fixture = project(include_str!("ordinary-project.txt"));
    let root = fixture.path("project").display().to_string();
    let commands: Vec<String> = rows.iter().map(|row| row.command.replace(WRITTEN_ROOT, &root)).collect();
    let team = std::fs::read(repository("docs/guide/team/bowline.toml")).unwrap();
    fixture.write_bytes("home/.config/bowline/bowline.toml", &team);
    let verdicts = verdicts(fixture.root(), &commands);

    let asked: Vec<(&Row, &Verdict)> =
        rows.iter().zip(&verdicts).filter(|(_, verdict)| !verdict.is_allowed()).collect();
    let list: String = asked
        .iter()
        .map(|(row, verdict)| {
            let known = if row.note.is_some() { " (known)" } else { "" };
            format!(
                "{}{known}\t{}\t{}\t{}\n",
                verdict.word,
                cell(&row.command),
                verdict.rule,
                cell(&verdict.reason)
            )
        })
        .collect();
    let page = page(&rows, &verdicts).replace(&root, WRITTEN_ROOT).replace("/tmp/", "⟨tmp⟩/");
    golden(&page);
    assert!(rows.len() >= 400, "the list has {} commands", rows.len());
    assert!(
        asked.len() * 100 <= rows.len() * MAX_ASKED,
        "{} of {} are asked about or refused:\n{list}",
        asked.len(),
        rows.len()
    );
    for (row, verdict) in rows.iter().zip(&verdicts) {
        assert!(
            row.note.is_none() || !verdict.is_allowed(),
            "{}: allowed, but has a reason not to be",
            row.command
        );
    }
}

fn page(rows: &[Row], verdicts: &[Verdict]) -> String {
    let asked = verdicts.iter().filter(|verdict| !verdict.is_allowed()).count();
    let percent = asked as f64 * 100.0 / rows.len() as f64;
    let mut text = format!(
        "# Ordinary commands and verdicts\n\n{} commands that coding agents run every day, each judged by the real binary in a small \
         repository under [the team file of the guide](../guide/team/bowline.toml). {asked} of them ({percent:.1} %) are asked about \
         or refused; the tests fail above {MAX_ASKED} %. The repository is at `{WRITTEN_ROOT}`, `⏎` is a new line.\n",
        rows.len(),
    );
    let mut kind = "";
    for (row, verdict) in rows.iter().zip(verdicts) {
        if row.kind != kind {
            kind = &row.kind;
            write!(text, "\n## {kind}\n\n| command | verdict | why |\n|---|---|---|\n").unwrap();
        }
        let why = if verdict.is_allowed() { "" } else { row.note.as_deref().unwrap_or(&verdict.reason) };
        writeln!(text, "| `{}` | {} | {} |", cell(&row.command), verdict.word, cell(why)).unwrap();
    }
    text
}

fn golden(text: &str) {
    let path = repository("docs/reference/ordinary-commands.md");
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == text,
        "docs/reference/ordinary-commands.md is out of date; `UPDATE_TABLE=1 cargo test -p bowline --test commands`"
    );
}
