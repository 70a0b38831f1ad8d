//! `run_build`: builds a project, or checks its types, with its own tools.

use std::time::Duration;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_run::Task;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::running::{RunArgs, Runs, WireProblem, WireRun, by_severity, listed};

/// Build, type-check or lint a project with its own tools.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RunBuildArgs {
    #[serde(flatten)]
    what: RunArgs,
}

#[derive(Debug, Serialize)]
pub struct RunBuildOutput {
    success: bool,
    errors: Vec<WireProblem>,
    warnings: Vec<WireProblem>,
    #[serde(flatten)]
    run: WireRun,
}

pub struct RunBuild {
    pub runs: Runs,
}

impl Tool for RunBuild {
    type Args = RunBuildArgs;
    type Output = RunBuildOutput;
    const NAME: &'static str = "run_build";
    const MOST: Effect = Effect::Run;
    const ANSWERS: &'static [&'static str] = &["success"];
    const SLOW: bool = true;

    fn intent(&self, args: &RunBuildArgs) -> Intent {
        self.runs.intent(Task::Build, &args.what)
    }

    fn patience(&self, args: &RunBuildArgs) -> Option<Duration> {
        Runs::patience(&args.what)
    }

    async fn run(&self, args: RunBuildArgs, cx: &CallContext) -> Result<Answer<RunBuildOutput>, ToolError> {
        let (plan, mut outcome) = self.runs.run(Task::Build, args.what, cx).await?;
        let (errors, warnings) = by_severity(std::mem::take(&mut outcome.report.problems));
        let mut not_listed = 0;
        let output = RunBuildOutput {
            success: outcome.success(),
            errors: listed(errors, &mut not_listed),
            warnings: listed(warnings, &mut not_listed),
            run: WireRun::new(&plan, &outcome, not_listed),
        };
        let hint = match (output.success, outcome.timed_out) {
            (true, _) if output.errors.is_empty() => "it builds",
            (true, _) => "the program ended well although it printed errors",
            (false, true) => "it was ended; a larger `timeout_ms` or a narrower `path` may help",
            (false, false) => "mend the errors and run it again; `log` has everything that was printed",
        };
        Ok(Answer::new(output).hint(hint))
    }
}
