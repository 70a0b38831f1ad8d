//! Ranges and git's own words, as data. What needs a repository is in `tests/it/changes.rs`.

use super::LineRange;
use super::parse::{Hunk, Letter, entries};
use super::range::{Range, parse};
use super::since::shift;

fn refused(range: &str) -> String {
    parse(range).unwrap_err().to_string()
}

#[test]
fn ranges_are_names_of_commits_and_nothing_else() {
    assert_eq!(parse("main..HEAD").unwrap(), Range::Between("main", "HEAD"));
    assert_eq!(parse("main...topic").unwrap(), Range::SinceParting("main", "topic"));
    assert_eq!(parse("v1.2").unwrap(), Range::Between("v1.2", "HEAD"));
    let advice = "write `main..HEAD`, `main...HEAD` or one commit";
    let why = |range: &str, why: &str| {
        assert_eq!(refused(range), format!("`{range}` is no range of commits: {why}; {advice}"));
    };
    why("", "one side is empty");
    why("..", "one side is empty");
    why("main..", "one side is empty");
    why("...HEAD", "one side is empty");
    why("--output=x", "a side begins with `-`");
    why("HEAD..--output=x", "a side begins with `-`");
    why("a..b..c", "it has more than two sides");
    why("a....b", "it has more than two sides");
    why("HEAD x", "it holds white space or control characters");
    why("HEAD\n--all", "it holds white space or control characters");
    why("HEAD\0", "it holds white space or control characters");
    assert!(refused(&"x".repeat(2000)).contains("it is too long"));
}

#[test]
fn lines_that_were_taken_away_touch_what_is_around_them() {
    let taken = LineRange { first: 5, last: 4 };
    assert!(taken.touches(1, 9) && taken.touches(4, 5));
    assert!(!taken.touches(1, 4) && !taken.touches(5, 9));
    let changed = LineRange { first: 4, last: 5 };
    assert!(changed.touches(1, 4) && changed.touches(5, 9) && !changed.touches(6, 9));
    assert!(LineRange::WHOLE.touches(1, 1));
}

fn seen(said: &[u8]) -> Vec<String> {
    let show = |ranges: &Vec<LineRange>| -> String {
        ranges.iter().map(|range| format!(" {}-{}", range.first, range.last)).collect()
    };
    let entries = entries(said).unwrap();
    let shown = entries.iter().map(|entry| {
        let lines = entry.lines().as_ref().map_or(" unknown".to_owned(), show);
        format!("{:?} {}{lines}", entry.letter, entry.path.escape_ascii())
    });
    shown.collect()
}

const HASHES: &str = "71ac1b5791204c80666ab1a4f9886b79e982739c 10210b7e751aad6ce2842088ee52d0200bd663b5";

#[test]
fn a_file_cannot_pass_for_a_head() {
    let said = format!(
        ":100644 100644 {HASHES} M\0a\nb\0:100644 100644 {HASHES} M\0c\0\0diff --git \"a/a\\nb\" \"b/a\\nb\"\n\
         @@ -1 +1,2 @@ diff --git a/x b/x\n-diff --git a/x b/x\n+@@ -1 +7 @@\n+diff --git\n\
         diff --git a/c b/c\n@@ -4,2 +3,0 @@\n-x\n-y\n@@ -9 +7 @@\n-x\n+y\n"
    );
    assert_eq!(seen(said.as_bytes()), ["Modified a\\nb 1-2", "Modified c 4-3 7-7"]);
}

