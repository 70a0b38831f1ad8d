//! Files that grow too large are set aside, by one writer, under the eyes of all others.

use std::sync::Arc;
use std::time::Duration;

use bowline_audit::read::{Integrity, Item, Trail};
use bowline_audit::{Audit, Event, Options};
use bowline_std::clock::HeldClock;

use crate::{audit_with, call, count, place, put, records, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_writers_lose_nothing_over_the_boundary() {
    let (_keep, path) = place();
    let options = Options { max_bytes: 8000, ..Options::at(&path) };
    let writers = [audit_with(options.clone()), audit_with(options)];
    let mut running = tokio::task::JoinSet::new();
    for writer in writers {
        running.spawn(async move {
            for _ in 0..300 {
                call(&writer, "find_symbol").await;
            }
        });
    }
    running.join_all().await;
    let trail = Trail::at(&path);
    assert_eq!(count(&path, Event::Call), 600);
    let found = trail.verify();
    assert_eq!((found.integrity(), found.writers.len()), (Integrity::Intact, 2));
    assert!(trail.files().unwrap().len() > 20);
}

#[tokio::test]
async fn names_stay_in_order_when_the_clock_stands_still_or_goes_back() {
    let (keep, path) = place();
    put(&keep.path().join("audit-notes-1.jsonl"), "not ours");
    for seconds in [2_000, 1_000] {
        let clock = Arc::new(HeldClock::at(seconds));
        let audit = Audit::open(Options { max_bytes: 1, ..Options::at(&path) }, clock.clone());
        for _ in 0..5 {
            call(&audit, "find_symbol").await;
        }
        audit.flush().await;
        clock.advance(Duration::from_secs(5));
        call(&audit, "find_symbol").await;
    }
    let files = Trail::at(&path).files().unwrap();
    let names: Vec<_> = files.iter().map(|file| file.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names.len(), 16);
    assert_eq!(names[..2], ["audit-19700101T003320.000Z-1.jsonl", "audit-19700101T003320.000Z-2.jsonl"]);
    // The turned-back clock is not believed.
    assert_eq!(names[14..], ["audit-19700101T003325.000Z-10.jsonl", "audit.jsonl"]);
    assert_eq!(Trail::at(&path).verify().integrity(), Integrity::Intact);
}

#[tokio::test]
async fn a_full_file_that_cannot_be_set_aside_grows_on() {
    let (_keep, path) = place();
    std::fs::create_dir(path.with_extension("jsonl.lock")).unwrap();
    let audit = audit_with(Options { max_bytes: 1, ..Options::at(&path) });
    for _ in 0..5 {
        call(&audit, "find_symbol").await;
    }
    drop(audit);
    assert_eq!(text(&path).lines().count(), 7);
}

#[tokio::test]
async fn following_crosses_the_boundary() {
    let (_keep, path) = place();
    let mut follow = Trail::at(&path).follow();
    assert!(follow.poll().is_empty());
    let audit = audit_with(Options { max_bytes: 2000, ..Options::at(&path) });
    let mut seen = Vec::new();
    for _ in 0..50 {
        call(&audit, "find_symbol").await;
        call(&audit, "find_symbol").await;
        audit.flush().await;
        seen.extend(follow.poll());
    }
    drop(audit);
    seen.extend(follow.poll());
    let seen: Vec<_> = seen.iter().filter_map(Item::entry).map(|entry| entry.record.clone()).collect();
    assert_eq!(seen, records(&path));
    assert_eq!(seen.len(), 102);
}

#[tokio::test]
async fn following_catches_up_over_many_files_at_once() {
    let (_keep, path) = place();
    let audit = audit_with(Options { max_bytes: 1, ..Options::at(&path) });
    call(&audit, "before").await;
    audit.flush().await;
    let mut follow = Trail::at(&path).follow();
    for _ in 0..20 {
        call(&audit, "after").await;
    }
    drop(audit);
    let seen = follow.poll();
    assert_eq!(seen.len(), 21);
    assert!(follow.poll().is_empty());
}
