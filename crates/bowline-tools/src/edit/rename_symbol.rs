//! `rename_symbol`: renames a symbol everywhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bowline_call::{
    Answer, CallContext, EditSummary, Effect, Intent, Receipt, Target, Targets, Tool, ToolError,
};
use bowline_code::{Position, uri};
use bowline_workspace::{
    Edit, FileGlobs, Patience, Proposal, Proposed, Served, ToRename, Workspace, WorkspaceError,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::changed::{Changed, Looking, Telling, write};
use crate::drafted::Passing;
use crate::explain::explain;
use crate::patience::{patience, reporter, within};
use crate::place::Place;

/// So many files are listed.
const MOST_LISTED: usize = 100;
/// So many are named in the sentence.
const MOST_NAMED: usize = 10;

/// Rename a symbol in all files. `dry_run` shows what would be touched.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RenameSymbolArgs {
    #[serde(flatten)]
    pub at: Place,
    pub new_name: String,
    #[serde(default)]
    pub dry_run: bool,
    /// Files that keep the old name, as `**/generated/**`.
    #[serde(default)]
    pub exclude_globs: Vec<String>,
    #[serde(flatten)]
    pub looking: Looking,
}

/// What came of it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Renamed {
    /// Why there is nothing to rename.
    Nothing(String),
    Preview(Value),
    Done(Changed),
}

pub struct RenameSymbol {
    pub workspace: Arc<Workspace>,
}

impl Tool for RenameSymbol {
    type Args = RenameSymbolArgs;
    type Output = Renamed;
    const NAME: &'static str = "rename_symbol";
    const MOST: Effect = Effect::Write;
    const LEAST: Effect = Effect::Draft;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &RenameSymbolArgs) -> Intent {
        match args.dry_run {
            true => Intent::new(Effect::Draft, [Target::Path(args.at.file().to_owned())]),
            // Which files it touches is known only when the server has said it; the gate looks again then.
            false => Intent { effect: Effect::Write, targets: Targets::Unknown },
        }
    }

    async fn run(&self, args: RenameSymbolArgs, cx: &CallContext) -> Result<Answer<Renamed>, ToolError> {
        let report = reporter(cx);
        let patience = within(patience(cx, &report), None)?;
        let new_name = args.new_name.trim().to_owned();
        if new_name.is_empty() {
            return Err(ToolError::bad_arguments("new_name is empty"));
        }
        let excluded = Excluded::new(&args.exclude_globs, &self.workspace)?;
        let at = args.at.position(&self.workspace, None, &patience).await?;
        let file = self.workspace.resolve(args.at.file()).map_err(explain)?;
        let passing = Passing::wide(&self.workspace)?;
        let proposal =
            Proposal::Rename { file: file.clone(), what: ToRename::At(at), new_name: new_name.clone() };
        let served = self.ask(&passing, proposal, &patience).await?;
        let (served, left) = excluded.taken_out(served);
        let touched = touched(&served.edit);
        if touched.is_empty() {
            let words = format!(
                "No rename edits produced for the symbol at {}:{}:{} ({})",
                file.display(),
                at.line,
                at.column,
                if left.is_empty() { "the server proposes none" } else { "every file is excluded" }
            );
            return Ok(
                Answer::new(Renamed::Nothing(words)).hint("prepare_rename says whether it can be renamed")
            );
        }
        let clashes =
            self.workspace.clashes(places(&served.edit), &new_name, &patience).await.map_err(explain)?;
        if let Some(at) = clashes.declared {
            return Err(ToolError::bad_arguments(format!(
                "`{new_name}` is declared already at {}:{}; nothing was written",
                at.file.display(),
                at.line
            )));
        }
        let edit = Edit::ByServer(served.clone());
        self.workspace.edit_draft(passing.draft(), edit, &patience).await.map_err(explain)?;
        self.workspace.check_readable(passing.draft(), &patience).await.map_err(explain)?;
        let summary = EditSummary {
            mode: "rename".to_owned(),
            file_path: Some(file.clone()),
            new_name: Some(new_name.clone()),
            apply: Some(!args.dry_run),
            ..EditSummary::default()
        };
        let paths: Vec<PathBuf> = touched.iter().map(|touched| touched.path.clone()).collect();
        let mut notes = Vec::new();
        if !left.is_empty() {
            let names = names(&left).join(", ");
            notes.push(format!("{} file(s) keep the old name by exclude_globs: {names}", left.len()));
        }
        notes.extend(excluded.idle(&left));
        if !clashes.written.is_empty() {
            let listed =
                clashes.written.iter().take(5).map(|at| format!("{}:{}", at.file.display(), at.line));
            let listed = listed.collect::<Vec<_>>().join(", ");
            let count = clashes.written.len();
            notes.push(format!(
                "`{new_name}` is written already at {count} place(s) of these files, and may mean another thing now: {listed}"
            ));
        }
        notes.extend(self.also_written(&file, at, &[paths.clone(), left].concat(), &patience).await?);
        if args.dry_run {
            let payload = preview(&served.edit, &touched, &notes);
            let receipt = Receipt { summary: Some(summary), ..Receipt::default() };
            let hint = "nothing has been changed; without dry_run the same edit is made";
            return Ok(Answer::new(Renamed::Preview(payload)).hint(hint).receipt(receipt));
        }
        let (files, locations) =
            (touched.len(), touched.iter().map(|touched| touched.locations).sum::<usize>());
        let listed = names(&paths).join(", ");
        let mut message =
            format!("Renamed to \"{new_name}\" across {locations} location(s) in {files} file(s): {listed}");
        for note in notes {
            message.push_str(&format!("; {note}"));
        }
        let telling = Telling { label: Self::NAME, message, summary, looking: args.looking };
        let answer = write(&self.workspace, passing.draft(), telling, cx, &patience).await?;
        Ok(answer.map(Renamed::Done))
    }
}

