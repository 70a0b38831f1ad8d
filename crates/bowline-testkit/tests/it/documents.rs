//! Open documents and what is published about them.

use bowline_testkit::{Fault, Fixture, PositionEncoding, Push, Script, file_uri};
use serde_json::{Value, json};

use crate::client::Client;
use crate::{at, did_open, span};

fn change(fixture: &Fixture, version: i64, changes: &Value) -> Value {
    let uri = file_uri(&fixture.path("a.py"));
    json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": changes })
}

fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> Value {
    json!({
        "range": {
            "start": { "line": from.0, "character": from.1 },
            "end": { "line": to.0, "character": to.1 },
        },
        "text": text,
    })
}

/// The version and each finding of the next publication.
async fn published(client: &mut Client) -> String {
    let message = client.find_method("textDocument/publishDiagnostics").await;
    let params = &message["params"];
    let items = params["diagnostics"].as_array().unwrap();
    let items = items.iter().map(|item| {
        assert_eq!(item["source"], "fake");
        format!(" {}={}@{}", item["code"].as_str().unwrap(), item["severity"], span(&item["range"]))
    });
    format!("v{}{}", params["version"], items.collect::<String>())
}

#[tokio::test]
async fn changes_are_applied_in_the_agreed_unit() {
    let units = [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32];
    for (unit, emoji) in units.into_iter().zip([4, 2, 1]) {
        let fixture = Fixture::new("//- /a.py\n");
        let script = Script { position_encoding: Some(unit), ..Script::default() };
        let (server, mut client, _) = Client::start(script, fixture.root()).await;
        client.notify("textDocument/didOpen", did_open(&fixture.path("a.py"), "x = '😀'\r\ny\r\n")).await;
        assert_eq!(published(&mut client).await, "v1");

        // Each change is about the text that the one before has left.
        let changes =
            json!(
                [edit((0, 5 + emoji), (1, 0), "😀BUG'\r\n\r\n😀 WARN "), edit((0, 5), (0, 5 + emoji), ""),]
            );
        client.notify("textDocument/didChange", change(&fixture, 2, &changes)).await;
        // The BUG stands behind a quote that is left and one emoji; the other lines show that CRLF was kept.
        let bug = format!("0:{}-{}", 5 + emoji, 5 + emoji + 3);
        let warn = format!("2:{}-{}", emoji + 1, emoji + 5);
        let findings = published(&mut client).await;
        assert_eq!(findings, format!("v2 bug1=1@{bug} warn1=2@{warn}"), "{unit:?}");
        assert_eq!(server.complaints(), [""; 0]);
    }
}

#[tokio::test]
async fn changes_that_cannot_be_are_complaints() {
    let fixture = Fixture::new("//- /a.py\n");
    let (server, mut client, _) = Client::start(Script::default(), fixture.root()).await;
    client.notify("textDocument/didChange", change(&fixture, 1, &json!([]))).await;
    client.notify("textDocument/didOpen", did_open(&fixture.path("a.py"), "😀\r\n")).await;
    for (version, bad) in [
        (2, edit((0, 1), (0, 2), "x")),
        (3, edit((0, 0), (0, 3), "x")),
        (4, edit((2, 0), (2, 0), "x")),
        (5, edit((1, 0), (0, 0), "x")),
        (5, edit((0, 0), (0, 0), "BUG ")),
    ] {
        client.notify("textDocument/didChange", change(&fixture, version, &json!([bad]))).await;
    }
    client.notify("textDocument/didClose", at(&fixture.path("a.py"), 0, 0)).await;
    client.notify("textDocument/didSave", at(&fixture.path("a.py"), 0, 0)).await;
    // The same text five times, then the one change that could be applied, then the closed document.
    for _ in 0..5 {
        assert!(!published(&mut client).await.contains("bug"));
    }
    assert_eq!(published(&mut client).await, "v5 bug1=1@0:0-3");
    assert_eq!(published(&mut client).await, "vnull");
    client.request("fake/nonsense", json!({})).await;
    let uri = file_uri(&fixture.path("a.py"));
    let changed = |problem: &str| format!("textDocument/didChange: {problem}");
    let backwards = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 0, "character": 0 } });
    assert_eq!(
        server.complaints(),
        [
            changed(&format!("\"{uri}\" is not open")),
            changed("character 1 is inside a letter"),
            changed("character 3 of line 0, which has 2"),
            changed("line 2 of a text with 2 lines"),
            changed(&format!("the range ends before it starts: {backwards}")),
            changed("version 5 after version 5"),
            format!("textDocument/didSave: \"{uri}\" is not open"),
        ]
    );
}

