//! What callers get wrong, and what they are told.

use bowline_testkit::Fixture;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{ask, call, shown};

const TEXT: &str = "//- /a.rs\nfn f() {}\n";

async fn at(line: Value, column: Value) -> String {
    ask("find_references", TEXT, json!({"file_path": "a.rs", "line": line, "column": column})).await
}

#[tokio::test]
async fn positions_that_do_not_exist() {
    assert_snapshot!(at(json!(0), json!(1)).await, @"bad arguments: line must be >= 1, got 0");
    assert_snapshot!(at(json!(1), json!(-3)).await, @"bad arguments: column must be >= 1, got -3");
    assert_snapshot!(at(json!(1), json!(99)).await, @"bad arguments: line 1 column 99 is not in `/a.rs`: the last column of that line is 10");
    assert_snapshot!(at(json!(9), json!(1)).await, @"bad arguments: line 9 column 1 is not in `/a.rs`: the last line is 2");
    assert_snapshot!(at(json!("1"), json!(1)).await, @r"
    bad arguments: `line` must be an integer, got the string `1`
    Next step: this tool takes file_path, language_id, line, column, position_pattern, symbol_path, line_scope_start, line_scope_end, include_declaration, limit, offset
    ");
    assert_snapshot!(at(Value::Null, json!(1)).await, @r"
    bad arguments: line: missing required argument `line`
    Next step: give `line` and `column`, or `position_pattern`, or `symbol_path`
    ");
    assert_snapshot!(at(json!(1), json!(8)).await, @r"
    bad arguments: no name at line 1 column 8 of `/a.rs`; put the cursor on an identifier of `fn f() {}`
    Next step: position_pattern finds a place by its text: `fn @@name(`
    ");
}

async fn file(name: &str, bytes: &[u8]) -> String {
    let fixture = Fixture::new("");
    fixture.write_bytes(name, bytes);
    shown(&fixture, call(&fixture, "list_symbols", json!({"file_path": name, "format": "outline"})).await)
}

#[tokio::test]
async fn files_that_are_not_what_they_seem() {
    assert_snapshot!(file("a.rs", b"fn f\0() {}").await, @"unsupported: `/a.rs` is a binary file");
    assert_snapshot!(file("a.rs", b"fn caf\xe9() {}").await, @"unsupported: `/a.rs` is not UTF-8 (first bad byte at offset 6)");
    assert_snapshot!(file("a.xyz", b"what is this").await, @r"
    unsupported: no grammar for `/a.xyz`; languages with one: rust, python, go, typescript, typescriptreact, javascript, java, c, cpp, csharp, ruby, php, shellscript
    Next step: read the file itself instead
    ");
    let large = vec![b' '; 50 << 20];
    assert_snapshot!(file("a.rs", &large).await, @"unsupported: `/a.rs` has 52428800 bytes; files above 5242880 bytes are not read");
    assert_snapshot!(ask("list_symbols", "//- /d/a.rs\n", json!({"file_path": "d"})).await, @r"
    bad arguments: `/d` is a directory, not a file
    Next step: name a file
    ");
    assert_snapshot!(ask("list_symbols", "", json!({"file_path": "none.rs"})).await, @r"
    bad arguments: no such file: `/none.rs`
    Next step: paths are absolute, or relative to the first workspace root
    ");
}

#[tokio::test]
async fn files_that_are_merely_unusual() {
    assert_snapshot!(file("näme with space.rs", "fn größe() {}".as_bytes()).await, @r"
    größe [Function] :1
    engine=syntax
    get_symbol_source shows the code of one of them
    ");
    assert_snapshot!(file("a.py", b"\xef\xbb\xbfdef f():\r\n    pass\r\ndef g(): pass\r\n").await, @r"
    f [Function] :1
    g [Function] :3
    engine=syntax
    get_symbol_source shows the code of one of them
    ");
    assert_snapshot!(file("empty.rs", b"").await, @r"
    engine=syntax
    get_symbol_source shows the code of one of them
    ");
}

#[tokio::test]
async fn trees_with_traps() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let fixture = Fixture::new("//- /a.rs\nfn wanted() {}\n//- /locked/b.rs\nfn hidden() {}\n");
    symlink(".", fixture.path("cycle")).unwrap();
    symlink("/etc", fixture.path("out")).unwrap();
    let locked = fixture.path("locked");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    let answer = shown(&fixture, call(&fixture, "find_symbol", json!({"query": "wanted"})).await);
    assert!(answer.contains(r#""name":"wanted""#), "{answer}");
    assert_eq!(answer.matches(r#""name":"wanted""#).count(), 1, "{answer}");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
    let outside = shown(&fixture, call(&fixture, "list_symbols", json!({"file_path": "out/passwd"})).await);
    assert!(outside.starts_with("bad arguments: `out/passwd` is outside the workspace"), "{outside}");
}
