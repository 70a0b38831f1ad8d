//! Askers that come, go and come back, while one request is under way.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::oneshot;

use super::*;

/// A server whose answers are given by hand.
#[derive(Default)]
struct Tower {
    flights: Flights,
    asked: AtomicUsize,
}

fn question() -> Question {
    Question { method: "a", params: "{}".into(), told: 0 }
}

fn answer(text: &str) -> Reply {
    Ok(RawValue::from_string(format!("\"{text}\"")).unwrap().into())
}

impl Tower {
    /// The reply, by the request that `answer` is for if one is sent.
    async fn ask(&self, answer: oneshot::Receiver<Reply>) -> String {
        let asked = self.flights.join("fake", question(), || {
            self.asked.fetch_add(1, Ordering::Relaxed);
            async move { answer.await.expect("an answer") }
        });
        match asked.await {
            Ok(answer) => answer.get().to_owned(),
            Err(error) => error.to_string(),
        }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    fn open(&self) -> usize {
        self.flights.lock().flights.len()
    }
}

/// Lets everything happen that can.
async fn settle() {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

/// Begins to ask, and stops waiting.
async fn ask_and_leave(tower: &Tower, answer: oneshot::Receiver<Reply>) {
    tokio::select! {
        biased;
        reply = tower.ask(answer) => panic!("{reply}"),
        () = settle() => {}
    }
}

#[tokio::test(start_paused = true)]
async fn many_askers_share_one_request_and_nothing_is_left_of_it() {
    let tower = Tower::default();
    let (send, receive) = oneshot::channel();
    let others = (0..5).map(|_| tower.ask(oneshot::channel().1));
    let (first, others, ()) =
        tokio::join!(tower.ask(receive), futures_util::future::join_all(others), async {
            settle().await;
            send.send(answer("x")).unwrap();
        });
    assert_eq!((first.as_str(), others), ("\"x\"", vec!["\"x\"".to_owned(); 5]));
    assert_eq!((tower.asked(), tower.open()), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn who_comes_back_gets_the_answer_of_the_first_request_once() {
    let tower = Tower::default();
    let (send, receive) = oneshot::channel();
    ask_and_leave(&tower, receive).await;
    // While it is under way, and after.
    ask_and_leave(&tower, oneshot::channel().1).await;
    send.send(answer("x")).unwrap();
    settle().await;
    assert_eq!(tower.ask(oneshot::channel().1).await, "\"x\"");
    assert_eq!((tower.asked(), tower.open()), (1, 0));
    let (send, receive) = oneshot::channel();
    send.send(answer("y")).unwrap();
    assert_eq!(tower.ask(receive).await, "\"y\"");
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_not_kept_for_ever() {
    let tower = Tower::default();
    let (send, receive) = oneshot::channel();
    ask_and_leave(&tower, receive).await;
    send.send(answer("x")).unwrap();
    settle().await;
    tokio::time::advance(KEPT).await;
    let (send, receive) = oneshot::channel();
    send.send(answer("y")).unwrap();
    assert_eq!(tower.ask(receive).await, "\"y\"");
}

#[tokio::test(start_paused = true)]
async fn what_is_kept_has_a_limit() {
    let tower = Tower::default();
    let large = "x".repeat(MOST_KEPT / 4);
    for told in 0..8 {
        let asking = tower.flights.join("fake", Question { told, ..question() }, || {
            let large = answer(&large);
            async move {
                settle().await;
                large
            }
        });
        drop(tokio::time::timeout(Duration::ZERO, asking).await);
        settle().await;
        settle().await;
    }
    assert_eq!(tower.open(), 3, "with quotes, three quarters fit");
}

#[tokio::test(start_paused = true)]
async fn given_up_only_if_nobody_waits() {
    let tower = Tower::default();
    let (mut send, receive) = oneshot::channel();
    ask_and_leave(&tower, receive).await;
    tokio::select! {
        biased;
        reply = tower.ask(oneshot::channel().1) => panic!("{reply}"),
        () = async {
            settle().await;
            tower.flights.give_up(&question());
            settle().await;
            assert!(!send.is_closed(), "somebody waits");
        } => {}
    }
    tower.flights.give_up(&question());
    send.closed().await;
    assert_eq!(tower.open(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_crashes_is_not_waited_for() {
    let tower = Tower::default();
    let (send, receive) = oneshot::channel();
    // The request panics for want of an answer.
    drop(send);
    assert_eq!(tower.ask(receive).await, "`fake` was stopped");
    let (send, receive) = oneshot::channel();
    send.send(answer("y")).unwrap();
    assert_eq!(tower.ask(receive).await, "\"y\"", "the next one asks anew");
}

#[test]
fn askers_on_many_threads_never_miss_an_answer() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let tower = Arc::new(Tower::default());
        let askers = (0..8_u64).map(|asker| {
            let tower = Arc::clone(&tower);
            tokio::spawn(async move {
                for round in 0..500 {
                    let asking = tower.flights.join("fake", question(), || async {
                        tokio::task::yield_now().await;
                        answer("x")
                    });
                    // Some leave early.
                    let patience =
                        if (asker + round) % 3 == 0 { Duration::ZERO } else { Duration::from_secs(60) };
                    if let Ok(reply) = tokio::time::timeout(patience, asking).await {
                        reply.unwrap();
                    } else {
                        assert!(patience.is_zero(), "an answer was missed");
                        tower.flights.give_up(&question());
                    }
                }
            })
        });
        for asker in askers.collect::<Vec<_>>() {
            asker.await.unwrap();
        }
        settle().await;
    });
}
