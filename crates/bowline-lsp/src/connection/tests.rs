//! Two ends of a pipe in memory: ours, and one that does as it likes.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncReadExt, DuplexStream, duplex, split};

use super::*;

struct Nobody;

impl Listener for Nobody {
    fn request(&self, method: &str, _: Option<&RawValue>) -> Result<Value, Refusal> {
        Err(Refusal::method_not_found(method))
    }

    fn notification(&self, _: &str, _: Option<&RawValue>) {}
}

/// Our end, and the other's.
fn open(pipe: usize) -> (Connection, DuplexStream) {
    let (ours, theirs) = duplex(pipe);
    let (read, write) = split(ours);
    (Connection::open(read, write, Arc::new(Nobody)), theirs)
}

async fn closed(connection: &Connection) -> Closed {
    tokio::time::timeout(Duration::from_secs(600), connection.end()).await.expect("an end")
}

#[tokio::test]
async fn what_was_said_before_the_end_still_arrives() {
    for _ in 0..50 {
        let (connection, mut theirs) = open(1 << 10);
        connection.notify("exit", &Value::Null);
        connection.close(CloseReason::Stopped);
        let mut said = String::new();
        theirs.read_to_string(&mut said).await.unwrap();
        assert!(said.ends_with(r#""method":"exit"}"#), "{said:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_writer_that_is_stuck_does_not_outlive_the_connection() {
    let (connection, mut theirs) = open(8);
    for _ in 0..100 {
        connection.notify("a notification that nobody reads", &Value::Null);
    }
    tokio::task::yield_now().await;
    let began = tokio::time::Instant::now();
    drop(connection);
    // Not read before the writer has given up: what comes then is cut, and is an end.
    tokio::time::sleep(LAST_WORDS * 2).await;
    theirs.read_to_end(&mut Vec::new()).await.unwrap();
    assert!(began.elapsed() < LAST_WORDS * 3);
}

#[tokio::test(start_paused = true)]
async fn who_talks_without_end_is_left_all_the_same() {
    let (connection, mut theirs) = open(1 << 10);
    let line = frame(br#"{"method":"a"}"#).repeat(100);
    let talking = tokio::spawn(async move { while theirs.write_all(&line).await.is_ok() {} });
    while connection.heard() < 1000 {
        tokio::task::yield_now().await;
    }
    connection.close(CloseReason::Stopped);
    tokio::time::timeout(Duration::from_secs(60), talking).await.expect("the other end is closed").unwrap();
}

/// Takes nothing, as a pipe whose other end is closed.
struct Shut;

impl AsyncWrite for Shut {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<std::io::Result<usize>> {
        Poll::Ready(Err(std::io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_takes_nothing_and_does_not_end_is_deaf() {
    let (_theirs, read) = duplex(64);
    let connection = Connection::open(read, Shut, Arc::new(Nobody));
    let asked = tokio::time::Instant::now();
    let answer = connection.request("a", &Value::Null, Duration::from_secs(600)).await;
    assert!(matches!(answer, Err(Unanswered::Closed(Closed::Deaf))), "{answer:?}");
    assert!(asked.elapsed() < LISTENED_TO * 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_ends_is_not_deaf() {
    let (theirs, read) = duplex(64);
    let connection = Connection::open(read, Shut, Arc::new(Nobody));
    connection.notify("a", &Value::Null);
    tokio::task::yield_now().await;
    drop(theirs);
    assert_eq!(closed(&connection).await, Closed::Ended);
}

#[tokio::test(start_paused = true)]
async fn unsent_messages_have_a_limit() {
    let (connection, _theirs) = open(64);
    let much = json!({"text": "x".repeat(8 << 20)});
    for _ in 0..10 {
        connection.notify("a", &much);
    }
    assert_eq!(closed(&connection).await, Closed::Deaf);
}

#[tokio::test]
async fn nonsense_is_counted_and_only_nonsense_without_end_is_too_much() {
    let (connection, mut theirs) = open(1 << 20);
    for _ in 0..MOST_NONSENSE {
        theirs.write_all(&frame(b"nonsense")).await.unwrap();
    }
    theirs.write_all(&frame(br#"{"method":"sense"}"#)).await.unwrap();
    for _ in 0..MOST_NONSENSE {
        theirs.write_all(&frame(b"nonsense")).await.unwrap();
    }
    while connection.nonsense() < MOST_NONSENSE * 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(connection.closed(), None);
    theirs.write_all(&frame(b"nonsense")).await.unwrap();
    let how = "it sent 101 bodies that are no messages, last `nonsense`";
    assert_eq!(closed(&connection).await, Closed::Broken(how.into()));
}

#[tokio::test(start_paused = true)]
async fn an_answer_whose_length_is_wrong_fails_the_request_before_its_bound() {
    let (connection, mut theirs) = open(1 << 10);
    let answer = frame(br#"{"id":1,"result":null}"#);
    let answer = String::from_utf8(answer).unwrap().replace("Content-Length: 22", "Content-Length: 20");
    theirs.write_all(answer.as_bytes()).await.unwrap();
    let answer = connection.request("a", &Value::Null, Duration::from_secs(600)).await;
    let Err(Unanswered::Closed(Closed::Broken(how))) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(how, "it sent `l}` where the header of a message should be");
}

struct Panics;

impl Listener for Panics {
    fn request(&self, method: &str, _: Option<&RawValue>) -> Result<Value, Refusal> {
        panic!("asked for {method}")
    }

    fn notification(&self, _: &str, _: Option<&RawValue>) {}
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_panics_is_the_end_and_no_silence() {
    let (ours, mut theirs) = duplex(1 << 10);
    let (read, write) = split(ours);
    let connection = Connection::open(read, write, Arc::new(Panics));
    theirs.write_all(&frame(br#"{"id":1,"method":"a"}"#)).await.unwrap();
    let answer = connection.request("a", &Value::Null, Duration::from_secs(600)).await;
    assert!(matches!(answer, Err(Unanswered::Closed(Closed::Ended))), "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_given_up_is_cancelled_and_forgotten() {
    let (connection, mut theirs) = open(1 << 10);
    let answer = connection.request("a", &Value::Null, Duration::from_secs(5)).await;
    assert!(matches!(answer, Err(Unanswered::Late { silent: true })), "{answer:?}");
    assert!(connection.shared.pending().is_empty());
    theirs.write_all(&frame(br#"{"id":1,"result":null}"#)).await.unwrap();
    while connection.heard() == 0 {
        tokio::task::yield_now().await;
    }
    drop(connection);
    let mut said = String::new();
    theirs.read_to_string(&mut said).await.unwrap();
    assert!(said.ends_with(r#""method":"$/cancelRequest","params":{"id":1}}"#), "{said}");
}
