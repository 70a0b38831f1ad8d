//! One decision of the gate, with ten thousand rules and a hundred thousand calls behind it.
//!
//! Prints one line of JSON for `cargo xtask bench gate`; judges nothing.
#![expect(clippy::print_stdout, reason = "its line is what it is for")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use bowline_call::{CallId, ConversationId, Effect, Intent, Origin, Target, ToolCall, ToolIdentity};
use bowline_gate::{
    Access, Asked, Bases, CommandFact, Decision, Facts, Fenced, Gate, Guidance, Happened, HostRules, Layer,
    Ledger, Maker, PathFact, PathKind, Phases, Profile, Profiles, Protected, ReadBeforeWrite, Roots,
    RuleEntry, RulesOptions, SequentialDependency, ShellKind, Surroundings, TouchFact, TreeNames,
    read_command,
};

const RULES: usize = 10_000;
const LEDGER: usize = 100_000;
const NAMES: usize = 60_000;
const WARM_UP: usize = 2_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let decisions = if std::env::args().any(|word| word == "--quick") { 10_000 } else { 100_000 };
    let starts = starting(decisions / 2_000)?;
    let gate = gate()?;
    let names = naming(&gate);
    let ledger = ledger(&gate);
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
    let reading = reading(decisions / 500);
    println!(
        "{{\"rules\": {RULES}, \"ledger\": {LEDGER}, \"decisions\": {decisions}, \"not_allowed\": {refused}, \
         \"start_p50_ms\": {:.3}, \"names_ms\": {:.3}, \"p50_us\": {:.3}, \"p99_us\": {:.3}, \"max_us\": {:.3}, \"command_p50_us\": {:.3}, \
         \"command_p99_us\": {:.3}}}",
        at(&starts, 50) / 1000.0,
        names.as_secs_f64() * 1000.0,
        at(&times, 50),
        at(&times, 99),
        at(&times, 100),
        at(&reading, 50),
        at(&reading, 99),
    );
    Ok(())
}

