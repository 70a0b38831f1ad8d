//! The compilers, and what they complain about.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::copy;

#[derive(Clone, Copy)]
pub(super) enum Compiler {
    /// The project in a directory, again and again: it remembers what has not changed.
    InPlace(fn(&Path) -> Errors),
    /// So many copies of it below a directory, by their numbers, at once: it takes longer to start than to compile.
    SideBySide(fn(&Path, usize) -> Vec<Errors>),
}

/// A compiler at work.
pub(super) struct Compiling {
    compiler: Compiler,
    copies: PathBuf,
    count: usize,
    errors: Vec<Errors>,
}

impl Compiling {
    pub(super) fn new(compiler: Compiler, copies: PathBuf) -> Self {
        Self { compiler, copies, count: 0, errors: Vec::new() }
    }

    /// Compiles what is in a directory, now or later.
    pub(super) fn look_at(&mut self, project: &Path) {
        match self.compiler {
            Compiler::InPlace(compile) => self.errors.push(compile(project)),
            Compiler::SideBySide(_) => copy(project, &self.copies.join(self.count.to_string())),
        }
        self.count += 1;
    }

    /// What was found each time.
    pub(super) fn end(self) -> Vec<Errors> {
        match self.compiler {
            Compiler::InPlace(_) => self.errors,
            Compiler::SideBySide(compile) => compile(&self.copies, self.count),
        }
    }
}

/// By file: what is said there. Lines are left out, because they move.
#[derive(Debug, Default)]
pub(super) struct Errors(Vec<(String, String)>);

impl Errors {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one is in a file, or names it: Go tells what is wrong with a package where it is imported.
    pub(super) fn is_about(&self, file: &str) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        self.0.iter().any(|(found, said)| found == file || said.contains(name))
    }

    pub(super) fn new_since(mut self, before: &Self) -> Self {
        for old in &before.0 {
            if let Some(again) = self.0.iter().position(|new| new == old) {
                self.0.remove(again);
            }
        }
        self
    }

    /// Reads `file:line:column: error: text` and `file(line,column): error: text`. A compiler that fails without such a
    /// line has found an error, too.
    fn read(root: &Path, failed: bool, output: &str, marks: &[&str]) -> Self {
        let mut errors = Vec::new();
        for line in output.lines() {
            let line = line.strip_prefix("vet: ").unwrap_or(line);
            let Some((file, rest)) = line.split_once([':', '(']) else { continue };
            let said = rest.trim_start_matches(|c: char| c.is_ascii_digit() || ":,) ".contains(c));
            let file = Path::new(file);
            let file = file.strip_prefix(root).unwrap_or(file);
            let file = file.strip_prefix(".").unwrap_or(file);
            let is_place = rest.starts_with(|c: char| c.is_ascii_digit());
            if is_place && (marks.is_empty() || marks.iter().any(|mark| said.starts_with(mark))) {
                errors.push((file.display().to_string(), said.to_owned()));
            }
        }
        if failed && errors.is_empty() {
            errors.push((String::new(), output.to_owned()));
        }
        Self(errors)
    }
}

/// What a project needs besides its texts, and what depends on where it is.
pub(super) fn prepare(language: &str, root: &Path) {
    if language != "cpp" {
        return;
    }
    let command = |file: &PathBuf| {
        let file = file.strip_prefix(root).unwrap();
        let mut arguments = vec![json!("c++")];
        arguments.extend(CPP_FLAGS.map(Value::from));
        arguments.push(json!(file));
        json!({"directory": root, "file": file, "arguments": arguments})
    };
    let commands: Vec<Value> = units(root).iter().map(command).collect();
    std::fs::write(root.join("compile_commands.json"), Value::from(commands).to_string()).unwrap();
}

/// Packages, and their tests. `go vet` alone stops at the first error of a package.
pub(super) fn go(root: &Path) -> Errors {
    let run = |arguments: &[&str]| {
        let mut go = Command::new("go");
        go.args(arguments).envs([("GOPROXY", "off"), ("GOTOOLCHAIN", "local")]);
        let (failed, output) = output(root, go);
        Errors::read(root, failed, &output, &[])
    };
    let mut errors = run(&["build", "-gcflags=-e", "./..."]);
    errors.0.extend(run(&["vet", "./..."]).0);
    errors
}

