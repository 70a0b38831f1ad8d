//! `get_diagnostics`: errors and warnings, as fresh as the files are.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::{Diagnostic, Severity, Symbol, uri};
use bowline_workspace::{Diagnoses, Evidence, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::explain::explain;
use crate::page::{Page, more};
use crate::patience::{patience, reporter};
use crate::wire::WireSpan;

const USUAL: usize = 200;

/// Fresh errors and warnings of a file, else of all files that servers have open.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetDiagnosticsArgs {
    #[serde(default)]
    pub file_path: Option<PathBuf>,
    /// symbol: by what they stand in; needs `file_path`.
    #[serde(default)]
    pub group_by: Option<GroupBy>,
    #[serde(flatten)]
    pub page: Page,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GroupBy {
    Symbol,
}

/// What is wrong within one symbol.
#[derive(Debug, Serialize)]
struct WireGroup {
    name: String,
    kind: &'static str,
    line: u32,
    diagnostics: Vec<Value>,
}

#[derive(Debug, Serialize)]
struct WireDiagnostic {
    range: WireSpan,
    severity: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    message: String,
}

/// No reader needs more of one message.
const MOST_BYTES: usize = 4 << 10;

pub struct GetDiagnostics {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetDiagnostics {
    type Args = GetDiagnosticsArgs;
    type Output = Map<String, Value>;
    const NAME: &'static str = "get_diagnostics";
    const MOST: Effect = Effect::Read;
    const USUAL_LIMIT: usize = USUAL;

    fn intent(&self, args: &GetDiagnosticsArgs) -> Intent {
        match &args.file_path {
            Some(path) => Intent::read(path),
            None => Intent::read_workspace(),
        }
    }

    async fn run(
        &self,
        args: GetDiagnosticsArgs,
        cx: &CallContext,
    ) -> Result<Answer<Map<String, Value>>, ToolError> {
        let (limit, offset) = args.page.bounds(USUAL)?;
        let report = reporter(cx);
        if args.group_by.is_some() && args.file_path.is_none() {
            return Err(ToolError::bad_arguments("group_by needs `file_path`"));
        }
        let files = match &args.file_path {
            Some(path) => vec![path.clone()],
            None => self.workspace.diagnosed_files().await.map_err(explain)?,
        };
        let found = self.workspace.diagnostics(&files, &patience(cx, &report)).await.map_err(explain)?;
        let evidence = found.evidence();
        if args.group_by == Some(GroupBy::Symbol) {
            return self.by_symbol(found, (limit, offset), cx).await;
        }
        let (mut payload, mut unknown) = (Map::new(), Vec::new());
        let (mut seen, mut shown, mut counts) = (0, 0, Counts::default());
        for file in found.files {
            let diagnostics = match file.known {
                Ok((diagnostics, _)) => diagnostics,
                // One file was asked for: why it is not known is the whole answer.
                Err(error) if args.file_path.is_some() => return Err(explain(error)),
                Err(error) => {
                    unknown.push(format!("`{}`: {error}", file.path.display()));
                    continue;
                }
            };
            counts.add(&diagnostics);
            let is_clean = diagnostics.is_empty();
            let mut listed = Vec::new();
            for diagnostic in diagnostics {
                if seen >= offset && shown < limit {
                    listed.push(wire(diagnostic)?);
                    shown += 1;
                }
                seen += 1;
            }
            // An empty list says that nothing was found; what is on another page was.
            if (is_clean && payload.len() < limit) || !listed.is_empty() {
                payload.insert(uri::of(&file.path), Value::Array(listed));
            }
        }
        let hint = hint(evidence, &counts, &unknown, files.len(), more(shown, offset, seen));
        // Every key of the payload is a file: how sure it is can only be told beside it.
        Ok(Answer::new(payload).hint(hint))
    }
}

impl GetDiagnostics {
    /// The diagnostics of one file by the innermost symbol that they stand in.
    async fn by_symbol(
        &self,
        found: Diagnoses,
        (limit, offset): (usize, usize),
        cx: &CallContext,
    ) -> Result<Answer<Map<String, Value>>, ToolError> {
        let evidence = found.evidence();
        let Some(file) = found.files.into_iter().next() else {
            return Err(ToolError::internal("no file was looked at"));
        };
        let (diagnostics, _) = file.known.map_err(explain)?;
        let report = reporter(cx);
        let outline = self.workspace.outline(&file.path, &patience(cx, &report)).await.map_err(explain)?;
        let mut counts = Counts::default();
        counts.add(&diagnostics);
        let total = diagnostics.len();
        let (mut groups, mut ungrouped): (Vec<WireGroup>, Vec<Value>) = (Vec::new(), Vec::new());
        for diagnostic in diagnostics.into_iter().skip(offset).take(limit) {
            let around = Symbol::innermost(&outline.value.symbols, diagnostic.span.start);
            let wire = wire(diagnostic)?;
            let Some((symbol, names)) = around else {
                ungrouped.push(wire);
                continue;
            };
            let (name, line) = (names.join("."), symbol.selection.start.line);
            match groups.iter_mut().find(|group| group.name == name && group.line == line) {
                Some(group) => group.diagnostics.push(wire),
                None => {
                    groups.push(WireGroup { name, kind: symbol.kind.name(), line, diagnostics: vec![wire] });
                }
            }
        }
        let shown = total.saturating_sub(offset).min(limit);
        let mut payload = Map::new();
        payload.insert("file".into(), serde_json::to_value(&file.path).unwrap_or_default());
        let groups = serde_json::to_value(groups).map_err(|error| ToolError::internal(error.to_string()))?;
        payload.insert("symbols".into(), groups);
        payload.insert("ungrouped".into(), Value::Array(ungrouped));
        Ok(Answer::new(payload).hint(hint(evidence, &counts, &[], 1, more(shown, offset, total))))
    }
}

#[derive(Default)]
struct Counts {
    errors: usize,
    warnings: usize,
    others: usize,
}

impl Counts {
    fn add(&mut self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Information | Severity::Hint => self.others += 1,
            }
        }
    }
}

fn hint(
    evidence: Option<Evidence>,
    counts: &Counts,
    unknown: &[String],
    asked: usize,
    more: Option<String>,
) -> String {
    let Counts { errors, warnings, others } = counts;
    let mut said = vec![match evidence {
        _ if asked == 0 => "no file is open at a language server yet; name one with `file_path`".to_owned(),
        None => "not every file could be checked; those that are not listed may have problems".to_owned(),
        Some(Evidence::Quiet) => {
            format!(
                "{errors} errors, {warnings} warnings, {others} other; the server gives no proof that this is all"
            )
        }
        Some(evidence) => {
            format!("{errors} errors, {warnings} warnings, {others} other (evidence: {})", evidence.as_str())
        }
    }];
    said.extend(more);
    said.extend(unknown.iter().take(5).cloned());
    if unknown.len() > 5 {
        said.push(format!("and {} more files", unknown.len() - 5));
    }
    said.join("\n")
}

fn wire(diagnostic: Diagnostic) -> Result<Value, ToolError> {
    let wire = WireDiagnostic {
        range: diagnostic.span.into(),
        severity: diagnostic.severity.number(),
        code: diagnostic.code,
        source: diagnostic.source,
        message: bowline_std::text::cut(&diagnostic.message, MOST_BYTES),
    };
    serde_json::to_value(wire).map_err(|error| ToolError::internal(error.to_string()))
}
