//! Lists of more skills than anybody has: no answer is long, and nothing is lost between two.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::Client;
use crate::shelf::Shelf;

const MANY: usize = 10_000;

fn name(number: usize) -> String {
    format!("skill-{number:05}")
}

fn many() -> std::sync::Arc<Shelf> {
    let names: Vec<String> = (0..MANY).map(name).collect();
    Shelf::of(names.iter().map(|name| (name.as_str(), "[file] [optional: depth]")))
}

fn names(page: &Value) -> Vec<String> {
    let prompts = page["result"]["prompts"].as_array().unwrap();
    prompts.iter().map(|prompt| prompt["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn ten_thousand_come_in_pages() {
    let shelf = many();
    let mut client = Client::with_prompts(shelf.prompts(60_000));
    client.initialize().await;
    let mut seen = BTreeSet::new();
    let mut cursor = None;
    let mut gone = None;
    loop {
        let params = cursor.map_or(json!({}), |cursor: Value| json!({"cursor": cursor}));
        let page = client.ask("prompts/list", params).await;
        let size = page.to_string().len();
        assert!(size < 150_000, "{size} bytes");
        for name in names(&page) {
            assert!(seen.insert(name), "twice");
        }
        // Whoever goes takes nobody along, not even as the last one of a page.
        if gone.is_none() {
            gone = seen.last().cloned();
            shelf.take(gone.as_deref().unwrap());
        }
        match page["result"].get("nextCursor") {
            Some(next) => cursor = Some(next.clone()),
            None => break,
        }
    }
    assert!(seen.contains("available_skills"));
    assert_eq!(seen.len(), MANY + 1);
}

#[tokio::test]
async fn the_block_of_so_many_is_cut_and_says_so() {
    let mut client = Client::with_prompts(many().prompts(5_000));
    client.initialize().await;
    let answer = client.ask("prompts/get", json!({"name": "available_skills"})).await;
    let text = answer["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.len() < 5_200, "{}", text.len());
    let shown = text.matches("<skill>").count();
    let end = format!(
        "</available_skills>\n\n({} skills are left out here; skills_list has all of them.)",
        MANY - shown
    );
    assert!(text.ends_with(&end), "{text}");
}

#[tokio::test]
async fn long_texts_make_no_long_pages() {
    let shelf = Shelf::of([]);
    let hint: String = (0..16).map(|number| format!("[{number}{}]", "\u{1b}".repeat(3000))).collect();
    for number in 0..50 {
        shelf.put(&name(number), &hint, &"\u{1b}".repeat(50_000));
    }
    let mut client = Client::with_prompts(shelf.prompts(60_000));
    client.initialize().await;
    let page = client.ask("prompts/list", json!({})).await;
    let size = page.to_string().len();
    assert!(size < 150_000, "{size} bytes");
    assert!(!names(&page).is_empty() && page["result"].get("nextCursor").is_some());
}

#[tokio::test]
async fn a_cursor_of_somebody_else_is_refused() {
    let mut client = Client::with_prompts(many().prompts(60_000));
    client.initialize().await;
    let long = format!("after:{}", "x".repeat(256));
    for cursor in ["", "x", "0", "after:", "AFTER:skill-00001", &long] {
        let answer = client.ask("prompts/list", json!({"cursor": cursor})).await;
        assert_eq!(answer["error"]["code"], -32602, "{cursor}");
    }
    let answer = client.ask("prompts/list", json!({"cursor": 7})).await;
    assert_eq!(answer["error"]["code"], -32602);
}
