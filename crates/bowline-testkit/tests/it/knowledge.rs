//! What the fake knows about words, on disk and in open documents.

use bowline_testkit::{Fault, Fixture, PositionEncoding, Script, file_uri};
use serde_json::{Value, json};

use crate::client::Client;
use crate::{at, did_open, span};

fn fixture() -> Fixture {
    Fixture::new(
        "//- /lib.py
# é😀
def greet(name):
    def inner():
        pass
    return name

//- /sub/main.py
'😀'; greet('you'); regreet()
//- /notes.txt
greet
//- /.hidden/x.py
greet
",
    )
}

fn places(fixture: &Fixture, list: &Value) -> Vec<String> {
    let place =
        |one: &Value| format!("{} {}", fixture.relative(one["uri"].as_str().unwrap()), span(&one["range"]));
    list.as_array().unwrap().iter().map(place).collect()
}

#[tokio::test]
async fn references_are_on_disk_and_in_open_documents() {
    let fixture = fixture();
    let (_server, mut client, _) = Client::start(Script::default(), fixture.root()).await;
    let mut ask = at(&fixture.path("sub/main.py"), 0, 8);
    let answer = client.request("textDocument/references", ask.clone()).await;
    assert_eq!(places(&fixture, &answer["result"]), ["file:///lib.py 1:4-9", "file:///sub/main.py 0:6-11"]);
    ask["context"] = json!({ "includeDeclaration": false });
    let answer = client.request("textDocument/references", ask.clone()).await;
    assert_eq!(places(&fixture, &answer["result"]), ["file:///sub/main.py 0:6-11"]);

    // What is open counts, whether the disk knows it or not.
    let text = "greet greet\r\n😀greet(";
    client.notify("textDocument/didOpen", did_open(&fixture.path("sub/main.py"), text)).await;
    client.notify("textDocument/didOpen", did_open(&fixture.path("new.py"), "greet")).await;
    let mut ask = at(&fixture.path("sub/main.py"), 1, 7);
    ask["context"] = json!({ "includeDeclaration": true });
    let answer = client.request("textDocument/references", ask).await;
    assert_eq!(
        places(&fixture, &answer["result"]),
        [
            "file:///lib.py 1:4-9",
            "file:///new.py 0:0-5",
            "file:///sub/main.py 0:0-5",
            "file:///sub/main.py 0:6-11",
            "file:///sub/main.py 1:2-7"
        ]
    );
}

#[tokio::test]
async fn definition_and_hover_find_the_name_in_every_unit() {
    let fixture = fixture();
    let units = [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32];
    for (unit, column) in units.into_iter().zip([8, 6, 5]) {
        let script = Script { position_encoding: Some(unit), ..Script::default() };
        let (server, mut client, _) = Client::start(script, fixture.root()).await;
        let ask = at(&fixture.path("sub/main.py"), 0, column + 5);
        let answer = client.request("textDocument/definition", ask.clone()).await;
        assert_eq!(places(&fixture, &answer["result"]), ["file:///lib.py 1:4-9"]);
        let hover = client.request("textDocument/hover", ask).await["result"].take();
        assert_eq!(hover["contents"], json!({ "kind": "markdown", "value": "`greet` defined at lib.py:2" }));
        assert_eq!(span(&hover["range"]), format!("0:{column}-{}", column + 5));
        assert_eq!(server.complaints(), [""; 0]);
    }
}

#[tokio::test]
async fn what_is_not_there_is_nothing_or_a_mistake() {
    let fixture = fixture();
    let (server, mut client, _) = Client::start(Script::default(), fixture.root()).await;
    let unknown = at(&fixture.path("none.py"), 0, 0);
    assert_eq!(client.request("textDocument/definition", unknown.clone()).await["result"], json!([]));
    assert_eq!(client.request("textDocument/hover", unknown).await["result"], Value::Null);
    let undefined = at(&fixture.path("sub/main.py"), 0, 20);
    assert_eq!(client.request("textDocument/definition", undefined).await["result"], json!([]));
    let outside = at(&fixture.root().with_file_name("x.py"), 0, 0);
    assert_eq!(client.request("textDocument/references", outside).await["result"], json!([]));
    let beyond = at(&fixture.path("sub/main.py"), 0, 100);
    assert_eq!(client.request("textDocument/hover", beyond).await["error"]["code"], -32602);
    assert_eq!(server.complaints(), ["textDocument/hover: character 100 of line 0, which has 29"]);
}

