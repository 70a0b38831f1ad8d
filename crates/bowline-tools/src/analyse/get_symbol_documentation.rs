//! `get_symbol_documentation`: what a language's own tools say about a symbol.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Target, Tool, ToolError};
use bowline_workspace::{Documentation, DocumentationError, DocumentedLanguage, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explain::explain;
use crate::patience::{patience, reporter};

/// A symbol's documentation by go doc, pydoc, or rustdoc (which builds the project).
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetSymbolDocumentationArgs {
    /// As in code: `Name`, `Type.method`, `std::vec::Vec`, `encoding/json.Decoder`.
    pub symbol: String,
    /// go, python or rust.
    pub language_id: String,
    /// A file of the package or module that is meant.
    #[serde(default)]
    pub file_path: Option<PathBuf>,
    #[serde(default)]
    pub format: Format,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Plain,
    Markdown,
}

/// Always an object, also where there is no documentation: `source` says which.
#[derive(Debug, Serialize)]
pub struct GetSymbolDocumentationOutput {
    symbol: String,
    language: String,
    source: &'static str,
    doc: String,
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub struct GetSymbolDocumentation {
    pub workspace: Arc<Workspace>,
}

impl Tool for GetSymbolDocumentation {
    type Args = GetSymbolDocumentationArgs;
    type Output = GetSymbolDocumentationOutput;
    const NAME: &'static str = "get_symbol_documentation";
    const MOST: Effect = Effect::Run;
    const LEAST: Effect = Effect::Read;
    /// rustdoc builds.
    const SLOW: bool = true;

    fn intent(&self, args: &GetSymbolDocumentationArgs) -> Intent {
        let path = args.file_path.iter().cloned().map(Target::Path);
        match DocumentedLanguage::from_id(&args.language_id) {
            Some(language) if language.runs_the_project(&args.symbol) => {
                let command = Target::Command(language.command(&args.symbol));
                Intent::new(Effect::Run, path.chain([command]))
            }
            // The others only read.
            Some(_) | None => Intent::new(Effect::Read, path),
        }
    }

    async fn run(
        &self,
        args: GetSymbolDocumentationArgs,
        cx: &CallContext,
    ) -> Result<Answer<GetSymbolDocumentationOutput>, ToolError> {
        let Some(language) = DocumentedLanguage::from_id(&args.language_id) else {
            let said = unsupported(&args.language_id);
            return Ok(Answer::new(GetSymbolDocumentationOutput::without(args, said))
                .hint("inspect_symbol shows what the language server knows"));
        };
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let found =
            self.workspace.documentation(&args.symbol, language, args.file_path.as_deref(), &patience).await;
        match found {
            Ok(found) => Ok(Answer::new(GetSymbolDocumentationOutput::with(args, language, found))
                .hint("get_symbol_source shows the code itself")),
            Err(error) => {
                let said = told(error)?;
                Ok(Answer::new(GetSymbolDocumentationOutput::without(args, said))
                    .hint("inspect_symbol shows what the language server knows"))
            }
        }
    }
}

impl GetSymbolDocumentationOutput {
    fn with(args: GetSymbolDocumentationArgs, language: DocumentedLanguage, found: Documentation) -> Self {
        let Documentation { signature, text } = found;
        let head = match args.format {
            Format::Markdown if !signature.is_empty() => {
                let fence = fence(&signature);
                format!("{fence}{}\n{signature}\n{fence}", language.id())
            }
            Format::Markdown | Format::Plain => signature.clone(),
        };
        let doc = [head, text].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n");
        let (symbol, language) = (args.symbol, args.language_id);
        Self { symbol, language, source: "toolchain", doc, signature, error: None }
    }

    fn without(args: GetSymbolDocumentationArgs, said: String) -> Self {
        let (symbol, language) = (args.symbol, args.language_id);
        let (doc, signature) = (String::new(), String::new());
        Self { symbol, language, source: "error", doc, signature, error: Some(said) }
    }
}

/// One that the text itself does not hold.
fn fence(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    fence
}

/// That there is no documentation is an answer; that the question was wrong, or nobody waits for it, is not.
fn told(error: DocumentationError) -> Result<String, ToolError> {
    match error {
        DocumentationError::BadSymbol { .. } => Err(ToolError::bad_arguments(error.to_string())),
        DocumentationError::Workspace(WorkspaceError::Program(program)) => Ok(program.to_string()),
        DocumentationError::Workspace(error) => Err(explain(error)),
        error => Ok(error.to_string()),
    }
}

fn unsupported(language: &str) -> String {
    let language = bowline_std::text::cut(language, 50);
    let instead = match language.as_str() {
        "typescript" | "typescriptreact" | "javascript" | "javascriptreact" => {
            "its documentation is in the source: inspect_symbol shows it (the language server's hover)"
        }
        _ => {
            "inspect_symbol shows what the language server knows, get_symbol_source the source with its comments"
        }
    };
    format!("no toolchain documentation for `{language}`; {instead}")
}
