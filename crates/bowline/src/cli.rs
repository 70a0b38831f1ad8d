//! The command line.

use std::path::PathBuf;

use clap::{Args, FromArgMatches, Parser, Subcommand};

use crate::commands::{
    BadUsage, audit, call, completions, config, demo, doctor, gate, servers, skills, tools, undo,
};

/// A language server's understanding for coding agents, and one gate in front of every tool call.
///
/// Without a command it serves MCP on stdin and stdout, which is how agents start it. Language servers may be named instead
/// of a command: `bowline go:gopls python:pyright-langserver,--stdio`, or `bowline go gopls -remote=auto`.
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
    /// Names the conversation, whose past is remembered for all who name it. Default: a fresh one, forgotten at the end.
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// A language server, as `go:gopls,-v` or 'go gopls -v'; may be repeated. Only those that are named are then used.
    #[arg(long, global = true, value_name = "SPEC")]
    pub(crate) server: Vec<String>,
    /// The known language servers too, behind those that are named.
    #[arg(long, global = true)]
    pub(crate) auto: bool,
    /// Use the language servers of this JSON file, and no others.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Lay the language servers of this JSON file over the known ones.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) merge_config: Option<PathBuf>,
    /// Which tools are offered: `core`, `full` (the default), or names, separated by commas.
    #[arg(long, global = true, value_name = "WHICH")]
    pub(crate) tools: Option<String>,
    /// The profile that holds, by its name in bowline.toml. Default: what the file chooses, else `default`.
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Read in place of the user's own file, for commands that only look.
    #[arg(skip)]
    pub(crate) user_file: Option<PathBuf>,
    /// Language servers that are named instead of a command.
    #[arg(skip)]
    pub(crate) words: Vec<String>,
}

impl Shared {
    /// Takes the flags that every command has out of words that are otherwise somebody else's, up to a `--`.
    pub(crate) fn take_from(&mut self, words: Vec<String>) -> Result<Vec<String>, BadUsage> {
        let parser = Self::augment_args(clap::Command::new("bowline").no_binary_name(true));
        let (mut ours, mut left) = (Vec::new(), Vec::new());
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == "--" {
                left.extend(words);
                break;
            }
            let (name, inline) = split_flag(&word);
            let Some(flag) = parser.get_arguments().find(|flag| flag.get_long() == Some(name)) else {
                left.push(word);
                continue;
            };
            if flag.get_action().takes_values() && inline.is_none() {
                let value = words.next().ok_or_else(|| BadUsage(format!("`--{name}` needs a value")))?;
                ours.push(format!("{word}={value}"));
            } else {
                ours.push(word);
            }
        }
        let read = parser.try_get_matches_from(ours).and_then(|matches| Self::from_arg_matches(&matches));
        self.add(read.map_err(|error| {
            let text = error.to_string();
            BadUsage(text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned())
        })?);
        Ok(left)
    }

    /// What is said later goes on, or says it anew.
    fn add(&mut self, later: Self) {
        let Self {
            root,
            audit_log,
            conversation,
            server,
            auto,
            config,
            merge_config,
            tools,
            profile,
            user_file,
            words,
        } = later;
        self.root.extend(root);
        self.audit_log = audit_log.or(self.audit_log.take());
        self.conversation = conversation.or(self.conversation.take());
        self.server.extend(server);
        self.auto |= auto;
        self.config = config.or(self.config.take());
        self.merge_config = merge_config.or(self.merge_config.take());
        self.tools = tools.or(self.tools.take());
        self.profile = profile.or(self.profile.take());
        self.user_file = user_file.or(self.user_file.take());
        self.words.extend(words);
    }
}

/// `--name=value` in its parts. The name of what is no flag is empty.
pub(crate) fn split_flag(word: &str) -> (&str, Option<&str>) {
    let name = word.strip_prefix("--").unwrap_or("");
    match name.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (name, None),
    }
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
    /// What the gate would say to calls, without making them.
    #[command(subcommand)]
    Gate(gate::Gate),
    /// The configuration: check it.
    #[command(subcommand)]
    Config(config::Config),
    /// Start each language server that the project could use, and say what works.
    Doctor(doctor::Arguments),
    /// List the language servers that run now.
    Servers(servers::Arguments),
    /// Skills: list them, read one, check one, install bowline's own.
    #[command(subcommand)]
    Skills(skills::Skills),
    /// Take a write back.
    Undo(undo::Arguments),
    /// Print a completion script for a shell.
    Completions(completions::Arguments),
    /// Language servers instead of a command, or a command that there is not.
    #[command(external_subcommand)]
    ServeWith(Vec<String>),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn take(shared: &mut Shared, words: &[&str]) -> Result<Vec<String>, String> {
        shared.take_from(words.iter().map(ToString::to_string).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn our_flags_may_stand_anywhere() {
        let mut shared = Shared { root: vec!["a".into()], ..Shared::default() };
        let words =
            ["--query", "x", "--root", "b", "--audit-log=log", "--server", "go:gopls", "--auto", "-v"];
        assert_eq!(take(&mut shared, &words).unwrap(), ["--query", "x", "-v"]);
        assert_eq!(shared.root, [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!(shared.audit_log, Some("log".into()));
        assert_eq!(shared.server, ["go:gopls"]);
        assert!(shared.auto);
    }

    #[test]
    fn two_dashes_end_our_flags() {
        let mut shared = Shared::default();
        let words = ["go", "gopls", "--root", "a", "--", "--root", "b", "--"];
        assert_eq!(take(&mut shared, &words).unwrap(), ["go", "gopls", "--root", "b", "--"]);
        assert_eq!(shared.root, [PathBuf::from("a")]);
    }

    #[test]
    fn mistakes_in_our_flags_are_named() {
        let wrong = |words: &[&str]| take(&mut Shared::default(), words).unwrap_err();
        assert_eq!(wrong(&["x", "--root"]), "`--root` needs a value");
        assert_eq!(
            wrong(&["--config=a", "--config=b"]),
            "the argument '--config <FILE>' cannot be used multiple times"
        );
    }
}
