//! `finish_task`: is the work done, by what the profile asks for?

use std::pin::Pin;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, ConversationId, Effect, Intent, Tool, ToolError};
use bowline_gate::{Completion, Stopping};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::guide::Guide;

/// Ask whether the task is complete. If not, the answer says what is left to do.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FinishTaskArgs {
    /// What was done, in few words.
    summary: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct FinishTaskOutput {
    complete: bool,
    /// What is left to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<String>,
    /// Why nobody has looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<&'static str>,
}

/// Judges whether a conversation may end.
pub trait Finisher: Send + Sync {
    fn finish<'a>(
        &'a self,
        conversation: &'a ConversationId,
        stopping: Stopping,
    ) -> Pin<Box<dyn Future<Output = Completion> + Send + 'a>>;

    /// How long that may take.
    fn patience(&self) -> std::time::Duration;
}

pub(crate) struct FinishTask {
    pub guide: Arc<Guide>,
}

impl Tool for FinishTask {
    type Args = FinishTaskArgs;
    type Output = FinishTaskOutput;
    const NAME: &'static str = "finish_task";
    // The commands that a profile names are run by whoever wrote it, not by whoever calls this.
    const MOST: Effect = Effect::Draft;
    const ANSWERS: &'static [&'static str] = &["complete"];

    fn intent(&self, _args: &FinishTaskArgs) -> Intent {
        Intent::new(Effect::Draft, [])
    }

    fn patience(&self, _args: &FinishTaskArgs) -> Option<std::time::Duration> {
        self.guide.finisher().ok().map(Finisher::patience)
    }

    async fn run(
        &self,
        args: FinishTaskArgs,
        cx: &CallContext,
    ) -> Result<Answer<FinishTaskOutput>, ToolError> {
        let stopping = Stopping { tentative_output: args.summary, reason: Some(Self::NAME.to_owned()) };
        let Completion { complete, feedback, skipped } =
            self.guide.finisher()?.finish(cx.conversation(), stopping).await;
        Ok(Answer::new(FinishTaskOutput { complete, feedback, skipped }))
    }
}
