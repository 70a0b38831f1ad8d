//! `replace_in_files`: replaces a text, or what a regular expression matches, in many files.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, Effect, Intent, Receipt, Targets, Tool, ToolError};
use bowline_workspace::{Occurrence, PassedOver, Replace, Replacements, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::changed::{Changed, Looking, Telling, write};
use crate::drafted::Passing;
use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter, within};

const USUAL: usize = 100;

/// Replace a text or regular expression in many files; a dry run (the default) lists occurrences with ids.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct ReplaceInFilesArgs {
    pub pattern: String,
    /// With `is_regex`: `$1`, `${name}`, and `$$` for a dollar sign.
    #[serde(default)]
    pub replacement: String,
    #[serde(default)]
    pub is_regex: bool,
    #[serde(default = "yes")]
    pub case_sensitive: bool,
    #[serde(default)]
    pub whole_word: bool,
    /// `.` stands for the end of a line, too.
    #[serde(default)]
    pub multiline: bool,
    /// `*.rs`, `src/**/*.ts`
    #[serde(default)]
    pub include_globs: Vec<String>,
    #[serde(default)]
    pub exclude_globs: Vec<String>,
    /// A directory or a file.
    #[serde(default)]
    pub path: Option<PathBuf>,
    #[serde(default = "yes")]
    pub dry_run: bool,
    /// Ids of those to replace; default: all.
    #[serde(default)]
    pub occurrences: Vec<String>,
    #[serde(flatten)]
    pub looking: Looking,
    #[serde(flatten)]
    pub page: Page,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Serialize)]
pub struct ReplaceInFilesOutput {
    dry_run: bool,
    /// So many files have something to replace.
    files: usize,
    occurrences: Vec<Listed>,
    total: usize,
    not_listed: usize,
    skipped: Skipped,
    /// Why there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    applied: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<String>,
    /// What was written, and what is wrong now.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Changed>,
}

#[derive(Debug, Serialize)]
struct Listed {
    id: String,
    file: PathBuf,
    line: u32,
    column: u32,
    before: String,
    after: String,
}

/// What was passed over: files, and occurrences that are already as they should be.
#[derive(Debug, Serialize)]
struct Skipped {
    binary: usize,
    too_large: usize,
    not_utf8: usize,
    unreadable: usize,
    unchanged: usize,
}

pub struct ReplaceInFiles {
    pub workspace: Arc<Workspace>,
}

impl Tool for ReplaceInFiles {
    type Args = ReplaceInFilesArgs;
    type Output = ReplaceInFilesOutput;
    const NAME: &'static str = "replace_in_files";
    const MOST: Effect = Effect::Write;
    const LEAST: Effect = Effect::Draft;
    const SLOW: bool = true;

    fn intent(&self, args: &ReplaceInFilesArgs) -> Intent {
        let effect = if args.dry_run { Effect::Draft } else { Effect::Write };
        Intent { effect, targets: Targets::Unknown }
    }

    async fn run(
        &self,
        args: ReplaceInFilesArgs,
        cx: &CallContext,
    ) -> Result<Answer<ReplaceInFilesOutput>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let summary = EditSummary {
            mode: Self::NAME.to_owned(),
            old_text_preview: Some(args.pattern.clone()),
            new_text_preview: Some(args.replacement.clone()),
            apply: Some(!args.dry_run),
            ..EditSummary::default()
        };
        let replace = Replace {
            pattern: args.pattern,
            replacement: args.replacement,
            is_regex: args.is_regex,
            ignore_case: !args.case_sensitive,
            whole_word: args.whole_word,
            dot_all: args.multiline,
            include: args.include_globs,
            exclude: args.exclude_globs,
            below: args.path,
        };
        let mut found = self.workspace.replacements(&replace, &patience).await.map_err(explain)?;
        // What is to be written is refused as a whole where something was not looked at, before ids are missed in it.
        let edit = |found: &Replacements| found.edit().map_err(|error| explain(error.into()));
        if !args.dry_run && found.partial.is_some() {
            edit(&found)?;
        }
        if !args.occurrences.is_empty() {
            found = found.only(&args.occurrences).map_err(|error| explain(error.into()))?;
        }
        if args.dry_run || found.occurrences.is_empty() {
            let applied = (!args.dry_run).then_some(0);
            let output = output(found, args.dry_run, limit, offset, applied, None);
            let hint = more(output.occurrences.len(), offset, output.total).unwrap_or_else(|| said(&output));
            let receipt = Receipt { summary: Some(summary), ..Receipt::default() };
            return Ok(Answer::new(output).hint(hint).receipt(receipt));
        }
        let edit = edit(&found)?;
        let passing = Passing::wide(&self.workspace)?;
        let draft = passing.draft();
        self.workspace.edit_draft(draft, edit, &patience).await.map_err(explain)?;
        let applied = found.occurrences.len();
        let message = format!("Replaced {applied} occurrence(s) in {} file(s)", found.files());
        let telling = Telling { label: Self::NAME, message, summary, looking: args.looking };
        let patience = within(patience, None)?;
        let answer = write(&self.workspace, draft, telling, cx, &patience).await?;
        Ok(answer.map(|changed| output(found, false, limit, offset, Some(applied), Some(changed))))
    }
}

fn said(output: &ReplaceInFilesOutput) -> String {
    match (output.total, &output.partial) {
        (_, Some(why)) => {
            format!("not everything was looked at: {why}; name a smaller part before you apply it")
        }
        (0, None) => "nothing to replace".to_owned(),
        (_, None) => "nothing was written; dry_run=false replaces all, or those whose ids are in occurrences"
            .to_owned(),
    }
}

fn output(
    found: Replacements,
    dry_run: bool,
    limit: usize,
    offset: usize,
    applied: Option<usize>,
    changed: Option<Changed>,
) -> ReplaceInFilesOutput {
    let (files, total) = (found.files(), found.occurrences.len());
    let listed: Vec<Listed> = found.occurrences.into_iter().skip(offset).take(limit).map(listed).collect();
    let PassedOver { binary, too_large, not_utf8, unreadable, unchanged } = found.passed_over;
    ReplaceInFilesOutput {
        dry_run,
        files,
        not_listed: total - listed.len(),
        occurrences: listed,
        total,
        skipped: Skipped { binary, too_large, not_utf8, unreadable, unchanged },
        partial: found.partial,
        applied,
        receipt: changed.as_ref().and_then(Changed::receipt),
        changed,
    }
}

fn listed(one: Occurrence) -> Listed {
    Listed {
        id: one.id,
        file: one.file,
        line: one.at.line,
        column: one.at.column,
        before: one.before,
        after: one.after,
    }
}
