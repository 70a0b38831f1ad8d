//! `get_tests_for_file`: the test files that belong to a source file.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explain::explain;
use crate::patience::{patience, reporter};

/// The test files of a source file, by its language's conventions.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetTestsForFileArgs {
    pub file_path: PathBuf,
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
        let report = reporter(cx);
        let source_file = self.workspace.resolve(&args.file_path).map_err(explain)?;
        let found =
            self.workspace.tests_for(&args.file_path, &patience(cx, &report)).await.map_err(explain)?;
        Ok(Answer::new(GetTestsForFileOutput { source_file, test_files: found.value }).engine(found.engine))
    }
}