#[tokio::test]
async fn symbols_are_nested_in_documents_and_flat_in_the_workspace() {
    let fixture = fixture();
    let (_server, mut client, _) = Client::start(Script::default(), fixture.root()).await;
    let ask = at(&fixture.path("lib.py"), 0, 0);
    let symbols = client.request("textDocument/documentSymbol", ask).await["result"].take();
    let outer = &symbols[0];
    assert_eq!((outer["name"].as_str(), outer["kind"].as_i64()), (Some("greet"), Some(12)));
    assert_eq!((span(&outer["range"]), span(&outer["selectionRange"])), ("1:0-4:15".into(), "1:4-9".into()));
    assert_eq!(
        (outer["children"][0]["name"].as_str(), symbols.as_array().unwrap().len()),
        (Some("inner"), 1)
    );

    let found = client.request("workspace/symbol", json!({ "query": "nn" })).await["result"].take();
    let uri = file_uri(&fixture.path("lib.py"));
    assert_eq!(
        (found[0]["name"].as_str(), found[0]["containerName"].as_str()),
        (Some("inner"), Some("greet"))
    );
    assert_eq!((found[0]["location"]["uri"].as_str(), found.as_array().unwrap().len()), (Some(&*uri), 1));
}

#[tokio::test]
async fn other_folders_can_come_and_go() {
    let (one, two) = (fixture(), Fixture::new("//- /other.py\ndef elsewhere(): pass\n"));
    let (_server, mut client, _) = Client::start(Script::default(), one.root()).await;
    let folder = |fixture: &Fixture| json!([{ "uri": file_uri(fixture.root()), "name": "x" }]);
    let event = json!({ "event": { "added": folder(&two), "removed": folder(&one) } });
    client.notify("workspace/didChangeWorkspaceFolders", event).await;
    let found = client.request("workspace/symbol", json!({ "query": "e" })).await["result"].take();
    let names: Vec<&str> =
        found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["elsewhere"]);
}

#[tokio::test]
async fn what_is_not_offered_is_not_known() {
    let fixture = fixture();
    let script = Script { capabilities: json!({ "hoverProvider": false }), ..Script::default() };
    let (_server, mut client, _) = Client::start(script, fixture.root()).await;
    for method in ["textDocument/hover", "textDocument/definition"] {
        let answer = client.request(method, at(&fixture.path("lib.py"), 1, 5)).await;
        assert_eq!(answer["error"]["code"], -32601);
    }
}

#[tokio::test]
async fn answers_come_in_odd_shapes_null_and_spoilt() {
    let fixture = fixture();
    let ask = at(&fixture.path("sub/main.py"), 0, 8);
    let file = at(&fixture.path("lib.py"), 0, 0);

    let (_server, mut client, _) = Client::start(Script::faulty(Fault::OddAnswers), fixture.root()).await;
    let single = client.request("textDocument/definition", ask.clone()).await["result"].take();
    assert_eq!(span(&single["range"]), "1:4-9");
    let links = client.request("textDocument/definition", ask.clone()).await["result"].take();
    assert_eq!(span(&links[0]["targetSelectionRange"]), "1:4-9");
    let flat = client.request("textDocument/documentSymbol", file).await["result"].take();
    assert_eq!(flat[1]["containerName"], "greet");
    let hover = client.request("textDocument/hover", ask.clone()).await["result"].take();
    assert_eq!(hover["contents"][1], "`greet` defined at lib.py:2");

    let (_server, mut client, _) = Client::start(Script::faulty(Fault::NullAnswers), fixture.root()).await;
    let answer = client.request("textDocument/references", ask.clone()).await;
    assert_eq!(answer.get("result"), Some(&Value::Null));

    let (_server, mut client, _) = Client::start(Script::faulty(Fault::BadElements), fixture.root()).await;
    let spoilt = client.request("textDocument/references", ask).await["result"].take();
    assert_eq!(spoilt.as_array().unwrap().len(), 2 + 6);
    assert_eq!((&spoilt[1]["range"]["start"]["line"], spoilt[2].get("uri")), (&json!(-1), None));
    assert_eq!(span(&spoilt[7]["range"]), "0:6-11");
}
