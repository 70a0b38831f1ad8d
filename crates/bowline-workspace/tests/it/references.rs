//! Where names are used.

use bowline_testkit::Fixture;
use insta::assert_snapshot;

use super::{open, references_at_cursor, references_in};

#[tokio::test]
async fn uses_in_other_files() {
    let text =
        "//- /lib.rs\npub fn gr$0eet() {}\n//- /main.rs\nuse lib::greet;\nfn main() { greet(); greet() }\n";
    assert_snapshot!(references_at_cursor(text).await, @r"
    /main.rs:1:10-15
    /main.rs:2:13-18
    /main.rs:2:22-27
    ");
    let fixture = Fixture::new(text);
    assert_snapshot!(references_in(&fixture, &open(&fixture), true).await, @r"
    /lib.rs:1:8-13
    /main.rs:1:10-15
    /main.rs:2:13-18
    /main.rs:2:22-27
    ");
}

#[tokio::test]
async fn a_local_binding_is_used_in_its_scope_only() {
    let text = "//- /a.rs\nfn f(count: u8) -> u8 { cou$0nt + count }\nfn g(count: u8) -> u8 { count }\n//- /b.rs\nfn count() {}\n";
    assert_snapshot!(references_at_cursor(text).await, @r"
    /a.rs:1:25-30
    /a.rs:1:33-38
    ");
}

#[tokio::test]
async fn local_bindings_are_no_uses_of_what_others_define() {
    let answer = references_at_cursor(
        "//- /a.py\ndef tot$0al(): pass\n//- /b.py\ndef f(total):\n    return total\n\ndef g():\n    return total()\n",
    )
    .await;
    assert_snapshot!(answer, @"/b.py:5:12-17");
}

#[tokio::test]
async fn comments_and_strings_are_no_uses() {
    let answer = references_at_cursor(
        "//- /a.ts\nexport function gr$0eet() {}\n// greet\nconst s = 'greet'\ngreet()\n",
    )
    .await;
    assert_snapshot!(answer, @"/a.ts:4:1-6");
}

#[tokio::test]
async fn other_languages_are_other_worlds() {
    let answer = references_at_cursor(
        "//- /a.c\nint gr$0eet(void) { return 1; }\n//- /b.cpp\nint x = greet();\n//- /c.py\ngreet()\n",
    )
    .await;
    assert_snapshot!(answer, @"/b.cpp:1:9-14");
}

#[tokio::test]
async fn nothing_is_an_answer() {
    let answer = references_at_cursor("//- /a.go\npackage a\n\nfunc unu$0sed() {}\n").await;
    assert_snapshot!(answer, @"nothing");
}

#[tokio::test]
async fn ignored_files_are_not_searched() {
    let answer = references_at_cursor(
        "//- /.gitignore\ngenerated/\n//- /.bowlineignore\n*.gen.rs\n//- /a.rs\nfn gr$0eet() {}\n//- /b.rs\nfn b() { greet() }\n\
         //- /generated/c.rs\nfn c() { greet() }\n//- /d.gen.rs\nfn d() { greet() }\n//- /.hidden/e.rs\nfn e() { greet() }\n",
    )
    .await;
    assert_snapshot!(answer, @"/b.rs:1:10-15");
}

#[tokio::test]
async fn very_many_are_counted_but_not_all_shown() {
    let mut fixture = Fixture::new("//- /a.py\ndef hi$0t(): pass\n");
    let line = "hit();".repeat(100) + "\n";
    fixture.write("b.py", &line.repeat(120));
    let (path, at) = fixture.cursor();
    let found = open(&fixture).references(&path, at, false, &super::patient()).await.unwrap().value;
    assert_eq!((found.places.len(), found.total), (10_000, 12_000));
}
