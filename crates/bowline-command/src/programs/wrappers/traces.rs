//! Wrappers that look at what a command does, and write down what they see: `perf`, `valgrind`.

use super::users::run_or_shell;
use super::{doubt_options, uses};
use crate::programs::Meaning;
use crate::programs::line::{Order, parse};
use crate::{Pin, Word};

/// Values are attached to its options; those that end so name files.
const VALGRIND_WRITES: &[&str] =
    &["log-file", "xml-file", "out-file", "xtree-memory-file", "xtree-leak-file"];

pub(super) fn valgrind(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let is_option = |word: &&Word| word.start().starts_with('-');
    let count = words[1..].iter().take_while(is_option).count();
    let (options, command) = words[1..].split_at(count);
    for option in options {
        let name = option.start().split('=').next().unwrap_or_default();
        let value = option.after(name.len() + 1);
        if VALGRIND_WRITES.iter().any(|end| name.ends_with(end)) {
            meaning.writes(&value, false);
        } else if name.ends_with("suppressions") && !name.contains("gen") {
            meaning.reads(&value);
        } else if name.ends_with("db-command") || (option.literal().is_none() && value.start().is_empty()) {
            meaning.unreadable(format!("what `{}` does cannot be told", option.shown()));
        }
    }
    if command.first().is_some_and(Word::may_be_option) {
        meaning.unreadable("which command `valgrind` runs is known only when it runs");
    }
    run_or_shell(command.to_vec(), false, &mut meaning);
    meaning
}

const PERF: &str = "A/no-aggr a/all-cpus B/big-num/no-buildid C/cpu= D/delay= d/detailed/data e/event= F/freq= f/force G/cgroup= \
    g/group H/all-hypervisor I? i/input=<? j K k/clockid= M= m/mmap-pages= N/no-buildid-cache n/null/no-samples o/output=> \
    P/period p/pid= q/quiet R/raw-samples r/repeat= S/sync/with-summary/snapshot s/stat/summary T/transaction/timestamp/time t/tid= u/uid= \
    v/verbose W/weight x/field-separator= z/compression-level? all-cgroups all-kernel all-user append call-graph= control= \
    duration= errno-summary failure filter= for-each-cgroup= interval-clear interval-count= interval-print= \
    json-output log-fd= max-events= max-stack= metric-only metrics= no-inherit no-merge no-csv-summary per-core per-die per-node \
    per-socket per-thread sched timeout= topdown sorted-key= overwrite strict-freq sample-cpu namespaces";

/// `perf stat make test`. What it samples it writes to `perf.data`.
pub(super) fn perf(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    match words.get(1).and_then(Word::literal) {
        None | Some("list" | "version" | "--version" | "help" | "--help") => {}
        Some(sub @ ("stat" | "record" | "trace")) => {
            let line = parse(&words[1..], PERF, Order::First);
            doubt_options(&words[1..], &line, &mut meaning);
            uses(words, &line, &mut meaning);
            if sub == "record" && !line.has("o") {
                meaning.writes_at("perf.data", false);
                meaning.writes_at("perf.data.old", false);
            }
            let rest: Vec<Word> = line.words().cloned().collect();
            let skip = usize::from(matches!(rest.first().and_then(Word::literal), Some("record" | "report")));
            if skip == 1 && sub != "record" {
                meaning.unreadable("which command `perf` runs cannot be told");
            }
            run_or_shell(rest, false, &mut meaning);
        }
        Some(sub @ ("report" | "annotate" | "script" | "diff" | "top")) => {
            let is_plain = words[2..].iter().all(|word| word.literal() == Some("--stdio"));
            if !is_plain || sub == "top" || sub == "script" {
                meaning.opaque(Pin::Everything, "`perf` may run scripts and write files");
            }
            meaning.reads(&Word::Literal("perf.data".to_owned()));
        }
        Some(_) => meaning.opaque(Pin::Everything, "`perf` may run scripts and write files"),
    }
    meaning
}
