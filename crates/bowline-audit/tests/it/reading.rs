//! Reading the trail back: filters, the last few, and numbers.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bowline_audit::read::{Filter, Item, Trail};
use bowline_audit::{Audit, Closing, Event, Options};
use bowline_call::Effect;
use bowline_std::clock::HeldClock;
use insta::assert_json_snapshot;

use crate::{call, closing, events, open, opening, place, put, text};

/// One call per second; every third fails, and is slow.
async fn trail(path: &Path, max_bytes: u64) {
    let clock = Arc::new(HeldClock::at(0));
    let audit = Audit::open(Options { max_bytes, ..Options::at(path) }, clock.clone());
    for number in 1..=12 {
        clock.advance(Duration::from_secs(1));
        let tool = if number % 2 == 0 { "find_symbol" } else { "apply_edit" };
        let mut record = audit.open_call(&opening(tool));
        if number == 5 {
            record.commit_intent(Effect::Write, &[]).await.unwrap();
        }
        let failed = number % 3 == 0;
        let closing = Closing {
            success: !failed,
            error_message: failed.then(|| format!("error {number}")),
            verdict: Some(if failed { "refuse" } else { "allow" }.to_owned()),
            effect: if number == 5 { Effect::Write } else { Effect::Read },
            duration: Duration::from_millis(if failed { 1000 } else { number }),
            ..closing()
        };
        record.close(closing).await;
    }
}

fn seconds(items: impl IntoIterator<Item = Item>) -> Vec<u64> {
    let second = |item: &Item| item.entry().map(|entry| entry.record.timestamp[17..19].parse().unwrap());
    items.into_iter().filter_map(|item| second(&item)).collect()
}

#[tokio::test]
async fn filters_pass_what_was_asked_for() {
    let (_keep, path) = place();
    trail(&path, u64::MAX).await;
    let trail = Trail::at(&path);
    let at = |seconds| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    let calls = Filter { event: Some(Event::Call), ..Filter::default() };
    let select = |filter| seconds(trail.select(filter));

    assert_eq!(select(Filter { failed: true, ..calls.clone() }), [3, 6, 9, 12]);
    assert_eq!(select(Filter { tool: Some("find_*".to_owned()), ..calls.clone() }), [2, 4, 6, 8, 10, 12]);
    assert_eq!(select(Filter { since: at(4), until: at(7), ..calls.clone() }), [4, 5, 6]);
    assert_eq!(select(Filter { effect: Some(Effect::Write), ..Filter::default() }), [5, 5]);
    assert_eq!(
        select(Filter { verdict: Some("refuse".to_owned()), limit: Some(2), ..calls.clone() }),
        [3, 6]
    );
    assert_eq!(select(Filter { conversation: Some("another".to_owned()), ..calls }), [0; 0]);
}

#[tokio::test]
async fn the_tail_is_the_same_however_many_files_there_are() {
    for max_bytes in [u64::MAX, 1200, 1] {
        let (_keep, path) = place();
        trail(&path, max_bytes).await;
        let trail = Trail::at(&path);
        let calls = Filter { event: Some(Event::Call), limit: Some(4), ..Filter::default() };
        assert_eq!(seconds(trail.tail(&calls)), [9, 10, 11, 12]);
        let failed = Filter { failed: true, limit: Some(3), ..Filter::default() };
        assert_eq!(seconds(trail.tail(&failed)), [6, 9, 12]);
        assert_eq!(trail.tail(&Filter::default()).len(), 10);
        assert_eq!(trail.tail(&Filter { limit: Some(100), ..Filter::default() }).len(), 15);
    }
}

#[tokio::test]
async fn the_tail_shows_a_torn_line() {
    let (_keep, path) = place();
    trail(&path, u64::MAX).await;
    put(&path, text(&path) + "{\"timestamp\":");
    let found = Trail::at(&path).tail(&Filter { limit: Some(1), ..Filter::default() });
    assert!(matches!(found[..], [Item::Record(_), Item::Damaged(_)]));
}

#[tokio::test]
async fn following_waits_for_the_end_of_a_line() {
    let (_keep, path) = place();
    trail(&path, u64::MAX).await;
    let all = text(&path);
    let half = all.len() - 50;
    put(&path, &all[..half]);
    let mut follow = Trail::at(&path).follow();
    assert!(follow.poll().is_empty());
    put(&path, &all);
    let found = follow.poll();
    assert!(matches!(&found[..], [Item::Record(entry)] if entry.record.event == Event::End));
    assert!(follow.poll().is_empty());
    // Somebody emptied it and began again.
    put(&path, all.lines().next().unwrap().to_owned() + "\n");
    assert_eq!(follow.poll().len(), 1);
}

#[tokio::test]
async fn counts_what_happened() {
    let (_keep, path) = place();
    trail(&path, 1200).await;
    put(&path, text(&path) + "rubbish\n");
    let stats = Trail::at(&path).stats(Filter::default());
    assert_json_snapshot!(stats, @r#"
    {
      "files": 8,
      "writers": 1,
      "records": 15,
      "damaged": 1,
      "lost": 0,
      "calls": 12,
      "succeeded": 8,
      "failed": 4,
      "malformed": 0,
      "p50_ms": 8,
      "p95_ms": 992,
      "first": "1970-01-01T00:00:01.000Z",
      "last": "1970-01-01T00:00:12.000Z",
      "verdicts": {
        "allow": 8,
        "refuse": 4
      },
      "tools": {
        "apply_edit": {
          "calls": 6,
          "failed": 2,
          "p50_ms": 7,
          "p95_ms": 992
        },
        "find_symbol": {
          "calls": 6,
          "failed": 2,
          "p50_ms": 8,
          "p95_ms": 992
        }
      }
    }
    "#);
}

#[tokio::test]
async fn no_trail_is_an_empty_trail() {
    let (keep, path) = place();
    for path in [path, keep.path().join("no/such/directory.jsonl")] {
        let trail = Trail::at(&path);
        assert_eq!(events(&path), Vec::<String>::new());
        assert!(trail.tail(&Filter::default()).is_empty() && trail.follow().poll().is_empty());
        assert_eq!(trail.verify().records, 0);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_an_item_and_the_rest_is_read() {
    let (keep, path) = place();
    std::fs::create_dir(keep.path().join("audit-20260101T000000.000Z-1.jsonl")).unwrap();
    let audit = crate::audit(&path);
    call(&audit, "find_symbol").await;
    drop(open(&audit, "x").await);
    drop(audit);
    assert_eq!(crate::damages(&path), ["0: the file cannot be read: it is not a file"]);
    assert_eq!(events(&path).len(), 4);
}
