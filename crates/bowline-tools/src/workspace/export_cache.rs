//! `export_cache`: writes what language servers have answered into one file.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::explain::explain;
use crate::patience::{patience, reporter};

/// Write the reference cache into one file (gzip), to share it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExportCacheArgs {
    pub dest_path: PathBuf,
}

pub struct ExportCache {
    pub workspace: Arc<Workspace>,
}

impl Tool for ExportCache {
    type Args = ExportCacheArgs;
    type Output = String;
    const NAME: &'static str = "export_cache";
    const MOST: Effect = Effect::Write;
    const SLOW: bool = true;
    fn intent(&self, args: &ExportCacheArgs) -> Intent {
        Intent::write([&args.dest_path])
    }

    async fn run(&self, args: ExportCacheArgs, cx: &CallContext) -> Result<Answer<String>, ToolError> {
        let report = reporter(cx);
        let dest = self.workspace.resolve(&args.dest_path).map_err(explain)?;
        let entries =
            self.workspace.export_recollection(&dest, &patience(cx, &report)).await.map_err(explain)?;
        Ok(Answer::new(format!("Cache exported to {} ({entries} entries)", dest.display()))
            .hint("committed as .bowline/cache.db.gz it is picked up by everybody who works on the project"))
    }
}
