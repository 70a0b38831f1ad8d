//! The installed program is the judge: whatever files it opens with any option of its help, the tables said.

mod ground;
mod help;
mod judge;
mod programs;
mod verdict;

use std::collections::BTreeSet;

use self::judge::{Names, judge_all, tell};

/// Options that are in doubt although the program only reads with them. Most of them run or write something with other values.
const MAX_DOUBTED: usize = 30;
const MAX_DOUBTED_OF_ONE: usize = 8;
/// Files that are said to be read, and are only looked at: by `ls`, `stat` and their like.
const MAX_INVENTED: usize = 1_000;

#[test]
fn what_programs_read_and_write_was_said() {
    let counts = judge_all(programs::READERS);
    tell(&counts);
    assert!(counts.missed.is_empty(), "not said: {:#?}", counts.missed);
    if !judge::variable("BOWLINE_PROGRAMS").is_empty() {
        return;
    }
    assert_eq!(counts.absent_of_base, Vec::<String>::new(), "these belong to every system");
    assert!(counts.pairs_of_base > 1_000 && counts.pairs_that_ran > 700, "too little was judged");
    let size = |map: &Names| map.values().map(BTreeSet::len).sum::<usize>();
    assert!(size(&counts.doubted) <= MAX_DOUBTED, "ordinary options are in doubt: {:#?}", counts.doubted);
    let most = counts.doubted.values().map(BTreeSet::len).max().unwrap_or_default();
    assert!(
        most <= MAX_DOUBTED_OF_ONE,
        "too many options of one program are in doubt: {:#?}",
        counts.doubted
    );
    assert!(size(&counts.invented) <= MAX_INVENTED, "no files, taken for files: {:#?}", counts.invented);
}

/// Commands by hand that read `.env` or write into `prot` in odd ways, or search without doing either. `␤` is a line break.
const BY_HAND: &str = include_str!("options/by_hand.txt");

/// Bash runs each of them.
#[test]
fn odd_commands_were_said() {
    let mut ground = ground::Ground::new();
    let path = judge::variable("PATH");
    let Some(bash) = judge::installed("bash", &path) else { return };
    let surroundings = bowline_command::Surroundings { cwd: Some(ground.work()), ..Default::default() };
    let (mut missed, mut telling, mut doubted) = (Vec::new(), 0, Vec::new());
    let commands = BY_HAND.lines().filter(|line| !line.is_empty());
    for command in commands.map(|line| line.replace('␤', "\n")) {
        let words = ["bash", "--norc", "--noprofile", "-c", &command].map(str::to_owned);
        let mut seen = ground.run(&bash, &words, &path);
        seen.read.clone_from(&seen.opened);
        let script = bowline_command::read(&command, &surroundings);
        let verdict = verdict::judge(&script, &seen, &ground.work());
        telling += usize::from(seen.ran || !seen.changed.is_empty() || !seen.read.is_empty());
        if verdict.is_plain && verdict.is_doubted {
            doubted.push(command.clone());
        }
        missed.extend(verdict.missed.into_iter().map(|what| format!("{command}: {what}")));
    }
    judge::say(&format!(
        "{telling} odd commands read, write or run something; in doubt though they only read: {doubted:#?}"
    ));
    assert!(telling > 200, "too few do anything: {telling}");
    assert!(missed.is_empty(), "not said: {missed:#?}");
}
