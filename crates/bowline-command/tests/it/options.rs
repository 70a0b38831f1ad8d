//! The installed program is the judge: whatever files it opens with any option of its help, the tables said.

mod ground;
mod help;
mod judge;
mod programs;
mod verdict;

use self::judge::{judge_all, tell};

#[test]
fn what_programs_read_and_write_was_said() {
    let counts = judge_all(programs::READERS);
    tell(&counts);
    if !judge::variable("BOWLINE_PROGRAMS").is_empty() {
        return;
    }
    assert_eq!(counts.absent_of_base, Vec::<String>::new(), "these belong to every system");
    assert!(counts.pairs > 1_000 && counts.pairs_that_ran > 600, "too little was judged");
    let missed: usize = counts.missed.values().map(std::collections::BTreeSet::len).sum();
    assert!(missed < 2_500, "not said: {:#?}", counts.missed);
}
