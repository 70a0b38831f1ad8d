//! `update_plan`: what the agent has set out to do, and how far it has come.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_gate::{Ledger, Plan, Step, StepStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guide::Guide;

const MOST_STEPS: usize = 200;
const MOST_TITLE: usize = 500;
const MOST_EXPLANATION: usize = 4000;

/// Say what you will do, step by step, and how far you are. Every call gives the whole plan.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct UpdatePlanArgs {
    /// All steps in order. None: there is no plan any more.
    steps: Vec<PlanStep>,
    /// Why the plan is as it is.
    explanation: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct PlanStep {
    title: String,
    status: Status,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    Pending,
    InProgress,
    Done,
}

impl From<Status> for StepStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Pending => Self::Pending,
            Status::InProgress => Self::InProgress,
            Status::Done => Self::Done,
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct UpdatePlanOutput {
    steps: usize,
    done: usize,
    /// The title of the step that comes next.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

pub(crate) struct UpdatePlan {
    pub guide: Arc<Guide>,
}

impl Tool for UpdatePlan {
    type Args = UpdatePlanArgs;
    type Output = UpdatePlanOutput;
    const NAME: &'static str = "update_plan";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, _args: &UpdatePlanArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    async fn run(
        &self,
        args: UpdatePlanArgs,
        cx: &CallContext,
    ) -> Result<Answer<UpdatePlanOutput>, ToolError> {
        let plan = understood(args)?;
        let open: Vec<_> = plan.open().map(|step| step.title.clone()).collect();
        let steps = plan.steps.len();
        let set = move |ledger: &mut Ledger| {
            ledger.set_plan(plan.clone());
            Ok(())
        };
        self.guide.change(cx, set).await?;
        Ok(Answer::new(UpdatePlanOutput { steps, done: steps - open.len(), next: open.into_iter().next() }))
    }
}

fn understood(args: UpdatePlanArgs) -> Result<Plan, ToolError> {
    let UpdatePlanArgs { steps, explanation } = args;
    if steps.len() > MOST_STEPS {
        let message = format!("a plan has at most {MOST_STEPS} steps, not {}", steps.len());
        return Err(ToolError::bad_arguments(message).hint("put several into one step"));
    }
    for (index, step) in steps.iter().enumerate() {
        let title = step.title.trim();
        if title.is_empty() || title.len() > MOST_TITLE {
            let message = format!("the title of step {} must have from 1 to {MOST_TITLE} bytes", index + 1);
            return Err(ToolError::bad_arguments(message));
        }
    }
    if explanation.as_ref().is_some_and(|text| text.len() > MOST_EXPLANATION) {
        let message = format!("the explanation has more than {MOST_EXPLANATION} bytes");
        return Err(ToolError::bad_arguments(message));
    }
    let steps = steps
        .into_iter()
        .map(|step| Step { title: step.title.trim().to_owned(), status: step.status.into() });
    Ok(Plan { steps: steps.collect(), explanation })
}
