//! Reads side by side, writes one after the other, and progress to whoever listens.

use std::sync::{Arc, Mutex};

use bowline_call::{Caller, Progress};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::House;

struct Heard(Mutex<Vec<String>>);

impl Progress for Heard {
    fn report(&self, done: u64, total: Option<u64>, message: &str) {
        self.0.lock().unwrap().push(format!("{done} of {total:?}: {message}"));
    }
}

#[tokio::test]
async fn progress_reaches_the_caller() {
    let house = House::relaxed();
    let heard = Arc::new(Heard(Mutex::default()));
    let caller = Caller { progress: heard.clone(), ..Caller::default() };
    house.call_as(caller, "script", json!({"act": "go"})).await.unwrap();
    assert_eq!(*heard.0.lock().unwrap(), ["1 of Some(2): half way"]);
}

#[tokio::test]
async fn reads_run_beside_a_call_that_hangs() {
    let house = House::relaxed();
    let caller = Caller { cancellation: CancellationToken::new(), ..Caller::default() };
    let cancellation = caller.cancellation.clone();
    let hanging = house.call_as(caller, "script", json!({"act": "hang"}));
    let others = async {
        house.started.notified().await;
        for _ in 0..10 {
            house.call(json!({"act": "go"})).await.unwrap();
        }
        cancellation.cancel();
    };
    let (_, ()) = tokio::join!(hanging, others);
    assert_eq!(house.trail().await.len(), 11);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_at_once_leave_a_record_each() {
    let house = Arc::new(House::relaxed());
    let calls = (0..200).map(|index| {
        let house = Arc::clone(&house);
        let act = if index % 3 == 0 { "write" } else { "go" };
        tokio::spawn(async move { house.call(json!({"act": act, "files": ["src/lib.rs"]})).await })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap().unwrap();
    }
    let trail = house.trail().await;
    assert_eq!(trail.iter().filter(|line| line.starts_with("call ")).count(), 200);
    assert_eq!(trail.iter().filter(|line| line.starts_with("intent ")).count(), 67);
}
