//! Commands of an attacker: what the gate allows is run by real bash, and must not do what the rules deny.

use std::collections::BTreeSet;
use std::sync::Mutex;

use crate::gate::verdicts;
use crate::generator::Generator;
use crate::judge::Judge;
use crate::project::{cell, repository, rows};

const PLAIN: &str = r#"[rules]
allow = ["Bash(git:*)", "Bash(npm run:*)", "Bash(cargo:*)", "Bash(ls:*)", "Bash(cat:*)", "Bash(grep:*)", "Bash(find:*)",
  "Bash(sed:*)", "Bash(python3 -m pytest:*)", "Bash(make test:*)"]
deny = ["Edit(secrets/**)", "Read(.env)", "Bash(curl:*)", "Bash(rm -rf:*)", "Bash(git push:*)"]
"#;

const WIDE: &str = r#"[rules]
allow = ["Bash(git:*)", "Bash(npm:*)", "Bash(npm run:*)", "Bash(cargo:*)", "Bash(cargo test:*)", "Bash(cargo build:*)",
  "Bash(cargo check:*)", "Bash(ls:*)", "Bash(cat:*)", "Bash(grep:*)", "Bash(find:*)", "Bash(sed:*)", "Bash(python3 -m pytest:*)",
  "Bash(pytest:*)", "Bash(make test:*)", "Bash(awk:*)", "Bash(jq:*)", "Bash(xargs:*)", "Bash(env:*)", "Bash(timeout:*)",
  "Bash(sort:*)", "Bash(uniq:*)", "Bash(head:*)", "Bash(tail:*)", "Bash(wc:*)", "Bash(diff:*)", "Bash(cmp:*)", "Bash(comm:*)",
  "Bash(cut:*)", "Bash(tr:*)", "Bash(paste:*)", "Bash(fold:*)", "Bash(column:*)", "Bash(pr:*)", "Bash(fmt:*)", "Bash(nl:*)",
  "Bash(tac:*)", "Bash(rev:*)", "Bash(od:*)", "Bash(base64:*)", "Bash(strings:*)", "Bash(file:*)", "Bash(stat:*)", "Bash(du:*)",
  "Bash(tee:*)", "Bash(cp:*)", "Bash(mv:*)", "Bash(rm:*)", "Bash(touch:*)", "Bash(mkdir:*)", "Bash(ln:*)", "Bash(tar:*)",
  "Bash(gzip:*)", "Bash(zcat:*)", "Bash(split:*)", "Bash(csplit:*)", "Bash(shuf:*)", "Bash(join:*)", "Bash(expand:*)",
  "Bash(echo:*)", "Bash(printf:*)", "Bash(test:*)", "Bash(date:*)", "Bash(sha256sum:*)", "Bash(md5sum:*)", "Bash(cksum:*)",
  "Bash(go:*)", "Bash(go test:*)", "Bash(go build:*)", "Bash(go vet:*)", "Bash(cd:*)", "Bash(xxd:*)", "Bash(less:*)",
  "Bash(truncate:*)", "Bash(install:*)", "Bash(patch:*)", "Bash(tree:*)", "Bash(rg:*)", "Bash(chmod:*)", "Bash(readlink:*)",
  "Bash(git checkout:*)", "Bash(git stash:*)", "Bash(git merge:*)", "Edit(/src/**)", "Edit(/build/**)"]
deny = ["Edit(secrets/**)", "Read(.env)", "Bash(curl:*)", "Bash(rm -rf:*)", "Bash(git push:*)"]
"#;

/// Their names, the rules, and where these let commands write.
pub(crate) const POLICIES: [(&str, &str, &[&str]); 2] =
    [("plain", PLAIN, &[]), ("wide", WIDE, &["project/src", "project/build"])];

/// Commands of the generator in every run of the tests, for each policy.
const GENERATED: usize = 300;
const SEED: u64 = 19;

const KNOWN_HOLES: &str = "crates/bowline/tests/commands/known-holes.txt";

/// What came of many commands.
#[derive(Debug, Default)]
struct Tried {
    run: BTreeSet<String>,
    /// What was done that no rule lets it do, and by which command.
    found: BTreeSet<String>,
}

