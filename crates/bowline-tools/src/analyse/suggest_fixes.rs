//! `suggest_fixes`: what the language server would do about a stretch of code, and the doing of one of it.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, Effect, Intent, Target, Targets, Tool, ToolError};
use bowline_code::Span;
use bowline_workspace::{Edit, Patience, Proposal, Proposed, Which, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answered::answered;
use crate::changed::{Changed, Looking, Telling, by_command, make, of_file};
use crate::commanded::Scribe;
use crate::drafted::Passing;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter, within};
use crate::place::Stretch;

const USUAL: usize = 50;

/// Fixes and refactorings that the language server proposes. `apply` makes one.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SuggestFixesArgs {
    #[serde(flatten)]
    pub within: Stretch,
    /// The `index` of the one to make.
    #[serde(default)]
    pub apply: Option<i64>,
    /// With `apply`: the title it must have.
    #[serde(default)]
    pub title: Option<String>,
    #[serde(flatten)]
    pub looking: Looking,
    #[serde(flatten)]
    pub page: Page,
}

/// The list, or what was made of it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Suggested {
    List(Vec<Value>),
    Made(Changed),
}

pub struct SuggestFixes {
    pub workspace: Arc<Workspace>,
}

impl Tool for SuggestFixes {
    type Args = SuggestFixesArgs;
    type Output = Suggested;
    const NAME: &'static str = "suggest_fixes";
    /// Some fixes are commands of the server.
    const MOST: Effect = Effect::Run;
    const LEAST: Effect = Effect::Read;
    const SLOW: bool = true;

    fn intent(&self, args: &SuggestFixesArgs) -> Intent {
        match args.apply {
            None => Intent::read(args.within.file()),
            // Which files it touches is known only when the server has said it; the gate looks again then.
            Some(_) => Intent { effect: Effect::Write, targets: Targets::Unknown },
        }
    }

    async fn run(&self, args: SuggestFixesArgs, cx: &CallContext) -> Result<Answer<Suggested>, ToolError> {
        let report = reporter(cx);
        let patience = within(patience(cx, &report), None)?;
        let span = args.within.span(&self.workspace, &patience).await?;
        match args.apply {
            None => self.list(&args, span, &patience).await,
            Some(index) => self.apply(&args, span, index, cx, &patience).await,
        }
    }
}

impl SuggestFixes {
    async fn list(
        &self,
        args: &SuggestFixesArgs,
        span: Span,
        patience: &Patience<'_>,
    ) -> Result<Answer<Suggested>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let found = self.workspace.code_actions(args.within.file(), span, patience).await.map_err(explain)?;
        // Each keeps its number among all of them, by which the server's list is asked for it.
        let can_be_made = |(_, action): &(usize, &Value)| action.get("disabled").is_none();
        let usable: Vec<(usize, &Value)> = found.value.iter().enumerate().filter(can_be_made).collect();
        let total = usable.len();
        let numbered = |(index, action): (usize, &Value)| {
            let mut action = action.clone();
            action["index"] = json!(index);
            action
        };
        let left_out = found.value.len() - total;
        let actions: Vec<Value> = usable.into_iter().skip(offset).take(limit).map(numbered).collect();
        let mut hint = more(actions.len(), offset, total).unwrap_or_else(|| match total {
            0 => "the server proposes nothing here; get_diagnostics says where something is wrong".to_owned(),
            _ => "nothing has been changed; `apply` with an `index` makes one, as the server wrote it"
                .to_owned(),
        });
        if left_out > 0 {
            hint.push_str(&format!("; {left_out} that cannot be made here are left out"));
        }
        let mut answer = answered(&found, Suggested::List(actions), Some(hint));
        answer.indexed = None;
        Ok(answer)
    }

    async fn apply(
        &self,
        args: &SuggestFixesArgs,
        span: Span,
        index: i64,
        cx: &CallContext,
        patience: &Patience<'_>,
    ) -> Result<Answer<Suggested>, ToolError> {
        let index = usize::try_from(index)
            .map_err(|_| ToolError::bad_arguments(format!("apply must be >= 0, got {index}")))?;
        let file = self.workspace.resolve(args.within.file()).map_err(explain)?;
        let which = Which::Nth { index, title: args.title.clone() };
        let proposal = Proposal::Fix { file: file.clone(), within: span, which };
        let passing = Passing::wide(&self.workspace)?;
        let proposed = self.workspace.proposed(passing.draft(), proposal, patience).await.map_err(explain)?;
        let summary = EditSummary { target: args.title.clone(), ..of_file("fix", &file) };
        let telling = |message| Telling { label: Self::NAME, message, summary, looking: args.looking };
        let answer = match proposed {
            Proposed::Edit(served) => {
                let telling = telling("Fix applied".to_owned());
                make(&self.workspace, Edit::ByServer(served), telling, cx, patience).await?
            }
            Proposed::Command { title, command, arguments } => {
                let targets = [Target::Command(command.clone()), Target::Path(file.clone())];
                cx.consult(&Intent::new(Effect::Run, targets)).await?;
                let scribe = Scribe::new(&self.workspace, Self::NAME, cx, patience);
                let ran = self.workspace.execute_command(&command, arguments, Some(&file), &scribe, patience);
                let ran = ran.await;
                let done = scribe.into_done();
                ran.map_err(explain).map_err(|error| done.despite(error))?;
                let telling = telling(format!("`{title}` done by the server's command `{command}`"));
                by_command(&self.workspace, &done, telling, patience).await
            }
        };
        Ok(answer.map(Suggested::Made))
    }
}
