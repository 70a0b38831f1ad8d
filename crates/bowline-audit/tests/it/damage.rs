//! Whoever lays hands on the trail is seen.

use std::fmt::Write;
use std::path::Path;

use bowline_audit::read::{Trail, Verification};
use insta::assert_snapshot;

use crate::{audit, call, damages, events, place, put, text};

/// Two writers with three calls each, the first one's lines before the second's: ten lines with `start` and `end`.
async fn trail(path: &Path) -> Vec<String> {
    for tool in ["first", "second"] {
        let audit = audit(path);
        for _ in 0..3 {
            call(&audit, tool).await;
        }
    }
    text(path).lines().map(str::to_owned).collect()
}

/// What checking says after the lines were changed like this.
async fn after(change: impl FnOnce(&mut Vec<String>)) -> String {
    let (_keep, path) = place();
    let mut lines = trail(&path).await;
    change(&mut lines);
    put(&path, lines.join("\n") + "\n");
    shown(&Trail::at(&path).verify())
}

fn shown(found: &Verification) -> String {
    let mut out = format!("{:?}, {} damaged", found.integrity(), found.damaged.total);
    for writer in &found.writers {
        let places = |places: &[bowline_audit::read::Place]| {
            places
                .iter()
                .map(|place| format!("{}@{}", place.seq, place.line.unwrap_or(0)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        write!(
            out,
            "\n{} records; missing {:?}; changed [{}]; broken [{}]; displaced [{}]; {}",
            writer.records,
            writer.missing_seq,
            places(&writer.changed.first),
            places(&writer.broken.first),
            places(&writer.displaced.first),
            if writer.ended { "ended" } else { "not ended" },
        )
        .unwrap();
    }
    out
}

#[tokio::test]
async fn an_untouched_trail_is_intact() {
    assert_snapshot!(after(|_| {}).await, @"
    Intact, 0 damaged
    5 records; missing []; changed []; broken []; displaced []; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn a_changed_byte_shows() {
    assert_snapshot!(after(|lines| lines[2] = lines[2].replace("\"success\":true", "\"success\":null")).await, @"
    Broken, 0 damaged
    5 records; missing []; changed [3@3]; broken []; displaced []; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn a_changed_number_shows() {
    assert_snapshot!(after(|lines| lines[2] = lines[2].replace("\"seq\":3", "\"seq\":9")).await, @"
    Broken, 0 damaged
    5 records; missing []; changed [9@3]; broken []; displaced []; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn a_deleted_line_shows() {
    assert_snapshot!(after(|lines| drop(lines.remove(2))).await, @"
    Broken, 0 damaged
    4 records; missing [3..=3]; changed []; broken []; displaced []; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn swapped_lines_show() {
    assert_snapshot!(after(|lines| lines.swap(2, 3)).await, @"
    Broken, 0 damaged
    5 records; missing []; changed []; broken []; displaced [3@4]; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn a_line_that_is_there_twice_shows() {
    assert_snapshot!(after(|lines| lines.insert(2, lines[1].clone())).await, @"
    Broken, 0 damaged
    6 records; missing []; changed []; broken []; displaced [2@3]; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn a_cut_off_beginning_shows() {
    assert_snapshot!(after(|lines| drop(lines.drain(..2))).await, @"
    Broken, 0 damaged
    3 records; missing [1..=2]; changed []; broken []; displaced []; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn a_cut_off_end_looks_like_a_killed_writer() {
    assert_snapshot!(after(|lines| lines.truncate(8)).await, @"
    Unfinished, 0 damaged
    5 records; missing []; changed []; broken []; displaced []; ended
    3 records; missing []; changed []; broken []; displaced []; not ended
    ");
}

#[tokio::test]
async fn a_line_made_unreadable_is_missed_by_its_chain() {
    assert_snapshot!(after(|lines| "?".clone_into(&mut lines[2])).await, @"
    Broken, 1 damaged
    4 records; missing [3..=3]; changed []; broken []; displaced []; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn a_record_with_a_new_hash_does_not_fit_the_next() {
    let forge = |lines: &mut Vec<String>| {
        let (content, _) = lines[2].split_once(",\"hash\":\"").unwrap();
        let content = content.replace("\"success\":true", "\"success\":false");
        lines[2] = format!("{content},\"hash\":\"{}\"}}", blake3::hash(content.as_bytes()).to_hex());
    };
    assert_snapshot!(after(forge).await, @"
    Broken, 0 damaged
    5 records; missing []; changed []; broken [4@4]; displaced []; ended
    5 records; missing []; changed []; broken []; displaced []; ended
    ");
}

#[tokio::test]
async fn a_torn_last_line_is_reported_and_skipped() {
    let (_keep, path) = place();
    let lines = trail(&path).await;
    put(&path, format!("{}\n{}", lines[..3].join("\n"), &lines[3][..100]));
    assert_eq!(damages(&path), ["4: the line is torn"]);
    assert_eq!(events(&path), ["start", "call first", "call first"]);
    assert_snapshot!(shown(&Trail::at(&path).verify()), @"
    Unfinished, 1 damaged
    3 records; missing []; changed []; broken []; displaced []; not ended
    ");
}

#[tokio::test]
async fn a_whole_last_line_without_its_end_counts() {
    let (_keep, path) = place();
    let lines = trail(&path).await;
    put(&path, lines.join("\n"));
    assert_eq!(events(&path).len(), 10);
    assert_eq!(damages(&path), Vec::<String>::new());
}

#[tokio::test]
async fn a_record_behind_a_torn_one_is_found() {
    let (_keep, path) = place();
    let lines = trail(&path).await;
    put(&path, format!("{}{}\n{}\n", &lines[1][..150], lines[0], "x".repeat(100_000)));
    assert_eq!(events(&path), ["start"]);
    assert_eq!(damages(&path), ["1: the line is torn", "2: the line is too long to be a record"]);
}
