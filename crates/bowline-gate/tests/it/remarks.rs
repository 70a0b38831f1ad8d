//! What is said about entries that mean something else than they seem to.

use bowline_gate::{Decision, HostRules, RuleEntry, RulesOptions};

use crate::entries;

fn said(decision: Decision, text: &str, deny: &[&str]) -> String {
    let options = RulesOptions { deny: entries(deny), ..RulesOptions::default() };
    HostRules::remarks(decision, &RuleEntry::Pattern(text.into()), &options).join(" | ")
}

#[test]
fn an_entry_that_is_wider_or_narrower_than_it_looks() {
    use Decision::{Allow, Deny};
    let mut wrong = Vec::new();
    for (decision, text, expected) in [
        (Allow, "Bash(make test:*)", ""),
        (Allow, "Bash(npm run build)", ""),
        (Allow, "Bash(ls:*)", ""),
        (Allow, "Bash(git status:*)", ""),
        (Allow, "Edit(src/**)", ""),
        (Allow, "Edit(src)", ""),
        (Deny, "Bash(rm -rf:*)", ""),
        (Deny, "Bash(curl:*)", ""),
        (
            Allow,
            "Bash(make:*)",
            "`Bash(make:*)` does not allow what `make` runs: say what that is, as in `Bash(make test:*)`",
        ),
        (
            Allow,
            "Bash(python3:*)",
            "`Bash(python3:*)` does not allow what `python3` runs: say what that is, as in `Bash(python3 -m pytest:*)`",
        ),
        (
            Allow,
            "Bash(python3 -c:*)",
            "`Bash(python3 -c:*)` allows nothing: what `python3 -c` runs stands in its words, and an entry has to say all of them",
        ),
        (
            Allow,
            "Bash(timeout:*)",
            "`Bash(timeout:*)` is not needed: what `timeout` runs needs an entry, and `timeout` none",
        ),
        (
            Allow,
            "Bash(git *)",
            "`Bash(git *)` allows `git push --force origin main` and `git reset --hard` too",
        ),
        (
            Allow,
            "Bash(Git:*)",
            "`Git` is not `git`: the names of programs are compared with their capital letters",
        ),
        (
            Allow,
            "Bash(git add . && git commit:*)",
            "`Bash(git add . && git commit:*)` matches nothing: a line is taken apart, and each of its commands is compared by \
             itself",
        ),
        (
            Allow,
            "Bash(CI=1 npm test)",
            "`Bash(CI=1 npm test)` matches nothing: a variable in front is no part of the command",
        ),
        (
            Deny,
            "Bash(git push)",
            "`Bash(git push)` means `git push` with nothing after it; `Bash(git push:*)` means it whatever follows",
        ),
        (
            Deny,
            "Read(/etc/passwd)",
            "`Read(/etc/passwd)` means `etc` in the project; `//etc/passwd` is the system's",
        ),
        (
            Deny,
            "Read($HOME/.ssh/**)",
            "a `$` means itself in `Read($HOME/.ssh/**)`; your home directory is `~/…`",
        ),
    ] {
        let found = said(decision, text, &[]);
        if found != expected {
            wrong.push(format!("{text}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_entry_that_another_takes_away() {
    let allowed = |text, deny: &[&str]| said(Decision::Allow, text, deny);
    assert_eq!(
        allowed("Bash(git status:*)", &["Bash(git:*)"]),
        "`Bash(git status:*)` never counts here: `Bash(git:*)` denies all of it"
    );
    assert_eq!(
        allowed("Edit(secrets/a/**)", &["Edit(secrets/**)"]),
        "`Edit(secrets/a/**)` never counts here: `Edit(secrets/**)` denies all of it"
    );
    for (text, deny) in [
        ("Bash(git status:*)", "Bash(git push:*)"),
        ("Bash(ls:*)", "Bash(ls)"),
        ("Edit(src/**)", "Edit(src/secrets/**)"),
        ("Edit(src/**)", "Read(src/**)"),
        ("Edit(src/**)", "Edit(*.rs)"),
    ] {
        assert_eq!(allowed(text, &[deny]), "", "{text} / {deny}");
    }
}
