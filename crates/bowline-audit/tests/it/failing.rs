//! A disk that is full, a directory that is none: reading goes on, writing is refused, and the loss is told afterwards.

use std::sync::atomic::{AtomicUsize, Ordering};

use bowline_audit::read::Trail;
use bowline_audit::{Event, Health, Record};
use bowline_call::Effect;

use crate::processes::{Child, child_path};
use crate::{audit, call, count, damages, events, open, place, put, records};

fn gap(records: &[Record]) -> Option<u64> {
    records.iter().find(|record| record.event == Event::Gap).and_then(|record| record.lost)
}

#[tokio::test]
async fn a_full_disk_refuses_writes_lets_reads_go_on_and_is_told_afterwards() {
    let (_keep, path) = place();
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let audit = audit(&path);
    call(&audit, "find_symbol").await;
    call(&audit, "find_symbol").await;
    let mut write = open(&audit, "apply_edit").await;
    let refused = write.commit_intent(Effect::Write, &[]).await.unwrap_err();
    assert!(refused.to_string().contains("No space left on device"), "{refused}");
    drop(write);
    audit.flush().await;
    // Two reads, the intent, and the end of the call that was refused.
    let Health::Failing { lost, reason, .. } = audit.health() else { panic!("it is not known") };
    assert_eq!(lost, 4);
    assert!(reason.contains("No space left on device"), "{reason}");

    std::fs::remove_file(&path).unwrap();
    open(&audit, "apply_edit").await.commit_intent(Effect::Write, &[]).await.unwrap();
    assert_eq!(audit.health(), Health::Ok);
    drop(audit);
    assert_eq!(events(&path), ["start", "gap", "intent apply_edit", "call apply_edit", "end"]);
    assert_eq!(gap(&records(&path)), Some(4));
}

#[tokio::test]
async fn a_directory_that_cannot_be_made_is_no_reason_to_stop_reading() {
    let (keep, _) = place();
    let blocked = keep.path().join("blocked");
    put(&blocked, "a file, where a directory should be");
    let path = blocked.join("audit.jsonl");
    let audit = audit(&path);
    call(&audit, "find_symbol").await;
    let refused = open(&audit, "apply_edit").await.commit_intent(Effect::Write, &[]).await.unwrap_err();
    assert!(refused.to_string().contains("cannot be opened"), "{refused}");
    audit.flush().await;

    std::fs::remove_file(&blocked).unwrap();
    call(&audit, "find_symbol").await;
    drop(audit);
    assert_eq!(gap(&records(&path)), Some(3));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "std cannot make a pipe with a name")]
async fn a_pipe_or_a_directory_is_not_written_to() {
    let (keep, pipe) = place();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [keep.path(), &pipe] {
        let audit = audit(path);
        let refused = open(&audit, "apply_edit").await.commit_intent(Effect::Write, &[]).await.unwrap_err();
        assert!(refused.to_string().ends_with("is not a file"), "{refused}");
    }
}

#[tokio::test]
async fn a_trail_that_vanishes_is_begun_anew() {
    let (_keep, path) = place();
    let audit = audit(&path);
    call(&audit, "before").await;
    audit.flush().await;
    std::fs::remove_file(&path).unwrap();
    call(&audit, "after").await;
    drop(audit);
    assert_eq!(events(&path), ["call after", "end"]);
    assert_eq!(Trail::at(&path).verify().writers[0].missing, 2);
}

#[test]
fn a_disk_that_fills_up_in_the_middle_of_a_line_breaks_nothing() {
    let (_keep, path) = place();
    // Four blocks of 512 bytes, and no signal when they are used up.
    Child::new("failing::child_fills_its_file", &path).limited("trap '' XFSZ; ulimit -f 4").succeeds();
    let full = path.with_extension("full");
    assert_eq!(full.metadata().unwrap().len(), 2048);
    assert_eq!(damages(&full).len(), 1);
    let records = [records(&full), records(&path)].concat();
    assert_eq!(gap(&records), Some(4));
    assert!(records.iter().enumerate().all(|(index, record)| record.seq == index as u64 + 1));
    assert!(records.windows(2).all(|pair| pair[0].hash == pair[1].prev));
}

#[tokio::test]
#[ignore = "run by its parent, in a process whose files may not grow"]
async fn child_fills_its_file() {
    let Some(path) = child_path() else { return };
    let audit = audit(&path);
    while audit.health() == Health::Ok {
        call(&audit, "find_symbol").await;
        audit.flush().await;
    }
    call(&audit, "find_symbol").await;
    assert!(open(&audit, "apply_edit").await.commit_intent(Effect::Write, &[]).await.is_err());
    // The limit is on each file: with another one there is space again.
    audit.flush().await;
    std::fs::rename(&path, path.with_extension("full")).unwrap();
    call(&audit, "find_symbol").await;
}

#[tokio::test]
async fn after_a_torn_line_the_next_record_begins_a_new_one() {
    let (_keep, path) = place();
    put(&path, "{\"timestamp\":\"2026-");
    let audit = audit(&path);
    call(&audit, "find_symbol").await;
    drop(audit);
    assert_eq!(damages(&path), ["1: the line is torn"]);
    assert_eq!(count(&path, Event::Call), 1);
}

#[test]
fn people_are_told_once_not_once_per_call() {
    let (_keep, path) = place();
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    Child::new("failing::child_counts_warnings", &path).succeeds();
}

#[tokio::test]
#[ignore = "run by its parent, in a process of its own: it hears everybody's warnings"]
async fn child_counts_warnings() {
    let Some(path) = child_path() else { return };
    tracing::subscriber::set_global_default(Counting).unwrap();
    let audit = audit(&path);
    for _ in 0..50 {
        call(&audit, "find_symbol").await;
    }
    audit.flush().await;
    assert_eq!(WARNINGS.load(Ordering::SeqCst), 1);
}

static WARNINGS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

impl tracing::Subscriber for Counting {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() == tracing::Level::WARN
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, _: &tracing::Event<'_>) {
        WARNINGS.fetch_add(1, Ordering::SeqCst);
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}
