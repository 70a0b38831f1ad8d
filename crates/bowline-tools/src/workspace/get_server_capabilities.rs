//! `get_server_capabilities`: what the language servers of the workspace can do.

use std::path::PathBuf;
use std::sync::Arc;

use bowline_call::{Answer, CallContext, Effect, Intent, Tool, ToolError};
use bowline_workspace::{Offer, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::explain::explain;
use crate::patience::{patience, reporter};
use crate::{SkillLister, SkillNeeds};

/// No more are told.
const MOST_SKILLS: usize = 200;

/// What each language server can do, and which tools that supports.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct GetServerCapabilitiesArgs {}

/// What answers without asking a server, or by syntax where there is none.
const ALWAYS: &[&str] = &[
    "apply_edit",
    "blast_radius",
    "callers",
    "close_document",
    "commit_session",
    "create_simulation_session",
    "destroy_session",
    "detect_changes",
    "detect_lsp_servers",
    "did_change_watched_files",
    "discard_session",
    "evaluate_session",
    "explore",
    "explore_symbol",
    "export_cache",
    "find_callers",
    "find_references",
    "find_symbol",
    "get_cross_repo_references",
    "get_diagnostics",
    "get_document_highlights",
    "get_editing_context",
    "get_symbol_documentation",
    "get_symbol_source",
    "get_tests_for_file",
    "go_to_declaration",
    "go_to_definition",
    "go_to_symbol",
    "import_cache",
    "insert_after_symbol",
    "insert_before_symbol",
    "list_symbols",
    "list_workspace_folders",
    "open_document",
    "preview_edit",
    "replace_in_files",
    "replace_symbol_body",
    "restart_lsp_server",
    "run_build",
    "run_tests",
    "safe_apply_edit",
    "safe_delete_symbol",
    "safe_edit",
    "set_log_level",
    "simulate_chain",
    "simulate_edit",
    "start_lsp",
    "undo_write",
];

/// What each other tool asks a server for.
const NEEDS: &[(&str, &str)] = &[
    ("execute_command", "workspace/executeCommand"),
    ("format_document", "textDocument/formatting"),
    ("format_range", "textDocument/rangeFormatting"),
    ("get_completions", "textDocument/completion"),
    ("get_inlay_hints", "textDocument/inlayHint"),
    ("get_semantic_tokens", "textDocument/semanticTokens"),
    ("get_signature_help", "textDocument/signatureHelp"),
    ("go_to_implementation", "textDocument/implementation"),
    ("go_to_type_definition", "textDocument/typeDefinition"),
    ("inspect_symbol", "textDocument/hover"),
    ("prepare_rename", "textDocument/rename"),
    ("rename_symbol", "textDocument/rename"),
    ("suggest_fixes", "textDocument/codeAction"),
    ("type_hierarchy", "textDocument/prepareTypeHierarchy"),
];

const METHODS: [&str; 14] = [
    "textDocument/codeAction",
    "textDocument/completion",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/implementation",
    "textDocument/inlayHint",
    "textDocument/prepareTypeHierarchy",
    "textDocument/rangeFormatting",
    "textDocument/rename",
    "textDocument/semanticTokens",
    "textDocument/signatureHelp",
    "textDocument/typeDefinition",
    "workspace/executeCommand",
    "workspace/symbol",
];

#[derive(Debug, Serialize)]
pub struct GetServerCapabilitiesOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    server_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_version: Option<String>,
    /// By any server, or without one.
    supported_tools: Vec<&'static str>,
    /// By none.
    unsupported_tools: Vec<&'static str>,
    skills: Vec<WireSkill>,
    /// Of the first server, as it sent them.
    capabilities: Value,
    servers: Vec<WireServer>,
}