impl RenameSymbol {
    /// Where the server leaves the name as it is: it may mean something else there, or be unknown to the server.
    async fn also_written(
        &self,
        file: &Path,
        at: Position,
        besides: &[PathBuf],
        patience: &Patience<'_>,
    ) -> Result<Option<String>, ToolError> {
        let places = match self.workspace.also_written(file, at, besides, patience).await {
            Ok(places) => places,
            Err(WorkspaceError::Cancelled) => return Err(ToolError::Cancelled),
            // Syntax does not know it, and so cannot say.
            Err(_) => return Ok(None),
        };
        let listed = places.iter().take(5).map(|place| format!("{}:{}", place.file.display(), place.line));
        let listed = listed.collect::<Vec<_>>().join(", ");
        let note = || format!("the same name is left as it is at {} other place(s): {listed}", places.len());
        Ok((!places.is_empty()).then(note))
    }

    async fn ask(
        &self,
        passing: &Passing<'_>,
        proposal: Proposal,
        patience: &Patience<'_>,
    ) -> Result<Served, ToolError> {
        match self.workspace.proposed(passing.draft(), proposal, patience).await.map_err(explain)? {
            Proposed::Edit(served) => Ok(served),
            Proposed::Command { .. } => Err(ToolError::internal("a rename that is a command")),
        }
    }
}

/// One file of the edit.
struct Touched {
    path: PathBuf,
    locations: usize,
    /// `create`, `rename`, `delete`, where the file itself is changed.
    kind: Option<String>,
}

fn touched(edit: &Value) -> Vec<Touched> {
    let mut found: Vec<Touched> = Vec::new();
    let mut add = |uri: &str, locations: usize, kind: Option<&str>| {
        let Some(path) = uri::to_path(uri) else { return };
        match found.iter_mut().find(|touched| touched.path == path) {
            Some(touched) => touched.locations += locations,
            None => found.push(Touched { path, locations, kind: kind.map(str::to_owned) }),
        }
    };
    let count = |edits: &Value| edits.as_array().map_or(0, Vec::len);
    match edit["documentChanges"].as_array() {
        Some(changes) => {
            for change in changes {
                let uri = |key: &str| change[key].as_str().unwrap_or_default();
                match change["kind"].as_str() {
                    None => {
                        add(
                            change["textDocument"]["uri"].as_str().unwrap_or_default(),
                            count(&change["edits"]),
                            None,
                        );
                    }
                    Some("rename") => add(uri("oldUri"), 0, Some("rename")),
                    kind => add(uri("uri"), 0, kind),
                }
            }
        }
        None => {
            for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
                add(uri, count(edits), None);
            }
        }
    }
    found.retain(|touched| touched.locations > 0 || touched.kind.is_some());
    found.sort_by(|left, right| left.path.cmp(&right.path));
    found
}

