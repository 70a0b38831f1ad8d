//! Texts that git keeps, byte for byte: no filter and no driver is asked to make something else of them.

use std::path::Path;

use futures_util::StreamExt;

use super::git::Git;
use crate::{Patience, ProgramError, Workspace, WorkspaceError};

/// So many are read at once.
const AT_ONCE: usize = 4;

/// A text that git keeps, or why there is none.
pub(crate) type Version = Result<String, &'static str>;

impl Workspace {
    /// The texts of these names, in their order.
    pub(crate) async fn versions(
        &self,
        root: &Path,
        names: &[String],
        patience: &Patience<'_>,
    ) -> Result<Vec<Version>, WorkspaceError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let root = self.resolve(root)?;
        let git = Git::open(&root, self.fleet.environment(), patience).await?;
        let most = usize::try_from(self.shared.options.max_file_bytes).unwrap_or(usize::MAX);
        let git = &git;
        let each: Vec<_> = names.iter().map(|name| version(git, name, most, patience)).collect();
        let read: Vec<_> = futures_util::stream::iter(each).buffered(AT_ONCE).collect().await;
        read.into_iter().collect()
    }
}

async fn version(
    git: &Git<'_>,
    name: &str,
    most: usize,
    patience: &Patience<'_>,
) -> Result<Version, WorkspaceError> {
    match git.output(&git.top_level, &["cat-file", "blob", name], most, patience).await {
        Ok(bytes) if bytes.contains(&0) => Ok(Err("it is no text")),
        // In whatever encoding the rest is, names are mostly plain letters.
        Ok(bytes) => Ok(Ok(String::from_utf8_lossy(&bytes).into_owned())),
        Err(WorkspaceError::Program(ProgramError::TooMuch { .. })) => Ok(Err("it is too large")),
        // A partial clone may lack it, and nothing is fetched.
        Err(WorkspaceError::Program(ProgramError::Failed { .. })) => Ok(Err("git does not have it")),
        Err(error) => Err(error),
    }
}
