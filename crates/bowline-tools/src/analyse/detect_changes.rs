//! `detect_changes`: what has changed as git knows it, who uses it, and how far a mistake would be felt.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{ChangeSet, ChangeStatus, ChangedFile, Changes, Language, Scope, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analyse::blast_radius::bounded;
use crate::answered::answered;
use crate::explain::explain;
use crate::impact::{USUAL, WireImpact, hint};
use crate::page::Page;
use crate::patience::{patience, reporter};

/// More are counted.
const MOST_FILES: usize = 500;

/// Symbols changed since git last knew them, who uses each, and the risk.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct DetectChangesArgs {
    #[serde(default)]
    pub workspace_root: Option<PathBuf>,
    /// unstaged takes in untracked files.
    #[serde(default)]
    pub scope: Which,
    /// For committed: `a..b`; default `HEAD~1..HEAD`.
    #[serde(default)]
    pub range: Option<String>,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    #[default]
    Unstaged,
    Staged,
    Committed,
}

impl Which {
    fn as_str(self) -> &'static str {
        match self {
            Self::Unstaged => "unstaged",
            Self::Staged => "staged",
            Self::Committed => "committed",
        }
    }
}

#[derive(Debug, Serialize)]
pub struct DetectChangesOutput {
    changed_files: Vec<PathBuf>,
    scope: &'static str,
    /// Of these nothing is left to look at; who still uses what was in them is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deleted_files: Vec<PathBuf>,
    #[serde(flatten)]
    impact: WireImpact,
}

pub struct DetectChanges {
    pub workspace: Arc<Workspace>,
}

impl Tool for DetectChanges {
    type Args = DetectChangesArgs;
    type Output = DetectChangesOutput;
    const NAME: &'static str = "detect_changes";
    const MOST: Effect = Effect::Read;
    const SLOW: bool = true;

    fn intent(&self, args: &DetectChangesArgs) -> Intent {
        match &args.workspace_root {
            Some(root) => Intent::read(root),
            None => Intent::read_workspace(),
        }
    }

    async fn run(
        &self,
        args: DetectChangesArgs,
        cx: &CallContext,
    ) -> Result<Answer<DetectChangesOutput>, ToolError> {
        let bounds = args.page.bounds(USUAL)?;
        let what = match (args.scope, args.range) {
            (Which::Committed, range) => ChangeSet::Committed { range },
            (_, Some(_)) => return Err(ToolError::bad_arguments("range goes with scope `committed`")),
            (Which::Unstaged, None) => ChangeSet::Unstaged,
            (Which::Staged, None) => ChangeSet::Staged,
        };
        let report = reporter(cx);
        let patience = bounded(patience(cx, &report));
        let root = args.workspace_root.or_else(|| self.workspace.roots().first().cloned());
        let root = root.ok_or_else(|| ToolError::bad_arguments("workspace_root: there is no root"))?;
        let changes = self.workspace.changed_files(&root, what, &patience).await.map_err(explain)?;
        let deleted: Vec<PathBuf> = of(&changes, |status| *status == ChangeStatus::Deleted);
        let present: Vec<PathBuf> = of(&changes, |status| *status != ChangeStatus::Deleted);
        let looked_at: Vec<ChangedFile> = changes
            .changes
            .iter()
            .filter(|change| change.status != ChangeStatus::Deleted && self.is_code(&change.path))
            .map(|change| ChangedFile { path: change.path.clone(), lines: Some(change.lines.clone()) })
            .collect();
        let found = self.workspace.impact(&looked_at, Scope::All, false, &patience).await.map_err(explain)?;
        let (impact, missing) = WireImpact::new(&found.value, bounds, false);
        let mut impact = impact.with_risks(&found.value, found.indexed);
        impact.warnings.extend(warnings(&changes, &deleted));
        let hint = match (present.len() + deleted.len(), impact.high_risks()) {
            (0, _) => "nothing has changed in this scope; `staged` and `committed` are others".to_owned(),
            (_, 0) => hint(&impact, missing),
            (_, high) => format!("{high} symbols of high risk: look at their callers, and run their tests"),
        };
        let output = DetectChangesOutput {
            changed_files: present.into_iter().take(MOST_FILES).collect(),
            scope: args.scope.as_str(),
            deleted_files: deleted.into_iter().take(MOST_FILES).collect(),
            impact,
        };
        Ok(answered(&found, output, Some(hint)))
    }
}

impl DetectChanges {
    /// Whether a grammar or a server reads such a file.
    fn is_code(&self, path: &Path) -> bool {
        Language::of_path(path).is_some() || self.workspace.speaks(path)
    }
}

fn of(changes: &Changes, which: impl Fn(&ChangeStatus) -> bool) -> Vec<PathBuf> {
    let listed = changes.changes.iter().filter(|change| which(&change.status));
    listed.map(|change| change.path.clone()).collect()
}

fn warnings(changes: &Changes, deleted: &[PathBuf]) -> Vec<String> {
    let said = [
        (!deleted.is_empty())
            .then(|| format!("{} files were deleted; who used them is not looked for", deleted.len())),
        (changes.total > changes.changes.len())
            .then(|| format!("{} more files have changed", changes.total - changes.changes.len())),
        (changes.outside > 0).then(|| format!("{} changed files lie outside the workspace", changes.outside)),
        (changes.submodules > 0)
            .then(|| format!("{} submodules have changed; their files are not listed", changes.submodules)),
        changes.whole.then(|| {
            "the difference is very long; changed files count as changed from end to end".to_owned()
        }),
    ];
    said.into_iter().flatten().collect()
}
