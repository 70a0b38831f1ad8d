//! `blast_radius`: every symbol of changed files, who uses it, and which of those are tests.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::{ChangedFile, Patience, Scope, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answered::answered;
use crate::compact::{Detail, Shaped};
use crate::explain::explain;
use crate::impact::{CompactImpact, WireImpact, hint, shaped_impact};
use crate::page::Page;
use crate::patience::{patience, reporter};

/// What is not known by then is said to be missing, and the rest is answered.
pub(crate) const MOST_TIME: Duration = Duration::from_millis(9_300);

/// Who uses the symbols of changed files, tests told from others.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct BlastRadiusArgs {
    pub changed_files: Vec<PathBuf>,
    /// Also callers of callers.
    #[serde(default)]
    pub include_transitive: bool,
    #[serde(default)]
    pub scope: Which,
    /// untested: only symbols that no test calls.
    #[serde(default)]
    pub filter: Option<Filter>,
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
    Exported,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Filter {
    Untested,
}

pub struct BlastRadius {
    pub workspace: Arc<Workspace>,
}

impl Tool for BlastRadius {
    type Args = BlastRadiusArgs;
    type Output = Shaped<WireImpact, CompactImpact>;
    const NAME: &'static str = "blast_radius";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = crate::impact::USUAL;
    const SLOW: bool = true;

    fn intent(&self, args: &BlastRadiusArgs) -> Intent {
        Intent::new(Effect::Read, args.changed_files.iter().cloned().map(Target::Path))
    }

    async fn run(&self, args: BlastRadiusArgs, cx: &CallContext) -> Result<Answer<Self::Output>, ToolError> {
        let bounds = args.page.bounds(crate::impact::USUAL)?;
        if args.changed_files.is_empty() {
            return Err(ToolError::bad_arguments("changed_files is required: name at least one file"));
        }
        let report = reporter(cx);
        let patience = bounded(patience(cx, &report));
        let files: Vec<ChangedFile> =
            args.changed_files.into_iter().map(|path| ChangedFile { path, lines: None }).collect();
        let scope = match args.scope {
            Which::Exported => Scope::Exported,
            Which::All => Scope::All,
        };
        let found = self
            .workspace
            .impact(&files, scope, args.include_transitive, &patience)
            .await
            .map_err(explain)?;
        let untested = args.filter == Some(Filter::Untested);
        let (wire, missing) = WireImpact::new(&found.value, bounds, untested);
        let mut hint = hint(&wire, missing, found.indexed);
        let root = self.workspace.roots().first().map(PathBuf::as_path);
        let output = shaped_impact(wire, args.detail, root);
        if matches!(output, Shaped::Compact(_)) {
            hint.push_str("\ndetail=full lists every place with its absolute path");
        }
        Ok(answered(&found, output, Some(hint)))
    }
}

/// No longer than such a question may take.
pub(crate) fn bounded(patience: Patience<'_>) -> Patience<'_> {
    let most = Instant::now() + MOST_TIME;
    let deadline = Some(patience.deadline.map_or(most, |deadline| deadline.min(most)));
    Patience { deadline, ..patience }
}
