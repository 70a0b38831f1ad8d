//! `get_tests_for_file`: the test files that belong to a source file.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};

const USUAL: usize = 200;

/// The test files of a source file, by its language's conventions.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetTestsForFileArgs {
    pub file_path: PathBuf,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Serialize)]
pub struct GetTestsForFileOutput {
    source_file: PathBuf,
    test_files: Vec<PathBuf>,
}

pub struct GetTestsForFile {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetTestsForFile {
    type Args = GetTestsForFileArgs;
    type Output = GetTestsForFileOutput;
    const NAME: &'static str = "get_tests_for_file";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &GetTestsForFileArgs) -> Intent {
        Intent::read(&args.file_path)
    }

    async fn run(
        &self,
        args: GetTestsForFileArgs,
        cx: &CallContext,
    ) -> Result<Answer<GetTestsForFileOutput>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let source_file = self.workspace.resolve(&args.file_path).map_err(explain)?;
        let found =
            self.workspace.tests_for(&args.file_path, &patience(cx, &report)).await.map_err(explain)?;
        let total = found.value.len();
        let test_files: Vec<PathBuf> = found.value.into_iter().skip(offset).take(limit).collect();
        let hint = more(test_files.len(), offset, total).unwrap_or_else(|| match total {
            0 => "no test is named after it; blast_radius finds tests by what they call".to_owned(),
            _ => "named after it, or known to use it; blast_radius finds tests by what they call".to_owned(),
        });
        Ok(Answer::new(GetTestsForFileOutput { source_file, test_files }).engine(found.engine).hint(hint))
    }
}
