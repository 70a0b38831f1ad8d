//! `run_tests`: runs a project's tests with its own test runner.

use std::time::Duration;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_run::{Counts, Task};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::running::{RunArgs, Runs, WireFailure, WireProblem, WireRun, by_severity, listed};

/// Run a project's tests with its own runner; lists those that fail.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RunTestsArgs {
    #[serde(flatten)]
    what: RunArgs,
}

#[derive(Debug, Serialize)]
pub struct RunTestsOutput {
    /// Tests ran, and all of them passed.
    passed: bool,
    failures: Vec<WireFailure>,
    /// Why tests could not be run at all: compile errors, or what the runner itself said.
    errors: Vec<WireProblem>,
    /// How many ran: passed and failed ones. `null` is a runner that does not say.
    ran: Option<usize>,
    /// Of tests alone: a file that could not be loaded is in `errors`, and a test with parts is its parts.
    counts: Option<WireCounts>,
    #[serde(flatten)]
    run: WireRun,
}

#[derive(Debug, Serialize)]
struct WireCounts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl From<Counts> for WireCounts {
    fn from(counts: Counts) -> Self {
        Self { passed: counts.passed, failed: counts.failed, skipped: counts.skipped }
    }
}

pub struct RunTests {
    pub runs: Runs,
}

impl Tool for RunTests {
    type Args = RunTestsArgs;
    type Output = RunTestsOutput;
    const NAME: &'static str = "run_tests";
    const MOST: Effect = Effect::Run;
    const ANSWERS: &'static [&'static str] = &["passed"];
    const SLOW: bool = true;

    fn intent(&self, args: &RunTestsArgs) -> Intent {
        self.runs.intent(Task::Test, &args.what)
    }

    fn patience(&self, args: &RunTestsArgs) -> Option<Duration> {
        Runs::patience(&args.what)
    }

    async fn run(&self, args: RunTestsArgs, cx: &CallContext) -> Result<Answer<RunTestsOutput>, ToolError> {
        let named = args.what.path.as_deref().and_then(|path| path.split_once("::"));
        let named = named.map(|(file, test)| (file.to_owned(), test.to_owned()));
        let (plan, mut outcome) = self.runs.run(Task::Test, args.what, cx).await?;
        let report = std::mem::take(&mut outcome.report);
        // Warnings of a compiler are a build's business.
        let (errors, _) = by_severity(report.problems);
        let ran = report.counts.map(|counts| counts.passed + counts.failed);
        let nothing_ran = ran == Some(0);
        let mut not_listed = 0;
        let output = RunTestsOutput {
            passed: outcome.success() && !nothing_ran,
            failures: listed(report.failures, &mut not_listed),
            errors: listed(errors, &mut not_listed),
            ran,
            counts: report.counts.map(WireCounts::from),
            run: WireRun::new(&plan, &outcome, not_listed),
        };
        let skipped = report.counts.map_or(0, |counts| counts.skipped);
        let hint = if outcome.timed_out {
            "it was ended; a larger `timeout_ms` or a narrower `path` may help"
        } else if let (true, true, 0, Some((file, test))) =
            (nothing_ran, output.errors.is_empty(), skipped, &named)
        {
            let hint = format!(
                "no test `{test}` was found in `{file}`, so none ran; a name is understood as the runner itself writes it, \
                 with its modules or classes"
            );
            return Ok(Answer::new(output).hint(hint));
        } else if nothing_ran && output.errors.is_empty() {
            "no test ran: nothing is known to pass; does `path` name tests, and are they skipped?"
        } else if !output.passed {
            "mend what failed and run it again; `path` as `file::test` runs one test alone"
        } else if ran.is_none() {
            "the runner ended well and does not say how many tests ran; `raw` shows what it printed"
        } else {
            "all tests that ran passed"
        };
        Ok(Answer::new(output).hint(hint))
    }
}
