//! One line of input: a call as a host would report it, or an event.

use std::path::PathBuf;

use bowline_call::{CallId, ConversationId, Family, Origin, Provenance, ToolCall, host_tool};
use bowline_dispatch::Supposed;
use serde::Deserialize;
use serde_json::{Value, json};

/// The names that hosts use are taken as well.
#[derive(Debug, Deserialize)]
struct Written {
    #[serde(alias = "tool_name")]
    tool: Option<String>,
    #[serde(alias = "tool_input", alias = "arguments", default)]
    args: Value,
    cwd: Option<PathBuf>,
    #[serde(default)]
    outcome: Option<Value>,
    /// What it is supposed to answer, where a rule goes by that.
    #[serde(default)]
    answer: Option<Value>,
    event: Option<String>,
    /// What was used since the line before, where a host tells.
    #[serde(default)]
    tokens: u64,
    mcp_server: Option<Provenance>,
    mcp_context: Option<Context>,
}

/// Gemini CLI keeps the names apart.
#[derive(Debug, Deserialize)]
struct Context {
    server_name: String,
    tool_name: String,
}

pub(super) struct Line {
    pub(super) tokens: u64,
    pub(super) cwd: Option<PathBuf>,
    pub(super) said: Said,
}

pub(super) enum Said {
    Call(Box<Reported>, Option<Supposed>),
    Stop,
}

/// A call that has no conversation yet.
pub(super) struct Reported {
    tool: String,
    arguments: Value,
    cwd: Option<PathBuf>,
    server: Option<Provenance>,
}

impl Reported {
    pub(super) fn in_conversation(self, conversation: &ConversationId) -> ToolCall {
        ToolCall {
            id: CallId::fresh(),
            conversation: conversation.clone(),
            origin: Origin::Cli,
            tool: self.tool,
            arguments: self.arguments,
            cwd: self.cwd,
            server: self.server,
        }
    }
}

impl Line {
    /// `Err` says what is wrong with it.
    pub(super) fn read(bytes: &[u8], most: usize) -> Result<Self, String> {
        if bytes.len() > most {
            return Err(format!("a line has {} bytes; at most {most} are read", bytes.len()));
        }
        let written: Written =
            serde_json::from_slice(bytes).map_err(|error| format!("a line is no call: {error}"))?;
        let (cwd, tokens) = (written.cwd, written.tokens);
        match (written.event.as_deref(), written.tool) {
            (Some("stop"), None) => Ok(Self { tokens, cwd, said: Said::Stop }),
            (Some(other), None) => Err(format!("there is no event `{other}`; `stop` is one")),
            (None, None) => Err("a line names no tool".into()),
            (_, Some(tool)) => {
                let supposed = match written.outcome {
                    None => written.answer.map(Supposed::Success),
                    Some(Value::Bool(true)) => {
                        Some(Supposed::Success(written.answer.unwrap_or_else(|| json!({}))))
                    }
                    Some(Value::String(word)) if ["success", "ok"].contains(&word.as_str()) => {
                        Some(Supposed::Success(written.answer.unwrap_or_else(|| json!({}))))
                    }
                    Some(Value::Bool(false)) => Some(Supposed::Failure),
                    Some(Value::String(word)) if ["error", "failure", "failed"].contains(&word.as_str()) => {
                        Some(Supposed::Failure)
                    }
                    Some(other) => return Err(format!("an outcome is `success` or `error`, not {other}")),
                };
                let named = |context: Context| Provenance {
                    name: context.server_name,
                    source: None,
                    tool: Some(context.tool_name),
                };
                let server = written.mcp_server.or(written.mcp_context.map(named));
                let call = Box::new(Reported { tool, arguments: written.args, cwd: cwd.clone(), server });
                Ok(Self { tokens, cwd, said: Said::Call(call, supposed) })
            }
        }
    }
}

/// A call from the command line, as a line.
pub(super) fn from_words(tool: &str, about: Option<String>, json: Option<&str>) -> Result<Value, String> {
    let args = match (json, about) {
        (Some(text), _) => {
            serde_json::from_str(text).map_err(|error| format!("`--json` is no JSON: {error}"))?
        }
        (None, None) => json!({}),
        (None, Some(about)) => match host_tool(tool).map(|tool| tool.family) {
            Some(Family::Shell) => json!({ "command": about }),
            Some(Family::Edit | Family::Read) => json!({ "file_path": about }),
            Some(Family::Patch) => json!({ "command": about }),
            Some(Family::Fetch) => json!({ "url": about }),
            Some(Family::Agent) => json!({ "subagent_type": about }),
            Some(Family::Skill) => json!({ "skill": about }),
            Some(Family::Other) | None => {
                return Err(format!("`{tool}` takes its arguments as `--json '{{…}}'`"));
            }
        },
    };
    Ok(json!({ "tool": tool, "args": args }))
}
