//! Commands of an attacker, written by hand: what real shells make of them was seen, or is doubted.

use std::path::Path;

use bowline_command::{Access, ShellKind, Surroundings};

use crate::bash::{Judge, Playground};
use crate::generated::covers;
use crate::runs;

/// Files behind descriptors, one text on each line.
const DESCRIPTORS: &str = include_str!("by_hand/descriptors.txt");

/// What shells read in their own ways. `⏎` is the end of a line.
const SHELLS: &str = include_str!("by_hand/shells.txt");

/// How many texts do something, and which of them were not seen.
fn judged(list: &str, judge: Judge, shell: ShellKind) -> (usize, Vec<String>) {
    let playground = Playground::new();
    let home = playground.work().parent().map(Path::to_path_buf);
    let surroundings = Surroundings { cwd: Some(playground.work()), home, shell };
    let (mut done, mut missed) = (0, Vec::new());
    for text in list.lines() {
        let text = text.replace('⏎', "\n");
        let script = bowline_command::read(&text, &surroundings);
        let left = playground.run(judge, &text);
        done += usize::from(left.has_mark || left.has_change || left.has_leak);
        let is_seen = !script.doubts.is_empty()
            || (!left.has_mark || runs(&script, "evil"))
                && (!left.has_change || covers(&script, Access::Write, &playground.guarded()))
                && (!left.has_leak || covers(&script, Access::Read, &playground.secret()));
        if !is_seen {
            missed.push(format!("{text:?}: {left:?}"));
        }
    }
    (done, missed)
}

fn assert_seen(list: &str, least: usize) {
    for (judge, shell) in [(Judge::Bash, ShellKind::Bash), (Judge::Dash, ShellKind::Unknown)] {
        if judge.is_there() {
            let (done, missed) = judged(list, judge, shell);
            assert!(missed.is_empty(), "{judge:?}:\n{}", missed.join("\n"));
            assert!(done >= least, "{judge:?}: only {done} texts do something");
        }
    }
}

#[test]
fn no_descriptor_hides_a_file() {
    assert_seen(DESCRIPTORS, 100);
}

#[test]
fn no_shell_does_what_was_not_seen() {
    assert_seen(SHELLS, 120);
}
