//! What a call of a host's tool would do, from its arguments.

use std::path::PathBuf;

use serde_json::Value;

use super::{Family, HOST_TOOLS, HostTool, patched, shell};
use crate::{Effect, Intent, Target, Targets};

/// Where hosts put the file that a tool is about. All that are there count.
const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "notebook_path",
    "absolute_path",
    "path",
    "target_file",
    "dir_path",
    "directory",
    "paths",
];
const COMMANDS: &[&str] = &["command", "cmd", "script"];
const DIRECTORIES: &[&str] = &["workdir", "cwd", "dir_path", "directory"];
/// Readers that mean one file.
const ONE_FILE: &[&str] = &["Read", "read", "read_file", "view_image", "NotebookRead"];
const PATCHES: &[&str] = &["command", "input", "patch", "patchText", "patch_text"];

/// A call whose arguments do not say what it would do, although they have to. It is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadHostCall {
    #[error("the arguments of `{0}` are not an object")]
    NoArguments(&'static str),
    #[error("`{0}` names no command")]
    NoCommand(&'static str),
    #[error("`{0}` names its directory, shell or environment in a way that is not known")]
    NoSurroundings(&'static str),
    #[error("`{0}` names no file")]
    NoFile(&'static str),
    #[error("the patch of `{0}` cannot be read")]
    NoPatch(&'static str),
}

/// What a call of a host's tool would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostCall {
    pub tool: &'static HostTool,
    pub intent: Intent,
    /// The directory that the arguments say it happens in.
    pub cwd: Option<PathBuf>,
    /// The arguments, where they came as text that holds JSON.
    pub arguments: Value,
}

/// Understands a call of a host's tool. `None` if no host has such a tool.
///
/// Names differ in capital letters from host to host: `BASH` is a shell, whoever calls it so.
pub fn host_call(name: &str, arguments: &Value) -> Option<Result<HostCall, BadHostCall>> {
    let tool = super::host_tool(name)
        .or_else(|| HOST_TOOLS.iter().find(|known| known.name.eq_ignore_ascii_case(name)))?;
    Some(understand(tool, arguments))
}

fn understand(tool: &'static HostTool, arguments: &Value) -> Result<HostCall, BadHostCall> {
    // Some hosts hand on the arguments as text.
    let arguments = match arguments {
        Value::String(text) => serde_json::from_str(text).map_err(|_| BadHostCall::NoArguments(tool.name))?,
        other => other.clone(),
    };
    if !matches!(arguments, Value::Object(_) | Value::Null) {
        return Err(BadHostCall::NoArguments(tool.name));
    }
    let known = |targets: Vec<Target>| Intent { effect: tool.most, targets: Targets::Known(targets) };
    let unknown = || Intent { effect: tool.most, targets: Targets::Unknown };
    let mut cwd = None;
    let intent = match tool.family {
        Family::Shell => {
            let unclear = || BadHostCall::NoSurroundings(tool.name);
            cwd = directory(&arguments).ok_or_else(unclear)?;
            let commands = commands(&arguments).filter(|commands| !commands.is_empty());
            let commands = commands.ok_or(BadHostCall::NoCommand(tool.name))?;
            let commands = shell::commands(&arguments, commands).ok_or_else(unclear)?;
            known(commands.into_iter().map(Target::Command).collect())
        }
        Family::Edit => match paths(&arguments) {
            paths if paths.is_empty() => return Err(BadHostCall::NoFile(tool.name)),
            paths => known(paths),
        },
        Family::Patch => {
            let texts = texts(&arguments, PATCHES);
            let files: Option<Vec<_>> = texts.iter().map(|text| patched(text)).collect();
            let files: Vec<_> = files.unwrap_or_default().into_iter().flatten().collect();
            if files.is_empty() {
                return Err(BadHostCall::NoPatch(tool.name));
            }
            known(files.into_iter().map(|file| Target::Path(file.into())).collect())
        }
        Family::Read => {
            let mut paths = paths(&arguments);
            paths.extend(elsewhere(&arguments));
            match paths {
                paths if !paths.is_empty() => known(paths),
                _ if ONE_FILE.contains(&tool.name) => return Err(BadHostCall::NoFile(tool.name)),
                // Without a path the directory that it happens in is meant.
                _ => known(vec![Target::Path(".".into())]),
            }
        }
        Family::Fetch => match texts(&arguments, &["url", "urls"]) {
            urls if urls.is_empty() => Intent { effect: Effect::Run, targets: Targets::Unknown },
            urls => known(urls.into_iter().map(Target::Address).collect()),
        },
        Family::Agent | Family::Skill | Family::Other => unknown(),
    };
    Ok(HostCall { tool, intent, cwd, arguments })
}

fn paths(arguments: &Value) -> Vec<Target> {
    // Some name a file for each of several edits.
    let edits = arguments.get("edits").and_then(Value::as_array).into_iter().flatten();
    let all = std::iter::once(arguments).chain(edits).flat_map(|arguments| texts(arguments, PATHS));
    let all: Vec<String> = all.collect();
    all.into_iter().map(|path| Target::Path(path.into())).collect()
}

/// The texts that stand under any of these names, in lists too.
fn texts(arguments: &Value, names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for value in names.iter().filter_map(|name| arguments.get(name)) {
        match value {
            Value::String(text) if !text.is_empty() => found.push(text.clone()),
            Value::Array(list) => {
                found.extend(
                    list.iter().filter_map(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned),
                );
            }
            _ => {}
        }
    }
    found
}

/// The directory that a command runs in, if the arguments name one; `None` if they name several, or in no known way.
fn directory(arguments: &Value) -> Option<Option<PathBuf>> {
    let mut named = None;
    for value in DIRECTORIES.iter().filter_map(|name| arguments.get(name)).filter(|value| !value.is_null()) {
        let text = value.as_str().filter(|text| !text.contains('\0'))?;
        if text.is_empty() {
            continue;
        }
        if named.is_some_and(|other| other != text) {
            return None;
        }
        named = Some(text);
    }
    Some(named.map(PathBuf::from))
}

/// Every command line that is there: which of them a host runs is its own business. A list of words is written as one. `None`
/// if one of them cannot be read.
fn commands(arguments: &Value) -> Option<Vec<String>> {
    let inner = arguments.get("action").and_then(|action| action.get("command"));
    COMMANDS.iter().filter_map(|name| arguments.get(name)).chain(inner).map(command).collect()
}

fn command(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Option<Vec<String>> = words.iter().map(|word| word.as_str().map(quoted)).collect();
            words.filter(|words| !words.is_empty()).map(|words| words.join(" "))
        }
        _ => None,
    }
}

/// Where a search begins whose pattern says so itself.
fn elsewhere(arguments: &Value) -> Vec<Target> {
    let patterns = texts(arguments, &["pattern", "glob", "include", "includes"]);
    let is_path = |text: &String| text.starts_with(['/', '~']) || text.contains("..");
    let listed = arguments.get("include").is_some_and(Value::is_array);
    let start = |text: String| {
        let literal = text.split(['*', '?', '[', '{']).next().unwrap_or_default().to_owned();
        Target::Path(literal.into())
    };
    patterns.into_iter().filter(|text| listed || is_path(text)).map(start).collect()
}

pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn targets(name: &str, arguments: &Value) -> Targets {
        host_call(name, arguments).unwrap().unwrap().intent.targets
    }

    fn command_of(name: &str, arguments: &Value) -> String {
        match targets(name, arguments) {
            Targets::Known(targets) => match targets.as_slice() {
                [Target::Command(command)] => command.clone(),
                other => panic!("{other:?}"),
            },
            Targets::Unknown => panic!("unknown"),
        }
    }

    #[test]
    fn every_host_has_its_own_name_for_the_command() {
        for (name, arguments) in [
            ("Bash", json!({"command": "ls -l"})),
            ("bash", json!({"command": "ls -l"})),
            ("BASH", json!({"command": "ls -l"})),
            ("Shell", json!({"command": "ls -l"})),
            ("Monitor", json!({"command": "ls -l"})),
            ("exec_command", json!({"cmd": "ls -l"})),
            ("shell", json!({"command": ["ls", "-l"]})),
            ("local_shell", json!({"action": {"command": ["ls", "-l"]}})),
            ("Bash", json!("{\"command\": \"ls -l\"}")),
        ] {
            assert_eq!(command_of(name, &arguments), "ls -l", "{name}");
        }
        assert_eq!(
            command_of("shell", &json!({"command": ["bash", "-lc", "it's; x"]})),
            "bash -lc 'it'\\''s; x'"
        );
    }

    #[test]
    fn nothing_hides_behind_another_argument() {
        let two = targets("exec_command", &json!({"command": "ls", "cmd": "rm -rf x"}));
        assert_eq!(
            two,
            Targets::Known(vec![Target::Command("ls".into()), Target::Command("rm -rf x".into())])
        );
        let grep = targets("Glob", &json!({"pattern": "/etc/**"}));
        assert_eq!(grep, Targets::Known(vec![Target::Path("/etc/".into())]));
        assert_eq!(targets("Grep", &json!({"pattern": "x"})), Targets::Known(vec![Target::Path(".".into())]));
        let urls = targets("WebFetch", &json!({"url": ["http://a", "http://b"]}));
        assert_eq!(
            urls,
            Targets::Known(vec![Target::Address("http://a".into()), Target::Address("http://b".into())])
        );
    }

    #[test]
    fn files_stand_under_many_names() {
        for (name, key) in [
            ("Edit", "file_path"),
            ("NotebookEdit", "notebook_path"),
            ("MultiEdit", "file_path"),
            ("write", "filePath"),
            ("Delete", "path"),
            ("Read", "file_path"),
            ("read_file", "absolute_path"),
        ] {
            assert_eq!(
                targets(name, &json!({key: "a.rs"})),
                Targets::Known(vec![Target::Path("a.rs".into())]),
                "{name}"
            );
        }
        let patch = json!({"command": "*** Begin Patch\n*** Add File: x\n+1\n*** End Patch"});
        assert_eq!(targets("apply_patch", &patch), Targets::Known(vec![Target::Path("x".into())]));
    }

    #[test]
    fn what_does_not_say_what_it_does_is_refused() {
        for (name, arguments) in [
            ("Bash", json!({})),
            ("Bash", json!("ls")),
            ("Bash", json!(["ls"])),
            ("Bash", json!({"command": 3})),
            ("Bash", json!({"command": ["ls", 3]})),
            ("exec_command", json!({"cmd": "ls", "workdir": 3})),
            ("exec_command", json!({"cmd": "ls", "workdir": "a", "cwd": "b"})),
            ("exec_command", json!({"cmd": "ls", "shell": ["bash"]})),
            ("exec_command", json!({"cmd": "ls", "env": "A=b"})),
            ("exec_command", json!({"cmd": "ls", "env": {"A": 1}})),
            ("exec_command", json!({"cmd": "ls", "env": {"A;x": "1"}})),
            ("exec_command", json!({"cmd": "ls", "env": ["A"]})),
            ("Write", json!({"content": "x"})),
            ("Read", json!({"file_path": {"a": 1}})),
            ("apply_patch", json!({"command": "rm x"})),
        ] {
            assert!(host_call(name, &arguments).unwrap().is_err(), "{name} {arguments}");
        }
        assert!(host_call("BrandNewTool", &json!({})).is_none());
    }
}
