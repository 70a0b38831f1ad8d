//! `bowline audit`: reading the trail.

mod filter;
mod shown;

pub(crate) use shown::describe;

use bowline_audit::read::{Follow, Integrity, Item, Stats, Trail, Verification};
use clap::{Args, Subcommand};

use crate::cli::Shared;
use crate::commands::BadUsage;
use crate::exit::Ending;
use crate::paint::{BAD, BOLD, DIM, GOOD, line, note, styled};

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// The last records.
    Tail(Tail),
    /// Records, oldest first; or all of one call.
    Show(Show),
    /// The trail in numbers.
    Stats(Selected),
    /// Whether anything was changed or is missing.
    Verify(Verify),
}

#[derive(Debug, Args)]
pub(crate) struct Tail {
    /// How many.
    #[arg(short = 'n', long, default_value_t = 20)]
    lines: usize,
    /// Wait for more, and show them as they come.
    #[arg(short, long)]
    follow: bool,
    #[command(flatten)]
    selected: Selected,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// One call, by the beginning of its id.
    call: Option<String>,
    /// At most this many.
    #[arg(short = 'n', long)]
    lines: Option<usize>,
    #[command(flatten)]
    selected: Selected,
}

#[derive(Debug, Args)]
pub(crate) struct Selected {
    #[command(flatten)]
    filter: filter::Arguments,
    /// For machines: one JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// For machines.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(shared: &Shared, command: Audit) -> anyhow::Result<Ending> {
    let (_, settings) = crate::wiring::settings(shared)?;
    let path = settings.audit.path;
    let trail = Trail::at(&path);
    let is_there = !trail.files()?.is_empty();
    if !is_there {
        note(format_args!("there is no trail at {}", path.display()));
    }
    match command {
        Audit::Tail(tail) => tail_of(&trail, shared, &tail)?,
        Audit::Show(show) => show_of(&trail, shared, &show)?,
        Audit::Stats(selected) => {
            let stats = trail.stats(selected.filter.to_filter(&shared.conversation, None)?);
            if selected.json { line(serde_json::to_string(&stats)?) } else { tell_stats(&stats) }
        }
        // What is not there cannot be vouched for.
        Audit::Verify(_) if !is_there => return Ok(Ending::Failed),
        Audit::Verify(verify) => return tell_verification(&trail.verify(), verify.json),
    }
    Ok(Ending::Well)
}

fn tail_of(trail: &Trail, shared: &Shared, tail: &Tail) -> Result<(), BadUsage> {
    let filter = tail.selected.filter.to_filter(&shared.conversation, Some(tail.lines))?;
    let mut follow = tail.follow.then(|| trail.follow());
    let json = tail.selected.json;
    let read = trail.tail(&filter).iter().all(|item| shown::print(item, json));
    if let (Some(follow), true) = (&mut follow, read) {
        let wanted = |item: &Item| item.entry().is_none_or(|entry| filter.passes(&entry.record));
        wait_for_more(follow, |item| !wanted(item) || shown::print(item, json));
    }
    Ok(())
}

/// Until interrupted, or nobody reads any more. A trail has no reader to tell, so it is looked at again and again.
fn wait_for_more(follow: &mut Follow, show: impl Fn(&Item) -> bool) {
    loop {
        let items = follow.poll();
        if !items.iter().all(&show) {
            return;
        }
        if items.is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    }
}

fn show_of(trail: &Trail, shared: &Shared, show: &Show) -> Result<(), BadUsage> {
    let filter = show
        .selected
        .filter
        .to_filter(&shared.conversation, if show.call.is_some() { None } else { show.lines })?;
    let wanted = |item: &Item| match &show.call {
        None => true,
        Some(begin) => item
            .entry()
            .and_then(|entry| entry.record.call_id)
            .is_some_and(|id| id.to_string().starts_with(begin.as_str())),
    };
    let mut found = false;
    for item in trail.select(filter).filter(wanted) {
        found = true;
        if !shown::print(&item, show.selected.json) {
            break;
        }
    }
    match &show.call {
        Some(call) if !found => Err(BadUsage(format!("no call in the trail begins with `{call}`"))),
        _ => Ok(()),
    }
}

fn tell_stats(stats: &Stats) {
    line(format_args!("{} calls, {} succeeded, {} failed", stats.calls, stats.succeeded, stats.failed));
    if let (Some(first), Some(last)) = (&stats.first, &stats.last) {
        line(styled(
            DIM,
            format_args!("from {first} to {last}, {} file(s), {} writer(s)", stats.files, stats.writers),
        ));
    }
    for (what, count) in [("malformed", stats.malformed), ("damaged", stats.damaged), ("lost", stats.lost)] {
        if count > 0 {
            line(styled(BAD, format_args!("{count} {what}")));
        }
    }
    for (verdict, count) in &stats.verdicts {
        line(format_args!("  {verdict:<8} {count}"));
    }
    for (event, count) in &stats.skill_events {
        line(format_args!("  {event:<36} {count}"));
    }
    if !stats.tools.is_empty() {
        line(styled(
            BOLD,
            format_args!("{:<28} {:>8} {:>8} {:>8} {:>8}", "tool", "calls", "failed", "p50 ms", "p95 ms"),
        ));
    }
    let number = |value: Option<u64>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    for (name, tool) in &stats.tools {
        let (p50, p95) = (number(tool.p50_ms), number(tool.p95_ms));
        line(format_args!("{name:<28} {:>8} {:>8} {p50:>8} {p95:>8}", tool.calls, tool.failed));
    }
}

fn tell_verification(found: &Verification, json: bool) -> anyhow::Result<Ending> {
    let integrity = found.integrity();
    if json {
        let mut value = serde_json::to_value(found)?;
        value["integrity"] = serde_json::to_value(integrity)?;
        line(value);
    } else {
        let verdict = match integrity {
            Integrity::Intact => styled(GOOD, "intact: every chain is whole and was ended"),
            Integrity::Unfinished => styled(
                GOOD,
                "whole as far as it goes: a writer still runs, or was killed before it could end its chain",
            ),
            Integrity::Broken => styled(BAD, "broken: something was changed, taken away, moved or added"),
        };
        line(format_args!("{} records of {} writer(s), {verdict}", found.records, found.writers.len()));
        for writer in found.writers.iter().filter(|writer| writer.integrity() == Integrity::Broken) {
            line(format_args!("  {}", serde_json::to_string(writer)?));
        }
        for damaged in &found.damaged.first {
            let at = damaged.line.map_or_else(String::new, |line| format!(":{line}"));
            line(format_args!("  {}{at}: {}", damaged.file.display(), damaged.damage));
        }
        for place in &found.unanswered.first {
            line(format_args!(
                "  {}:{}: an intent without an end",
                place.file.display(),
                place.line.unwrap_or(0)
            ));
        }
    }
    // A trail of which nothing can be read is no trail.
    let nothing = found.records == 0;
    Ok(if nothing || integrity == Integrity::Broken { Ending::Failed } else { Ending::Well })
}
