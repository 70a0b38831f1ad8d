//! What is offered is tried: an entry that is suggested allows the call, once it is written.

use std::sync::Arc;

use bowline_call::{Effect, Intent, Target};
use bowline_gate::{
    Asked, Gate, HostRules, Judgement, Layer, Ledger, Openings, Protected, Roots, RulesOptions, Verdict,
};

use crate::{about, bases, call, entries};

const POLICIES: &[(&[&str], &[&str], &[&str])] = &[
    (&[], &[], &[]),
    (
        &[
            "Bash(git:*)",
            "Bash(npm run:*)",
            "Bash(cargo test:*)",
            "Bash(ls:*)",
            "Bash(cat:*)",
            "Bash(grep:*)",
            "Bash(echo:*)",
        ],
        &["Bash(git commit:*)"],
        &["Edit(secrets/**)", "Read(.env)", "Bash(curl:*)", "Bash(rm -rf:*)", "Bash(git push:*)"],
    ),
    (&["Bash", "Edit(/**)"], &["Edit(*.lock)"], &["Bash(evil:*)", "Edit(prot/**)"]),
];

fn gate((allow, ask, deny): (&[&str], &[&str], &[&str]), project_asks: &[&str]) -> Gate {
    let options = RulesOptions {
        allow: entries(allow),
        ask: entries(ask),
        deny: entries(deny),
        ..RulesOptions::default()
    };
    let rules = Arc::new(HostRules::new(Layer::User, &options, &bases()).unwrap());
    let project = RulesOptions { ask: entries(project_asks), ..RulesOptions::default() };
    Gate::new(vec![
        Box::new(Arc::clone(&rules)),
        Box::new(HostRules::new(Layer::Project, &project, &bases()).unwrap()),
        Box::new(Roots::new(rules)),
        Box::new(Protected::new(Openings::default(), &["/state/bowline".into()])),
    ])
}

fn judged(gate: &Gate, command: &str) -> Judgement {
    let intent = Intent::new(Effect::Run, [Target::Command(command.into())]);
    let facts = about(&intent, vec![]);
    gate.before(&Asked::new(&Ledger::default(), &call("Bash"), &intent, &facts))
}

/// Every command of the list that is read without a doubt, and of the attack table.
fn corpus() -> Vec<String> {
    let ordinary = include_str!("../../../bowline-command/tests/it/ordinary.rs");
    let list = ordinary.split_once("TEXTS: &[&str] = &[").unwrap().1.split_once("\n];").unwrap().0;
    let mut commands = Vec::new();
    let mut rest = list;
    while let Some(at) = rest.find(['r', '"']) {
        rest = &rest[at..];
        let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
        let end = format!("\"{}", "#".repeat(hashes));
        let Some(body) = rest.strip_prefix('r').and_then(|rest| rest[hashes..].strip_prefix('"')) else {
            rest = &rest[1..];
            continue;
        };
        let (text, after) = body.split_once(end.as_str()).unwrap();
        commands.push(text.to_owned());
        rest = after;
    }
    assert!(commands.len() > 80, "{}", commands.len());
    let attacks: serde_json::Value =
        serde_json::from_str(include_str!("../../../bowline/tests/attacks/attacks.json")).unwrap();
    let cases = attacks["cases"].as_array().unwrap();
    let attacks = cases.iter().filter_map(|case| case["input"]["tool_input"]["command"].as_str());
    commands.extend(attacks.map(str::to_owned));
    commands
}

/// The entries that a text suggests for the file.
fn suggested(verdict: &Verdict) -> Vec<String> {
    let Some(objection) = verdict.objection() else { return Vec::new() };
    let Some((_, rest)) = objection.recovery.split_once("`allow = [") else { return Vec::new() };
    let (list, _) = rest.rsplit_once("]` under [rules]").unwrap();
    let quote = |text: &str| text.chars().next().unwrap();
    let (mut entries, mut rest) = (Vec::new(), list);
    while !rest.is_empty() {
        let mut body = String::new();
        let open = quote(rest);
        let mut letters = rest[1..].char_indices();
        let mut end = rest.len();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' if open == '"' => {
                    body.extend(letters.next().map(|(_, next)| if next == 'n' { '\n' } else { next }));
                }
                letter if letter == open => {
                    end = at + 2;
                    break;
                }
                letter => body.push(letter),
            }
        }
        entries.push(body);
        rest = rest[end..].trim_start_matches(", ");
    }
    entries
}

