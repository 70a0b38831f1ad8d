//! The tools that hosts bring along: they never pass through our server, and rules and tables name them all the same.

mod calls;
mod patch;
mod shell;

use crate::Effect;
use crate::Effect::{Draft, Read, Run, Write};
use crate::host_tools::Family::{Agent, Edit, Fetch, Other, Patch, Shell, Skill};

pub use calls::{BadHostCall, HostCall, host_call};
pub use patch::patched;
pub use shell::runs_bash;

/// Tools that take the same kind of arguments, and that a rule for the first of them means as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Runs a command line: `Bash`.
    Shell,
    /// Writes the file that it names: `Edit`.
    Edit,
    /// Writes the files that a patch names: `Edit` too.
    Patch,
    /// Reads what it names: `Read`.
    Read,
    /// Asks an address: `WebFetch`.
    Fetch,
    /// Sends out another agent: `Agent`.
    Agent,
    Skill,
    /// Nothing is known of its arguments.
    Other,
}

/// One tool of a host.
#[derive(Debug, PartialEq, Eq)]
pub struct HostTool {
    pub name: &'static str,
    /// The most that it does. A program that a host runs may do anything; so may an agent that it sends out.
    pub most: Effect,
    pub family: Family,
    pub shows: Shows,
}

/// What an answer shows of the files that a call names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// Nothing that is known of: a search may show some lines, or a count.
    Unknown,
    /// The names of files, and nothing of what stands in them.
    Names,
    /// Their content, or a part of it.
    Content,
}

const fn tool(name: &'static str, most: Effect, family: Family) -> HostTool {
    HostTool { name, most, family, shows: Shows::Unknown }
}

/// It lists the names of files.
const fn lists(name: &'static str) -> HostTool {
    HostTool { name, most: Read, family: Family::Read, shows: Shows::Names }
}

/// It reads files, and shows what it has read.
const fn shows(name: &'static str) -> HostTool {
    HostTool { name, most: Read, family: Family::Read, shows: Shows::Content }
}

/// Every tool of every host that is known.
pub const HOST_TOOLS: &[HostTool] = &[
    // Claude Code.
    tool("Agent", Run, Agent),
    tool("AskUserQuestion", Read, Other),
    tool("Bash", Run, Shell),
    tool("BashOutput", Read, Other),
    tool("CronCreate", Run, Other),
    tool("Edit", Write, Edit),
    tool("EnterPlanMode", Draft, Other),
    tool("EnterWorktree", Run, Other),
    tool("ExitPlanMode", Draft, Other),
    tool("ExitWorktree", Run, Other),
    lists("Glob"),
    tool("Grep", Read, Family::Read),
    tool("KillShell", Run, Other),
    lists("LS"),
    tool("LSP", Read, Family::Read),
    tool("Monitor", Run, Shell),
    tool("MultiEdit", Write, Edit),
    tool("NotebookEdit", Write, Edit),
    shows("NotebookRead"),
    tool("PowerShell", Run, Other),
    shows("Read"),
    tool("RemoteTrigger", Run, Other),
    tool("ScheduleWakeup", Run, Other),
    tool("SendMessage", Run, Other),
    tool("Skill", Run, Skill),
    tool("SlashCommand", Run, Other),
    tool("Task", Run, Agent),
    tool("TodoRead", Read, Other),
    tool("TodoWrite", Draft, Other),
    tool("WebFetch", Read, Fetch),
    tool("WebSearch", Read, Other),
    tool("Workflow", Run, Other),
    tool("Write", Write, Edit),
    // Codex.
    tool("apply_patch", Write, Patch),
    tool("exec", Run, Other),
    tool("exec_command", Run, Shell),
    tool("local_shell", Run, Shell),
    tool("shell", Run, Shell),
    tool("shell_command", Run, Shell),
    tool("spawn_agent", Run, Agent),
    tool("unified_exec", Run, Shell),
    shows("view_image"),
    tool("write_stdin", Run, Other),
    // Gemini CLI.
    tool("google_web_search", Read, Other),
    tool("grep_search", Read, Family::Read),
    lists("list_directory"),
    shows("read_file"),
    shows("read_many_files"),
    tool("replace", Write, Edit),
    tool("run_shell_command", Run, Shell),
    tool("save_memory", Write, Other),
    tool("search_file_content", Read, Family::Read),
    tool("web_fetch", Read, Fetch),
    tool("write_file", Write, Edit),
    tool("write_todos", Draft, Other),
    // opencode.
    tool("bash", Run, Shell),
    tool("batch", Run, Other),
    tool("edit", Write, Edit),
    lists("glob"),
    tool("grep", Read, Family::Read),
    lists("list"),
    tool("multiedit", Write, Edit),
    tool("patch", Write, Patch),
    shows("read"),
    tool("skill", Run, Skill),
    tool("task", Run, Agent),
    tool("todoread", Read, Other),
    tool("todowrite", Draft, Other),
    tool("webfetch", Read, Fetch),
    tool("websearch", Read, Other),
    tool("write", Write, Edit),
    // Cursor.
    tool("Delete", Write, Edit),
    tool("Shell", Run, Shell),
];

/// The most that a tool of a host does; None if no host has such a tool.
pub fn host_tool(name: &str) -> Option<&'static HostTool> {
    HOST_TOOLS.iter().find(|known| known.name == name)
}
