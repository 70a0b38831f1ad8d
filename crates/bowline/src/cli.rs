//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{audit, call, completions, demo, tools};

/// A language server's understanding for coding agents, and one gate in front of every tool call.
///
/// Without a command it serves MCP on stdin and stdout, which is how agents start it.
#[derive(Debug, Parser)]
#[command(version, about, after_help = crate::exit::HELP, after_long_help = long_help(), max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) shared: Shared,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command takes.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Shared {
    /// A directory to work in; may be repeated. Default: the current directory.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Where every call is recorded. Default: BOWLINE_AUDIT_LOG, else the state directory.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) audit_log: Option<PathBuf>,
    /// Names the conversation in the audit trail. Default: a fresh name.
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) conversation: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve MCP on stdin and stdout (the default).
    Serve,
    /// Call one tool, through the same gate as everybody.
    Call(call::Arguments),
    /// List the tools.
    Tools(tools::Arguments),
    /// Read the audit trail.
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Show what an agent would get, on the source at hand.
    Demo(demo::Arguments),
    /// Print a completion script for a shell.
    Completions(completions::Arguments),
}

/// Everything that changes what bowline does without being on the command line.
fn long_help() -> String {
    let mut text = String::from(crate::exit::HELP);
    text.push_str("\n\nEnvironment:");
    for variable in bowline_config::environment::VARIABLES {
        text.push_str(&format!("\n  {}\n          {}", variable.name, variable.meaning));
    }
    text
}
