//! What a fence does to the list of tools: something in the older era, nothing in the newer one.

use bowline_call::{CallId, ConversationId};
use bowline_gate::{AllowedToolsMode, By, Guidance, KnownTools, Loading};
use bowline_skills::{AllowedEntry, AllowedTools, Scope};
use serde_json::{Value, json};

use crate::{Client, modern};

impl Client {
    /// As a tool that loads a skill does it.
    fn fence(&self, skill: &str, tool: &str) {
        let entries = vec![AllowedEntry { tool: tool.into(), scope: None }];
        let allowed = AllowedTools { raw: tool.into(), entries };
        let loading = Loading { skill, scope: Scope::User, allowed: Some(&allowed) };
        let guidance = Guidance { allowed_tools: AllowedToolsMode::Fence, ..Guidance::default() };
        let by = By { call: CallId::fresh(), tool: "skills_load" };
        let known = KnownTools::new([]);
        self.ledgers
            .with(&ConversationId::new("test"), |ledger| ledger.load(by, loading, guidance, &known))
            .unwrap()
            .unwrap();
    }

    async fn listed(&mut self, params: Value) -> usize {
        self.ask("tools/list", params).await["result"]["tools"].as_array().unwrap().len()
    }

    /// A call, and what is said before its answer.
    async fn said_before_the_answer(&mut self) -> Vec<Value> {
        let params = json!({"name": "echo", "arguments": {"text": "hello"}});
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
        let mut said = Vec::new();
        loop {
            let message = self.next().await.unwrap();
            if message["id"] == 1 {
                return said;
            }
            said.push(message["method"].clone());
        }
    }
}

#[tokio::test]
async fn the_older_era_is_told_and_sees_less() {
    let mut client = Client::connect();
    let answer = client.initialize().await;
    assert_eq!(answer["result"]["capabilities"]["tools"], json!({"listChanged": true}));
    assert_eq!(client.listed(json!({})).await, 1);
    assert_eq!(client.said_before_the_answer().await, Vec::<Value>::new());

    client.fence("first", "echo");
    assert_eq!(client.said_before_the_answer().await, Vec::<Value>::new(), "nothing is left out");
    assert_eq!(client.listed(json!({})).await, 1);

    client.fence("second", "Read");
    assert_eq!(client.said_before_the_answer().await, [json!("notifications/tools/list_changed")]);
    assert_eq!(client.listed(json!({})).await, 0);
    client.fence("third", "Write");
    assert_eq!(client.said_before_the_answer().await, Vec::<Value>::new(), "nothing more is left out");
    client.leave().await;
}

#[tokio::test]
async fn the_newer_era_sees_the_same_always() {
    let mut client = Client::connect();
    let found = client.ask("server/discover", json!({"_meta": modern()})).await;
    assert_eq!(found["result"]["capabilities"]["tools"], json!({}), "{found}");
    client.fence("first", "Read");
    assert_eq!(client.listed(json!({"_meta": modern()})).await, 1);
    let params = json!({"name": "echo", "arguments": {"text": "hello"}, "_meta": modern()});
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})).await;
    assert_eq!(client.next().await.unwrap()["id"], 1, "nothing is said of lists");
}

#[tokio::test]
async fn a_request_that_is_of_the_newer_era_by_itself_sees_all() {
    let mut client = Client::initialized().await;
    client.fence("first", "Read");
    assert_eq!(client.listed(json!({"_meta": modern()})).await, 1);
    assert_eq!(client.listed(json!({})).await, 0);
}
