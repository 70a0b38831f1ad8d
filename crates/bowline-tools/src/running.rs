//! What `run_build` and `run_tests` share: their arguments, the plan that the gate sees and that then runs, and the
//! shapes of their answers.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bowline_call::{CallContext, Effect, Intent, Target, ToolError};
use bowline_code::Severity;
use bowline_run::{Failure, Limits, Logs, Outcome, Plan, PlanError, Problem, Request, RunError, Task};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::House;
use crate::explain::explain;

const USUAL_MS: u64 = 600_000;
const MOST_MS: u64 = 3_600_000;
/// The call outlives its run by this: its turn may be late, and what was printed must be read.
const MARGIN: Duration = Duration::from_secs(30);
/// The run ends before its call does by this.
const READING: Duration = Duration::from_secs(5);
/// So many errors, warnings and failures are listed.
pub(crate) const MOST_LISTED: usize = 100;
/// So much of one message.
const MOST_MESSAGE: usize = 4000;

/// What both take.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RunArgs {
    /// The project, or a folder in or around it.
    pub workspace_dir: PathBuf,
    /// A part of it: a directory, a file, or `file::test` for one test.
    #[serde(default)]
    pub path: Option<String>,
    /// Needed only where several languages could be meant.
    #[serde(default)]
    pub language: Option<String>,
    /// After so long it is ended: 600000 by default, 3600000 at most.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
    /// What the gate has seen is what runs.
    #[serde(skip)]
    planned: OnceLock<Result<Plan, ToolError>>,
}

/// What it takes to run something.
#[derive(Clone)]
pub struct Runs {
    workspace: Arc<Workspace>,
    logs: Option<Logs>,
}

impl Runs {
    pub(crate) fn of(house: &House) -> Self {
        Self { workspace: Arc::clone(&house.workspace), logs: house.run_logs.clone().map(Logs::new) }
    }

    /// Runs these very commands in this folder. Arguments that are wrong run nothing.
    pub(crate) fn intent(&self, task: Task, args: &RunArgs) -> Intent {
        match args.planned.get_or_init(|| self.plan(task, args)) {
            Ok(plan) => {
                let commands = plan.commands().into_iter().map(Target::Command);
                Intent::new(Effect::Run, commands.chain([Target::Path(plan.dir().to_owned())]))
            }
            Err(_) => Intent::read(&args.workspace_dir),
        }
    }

    pub(crate) fn patience(args: &RunArgs) -> Option<Duration> {
        Some(args.limit().ok()? + MARGIN)
    }

    pub(crate) async fn run(
        &self,
        task: Task,
        mut args: RunArgs,
        cx: &CallContext,
    ) -> Result<(Plan, Outcome), ToolError> {
        let limit = args.limit()?;
        let plan = match args.planned.take() {
            Some(planned) => planned?,
            None => self.plan(task, &args)?,
        };
        let left = cx.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let time = left.map_or(limit, |left| limit.min(left.saturating_sub(READING)));
        let tell = |seconds: u64, last: &str| {
            cx.progress().report(seconds, Some(time.as_secs()), &format!("{}: {last}", plan.runner.name));
        };
        let limits = Limits {
            time,
            cancellation: cx.cancellation().clone(),
            progress: Some(&tell),
            logs: self.logs.as_ref(),
        };
        let outcome = bowline_run::run(&plan, &limits).await.map_err(unstarted)?;
        Ok((plan, outcome))
    }

    fn plan(&self, task: Task, args: &RunArgs) -> Result<Plan, ToolError> {
        args.limit()?;
        let dir = self.workspace.resolve(&args.workspace_dir).map_err(explain)?;
        if !dir.is_dir() {
            return Err(ToolError::bad_arguments(format!("`{}` is not a directory", dir.display())));
        }
        let request = Request {
            task,
            dir: &dir,
            root: self.workspace.root_around(&dir).unwrap_or(&dir),
            path: args.path.as_deref().filter(|path| !path.is_empty()),
            language: args.language.as_deref().filter(|language| !language.is_empty()),
            environment: self.workspace.environment(),
        };
        bowline_run::plan(&request).map_err(|error| unplanned(&error))
    }
}

