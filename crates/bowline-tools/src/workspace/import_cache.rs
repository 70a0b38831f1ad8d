//! `import_cache`: takes over what an exported cache holds.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::explain::explain;
use crate::patience::{patience, reporter};

/// Take over an exported reference cache.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ImportCacheArgs {
    pub src_path: PathBuf,
}

pub struct ImportCache {
    pub workspace: Arc<Workspace>,
}

impl Tool for ImportCache {
    type Args = ImportCacheArgs;
    type Output = String;
    const NAME: &'static str = "import_cache";
    const MOST: Effect = Effect::Draft;
    const SLOW: bool = true;
    fn intent(&self, args: &ImportCacheArgs) -> Intent {
        Intent::new(Effect::Draft, [Target::Path(args.src_path.clone())])
    }

    async fn run(&self, args: ImportCacheArgs, cx: &CallContext) -> Result<Answer<String>, ToolError> {
        let report = reporter(cx);
        let src = self.workspace.resolve(&args.src_path).map_err(explain)?;
        let entries =
            self.workspace.import_recollection(&src, &patience(cx, &report)).await.map_err(explain)?;
        Ok(Answer::new(format!("Cache imported from {} ({entries} entries)", src.display()))
            .hint("what differs from the files as they are now is never used"))
    }
}
