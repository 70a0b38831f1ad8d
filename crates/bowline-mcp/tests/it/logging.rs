//! Where log lines go.

use serde_json::json;
use tracing_subscriber::layer::SubscriberExt;

use crate::Client;

#[tokio::test]
async fn the_text_of_a_panic_is_not_on_the_wire() {
    let mut client = Client::initialized().await;
    let _logging = tracing::subscriber::set_default(tracing_subscriber::registry().with(client.logs.clone()));
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "panic"}}})).await;
    let mut told = 0;
    while told < 2 {
        let message = client.next().await.unwrap();
        assert!(!message.to_string().contains("secret"), "{message}");
        told += 1;
    }
}

#[tokio::test]
async fn a_client_reads_the_log_once_it_is_initialized_and_asks_for_it() {
    let mut client = Client::initialized().await;
    let _logging = tracing::subscriber::set_default(tracing_subscriber::registry().with(client.logs.clone()));
    client.call("log").await;
    assert_eq!(client.ask("logging/setLevel", json!({"level": "loud"})).await["error"]["code"], -32602);
    assert_eq!(client.ask("logging/setLevel", json!({"level": "warning"})).await["result"], json!({}));
    let params = json!({"name": "echo", "arguments": {"text": "log"}});
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
    loop {
        let message = client.next().await.unwrap();
        if message["method"] == "notifications/message"
            && message["params"]["data"]["message"] == "something to say"
        {
            assert_eq!(message["params"]["level"], "warning");
            assert_eq!(message["params"]["data"]["answer"], 42);
            break;
        }
    }
}