#[test]
fn what_does_not_add_up_has_no_lines() {
    let one = format!(":100644 100644 {HASHES} M\0a\0");
    assert_eq!(seen(one.as_bytes()), ["Modified a unknown"], "names alone were asked for");
    let two = format!("{one}\0diff --git a/a b/a\n@@ -1 +1 @@\ndiff --git a/b b/b\n");
    assert_eq!(seen(two.as_bytes()), ["Modified a unknown"]);
    let binary = format!("{one}\0diff --git a/a b/a\nBinary files a/a and b/a differ\n");
    assert_eq!(seen(binary.as_bytes()), ["Modified a unknown"]);
    assert_eq!(seen(b""), [""; 0]);
    for broken in [&b":"[..], b":1 2 3 4 M\0", b":1 2\0a\0", b":1 2 3 4 R\0a\0", b":\xff 2 3 4 M\0a\0"] {
        assert!(entries(broken).is_err(), "{}", broken.escape_ascii());
    }
    let touched = format!("{one}:100644 100644 {HASHES} M\0b\0\0diff --git a/b b/b\n@@ -1 +1 @@\n");
    assert_eq!(seen(touched.as_bytes()), ["Modified b 1-1"], "of the first only the time is another");
    assert_eq!(seen(format!("{one}\0").as_bytes()), [""; 0]);
    assert_eq!(seen(format!("{one}\0diff --git a/a b/a\n").as_bytes()), [""; 0]);
    let strange = format!("{one}\0diff --git a/a b/a\n@@ -1 +99999999999 @@\n@@ \n@@ -1 +4294967295,9 @@\n");
    assert_eq!(seen(strange.as_bytes()), ["Modified a"]);
    assert_eq!(entries(one.as_bytes()).unwrap()[0].letter, Letter::Modified);
}

/// `-4,2 +3,0` as git writes it, but with first and last lines: `4-5>4-3`.
fn shifted(ranges: &str, hunks: &str) -> String {
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap();
        LineRange { first: first.parse().unwrap(), last: last.parse().unwrap_or(u32::MAX) }
    };
    let hunk = |text: &str| {
        let (old, new) = text.split_once('>').unwrap();
        Hunk { old: range(old), new: range(new) }
    };
    let ranges: Vec<LineRange> = ranges.split_whitespace().map(range).collect();
    let hunks: Vec<Hunk> = hunks.split_whitespace().map(hunk).collect();
    let show = |range: &LineRange| match range.last {
        u32::MAX => format!("{}-", range.first),
        last => format!("{}-{last}", range.first),
    };
    shift(&ranges, &hunks).iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn lines_follow_what_was_done_to_the_file_later() {
    assert_eq!(shifted("3-4 9-8", ""), "3-4 9-8");
    assert_eq!(shifted("3-4 9-8", "1-0>1-4"), "7-8 13-12", "four lines above");
    assert_eq!(shifted("3-4", "5-4>5-9"), "3-4", "below");
    assert_eq!(shifted("7-8 9-10", "1-2>1-0 8-8>6-7"), "5-9", "two gone above, the second line made two");
    assert_eq!(shifted("3-6", "5-4>5-9"), "3-4 10-11", "what came between is not of this change");
    assert_eq!(shifted("3-6", "1-9>1-2"), "1-2", "replaced as a part of more");
    assert_eq!(shifted("3-6", "5-9>5-5"), "3-5", "the end replaced with what follows");
    assert_eq!(shifted("3-6", "3-6>3-2"), "3-2", "taken away");
    assert_eq!(shifted("3-6", "4-4>4-3"), "3-5", "a line less");
    assert_eq!(shifted("3-3 5-5", "2-6>2-2"), "2-2", "both in one");
    assert_eq!(shifted("1-", "3-2>3-4"), "1-2 5-", "a whole file but for what came later");
    assert_eq!(shifted("1-", ""), "1-");
    // Where lines were taken away.
    assert_eq!(shifted("5-4", "5-4>5-6"), "5-4", "before what came there later");
    assert_eq!(shifted("5-4", "4-5>4-8"), "4-8", "what was around it has been replaced");
    assert_eq!(shifted("5-4", "5-6>5-8"), "5-4");
    assert_eq!(shifted("5-4", "3-4>3-8"), "9-8");
    assert_eq!(shifted("5-4", "2-3>2-1"), "3-2");
}