#[test]
fn every_suggestion_helps() {
    let (mut asked, mut made, mut wrong) = (0, 0, Vec::new());
    for (allow, ask, deny) in POLICIES {
        for project in [&[][..], &["Bash(make:*)"][..]] {
            let before = gate((allow, ask, deny), project);
            for command in corpus() {
                let judgement = judged(&before, &command);
                if judgement.verdict.word() != "ask" {
                    continue;
                }
                asked += 1;
                let suggested = suggested(&judgement.verdict);
                if suggested.is_empty() {
                    continue;
                }
                made += 1;
                let more: Vec<&str> =
                    allow.iter().copied().chain(suggested.iter().map(String::as_str)).collect();
                let after = judged(&gate((&more, ask, deny), project), &command).verdict;
                if after.word() != "allow" {
                    wrong.push(format!("{command}: {suggested:?}: {after:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {made}: {wrong:#?}", wrong.len());
    assert!(made > 150, "{made} of {asked} have a suggestion");
    println!("{made} suggestions for {asked} questions");
}

#[test]
fn a_suggestion_is_what_a_person_would_keep() {
    let gate = gate(
        (&["Bash(git status:*)", "Bash(cat:*)"], &["Bash(git tag:*)"], &["Bash(rm -rf:*)", "Edit(prot/**)"]),
        &["Bash(deploy:*)"],
    );
    for (command, expected) in [
        ("npm run build", &["Bash(npm run build)"][..]),
        ("cargo test", &["Bash(cargo test)"]),
        ("cargo test --workspace --all-features -- some_test --nocapture", &["Bash(cargo test:*)"]),
        ("git commit -m 'fix: it is done'", &["Bash(git commit:*)"]),
        ("git status && make test", &["Bash(make test)"]),
        ("ls -l *.rs", &["Bash(ls:*)"]),
        (
            "grep -rn 'a long pattern with many words' crates/one/src crates/two/src crates/three/src",
            &["Bash(grep:*)"],
        ),
        // What may destroy is offered by its very words alone.
        ("rm build/x", &["Bash(rm build/x)", "Edit(//project/build/x)"]),
        ("git push origin main", &["Bash(git push origin main)"]),
        (
            "curl -s https://example.com/a/very/long/path/to/a/file/that/is/far/away.json",
            &["Bash(curl -s https://example.com/a/very/long/path/to/a/file/that/is/far/away.json)"],
        ),
        ("cat a > b", &["Edit(//project/b)"]),
        ("cat a > /elsewhere/b", &["Edit(//elsewhere/b)"]),
        // Where the very words cannot be written, what is said by the first of them, if that is one thing.
        ("gh pr create --title x --body \"$(cat <<'E'\ntext\nE\n)\"", &["Bash(gh pr create:*)"]),
        ("npx prettier --check 'src/**/*.ts'", &["Bash(npx prettier:*)"]),
        ("make -j$(nproc)", &["Bash(make)"]),
        ("gh repo delete \"$x\"", &[]),
        ("npx \"$x\"", &[]),
        ("npx -p evil prettier 'src/**/*.ts'", &[]),
        ("make -j$(nproc) -f \"$x\"", &[]),
        // Nothing in the user's file helps.
        ("deploy now", &[]),
        ("git tag v1", &[]),
        ("eval \"$x\"", &[]),
        ("$x", &[]),
        ("cat a > prot/b", &[]),
        ("python3 -c \"$x\"", &[]),
    ] {
        assert_eq!(suggested(&judged(&gate, command).verdict), expected, "{command}");
    }
    // A yes to the question can be remembered all the same.
    assert_eq!(judged(&gate, "git tag v1").offer, Some(vec!["Bash(git tag v1)".to_owned()]));
}
