//! Servers that say nothing: bounds hold, who hangs is found out, and who works is left alone.

use std::collections::BTreeMap;
use std::time::Duration;

use bowline_lsp::{Reach, Was};
use bowline_testkit::{Fault, Script};

use super::program::{Fake, gone, quick};
use super::{eventually, hover, timed};

const NO_ANSWER: &str = "`fake` gave no answer to `textDocument/hover` in 0.3 s";

#[tokio::test]
async fn a_server_that_hangs_is_started_again() {
    let fake = Fake::new(&Script::faulty(Fault::Silent));
    let (life, shown) = fake.life().await;
    let pid = fake.pid();
    let (answer, time) = timed(hover(&life, &shown, 5)).await;
    assert_eq!(answer, NO_ANSWER);
    assert!(time >= Duration::from_millis(300) && time < Duration::from_millis(600), "{time:?}");
    fake.received("$/cancelRequest", 1).await;
    let received = fake.lives().concat();
    let by = |method: &str| received.iter().find(|one| one.method == method).unwrap();
    assert_eq!(Some(&by("$/cancelRequest").params["id"]), by("textDocument/hover").id.as_ref());

    gone(pid).await;
    let ((life, shown), _) = timed(fake.life()).await;
    assert_ne!(life.pid(), Some(pid));
    let (answer, time) = timed(hover(&life, &shown, 5)).await;
    assert_eq!(answer, NO_ANSWER, "it is no better the next time");
    assert!(time < Duration::from_secs(1), "{time:?}");
    assert!(fake.server.status().restarts >= 1);
}

/// Asks for longer than a server is watched, and expects the same process to be there.
async fn is_left_alone(fake: &Fake) {
    let (life, shown) = fake.life().await;
    for column in 1..=5 {
        assert_eq!(hover(&life, &shown, column).await, NO_ANSWER);
    }
    assert!(!life.is_over());
    assert_eq!((fake.server.status().pid, fake.server.status().restarts), (life.pid(), 0));
}

#[tokio::test]
async fn a_server_that_works_in_silence_is_left_alone() {
    let fake = Fake::with(&Script::faulty(Fault::Silent), |spec| {
        spec.limits = quick();
        // A child of the same group computes.
        if let Reach::Program { program, args } = &mut spec.reach {
            let server = std::mem::replace(program, "/bin/sh".into());
            let line = r#"while :; do :; done & exec "$0" "$@""#;
            args.splice(0..0, ["-c".to_owned(), line.to_owned(), server]);
        }
    });
    is_left_alone(&fake).await;
}

#[tokio::test]
async fn a_server_that_takes_notice_of_a_cancellation_is_left_alone() {
    let delays = BTreeMap::from([("textDocument/hover".to_owned(), 60_000)]);
    let fake = Fake::new(&Script { delays, ..Script::default() });
    is_left_alone(&fake).await;
    fake.received("$/cancelRequest", 5).await;
}

#[tokio::test]
async fn who_asks_a_server_that_is_found_to_hang_is_told_at_once() {
    let fake = Fake::with(&Script::faulty(Fault::Silent), |spec| {
        spec.limits = quick();
        spec.limits.references = Duration::from_secs(600);
    });
    let (life, shown) = fake.life().await;
    let at = bowline_code::Position::new(1, 5);
    let long = super::ask(async |asker| life.references(&shown, at, true, asker).await);
    let ((long, short), time) = timed(async { tokio::join!(long, hover(&life, &shown, 5)) }).await;
    assert_eq!((short.as_str(), super::refusal(long).as_str()), (NO_ANSWER, NO_ANSWER));
    assert!(time < Duration::from_secs(2), "{time:?}");
    eventually("another life", || {
        let status = fake.server.status();
        matches!(status.state, Was::Ready | Was::Indexing) && status.pid != life.pid()
    })
    .await;
}
