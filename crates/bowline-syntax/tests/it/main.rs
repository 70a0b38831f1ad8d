//! One text in, printed data out: what the outline of each language looks like, and what its names mean.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "the helpers of tests fail like tests")]

mod bash;
mod c;
mod cpp;
mod csharp;
mod go;
mod hostile;
mod java;
mod javascript;
mod php;
mod python;
mod ruby;
mod rust;
mod typescript;

use std::fmt::Write as _;

use bowline_code::{IndexedSymbol, Symbol};
use bowline_syntax::{Language, Parsed, Role, parse};

fn read(language: Language, text: &str) -> Parsed {
    parse(language, text, &|| false).unwrap()
}

/// `name [Kind] :line  in Container  | detail`, two spaces per level.
fn outline(language: Language, text: &str) -> String {
    let parsed = read(language, text);
    assert!(!parsed.has_error(), "the fixture has a syntax error");
    let mut out = String::new();
    print(&parsed.symbols(), &parsed.flat_symbols(), 0, &mut out);
    out
}

fn print(symbols: &[Symbol], flat: &[IndexedSymbol], level: usize, out: &mut String) {
    for symbol in symbols {
        let indexed = flat.iter().find(|it| it.selection == symbol.selection && it.name == symbol.name);
        let lines = (symbol.range.start.line, symbol.range.end.line);
        let lines = if lines.0 == lines.1 { lines.0.to_string() } else { format!("{}-{}", lines.0, lines.1) };
        write!(out, "{:level$}{} [{}] :{lines}", "", symbol.name, symbol.kind.name(), level = level * 2)
            .unwrap();
        match indexed {
            Some(indexed) if indexed.container.is_empty() => {}
            Some(indexed) => write!(out, "  in {}", indexed.container).unwrap(),
            None => out.push_str("  not indexed"),
        }
        match &symbol.detail {
            Some(detail) => writeln!(out, "  | {detail}").unwrap(),
            None => out.push('\n'),
        }
        print(&symbol.children, flat, level + 1, out);
    }
}

/// The text with the binding at `$0` marked: its first name `‹so›`, each other use `«so»`.
/// `not local` if it has none, `no name` if the cursor touches none.
fn meaning(language: Language, text: &str) -> String {
    let at = text.find("$0").expect("a cursor");
    let text = text.replacen("$0", "", 1);
    let parsed = read(language, &text);
    let Some(name) = parsed.name_at(at) else {
        return "no name".to_owned();
    };
    let Some(local) = parsed.local(&name) else {
        return "not local".to_owned();
    };
    assert!(local.uses.contains(&local.declaration) && local.uses.contains(&name.bytes));
    assert!(local.uses.iter().all(|bytes| local.scope.start <= bytes.start || *bytes == local.declaration));
    let mut marked = text.clone();
    for bytes in local.uses.iter().rev() {
        let (open, close) = if *bytes == local.declaration { ("‹", "›") } else { ("«", "»") };
        marked.insert_str(bytes.end, close);
        marked.insert_str(bytes.start, open);
    }
    marked
}

/// Checks a table of cursors and what they mean.
#[track_caller]
fn check(language: Language, cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, expected) in cases {
        let found = meaning(language, text);
        if found != *expected {
            write!(wrong, "\n    text: {text}\nexpected: {expected}\n   found: {found}\n").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Each occurrence of a name: line, column, and what is known about it.
fn uses(language: Language, name: &str, text: &str) -> String {
    let parsed = read(language, text);
    let mut out = String::new();
    for found in parsed.occurrences(name) {
        let start = parsed.lines().span(text, found.bytes.clone()).start;
        let role = match found.role {
            Role::Qualified(by) => format!("Qualified by {by}"),
            role => format!("{role:?}"),
        };
        let declares = if found.declares { " declares" } else { "" };
        let local = if found.local { " local" } else { "" };
        writeln!(out, "{}:{} {role}{declares}{local}", start.line, start.column).unwrap();
    }
    out
}