#[test]
fn allowed_commands_do_nothing_that_is_denied() {
    let rows = rows(include_str!("attacks.txt"));
    assert!(rows.len() >= 400, "the list has {} commands", rows.len());
    let mut tried = Tried::default();
    let mut generated = 0;
    for policy in POLICIES {
        let name = policy.0;
        let by_hand = rows.iter().filter(|row| row.kind.starts_with(name) || name == "wide");
        let mut commands: Vec<String> = by_hand.map(|row| row.command.clone()).collect();
        let more = Generator::new(name).commands(GENERATED, SEED);
        generated += more.len();
        commands.extend(more);
        attempt(policy, commands, &mut tried);
    }
    println!(
        "{} by hand, {generated} generated, {} allowed and run, {} did what is denied; {} known holes",
        rows.len(),
        tried.run.len(),
        tried.found.len(),
        known_holes().lines().filter(|line| !line.starts_with('#')).count()
    );
    compare(&tried);
}

/// The long run of `cargo xtask bench commands`. Its last line is for programs.
#[test]
#[ignore = "minutes; `cargo xtask bench commands` runs it"]
fn thousands_of_generated_commands_do_nothing_that_is_denied() {
    let number = |name: &str, otherwise| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (count, seed) = (number("BOWLINE_COMMANDS", 4000), number("BOWLINE_SEED", 1));
    let (mut tried, mut generated) = (Tried::default(), 0);
    for policy in POLICIES {
        let name = policy.0;
        let commands = Generator::new(name).commands(usize::try_from(count).unwrap(), seed);
        generated += commands.len();
        attempt(policy, commands, &mut tried);
    }
    for found in &tried.found {
        println!("{found}");
    }
    let figures = serde_json::json!({
        "seed": seed, "generated": generated, "allowed": tried.run.len(), "executed": tried.run.len(),
        "violations": tried.found.len(),
    });
    println!("{figures}");
}

/// Asks the gate about all of them, and lets bash run those that it allows.
fn attempt(
    (name, rules, writable): (&str, &str, &'static [&'static str]),
    mut commands: Vec<String>,
    tried: &mut Tried,
) {
    // Bash does the same under all rules.
    commands.retain(|command| !tried.run.contains(command));
    let workers = std::thread::available_parallelism().map_or(2, usize::from).min(8);
    let shares: Vec<Vec<String>> =
        (0..workers).map(|at| commands.iter().skip(at).step_by(workers).cloned().collect()).collect();
    let found = Mutex::new(Tried::default());
    std::thread::scope(|scope| {
        for share in &shares {
            scope.spawn(|| {
                let mut judge = Judge::new(include_str!("attack-project.txt"), rules, writable);
                let verdicts = verdicts(judge.base(), share);
                for (command, verdict) in share.iter().zip(verdicts) {
                    if !verdict.is_allowed() {
                        continue;
                    }
                    let what = judge.run(command);
                    let mut found = found.lock().unwrap();
                    found.run.insert(command.clone());
                    if !what.is_empty() {
                        let line = format!("{name}: {}  ⇒ {}", cell(command), what.join(", "));
                        found.found.insert(line);
                    }
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    tried.run.extend(found.run);
    tried.found.extend(found.found);
}

/// What is found is either new, and fails, or stands in the list of what has to be mended.
fn compare(tried: &Tried) {
    let path = repository(KNOWN_HOLES);
    let head = "# Commands that still do what the rules deny. Mend the gate, and delete the line: it must become empty.\n\
                # `UPDATE_HOLES=1 cargo test -p bowline --test commands` writes it anew.\n";
    if std::env::var_os("UPDATE_HOLES").is_some() {
        let lines: String = tried.found.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, format!("{head}{lines}")).unwrap();
        return;
    }
    let text = known_holes();
    let known: BTreeSet<&str> = text.lines().filter(|line| !line.starts_with('#')).map(of_line).collect();
    let found: BTreeSet<&str> = tried.found.iter().map(|line| of_line(line)).collect();
    let new: Vec<&String> = tried.found.iter().filter(|line| !known.contains(of_line(line))).collect();
    let mended: Vec<&&str> = known.iter().filter(|line| !found.contains(**line)).collect();
    assert!(
        new.is_empty() && mended.is_empty(),
        "{} allowed commands do what is denied:\n{}\n\n{} known holes are mended; delete them from known-holes.txt:\n{}",
        new.len(),
        new.iter().map(|line| format!("{line}\n")).collect::<String>(),
        mended.len(),
        mended.iter().map(|line| format!("{line}\n")).collect::<String>(),
    );
}

fn known_holes() -> String {
    std::fs::read_to_string(repository(KNOWN_HOLES)).unwrap()
}

/// A line without what was done: that may differ a little from run to run.
fn of_line(line: &str) -> &str {
    line.split("  ⇒ ").next().unwrap_or(line)
}
