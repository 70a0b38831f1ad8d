//! The reason names the very command, word or file.

use bowline_call::{Effect, Intent, Target};
use bowline_gate::{
    Asked, Decision, Gate, Layer, Ledger, PathFact, PathKind, RuleEntry, RuleTable, RulesOptions, TreeNames,
    Verdict,
};
use serde_json::json;

use crate::{about, call, entries, host, leads, straight};

fn rules() -> RulesOptions {
    RulesOptions {
        allow: entries(&["Bash(git:*)", "Bash(cat:*)", "Bash(sed:*)", "Bash(grep:*)", "Edit(out/**)"]),
        ask: entries(&["Bash(git tag:*)", "Read(*.key)"]),
        deny: [
            entries(&[
                "Read(.env)",
                "Edit(secrets/**)",
                "Bash(rm -rf:*)",
                "Bash(curl:*)",
                "WebFetch(domain:evil.com)",
                "mcp__x",
            ]),
            vec![RuleEntry::Table(RuleTable {
                tool: "Bash(git push:*)".into(),
                justification: Some("releases are made by CI".into()),
                ..RuleTable::default()
            })],
        ]
        .concat(),
        ..RulesOptions::default()
    }
}

fn reason(verdict: &Verdict) -> String {
    let plain = || verdict.word().to_owned();
    verdict.objection().map_or_else(plain, |objection| format!("{}: {}", verdict.word(), objection.reason))
}

fn said(options: &RulesOptions, command: &str) -> String {
    let intent = Intent::new(Effect::Run, [Target::Command(command.into())]);
    let facts = about(&intent, vec![]);
    let gate = Gate::new(vec![host(Layer::User, options)]);
    reason(&gate.before(&Asked::new(&Ledger::default(), &call("Bash"), &intent, &facts)).verdict)
}

#[test]
fn a_command_is_named() {
    for (command, expected) in [
        ("npm publish", "ask: `npm publish` has no entry that says so: `npm` runs what the project says"),
        ("ls -l", "ask: `ls -l` has no entry that allows it"),
        ("git status; ls; id; ls", "ask: `ls` has no entry that allows it (and 1 more that no entry allows)"),
        ("rm -fr build", "refuse: `rm -fr build` is denied by `Bash(rm -rf:*)`"),
        (
            "git -C x push -f",
            "refuse: `git -C x push -f` is denied by `Bash(git push:*)`: releases are made by CI",
        ),
        ("rm $x", "ask: whether `rm $x` is what `Bash(rm -rf:*)` denies cannot be told"),
        ("git tag v1", "ask: `git tag v1` needs a person's consent: `Bash(git tag:*)` asks about it"),
        ("cat .env", "refuse: reading `.env` is denied by `Read(.env)`"),
        ("cat ./a/.env", "refuse: reading `a/.env` is denied by `Read(.env)`"),
        ("cat a > secrets/x", "refuse: writing `secrets/x` is denied by `Edit(secrets/**)`"),
        ("cat a.key", "ask: reading `a.key` needs a person's consent: `Read(*.key)` asks about it"),
        ("cat a > notes.txt", "ask: `notes.txt` would be written, which no `Edit(…)` entry allows"),
        ("sed -i s/a/b/ src/a.rs", "ask: `sed -i` writes `src/a.rs`, which no `Edit(…)` entry allows"),
        (
            "ls a.rs; git status 2> a.rs",
            "ask: `ls a.rs` has no entry that allows it (and 1 more that no entry allows)",
        ),
        ("git log a.rs; git status > a.rs", "ask: `a.rs` would be written, which no `Edit(…)` entry allows"),
        (
            "source ./x; npm publish",
            "ask: `source ./x` has no entry that allows these very words: it runs the script `./x` in this very shell (and 1 \
             more that no entry allows)",
        ),
        (
            "npm start & kill $!",
            "ask: no entry can allow what cannot be read: which process `$!` is, is known only when it runs",
        ),
        (
            "eval \"$x\"",
            "ask: no entry can allow what cannot be read: what `eval` runs is known only when it runs",
        ),
    ] {
        assert_eq!(said(&rules(), command), expected, "{command}");
    }
    let strict = RulesOptions { default: Some(Decision::Deny), ..rules() };
    assert_eq!(said(&strict, "ls -l"), "refuse: `ls -l` has no entry that allows it");
}

