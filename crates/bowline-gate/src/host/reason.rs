//! Why a call is refused or asked about: the very command, word or file that an entry speaks of, or that none speaks of.

use std::path::Path;

use bowline_call::{Effect, Family, Target, Targets};
use bowline_command::{Access, Command, Pin, Word};

use super::found::{Cause, File, Found, Seen};
use super::list::List;
use super::{unreadable, unspelt};
use crate::scope::command::quoted;
use crate::{Asked, Decision, PathFact};

/// More of a command does not help a reader.
const MAX_SHOWN: usize = 80;

/// What an entry that asks or denies has found.
pub(super) fn of_entry(found: &Found<'_>, decision: Decision, pattern: &str, asked: &Asked<'_>) -> String {
    let what = match found.cause {
        Cause::Call => format!("`{}`", asked.tool.bare()),
        Cause::Command(command) => format!("`{}`", shown(&command.words)),
        Cause::Address(address) => format!("asking `{}`", cut(address)),
        Cause::File(file) => return of_file(&file, found.certain, decision, pattern, asked),
    };
    match (found.certain, decision) {
        (true, Decision::Deny) => format!("{what} is denied by `{pattern}`"),
        (true, _) => format!("{what} needs a person's consent: `{pattern}` asks about it"),
        (false, Decision::Deny) => format!("whether {what} is what `{pattern}` denies cannot be told"),
        (false, _) => format!("{what} may be what `{pattern}` asks about"),
    }
}

fn of_file(file: &File<'_>, certain: bool, decision: Decision, pattern: &str, asked: &Asked<'_>) -> String {
    let (doing, done) = match file.access {
        Access::Read | Access::Execute => ("reading", "read"),
        Access::Write => ("writing", "written"),
    };
    let path = place(&file.path.absolute, asked);
    let name = match file.seen {
        Seen::Itself => match &file.path.real {
            Ok(real) if *real != file.path.absolute => {
                format!("`{path}`, which leads to `{}`,", place(real, asked))
            }
            _ => format!("`{path}`"),
        },
        Seen::Below(name) => format!("`{}`", place(name, asked)),
        Seen::Linked(name) => format!("`{path}`, another name of `{}`,", place(name, asked)),
        Seen::Unknown => {
            let does = if decision == Decision::Deny { "denies" } else { "asks about" };
            return format!(
                "what is {done} in `{path}` cannot be told, and `{pattern}` {does} files that may be there"
            );
        }
    };
    match (certain, decision) {
        (true, Decision::Deny) => format!("{doing} {name} is denied by `{pattern}`"),
        (true, _) => format!("{doing} {name} needs a person's consent: `{pattern}` asks about it"),
        (false, Decision::Deny) => format!("{name} may be {done}, which `{pattern}` denies"),
        (false, _) => format!("{name} may be {done}, which `{pattern}` asks about"),
    }
}

/// What no entry allows: the first of it, and how much more there is.
pub(super) fn of_none(allow: &List, asked: &Asked<'_>) -> String {
    if let Some(doubt) = unreadable(asked) {
        return format!("no entry can allow what cannot be read: {doubt}");
    }
    let missing = missing(allow, asked);
    let Some((first, more)) = missing.split_first() else {
        return format!(
            "`{}` would {} and needs a person's consent",
            asked.tool.bare(),
            verb(asked.intent.effect)
        );
    };
    match more.len() {
        0 => first.clone(),
        more => format!("{first} (and {more} more that no entry allows)"),
    }
}

