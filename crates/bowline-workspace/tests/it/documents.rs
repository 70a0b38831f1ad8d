//! Reading one file: within the roots, as it is, and saying why not.

use std::os::unix::fs::symlink;
use std::path::Path;

use bowline_code::{Position, Symbol};
use bowline_testkit::Fixture;
use bowline_workspace::{Options, Workspace};
use insta::assert_snapshot;

use super::{error, open, patient};

async fn read(fixture: &Fixture, path: &str) -> String {
    match open(fixture).read(Path::new(path), &patient()).await {
        Ok(document) => document.text().to_owned(),
        Err(failed) => error(fixture, &failed),
    }
}

async fn source(fixture: &Fixture, path: &str, line: u32, column: u32) -> String {
    match open(fixture).symbol_at(Path::new(path), Position::new(line, column), &patient()).await {
        Ok(found) => {
            let found = found.value;
            let mut names = found.container;
            names.push(found.symbol.name);
            format!("{} {}-{}\n{}", names.join("."), found.start_line, found.end_line, found.source)
        }
        Err(failed) => error(fixture, &failed),
    }
}

#[tokio::test]
async fn relative_paths_count_from_the_root() {
    let fixture = Fixture::new("//- /src/a b/größe.md\nhello\n");
    assert_eq!(read(&fixture, "src/a b/größe.md").await, "hello\n");
    assert_eq!(read(&fixture, "src/../src/./a b/größe.md").await, "hello\n");
}

#[tokio::test]
async fn nothing_outside_the_roots_is_read() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n");
    symlink("/etc/passwd", fixture.path("link.rs")).unwrap();
    symlink("/etc", fixture.path("directory")).unwrap();
    assert_snapshot!(read(&fixture, "/etc/passwd").await, @"error: `/etc/passwd` is outside the workspace; name a file under ``");
    assert_snapshot!(read(&fixture, "link.rs").await, @"error: `link.rs` is outside the workspace; name a file under ``");
    assert_snapshot!(read(&fixture, "directory/passwd").await, @"error: `directory/passwd` is outside the workspace; name a file under ``");
    assert_snapshot!(read(&fixture, "../../../../../../etc/passwd").await, @"error: `../../../../../../etc/passwd` is outside the workspace; name a file under ``");
    let twin = format!("{}-twin/a.rs", fixture.root().display());
    assert_snapshot!(read(&fixture, &twin).await, @"error: `-twin/a.rs` is outside the workspace; name a file under ``");
}

#[tokio::test]
async fn says_why_a_file_is_not_read() {
    let fixture = Fixture::new("//- /a/b.rs\n");
    fixture.write_bytes("binary.rs", b"fn a\0() {}");
    fixture.write_bytes("latin.rs", b"// caf\xe9");
    symlink("loop.rs", fixture.path("loop.rs")).unwrap();
    let large = std::fs::File::create(fixture.path("large.rs")).unwrap();
    large.set_len(50 << 20).unwrap();
    assert_snapshot!(read(&fixture, "none.rs").await, @"error: no such file: `/none.rs`");
    assert_snapshot!(read(&fixture, "a").await, @"error: `/a` is a directory, not a file");
    assert_snapshot!(read(&fixture, "binary.rs").await, @"error: `/binary.rs` is a binary file");
    assert_snapshot!(read(&fixture, "latin.rs").await, @"error: `/latin.rs` is not UTF-8 (first bad byte at offset 6)");
    assert_snapshot!(read(&fixture, "large.rs").await, @"error: `/large.rs` has 52428800 bytes; files above 5242880 bytes are not read");
    assert_snapshot!(read(&fixture, "loop.rs").await, @"error: cannot read `/loop.rs`: Too many levels of symbolic links (os error 40)");
}

#[tokio::test]
async fn without_roots_nothing_can_be_read() {
    let workspace = Workspace::new(Options::default(), Vec::new(), None).unwrap();
    let failed = workspace.read(Path::new("a.rs"), &patient()).await.unwrap_err();
    assert_snapshot!(failed, @"`a.rs` is outside the workspace; name a file under a root (there is none)");
}

#[tokio::test]
async fn an_outline_is_a_tree() {
    fn write(symbols: &[Symbol], depth: usize) -> String {
        let line = |symbol: &Symbol| {
            let children = write(&symbol.children, depth + 1);
            format!("{}{} {}\n{children}", "  ".repeat(depth), symbol.kind.name(), symbol.name)
        };
        symbols.iter().map(line).collect()
    }
    let fixture = Fixture::new("//- /a.py\nclass A:\n    def b(self): pass\n\ndef c(): pass\n");
    let outline = open(&fixture).outline(Path::new("a.py"), &patient()).await.unwrap().value;
    assert_snapshot!(write(&outline.symbols, 0), @r"
    Class A
      Method b
    Function c
    ");
    assert_eq!((outline.language.as_str(), outline.has_error, outline.bytes), ("python", false, 46));
}

#[tokio::test]
async fn the_innermost_symbol_with_whole_lines() {
    let fixture = Fixture::new("//- /a.py\nclass A:\n    def b(self):\n        return 1\n\n    x = 1\n");
    assert_snapshot!(source(&fixture, "a.py", 3, 10).await, @r"
    A.b 2-3
        def b(self):
            return 1
    ");
    // In the indentation.
    assert_snapshot!(source(&fixture, "a.py", 2, 1).await, @r"
    A.b 2-3
        def b(self):
            return 1
    ");
}

#[tokio::test]
async fn says_what_positions_there_are() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n\nfn b() {}\n");
    assert_snapshot!(source(&fixture, "a.rs", 0, 1).await, @"error: line 0 column 1 is not in `/a.rs`: lines and columns begin at 1");
    assert_snapshot!(source(&fixture, "a.rs", 9, 1).await, @"error: line 9 column 1 is not in `/a.rs`: the last line is 4");
    assert_snapshot!(source(&fixture, "a.rs", 1, 99).await, @"error: line 1 column 99 is not in `/a.rs`: the last column of that line is 10");
    assert_snapshot!(source(&fixture, "a.rs", 2, 1).await, @"error: no symbol around line 2 column 1 of `/a.rs`; its outline shows where symbols are");
}

#[tokio::test]
async fn a_byte_order_mark_and_crlf_stay_where_they_are() {
    let fixture = Fixture::new("");
    fixture.write_bytes("a.py", "\u{feff}def a():\r\n    pass\r\n".as_bytes());
    assert_eq!(source(&fixture, "a.py", 1, 6).await, "a 1-2\n\u{feff}def a():\r\n    pass");
}

#[tokio::test]
async fn a_file_is_read_as_it_is_now() {
    let fixture = Fixture::new("//- /a.rs\nfn a() {}\n");
    let workspace = open(&fixture);
    for name in ["a", "b", "c"] {
        fixture.write_bytes("a.rs", format!("fn {name}() {{}}\n").as_bytes());
        let outline = workspace.outline(Path::new("a.rs"), &patient()).await.unwrap().value;
        assert_eq!(outline.symbols[0].name, name);
    }
}