impl RunArgs {
    fn limit(&self) -> Result<Duration, ToolError> {
        match self.timeout_ms.unwrap_or(USUAL_MS) {
            0 => Err(ToolError::bad_arguments("timeout_ms must be > 0")),
            most if most > MOST_MS => {
                Err(ToolError::bad_arguments(format!("timeout_ms is at most {MOST_MS}")))
            }
            most => Ok(Duration::from_millis(most)),
        }
    }
}

fn unplanned(error: &PlanError) -> ToolError {
    let message = error.to_string();
    match error {
        PlanError::NotInstalled { .. } | PlanError::Scratch(_) => ToolError::failed(message),
        PlanError::Nothing { .. } => ToolError::bad_arguments(message)
            .hint("docs/reference/runners.md lists what is known, and by which files"),
        _ => ToolError::bad_arguments(message),
    }
}

fn unstarted(error: RunError) -> ToolError {
    match error {
        RunError::Cancelled => ToolError::Cancelled,
        error => ToolError::failed(error.to_string()),
    }
}

/// A complaint about the code. Its file is absolute where it exists.
#[derive(Debug, Serialize)]
pub(crate) struct WireProblem {
    file: Option<PathBuf>,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

impl From<Problem> for WireProblem {
    fn from(problem: Problem) -> Self {
        Self {
            file: problem.file,
            line: problem.line,
            column: problem.column,
            message: bowline_std::text::cut(&problem.message, MOST_MESSAGE),
            severity: problem.severity.as_str(),
            code: problem.code,
        }
    }
}

/// A test that failed.
#[derive(Debug, Serialize)]
pub(crate) struct WireFailure {
    file: Option<PathBuf>,
    line: Option<u32>,
    test_name: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<WireLocation>,
}

#[derive(Debug, Serialize)]
struct WireLocation {
    uri: String,
    range: RawRange,
}

/// As language servers write it: counted from zero.
#[derive(Debug, Serialize)]
struct RawRange {
    start: RawPosition,
    end: RawPosition,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct RawPosition {
    line: u32,
    character: u32,
}

impl From<Failure> for WireFailure {
    fn from(failure: Failure) -> Self {
        let location = match (&failure.file, failure.line) {
            (Some(file), Some(line)) if file.is_absolute() => {
                let start = RawPosition { line: line.saturating_sub(1), character: 0 };
                Some(WireLocation { uri: bowline_code::uri::of(file), range: RawRange { start, end: start } })
            }
            _ => None,
        };
        Self {
            file: failure.file,
            line: failure.line,
            test_name: failure.test_name,
            message: bowline_std::text::cut(&failure.message, MOST_MESSAGE),
            location,
        }
    }
}

/// How it was run and where the rest is, in every answer.
#[derive(Debug, Serialize)]
pub(crate) struct WireRun {
    /// What was printed, or its beginning and its end.
    raw: String,
    /// Everything that was printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<PathBuf>,
    /// The end of what was printed is not in the log: it was too much.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    log_truncated: bool,
    runner: &'static str,
    command: String,
    dir: PathBuf,
    duration_ms: u64,
    timed_out: bool,
    /// Errors, warnings and failures beyond those that are listed.
    not_listed: usize,
}

impl WireRun {
    pub(crate) fn new(plan: &Plan, outcome: &Outcome, not_listed: usize) -> Self {
        Self {
            raw: outcome.raw.text.clone(),
            log: outcome.log.clone(),
            log_truncated: outcome.log_left_out > 0,
            runner: plan.runner.name,
            command: plan.command(),
            dir: plan.dir().to_owned(),
            duration_ms: u64::try_from(outcome.duration.as_millis()).unwrap_or(u64::MAX),
            timed_out: outcome.timed_out,
            not_listed,
        }
    }
}

/// Errors, and what is less than an error.
pub(crate) fn by_severity(problems: Vec<Problem>) -> (Vec<Problem>, Vec<Problem>) {
    problems.into_iter().partition(|problem| problem.severity == Severity::Error)
}

/// The first of a list as they travel; how many are left out is added up.
pub(crate) fn listed<T, W: From<T>>(list: Vec<T>, not_listed: &mut usize) -> Vec<W> {
    *not_listed += list.len().saturating_sub(MOST_LISTED);
    list.into_iter().take(MOST_LISTED).map(W::from).collect()
}
