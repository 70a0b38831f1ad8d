//! Evaluations and questions that wait for a server which another evaluation has to itself.

use std::sync::Arc;

use bowline_testkit::{Fixture, Script};

use super::{eventually, life};

#[tokio::test]
async fn drafts_that_are_to_be_shown_wait_like_questions_and_nobody_waits_for_itself() {
    let fixture = Fixture::new("//- /a.fk\nfine\n");
    let (_fake, life) = life(Script::default(), &fixture).await;
    let first = life.overlay().await;
    assert!(!life.is_waited_for() && !life.is_wanted_back());
    let second = tokio::spawn({
        let life = Arc::clone(&life);
        async move { life.overlay().await }
    });
    eventually("the second waits", || life.is_waited_for()).await;

    // It lets the second in, and wants the server back.
    drop(first);
    let second = second.await.unwrap();
    assert!(!life.is_waited_for());
    let first = tokio::spawn({
        let life = Arc::clone(&life);
        async move { life.overlay_again().await }
    });
    eventually("the first wants it back", || life.is_wanted_back()).await;
    assert!(!life.is_waited_for(), "it is not taken for somebody new");
    drop(second);
    let _first = first.await.unwrap();
    assert!(!life.is_waited_for() && !life.is_wanted_back());
}
