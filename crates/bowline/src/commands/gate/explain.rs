//! The same in words.

use bowline_dispatch::Foreseen;
use bowline_gate::{Access, CommandFact, Verdict};

use super::{Shown, about};
use crate::paint::{BAD, BOLD, DIM, GOOD, line, styled, tame};

pub(super) fn show(shown: &Shown<'_>) {
    match shown {
        Shown::Nonsense(reason) => line(format_args!("{}: {}", styled(BAD, "refused"), tame(reason))),
        Shown::Stop(end) => match (&end.feedback, end.skipped) {
            (None, None) => line(format_args!("the end: {}", styled(GOOD, "complete"))),
            (None, Some(why)) => line(format_args!("the end: {} ({why})", styled(GOOD, "nobody looks"))),
            (Some(left), _) => {
                line(format_args!("the end: {}", styled(BAD, "not complete")));
                left.lines().for_each(|left| line(format_args!("  {}", tame(left))));
            }
        },
        Shown::Call(foreseen) => explain(foreseen),
    }
}

fn explain(foreseen: &Foreseen) {
    line(format_args!("{} {}", styled(BOLD, tame(&foreseen.call.tool)), tame(&about(foreseen))));
    line(format_args!("  effect: {}", foreseen.intent.effect.as_str()));
    for command in &foreseen.facts.commands {
        understood(command);
    }
    for path in &foreseen.facts.paths {
        match &path.real {
            Ok(real) if *real != path.absolute => {
                line(format_args!("  file: {} leads to {}", path.absolute.display(), real.display()));
            }
            Ok(real) => line(format_args!("  file: {}", real.display())),
            Err(why) => line(format_args!("  file: {}: {}", path.absolute.display(), tame(why))),
        }
    }
    for (name, verdict) in &foreseen.each {
        let rule =
            if verdict.rule() == *name { String::new() } else { format!(" ({})", tame(verdict.rule())) };
        match verdict.objection() {
            None => line(styled(DIM, format_args!("  {name}: {}{rule}", verdict.word()))),
            Some(objection) => {
                line(format_args!("  {name}: {}{rule}: {}", verdict.word(), tame(&objection.reason)));
            }
        }
    }
    let verdict = &foreseen.judgement.verdict;
    let (style, word) = match verdict {
        Verdict::Allow { .. } => (GOOD, "allowed"),
        Verdict::Warn(_) => (GOOD, "allowed, with a warning"),
        Verdict::Ask(_) => (BOLD, "asked about"),
        Verdict::Refuse(_) => (BAD, "refused"),
    };
    line(format_args!("  → {} by {}", styled(style, word), tame(verdict.rule())));
    if let Some(objection) = verdict.objection() {
        line(format_args!("    {}", tame(&objection.recovery)));
    }
    for feedback in &foreseen.feedback {
        line(format_args!("    {}", tame(feedback)));
    }
    if let Some(offer) = &foreseen.judgement.offer {
        line(format_args!("    a yes can be remembered as: {}", tame(&offer.join(", "))));
    }
}

/// What was read in a command line.
fn understood(command: &CommandFact) {
    for one in &command.script.commands {
        let words = one.words.iter().map(|word| match word {
            bowline_gate::Word::Literal(text) => tame(text).to_string(),
            bowline_gate::Word::Unknown { text, .. } => format!("‹{}›", tame(text)),
        });
        let words: Vec<String> = words.collect();
        let what = if one.is_wrapper { "wraps" } else { "runs" };
        line(format_args!("  {what}: {}", words.join(" ")));
    }
    for touched in &command.touched {
        let what = match touched.access {
            Access::Read => "reads",
            Access::Write => "writes",
            Access::Execute => "runs code in",
        };
        let below = if touched.is_deep { ", and everything below" } else { "" };
        let paths: Vec<String> =
            touched.readings.iter().map(|path| path.absolute.display().to_string()).collect();
        line(format_args!("  {what}: {}{below}", tame(&paths.join(" or "))));
    }
    for doubt in &command.script.doubts {
        line(format_args!("  not known: {}", tame(doubt.text())));
    }
}
