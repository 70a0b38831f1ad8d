//! What ends up in the file, and when.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bowline_audit::read::{Integrity, Trail};
use bowline_audit::{Audit, Closing, Event, Health, Malformed, Options};
use bowline_call::{DiagnosticCounts, EditSummary, Effect, Origin, Receipt};
use bowline_std::clock::HeldClock;
use insta::assert_snapshot;

use crate::{audit, audit_with, call, closing, count, events, open, opening, place, records, text};

/// The lines without what differs from run to run.
pub(crate) fn shape(path: &Path) -> String {
    let mut shape = text(path);
    for (pattern, word) in [
        (r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
        (r"0{64}", "ZEROS"),
        (r"[0-9a-f]{64}", "HASH"),
        (r#""pid":\d+"#, r#""pid":PID"#),
        (r#""version":"[0-9.]+""#, r#""version":"VERSION""#),
    ] {
        shape = regex::Regex::new(pattern).unwrap().replace_all(&shape, word).into_owned();
    }
    shape
}

#[tokio::test]
async fn writes_every_field_in_its_place() {
    let (_keep, path) = place();
    let clock = Arc::new(HeldClock::at(1_794_817_800));
    let audit = Audit::open(Options::at(&path), clock.clone());
    let mut record = audit.open_call(&opening("rename_symbol"));
    record.session("draft-1");
    record.commit_intent(Effect::Write, &["/p/a.rs".into(), "/p/b.rs".into()]).await.unwrap();
    clock.advance(Duration::from_secs(1));
    let counts = |error_count| DiagnosticCounts { error_count, warning_count: 2, files_checked: 2 };
    let summary = EditSummary {
        mode: "rename".to_owned(),
        new_text_preview: Some("let password = \"hunter2\";".to_owned()),
        new_name: Some("b".to_owned()),
        ..EditSummary::default()
    };
    let receipt = Receipt {
        files: vec!["/p/b.rs".into()],
        summary: Some(summary),
        before: Some(counts(3)),
        after: Some(counts(1)),
    };
    let closing = Closing {
        success: false,
        error_message: Some("failed with token=abcdef".to_owned()),
        rule: Some("host: ask Edit(src/**)".to_owned()),
        effect: Effect::Write,
        receipt: Some(receipt),
        ..closing()
    };
    record.close(closing).await;
    let why = "`arguments` is not an object".to_owned();
    audit
        .malformed(Malformed { origin: Origin::Cli, conversation: None, what: Some("x".to_owned()), why })
        .await;
    drop(audit);
    assert_snapshot!(shape(&path), @r#"
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"start","pid":PID,"version":"VERSION","writer":"UUID","seq":1,"prev":"ZEROS","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:00.000Z","event":"intent","tool":"rename_symbol","session_id":"draft-1","files":["/p/a.rs","/p/b.rs"],"call_id":"UUID","conversation":"conversation-1","origin":{"surface":"mcp","client":"tester"},"effect":"write","writer":"UUID","seq":2,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:01.000Z","event":"call","tool":"rename_symbol","session_id":"draft-1","files":["/p/b.rs"],"edit_summary":{"mode":"rename","new_text_preview":"let password = [redacted];","new_name":"b"},"diagnostics_before":{"error_count":3,"warning_count":2,"files_checked":2},"diagnostics_after":{"error_count":1,"warning_count":2,"files_checked":2},"net_delta":{"errors":-2,"warnings":0},"success":false,"error_message":"failed with token=[redacted]","duration_ms":7,"call_id":"UUID","conversation":"conversation-1","origin":{"surface":"mcp","client":"tester"},"effect":"write","verdict":"allow","rule":"host: ask Edit(src/**)","writer":"UUID","seq":3,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:01.000Z","event":"malformed","tool":"x","success":false,"error_message":"`arguments` is not an object","origin":{"surface":"cli"},"writer":"UUID","seq":4,"prev":"HASH","hash":"HASH"}
    {"timestamp":"2026-11-16T08:30:01.000Z","event":"end","writer":"UUID","seq":5,"prev":"HASH","hash":"HASH"}
    "#);
}

#[tokio::test]
async fn an_intent_is_on_disk_before_the_call_goes_on() {
    let (_keep, path) = place();
    let audit = audit(&path);
    let mut record = open(&audit, "apply_edit").await;
    record.commit_intent(Effect::Write, &["/p/a.rs".into()]).await.unwrap();
    assert_eq!(events(&path), ["start", "intent apply_edit"]);
    record.close(closing()).await;
    // Nobody flushed: a call that wrote is closed only when its record is there.
    assert_eq!(events(&path), ["start", "intent apply_edit", "call apply_edit"]);
    let records = records(&path);
    assert_eq!(records[1].call_id, records[2].call_id);
}

#[tokio::test]
async fn nothing_is_touched_before_the_first_record() {
    let (_keep, path) = place();
    let audit = audit(&path);
    audit.flush().await;
    drop(audit);
    assert!(!path.exists());
}

#[tokio::test]
async fn a_flush_waits_for_everything_before_it() {
    let (_keep, path) = place();
    let audit = audit(&path);
    for _ in 0..20 {
        call(&audit, "find_symbol").await;
    }
    audit.flush().await;
    assert_eq!(count(&path, Event::Call), 20);
    assert_eq!(audit.health(), Health::Ok);
}

#[tokio::test]
async fn a_panic_leaves_a_record() {
    let (_keep, path) = place();
    let audit = audit(&path);
    let mut record = open(&audit, "apply_edit").await;
    record.commit_intent(Effect::Write, &[]).await.unwrap();
    let panicked = tokio::spawn(async move {
        let _record = record;
        panic!("a handler went wrong");
    });
    assert!(panicked.await.is_err());
    audit.flush().await;
    let last = records(&path).pop().unwrap();
    assert_eq!((last.event, last.success), (Event::Call, Some(false)));
    assert_eq!(last.error_message.unwrap(), "abandoned: it panicked");
}

#[tokio::test]
async fn an_aborted_call_leaves_a_record_even_when_it_was_about_to_close() {
    let (_keep, path) = place();
    let audit = audit(&path);
    drop(open(&audit, "first").await);
    drop(open(&audit, "second").await.close(closing()));
    audit.flush().await;
    assert_eq!(events(&path), ["start", "call first", "call second"]);
    assert!(records(&path).iter().skip(1).all(|record| {
        record.error_message.as_deref() == Some("abandoned: it was dropped before its end")
    }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_full_queue_makes_callers_wait_and_loses_nothing() {
    let (_keep, path) = place();
    let audit = audit_with(Options { queue: 1, ..Options::at(&path) });
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..1000 {
        let audit = audit.clone();
        calls.spawn(async move {
            let record = open(&audit, "find_symbol").await;
            // Those that are dropped cannot wait, and must not be lost either.
            if number % 10 == 0 {
                drop(record);
            } else {
                record.close(closing()).await;
            }
        });
    }
    calls.join_all().await;
    drop(audit);
    assert_eq!(count(&path, Event::Call), 1000);
    assert_eq!(Trail::at(&path).verify().integrity(), Integrity::Intact);
}

#[tokio::test]
async fn the_last_handle_ends_the_trail_and_a_call_may_hold_it() {
    let (_keep, path) = place();
    let first = audit(&path);
    let second = first.clone();
    let record = open(&first, "slow").await;
    drop(first);
    call(&second, "quick").await;
    drop(second);
    record.close(closing()).await;
    assert_eq!(events(&path), ["start", "call quick", "call slow", "end"]);
}

#[tokio::test]
async fn only_the_user_may_read_it() {
    let (keep, _) = place();
    let path = keep.path().join("new/deep/audit.jsonl");
    let audit = audit_with(Options { max_bytes: 1, ..Options::at(&path) });
    call(&audit, "find_symbol").await;
    drop(audit);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    assert_eq!(mode(path.parent().unwrap().parent().unwrap()), 0o700);
    for entry in path.parent().unwrap().read_dir().unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
}

#[test]
fn configuration_sets_bounds_but_not_the_place() {
    let options: Options = serde_json::from_str(r#"{"max_bytes": 5}"#).unwrap();
    assert_eq!((options.max_bytes, options.queue), (5, 256));
    assert!(serde_json::from_str::<Options>(r#"{"path": "/etc/passwd"}"#).is_err());
}
