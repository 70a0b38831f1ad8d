//! The programs that are asked over MCP, and the calls by which each answers a question.
//!
//! All of them are given the same language server. bowline and agent-lsp have the same tools, and get the same arguments.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::questions::{Kind, Question};
use crate::bench::repositories::{Language, Repository};
use crate::home::Home;
use crate::mcp::Mcp;
use crate::{install, tools};

/// For a server to start.
const START: Duration = Duration::from_secs(300);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProductName {
    Bowline,
    AgentLsp,
    Serena,
}

pub(super) struct Product {
    name: ProductName,
    program: PathBuf,
}

pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) arguments: Value,
}

impl Product {
    /// bowline first.
    pub(super) fn all(ours: &Path) -> Result<Vec<Self>> {
        Ok(vec![
            Self { name: ProductName::Bowline, program: ours.to_owned() },
            Self { name: ProductName::AgentLsp, program: install::tool(&tools::AGENT_LSP)? },
            Self { name: ProductName::Serena, program: install::tool(&tools::SERENA)? },
        ])
    }

    pub(super) fn name(&self) -> &'static str {
        match self.name {
            ProductName::Bowline => "bowline",
            ProductName::AgentLsp => "agent-lsp",
            ProductName::Serena => "serena",
        }
    }

    /// Starts it on a repository, with its settings in the given home.
    pub(super) fn start(&self, repository: &Repository, home: &Home, root: &Path) -> Result<Mcp> {
        match self.name {
            ProductName::Bowline => repository.through(&self.program, home, root),
            ProductName::AgentLsp => self.start_agent_lsp(repository, home, root),
            ProductName::Serena => self.start_serena(repository, home, root),
        }
    }

    /// It answers in its own format, which is the short one.
    fn start_agent_lsp(&self, repository: &Repository, home: &Home, root: &Path) -> Result<Mcp> {
        let (language, program) = (repository.language, repository.program()?);
        let server: Vec<&str> =
            std::iter::once(program.as_str()).chain(language.arguments().iter().copied()).collect();
        let mut command = home.command(&self.program, root);
        let mut mcp = Mcp::start(command.arg(format!("{}:{}", language.name(), server.join(","))))?;
        // Without it no server is there. The language is left out: with it a daemon would be started.
        let arguments = json!({ "root_dir": root, "ready_timeout_seconds": 120 });
        let started = mcp.call("start_lsp", &arguments, START)?.context("`start_lsp` did not answer")?;
        ensure!(!started.answer.is_error, "start_lsp: {}", started.answer.text());
        Ok(mcp)
    }

    fn start_serena(&self, repository: &Repository, home: &Home, root: &Path) -> Result<Mcp> {
        let language = serena_language(repository.language);
        let settings = json!({
            "web_dashboard": false, "gui_log_window": false, "projects": [],
            // It would download another one. gopls it takes from the `PATH`, whatever is said here.
            "ls_specific_settings": { language: { "ls_path": repository.program()? } },
            // A project that is not trusted may not have a TypeScript that serena did not install itself.
            "trusted_project_path_patterns": ["**"],
        });
        let project = json!({ "project_name": repository.short(), "language_servers": [language] });
        // Its settings are YAML, and so is JSON.
        for (folder, name, settings) in
            [(home.path()?, "serena_config.yml", settings), (root.to_owned(), "project.yml", project)]
        {
            let folder = folder.join(".serena");
            std::fs::create_dir_all(&folder)?;
            std::fs::write(folder.join(name), settings.to_string())?;
        }
        let mut command = home.command(&self.program, root);
        // Otherwise it tells its authors of every start.
        command.env("SERENA_USAGE_REPORTING", "false");
        command.args(["start-mcp-server", "--agent-interface", "tools", "--context", "claude-code"]);
        Mcp::start(command.arg("--project").arg(root))
    }

    /// The calls that answer a question.
    pub(super) fn calls(&self, question: &Question, root: &Path) -> Result<Vec<Call>> {
        match self.name {
            ProductName::Bowline | ProductName::AgentLsp => by_position(self.name, question, root),
            ProductName::Serena => Ok(by_name(question)),
        }
    }
}

