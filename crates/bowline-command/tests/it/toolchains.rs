//! The tables of options are whole: every option that a program's own help lists is known, and one that takes a file or a
//! directory says what is done with it.
//!
//! cargo is asked itself, as the toolchain of this repository is a fixed one. What the others print is kept in `help/`.

#![expect(clippy::disallowed_methods, reason = "they are asked for their options, and end at once")]

mod written;

use std::process::Command;

use bowline_command::{Pin, Script};

use crate::read;

/// Options after which all of a command must be spelt, by the command that they are given to.
const LOUD: &[(&str, &str)] = &[
    ("cargo", "--config -Z --open --git --registry --index"),
    ("pytest", "-p --doctest-modules -o --override-ini --pdbcls --pastebin"),
    ("make", "-E --eval -f --file --makefile -I --include-dir -e --environment-overrides"),
    ("go", "-asmflags -compiler -gccgoflags -gcflags -ldflags -modfile -overlay -toolexec"),
    (
        "npm",
        "--_auth --allow-directory --allow-file --allow-git --allow-remote --allow-scripts --browser --ca --cafile --call --cert \
            --dangerously-allow-all-scripts --editor --git --global --globalconfig --https-proxy --init-module --init.module \
            --key --location --node-gyp --node-options --package --password --proxy --registry \
            --replace-registry-host --script-shell --shell --strict-ssl --userconfig --viewer",
    ),
];

/// What is asked for a value that names a file.
const FILES: &[&str] =
    &["FILE", "PATH", "DIR", "DIRECTORY", "path", "dir", "directory", "file", "ROOTDIR", "LOG_FILE"];

#[derive(Debug)]
struct Listed {
    name: String,
    value: Option<String>,
}

/// `-p, --package [<SPEC>]`, `--junit-xml=path`, `-j [N], --jobs[=N]`.
fn listed(help: &str) -> Vec<Listed> {
    let mut found = Vec::new();
    for line in help.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
        let column = line.split("  ").next().unwrap_or_default();
        let value = |text: &str| {
            let text = text.trim_matches(['[', ']', '<', '>', '=', ' ', '.', '\'']);
            (!text.is_empty()).then(|| text.to_owned())
        };
        // The value stands at the last of the names.
        let shared = column.rsplit(", ").next().and_then(|last| value(&last[name_end(last)..]));
        for each in column.split(", ").filter(|each| each.starts_with('-')) {
            let end = name_end(each);
            let name = each[..end].to_owned();
            found.push(Listed { name, value: value(&each[end..]).or_else(|| shared.clone()) });
        }
    }
    found
}

fn name_end(text: &str) -> usize {
    text.find(['=', ' ', '[', ',']).or_else(|| text.find("...")).unwrap_or(text.len())
}

/// What is wrong about the options of this help, for commands that begin so.
fn wrong(command: &str, help: &str) -> Vec<String> {
    let program = command.split(' ').next().unwrap_or_default();
    let loud: Vec<&str> = LOUD
        .iter()
        .filter(|(of, _)| *of == program)
        .flat_map(|(_, names)| names.split_ascii_whitespace())
        .collect();
    let all = listed(help);
    assert!(all.len() > 3, "`{command}`: the help is read: {help}");
    let mut wrong = Vec::new();
    for Listed { name, value } in all {
        let joined = if name.starts_with("--") { "=" } else { " " };
        let text = match &value {
            Some(_) => format!("{command} {name}{joined}prot/x"),
            None => format!("{command} {name}"),
        };
        let script = read(&text);
        let is_loud = script.commands[0].pin == Some(Pin::Everything);
        let is_name = matches!(value.as_deref(), Some("TRIPLE" | "PROFILE-NAME"));
        if is_loud != loud.contains(&name.as_str()) && !is_name {
            wrong.push(format!("`{text}` {}", if is_loud { "must be spelt" } else { "need not be spelt" }));
        }
        let is_file = value.as_deref().is_some_and(|value| FILES.contains(&value));
        if is_file && !is_loud && !touches(&script) {
            wrong.push(format!("`{text}` touches nothing"));
        }
    }
    wrong
}

fn touches(script: &Script) -> bool {
    let mut paths = script.touches.iter().flat_map(|touch| &touch.paths);
    paths.any(|path| path.ends_with("prot/x"))
}

/// The same, but for what is said of these options.
fn unlike(command: &str, help: &str, except: &str) -> Vec<String> {
    let mut wrong = wrong(command, help);
    wrong.retain(|wrong| {
        let mut names = except.split_ascii_whitespace();
        !names.any(|name| wrong.contains(&format!(" {name}")))
    });
    wrong
}

#[track_caller]
fn holds(command: &str, help: &str, except: &str) {
    let wrong = unlike(command, help, except);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn cargo_knows_its_options() {
    let mut wrong = Vec::new();
    for sub in [
        "build", "check", "test", "bench", "run", "doc", "clippy", "rustc", "fix", "metadata", "tree",
        "update", "clean", "add", "remove", "install", "new", "package", "publish", "search",
    ] {
        let help = Command::new("cargo").args([sub, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        // The names of packages and lints have their own forms.
        let help = help.replace(" / ", ", ");
        let except = match sub {
            "add" | "install" => "--path --git --registry --index --branch",
            _ => "--registry --index",
        };
        wrong.extend(unlike(&format!("cargo {sub}"), &help, except));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn pytest_knows_its_options() {
    // Which files are left out touches none of them, and which are taken for tests may be any.
    holds("pytest", include_str!("help/pytest.txt"), "--ignore --ignore-glob --doctest-glob");
    holds(
        "python3 -m pytest",
        include_str!("help/pytest.txt"),
        "--ignore --ignore-glob -p -o --override-ini --pdbcls --pastebin --doctest-modules --doctest-glob",
    );
}

#[test]
fn make_knows_its_options() {
    // With these, a file is taken for older or newer than it is.
    holds(
        "make",
        include_str!("help/make.txt"),
        "-o --old-file --assume-old -W --what-if --new-file --assume-new -C --directory",
    );
}

#[test]
fn go_knows_its_flags() {
    for sub in ["build", "test", "vet"] {
        holds(&format!("go {sub}"), include_str!("help/go-build.txt"), "-C");
    }
    holds("go test", include_str!("help/go-testflag.txt"), "");
}

#[test]
fn npm_knows_its_settings() {
    holds("npm run", include_str!("help/npm.txt"), "");
    holds("npm install", include_str!("help/npm.txt"), "");
}
