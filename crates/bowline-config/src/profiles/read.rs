//! From a file's text to what it declares.

use std::time::Duration;

use bowline_gate::{Budget, CommandSucceeds, Deadline, FeedbackTrigger, FileCreatedTrigger, FilesExist};
use toml::de::DeTable;

use super::declared::{Check, Declared, DeclaredProfile, Policy, Provider};
use super::named;
use super::words::{Table, Value, count, list, moment, only, seconds, table, text, wrong};
use crate::servers::Mistake;

const MOST_PROFILES: usize = 100;
/// As deep as anybody nests checks, and far from where a stack ends.
const MOST_DEPTH: usize = 8;
const MOST_TEXT: usize = 4000;

/// Understands `use_profile` and `[profile]` of a file that is TOML already.
pub(crate) fn read(source: &str) -> Result<Declared, Mistake> {
    // Whatever is wrong with the file as such has been said before.
    let Ok(file) = DeTable::parse(source) else { return Ok(Declared::default()) };
    let file = file.get_ref();
    let mut declared = Declared::default();
    if let Some(profiles) = file.get("profile") {
        let profiles = match profiles.get_ref().as_str() {
            Some(name) => {
                let message = format!("`use_profile = \"{name}\"` chooses a profile; `profile` holds them");
                return Err(wrong(profiles.span().start, message));
            }
            None => table(profiles, "profiles by name: `[profile.NAME]`")?,
        };
        let mut profiles: Vec<_> = profiles.iter().collect();
        profiles.sort_by_key(|(name, _)| name.span().start);
        if let Some((too_many, _)) = profiles.get(MOST_PROFILES) {
            let message = format!("there are {} profiles; at most {MOST_PROFILES} are read", profiles.len());
            return Err(wrong(too_many.span().start, message));
        }
        for (name, value) in profiles {
            check_name(name.get_ref()).map_err(|message| wrong(name.span().start, message))?;
            declared.profiles.push(profile(name.get_ref(), table(value, "a profile")?, source)?);
        }
    }
    if let Some(choice) = file.get("use_profile") {
        let name = text(choice, "the name of a profile")?;
        if !declared.has(name) {
            let meant = bowline_std::text::nearest(name, declared.names());
            let meant = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
            let message = format!("this file has no profile `{}`{meant}", name.escape_debug());
            return Err(wrong(choice.span().start, message));
        }
        declared.choice = Some(name.to_owned());
    }
    Ok(declared)
}

fn check_name(name: &str) -> Result<(), String> {
    let good = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if (1..=64).contains(&name.len()) && name.chars().all(good) {
        return Ok(());
    }
    Err(format!("`{}` is no name for a profile: letters, digits, `-`, `_` and `.` are", name.escape_debug()))
}

fn profile(name: &str, from: &Table<'_>, source: &str) -> Result<DeclaredProfile, Mistake> {
    only(from, &["policies", "deadline_seconds", "deadline", "budget", "completion", "feedback"])?;
    let mut profile = DeclaredProfile {
        name: name.to_owned(),
        policies: Vec::new(),
        tools: Vec::new(),
        feedback: Vec::new(),
        completion: from.get("completion").map(|value| check(value, 0)).transpose()?,
        deadline: deadline(from)?,
        budget: from.get("budget").map(budget).transpose()?.unwrap_or_default(),
    };
    if let Some(policies) = from.get("policies") {
        for policy in list(policies, "a list of policies")? {
            self::policy(&mut profile, policy, source)?;
        }
    }
    if let Some(feedback) = from.get("feedback") {
        for entry in list(feedback, "a list: `[[profile.NAME.feedback]]`")? {
            profile.feedback.push(self::feedback(entry)?);
        }
    }
    Ok(profile)
}

fn policy(profile: &mut DeclaredProfile, value: &Value<'_>, source: &str) -> Result<(), Mistake> {
    const KINDS: &str =
        "`\"read_before_write\"` and `{ sequential_dependency = { tool = [\"others\"] } }` are";
    let at = value.span().start;
    if let Some(name) = value.get_ref().as_str() {
        if name == "read_before_write" {
            profile.policies.push(Policy::ReadBeforeWrite);
            return Ok(());
        }
        return Err(wrong(at, format!("`{}` is not a policy: {KINDS}", name.escape_debug())));
    }
    let entry = table(value, "a policy")?;
    only(entry, &["sequential_dependency"])?;
    let Some(order) = entry.get("sequential_dependency") else {
        return Err(wrong(at, format!("this is not a policy: {KINDS}")));
    };
    let order = table(order, "tools and what they need: `{ deploy = [\"test\"] }`")?;
    let mut dependencies = Vec::new();
    for (tool, needs) in order {
        profile.tools.push(named(tool.get_ref(), source, tool.span().start));
        let mut names = Vec::new();
        for need in list(needs, "a list of tools")? {
            let name = text(need, "the name of a tool")?;
            profile.tools.push(named(name, source, need.span().start));
            names.push(name.to_owned());
        }
        dependencies.push((tool.get_ref().to_string(), names));
    }
    let order_at =
        |tool: &str| order.keys().find(|key| key.get_ref() == tool).map_or(at, |key| key.span().start);
    let policy = bowline_gate::SequentialDependency::new(dependencies)
        .map_err(|bad| wrong(order_at(bad.tool()), bad.to_string()))?;
    profile.policies.push(Policy::Dependencies(policy));
    Ok(())
}