/// How long it takes until ten thousand rules can be asked, and the first decision is made.
fn starting(turns: usize) -> Result<Vec<Duration>, Box<dyn std::error::Error>> {
    let ledger = Ledger::default();
    let mut times = Vec::new();
    for turn in 0..turns.max(5) {
        let (call, intent, facts) = question(turn);
        let started = Instant::now();
        let gate = gate()?;
        let _ = black_box(gate.before(&Asked::new(&ledger, &call, &intent, &facts)));
        times.push(started.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

/// How long it takes to tell which of sixty thousand names in a tree some rule concerns: as many as are looked at for a call.
fn naming(gate: &Gate) -> Duration {
    let names: Vec<PathBuf> = (0..NAMES).map(file).collect();
    let started = Instant::now();
    for name in &names {
        let _ = black_box(gate.concerns(Access::Write, black_box(name)));
    }
    for _ in 0..10 {
        let _ = black_box(gate.concerns_below(Access::Read, Path::new("/project/src"), &[]));
    }
    started.elapsed()
}

/// How long it takes to read commands of ten thousand characters, of several kinds.
fn reading(turns: usize) -> Vec<Duration> {
    let line = "git log --oneline -5 | head -3 && grep -rn \"needle $x\" src/ > out.txt 2>&1; ";
    let quoted = format!("git commit -m '{}'", "a line of a long message. ".repeat(400));
    let commands = [
        line.repeat(10_000 / line.len()),
        quoted,
        format!("cat <<'EOF' > notes.md\n{}\nEOF", "text\n".repeat(2_000)),
    ];
    let here = Surroundings { cwd: Some("/project".into()), home: None, shell: ShellKind::Bash };
    let mut times = Vec::new();
    for turn in 0..turns.max(30) {
        let started = Instant::now();
        let _ = black_box(read_command(black_box(&commands[turn % commands.len()]), &here));
        times.push(started.elapsed());
    }
    times.sort_unstable();
    times
}

/// Every rule that ships. Of a user's rules and a project's a quarter each are names, globs, commands and files.
fn gate() -> Result<Gate, Box<dyn std::error::Error>> {
    let entry = |index: usize| {
        RuleEntry::Pattern(match index % 4 {
            0 => format!("mcp__server{}__tool_{index}", index % 97),
            1 => format!("mcp__server{index}__*_{}", index % 13),
            2 => format!("Bash(program_{index} sub:*)"),
            _ => format!("Edit(src/module_{}/generated_{index}/**)", index % 31),
        })
    };
    let share = |from: usize| (from..RULES / 2).step_by(3).map(entry).collect();
    let options = RulesOptions { allow: share(0), ask: share(1), deny: share(2), ..RulesOptions::default() };
    // A file of rules is checked entry by entry when it is read.
    for (decision, entries) in
        [(Decision::Allow, &options.allow), (Decision::Ask, &options.ask), (Decision::Deny, &options.deny)]
    {
        for entry in entries.iter().chain(entries) {
            HostRules::check(decision, entry)?;
        }
    }
    Ok(Gate::new(vec![
        Box::new(Roots::default()),
        Box::new(Protected::default()),
        Box::new(HostRules::new(Layer::User, &options, &bases())?),
        Box::new(HostRules::new(Layer::Project, &options, &bases())?),
        Box::new(Fenced),
        Box::new(Phases::new(Guidance::default())),
        Box::new(Profiles::new(vec![profile()?])),
    ]))
}

fn profile() -> Result<Profile, Box<dyn std::error::Error>> {
    let order = SequentialDependency::new([("run_tests", vec!["run_build"])])?;
    Ok(Profile::new("bench").policy(order).policy(ReadBeforeWrite))
}

/// What a hundred thousand calls have left.
fn ledger(gate: &Gate) -> Ledger {
    let mut ledger = Ledger::default();
    let answer = serde_json::json!({});
    for turn in 0..LEDGER {
        let (call, intent, facts) = question(turn * 4);
        let tool = ToolIdentity::of(&call.tool);
        let answer = (turn % 10 != 0).then_some(&answer);
        let stand = ledger.stand();
        gate.after(
            &mut ledger,
            &Happened { call: &call, tool: &tool, intent: &intent, facts: &facts, answer, stand },
        );
    }
    ledger
}

/// Calls that rules name and calls that none does, reading and writing, by turns.
fn question(turn: usize) -> (ToolCall, Intent, Facts) {
    if turn % 5 == 4 {
        return command(turn);
    }
    let tool = match turn % 4 {
        0 => "find_symbol".to_owned(),
        1 => "rename_symbol".to_owned(),
        2 => format!("mcp__server{}__tool_{turn}", turn % 97),
        _ => format!("mcp__server{}__delete_{}", turn % RULES, turn % 13),
    };
    let effect = if turn.is_multiple_of(2) { Effect::Read } else { Effect::Write };
    let path = file(turn);
    let call = call(tool);
    let facts =
        Facts::new(SystemTime::UNIX_EPOCH, vec![PathBuf::from("/project")], vec![straight(path.clone())]);
    (call, Intent::new(effect, [Target::Path(path)]), facts)
}

/// A shell that some rule may be about.
fn command(turn: usize) -> (ToolCall, Intent, Facts) {
    let text = format!("program_{} sub x | git log > src/module_{}/out_{turn}.txt", turn % RULES, turn % 31);
    let here = Surroundings { cwd: Some("/project".into()), home: None, shell: ShellKind::Bash };
    let script = read_command(&text, &here);
    let touched = script.touches.iter().map(|touch| TouchFact {
        access: touch.access,
        is_deep: touch.is_deep,
        may_be_fewer: touch.filter.may_be_fewer,
        tracked_only: touch.filter.tracked_only,
        is_copy: touch.filter.creates.is_copy(),
        readings: touch.paths.iter().map(|path| straight(path.clone())).collect(),
    });
    let mut facts = Facts::new(SystemTime::UNIX_EPOCH, vec![PathBuf::from("/project")], Vec::new());
    facts.commands.push(CommandFact { touched: touched.collect(), script });
    (call("Bash".to_owned()), Intent::new(Effect::Run, [Target::Command(text)]), facts)
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

fn call(tool: String) -> ToolCall {
    ToolCall {
        id: CallId::fresh(),
        conversation: ConversationId::new("bench"),
        origin: Origin::Cli,
        tool,
        arguments: serde_json::Value::Null,
        cwd: None,
        server: None,
    }
}

fn straight(path: PathBuf) -> PathFact {
    PathFact {
        written: path.clone(),
        absolute: path.clone(),
        real: Ok(path),
        kind: PathKind::File,
        hash: Some([7; 32]),
        maker: Maker::Person,
        door: Ok(None),
        links: TreeNames::NONE,
        below: TreeNames::Unknown,
    }
}
