//! Commands of a file, tried by hand: `BOWLINE_TRY=FILE`. `;;>` stands between steps that are judged and run one after the other.

use crate::attacks::POLICIES;
use crate::gate::verdicts;
use crate::judge::Judge;
use crate::project::{cell, rows};

/// Prints each command with its verdict and with what bash did.
#[test]
#[ignore = "a tool; it needs a file"]
fn commands_of_a_file() {
    let path = std::env::var("BOWLINE_TRY").unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let only = std::env::var("BOWLINE_POLICY").unwrap_or_else(|_| "wide".to_owned());
    let own = std::env::var("BOWLINE_RULES").ok().map(|path| std::fs::read_to_string(path).unwrap());
    let (_, rules, writable) = POLICIES.into_iter().find(|policy| policy.0 == only).unwrap();
    let rules = own.as_deref().unwrap_or(rules);
    let mut judge = Judge::new(include_str!("attack-project.txt"), rules, writable);
    let steps_of = |command: &str| -> Vec<String> {
        command.split(";;>").map(|step| step.trim_matches(' ').to_owned()).collect()
    };
    let rows = rows(&text);
    let first: Vec<String> = rows.iter().map(|row| steps_of(&row.command).swap_remove(0)).collect();
    let mut first = verdicts(judge.base(), &first).into_iter();
    for row in rows {
        let steps = steps_of(&row.command);
        let mut asked = String::new();
        let (mut said, mut has_run) = (Vec::new(), false);
        for (at, step) in steps.iter().enumerate() {
            let verdict = match at {
                0 => first.next().unwrap(),
                _ => verdicts(judge.base(), std::slice::from_ref(step)).remove(0),
            };
            if !verdict.is_allowed() {
                asked = format!("{} {} {}", verdict.word, verdict.rule, verdict.reason.replace('\n', " "));
                break;
            }
            if at == 0 {
                judge.begin();
                has_run = true;
            }
            said.extend(judge.step(step));
        }
        let found = if has_run { judge.end(&row.command, &said) } else { Vec::new() };
        let mark = if !found.is_empty() {
            "HOLE"
        } else if asked.is_empty() {
            "ok  "
        } else {
            "ask "
        };
        let output: String = String::from_utf8_lossy(&said).chars().take(150).collect();
        println!("{mark} {}  ⇒ {} {} // {}", cell(&row.command), found.join(", "), asked, cell(&output));
    }
}