#[tokio::test]
async fn publishes_with_or_without_versions_late_or_never() {
    let fixture = Fixture::new("//- /a.py\n");
    let open = did_open(&fixture.path("a.py"), "BUG");
    for (push, shown) in [(Push::Versioned, "v1 bug1=1@0:0-3"), (Push::Unversioned, "vnull bug1=1@0:0-3")] {
        let script = Script { push, push_delay_ms: 30, ..Script::default() };
        let (_server, mut client, _) = Client::start(script, fixture.root()).await;
        client.notify("textDocument/didOpen", open.clone()).await;
        // The answer overtakes what waits.
        client.ask("fake/nonsense", json!({})).await;
        assert_eq!(client.next().await.unwrap()["error"]["code"], -32601);
        assert_eq!(published(&mut client).await, shown);
    }
    let script = Script { push: Push::Never, ..Script::default() };
    let (_server, mut client, _) = Client::start(script, fixture.root()).await;
    client.notify("textDocument/didOpen", open).await;
    client.ask("fake/nonsense", json!({})).await;
    assert_eq!(client.next().await.unwrap()["error"]["code"], -32601);
}

#[tokio::test]
async fn an_old_version_comes_after_a_new_one() {
    let fixture = Fixture::new("//- /a.py\n");
    let (_server, mut client, _) = Client::start(Script::faulty(Fault::StalePush), fixture.root()).await;
    client.notify("textDocument/didOpen", did_open(&fixture.path("a.py"), "BUG")).await;
    client.notify("textDocument/didChange", change(&fixture, 2, &json!([{ "text": "fine" }]))).await;
    assert_eq!(published(&mut client).await, "v1 bug1=1@0:0-3");
    assert_eq!(published(&mut client).await, "v2");
    assert_eq!(published(&mut client).await, "v1 bug1=1@0:0-3");
}

#[tokio::test]
async fn answers_pulls_and_knows_what_was_sent_before() {
    let fixture = Fixture::new("//- /a.py\nBUG\n//- /sub/b.py\nfine\n");
    let script = Script { pull: true, push: Push::Never, ..Script::default() };
    let (_server, mut client, answer) = Client::start(script, fixture.root()).await;
    assert_eq!(
        answer["result"]["capabilities"]["diagnosticProvider"],
        json!({ "interFileDependencies": true, "workspaceDiagnostics": true })
    );
    let mut params = at(&fixture.path("a.py"), 0, 0);
    let full = client.request("textDocument/diagnostic", params.clone()).await["result"].take();
    assert_eq!((full["kind"].as_str(), full["items"].as_array().map(Vec::len)), (Some("full"), Some(1)));
    params["previousResultId"] = full["resultId"].clone();
    let again = client.request("textDocument/diagnostic", params).await["result"].take();
    assert_eq!(again, json!({ "kind": "unchanged", "resultId": full["resultId"] }));

    client.notify("textDocument/didOpen", did_open(&fixture.path("sub/b.py"), "BUG BUG")).await;
    let previous = json!([{ "uri": file_uri(&fixture.path("a.py")), "value": full["resultId"] }]);
    let params = json!({ "previousResultIds": previous });
    let all = client.request("workspace/diagnostic", params).await["result"]["items"].take();
    let all: Vec<String> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|report| {
            let uri = fixture.relative(report["uri"].as_str().unwrap());
            let count = report["items"].as_array().map_or(0, Vec::len);
            format!("{uri} v{} {} {count}", report["version"], report["kind"].as_str().unwrap())
        })
        .collect();
    assert_eq!(all, ["file:///a.py vnull unchanged 0", "file:///sub/b.py v1 full 2"]);
}
