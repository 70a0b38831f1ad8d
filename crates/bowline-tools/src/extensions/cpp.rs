//! C++: from a source file to its header and back, as clangd knows it.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError, erase};
use bowline_code::uri;
use bowline_workspace::{About, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Extension;
use crate::explain::explain;
use crate::patience::{patience, reporter};

pub(super) const EXTENSION: Extension = Extension {
    language: "cpp",
    tools: |house| vec![erase(SwitchSourceHeader { workspace: Arc::clone(&house.workspace) })],
};

/// The header of a source file, or the source of a header.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct SwitchSourceHeaderArgs {
    pub file_path: PathBuf,
}

#[derive(Debug, Serialize)]
pub(super) struct SwitchSourceHeaderOutput {
    file: PathBuf,
    line: u32,
}

pub(super) struct SwitchSourceHeader {
    workspace: Arc<Workspace>,
}

impl Tool for SwitchSourceHeader {
    type Args = SwitchSourceHeaderArgs;
    type Output = SwitchSourceHeaderOutput;
    const NAME: &'static str = "switch_source_header";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &SwitchSourceHeaderArgs) -> Intent {
        Intent::read(&args.file_path)
    }

    async fn run(
        &self,
        args: SwitchSourceHeaderArgs,
        cx: &CallContext,
    ) -> Result<Answer<SwitchSourceHeaderOutput>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let found = self
            .workspace
            .special("textDocument/switchSourceHeader", &args.file_path, About::Document, &patience)
            .await
            .map_err(explain)?;
        let file = found.value.as_str().and_then(uri::to_path).ok_or_else(|| {
            ToolError::failed("clangd knows no counterpart of this file")
                .hint("find_symbol finds where its functions are declared and defined")
        })?;
        Ok(Answer::new(SwitchSourceHeaderOutput { file, line: 1 })
            .engine(found.engine)
            .hint("list_symbols shows what it holds"))
    }
}
