//! What a server is asked, and what it is told before.

use bowline_code::Position;
use bowline_lsp::{Evidence, Goal, Sheet, Shown};
use bowline_testkit::{FakeServer, Fault, Fixture, PositionEncoding, Push, Received, Script};
use serde_json::Value;

use super::{ask, eventually, life, show};

const TWO: &str = "//- /a.fk\ndef greet\n  x😀 greet\n//- /b.fk\ngreet and $0greet\n";

async fn references(script: Script) -> (FakeServer, String) {
    let fixture = Fixture::new(TWO);
    let (fake, life) = life(script, &fixture).await;
    let shown = show(&life, &fixture, "b.fk");
    let (_, at) = fixture.cursor();
    let found = ask(async |asker| life.references(&shown, at, true, asker).await).await;
    let text = match found {
        Ok(places) => places
            .iter()
            .map(|place| {
                format!("{}:{}:{}-{}", place.file.display(), place.line, place.column, place.end_column)
            })
            .collect::<Vec<_>>()
            .join("\n"),
        Err(error) => error.to_string(),
    };
    (fake, fixture.relative(&text))
}

#[tokio::test]
async fn every_encoding_gives_the_same_places() {
    for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32] {
        let (fake, found) =
            references(Script { position_encoding: Some(encoding), ..Script::default() }).await;
        assert_eq!(found, "/a.fk:1:5-10\n/a.fk:2:7-12\n/b.fk:1:1-6\n/b.fk:1:11-16", "{encoding:?}");
        assert_eq!(fake.complaints(), [""; 0]);
    }
}

#[tokio::test]
async fn a_server_that_changes_its_mind_is_asked_again() {
    let (_, found) = references(Script::faulty(Fault::ContentModified)).await;
    assert_eq!(found.lines().count(), 4, "{found}");
}

#[tokio::test]
async fn bad_elements_are_left_out_and_nothing_is_an_empty_list() {
    let (_, found) = references(Script::faulty(Fault::BadElements)).await;
    assert!(found.lines().count() >= 1 && !found.contains("refused"), "{found}");
    let (_, found) = references(Script::faulty(Fault::NullAnswers)).await;
    assert_eq!(found, "");
}

#[tokio::test]
async fn answers_out_of_order_reach_those_who_asked() {
    let fixture = Fixture::new(TWO);
    let (_fake, life) = life(Script::faulty(Fault::OutOfOrder), &fixture).await;
    let shown = show(&life, &fixture, "b.fk");
    let at = Position::new(1, 1);
    let hovers = (1..=4).map(|_| ask(async |asker| life.hover(&shown, at, asker).await));
    let definition = ask(async |asker| life.go_to(Goal::Definition, &shown, at, asker).await);
    let (hovers, definition) = tokio::join!(futures_util::future::join_all(hovers), definition);
    assert!(hovers.into_iter().all(|hover| hover.unwrap().unwrap().text.contains("greet")));
    assert_eq!(definition.unwrap()[0].line, 1);
}

#[tokio::test]
async fn diagnostics_come_with_their_evidence() {
    let scripts = [
        (Script { pull: true, push: Push::Never, ..Script::default() }, Evidence::Pulled),
        (Script { register_pull: true, push: Push::Never, ..Script::default() }, Evidence::Pulled),
        (Script::default(), Evidence::Versioned),
        (Script { push_delay_ms: 300, ..Script::default() }, Evidence::Versioned),
        (Script { push: Push::Unversioned, ..Script::default() }, Evidence::Quiet),
        (Script { faults: vec![Fault::StalePush], ..Script::default() }, Evidence::Versioned),
        (
            Script { pull: true, push: Push::Never, faults: vec![Fault::CancelledPull], ..Script::default() },
            Evidence::Pulled,
        ),
    ];
    for (script, evidence) in scripts {
        let mut fixture = Fixture::new("//- /a.fk\nfine\n");
        let named = format!("{script:?}");
        let (fake, life) = life(script, &fixture).await;
        if named.contains("register_pull: true") {
            fake.wait_for_method("client/registerCapability").await;
        }
        let shown = show(&life, &fixture, "a.fk");
        let found = ask(async |asker| life.diagnose(&shown, asker).await).await.unwrap();
        assert_eq!((found.diagnostics.len(), found.evidence), (0, evidence), "{named}");
        fixture.write("a.fk", "a BUG\nWARN BUG\n");
        let shown = show(&life, &fixture, "a.fk");
        let found = ask(async |asker| life.diagnose(&shown, asker).await).await.unwrap();
        assert_eq!((found.diagnostics.len(), found.evidence), (3, evidence), "{named}");
        assert_eq!(fake.complaints(), [""; 0]);
    }
}