/// The calls of bowline and of agent-lsp. Where an answer of agent-lsp has names and no places, or the tool is not there, it is
/// asked for the rest with another one.
fn by_position(name: ProductName, question: &Question, root: &Path) -> Result<Vec<Call>> {
    let tools: &[&'static str] = match (question.kind, name) {
        (Kind::Outline, _) => &["list_symbols"],
        (Kind::Definition, _) => &["go_to_symbol"],
        (Kind::Signature, _) => &["inspect_symbol"],
        (Kind::Source, _) => &["get_symbol_source"],
        (Kind::References, _) => &["find_references"],
        (Kind::Callers, ProductName::AgentLsp) => &["callers", "find_references"],
        (Kind::Callers, _) => &["callers"],
        (Kind::Explore, ProductName::AgentLsp) => &["explore", "get_symbol_source", "find_references"],
        (Kind::Explore, _) => &["explore"],
        (Kind::Impact, _) => &["blast_radius"],
        (Kind::Context, ProductName::AgentLsp) => &["list_symbols", "blast_radius"],
        (Kind::Context, _) => &["get_editing_context"],
    };
    let file = root.join(question.file);
    let call = |tool: &&'static str| -> Result<Call> {
        let arguments = match *tool {
            "list_symbols" => json!({ "file_path": file, "format": "outline" }),
            "get_editing_context" => json!({ "file_path": file }),
            "go_to_symbol" => json!({ "symbol_path": question.symbol }),
            "blast_radius" => json!({ "changed_files": [file] }),
            _ => {
                let (line, column) = question.position(root)?;
                json!({ "file_path": file, "line": line, "column": column })
            }
        };
        Ok(Call { tool, arguments })
    };
    tools.iter().map(call).collect()
}

/// The calls of serena, which knows symbols by their names. It has no tool that tells of a whole file who uses it: each of
/// its names is asked for by itself, as the search does it.
fn by_name(question: &Question) -> Vec<Call> {
    // What stands before a method is written in another way in each language, and the file is known.
    let name = question.symbol.rsplit('.').next().unwrap_or(question.symbol);
    let find = |key: &str| {
        let arguments = json!({ "name_path_pattern": name, "relative_path": question.file, key: true });
        Call { tool: "find_symbol", arguments }
    };
    let uses = |name: &str| {
        let arguments = json!({ "name_path": name, "relative_path": question.file });
        Call { tool: "find_referencing_symbols", arguments }
    };
    let overview = |depth: u64| {
        let arguments = json!({ "relative_path": question.file, "depth": depth });
        Call { tool: "get_symbols_overview", arguments }
    };
    match question.kind {
        Kind::Outline => vec![overview(1)],
        Kind::Definition => {
            vec![Call { tool: "find_symbol", arguments: json!({ "name_path_pattern": name }) }]
        }
        Kind::Signature => vec![find("include_info")],
        Kind::Source => vec![find("include_body")],
        Kind::References | Kind::Callers => vec![uses(name)],
        Kind::Explore => vec![find("include_body"), uses(name)],
        Kind::Impact | Kind::Context => {
            let names = question.greps.iter().map(|name| uses(name));
            std::iter::once(overview(1)).chain(names).collect()
        }
    }
}

fn serena_language(language: Language) -> &'static str {
    match language {
        Language::C => "cpp",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::questions::QUESTIONS;
    use super::*;

    #[test]
    fn serena_is_asked_for_every_name_of_a_file() {
        let question = QUESTIONS.iter().find(|question| question.kind == Kind::Impact).unwrap();
        let calls = by_name(question);
        assert_eq!(calls.len(), 1 + question.greps.len());
        assert_eq!(calls[1].arguments["name_path"], question.greps[0]);
    }

    #[test]
    fn a_position_is_asked_of_bowline_and_of_agent_lsp_alike() {
        let root = tempfile::tempdir().unwrap();
        let question = QUESTIONS.iter().find(|question| question.kind == Kind::Callers).unwrap();
        let file = root.path().join(question.file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, format!("\n{}\n", question.at.replace("@@", ""))).unwrap();
        for name in [ProductName::Bowline, ProductName::AgentLsp] {
            let calls = by_position(name, question, root.path()).unwrap();
            assert_eq!((calls[0].tool, &calls[0].arguments["line"]), ("callers", &json!(2)));
        }
    }
}
