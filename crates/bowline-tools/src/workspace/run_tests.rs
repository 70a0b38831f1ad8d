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
    /// How many ran, where the runner says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    ran: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
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
    const SLOW: bool = true;

    fn intent(&self, args: &RunTestsArgs) -> Intent {
        self.runs.intent(Task::Test, &args.what)
    }

    fn patience(&self, args: &RunTestsArgs) -> Option<Duration> {
        Runs::patience(&args.what)
    }

    async fn run(&self, args: RunTestsArgs, cx: &CallContext) -> Result<Answer<RunTestsOutput>, ToolError> {
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
        let hint = if outcome.timed_out {
            "it was ended; a larger `timeout_ms` or a narrower `path` may help"
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
