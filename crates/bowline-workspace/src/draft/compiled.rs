//! Drafts of languages whose server leaves what counts to the compiler: the compiler itself is asked, in a copy.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::server_evaluation::{Findings, Heard};
use super::{Files, Proof};
use crate::shadow::{Checked, Overlay, ShadowError};
use crate::{Patience, Workspace, WorkspaceError};

/// Why nothing is known of a file that is in no target, or only in one that is not built.
const UNSEEN: &str = "the compiler did not look at it: no target of the project includes it";

impl Workspace {
    /// What the compiler says of each stage. `Err`: it has no verdict, and why.
    pub(super) async fn compile_draft(
        &self,
        project: &Path,
        stages: &[Files],
        patience: &Patience<'_>,
    ) -> Result<Vec<Findings>, ShadowError> {
        let nothing = Files::new();
        let overlays: Vec<Vec<Overlay<'_>>> =
            std::iter::once(&nothing).chain(stages).map(overlay_of).collect();
        let checked: Vec<Checked> = self.check_each_in_shadow(project, &overlays, patience).await?;
        // Whatever it did not see of the project before: if the draft compiles, nothing of it is broken.
        let stopped_early: Vec<bool> = checked.iter().skip(1).map(|checked| checked.stopped_early).collect();
        // A file of which it says nothing is clean, if it has read it. What it did not read before had no problems yet.
        let named = checked.iter().flat_map(|checked| checked.diagnostics.keys());
        let paths: BTreeSet<PathBuf> = named.chain(stages.iter().flat_map(BTreeMap::keys)).cloned().collect();
        let stages_with_before = std::iter::once(&nothing).chain(stages);
        let mut heard = checked.into_iter().zip(stages_with_before).map(|(mut checked, stage)| -> Heard {
            let mut found = |path: &PathBuf| {
                let is_edited = stage.get(path).is_some_and(|file| file.after.is_some());
                // Where there are errors it may not have come to write down what it read.
                if is_edited && !checked.stopped_early && !checked.seen.contains(path) {
                    return Err(UNSEEN.to_owned());
                }
                Ok((checked.diagnostics.remove(path).unwrap_or_default(), Proof::Compiled))
            };
            paths.iter().map(|path| (path.clone(), found(path))).collect()
        });
        let before = heard.next().unwrap_or_default();
        let findings = heard.zip(stopped_early).map(|(after, stopped_early)| {
            let mut findings = Findings { before: before.clone(), after, ..Findings::default() };
            if stopped_early {
                findings
                    .doubts
                    .insert("the compiler stopped at errors, and did not look at everything".into());
            }
            findings
        });
        Ok(findings.collect())
    }
}

fn overlay_of(stage: &Files) -> Vec<Overlay<'_>> {
    stage.iter().map(|(path, file)| (path.as_path(), file.after.as_deref())).collect()
}

impl ShadowError {
    /// The caller has left.
    pub(super) fn is_cancelled(&self) -> bool {
        matches!(self, Self::Workspace(WorkspaceError::Cancelled))
    }

    /// Asking again later would help.
    pub(super) fn is_late(&self) -> bool {
        matches!(
            self,
            Self::Unfinished { .. } | Self::Busy { .. } | Self::Workspace(WorkspaceError::NotReady { .. })
        )
    }
}
