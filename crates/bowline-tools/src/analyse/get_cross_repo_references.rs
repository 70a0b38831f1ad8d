//! `get_cross_repo_references`: uses of a symbol in other repositories of the workspace.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::{RepoPlace, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answered::answered;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::place::{Means, Place};

const USUAL: usize = 200;

/// Uses of a symbol in other repositories, which lie in the roots of the workspace.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetCrossRepoReferencesArgs {
    pub symbol_file: PathBuf,
    #[schemars(extend("unlisted" = true))]
    #[serde(default)]
    pub language_id: Option<String>,
    #[serde(default)]
    pub line: Option<i64>,
    #[serde(default)]
    pub column: Option<i64>,
    #[serde(flatten)]
    pub by: Means,
    pub consumer_roots: Vec<PathBuf>,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Serialize)]
pub struct GetCrossRepoReferencesOutput {
    symbol: String,
    references: Vec<WireReference>,
    summary: String,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct WireReference {
    file: PathBuf,
    line: u32,
    column: u32,
    repo: String,
}

pub struct GetCrossRepoReferences {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetCrossRepoReferences {
    type Args = GetCrossRepoReferencesArgs;
    type Output = GetCrossRepoReferencesOutput;
    const NAME: &'static str = "get_cross_repo_references";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;
    const SLOW: bool = true;
    fn intent(&self, args: &GetCrossRepoReferencesArgs) -> Intent {
        let paths = args.consumer_roots.iter().chain([&args.symbol_file]);
        Intent::new(Effect::Read, paths.cloned().map(Target::Path))
    }

    async fn run(
        &self,
        args: GetCrossRepoReferencesArgs,
        cx: &CallContext,
    ) -> Result<Answer<GetCrossRepoReferencesOutput>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        if args.consumer_roots.is_empty() {
            return Err(ToolError::bad_arguments(
                "consumer_roots must be non-empty; use find_references for single-repo lookup",
            ));
        }
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let place = Place {
            file_path: args.symbol_file,
            language_id: args.language_id,
            line: args.line,
            column: args.column,
            by: args.by,
        };
        let at = place.position(&self.workspace, None, &patience).await?;
        let found = self
            .workspace
            .cross_references(place.file(), at, &args.consumer_roots, &patience)
            .await
            .map_err(explain)?;
        let all = &found.value.places;
        let repos: BTreeSet<String> = all.iter().map(repo).collect();
        let references: Vec<WireReference> = all.iter().skip(offset).take(limit).map(wire).collect();
        let hint = more(references.len(), offset, all.len()).unwrap_or_else(|| {
            "a repository finds the library as its own build does; `warnings` says what was not searched"
                .to_owned()
        });
        let output = GetCrossRepoReferencesOutput {
            symbol: format!("{}:{}:{}", place.file().display(), at.line, at.column),
            references,
            summary: format!("{} references in {} repositories", all.len(), repos.len()),
            warnings: found.value.warnings.clone(),
        };
        Ok(answered(&found, output, Some(hint)))
    }
}

fn repo(found: &RepoPlace) -> String {
    found.repo.as_ref().map_or_else(|| "primary".to_owned(), |root| root.display().to_string())
}

fn wire(found: &RepoPlace) -> WireReference {
    WireReference {
        file: found.place.file.clone(),
        line: found.place.line,
        column: found.place.column,
        repo: repo(found),
    }
}