#[tokio::test]
async fn a_change_elsewhere_makes_old_diagnostics_worthless() {
    let mut fixture = Fixture::new("//- /a.fk\nBUG\n//- /b.fk\nfine\n");
    let (fake, life) = life(Script::default(), &fixture).await;
    let a = show(&life, &fixture, "a.fk");
    ask(async |asker| life.diagnose(&a, asker).await).await.unwrap();
    show(&life, &fixture, "b.fk");
    fixture.write("b.fk", "other\n");
    show(&life, &fixture, "b.fk");
    ask(async |asker| life.diagnose(&a, asker).await).await.unwrap();
    let versions: Vec<_> = fake
        .received()
        .into_iter()
        .filter(|message| {
            message.method == "textDocument/didChange" && message.params.to_string().contains("a.fk")
        })
        .map(|message| message.params["textDocument"]["version"].clone())
        .collect();
    assert_eq!(versions, [2], "one look more at the same text");
    assert_eq!(fake.complaints(), [""; 0]);
}

/// clangd publishes what it makes of old headers under the version of a new text, and only then what it makes of the new
/// ones: a document must be opened anew to be sure. Between closing and opening, a draft is not there for others.
#[tokio::test]
async fn clangd_is_believed_about_documents_that_were_opened_in_this_world() {
    let mut fixture = Fixture::new("//- /a.fk\nfine\n//- /b.fk\nfine\n//- /c.fk\nfine\n");
    let script = Script { name: "clangd".into(), push_delay_ms: 50, ..Script::default() };
    let (fake, life) = life(script, &fixture).await;
    let diagnose = async |shown: &Shown| {
        let found = ask(async |asker| life.diagnose(shown, asker).await).await.unwrap();
        (found.diagnostics.len(), found.evidence)
    };
    let told = || -> Vec<String> {
        let name =
            |uri: &Value| uri.as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default().to_owned();
        let about = |message: Received| {
            let what = message.method.strip_prefix("textDocument/did")?.to_owned();
            Some(format!("{what} {}", name(&message.params["textDocument"]["uri"])))
        };
        fake.received().into_iter().filter_map(about).filter(|told| !told.starts_with("Save")).collect()
    };
    let a = show(&life, &fixture, "a.fk");
    assert_eq!(diagnose(&a).await, (0, Evidence::Versioned));
    assert_eq!(told(), ["Open a.fk"]);
    fixture.write("a.fk", "a BUG\n");
    let a = show(&life, &fixture, "a.fk");
    assert_eq!(diagnose(&a).await, (1, Evidence::Versioned));
    assert_eq!(told()[1..], ["Change a.fk", "Close a.fk", "Open a.fk"]);

    let c = show(&life, &fixture, "c.fk");
    assert_eq!(diagnose(&c).await, (0, Evidence::Versioned));
    let before = told().len();
    let overlay = life.overlay().await;
    let sheet = |name: &str| Sheet {
        path: fixture.path(name),
        language: "fake".into(),
        text: "two BUG BUG\n".into(),
    };
    let (a, b) = (overlay.lay(&sheet("a.fk")), overlay.lay(&sheet("b.fk")));
    let (of_a, of_b, of_c) = tokio::join!(diagnose(&a), diagnose(&b), diagnose(&c));
    assert_eq!((of_a.0, of_b.0, of_c.0), (2, 2, 0));
    let all = ["Change a.fk", "Open b.fk", "Close a.fk", "Open a.fk", "Close c.fk", "Open c.fk"];
    assert_eq!(told()[before..], all);
    drop(overlay);
    eventually("the drafts are taken back", || told().len() == before + all.len() + 3).await;
    assert_eq!(told()[before + all.len()..], ["Close a.fk", "Close b.fk", "Open a.fk"]);
    assert_eq!(fake.complaints(), [""; 0]);
}
