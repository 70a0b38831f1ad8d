//! What people do to gates, and what this one says to it: every case of a list of attacks, asked of the real binary.
//!
//! `UPDATE_TABLE=1` writes `docs/reference/attacks.md` anew.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]
#![expect(clippy::disallowed_methods, reason = "the binary is started as its users start it")]

mod books;
mod house;
mod plain;
mod skills;

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Clone, Deserialize)]
struct Case {
    id: String,
    group: String,
    input: Value,
    expect: String,
}

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

/// What came of a case: a word, and who said it.
#[derive(Debug, Clone)]
struct Outcome {
    verdict: String,
    by: String,
}

impl Outcome {
    fn new(verdict: impl Into<String>, by: impl Into<String>) -> Self {
        Self { verdict: verdict.into(), by: by.into() }
    }

    fn is(&self, expected: &str) -> bool {
        match expected {
            "deny" => self.verdict == "refuse",
            "not-allow" => ["refuse", "ask"].contains(&self.verdict.as_str()),
            "allow" => self.verdict == "allow",
            other => self.verdict == other,
        }
    }
}

fn cases() -> Vec<Case> {
    let cases: Cases = serde_json::from_str(include_str!("attacks.json")).unwrap();
    // What an adapter or an installer has to handle comes with those.
    cases.cases.into_iter().filter(|case| case.expect != "note" && case.group != "hook-protocol").collect()
}

#[test]
fn every_attack_gets_its_verdict() {
    let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
    let all = cases();
    let of = |groups: &[&str]| -> Vec<Case> {
        all.iter().filter(|case| groups.iter().any(|group| case.group.starts_with(group))).cloned().collect()
    };
    outcomes.extend(plain::shell(&of(&["shell/"])));
    outcomes.extend(plain::paths(&of(&["path"])));
    outcomes.extend(plain::self_protection(&of(&["self-protection"])));
    outcomes.extend(plain::identity(&of(&["identity"])));
    outcomes.extend(skills::phases(&of(&["phase"])));
    outcomes.extend(skills::skills(&of(&["skill"])));
    outcomes.extend(books::state(&of(&["state"])));

    let mut wrong = Vec::new();
    for case in &all {
        match outcomes.get(&case.id) {
            None => wrong.push(format!("{}: nobody looked at it", case.id)),
            Some(outcome) if !outcome.is(&case.expect) => {
                wrong.push(format!("{}: {outcome:?}, not {}: {}", case.id, case.expect, case.input));
            }
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    golden(&table(&all, &outcomes));
}

fn table(cases: &[Case], outcomes: &BTreeMap<String, Outcome>) -> String {
    let mut text = String::from(
        "# Attacks and verdicts\n\nWhat people do to gates, and what this one says to it, in every run of the tests. Shell cases are \
         judged with `git echo ls cat diff head grep find printf sort tar sed awk env xargs true make` allowed by prefix, `evil` and \
         writes to `prot/**` denied, and everything else asked about.\n",
    );
    let mut group = "";
    for case in cases {
        if case.group != group {
            group = &case.group;
            write!(text, "\n## {group}\n\n| case | input | verdict | by |\n|---|---|---|---|\n").unwrap();
        }
        let input =
            case.input.get("tool_input").and_then(|input| input.get("command")).and_then(Value::as_str);
        let input = input.map_or_else(|| case.input.to_string(), str::to_owned);
        let Outcome { verdict, by } = &outcomes[&case.id];
        writeln!(text, "| {} | `{}` | {verdict} | {} |", case.id, shown(&input), shown(by)).unwrap();
    }
    text
}

fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(110).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    // A page of ours names no place of one machine.
    let short = short.replace("/tmp/", "⟨tmp⟩/");
    let short =
        short.replace('\n', "⏎").replace('\r', "␍").replace('\t', "⇥").replace('|', "\\|").replace('`', "ˋ");
    short
        .chars()
        .map(|c| if c.is_control() || ('\u{200b}'..='\u{200f}').contains(&c) { '·' } else { c })
        .collect()
}

fn golden(text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/attacks.md");
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == text,
        "docs/reference/attacks.md is out of date; `UPDATE_TABLE=1 cargo test -p bowline --test attacks`"
    );
}
