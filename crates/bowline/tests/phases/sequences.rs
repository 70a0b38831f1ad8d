//! All sequences of four calls over the names of the real tools.
//!
//! What a call gets depends on where the conversation stands and on nothing else; so each (place, call) is asked of the real
//! gate once, and the sequences are walked over what it said. That nothing else counts is shown by long random walks, in
//! which the gate is asked anew at each step.

use std::sync::OnceLock;

use bowline_call::Effect;
use bowline_gate::{KnownTools, Ledger, Table};
use serde_json::json;

use crate::promise::{Happening, Promise, Seen};
use crate::walk::{Walk, place};
use crate::{ENFORCED, named, specs, table};

/// Of the hosts', those of the one that is used most: the others are named otherwise and do the same.
const HOST: [&str; 8] = ["Edit", "Write", "NotebookEdit", "Bash", "Task", "Read", "Grep", "TodoWrite"];

pub(crate) const LENGTH: usize = 4;

/// Each tool as it is mostly called, and as a dry run where it has one, with the answer that opens most.
pub(crate) fn alphabet() -> Vec<Happening> {
    let specs = specs();
    let (tools, ours) = (named(&specs), specs.len());
    let answer = json!({"safe_to_apply": true, "success": true, "passed": true, "applied": true});
    let used =
        tools.iter().enumerate().filter(|(index, tool)| *index < ours || HOST.contains(&tool.name.as_str()));
    used.flat_map(|(_, tool)| {
        let most = Happening {
            tool: tool.name.clone(),
            effect: tool.most,
            arguments: json!({"apply": true, "file_path": "rope.go"}),
            answer: answer.clone(),
        };
        let dry = (tool.least < tool.most && tool.name != "Bash" && tool.name != "Task").then(|| Happening {
            effect: tool.least,
            arguments: json!({"dry_run": true, "file_path": "rope.go"}),
            ..most.clone()
        });
        [Some(most), dry]
    })
    .flatten()
    .collect()
}

/// Where each call leads from each place; None if it is refused.
struct Map {
    next: Vec<Vec<Option<usize>>>,
}

impl Map {
    fn draw(skill: &str, table: &Table, alphabet: &[Happening]) -> Self {
        let walk = Walk::new();
        let mut places: Vec<Ledger> = vec![walk.start(skill, table)];
        let mut next: Vec<Vec<Option<usize>>> = Vec::new();
        while next.len() < places.len() {
            let from = places[next.len()].clone();
            let row = alphabet.iter().map(|call| {
                let mut ledger = from.clone();
                walk.step(&mut ledger, call, true).then(|| {
                    let known = places.iter().position(|known| place(known) == place(&ledger));
                    known.unwrap_or_else(|| {
                        places.push(ledger);
                        places.len() - 1
                    })
                })
            });
            let row = row.collect();
            next.push(row);
        }
        Self { next }
    }
}

/// How many sequences there are, and how many of them wrote something.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) sequences: u64,
    pub(crate) that_wrote: u64,
}

/// The same for each skill, counted once.
pub(crate) fn counted(skill: &str) -> Counted {
    static ALL: OnceLock<Vec<Counted>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let (known, alphabet) = (KnownTools::new(&specs()), alphabet());
        ENFORCED.iter().map(|skill| count(skill, &table(skill, &known).1, &alphabet)).collect()
    });
    all[ENFORCED.iter().position(|known| *known == skill).unwrap()]
}

fn count(skill: &str, table: &Table, alphabet: &[Happening]) -> Counted {
    let (map, promise) = (Map::draw(skill, table, alphabet), Promise::of(skill));
    let mut counted = Counted::default();
    let mut stack = vec![(0_usize, 0_usize, Seen::default(), false)];
    while let Some((depth, at, seen, wrote)) = stack.pop() {
        for (index, call) in alphabet.iter().enumerate() {
            let (at, seen, wrote) = match map.next[at][index] {
                None => (at, seen, wrote),
                Some(next) => {
                    assert!(!promise.is_broken_by(seen, call), "{skill}: {call:?} after {seen:?}");
                    (next, promise.after(seen, call), wrote || call.effect == Effect::Write)
                }
            };
            if depth + 1 == LENGTH {
                counted.sequences += 1;
                counted.that_wrote += u64::from(wrote);
            } else {
                stack.push((depth + 1, at, seen, wrote));
            }
        }
    }
    counted
}

#[test]
fn no_sequence_of_four_calls_breaks_a_promise() {
    let alphabet = alphabet();
    let all = u64::try_from(alphabet.len()).unwrap().pow(u32::try_from(LENGTH).unwrap());
    for skill in ENFORCED {
        let counted = counted(skill);
        assert_eq!(counted.sequences, all, "{skill}");
        assert!(counted.that_wrote > 0, "{skill}: four calls are enough to write");
    }
}

/// A walk that the gate is asked about at every step.
#[test]
fn long_walks_keep_every_promise() {
    let (known, alphabet) = (KnownTools::new(&specs()), alphabet());
    let walk = Walk::new();
    // A generator of one's own: the same walks every time.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % below as u64).unwrap()
    };
    for skill in ENFORCED {
        let (_, table) = table(skill, &known);
        let (promise, map) = (Promise::of(skill), Map::draw(skill, &table, &alphabet));
        for _ in 0..50 {
            let (mut ledger, mut seen, mut at) = (walk.start(skill, &table), Seen::default(), 0);
            for _ in 0..60 {
                let index = draw(alphabet.len());
                let call = &alphabet[index];
                let ran = walk.step(&mut ledger, call, true);
                assert_eq!(ran, map.next[at][index].is_some(), "{skill}: the past counts for {call:?}");
                if ran {
                    assert!(!promise.is_broken_by(seen, call), "{skill}: {call:?}");
                    seen = promise.after(seen, call);
                    at = map.next[at][index].unwrap_or(at);
                }
            }
        }
    }
}
