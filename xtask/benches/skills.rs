//! Listing a thousand skills beside plainly reading their beginnings; and one decision about the phases of a skill.
//!
//! Prints one line of JSON for `cargo xtask bench skills`; judges nothing.
#![expect(clippy::print_stdout, reason = "its line is what it is for")]
#![expect(clippy::disallowed_methods, reason = "the plain reading is plain")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use bowline_call::{CallId, ConversationId, Effect, Intent, Origin, Targets, ToolCall, ToolIdentity};
use bowline_gate::{
    ActiveSkill, AllowedToolsMode, Asked, Facts, Fenced, Gate, Guidance, Happened, KnownTools, Ledger,
    Loading, Mode, Phases, Table, Verdict,
};
use bowline_skills::{AllowedTools, FileSystemStore, Reading, Scope, Store};

const SKILLS: usize = 1_000;
const BEGINNING: usize = 4_096;
const ENFORCED: [&str; 4] = ["lsp-refactor", "lsp-rename", "lsp-safe-edit", "lsp-verify"];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let quick = std::env::args().any(|word| word == "--quick");
    let (rounds, decisions) = if quick { (9, 5_000) } else { (41, 50_000) };
    let dir = tempfile::tempdir()?;
    let files = write_skills(dir.path())?;
    let (listed, plain) = listing(dir.path(), &files, rounds)?;
    let mut times = Vec::new();
    for skill in ENFORCED {
        times.extend(decide(skill, decisions)?);
    }
    times.sort_unstable();
    println!(
        "{{\"skills\": {SKILLS}, \"list_ms\": {:.3}, \"plain_ms\": {:.3}, \"ratio\": {:.3}, \"decisions\": {}, \
         \"p50_us\": {:.3}, \"p99_us\": {:.3}, \"max_us\": {:.3}}}",
        listed * 1000.0,
        plain * 1000.0,
        listed / plain,
        times.len(),
        at(&times, 50),
        at(&times, 99),
        at(&times, 100),
    );
    Ok(())
}

/// Skills as people write them: some keys, a description of a few hundred bytes, a body of a few pages.
fn write_skills(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for number in 0..SKILLS {
        let dir = root.join(format!("skill-{number:04}"));
        std::fs::create_dir(&dir)?;
        let mut text = String::new();
        let words = "Does one thing well, and says when to use it. ".repeat(1 + number % 8);
        write!(
            text,
            "---\nname: skill-{number:04}\ndescription: {}\nlicense: MIT\nallowed-tools: Read Grep Bash(git:*)\n\
             metadata:\n  author: somebody\n  version: \"1.{number}\"\n---\n",
            words.trim()
        )?;
        text.push_str(&"A line of what to do, with a `tool` or two.\n".repeat(50 + number % 200));
        let file = dir.join("SKILL.md");
        std::fs::write(&file, text)?;
        files.push(file);
    }
    Ok(files)
}

/// Medians in seconds: of a list, and of reading the beginnings in a loop. By turns, so that both meet the same weather.
fn listing(root: &Path, files: &[PathBuf], rounds: usize) -> Result<(f64, f64), Failure> {
    let store = FileSystemStore::new([(root.to_owned(), Scope::User)], Reading::Lenient);
    let (mut listed, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..=rounds {
        let started = Instant::now();
        let catalogue = black_box(store.list());
        listed.push(started.elapsed());
        if catalogue.skills.len() != SKILLS {
            return Err(
                format!("{} skills were listed: {:?}", catalogue.skills.len(), catalogue.rejected).into()
            );
        }
        let started = Instant::now();
        for file in files {
            let mut beginning = [0_u8; BEGINNING];
            black_box(std::fs::File::open(file)?.read(&mut beginning)?);
        }
        plain.push(started.elapsed());
    }
    Ok((median(listed), median(plain)))
}

/// Decisions about calls of many kinds, in whichever phase they lead to, with a fence around all of it.
fn decide(skill: &str, decisions: usize) -> Result<Vec<Duration>, Failure> {
    let known = KnownTools::new([]);
    let written = bowline_guide::ours().phases(skill)?.ok_or("no phases")?;
    let table = Table::understand(&written, &known).map_err(|findings| format!("{findings:?}"))?;
    let gate = Gate::new(vec![Box::new(Fenced), Box::new(Phases::new(Guidance::default()))]);
    let mut ledger = Ledger::default();
    let tools = [
        ("find_references", Effect::Read),
        ("mcp__lsp__apply_edit", Effect::Write),
        ("preview_edit", Effect::Draft),
        ("Bash", Effect::Run),
        ("mcp__memory__store", Effect::Write),
        ("simulate_chain", Effect::Draft),
        ("get_diagnostics", Effect::Read),
        ("rename_symbol", Effect::Draft),
        ("blast_radius", Effect::Read),
        ("run_build", Effect::Run),
        ("apply_edit", Effect::Write),
    ];
    let call = |tool: &str| ToolCall {
        id: CallId::fresh(),
        conversation: ConversationId::new("bench"),
        origin: Origin::Cli,
        tool: tool.to_owned(),
        arguments: serde_json::json!({"dry_run": true, "file_path": "src/lib.rs"}),
        cwd: None,
        server: None,
    };
    ledger
        .activate((&call("activate_skill")).into(), ActiveSkill::new(skill, Mode::Block, Arc::new(table)))?;
    let allowed = AllowedTools::parse("mcp__bowline__* Read Edit Bash(git:*) mcp__memory__*");
    let loading = Loading { skill, scope: Scope::User, allowed: Some(&allowed) };
    let guidance = Guidance { allowed_tools: AllowedToolsMode::Fence, ..Guidance::default() };
    ledger.load((&call("skills_load")).into(), loading, guidance, &known)?;
    let answer = serde_json::json!({"safe_to_apply": true, "success": true, "passed": true, "applied": true});
    let facts = Facts::new(SystemTime::UNIX_EPOCH, vec!["/project".into()], Vec::new());
    let mut times = Vec::with_capacity(decisions);
    for turn in 0..decisions + 500 {
        let (tool, effect) = tools[turn % tools.len()];
        let (call, intent) = (call(tool), Intent { effect, targets: Targets::Unknown });
        let started = Instant::now();
        let judged = black_box(gate.before(&Asked::new(&ledger, &call, &intent, &facts)));
        if turn % 50 == 49 && !matches!(judged.verdict, Verdict::Refuse(_)) {
            let tool = ToolIdentity::of(&call.tool);
            let (answer, stand) = (Some(&answer), judged.stand);
            let happened =
                Happened { call: &call, tool: &tool, intent: &intent, facts: &facts, answer, stand };
            gate.after(&mut ledger, &happened);
        }
        let took = started.elapsed();
        if turn >= 500 {
            times.push(took);
        }
    }
    Ok(times)
}

fn median(mut times: Vec<Duration>) -> f64 {
    // The first round warms up.
    times.remove(0);
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

fn at(sorted: &[Duration], percent: usize) -> f64 {
    let index = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(index).map_or(0.0, |took| took.as_nanos() as f64 / 1000.0)
}
