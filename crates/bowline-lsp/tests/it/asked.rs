//! What servers ask of us, and what they are answered.

use bowline_lsp::Server;
use bowline_testkit::{FakeServer, Fault, Fixture, Kind, Script};
use serde_json::{Value, json};

use super::{hover, show, spec};

#[tokio::test]
async fn every_question_of_a_server_is_answered() {
    let fixture = Fixture::new("//- /a.fk\ndef greet\n");
    let (fake, stream) = FakeServer::start(Script::faulty(Fault::Asks));
    let mut spec = spec("/none".as_ref(), &[]);
    spec.settings = Some(json!({"fake": {"level": 3, "deep": {"er": true}}}));
    let life = Server::over(spec, fixture.root().to_owned(), stream).await.unwrap();
    // Its questions delay no answer.
    let shown = show(&life, &fixture, "a.fk");
    assert_eq!(hover(&life, &shown, 5).await, "`greet` defined at a.fk:1");
    let answers = |received: &[bowline_testkit::Received]| {
        let answers = received.iter().filter(|one| one.kind == Kind::Response);
        answers.map(|one| (one.method.clone(), one.params.clone(), one.error.clone())).collect::<Vec<_>>()
    };
    let answers = answers(&fake.wait_for(|received| answers(received).len() == 8).await);

    let of = |method: &str| answers.iter().find(|(name, ..)| name == method).unwrap().clone();
    assert_eq!(of("workspace/configuration").1, json!([{"level": 3, "deep": {"er": true}}, {"er": true}]));
    let folders = of("workspace/workspaceFolders").1;
    assert_eq!(folders[0]["uri"], bowline_testkit::file_uri(fixture.root()));
    for method in [
        "client/registerCapability",
        "client/unregisterCapability",
        "window/workDoneProgress/create",
        "window/showMessageRequest",
    ] {
        assert_eq!(of(method), (method.to_owned(), Value::Null, None));
    }
    let refused = "this client makes no changes that nobody asked for";
    assert_eq!(of("workspace/applyEdit").1, json!({"applied": false, "failureReason": refused}));
    assert!(!fixture.path("../outside.txt").exists());
    let error = of("fake/unknown").2.unwrap();
    assert_eq!(error, json!({"code": -32601, "message": "`fake/unknown` is not known to this client"}));
    assert_eq!(fake.complaints(), [""; 0]);
    fake.finish().await;
}

#[tokio::test]
async fn without_settings_configuration_is_null() {
    let fixture = Fixture::new("//- /a.fk\n\n");
    let (fake, life) = super::life(Script::default(), &fixture).await;
    let items = json!({"items": [{"section": "fake"}, {}]});
    let answer = fake.send_request("workspace/configuration", items).await;
    assert_eq!(answer, Ok(json!([null, null])));
    let shown = fake.send_request("window/showDocument", json!({"uri": "file:///x"})).await;
    assert_eq!(shown, Ok(json!({"success": false})));
    drop(life);
}
