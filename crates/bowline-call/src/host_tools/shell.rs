//! Which shell a host runs a command line with, and what it gives that shell.

use serde_json::Value;

use super::calls::quoted;
use super::{Family, host_tool};

/// Tools that run bash, unless their arguments name another shell. The others run the shell of the person who uses them.
const RUN_BASH: &[&str] = &["Bash", "Monitor", "run_shell_command"];

/// Shells that read the language of `sh`, or one close to it, and are what their names say where the system keeps them.
const SHELLS: &[&str] = &["bash", "sh", "dash", "ash", "zsh", "ksh", "mksh"];
const PLACES: &[&str] =
    &["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/run/current-system/sw/bin"];

const SHELL: &str = "shell";
const ENVIRONMENT: &[&str] = &["env", "environment"];

/// Does this tool of a host, with these arguments, give its command line to bash? If not, it may be any shell.
pub fn runs_bash(tool: &str, arguments: &Value) -> bool {
    let parsed: Value;
    let arguments = match arguments {
        Value::String(text) => {
            parsed = serde_json::from_str(text).unwrap_or_default();
            &parsed
        }
        other => other,
    };
    match arguments.get(SHELL).filter(|shell| !shell.is_null()) {
        Some(shell) => {
            let is_shell = host_tool(tool).is_some_and(|tool| tool.family == Family::Shell);
            is_shell && shell.as_str().and_then(known) == Some("bash")
        }
        None => RUN_BASH.contains(&tool),
    }
}

/// The name of a shell that is known, if this is one.
fn known(program: &str) -> Option<&'static str> {
    let name = match program.rsplit_once('/') {
        Some((place, name)) if PLACES.contains(&place) => name,
        Some(_) => return None,
        None => program,
    };
    SHELLS.iter().copied().find(|shell| *shell == name)
}

/// The commands as they would run: with the variables that they are given, and after the program that is to run them, if that
/// is no shell that is known. `None` if the arguments say so in no known way.
///
/// That a login shell reads the files of the person who uses it changes nothing: they are that person's.
pub(super) fn commands(arguments: &Value, commands: Vec<String>) -> Option<Vec<String>> {
    let mut assignments = Vec::new();
    for value in ENVIRONMENT.iter().filter_map(|name| arguments.get(name)) {
        match value {
            Value::Null => {}
            Value::Object(variables) => {
                for (name, value) in variables {
                    assignments.push(assignment(name, value.as_str()?)?);
                }
            }
            Value::Array(list) => {
                for text in list {
                    let (name, value) = text.as_str()?.split_once('=')?;
                    assignments.push(assignment(name, value)?);
                }
            }
            _ => return None,
        }
    }
    let program = match arguments.get(SHELL) {
        None | Some(Value::Null) => None,
        Some(Value::String(program)) => Some(program.as_str()).filter(|program| known(program).is_none()),
        Some(_) => return None,
    };
    let mut lines = Vec::new();
    for command in commands {
        if let Some(program) = program {
            lines.push(format!("{} -c {}", quoted(program), quoted(&command)));
        }
        lines.push(assignments.iter().map(|line| format!("{line}\n")).collect::<String>() + &command);
    }
    Some(lines)
}

/// `NAME='value'`
fn assignment(name: &str, value: &str) -> Option<String> {
    let is_name = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
    };
    is_name(name).then(|| format!("{name}={}", quoted(value)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host_call;

    #[test]
    fn bash_is_known_where_a_host_says_so() {
        for (tool, arguments, expected) in [
            ("Bash", json!({"command": "ls"}), true),
            ("run_shell_command", json!({"command": "ls"}), true),
            ("exec_command", json!({"cmd": "ls"}), false),
            ("exec_command", json!({"cmd": "ls", "shell": "bash"}), true),
            ("exec_command", json!({"cmd": "ls", "shell": "/bin/bash", "login": true}), true),
            ("exec_command", json!("{\"cmd\": \"ls\", \"shell\": \"/usr/bin/bash\"}"), true),
            ("exec_command", json!({"cmd": "ls", "shell": "/bin/sh"}), false),
            ("exec_command", json!({"cmd": "ls", "shell": "/tmp/bash"}), false),
            ("Bash", json!({"command": "ls", "shell": "zsh"}), false),
            ("Bash", json!({"command": "ls", "shell": null}), true),
            ("shell", json!({"command": ["ls"]}), false),
            ("bash", json!({"command": "ls"}), false),
            ("Grep", json!({"pattern": "x", "shell": "bash"}), false),
        ] {
            assert_eq!(runs_bash(tool, &arguments), expected, "{tool} {arguments}");
        }
    }

    #[test]
    fn a_shell_that_is_not_known_is_a_program_that_runs() {
        let lines = |arguments: Value| -> Vec<String> {
            let call = host_call("exec_command", &arguments).unwrap().unwrap();
            call.intent.commands().map(str::to_owned).collect()
        };
        for shell in ["bash", "sh", "/bin/zsh", "/usr/bin/bash"] {
            assert_eq!(lines(json!({"cmd": "ls", "shell": shell, "login": false})), ["ls"], "{shell}");
        }
        for (shell, expected) in [
            ("./evil", "./evil -c 'a b'"),
            ("/tmp/bash", "/tmp/bash -c 'a b'"),
            ("python3", "python3 -c 'a b'"),
            ("fish", "fish -c 'a b'"),
            ("my sh", "'my sh' -c 'a b'"),
            ("", "'' -c 'a b'"),
        ] {
            assert_eq!(lines(json!({"cmd": "a b", "shell": shell})), [expected, "a b"], "{shell}");
        }
    }

    #[test]
    fn variables_stand_before_the_command() {
        let call = |arguments: Value| host_call("exec_command", &arguments).unwrap().unwrap();
        let lines = |arguments| call(arguments).intent.commands().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            lines(json!({"cmd": "ls", "env": {"PATH": ".", "A": "it's"}})),
            ["PATH=.\nA='it'\\''s'\nls"]
        );
        assert_eq!(lines(json!({"cmd": "ls", "environment": ["A=b c"]})), ["A='b c'\nls"]);
        assert_eq!(lines(json!({"cmd": "ls", "env": {}})), ["ls"]);
        assert_eq!(call(json!({"cmd": "ls", "workdir": "/x"})).cwd, Some("/x".into()));
        assert_eq!(call(json!({"cmd": "ls", "workdir": null})).cwd, None);
    }
}
