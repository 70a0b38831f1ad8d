//! Which records are wanted, as the command line says it.

use std::time::{Duration, SystemTime};

use bowline_audit::Event;
use bowline_audit::read::Filter;
use bowline_call::Effect;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::commands::BadUsage;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this tool; `*` stands for any characters.
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Only what did not succeed.
    #[arg(long)]
    failed: bool,
    /// Only calls that were judged so.
    #[arg(long, value_parser = ["allow", "warn", "ask", "refuse"])]
    verdict: Option<String>,
    /// Only calls that did so much.
    #[arg(long, value_enum)]
    effect: Option<EffectWord>,
    /// Only this kind of record.
    #[arg(long, value_parser = PossibleValuesParser::new(Event::ALL.map(Event::as_str)))]
    event: Option<String>,
    /// Only what is about this skill; `*` stands for any characters.
    #[arg(long, value_name = "NAME")]
    skill: Option<String>,
    /// Not before: a moment (2026-11-16 or 2026-11-16T08:30:00Z) or an age (90s, 15m, 2h, 7d).
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Before, likewise.
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EffectWord {
    Read,
    Draft,
    Write,
    Run,
}

impl From<EffectWord> for Effect {
    fn from(word: EffectWord) -> Self {
        match word {
            EffectWord::Read => Self::Read,
            EffectWord::Draft => Self::Draft,
            EffectWord::Write => Self::Write,
            EffectWord::Run => Self::Run,
        }
    }
}

impl Arguments {
    /// The conversation is the one that `--conversation` names, as everywhere else.
    pub(super) fn to_filter(
        &self,
        conversation: &Option<String>,
        limit: Option<usize>,
    ) -> Result<Filter, BadUsage> {
        let now = SystemTime::now();
        let moment = |text: &Option<String>| text.as_deref().map(|text| when(text, now)).transpose();
        Ok(Filter {
            tool: self.tool.clone(),
            conversation: conversation.clone(),
            since: moment(&self.since)?,
            until: moment(&self.until)?,
            failed: self.failed,
            effect: self.effect.map(Effect::from),
            verdict: self.verdict.clone(),
            event: self
                .event
                .as_deref()
                .and_then(|word| Event::ALL.into_iter().find(|event| event.as_str() == word)),
            skill: self.skill.clone(),
            limit,
        })
    }
}

fn when(text: &str, now: SystemTime) -> Result<SystemTime, BadUsage> {
    let wrong = || BadUsage(format!("`{text}` is neither a moment (2026-11-16T08:30:00Z) nor an age (15m)"));
    if let Some(age) = age(text) {
        return now.checked_sub(age).ok_or_else(wrong);
    }
    bowline_std::clock::parse_rfc3339(text).ok_or_else(wrong)
}

fn age(text: &str) -> Option<Duration> {
    let (number, seconds) = match text.chars().last()? {
        's' => (&text[..text.len() - 1], 1),
        'm' => (&text[..text.len() - 1], 60),
        'h' => (&text[..text.len() - 1], 3600),
        'd' => (&text[..text.len() - 1], 86_400),
        _ => return None,
    };
    Some(Duration::from_secs(number.parse::<u64>().ok()?.checked_mul(seconds)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_moments() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let seconds = |text: &str| {
            when(text, now).map(|at| at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs())
        };
        assert_eq!(seconds("90s").unwrap(), 999_910);
        assert_eq!(seconds("2h").unwrap(), 992_800);
        assert_eq!(seconds("2000-02-29").unwrap(), 951_782_400);
        assert_eq!(seconds("2026-11-16T08:30:00Z").unwrap(), 1_794_817_800);
        for wrong in ["", "soon", "2026-13-01", "é", "99999999999999999999d"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
