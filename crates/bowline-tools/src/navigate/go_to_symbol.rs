//! `go_to_symbol`: where a symbol is defined, by its path of names.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_code::Location;
use bowline_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::answered::answered;
use crate::explain::explain;
use crate::patience::{patience, reporter};

const MOST_DEFINITIONS: usize = 100;

/// Where a symbol is defined, by name: `Type.method`, `pkg.Func`.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GoToSymbolArgs {
    pub symbol_path: String,
    #[serde(default)]
    pub workspace_root: Option<PathBuf>,
    #[serde(default)]
    pub language: Option<String>,
}

pub struct GoToSymbol {
    pub workspace: Arc<Workspace>,
}

impl Tool for GoToSymbol {
    type Args = GoToSymbolArgs;
    type Output = Vec<Location>;
    const NAME: &'static str = "go_to_symbol";
    const MOST: Effect = Effect::Read;

    fn intent(&self, args: &GoToSymbolArgs) -> Intent {
        match &args.workspace_root {
            Some(root) => Intent::read(root),
            None => Intent::read_workspace(),
        }
    }

    async fn run(&self, args: GoToSymbolArgs, cx: &CallContext) -> Result<Answer<Vec<Location>>, ToolError> {
        let report = reporter(cx);
        let patience = patience(cx, &report);
        let within = match &args.workspace_root {
            Some(root) => Some(self.workspace.resolve(root).map_err(explain)?),
            None => None,
        };
        let found = self
            .workspace
            .go_to_symbol(&args.symbol_path, args.language.as_deref(), &patience)
            .await
            .map_err(explain)?;
        let mut places: Vec<Location> = found
            .value
            .iter()
            .map(|definition| definition.location.clone())
            .filter(|place| within.as_ref().is_none_or(|root| place.file.starts_with(root)))
            .collect();
        let total = places.len();
        places.truncate(MOST_DEFINITIONS);
        let hint = match total {
            0 => format!(
                "no symbols found for symbol_path: {}; find_symbol finds similar names",
                args.symbol_path
            ),
            _ if total > MOST_DEFINITIONS => {
                format!("and {} more; a longer symbol_path names fewer", total - MOST_DEFINITIONS)
            }
            _ => "get_symbol_source shows its code, find_references its uses".to_owned(),
        };
        Ok(answered(&found, places, Some(hint)))
    }
}
