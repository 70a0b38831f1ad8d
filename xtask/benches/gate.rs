//! One decision of the gate, with ten thousand rules and a hundred thousand calls behind it.
//!
//! Prints one line of JSON for `cargo xtask bench gate`; judges nothing.
#![expect(clippy::print_stdout, reason = "its line is what it is for")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use bowline_call::{CallId, ConversationId, Effect, Intent, Origin, Target, ToolCall};
use bowline_gate::{
    Asked, BadPattern, Bases, Facts, Fenced, Gate, Guidance, HostRules, Layer, Ledger, LedgerEntry, Maker,
    PathFact, PathKind, Phases, Protected, Roots, RuleEntry, RulesOptions,
};

const RULES: usize = 10_000;
const LEDGER: usize = 100_000;
const WARM_UP: usize = 2_000;

fn main() -> Result<(), BadPattern> {
    let decisions = if std::env::args().any(|word| word == "--quick") { 10_000 } else { 100_000 };
    let gate = gate()?;
    let ledger = ledger();
    let mut times = Vec::with_capacity(decisions);
    let mut refused = 0_usize;
    for turn in 0..WARM_UP + decisions {
        let (call, intent, facts) = question(turn);
        let started = Instant::now();
        let asked = Asked::new(&ledger, &call, &intent, &facts);
        let verdict = black_box(gate.before(black_box(&asked))).verdict;
        let took = started.elapsed();
        if turn >= WARM_UP {
            times.push(took);
            refused += usize::from(verdict.word() != "allow");
        }
    }
    times.sort_unstable();
    println!(
        "{{\"rules\": {RULES}, \"ledger\": {LEDGER}, \"decisions\": {decisions}, \"not_allowed\": {refused}, \
         \"p50_us\": {:.3}, \"p99_us\": {:.3}, \"max_us\": {:.3}}}",
        at(&times, 50),
        at(&times, 99),
        at(&times, 100),
    );
    Ok(())
}

/// Roots, a user's rules and a project's. Half are plain names, half are globs, as upstreams bring them.
fn gate() -> Result<Gate, BadPattern> {
    let entry = |index: usize| {
        RuleEntry::Pattern(if index.is_multiple_of(2) {
            format!("mcp__server{}__tool_{index}", index % 97)
        } else {
            format!("mcp__server{index}__*_{}", index % 13)
        })
    };
    let share = |from: usize| (from..RULES / 2).step_by(3).map(entry).collect();
    let options = RulesOptions { allow: share(0), ask: share(1), deny: share(2), ..RulesOptions::default() };
    Ok(Gate::new(vec![
        Box::new(Roots::default()),
        Box::new(Protected::default()),
        Box::new(HostRules::new(Layer::User, &options, &bases())?),
        Box::new(HostRules::new(Layer::Project, &options, &bases())?),
        Box::new(Fenced),
        Box::new(Phases::new(Guidance::default())),
    ]))
}

fn ledger() -> Ledger {
    let mut ledger = Ledger::default();
    for index in 0..LEDGER {
        ledger.append(LedgerEntry {
            call: CallId::fresh(),
            tool: format!("tool_{}", index % 50).into(),
            effect: Effect::Read,
            files: vec![file(index)].into(),
            at: SystemTime::UNIX_EPOCH + Duration::from_secs(index as u64),
            success: index % 10 != 0,
        });
    }
    ledger
}

/// Calls that rules name and calls that none does, reading and writing, by turns.
fn question(turn: usize) -> (ToolCall, Intent, Facts) {
    let tool = match turn % 4 {
        0 => "find_symbol".to_owned(),
        1 => "rename_symbol".to_owned(),
        2 => format!("mcp__server{}__tool_{turn}", turn % 97),
        _ => format!("mcp__server{}__delete_{}", turn % RULES, turn % 13),
    };
    let effect = if turn.is_multiple_of(2) { Effect::Read } else { Effect::Write };
    let path = file(turn);
    let call = ToolCall {
        id: CallId::fresh(),
        conversation: ConversationId::new("bench"),
        origin: Origin::Cli,
        tool,
        arguments: serde_json::Value::Null,
        cwd: None,
        server: None,
    };
    let facts = Facts::new(
        SystemTime::UNIX_EPOCH,
        vec![PathBuf::from("/project")],
        vec![PathFact {
            written: path.clone(),
            absolute: path.clone(),
            real: Ok(path.clone()),
            kind: PathKind::File,
            hash: None,
            maker: Maker::Person,
            door: Ok(None),
        }],
    );
    (call, Intent::new(effect, [Target::Path(path)]), facts)
}

fn file(index: usize) -> PathBuf {
    PathBuf::from(format!("/project/src/module_{}/file_{index}.rs", index % 31))
}

fn at(sorted: &[Duration], percent: usize) -> f64 {
    let index = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(index).map_or(0.0, |took| took.as_nanos() as f64 / 1000.0)
}

fn bases() -> Bases {
    Bases { roots: vec!["/project".into()], sources: vec!["/project".into()], home: None }
}
