//! `safe_delete_symbol`: deletes a symbol that nobody would miss.

use std::sync::Arc;

use bowline_call::{Answer, CallContext, EditSummary, Effect, Intent, Tool, ToolError};
use bowline_workspace::{Draft, Edit, Extent, Patience, Removal, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::changed::{Changed, Telling, of_file, write};
use crate::drafted::Passing;
use crate::explain::explain;
use crate::patience::{patience, reporter, within};
use crate::symbol_edit::SymbolArgs;

/// So many uses and errors are listed.
const LISTED: usize = 10;
/// A server may have to be started, and a compiler run.
const MOST_MS: i64 = 60_000;
const LOOK: &str = "look at that yourself; apply_edit deletes without asking who uses it";

/// Delete a symbol with its doc comment, if nothing refers to it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SafeDeleteSymbolArgs {
    #[serde(flatten)]
    pub symbol: SymbolArgs,
}

pub struct SafeDeleteSymbol {
    pub workspace: Arc<Workspace>,
}

impl Tool for SafeDeleteSymbol {
    type Args = SafeDeleteSymbolArgs;
    type Output = Changed;
    const NAME: &'static str = "safe_delete_symbol";
    const MOST: Effect = Effect::Write;
    const ANSWERS: &'static [&'static str] = &["applied"];
    const SLOW: bool = true;

    fn intent(&self, args: &SafeDeleteSymbolArgs) -> Intent {
        Intent::write([&args.symbol.file_path])
    }

    async fn run(&self, args: SafeDeleteSymbolArgs, cx: &CallContext) -> Result<Answer<Changed>, ToolError> {
        let report = reporter(cx);
        let patience = within(patience(cx, &report), Some(MOST_MS))?;
        let SymbolArgs { file_path, symbol_path, looking, .. } = args.symbol;
        let passing = Passing::wide(&self.workspace)?;
        let draft = passing.draft();
        // First of all: which symbol is meant, and whether it can be taken out.
        let edit = Edit::Delete { file: file_path.clone(), symbol: symbol_path.clone() };
        self.workspace.edit_draft(draft, edit, &patience).await.map_err(explain)?;
        let named = self.workspace.named_in(&file_path, &symbol_path, &patience).await.map_err(explain)?;
        let named =
            named.first().ok_or_else(|| ToolError::internal("a symbol that was just there is gone"))?;
        let removal = self.workspace.removal(&file_path, named, &patience).await.map_err(explain)?;
        nobody_misses(&symbol_path, &removal)?;
        // Without a server every file was looked through for the name, and nobody could say more.
        if removal.is_served {
            self.breaks_nothing(&symbol_path, draft, &patience).await?;
        }
        let summary = EditSummary { target: Some(symbol_path.clone()), ..of_file(Self::NAME, &file_path) };
        let message = format!(
            "Deleted symbol \"{symbol_path}\" from {}; uses outside the workspace are not known",
            file_path.display()
        );
        let telling = Telling { label: Self::NAME, message, summary, looking };
        write(&self.workspace, draft, telling, cx, &patience).await
    }
}

/// An error unless it is known that nobody uses it.
fn nobody_misses(symbol: &str, removal: &Removal) -> Result<(), ToolError> {
    if removal.total > 0 {
        let place = |place: &bowline_code::Location| format!("{}:{}", place.file.display(), place.line);
        let mut listed: Vec<String> = removal.uses.iter().take(LISTED).map(place).collect();
        if removal.total > listed.len() {
            listed.push(format!("and {} more", removal.total - listed.len()));
        }
        return Err(ToolError::failed(format!(
            "symbol has {} references; cannot safely delete. {}",
            removal.total,
            listed.join(", ")
        ))
        .hint("change those places first; find_references lists them all"));
    }
    match removal.unseen.as_slice() {
        [] => Ok(()),
        unseen => Err(ToolError::failed(format!(
            "no use of `{symbol}` was found, but that nobody uses it cannot be known: {}",
            unseen.join("; ")
        ))
        .hint(LOOK)),
    }
}

impl SafeDeleteSymbol {
    /// What only the compiler knows: a type may need a method that nobody calls. Not to know it is a no.
    async fn breaks_nothing(
        &self,
        symbol: &str,
        draft: &Draft,
        patience: &Patience<'_>,
    ) -> Result<(), ToolError> {
        let evaluation =
            self.workspace.evaluate_draft(draft, Extent::Reached, patience).await.map_err(explain)?;
        let errors: Vec<String> = evaluation
            .errors_introduced()
            .take(LISTED)
            .map(|problem| {
                let line = problem.diagnostic.span.start.line;
                format!("{}:{line}: {}", problem.path.display(), problem.diagnostic.message)
            })
            .collect();
        if !errors.is_empty() {
            let listed = errors.join("; ");
            return Err(ToolError::failed(format!("without `{symbol}` there would be errors: {listed}")));
        }
        if evaluation.is_safe() {
            return Ok(());
        }
        let unproved = evaluation.unproved().map(|(path, why)| format!("{}: {why}", path.display()));
        let why: Vec<String> = evaluation.doubts.iter().cloned().chain(unproved).take(LISTED).collect();
        let message = format!(
            "no use of `{symbol}` was found, but that nothing breaks is not known: {}",
            why.join("; ")
        );
        match evaluation.timed_out {
            true => Err(ToolError::NotReady { message, retry_after_ms: 2000 }),
            false => Err(ToolError::failed(message).hint(LOOK)),
        }
    }
}