#[test]
fn a_file_is_named() {
    let said = |tool: &str, effect, path: PathFact| {
        let intent = Intent::new(effect, [Target::Path(path.written.clone())]);
        let facts = about(&intent, vec![path]);
        let gate = Gate::new(vec![host(Layer::User, &rules())]);
        reason(&gate.before(&Asked::new(&Ledger::default(), &call(tool), &intent, &facts)).verdict)
    };
    assert_eq!(
        said("Read", Effect::Read, straight("/project/.env")),
        "refuse: reading `.env` is denied by `Read(.env)`"
    );
    assert_eq!(
        said("Edit", Effect::Write, straight("/project/a.rs")),
        "ask: `Edit` would change `a.rs`, which no `Edit(…)` entry allows"
    );
    assert_eq!(
        said("Read", Effect::Read, leads("/project/x", Ok("/project/.env"))),
        "refuse: reading `x`, which leads to `.env`, is denied by `Read(.env)`"
    );
    let below = |names| PathFact { kind: PathKind::Directory, below: names, ..straight("/project/src") };
    assert_eq!(
        said("Grep", Effect::Read, below(TreeNames::Known(vec!["/project/src/a/.env".into()]))),
        "ask: `src/a/.env` may be read, which `Read(.env)` denies"
    );
    assert_eq!(
        said("Grep", Effect::Read, below(TreeNames::Unknown)),
        "ask: what is read in `src` cannot be told, and `Read(.env)` denies files that may be there"
    );
    // What is listed is not read, and a directory that an entry names is not listed either.
    assert_eq!(said("Glob", Effect::Read, below(TreeNames::Unknown)), "allow");
    assert_eq!(
        said("LS", Effect::Read, PathFact { kind: PathKind::Directory, ..straight("/project/.env") }),
        "refuse: reading `.env` is denied by `Read(.env)`"
    );
    let linked = PathFact { links: TreeNames::Known(vec!["/project/.env".into()]), ..straight("/project/x") };
    assert_eq!(
        said("Read", Effect::Read, linked),
        "refuse: reading `x`, another name of `.env`, is denied by `Read(.env)`"
    );
}

#[test]
fn what_another_server_is_told_is_judged_by_its_paths() {
    let verdict = |path: PathFact| {
        let intent = Intent { effect: Effect::Run, targets: bowline_call::Targets::Unknown };
        let mut facts = about(&intent, vec![]);
        facts.named = vec![path];
        let options = RulesOptions { allow: entries(&["mcp__fs"]), ..rules() };
        let gate = Gate::new(vec![host(Layer::User, &options), Box::new(bowline_gate::Roots::default())]);
        let mut call = call("mcp__fs__do");
        call.arguments = json!({ "path": "x" });
        let verdict = gate.before(&Asked::new(&Ledger::default(), &call, &intent, &facts)).verdict;
        reason(&verdict)
    };
    assert_eq!(verdict(straight("/project/a.rs")), "allow");
    // Not everything that is called a path is one, and what lies outside is another server's business.
    assert_eq!(verdict(straight("/api/v1/items")), "allow");
    assert_eq!(verdict(straight("/project/.env")), "refuse: reading `.env` is denied by `Read(.env)`");
    assert_eq!(
        verdict(straight("/project/secrets/k")),
        "refuse: writing `secrets/k` is denied by `Edit(secrets/**)`"
    );
    let tree = |names: &[&str]| PathFact {
        kind: PathKind::Directory,
        below: TreeNames::Known(names.iter().map(Into::into).collect()),
        ..straight("/project/src")
    };
    assert_eq!(verdict(tree(&[])), "allow");
    assert_eq!(
        verdict(tree(&["/project/src/.env"])),
        "ask: `src/.env` may be read, which `Read(.env)` denies"
    );
}
