//! `did_change_watched_files`: tells language servers that files have changed.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_code::uri;
use bowline_workspace::{FileEvent, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::explain::explain;

/// Tell language servers that files have changed. Not needed: bowline watches them.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DidChangeWatchedFilesArgs {
    pub changes: Vec<FileChange>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct FileChange {
    #[serde(default)]
    pub uri: String,
    /// 1 created, 2 changed, 3 deleted.
    #[serde(rename = "type", default)]
    pub kind: i64,
}

pub struct DidChangeWatchedFiles {
    pub workspace: Arc<Workspace>,
}

impl Tool for DidChangeWatchedFiles {
    type Args = DidChangeWatchedFilesArgs;
    type Output = &'static str;
    const NAME: &'static str = "did_change_watched_files";
    const MOST: Effect = Effect::Draft;

    fn intent(&self, args: &DidChangeWatchedFilesArgs) -> Intent {
        let paths = args.changes.iter().filter_map(|change| uri::to_path(&change.uri));
        Intent::new(Effect::Draft, paths.map(Target::Path))
    }

    async fn run(
        &self,
        args: DidChangeWatchedFilesArgs,
        cx: &CallContext,
    ) -> Result<Answer<&'static str>, ToolError> {
        let _ = cx;
        let read = |(index, change): (usize, &FileChange)| {
            let bad = |what: &str| ToolError::bad_arguments(format!("changes[{index}].{what}"));
            if change.uri.is_empty() {
                return Err(bad("uri is required"));
            }
            let path = uri::to_path(&change.uri).ok_or_else(|| bad("uri must be a `file://` address"))?;
            let event = match change.kind {
                1 => FileEvent::Created,
                2 => FileEvent::Changed,
                3 => FileEvent::Deleted,
                _ => return Err(bad("type must be 1 (created), 2 (changed), or 3 (deleted)")),
            };
            // What is gone has no real path; the gate has looked at where it was.
            Ok((self.workspace.resolve(&path).unwrap_or(path), event))
        };
        let events =
            args.changes.iter().enumerate().map(read).collect::<Result<Vec<(PathBuf, FileEvent)>, _>>()?;
        let servers = self.workspace.files_changed(&events).await.map_err(explain)?;
        Ok(Answer::new("File change notifications sent")
            .hint(format!("told {servers} servers; changes on disk are noticed without this")))
    }
}
