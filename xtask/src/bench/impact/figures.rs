//! The figures of both side by side, and whether what they found is true.

use std::time::Duration;

use serde_json::{Value, json};

use super::Rounds;
use super::project::{CALLS_IN_TESTS, CALLS_OUTSIDE, FUNCTIONS, Found, Language};
use crate::bench::measure::percentile;
use crate::bench::table::Table;

/// How many times faster than the peer we want to be.
const COLD: f64 = 3.0;
const WARM: f64 = 10.0;

/// One answer, or the last of several calls.
pub(super) struct Outcome {
    pub(super) took: Duration,
    pub(super) calls: usize,
    pub(super) found: Found,
    pub(super) engine: Option<String>,
    pub(super) fault: Option<String>,
}

/// All answers of one program.
#[derive(Default)]
pub(super) struct Side {
    /// From the start of the program, every cache empty.
    pub(super) cold: Vec<Outcome>,
    /// The call alone.
    pub(super) warm: Vec<Outcome>,
    /// From the start of a new process, with what the first one kept.
    pub(super) again: Vec<Outcome>,
}

/// What is made of several answers to the same.
struct Figure {
    millis: Option<f64>,
    /// What the worst of them found.
    found: Found,
    is_right: bool,
    calls: usize,
    engine: String,
    fault: Option<String>,
}

impl Figure {
    fn of(outcomes: &[Outcome]) -> Self {
        let mut millis: Vec<f64> = outcomes.iter().map(|one| one.took.as_secs_f64() * 1000.0).collect();
        let worst = outcomes.iter().min_by_key(|one| {
            let Found { symbols, in_tests, elsewhere, false_ones } = one.found;
            (symbols + in_tests + elsewhere).saturating_sub(false_ones)
        });
        let found = worst.map(|one| one.found.clone()).unwrap_or_default();
        Self {
            millis: (!millis.is_empty()).then(|| percentile(&mut millis, 50)),
            is_right: found.is_whole(),
            found,
            calls: outcomes.iter().map(|one| one.calls).max().unwrap_or(0),
            engine: outcomes.last().and_then(|one| one.engine.clone()).unwrap_or_default(),
            fault: outcomes.iter().find_map(|one| one.fault.clone()),
        }
    }

    fn time(&self) -> String {
        match self.millis {
            None => "no answer".into(),
            Some(millis) if millis >= 1000.0 => format!("{:.2} s", millis / 1000.0),
            Some(millis) => format!("{millis:.1} ms"),
        }
    }

    fn callers(&self) -> String {
        let Found { symbols, in_tests, elsewhere, false_ones } = &self.found;
        let mut said = format!("{} of {}", in_tests + elsewhere, CALLS_IN_TESTS + CALLS_OUTSIDE);
        if *symbols != FUNCTIONS {
            said.push_str(&format!(", {symbols} symbols"));
        }
        if *false_ones > 0 {
            said.push_str(&format!(", {false_ones} false"));
        }
        if !self.is_right {
            said.push_str(" ✗");
        }
        said
    }

    fn in_json(&self) -> Value {
        json!({
            "ms": self.millis, "right": self.is_right, "calls": self.calls, "engine": self.engine,
            "symbols": self.found.symbols, "callers_in_tests": self.found.in_tests,
            "callers_elsewhere": self.found.elsewhere, "false_callers": self.found.false_ones,
            "fault": self.fault,
        })
    }
}

pub(super) fn compare(language: &Language, ours: &Side, peer: &Side, rounds: &Rounds) -> (Table, Value) {
    let (mut rows, mut values) = (Vec::new(), serde_json::Map::new());
    for (what, of, target) in [
        ("cold", (|side| &side.cold) as fn(&Side) -> &Vec<Outcome>, COLD),
        ("asked again", |side| &side.warm, WARM),
        ("new process, cache kept", |side| &side.again, 0.0),
    ] {
        let (ours, peer) = (Figure::of(of(ours)), Figure::of(of(peer)));
        let ratio = ours.millis.zip(peer.millis).map(|(ours, peer)| peer / ours);
        let met = match ratio {
            _ if target == 0.0 => "",
            Some(ratio) if ratio >= target && ours.is_right => "met",
            _ => "missed",
        };
        rows.push(vec![
            what.to_owned(),
            ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2}")),
            if target > 0.0 { format!("≥ {target}") } else { String::new() },
            met.to_owned(),
            ours.time(),
            ours.callers(),
            calls(&ours),
            peer.time(),
            peer.callers(),
            calls(&peer),
        ]);
        for (who, figure) in [("bowline", &ours), ("agent-lsp", &peer)] {
            if let Some(fault) = &figure.fault {
                println!("  {what}, {who}: {fault}");
            }
        }
        values.insert(
            what.to_owned(),
            json!({
                "ratio": ratio, "target": (target > 0.0).then_some(target), "met": met,
                "bowline": ours.in_json(), "peer": peer.in_json(),
            }),
        );
    }
    let table = Table {
        title: format!(
            "blast_radius of a file with {FUNCTIONS} functions, 300 files, {}; medians of {} starts and {} calls after each; \
             ✗: not all callers, or others",
            language.server, rounds.cold, rounds.warm
        ),
        columns: vec![
            "",
            "agent-lsp ÷ bowline",
            "target",
            "",
            "bowline",
            "callers",
            "calls, by",
            "agent-lsp",
            "callers",
            "calls",
        ],
        rows,
    };
    (table, values.into())
}

/// How many it took until all was found, and who answered.
fn calls(figure: &Figure) -> String {
    format!("{} {}", figure.calls, figure.engine).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::impact::project::LANGUAGES;

    fn outcome(millis: u64, elsewhere: usize) -> Outcome {
        let found = Found { symbols: FUNCTIONS, in_tests: CALLS_IN_TESTS, elsewhere, false_ones: 0 };
        Outcome { took: Duration::from_millis(millis), calls: 1, found, engine: None, fault: None }
    }

    #[test]
    fn a_target_is_met_by_right_answers_only() {
        let side = |cold, warm, found| Side {
            cold: vec![outcome(cold, found)],
            warm: vec![outcome(warm, found)],
            again: Vec::new(),
        };
        let rounds = Rounds { cold: 1, warm: 1 };
        let peer = side(4000, 100, CALLS_OUTSIDE);
        let (table, values) = compare(&LANGUAGES[0], &side(1000, 20, CALLS_OUTSIDE), &peer, &rounds);
        assert_eq!(table.rows[0][..4], ["cold", "4.00", "≥ 3", "met"]);
        assert_eq!(table.rows[1][..4], ["asked again", "5.00", "≥ 10", "missed"]);
        assert_eq!(table.rows[2][4], "no answer");
        assert_eq!(values["cold"]["bowline"]["right"], true);
        let (table, _) = compare(&LANGUAGES[0], &side(1000, 1, 7), &peer, &rounds);
        assert_eq!((table.rows[0][3].as_str(), table.rows[0][5].as_str()), ("missed", "297 of 1490 ✗"));
    }
}
