//! Too much, too little at a time, or nobody reading.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use crate::Client;

#[tokio::test]
async fn ten_thousand_pings_in_one_write() {
    let mut client = Client::initialized().await;
    let flood: String = (0..10_000)
        .map(|id| format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "ping"})))
        .collect();
    let mut seen = std::collections::HashSet::new();
    let Client { mut writer, reader, .. } = client;
    let sending = tokio::spawn(async move {
        writer.write_all(flood.as_bytes()).await.unwrap();
        writer
    });
    let mut reader = reader;
    while seen.len() < 10_000 {
        let line = reader.next_line().await.unwrap().expect("the connection to stay open");
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert!(seen.insert(answer["id"].as_i64().unwrap()));
    }
    sending.await.unwrap();
    client = Client::initialized().await;
    client.leave().await;
}

#[tokio::test]
async fn byte_by_byte_two_at_once_and_without_a_last_newline() {
    let mut client = Client::initialized().await;
    let ping = |id: i64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string();
    for byte in format!("{}\n", ping(1)).bytes() {
        client.send_bytes(&[byte]).await;
        client.writer.flush().await.unwrap();
        tokio::task::yield_now().await;
    }
    client.answer(&json!(1)).await;
    client.send_bytes(format!("{}\n{}\n{}", ping(2), ping(3), ping(4)).as_bytes()).await;
    client.writer.shutdown().await.unwrap();
    for id in 2..=4 {
        client.answer(&json!(id)).await;
    }
    assert_eq!(client.next().await, None);
}

#[tokio::test]
async fn a_client_that_does_not_read_is_held_back() {
    let client = Client::with_pipe(4096);
    let Client { mut writer, reader, .. } = client;
    let ping = format!("{}\n", json!({"jsonrpc": "2.0", "id": 1, "method": "no/such/method"}));
    // Every line is refused with an answer that nobody reads; the pipe fills, and then the sender must wait.
    let flood = async {
        let mut sent = 0u64;
        loop {
            writer.write_all(ping.as_bytes()).await.unwrap();
            sent += 1;
            assert!(sent < 100_000, "what waits for the client must stay bounded");
        }
    };
    let stuck = async {
        // Far more turns than the pipes and queues have room for.
        for _ in 0..50_000 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! { () = flood => (), () = stuck => () }
    drop(reader);
}
