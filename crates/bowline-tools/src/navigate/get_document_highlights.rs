//! `get_document_highlights`: every place in a file that means the symbol at a position.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::Place;
use crate::wire::WireSpan;

const USUAL: usize = 200;

/// Places in the same file that mean the symbol at a position.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetDocumentHighlightsArgs {
    #[serde(flatten)]
    pub at: Place,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Serialize)]
pub struct WireHighlight {
    file: PathBuf,
    line: u32,
    range: WireSpan,
    /// 1 text, 2 read, 3 write.
    kind: u8,
}

pub struct GetDocumentHighlights {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetDocumentHighlights {
    type Args = GetDocumentHighlightsArgs;
    type Output = Vec<WireHighlight>;
    const NAME: &'static str = "get_document_highlights";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, args: &GetDocumentHighlightsArgs) -> Intent {
        Intent::read(args.at.file())
    }

    async fn run(
        &self,
        args: GetDocumentHighlightsArgs,
        cx: &CallContext,
    ) -> Result<Answer<Vec<WireHighlight>>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let found = self.workspace.highlights(args.at.file(), at, &patience).await.map_err(explain)?;
        let file = self.workspace.resolve(args.at.file()).map_err(explain)?;
        let shown: Vec<WireHighlight> = found
            .value
            .iter()
            .skip(offset)
            .take(limit)
            .map(|one| WireHighlight {
                file: file.clone(),
                line: one.span.start.line,
                range: one.span.into(),
                kind: one.kind,
            })
            .collect();
        let hint = more(shown.len(), offset, found.value.len())
            .unwrap_or_else(|| "find_references looks in every file".to_owned());
        let mut answer = answered(&found, shown, Some(hint));
        // One file is always known whole.
        answer.indexed = None;
        Ok(answer)
    }
}