/// Each copy has its own root, and sees nothing of the others.
pub(super) fn pyright(copies: &Path, count: usize) -> Vec<Errors> {
    let roots: Vec<Value> = (0..count).map(|copy| json!({"root": copy.to_string()})).collect();
    let config = json!({"typeCheckingMode": "standard", "executionEnvironments": roots});
    std::fs::write(copies.join("pyrightconfig.json"), config.to_string()).unwrap();
    let mut pyright = installed("BOWLINE_COMPILER_PYRIGHT");
    pyright.args(["--outputjson", "-p", "."]);
    let (_, output) = output(copies, pyright);
    let said: Value = serde_json::from_str(&output).unwrap_or_else(|_| panic!("pyright says {output}"));
    let mut errors: Vec<Errors> = (0..count).map(|_| Errors::default()).collect();
    for found in said["generalDiagnostics"].as_array().unwrap() {
        let file = Path::new(found["file"].as_str().unwrap()).strip_prefix(copies).unwrap();
        let (copy, file) = file.to_str().unwrap().split_once('/').unwrap();
        if found["severity"] == "error" {
            let said =
                found["message"].as_str().unwrap().replace(&format!("{}/{copy}/", copies.display()), "");
            errors[copy.parse::<usize>().unwrap()].0.push((file.to_owned(), said));
        }
    }
    errors
}

pub(super) fn tsc(root: &Path) -> Errors {
    let mut tsc = installed("BOWLINE_COMPILER_TYPESCRIPT");
    tsc.args(["--noEmit", "--pretty", "false", "-p", "."]);
    let (failed, output) = output(root, tsc);
    Errors::read(root, failed, &output, &[])
}

const CPP_FLAGS: [&str; 2] = ["-std=c++17", "-I."];

/// Every unit that is there.
pub(super) fn cpp(root: &Path) -> Errors {
    let mut cpp = Command::new("c++");
    cpp.args(CPP_FLAGS).arg("-fsyntax-only").env("LC_ALL", "C");
    cpp.args(units(root).iter().map(|unit| unit.strip_prefix(root).unwrap()));
    let (failed, output) = output(root, cpp);
    // An error in a template is its user's, too.
    Errors::read(root, failed, &output, &["error", "fatal error", "required from here"])
}

/// Both workspaces: an error keeps the compiler from looking at the rest of one.
pub(super) fn cargo(root: &Path) -> Errors {
    let mut errors = Errors::default();
    for inside in ["", "broken"] {
        let mut cargo = Command::new("cargo");
        cargo.args(["check", "--all-targets", "--offline", "--keep-going", "--quiet"]);
        cargo.args(["--message-format", "short"]).env("CARGO_TARGET_DIR", root.join("target").join(inside));
        let (failed, output) = output(&root.join(inside), cargo);
        let found = Errors::read(root, failed, &output, &["error"]).0.into_iter();
        errors.0.extend(found.map(|(file, said)| (Path::new(inside).join(file).display().to_string(), said)));
    }
    errors
}

fn units(root: &Path) -> Vec<PathBuf> {
    let mut units = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in folder.read_dir().unwrap().flatten().map(|entry| entry.path()) {
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("cpp") => units.push(path),
                _ => {}
            }
        }
    }
    units.sort();
    units
}

fn installed(variable: &str) -> Command {
    let program = std::env::var(variable).unwrap_or_else(|_| {
        panic!("`{variable}` is not set: `cargo xtask test` installs the compilers and sets it")
    });
    Command::new(program)
}

/// Whether it failed, and all that it said.
fn output(root: &Path, mut command: Command) -> (bool, String) {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.current_dir(root).output();
    let output = output.unwrap_or_else(|error| panic!("`{program}` is needed to compare with: {error}"));
    let said = [output.stdout, output.stderr].concat();
    (!output.status.success(), String::from_utf8_lossy(&said).into_owned())
}