fn feedback(value: &Value<'_>) -> Result<(Provider, FeedbackTrigger), Mistake> {
    let at = value.span().start;
    let entry = table(value, "feedback")?;
    only(entry, &["static", "deadline", "every_n_calls", "every_n_seconds", "on_file_created"])?;
    let provider = match (entry.get("static"), entry.get("deadline")) {
        (Some(said), None) => Provider::Static(short(said, "what is to be said")?.to_owned()),
        (None, Some(options)) => {
            let options = table(options, "`{}` or `{ warning_threshold_seconds = 120 }`")?;
            only(options, &["warning_threshold_seconds"])?;
            let threshold = options.get("warning_threshold_seconds").map(count).transpose()?;
            Provider::Deadline { warning_threshold_seconds: threshold.unwrap_or(120) }
        }
        _ => return Err(wrong(at, "feedback is either `static = \"…\"` or `deadline = {}`")),
    };
    let on_file_created = match entry.get("on_file_created") {
        Some(file) => Some(FileCreatedTrigger { filename: text(file, "a file")?.to_owned() }),
        None => None,
    };
    let trigger = FeedbackTrigger {
        every_n_calls: entry.get("every_n_calls").map(count).transpose()?,
        every_n_seconds: entry.get("every_n_seconds").map(seconds).transpose()?,
        on_file_created,
    };
    let file_at = entry.get("on_file_created").map_or(at, |file| file.span().start);
    trigger.check().map_err(|bad| wrong(file_at, bad.to_string()))?;
    Ok((provider, trigger))
}

fn check(value: &Value<'_>, depth: usize) -> Result<Check, Mistake> {
    const KINDS: &str =
        "`\"plan\"`, `{ files_exist = […] }`, `{ command = \"…\" }`, `{ all = […] }` and `{ any = […] }` are";
    let at = value.span().start;
    if depth > MOST_DEPTH {
        return Err(wrong(at, format!("checks are nested at most {MOST_DEPTH} deep")));
    }
    if let Some(name) = value.get_ref().as_str() {
        return match name {
            "plan" => Ok(Check::Plan),
            _ => Err(wrong(at, format!("`{}` is not a check: {KINDS}", name.escape_debug()))),
        };
    }
    let entry = table(value, "a check")?;
    only(entry, &["files_exist", "command", "timeout_seconds", "all", "any"])?;
    let (timeout, kinds) =
        (entry.get("timeout_seconds"), entry.len() - usize::from(entry.contains_key("timeout_seconds")));
    if kinds != 1 {
        return Err(wrong(at, format!("expected one check; several stand in `{{ all = […] }}`: {KINDS}")));
    }
    if let Some(command) = entry.get("command") {
        let timeout = timeout.map(seconds).transpose()?.unwrap_or(CommandSucceeds::DEFAULT_TIMEOUT);
        let line = short(command, "a command line")?.to_owned();
        return Ok(Check::Command { line, timeout });
    }
    if let Some(timeout) = timeout {
        return Err(wrong(timeout.span().start, "`timeout_seconds` belongs to a `command`"));
    }
    if let Some(files) = entry.get("files_exist") {
        let files_at = files.span().start;
        let mut names = Vec::new();
        for file in some(files, "a list of files")? {
            let name = text(file, "a file")?;
            FilesExist::new([name]).map_err(|bad| wrong(file.span().start, bad.to_string()))?;
            names.push(name);
        }
        return Ok(Check::Files(FilesExist::new(names).map_err(|bad| wrong(files_at, bad.to_string()))?));
    }
    let parts = |value| -> Result<Vec<Check>, Mistake> {
        some(value, "a list of checks")?.into_iter().map(|part| check(part, depth + 1)).collect()
    };
    match (entry.get("all"), entry.get("any")) {
        (Some(all), _) => Ok(Check::All(parts(all)?)),
        (_, Some(any)) => Ok(Check::Any(parts(any)?)),
        _ => Err(wrong(at, format!("this is not a check: {KINDS}"))),
    }
}

/// Nothing to check would say nothing.
fn some<'a, 'i>(value: &'a Value<'i>, what: &str) -> Result<Vec<&'a Value<'i>>, Mistake> {
    let all = list(value, what)?;
    if all.is_empty() {
        return Err(wrong(value.span().start, "there is nothing to check: name at least one"));
    }
    Ok(all)
}

fn short<'a>(value: &'a Value<'_>, what: &str) -> Result<&'a str, Mistake> {
    let text = text(value, what)?;
    if text.len() > MOST_TEXT {
        return Err(wrong(value.span().start, format!("this has more than {MOST_TEXT} bytes")));
    }
    Ok(text)
}

fn deadline(from: &Table<'_>) -> Result<Option<Deadline>, Mistake> {
    match (from.get("deadline_seconds"), from.get("deadline")) {
        (Some(_), Some(at)) => {
            Err(wrong(at.span().start, "`deadline_seconds` and `deadline` exclude each other"))
        }
        (Some(after), None) => Ok(Some(Deadline::After(seconds(after)?))),
        (None, Some(at)) => Ok(Some(Deadline::At(moment(at)?))),
        (None, None) => Ok(None),
    }
}

fn budget(value: &Value<'_>) -> Result<Budget, Mistake> {
    let budget = table(value, "a budget: `{ calls = 200, seconds = 3600, tokens = 500000 }`")?;
    only(budget, &["calls", "seconds", "tokens"])?;
    if budget.is_empty() {
        return Err(wrong(
            value.span().start,
            "this budget limits nothing: say `calls`, `seconds` or `tokens`",
        ));
    }
    let of = |key| -> Result<Option<u64>, Mistake> { budget.get(key).map(count).transpose() };
    let time: Option<Duration> = budget.get("seconds").map(seconds).transpose()?;
    Ok(Budget { calls: of("calls")?, time, tokens: of("tokens")? })
}
