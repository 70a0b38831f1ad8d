//! Whether the files of a draft can still be read by their grammars.

use std::path::Path;
use std::sync::Arc;

use bowline_code::Encoding;
use bowline_syntax::{Language, parse};

use super::{Draft, DraftError};
use crate::workspace::Work;
use crate::{Patience, Workspace, WorkspaceError};

impl Workspace {
    /// An error if a file that could be read cannot be any more. Files without a grammar are not judged.
    pub async fn check_readable(&self, draft: &Draft, patience: &Patience<'_>) -> Result<(), WorkspaceError> {
        let files = draft.held().files.clone();
        self.blocking(patience, move |work| {
            for (path, file) in files.iter().filter(|(_, file)| file.is_changed()) {
                if let (Some(before), Some(after)) = (&file.before, &file.after) {
                    readable(work, path, before, after)?;
                }
            }
            Ok(())
        })
        .await
    }
}

/// An error if the text could be read before, and cannot be after.
pub(super) fn readable(
    work: &Work,
    path: &Path,
    before: &Arc<str>,
    after: &Arc<str>,
) -> Result<(), WorkspaceError> {
    let Some(language) = Language::of_path(path) else { return Ok(()) };
    let parsed = |text: &Arc<str>| {
        parse(language, Arc::clone(text), &|| work.stopped())
            .map_err(|source| WorkspaceError::Parse { path: path.to_owned(), source })
    };
    let after = parsed(after)?;
    if after.has_error() && !parsed(before)?.has_error() {
        let at = after.faults().first().map_or(0, |fault| fault.bytes.start);
        let line = after.lines().position(after.text(), at, Encoding::Utf16).line;
        return Err(DraftError::Unreadable { path: path.to_owned(), line }.into());
    }
    Ok(())
}
