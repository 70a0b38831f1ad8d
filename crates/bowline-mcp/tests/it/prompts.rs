//! Skills as prompts: what they look like, what is asked of the client, and what a bad disk does to it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::shelf::{BODY, Shelf};
use crate::{Client, PATIENCE, modern};

async fn client() -> Client {
    let shelf = Shelf::of([
        ("broken", ""),
        ("panic", ""),
        ("rename", "[old-name] [new-name] [optional: scope]"),
        ("tidy-up", ""),
    ]);
    let mut client = Client::with_prompts(shelf.prompts(60_000));
    client.initialize().await;
    client
}

fn text(answer: &Value) -> &str {
    let messages = answer["result"]["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    assert_eq!(messages.len(), 1, "{answer}");
    assert_eq!((&messages[0]["role"], &messages[0]["content"]["type"]), (&json!("user"), &json!("text")));
    messages[0]["content"]["text"].as_str().unwrap()
}

fn refusal(answer: &Value) -> (i64, &str) {
    (answer["error"]["code"].as_i64().unwrap(), answer["error"]["message"].as_str().unwrap())
}

#[tokio::test]
async fn a_skill_is_a_prompt_with_the_arguments_of_its_hint() {
    let mut client = client().await;
    let listed = client.ask("prompts/list", json!({})).await;
    let rename = json!({
        "name": "rename",
        "description": "What it is for.",
        "arguments": [
            {"name": "old-name", "description": "old-name", "required": true},
            {"name": "new-name", "description": "new-name", "required": true},
            {"name": "scope", "description": "scope", "required": false},
        ],
    });
    let prompts = listed["result"]["prompts"].as_array().unwrap();
    let names: Vec<_> = prompts.iter().map(|prompt| prompt["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["available_skills", "broken", "panic", "rename", "tidy-up"]);
    assert_eq!(prompts[3], rename);
    assert_eq!(prompts[4], json!({"name": "tidy-up", "description": "What it is for."}));
    assert_eq!(listed["result"].get("nextCursor"), None);
}

#[tokio::test]
async fn it_is_one_message_with_the_arguments_before_the_text() {
    let mut client = client().await;
    let arguments = json!({"new-name": "b", "old-name": "a", "scope": null});
    let answer = client.ask("prompts/get", json!({"name": "rename", "arguments": arguments})).await;
    assert_eq!(text(&answer), format!("Arguments:\n- old-name: a\n- new-name: b\n\n{BODY}"));
    assert_eq!(answer["result"]["description"], "What it is for.");
    let plain = client.ask("prompts/get", json!({"name": "tidy-up"})).await;
    assert_eq!(text(&plain), BODY);
}

#[tokio::test]
async fn the_newer_era_has_them_without_a_handshake() {
    let shelf = Shelf::of([("tidy-up", "")]);
    let mut client = Client::with_prompts(shelf.prompts(60_000));
    let found = client.ask("server/discover", json!({"_meta": modern()})).await;
    assert_eq!(found["result"]["capabilities"]["prompts"], json!({}), "{found}");
    let listed = client.ask("prompts/list", json!({"_meta": modern()})).await;
    assert_eq!(listed["result"]["prompts"].as_array().unwrap().len(), 2);
    assert!(listed["result"]["ttlMs"].is_number(), "{listed}");
    let got = client.ask("prompts/get", json!({"name": "tidy-up", "_meta": modern()})).await;
    assert_eq!((text(&got), &got["result"]["resultType"]), (BODY, &json!("complete")));
    assert_eq!(client.trail().await.last().unwrap()["origin"]["client"], "modern-client");
}

#[tokio::test]
async fn what_is_missing_or_wrong_is_named() {
    let mut client = client().await;
    let long = "x".repeat(70_000);
    let given = |arguments: Value| json!({"name": "rename", "arguments": arguments});
    for (params, code, message) in [
        (
            json!({"name": "rename"}),
            -32602,
            "prompt `rename`: these arguments are missing: old-name, new-name",
        ),
        (
            given(json!({"old-name": "a", "new-name": " "})),
            -32602,
            "prompt `rename`: these arguments are missing: new-name",
        ),
        (given(json!({"old-name": 7})), -32602, "the argument `old-name` must be text"),
        (given(json!({"old-name": long})), -32602, "the arguments have more than 60000 bytes"),
        (given(json!("a")), -32602, "these are not the parameters of `prompts/get`"),
        (json!({"name": 7}), -32602, "these are not the parameters of `prompts/get`"),
        (json!({}), -32602, "these are not the parameters of `prompts/get`"),
        (json!({"name": "renam"}), -32602, "there is no prompt `renam`; did you mean `rename`?"),
        (json!({"name": "RENAME"}), -32602, "there is no prompt `RENAME`"),
        (json!({"name": "../../rename"}), -32602, "there is no prompt `../../rename`"),
        (json!({"name": ""}), -32602, "there is no prompt ``"),
        (json!({"name": "a\0\n\u{1b}[2J"}), -32602, "there is no prompt `a\0\n\u{1b}[2J`"),
        (json!({"name": "broken"}), -32603, "`/skills/broken`: line 3"),
    ] {
        let answer = client.ask("prompts/get", params).await;
        assert_eq!(refusal(&answer), (code, message));
    }
    let answer = client.ask("prompts/get", json!({"name": "n".repeat(500_000)})).await;
    assert!(answer.to_string().len() < 1000, "{answer}");
}

#[tokio::test]
async fn each_one_is_on_the_record_once() {
    let mut client = client().await;
    client.ask("prompts/list", json!({})).await;
    for params in
        [json!({"name": "tidy-up"}), json!({"name": "rename"}), json!({"name": "no"}), json!({"name": 7})]
    {
        client.ask("prompts/get", params).await;
    }
    let trail = client.trail().await;
    let shown: Vec<_> = trail
        .iter()
        .filter(|record| record["event"] != "start")
        .map(|record| {
            let [event, skill, why] = ["event", "skill", "error_message"].map(|key| record[key].as_str());
            assert_eq!(record["success"], why.is_none(), "{record}");
            (event.unwrap(), skill, why)
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("prompt", Some("tidy-up"), None),
            (
                "prompt",
                Some("rename"),
                Some("prompt `rename`: these arguments are missing: old-name, new-name")
            ),
            ("prompt", Some("no"), Some("there is no prompt `no`")),
            ("malformed", None, Some("these are not the parameters of `prompts/get`")),
        ]
    );
    assert_eq!(trail[1]["origin"]["client"], "line-client");
    assert_eq!(trail[1]["conversation"], "test");
}

#[tokio::test]
async fn a_long_one_is_cut_and_says_so() {
    let shelf = Shelf::of([("tidy-up", "")]);
    let mut client = Client::with_prompts(shelf.prompts(10));
    client.initialize().await;
    let answer = client.ask("prompts/get", json!({"name": "tidy-up"})).await;
    let expected = format!(
        "{}\n\n(These are the first 10 of {} bytes of this skill; the rest is left out.)",
        &BODY[..10],
        BODY.len()
    );
    assert_eq!(text(&answer), expected);
}

#[tokio::test]
async fn the_block_is_a_prompt_too() {
    let mut client = client().await;
    let answer = client.ask("prompts/get", json!({"name": "available_skills"})).await;
    let block = text(&answer);
    assert!(block.starts_with("<available_skills>\n  <skill>\n    <name>broken</name>"), "{block}");
    assert!(block.ends_with("</available_skills>") && !block.contains("<location>"), "{block}");
}

#[tokio::test]
async fn the_block_stands_aside_where_there_is_nothing_to_say_or_its_name_is_taken() {
    for (skills, listed) in [(&[][..], 0), (&[("available_skills", "")][..], 1)] {
        let shelf = Shelf::of(skills.iter().copied());
        let mut client = Client::with_prompts(shelf.prompts(60_000));
        client.initialize().await;
        let list = client.ask("prompts/list", json!({})).await;
        assert_eq!(list["result"]["prompts"].as_array().unwrap().len(), listed);
        let answer = client.ask("prompts/get", json!({"name": "available_skills"})).await;
        match listed {
            0 => assert_eq!(refusal(&answer), (-32602, "there is no prompt `available_skills`")),
            _ => assert_eq!(text(&answer), BODY),
        }
    }
}

#[tokio::test]
async fn a_panic_is_answered_without_its_text() {
    let mut client = client().await;
    let answer = client.ask("prompts/get", json!({"name": "panic"})).await;
    assert_eq!(refusal(&answer), (-32603, "the skills could not be read"));
    assert_eq!(text(&client.ask("prompts/get", json!({"name": "tidy-up"})).await), BODY);
    let trail = client.trail().await;
    assert!(trail.iter().any(|record| record["error_message"] == "the skills could not be read"));
}

#[tokio::test]
async fn a_disk_that_hangs_leaves_nobody_without_an_answer() {
    let shelf = Shelf::of([("hang", ""), ("tidy-up", "")]);
    let mut client = Client::with_prompts(shelf.prompts(60_000).with_patience(Duration::from_millis(50)));
    client.initialize().await;
    // More than may wait for the disk at once.
    let get = |id: i64, name: &str| json!({"jsonrpc": "2.0", "id": id, "method": "prompts/get", "params": {"name": name}});
    for id in 1..=20 {
        client.send(&get(id, "hang")).await;
    }
    for _ in 1..=20 {
        let answer = client.next().await.unwrap();
        assert_eq!(refusal(&answer), (-32603, "the skills could not be read within 50 ms"));
    }
    // Those who still wait hold up others, and not for ever.
    shelf.release();
    client.ask("ping", json!({})).await;
    client.leave().await;
}

#[tokio::test]
async fn a_cancelled_one_is_not_answered_and_is_on_the_record() {
    let shelf = Shelf::of([("hang", ""), ("tidy-up", "")]);
    let mut client = Client::with_prompts(shelf.prompts(60_000).with_patience(PATIENCE));
    client.initialize().await;
    client
        .send(&json!({"jsonrpc": "2.0", "id": 5, "method": "prompts/get", "params": {"name": "hang"}}))
        .await;
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}))
        .await;
    // Whichever comes first is the next message: nothing is said of the cancelled one.
    let params = json!({"name": "tidy-up"});
    client.send(&json!({"jsonrpc": "2.0", "id": 6, "method": "prompts/get", "params": params})).await;
    assert_eq!(client.next().await.unwrap()["id"], 6);
    // Cancelled before it began, or while it waited.
    let is_cancelled =
        |record: &Value| record["error_message"].as_str().is_some_and(|why| why.starts_with("cancelled"));
    let remembered = async {
        while !client.trail().await.iter().any(is_cancelled) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, remembered).await.expect("a record of it");
    shelf.release();
    client.leave().await;
}

#[tokio::test]
async fn without_skills_to_offer_nothing_is_declared() {
    let mut client = Client::connect();
    let answer = client.initialize().await;
    assert_eq!(answer["result"]["capabilities"].get("prompts"), None);
    assert_eq!(client.ask("prompts/list", json!({})).await["result"]["prompts"], json!([]));
    assert_eq!(client.ask("prompts/get", json!({"name": "x"})).await["error"]["code"], -32601);
}
