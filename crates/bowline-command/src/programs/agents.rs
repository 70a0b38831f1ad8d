//! Other agents, and bowline itself.

use super::Meaning;
use super::look::only_asks_about_itself;
use super::meaning::last_part;
use super::table::{Kind, Row};
use crate::{Pin, Word};

/// Programs that start an agent, by the names of their programs and of their packages.
const AGENTS: &str = "claude claude-code codex gemini gemini-cli qwen qwen-code cursor-agent opencode \
    opencode-ai copilot aider aider-chat goose amp crush kiro-cli kiro q cline cn droid auggie plandex \
    mentat openhands interpreter open-interpreter gptme llm sgpt shell-gpt tabnine warp-agent grok vibe \
    kimi iflow codebuddy trae roo windsurf devin jules";

pub(super) const ROWS: &[Row] = &[(AGENTS, Kind::Does(agent)), ("bowline", Kind::Does(bowline))];

/// Options that turn hooks, sandbox or questions off.
const FLAGS: &[&str] = &[
    "--yolo",
    "--bare",
    "--no-hooks",
    "--disable-hooks",
    "--skip-hooks",
    "--full-auto",
    "--setting-sources",
    "--strict-mcp-config",
    "--allow-all-tools",
    "--allow-all-paths",
    "--allow-all-urls",
    "--allow-all",
    "--yes-always",
    "--trust-all-tools",
    "--auto-approve",
    "--autoapprove",
    "--no-sandbox",
    "--no-confirm",
    "--no-approval",
    "--ignore-user-config",
    "--ignore-rules",
    "--no-permissions",
    "--skip-permissions",
    "--auto-confirm",
    "--always-approve",
    "--always-allow",
    "--unsafe",
    "--disable-sandbox",
];

/// What begins so is written to be noticed.
const STARTS: &[&str] =
    &["--dangerously", "--allow-dangerously", "--bypass", "--skip-permissions", "--danger"];

/// Values, wherever they stand.
const VALUES: &[&str] =
    &["danger-full-access", "disableallhooks", "bypasspermissions", "\"hooks\"", "dontask"];

/// An option with the value that turns a question off.
const PAIRS: &[(&str, &[&str])] = &[
    ("--approval-mode", &["yolo", "auto_edit", "auto-edit", "full-auto"]),
    ("--ask-for-approval", &["never"]),
    ("-a", &["never"]),
    ("--permission-mode", &["bypassPermissions", "dontAsk"]),
    ("--disable", &["hooks", "codex_hooks", "features.hooks"]),
    ("--sandbox", &["danger-full-access", "none", "off", "disabled", "false"]),
    ("-s", &["danger-full-access"]),
    ("--mode", &["yolo", "bypass", "auto"]),
];

/// Settings of codex that do the same: `-c approval_policy=never`.
const SETTINGS: &[&str] =
    &["approval_policy", "sandbox_mode", "hooks", "features.", "sandbox_permissions", "notify"];

/// One letter is enough for some of them.
const SHORT: &[(&str, &[&str])] = &[
    ("gemini", &["-y"]),
    ("gemini-cli", &["-y"]),
    ("qwen", &["-y"]),
    ("qwen-code", &["-y"]),
    ("crush", &["-y"]),
    ("cursor-agent", &["-f", "--force"]),
    ("aider", &["--yes"]),
    ("aider-chat", &["--yes"]),
    ("interpreter", &["-y", "--auto_run"]),
    ("q", &["-a"]),
    ("kiro-cli", &["-a"]),
];

fn agent(words: &[Word]) -> Meaning {
    let name = last_part(words[0].shown());
    let mut meaning = Meaning { forbidden: forbidden(name, words), ..Meaning::default() };
    if meaning.forbidden.is_none() && only_asks_about_itself(words) {
        return meaning;
    }
    if let Some(settings) = settings_file(words) {
        meaning.unreadable(format!("what the settings in `{settings}` turn off cannot be told"));
    }
    if words[1..].iter().any(Word::is_loose) {
        meaning.unreadable("an agent is started with options that nobody knows");
    }
    meaning.opaque(Pin::Everything, format!("`{name}` is an agent of its own"));
    meaning
}

/// Why an agent of this name may not be started with these words. Nothing, if it is no agent.
pub(super) fn forbidden(name: &str, words: &[Word]) -> Option<String> {
    if !AGENTS.split(' ').any(|agent| agent == name) {
        return None;
    }
    let short = SHORT.iter().find(|(agent, _)| *agent == name).map_or(&[][..], |(_, flags)| flags);
    let found = words[1..].iter().enumerate().find(|(at, word)| {
        let text = word.start();
        let (option, attached) =
            text.split_once('=').map_or((text, None), |(option, value)| (option, Some(value)));
        let next = attached.or_else(|| words.get(at + 2).map(Word::start)).unwrap_or_default();
        let lower = text.to_lowercase();
        FLAGS.contains(&option)
            || short.contains(&option)
            || STARTS.iter().any(|start| lower.starts_with(start))
            || (!text.contains(' ') || text.starts_with('{'))
                && VALUES.iter().any(|value| lower.contains(value))
            || PAIRS.iter().any(|(pair, values)| {
                *pair == option && values.iter().any(|value| next.eq_ignore_ascii_case(value))
            })
            || (matches!(option, "-c" | "--config")
                && name == "codex"
                && SETTINGS.iter().any(|setting| next.starts_with(setting) || text.contains(setting)))
    });
    found.map(|(_, word)| format!("`{name}` would run without the gate (`{}`)", word.shown()))
}

/// A file of settings, or settings that are not known.
fn settings_file(words: &[Word]) -> Option<&str> {
    words.iter().enumerate().find_map(|(at, word)| match word.start().split_once('=') {
        Some(("--settings", value)) => {
            (word.literal().is_none() || !value.trim_start().starts_with('{')).then(|| word.shown())
        }
        None if word.start() == "--settings" => {
            let value = words.get(at + 1)?;
            value.literal().is_none_or(|value| !value.trim_start().starts_with('{')).then(|| value.shown())
        }
        _ => None,
    })
}

/// Subcommands that only tell something.
const TELLS: &[&str] = &["doctor", "tools", "audit", "completions", "servers", "help", "version", "explain"];

fn bowline(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let sub = words.get(1).and_then(Word::literal);
    let second = words.get(2).and_then(Word::literal);
    match (sub, second) {
        (Some(sub), _) if TELLS.contains(&sub) && words.len() == 2 => Meaning::default(),
        (Some("gate"), Some("check" | "explain"))
        | (Some("config"), Some("check"))
        | (Some("skills"), Some("list" | "show" | "check" | "validate")) => Meaning::default(),
        (Some("doctor" | "tools" | "servers"), _) => Meaning::default(),
        (Some("audit"), Some("show" | "list" | "tail" | "stats" | "search")) => Meaning::default(),
        // It asks at the terminal, and whoever starts it may answer. Only a person lets it run.
        _ => Meaning::doubtful(
            "`bowline` asks, and whoever runs it from a shell could answer in a person's place",
        ),
    }
}