#[derive(Debug, Serialize)]
struct WireServer {
    server_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_version: Option<String>,
    root: PathBuf,
    languages: Vec<String>,
    unsupported_tools: Vec<&'static str>,
    /// Left out for the first, whose stand above.
    #[serde(skip_serializing_if = "Option::is_none")]
    capabilities: Option<Value>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct WireSkill {
    name: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_required: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing_optional: Vec<String>,
}

impl WireSkill {
    /// What becomes of a skill with what the servers can do.
    fn new(needs: SkillNeeds, can: impl Fn(&str) -> bool) -> Self {
        let missing = |names: Vec<String>| names.into_iter().filter(|name| !can(name)).collect::<Vec<_>>();
        let (missing_required, missing_optional) = (missing(needs.required), missing(needs.optional));
        let status = match (missing_required.is_empty(), missing_optional.is_empty()) {
            (true, true) => "supported",
            (true, false) => "partial",
            (false, _) => "unsupported",
        };
        Self { name: needs.name, status, missing_required, missing_optional }
    }
}

pub struct GetServerCapabilities {
    pub workspace: Arc<Workspace>,
    pub skills: Option<SkillLister>,
}

impl GetServerCapabilities {
    /// Each skill with what the servers can do, any of them.
    async fn skills(&self, offers: &[Offer]) -> Vec<WireSkill> {
        let Some(list) = &self.skills else { return Vec::new() };
        let can = |name: &str| {
            let has = |offer: &Offer| {
                offer
                    .capabilities
                    .get(name)
                    .is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
            };
            offers.iter().any(has)
        };
        list().await.into_iter().take(MOST_SKILLS).map(|needs| WireSkill::new(needs, can)).collect()
    }
}

impl Tool for GetServerCapabilities {
    type Args = GetServerCapabilitiesArgs;
    type Output = GetServerCapabilitiesOutput;
    const NAME: &'static str = "get_server_capabilities";
    const MOST: Effect = Effect::Read;

    fn intent(&self, _args: &GetServerCapabilitiesArgs) -> Intent {
        Intent::read_workspace()
    }

    async fn run(
        &self,
        args: GetServerCapabilitiesArgs,
        cx: &CallContext,
    ) -> Result<Answer<GetServerCapabilitiesOutput>, ToolError> {
        let GetServerCapabilitiesArgs {} = args;
        let report = reporter(cx);
        let (offers, notes) =
            self.workspace.offers(&METHODS, &patience(cx, &report)).await.map_err(explain)?;
        let first = offers.first();
        let by_any = |method: &str| offers.iter().any(|offer| offer.methods.contains(&method));
        let mut supported: Vec<&'static str> = ALWAYS.to_vec();
        supported.extend(NEEDS.iter().filter(|(_, method)| by_any(method)).map(|(tool, _)| *tool));
        supported.sort_unstable();
        let lacking = |has: &dyn Fn(&str) -> bool| -> Vec<&'static str> {
            NEEDS.iter().filter(|(_, method)| !has(method)).map(|(tool, _)| *tool).collect()
        };
        let server = |(index, offer): (usize, &Offer)| WireServer {
            server_name: offer.name.clone().unwrap_or_else(|| offer.server.clone()),
            server_version: offer.version.clone(),
            root: offer.root.clone(),
            languages: offer.languages.clone(),
            unsupported_tools: lacking(&|method| offer.methods.contains(&method)),
            capabilities: (index > 0).then(|| offer.capabilities.clone()),
        };
        let output = GetServerCapabilitiesOutput {
            server_name: first.map(|offer| offer.name.clone().unwrap_or_else(|| offer.server.clone())),
            server_version: first.and_then(|offer| offer.version.clone()),
            supported_tools: supported,
            unsupported_tools: lacking(&by_any),
            skills: self.skills(&offers).await,
            capabilities: first
                .map_or_else(|| Value::Object(serde_json::Map::new()), |offer| offer.capabilities.clone()),
            servers: offers.iter().enumerate().map(server).collect(),
        };
        let hint = match (offers.len(), notes.as_slice()) {
            (0, []) => "no language server is installed for this workspace; syntax answers".to_owned(),
            (_, []) => "tools that are not supported answer by syntax where that is possible".to_owned(),
            (_, notes) => notes.join("\n"),
        };
        Ok(Answer::new(output).hint(hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_what_the_servers_make_of_it() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let status = |required: &str, optional: &str| {
            let needs = SkillNeeds { name: "x".into(), required: words(required), optional: words(optional) };
            let skill = WireSkill::new(needs, |name| name == "hoverProvider");
            (skill.status, skill.missing_required.join(" "), skill.missing_optional.join(" "))
        };
        assert_eq!(status("", ""), ("supported", String::new(), String::new()));
        assert_eq!(status("hoverProvider", "a b"), ("partial", String::new(), "a b".into()));
        assert_eq!(status("hoverProvider a", "b"), ("unsupported", "a".into(), "b".into()));
    }
}
