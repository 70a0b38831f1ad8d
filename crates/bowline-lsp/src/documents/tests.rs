//! Texts, and what a server is told when one becomes the other.

use proptest::prelude::*;

use super::*;

fn sheet(text: &str) -> Sheet {
    Sheet { path: "/w/a b.go".into(), language: "go".into(), text: text.into() }
}

/// The contents of the messages that turn one text into another.
fn told(old: &str, new: &str, encoding: Encoding, changes: Changes) -> Vec<Notice> {
    let mut documents = Documents::default();
    documents.show(&sheet(old), encoding, changes, Some(false));
    documents.show(&sheet(new), encoding, changes, Some(false)).0
}

#[test]
fn opens_once_and_then_tells_the_difference() {
    let mut documents = Documents::default();
    let (notices, shown) = documents.show(&sheet("a"), Encoding::Utf16, Changes::Parts, None);
    let document = json!({"uri": "file:///w/a%20b.go", "languageId": "go", "version": 1, "text": "a"});
    assert_eq!(notices, [("textDocument/didOpen", json!({"textDocument": document}))]);
    assert_eq!(shown.version, 1);
    let (notices, shown) = documents.show(&sheet("a"), Encoding::Utf16, Changes::Parts, None);
    assert_eq!((notices, shown.version), (vec![], 1), "the same text is no change");
    let (notices, shown) = documents.show(&sheet("ab"), Encoding::Utf16, Changes::Parts, None);
    assert_eq!((notices[0].0, shown.version), ("textDocument/didChange", 2));
}

#[test]
fn tells_the_smallest_change_in_the_units_of_the_server() {
    let change = |encoding| {
        told("x😀 = 1\r\ny", "x😀 = 27\r\ny", encoding, Changes::Parts)[0].1["contentChanges"][0].clone()
    };
    let at = |column: u32| json!({"line": 0, "character": column});
    for (encoding, column) in [(Encoding::Utf8, 8), (Encoding::Utf16, 6), (Encoding::Utf32, 5)] {
        assert_eq!(
            change(encoding),
            json!({"range": {"start": at(column), "end": at(column + 1)}, "text": "27"}),
            "{encoding:?}"
        );
    }
}

#[test]
fn what_came_from_the_disk_was_saved() {
    assert_eq!(told("a", "b", Encoding::Utf16, Changes::Parts)[1].0, "textDocument/didSave");
}

#[test]
fn a_server_that_takes_no_changes_is_shown_the_document_anew() {
    let methods: Vec<&str> =
        told("a", "b", Encoding::Utf16, Changes::Never).into_iter().map(|(method, _)| method).collect();
    assert_eq!(methods, ["textDocument/didClose", "textDocument/didOpen"]);
    assert_eq!(
        told("a", "b", Encoding::Utf16, Changes::Whole)[0].1["contentChanges"],
        json!([{"text": "b"}])
    );
}

#[test]
fn too_many_open_documents_close_the_one_unused_for_longest() {
    let mut documents = Documents::default();
    let path = |number: usize| PathBuf::from(format!("/w/{number}"));
    let mut show = |number| {
        let sheet = Sheet { path: path(number), language: "go".into(), text: "".into() };
        documents.show(&sheet, Encoding::Utf16, Changes::Parts, None).0
    };
    (0..MOST_OPEN).for_each(|number| drop(show(number)));
    show(0);
    let notices = show(MOST_OPEN);
    assert_eq!(notices[1], ("textDocument/didClose", json!({"textDocument": {"uri": "file:///w/1"}})));
}

#[test]
fn a_document_that_is_opened_again_gets_a_version_that_it_never_had() {
    let mut documents = Documents::default();
    let version = |documents: &mut Documents, text: &str| {
        documents.show(&sheet(text), Encoding::Utf16, Changes::Parts, None).1.version
    };
    assert_eq!(["a", "b", "c"].map(|text| version(&mut documents, text)), [1, 2, 3]);
    documents.close(&sheet("").path);
    assert_eq!(version(&mut documents, "d"), 4);
    assert_eq!(documents.openings()[0].1["textDocument"]["version"], 4);
}

#[test]
fn a_nudge_is_a_version_more_in_the_way_that_the_server_takes_them() {
    let mut documents = Documents::default();
    documents.show(&sheet("a"), Encoding::Utf16, Changes::Parts, None);
    let mut nudge = |changes| {
        let (notices, shown) = documents.nudge(&sheet("").path, changes).unwrap();
        (notices.iter().map(|(method, _)| *method).collect::<Vec<_>>(), shown.version)
    };
    assert_eq!(nudge(Changes::Parts), (vec!["textDocument/didChange"], 2));
    assert_eq!(nudge(Changes::Never), (vec!["textDocument/didClose", "textDocument/didOpen"], 3));
}

#[test]
fn every_draft_is_gone_before_a_document_is_opened_again() {
    let mut documents = Documents::default();
    let named = |name: &str, text: &str| Sheet { path: name.into(), ..sheet(text) };
    for name in ["/w/main.cpp", "/w/rope.hpp"] {
        documents.show(&named(name, "a"), Encoding::Utf16, Changes::Never, None);
        documents.lay(&named(name, "b"), Encoding::Utf16, Changes::Never);
    }
    let lifted = documents.lift(Encoding::Utf16, Changes::Never);
    let told: Vec<_> = lifted.notices.iter().map(|(method, _)| method.rsplit('/').next().unwrap()).collect();
    assert_eq!(told, ["didClose", "didClose", "didOpen", "didOpen"]);
}

#[test]
fn a_position_that_nobody_can_have_is_no_reason_to_panic() {
    assert_eq!(on_the_wire(Position::new(0, 0)), json!({"line": 0, "character": 0}));
}

proptest! {
    #[test]
    fn the_change_makes_the_new_text(old in "([ab]|\r|\n|\r\n|é|😀){0,12}", new in "([ab]|\r|\n|\r\n|é|😀){0,12}") {
        let (from, to) = difference(&old, &new);
        let made = format!("{}{}{}", &old[..from.start], &new[to], &old[from.end..]);
        prop_assert_eq!(made, new);
        // Both ends have positions that lead back to them.
        let lines = LineTable::new(&old);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for offset in [from.start, from.end] {
                let position = lines.position(&old, offset, encoding);
                prop_assert_eq!(lines.offset(&old, position, encoding), Ok(offset));
            }
        }
    }
}