fn missing(allow: &List, asked: &Asked<'_>) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    let mut add = |text: String| {
        if !missing.contains(&text) {
            missing.push(text);
        }
    };
    if asked.family == Some(Family::Shell) {
        for fact in &asked.facts.commands {
            let runs = fact.script.needing_entries();
            for command in runs.filter(|command| !allow.allows_command(asked, command)) {
                add(without_entry(command, asked));
            }
            for touch in fact.touched.iter().filter(|touch| touch.must_be_allowed()) {
                for path in
                    touch.readings.iter().filter(|path| !allow.allows_file(asked, Access::Write, path))
                {
                    add(written(path, &fact.script.commands, asked));
                }
            }
        }
        return missing;
    }
    let (access, tool, does) = match asked.family {
        Some(Family::Edit | Family::Patch) => (Access::Write, "Edit", "change"),
        Some(Family::Read) => (Access::Read, "Read", "read"),
        Some(Family::Fetch) => {
            for address in addresses(asked) {
                add(format!(
                    "`{}` would ask `{}`, which no `WebFetch(…)` entry allows",
                    asked.tool.bare(),
                    cut(address)
                ));
            }
            return missing;
        }
        _ => return missing,
    };
    for path in asked.facts.paths.iter().filter(|path| !allow.allows_file(asked, access, path)) {
        let (name, place) = (asked.tool.bare(), place(&path.absolute, asked));
        add(format!("`{name}` would {does} `{place}`, which no `{tool}(…)` entry allows"));
    }
    missing
}

fn without_entry(command: &Command, asked: &Asked<'_>) -> String {
    let line = shown(&command.words);
    let plain = match command.pin {
        Some(Pin::Everything) => format!("`{line}` has no entry that allows these very words"),
        Some(Pin::Words(needed)) if needed > 1 && command.words.len() > 1 => {
            let pinned = shown(&command.words[..needed.min(command.words.len())]);
            format!("`{pinned}` has no entry that says so")
        }
        Some(Pin::Words(_)) | None => return format!("`{line}` has no entry that allows it"),
    };
    unspelt(asked, command).map_or_else(|| plain.clone(), |doubt| format!("{plain}: {doubt}"))
}

/// A file that is written, and what writes it as far as the words tell: in a line of several commands, one that names the file
/// need not be the one that writes it.
fn written(path: &PathFact, commands: &[Command], asked: &Asked<'_>) -> String {
    let place = place(&path.absolute, asked);
    let names_it = |word: &Word| {
        let text = word.literal().unwrap_or_default();
        let value = text.rsplit_once('=').map_or(text, |(_, value)| value);
        let is_same = |text: &str| {
            let joined = asked.facts.cwd.clone().unwrap_or_default().join(text);
            !text.is_empty()
                && (joined == path.written || joined == path.absolute || Path::new(text) == path.written)
        };
        is_same(text) || is_same(value)
    };
    let mut runs = commands.iter().filter(|command| !command.is_wrapper);
    let only = runs.next().filter(|_| runs.next().is_none());
    match only.filter(|command| command.words.iter().skip(1).any(names_it)) {
        Some(command) => {
            let is_option =
                |word: &&Word| word.literal().is_some_and(|text| text.starts_with('-') && text.len() < 16);
            let head: Vec<Word> = command
                .words
                .iter()
                .take(1)
                .chain(command.words.iter().skip(1).take(1).filter(is_option))
                .cloned()
                .collect();
            format!("`{}` writes `{place}`, which no `Edit(…)` entry allows", shown(&head))
        }
        None => format!("`{place}` would be written, which no `Edit(…)` entry allows"),
    }
}

/// A command as a person would write it.
pub(super) fn shown(words: &[Word]) -> String {
    let words = words.iter().map(|word| match word {
        Word::Literal(text) => quoted(text),
        Word::Unknown { text, .. } => text.clone(),
    });
    cut(&words.collect::<Vec<_>>().join(" "))
}

fn cut(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(MAX_SHOWN).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

/// Below a root, as it is called there.
fn place(path: &Path, asked: &Asked<'_>) -> String {
    let below = asked.facts.roots.iter().filter_map(|root| path.strip_prefix(root).ok()).next();
    match below {
        Some(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Some(below) => below.display().to_string(),
        None => path.display().to_string(),
    }
}

fn addresses<'a>(asked: &'a Asked<'_>) -> impl Iterator<Item = &'a str> {
    let known = match &asked.intent.targets {
        Targets::Known(targets) => targets.as_slice(),
        Targets::Unknown => &[],
    };
    known.iter().filter_map(|target| match target {
        Target::Address(address) => Some(address.as_str()),
        Target::Path(_) | Target::Command(_) => None,
    })
}

pub(super) fn verb(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "read",
        Effect::Draft => "draft an edit",
        Effect::Write => "change files",
        Effect::Run => "run a program",
    }
}
