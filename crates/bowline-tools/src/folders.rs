//! What the tools about workspace folders share: the folders as they are told to clients.

use std::path::PathBuf;

use bowline_code::uri;
use bowline_workspace::Workspace;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct WireFolder {
    uri: String,
    name: PathBuf,
}

/// The roots, and what was added.
pub(crate) fn all(workspace: &Workspace) -> Vec<WireFolder> {
    let mut folders = workspace.roots().to_vec();
    folders.extend(workspace.folders().into_iter().filter(|folder| !workspace.roots().contains(folder)));
    folders.into_iter().map(|folder| WireFolder { uri: uri::of(&folder), name: folder }).collect()
}
