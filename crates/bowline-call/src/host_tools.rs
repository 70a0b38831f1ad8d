//! The tools that hosts bring along: they never pass through our server, and rules and tables name them all the same.

use crate::Effect;
use crate::Effect::{Draft, Read, Run, Write};

/// Names and the most that each does. A program that a host runs may do anything; so may an agent that it sends out.
pub const HOST_TOOLS: &[(&str, Effect)] = &[
    // Claude Code.
    ("Agent", Run),
    ("AskUserQuestion", Read),
    ("Bash", Run),
    ("BashOutput", Read),
    ("CronCreate", Run),
    ("Edit", Write),
    ("EnterPlanMode", Draft),
    ("EnterWorktree", Run),
    ("ExitPlanMode", Draft),
    ("ExitWorktree", Run),
    ("Glob", Read),
    ("Grep", Read),
    ("KillShell", Run),
    ("LS", Read),
    ("LSP", Read),
    ("Monitor", Run),
    ("MultiEdit", Write),
    ("NotebookEdit", Write),
    ("NotebookRead", Read),
    ("PowerShell", Run),
    ("Read", Read),
    ("RemoteTrigger", Run),
    ("ScheduleWakeup", Run),
    ("SendMessage", Run),
    ("Skill", Run),
    ("SlashCommand", Run),
    ("Task", Run),
    ("TodoRead", Read),
    ("TodoWrite", Draft),
    ("WebFetch", Read),
    ("WebSearch", Read),
    ("Workflow", Run),
    ("Write", Write),
    // Codex.
    ("apply_patch", Write),
    ("exec", Run),
    ("exec_command", Run),
    ("local_shell", Run),
    ("shell", Run),
    ("unified_exec", Run),
    ("view_image", Read),
    ("write_stdin", Run),
    // Gemini CLI.
    ("google_web_search", Read),
    ("grep_search", Read),
    ("list_directory", Read),
    ("read_file", Read),
    ("read_many_files", Read),
    ("replace", Write),
    ("run_shell_command", Run),
    ("save_memory", Write),
    ("search_file_content", Read),
    ("web_fetch", Read),
    ("write_file", Write),
    ("write_todos", Draft),
    // opencode.
    ("bash", Run),
    ("batch", Run),
    ("edit", Write),
    ("glob", Read),
    ("grep", Read),
    ("list", Read),
    ("multiedit", Write),
    ("patch", Write),
    ("read", Read),
    ("skill", Run),
    ("task", Run),
    ("todoread", Read),
    ("todowrite", Draft),
    ("webfetch", Read),
    ("websearch", Read),
    ("write", Write),
    // Cursor.
    ("Delete", Write),
    ("Shell", Run),
];

/// The most that a tool of a host does; None if no host has such a tool.
pub fn host_tool(name: &str) -> Option<Effect> {
    HOST_TOOLS.iter().find(|(known, _)| *known == name).map(|(_, effect)| *effect)
}