/// Where the edit changes the texts of files, by file.
fn places(edit: &Value) -> Vec<(PathBuf, Vec<Position>)> {
    let listed = edit["documentChanges"].as_array().into_iter().flatten();
    let listed =
        listed.filter_map(|change| Some((change["textDocument"]["uri"].as_str()?, &change["edits"])));
    let mapped = edit["changes"].as_object().filter(|_| !edit["documentChanges"].is_array());
    let mapped = mapped.into_iter().flatten().map(|(uri, edits)| (uri.as_str(), edits));
    let place = |edit: &Value| {
        let number = |key: &str| u32::try_from(edit["range"]["start"][key].as_u64()?).ok()?.checked_add(1);
        Some(Position::new(number("line")?, number("character")?))
    };
    let of_file = |(uri, edits): (&str, &Value)| {
        Some((uri::to_path(uri)?, edits.as_array()?.iter().filter_map(place).collect()))
    };
    listed.chain(mapped).filter_map(of_file).collect()
}

fn preview(edit: &Value, touched: &[Touched], notes: &[String]) -> Value {
    let paths: Vec<PathBuf> = touched.iter().map(|touched| touched.path.clone()).collect();
    let listed: Vec<Value> = touched
        .iter()
        .take(MOST_LISTED)
        .map(|touched| match &touched.kind {
            Some(kind) => json!({"file": touched.path, "locations": touched.locations, "kind": kind}),
            None => json!({"file": touched.path, "locations": touched.locations}),
        })
        .collect();
    json!({
        "workspace_edit": edit,
        "preview": {
            "files": touched.len(),
            "locations": touched.iter().map(|touched| touched.locations).sum::<usize>(),
            "file_names": names(&paths),
            "touched": listed,
            "note": match notes {
                [] => "nothing was written; call again without dry_run to rename".to_owned(),
                notes => notes.join("; "),
            },
        },
    })
}

/// The names of files for a sentence.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut names: Vec<String> = paths.iter().take(MOST_NAMED).map(name).collect();
    if paths.len() > MOST_NAMED {
        names.push(format!("and {} more", paths.len() - MOST_NAMED));
    }
    names
}

/// Files that are left out of a rename.
struct Excluded {
    globs: FileGlobs,
    roots: Vec<PathBuf>,
}

impl Excluded {
    fn new(globs: &[String], workspace: &Workspace) -> Result<Self, ToolError> {
        let globs = FileGlobs::new(globs);
        let globs = globs.map_err(|error| ToolError::bad_arguments(format!("exclude_globs: {error}")))?;
        Ok(Self { globs, roots: workspace.roots().to_vec() })
    }

    /// Globs that match no file of the rename: who wrote them meant something.
    fn idle(&self, left: &[PathBuf]) -> Option<String> {
        let idle: Vec<String> = self.globs.idle(&self.roots, left).map(|glob| format!("`{glob}`")).collect();
        (!idle.is_empty()).then(|| format!("{} excluded nothing", idle.join(", ")))
    }

    /// The edit without what is left out, and which files those are.
    fn taken_out(&self, mut served: Served) -> (Served, Vec<PathBuf>) {
        let mut left = Vec::new();
        if self.globs.is_empty() {
            return (served, left);
        }
        let mut keeps = |uri: Option<&str>| match uri.and_then(uri::to_path) {
            Some(path) if self.globs.hold(&self.roots, &path) => {
                left.push(path);
                false
            }
            _ => true,
        };
        if let Some(changes) = served.edit.get_mut("changes").and_then(Value::as_object_mut) {
            changes.retain(|uri, _| keeps(Some(uri)));
        }
        if let Some(changes) = served.edit.get_mut("documentChanges").and_then(Value::as_array_mut) {
            changes.retain(|change| {
                let named = [&change["textDocument"]["uri"], &change["uri"], &change["oldUri"]];
                keeps(named.into_iter().find_map(Value::as_str))
            });
        }
        left.sort_unstable();
        left.dedup();
        (served, left)
    }
}
