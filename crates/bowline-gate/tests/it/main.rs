//! Tables of (rules, call) → verdict. The gate is pure, so nothing else is needed.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

mod commands;
mod fence;
mod host_rules;
mod ledger;
mod messages;
mod offers;
mod outside;
mod phases;
mod profile;
mod proofs;
mod protected;
mod remarks;
mod roots;
mod strictness;

use std::path::PathBuf;
use std::time::SystemTime;

use bowline_call::{CallId, ConversationId, Effect, Intent, Origin, Target, Targets, ToolCall};
use bowline_gate::{
    Asked, Bases, CommandFact, Facts, Gate, HostRules, Layer, Ledger, Maker, PathFact, PathKind, RuleEntry,
    RulesOptions, ShellKind, Surroundings, TouchFact, TreeNames, Verdict, read_command,
};

fn call(tool: &str) -> ToolCall {
    ToolCall {
        id: CallId::fresh(),
        conversation: ConversationId::new("test"),
        origin: Origin::Cli,
        tool: tool.into(),
        arguments: serde_json::Value::Null,
        cwd: None,
        server: None,
    }
}

fn facts(paths: Vec<PathFact>) -> Facts {
    Facts::new(SystemTime::UNIX_EPOCH, vec![PathBuf::from("/project")], paths)
}

/// Facts about these paths, and about the commands of an intent in a project without links.
fn about(intent: &Intent, paths: Vec<PathFact>) -> Facts {
    let here =
        Surroundings { cwd: Some("/project".into()), home: Some("/home/me".into()), shell: ShellKind::Bash };
    let read = |command: &str| {
        let script = read_command(command, &here);
        let touched = script.touches.iter().map(|touch| TouchFact {
            access: touch.access,
            is_deep: touch.is_deep,
            may_be_fewer: touch.filter.may_be_fewer,
            tracked_only: touch.filter.tracked_only,
            is_copy: touch.filter.creates.is_copy(),
            readings: touch.paths.iter().map(|path| straight(&path.to_string_lossy())).collect(),
        });
        CommandFact { touched: touched.collect(), script }
    };
    Facts { commands: intent.commands().map(read).collect(), ..facts(paths) }
}

/// A path that leads where it says.
fn straight(path: &str) -> PathFact {
    leads(path, Ok(path))
}

fn leads(path: &str, real: Result<&str, &str>) -> PathFact {
    PathFact {
        written: path.into(),
        absolute: path.into(),
        real: real.map(PathBuf::from).map_err(str::to_owned),
        kind: PathKind::File,
        hash: None,
        maker: Maker::Person,
        door: Ok(None),
        links: TreeNames::NONE,
        below: TreeNames::Unknown,
    }
}

fn intent(effect: Effect, paths: &[PathFact]) -> Intent {
    Intent {
        effect,
        targets: Targets::Known(paths.iter().map(|path| Target::Path(path.written.clone())).collect()),
    }
}

fn ask(gate: &Gate, tool: &str, effect: Effect, paths: Vec<PathFact>) -> Verdict {
    let intent = intent(effect, &paths);
    gate.before(&Asked::new(&Ledger::default(), &call(tool), &intent, &facts(paths))).verdict
}

fn entries(patterns: &[&str]) -> Vec<RuleEntry> {
    patterns.iter().map(|pattern| RuleEntry::Pattern((*pattern).into())).collect()
}

fn host(layer: Layer, options: &RulesOptions) -> Box<HostRules> {
    Box::new(HostRules::new(layer, options, &bases()).unwrap())
}

/// A verdict on one line.
fn shown(verdict: &Verdict) -> String {
    format!("{} by {}", verdict.word(), verdict.rule())
}

fn bases() -> Bases {
    Bases { roots: vec!["/project".into()], sources: vec!["/project".into()], home: None }
}
