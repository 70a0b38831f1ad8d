//! `detect_changes`: what has changed as git knows it, who uses it, and how far a mistake would be felt.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::Engine;
use bowline_workspace::{
    Change, ChangeSet, ChangeStatus, ChangedFile, Changes, Found, Impact, Language, Patience, Removed,
    RemovedSymbol, Scope, Since, StillUsed, Workspace, WorkspaceError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analyse::blast_radius::bounded;
use crate::answered::answered;
use crate::compact::{Base, ByFile, Detail, Shaped, shaped};
use crate::explain::explain;
use crate::impact::{CompactImpact, LEVELS, Level, Risk, USUAL, WireImpact, hint};
use crate::page::Page;
use crate::patience::{patience, reporter};
use crate::wire::{WireCaller, is_zero};

/// More are counted.
const MOST_FILES: usize = 500;
const MOST_REMOVED: usize = 100;
/// Of one removed symbol.
const MOST_USES: usize = 20;
/// Of one kind of warning.
const MOST_NAMED: usize = 5;

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
    /// full: every place by itself, with absolute paths. Default: compact where that is long.
    #[serde(default)]
    pub detail: Option<Detail>,
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
pub struct DetectChangesOutput<F, R, I> {
    changed_files: Vec<F>,
    scope: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deleted_files: Vec<F>,
    /// The most dangerous first.
    removed_symbols: Vec<R>,
    /// Removed symbols that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    more_removed: usize,
    #[serde(flatten)]
    impact: I,
}

type Full = DetectChangesOutput<PathBuf, WireRemoved, WireImpact>;
type Compact = DetectChangesOutput<String, CompactRemoved, CompactImpact>;

/// A removed symbol in few words.
#[derive(Debug, Serialize)]
pub struct CompactRemoved {
    /// `name risk: reason`, and in which file it was.
    name: String,
    file: String,
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    still_used: ByFile,
    #[serde(skip_serializing_if = "is_zero")]
    more_uses: usize,
}

impl Full {
    /// The same in few words, with so much of each.
    fn compact(&self, root: Option<&Path>, level: Level) -> Compact {
        let base = Base(root);
        let (uses, files, _) = level;
        let removed = |one: &WireRemoved| CompactRemoved {
            name: format!("{} {}: {}", one.name, one.risk.as_str(), one.risk_reason),
            file: format!("{}:{}", base.path(&one.file), one.line),
            still_used: base.by_file(&one.still_used[..one.still_used.len().min(uses)]),
            more_uses: one.more_uses + one.still_used.len().saturating_sub(uses),
        };
        let mut impact = self.impact.compact(root, level);
        let left = self.changed_files.len().saturating_sub(2 * files);
        impact.leave_out(left, "changed files");
        DetectChangesOutput {
            changed_files: base.paths(&self.changed_files[..self.changed_files.len() - left]),
            scope: self.scope,
            deleted_files: base.paths(&self.deleted_files[..self.deleted_files.len().min(2 * files)]),
            removed_symbols: self.removed_symbols.iter().map(removed).collect(),
            more_removed: self.more_removed,
            impact,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct WireRemoved {
    name: String,
    file: PathBuf,
    /// In the old text.
    line: u32,
    risk: Risk,
    risk_reason: String,
    still_used: Vec<WireCaller>,
    /// Uses that are not listed here.
    #[serde(skip_serializing_if = "is_zero")]
    more_uses: usize,
}

pub struct DetectChanges {
    pub workspace: Arc<Workspace>,
}

impl Tool for DetectChanges {
    type Args = DetectChangesArgs;
    type Output = Shaped<Full, Compact>;
    const NAME: &'static str = "detect_changes";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;
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
    ) -> Result<Answer<Self::Output>, ToolError> {
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
            .filter(|change| change.status != ChangeStatus::Deleted && change.since != Since::Gone)
            .filter(|change| self.is_code(&change.path))
            .map(changed_file)
            .collect();
        let found = self.impact(&looked_at, &patience).await?;
        let gone = self.removed(&root, &changes, &patience).await?;
        let (impact, missing) = WireImpact::new(&found.value, bounds, false);
        let mut impact = impact.with_risks(&found.value, found.indexed);
        impact.warnings.extend(warnings(&changes));
        impact.warnings.extend(gone.value.warnings);
        let mut removed: Vec<WireRemoved> = gone.value.symbols.iter().map(wire_removed).collect();
        removed.sort_by_key(|symbol| symbol.risk as u8);
        if !removed.is_empty() {
            impact.summary.push_str(&format!("; {} removed symbols", removed.len()));
        }
        let high = impact.high_risks() + removed.iter().filter(|symbol| symbol.risk == Risk::High).count();
        let hint = match (present.len() + deleted.len(), high) {
            (0, _) => "nothing has changed in this scope; `staged` and `committed` are others".to_owned(),
            (_, 0) if missing == 0 && looked_at.is_empty() && !removed.is_empty() => {
                "nothing but removed symbols: see where each is still used".to_owned()
            }
            (_, 0) => hint(&impact, missing, found.indexed),
            (_, high) => format!("{high} symbols of high risk: look at their callers, and run their tests"),
        };
        let found = Found { indexed: found.indexed && gone.indexed, ..found };
        let output = DetectChangesOutput {
            changed_files: present.into_iter().take(MOST_FILES).collect(),
            scope: args.scope.as_str(),
            deleted_files: deleted.into_iter().take(MOST_FILES).collect(),
            more_removed: removed.len().saturating_sub(MOST_REMOVED),
            removed_symbols: removed.into_iter().take(MOST_REMOVED).collect(),
            impact,
        };
        let root = self.workspace.root_around(&root).or(Some(&root));
        let output = shaped(output, args.detail, &LEVELS, |full: &Full, level| full.compact(root, level));
        Ok(answered(&found, output, Some(hint)))
    }
}

impl DetectChanges {
    /// Whether a grammar or a server reads such a file.
    fn is_code(&self, path: &Path) -> bool {
        Language::of_path(path).is_some() || self.workspace.speaks(path)
    }

    /// A file that cannot be read is nobody's fault here: nobody has named it.
    async fn impact(
        &self,
        files: &[ChangedFile],
        patience: &Patience<'_>,
    ) -> Result<Found<Impact>, ToolError> {
        match self.workspace.impact(files, Scope::All, false, patience).await {
            Err(error @ (WorkspaceError::Read(_) | WorkspaceError::Parse { .. })) => {
                let value = Impact { warnings: vec![error.to_string()], ..Impact::default() };
                Ok(Found { value, engine: Engine::Syntax, indexed: false, note: None })
            }
            found => found.map_err(explain),
        }
    }

    /// What is gone. If nobody can tell, the rest of the answer stands.
    async fn removed(
        &self,
        root: &Path,
        changes: &Changes,
        patience: &Patience<'_>,
    ) -> Result<Found<Removed>, ToolError> {
        match self.workspace.removed(root, changes, patience).await {
            Ok(found) => Ok(found),
            Err(WorkspaceError::Cancelled) => Err(explain(WorkspaceError::Cancelled)),
            Err(error) => {
                let warnings = vec![format!("what was removed is not known: {error}")];
                let value = Removed { warnings, ..Removed::default() };
                Ok(Found { value, engine: Engine::Syntax, indexed: false, note: None })
            }
        }
    }
}

fn changed_file(change: &Change) -> ChangedFile {
    let lines = (change.since == Since::Known).then(|| change.lines.clone());
    ChangedFile { path: change.path.clone(), lines }
}

/// High: code still uses it. Medium: only tests do, or something else of that name may be meant. Low: nobody does.
fn wire_removed(symbol: &RemovedSymbol) -> WireRemoved {
    let files = |fits: fn(&StillUsed) -> bool| {
        let fitting = symbol.uses.iter().filter(|one| fits(one));
        fitting.map(|one| &one.caller.place.file).collect::<BTreeSet<_>>().len()
    };
    let sure = files(|one| one.is_sure && !one.caller.is_test);
    let unsure = files(|one| !one.is_sure && !one.caller.is_test);
    let (risk, risk_reason) = if let Some(to) = &symbol.moved_to {
        (Risk::Low, format!("moved to `{}`", to.display()))
    } else if sure > 0 {
        (Risk::High, format!("still written in {sure} files after it was removed"))
    } else if unsure > 0 {
        (Risk::Medium, format!("still written in {unsure} files, which may mean others of that name"))
    } else if symbol.uses.is_empty() {
        (Risk::Low, "no other file mentions it by name".to_owned())
    } else {
        (Risk::Medium, "only tests still use it".to_owned())
    };
    let mut still_used: Vec<WireCaller> = symbol.uses.iter().map(|one| (&one.caller).into()).collect();
    // Two uses on one line are one place to look at.
    still_used.dedup();
    let more_uses = still_used.len().saturating_sub(MOST_USES) + (symbol.total - symbol.uses.len());
    still_used.truncate(MOST_USES);
    WireRemoved {
        name: symbol.name.clone(),
        file: symbol.file.clone(),
        line: symbol.line,
        risk,
        risk_reason,
        still_used,
        more_uses,
    }
}

fn of(changes: &Changes, which: impl Fn(&ChangeStatus) -> bool) -> Vec<PathBuf> {
    let listed = changes.changes.iter().filter(|change| which(&change.status));
    listed.map(|change| change.path.clone()).collect()
}

fn warnings(changes: &Changes) -> Vec<String> {
    let named = |since: Since| {
        let files: Vec<String> = (changes.changes.iter())
            .filter(|change| change.since == since)
            .map(|change| format!("`{}`", change.path.display()))
            .collect();
        let more = files.len().saturating_sub(MOST_NAMED);
        let listed = files.into_iter().take(MOST_NAMED).collect::<Vec<_>>().join(", ");
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        (!listed.is_empty()).then(|| format!("{listed}{more}"))
    };
    let said = [
        named(Since::Lost).map(|files| {
            format!("changed since in a way that cannot be followed, so all of each counts: {files}")
        }),
        named(Since::Gone).map(|files| format!("removed or renamed since, so not looked at: {files}")),
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
