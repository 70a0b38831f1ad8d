//! What a server is asked, and what it is told before.

use bowline_code::Position;
use bowline_lsp::{Evidence, Goal};
use bowline_testkit::{FakeServer, Fault, Fixture, PositionEncoding, Push, Script};

use super::{ask, life, show};

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
