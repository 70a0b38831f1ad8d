//! One text after the other, in every unit: what the server has is what we have.

use std::sync::Arc;

use bowline_code::{Encoding, LineTable, Position};
use bowline_lsp::{Sheet, Shown};
use bowline_testkit::{Fixture, PositionEncoding, Script};
use proptest::prelude::*;
use serde_json::json;

use super::{ask, life};

/// Where `word` stands in a text, in our columns.
fn places(text: &str, word: &str) -> Vec<(u32, u32)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let lines = LineTable::new(text);
    let whole =
        |at: &usize| !text[..*at].ends_with(is_part) && !text[*at + word.len()..].starts_with(is_part);
    let found = text.match_indices(word).map(|(at, _)| at).filter(whole);
    found.map(|at| lines.position(text, at, Encoding::Utf16)).map(|at| (at.line, at.column)).collect()
}

/// Shows the texts one after the other, and asks for the last one's words.
async fn told(texts: &[String], script: Script) -> (Vec<(u32, u32)>, Vec<String>) {
    let fixture = Fixture::new("");
    let (fake, life) = life(script, &fixture).await;
    let path = fixture.path("a b😀.fk");
    let mut shown = None;
    for text in texts {
        let text: Arc<str> = text.as_str().into();
        shown = Some(life.show(&Sheet { path: path.clone(), language: "fake".into(), text }));
    }
    let shown = shown.unwrap();
    // Columns of other units are counted in the text that the disk has.
    fixture.write_bytes("a b😀.fk", shown.text.as_bytes());
    let found = ask(async |asker| life.references(&shown, Position::new(1, 1), true, asker).await).await;
    let found = found.unwrap().iter().map(|place| (place.line, place.column)).collect();
    (found, fake.complaints())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_server_has_the_text_that_it_was_shown(
        texts in prop::collection::vec("(word|other|\\.| |\r|\n|\r\n|é|😀){0,30}", 1..12),
        unit in 0_usize..3,
        change in 1_u32..=2,
    ) {
        let units = [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32];
        // The cursor is on the first word.
        let texts: Vec<String> = texts.iter().map(|text| format!("word {text}")).collect();
        let mut script = Script { position_encoding: Some(units[unit]), ..Script::default() };
        script.capabilities["textDocumentSync"] = json!({"openClose": true, "change": change});
        let (found, complaints) = runtime().block_on(told(&texts, script));
        prop_assert_eq!(complaints, Vec::<String>::new());
        prop_assert_eq!(found, places(texts.last().unwrap(), "word"));
    }
}

#[test]
fn a_server_that_takes_no_changes_has_it_too() {
    let mut script = Script::default();
    script.capabilities["textDocumentSync"] = json!({"openClose": true, "change": 0});
    let texts = ["word", "word word", "word 😀\r\nword"].map(str::to_owned);
    let (found, complaints) = runtime().block_on(told(&texts, script));
    assert_eq!((found, complaints), (vec![(1, 1), (2, 1)], vec![]));
}

#[tokio::test]
async fn a_document_that_was_crowded_out_is_diagnosed_as_it_is_now() {
    let mut fixture = Fixture::new("//- /a.fk\nfine\n");
    let (fake, life) = life(Script { push_delay_ms: 20, ..Script::default() }, &fixture).await;
    let diagnose = async |shown: Shown| {
        let found = ask(async |asker| life.diagnose(&shown, asker).await).await;
        found.unwrap().diagnostics.len()
    };
    for (text, bugs) in [("BUG\n", 1), ("fine\n", 0)] {
        fixture.write("a.fk", text);
        assert_eq!(diagnose(super::show(&life, &fixture, "a.fk")).await, bugs);
    }
    for number in 0..200 {
        let path = fixture.path(&format!("{number}.fk"));
        life.show(&Sheet { path, language: "fake".into(), text: "".into() });
    }
    assert!(life.shown(&fixture.path("a.fk")).is_none());
    fixture.write("a.fk", "BUG BUG\n");
    assert_eq!(diagnose(super::show(&life, &fixture, "a.fk")).await, 2);
    assert_eq!(fake.complaints(), [""; 0]);
}
