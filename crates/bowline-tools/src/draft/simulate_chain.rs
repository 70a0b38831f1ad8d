//! `simulate_chain`: edits one after the other, and what each does.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Targets, Tool, ToolError};
use bowline_workspace::{Edit, Evaluation, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::edits::EditArgs;
use crate::evaluated::{Looking, WireProblem, evaluated};
use crate::explain::explain;
use crate::patience::{for_draft, patience, reporter};

/// So many edits are taken at once.
const MOST: usize = 50;

/// Draft edits one after the other; says after each what all so far would do.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SimulateChainArgs {
    pub session_id: String,
    /// Each as in simulate_edit.
    pub edits: Vec<Map<String, Value>>,
    #[serde(default)]
    pub timeout_ms: Option<i64>,
}

/// What the chain does.
#[derive(Debug, Serialize)]
pub struct Chain {
    session_id: String,
    /// After the last step, nothing is broken, and that is proved.
    safe_to_apply: bool,
    steps: Vec<Step>,
    /// After this step, nothing is broken, and that is proved. 0: after none.
    safe_to_apply_through_step: usize,
    cumulative_delta: i64,
}

/// All edits up to one, compared with what is on disk.
#[derive(Debug, Serialize)]
struct Step {
    step: usize,
    net_delta: i64,
    safe_to_apply: bool,
    confidence: &'static str,
    errors_introduced: Vec<WireProblem>,
    warnings_introduced: Vec<WireProblem>,
}

pub struct SimulateChain {
    pub workspace: Arc<Workspace>,
}

impl Tool for SimulateChain {
    type Args = SimulateChainArgs;
    type Output = Chain;
    const NAME: &'static str = "simulate_chain";
    const MOST: Effect = Effect::Draft;
    const ANSWERS: &'static [&'static str] = &["safe_to_apply"];
    const SLOW: bool = true;

    fn intent(&self, args: &SimulateChainArgs) -> Intent {
        let edits: Result<Vec<Edit>, _> = edits(&args.edits);
        let targets = match edits {
            Ok(edits) => Targets::Known(edits.iter().flat_map(Edit::files).map(Target::Path).collect()),
            // It will be told what is wrong with them.
            Err(_) => Targets::Known(Vec::new()),
        };
        Intent { effect: Effect::Draft, targets }
    }

    async fn run(&self, args: SimulateChainArgs, cx: &CallContext) -> Result<Answer<Chain>, ToolError> {
        let edits = edits(&args.edits)?;
        if edits.is_empty() || edits.len() > MOST {
            let message = format!("give 1 to {MOST} edits, got {}", edits.len());
            return Err(ToolError::bad_arguments(message));
        }
        let asked = edits.len();
        let report = reporter(cx);
        let patience = for_draft(patience(cx, &report), args.timeout_ms, &self.workspace)?;
        let draft = self.workspace.draft(&args.session_id).map_err(|error| explain(error.into()))?;
        let evaluations = self.workspace.evaluate_chain(&draft, edits, &patience).await.map_err(explain)?;
        let safe = evaluations.iter().rposition(Evaluation::is_safe).map_or(0, |index| index + 1);
        let steps = evaluations.iter().enumerate().map(|(index, evaluation)| {
            let wire = evaluated(draft.id(), Looking::File, evaluation);
            Step {
                step: index + 1,
                net_delta: wire.net_delta,
                safe_to_apply: wire.safe_to_apply,
                confidence: wire.confidence,
                errors_introduced: wire.errors_introduced,
                warnings_introduced: wire.warnings_introduced,
            }
        });
        let chain = Chain {
            session_id: draft.id().to_owned(),
            safe_to_apply: safe == asked,
            steps: steps.collect(),
            safe_to_apply_through_step: safe,
            cumulative_delta: evaluations.last().map_or(0, Evaluation::net_delta),
        };
        let hint = match safe {
            0 => "no step leaves everything whole, with proof".to_owned(),
            step if step == asked => {
                "all steps together are safe to apply; commit_session with apply writes them".to_owned()
            }
            step => format!("the steps up to {step} are safe to apply together; the draft holds all of them"),
        };
        Ok(Answer::new(chain).hint(hint))
    }
}

fn edits(edits: &[Map<String, Value>]) -> Result<Vec<Edit>, ToolError> {
    let read =
        |(index, edit): (usize, &Map<String, Value>)| EditArgs::read(index, Value::Object(edit.clone()));
    edits.iter().enumerate().map(read).collect()
}
