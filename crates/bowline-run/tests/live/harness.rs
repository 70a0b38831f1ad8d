//! Runs one project as the tools do, and holds what was read against what was printed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bowline_run::{Limits, Logs, Outcome, Plan, PlanError, Request, Task, plan, run};
use tokio_util::sync::CancellationToken;

/// A copy of a project of `tests/projects`, in a folder of its own.
pub(crate) struct Live {
    keep: tempfile::TempDir,
    environment: Vec<(OsString, OsString)>,
}

/// What a run reported, with paths from the project's folder on.
pub(crate) struct Ran {
    pub(crate) outcome: Outcome,
    pub(crate) log: String,
    root: PathBuf,
}

impl Live {
    pub(crate) fn of(project: &str) -> Self {
        let keep = tempfile::tempdir().unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects").join(project);
        copy(&from, &keep.path().join("project"));
        // What a person's shell has of these would change what is printed.
        let unwanted =
            ["RUST_BACKTRACE", "RUSTFLAGS", "CARGO_TARGET_DIR", "VIRTUAL_ENV", "MAKEFLAGS", "PYTHONPATH"];
        let environment = std::env::vars_os()
            .filter(|(name, _)| !unwanted.iter().any(|unwanted| name == unwanted))
            .collect();
        Self { keep, environment }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.keep.path().join("project").canonicalize().unwrap()
    }

    /// Puts something that was installed into the project, under this name.
    pub(crate) fn linked(self, name: &str, to: &Path) -> Self {
        let link = self.root().join(name);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, link).unwrap();
        self
    }

    pub(crate) fn with_file(self, name: &str, text: &str) -> Self {
        bowline_std::fs::replace_private(&self.root().join(name), text.as_bytes()).unwrap();
        self
    }

    /// Programs in this folder come before all others.
    pub(crate) fn with_programs(mut self, dir: &Path) -> Self {
        let path = self.environment.iter_mut().find(|(name, _)| name == "PATH").unwrap();
        let all = std::env::split_paths(&path.1).collect::<Vec<_>>();
        path.1 = std::env::join_paths(std::iter::once(dir.to_owned()).chain(all)).unwrap();
        self
    }

    pub(crate) fn plan(&self, task: Task, path: Option<&str>) -> Result<Plan, PlanError> {
        let root = self.root();
        let environment = &self.environment;
        plan(&Request { task, dir: &root, root: &root, path, language: None, environment })
    }

    pub(crate) async fn run(&self, task: Task, path: Option<&str>) -> Ran {
        let plan = self.plan(task, path).unwrap();
        let logs = Logs::new(self.keep.path().join("logs"));
        let limits = Limits {
            time: Duration::from_secs(300),
            cancellation: CancellationToken::new(),
            progress: None,
            logs: Some(&logs),
        };
        let outcome = run(&plan, &limits).await.unwrap();
        assert!(!outcome.timed_out, "{}", outcome.raw.text);
        let (log, _) = bowline_std::fs::read_text(outcome.log.as_ref().unwrap(), 64 << 20).unwrap();
        let ran = Ran { outcome, log, root: self.root() };
        ran.is_what_was_printed();
        ran
    }
}

impl Ran {
    fn inside(&self, file: &Option<PathBuf>) -> String {
        let Some(file) = file else { return "-".to_owned() };
        assert!(file.is_absolute(), "`{}` is there, and its path is not real\n{}", file.display(), self.log);
        file.strip_prefix(&self.root).unwrap_or(file).display().to_string()
    }

    /// `file:line:column severity [code]: message`
    pub(crate) fn problems(&self) -> Vec<String> {
        let part = |part: Option<u32>| part.map_or_else(String::new, |part| format!(":{part}"));
        let problems = self.outcome.report.problems.iter();
        let shown = problems.map(|one| {
            let code = one.code.as_deref().map_or_else(String::new, |code| format!(" [{code}]"));
            let (line, column, severity) = (part(one.line), part(one.column), one.severity.as_str());
            format!("{}{line}{column} {severity}{code}: {}", self.inside(&one.file), one.message)
        });
        shown.collect()
    }

    /// `test_name file:line: message`, sorted: some runners run tests as they like.
    pub(crate) fn failures(&self) -> Vec<String> {
        let failures = self.outcome.report.failures.iter();
        let mut shown: Vec<String> = failures
            .map(|one| {
                let line = one.line.map_or_else(String::new, |line| format!(":{line}"));
                format!("{} {}{line}: {}", one.test_name, self.inside(&one.file), one.message)
            })
            .collect();
        shown.sort_unstable();
        shown
    }

    /// `test_name file:line`, sorted.
    pub(crate) fn places(&self) -> Vec<String> {
        let failures = self.outcome.report.failures.iter();
        let mut shown: Vec<String> = failures
            .map(|one| {
                let line = one.line.map_or_else(String::new, |line| format!(":{line}"));
                let name = one.test_name.replace(&format!("{}/", self.root.display()), "");
                format!("{name} {}{line}", self.inside(&one.file))
            })
            .collect();
        shown.sort_unstable();
        shown
    }

    pub(crate) fn message_of(&self, test: &str) -> &str {
        let failure = self.outcome.report.failures.iter().find(|one| one.test_name == test);
        failure.map_or_else(|| panic!("`{test}` did not fail\n{}", self.log), |one| one.message.as_str())
    }

    /// Passed, failed, skipped.
    pub(crate) fn counts(&self) -> Option<(usize, usize, usize)> {
        self.outcome.report.counts.map(|counts| (counts.passed, counts.failed, counts.skipped))
    }

    /// Each thing that was read stands in what was printed: its file's name, its line, and all words of its message.
    fn is_what_was_printed(&self) {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let printed = squeezed(&self.log);
        let told = |what: &str, file: &Option<PathBuf>, line: Option<u32>, message: &str| {
            if let (Some(file), Some(line)) = (file, line) {
                let name = file.file_name().unwrap().to_str().unwrap();
                let line = line.to_string();
                let has = |one: &str| one.contains(name) && one.contains(&line);
                assert!(self.log.lines().any(has), "{what}: {name}:{line} was not printed:\n{}", self.log);
            }
            for part in message.lines().filter(|part| !part.trim().is_empty()) {
                // Compilers print a message and what they say beside it in different places.
                let whole = printed.contains(&squeezed(part));
                let pieces = || part.split(": ").all(|piece| printed.contains(&squeezed(piece)));
                assert!(whole || pieces(), "{what}: `{part}` was not printed:\n{}", self.log);
            }
        };
        for one in &self.outcome.report.problems {
            // How the program ended is said by us.
            let ours = one.file.is_none() && one.message.starts_with('`');
            let message =
                if ours { one.message.split_once('\n').map_or("", |(_, rest)| rest) } else { &one.message };
            told("problem", &one.file, one.line, message);
        }
        for one in &self.outcome.report.failures {
            told(&one.test_name, &one.file, one.line, &one.message);
        }
    }
}

/// What `cargo xtask test` installed. There is no test that stands aside.
#[expect(clippy::disallowed_methods, reason = "tests are told by variables where the programs are")]
pub(crate) fn installed(variable: &str) -> PathBuf {
    match std::env::var_os(variable) {
        Some(path) => path.into(),
        None => panic!(
            "`{variable}` is not set: run `cargo xtask test`, or `cargo xtask runners` and what it prints"
        ),
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in from.read_dir().unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}
