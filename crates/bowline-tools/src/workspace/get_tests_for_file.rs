//! `get_tests_for_file`: the test files that belong to a source file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{KnownBy, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};

const USUAL: usize = 200;

/// The test files of a source file: what imports it or uses its names.
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
    known_by: Map<String, Value>,
}

pub struct GetTestsForFile {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetTestsForFile {
    type Args = GetTestsForFileArgs;
    type Output = GetTestsForFileOutput;
    const NAME: &'static str = "get_tests_for_file";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

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
        let mut test_files = Vec::new();
        let mut known_by = Map::new();
        for test in found.value.into_iter().skip(offset).take(limit) {
            let how = words(&test.known_by, self.workspace.roots());
            known_by.insert(test.path.display().to_string(), Value::String(how));
            test_files.push(test.path);
        }
        let hint = more(test_files.len(), offset, total).unwrap_or_else(|| match total {
            _ if !found.indexed => "there is too much to read: there may be more tests than these".to_owned(),
            0 => "no test imports it or is named after it; blast_radius finds tests by what they call"
                .to_owned(),
            _ => "known_by tells how each is known; blast_radius finds tests by what they call".to_owned(),
        });
        let output = GetTestsForFileOutput { source_file, test_files, known_by };
        Ok(Answer::new(output).engine(found.engine).hint(hint))
    }
}

fn words(known_by: &KnownBy, roots: &[PathBuf]) -> String {
    match known_by {
        KnownBy::Itself => "the tests are in it".to_owned(),
        KnownBy::Imports => "imports it".to_owned(),
        KnownBy::UsesNames => "uses its names".to_owned(),
        KnownBy::Through(file) => {
            let short = roots.iter().find_map(|root| file.strip_prefix(root).ok());
            format!("imports it through {}", short.unwrap_or_else(|| Path::new(file)).display())
        }
        KnownBy::NamedAfter => "named after it".to_owned(),
    }
}
