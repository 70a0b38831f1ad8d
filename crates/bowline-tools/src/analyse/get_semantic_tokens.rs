//! `get_semantic_tokens`: what each word of a stretch of code is.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{Token, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Stretch;

const USUAL: usize = 300;

/// What each word of a range is: a type, a parameter, a function; and how it is used.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetSemanticTokensArgs {
    #[serde(flatten)]
    pub within: Stretch,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum GetSemanticTokensOutput {
    Tokens(Vec<WireToken>),
    Words(&'static str),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WireToken {
    line: u32,
    character: u32,
    length: u32,
    token_type: String,
    modifiers: Vec<String>,
}

pub struct GetSemanticTokens {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetSemanticTokens {
    type Args = GetSemanticTokensArgs;
    type Output = GetSemanticTokensOutput;
    const NAME: &'static str = "get_semantic_tokens";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, args: &GetSemanticTokensArgs) -> Intent {
        Intent::read(args.within.file())
    }

    async fn run(
        &self,
        args: GetSemanticTokensArgs,
        cx: &CallContext,
    ) -> Result<Answer<GetSemanticTokensOutput>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let within = args.within.span(&self.workspace, &patience).await?;
        let found =
            self.workspace.semantic_tokens(args.within.file(), within, &patience).await.map_err(explain)?;
        let total = found.value.len();
        let tokens: Vec<WireToken> = found.value.iter().skip(offset).take(limit).map(wire).collect();
        let hint = more(tokens.len(), offset, total)
            .unwrap_or_else(|| "inspect_symbol tells more about one of them".to_owned());
        let output = match total {
            0 => GetSemanticTokensOutput::Words("No semantic tokens found in the specified range."),
            _ => GetSemanticTokensOutput::Tokens(tokens),
        };
        let mut answer = answered(&found, output, Some(hint));
        answer.indexed = None;
        Ok(answer)
    }
}

fn wire(token: &Token) -> WireToken {
    let start = token.span.start;
    WireToken {
        line: start.line,
        character: start.column,
        length: token.span.end.column.saturating_sub(start.column),
        token_type: token.kind.clone(),
        modifiers: token.modifiers.clone(),
    }
}
