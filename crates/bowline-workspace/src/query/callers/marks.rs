//! What marks a test: attributes, annotations, names, bases. Read from the lines around a symbol, for a symbol does not
//! know what stands above it.

use std::path::{Path, PathBuf};

use bowline_code::{IndexedSymbol, SymbolKind};

use crate::Document;
use crate::workspace::Work;

/// So many lines above a symbol are looked at, and so many of one attribute.
const MOST_LINES: u32 = 60;
/// So far up modules are followed.
const DEEPEST: usize = 4;

/// Whether what stands above a symbol, or its own name, says that it is a test: `#[test]`, `#[cfg(test)]`, `@Test`,
/// `[Fact]`, `def test_…`, `class …(TestCase)`.
pub(super) fn is_test(document: &Document, symbol: &IndexedSymbol) -> bool {
    let own = document.line(symbol.range.start.line).trim();
    let marks = |fits: fn(&str) -> bool| {
        let above = (1..symbol.range.start.line).rev().map(|line| document.line(line).trim());
        let above = above.take_while(|line| line.starts_with(['#', '@', '['])).take(20);
        // Annotations may belong to what they are about, and stand on its line.
        let own =
            (symbol.range.start.line..=symbol.selection.start.line).map(|line| document.line(line).trim());
        above.chain(own.take(20)).any(fits)
    };
    match extension(document.path()) {
        "rs" => attributes(document, symbol.range.start.line).iter().any(|attribute| is_rust_test(attribute)),
        "java" | "kt" | "kts" | "scala" | "groovy" => marks(has_annotation),
        "cs" => marks(|line| {
            ["[Test", "[Fact", "[Theory", "[DataTestMethod"].iter().any(|mark| line.starts_with(mark))
        }),
        // As pytest and unittest find them.
        "py" if symbol.kind == SymbolKind::Class => is_test_case(document, symbol.selection.start.line),
        "py" => symbol.kind.is_callable() && symbol.name.starts_with("test_"),
        "php" => marks(|line| line.starts_with("#[Test")),
        "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" => {
            ["TEST(", "TEST_F(", "TEST_P(", "TEST_CASE(", "BOOST_AUTO_TEST_CASE("]
                .iter()
                .any(|mark| own.starts_with(mark))
        }
        _ => false,
    }
}

/// Whether a whole file of Rust is built for tests only: it is the body of a `#[cfg(test)] mod name;`, or of a module
/// of such a file. Blocks.
pub(super) fn is_test_module(work: &Work, file: &Path) -> bool {
    let mut file = file.to_owned();
    if extension(&file) != "rs" {
        return false;
    }
    for _ in 0..DEEPEST {
        if work.stopped() {
            return false;
        }
        let Some((parent, attributes)) = declared_in(work, &file) else {
            return false;
        };
        if attributes.iter().any(|attribute| is_rust_test(attribute)) {
            return true;
        }
        file = parent;
    }
    false
}

/// The file that declares another as its module, and what stands above that.
fn declared_in(work: &Work, file: &Path) -> Option<(PathBuf, Vec<String>)> {
    let stem = file.file_stem()?.to_str()?;
    let dir = file.parent()?;
    let (name, dir) = match stem {
        "mod" => (dir.file_name()?.to_str()?, dir.parent()?),
        "lib" | "main" => return None,
        stem => (stem, dir),
    };
    let beside = ["lib.rs", "main.rs", "mod.rs"].map(|name| dir.join(name));
    let parents = beside.into_iter().chain([dir.with_extension("rs")]);
    parents.filter(|parent| parent != file && parent.is_file()).find_map(|parent| {
        let document = work.read_in_passing(&parent).ok()?;
        let declaration = format!("mod {name};");
        let mut lines = (1..).zip(document.text().lines());
        let (line, _) = lines.find(|(_, line)| {
            line.split_once(declaration.as_str()).is_some_and(|(before, _)| {
                let before = before.trim();
                before.is_empty() || before.ends_with([']', ')']) || before.ends_with("pub")
            })
        })?;
        let attributes = attributes(&document, line);
        Some((parent, attributes))
    })
}

/// What stands in `#[…]` above a line and at its beginning. Comments and empty lines may stand between.
fn attributes(document: &Document, line: u32) -> Vec<String> {
    let mut found = Vec::new();
    let own = document.line(line).trim();
    split(own, &mut found);
    let first = line.saturating_sub(MOST_LINES).max(1);
    let mut line = line;
    while line > first {
        line -= 1;
        let text = document.line(line).trim();
        if text.is_empty() || text.starts_with("//") {
            continue;
        }
        // Of an attribute over several lines this is the last.
        let mut whole = text.to_owned();
        while !whole.starts_with("#[") && ends_attribute(text) && line > first {
            line -= 1;
            whole = format!("{}\n{whole}", document.line(line).trim());
        }
        if !split(&whole, &mut found) {
            break;
        }
    }
    found
}

fn ends_attribute(line: &str) -> bool {
    let code = line.split(" //").next().unwrap_or(line);
    code.trim_end().ends_with(']')
}

/// Takes the attributes at the beginning of a text, and says whether there is nothing else in it.
fn split(text: &str, found: &mut Vec<String>) -> bool {
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix("#[") {
        let Some(end) = closing(inner) else {
            return false;
        };
        found.push(inner[..end].to_owned());
        rest = inner[end + 1..].trim_start();
    }
    rest.is_empty() || rest.starts_with("//")
}

/// Where the bracket closes that was opened before.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' | '(' | '{' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Whether an attribute makes something a test, or keeps it out of everything but tests.
fn is_rust_test(attribute: &str) -> bool {
    let attribute = attribute.trim();
    let end = attribute.find(['(', '=', '[', '{']).unwrap_or(attribute.len());
    let (path, rest) = attribute.split_at(end);
    let path = path.trim();
    if path == "cfg" {
        return rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).is_some_and(needs_test);
    }
    let last = path.rsplit("::").next().unwrap_or(path).trim();
    matches!(
        last,
        "test" | "rstest" | "test_case" | "test_matrix" | "bench" | "quickcheck" | "wasm_bindgen_test"
    )
}

/// Whether a condition holds in tests only.
fn needs_test(condition: &str) -> bool {
    let condition = condition.trim();
    let within = |name: &str| {
        condition.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')').map(listed)
    };
    if let Some(all) = within("all") {
        return all.into_iter().any(needs_test);
    }
    if let Some(any) = within("any") {
        return !any.is_empty() && any.into_iter().all(needs_test);
    }
    condition == "test"
}

/// What stands between the commas, but not between those of what is in brackets itself.
fn listed(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0_i32, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&text[start..]);
    items.retain(|item| !item.trim().is_empty());
    items
}

/// Whether a line has an annotation of JUnit or its like, with or without its package.
fn has_annotation(line: &str) -> bool {
    line.split('@').skip(1).any(|rest| {
        let name =
            rest.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).next().unwrap_or(rest);
        matches!(
            name.rsplit('.').next().unwrap_or(name),
            "Test"
                | "ParameterizedTest"
                | "RepeatedTest"
                | "TestFactory"
                | "TestTemplate"
                | "TestInstance"
                | "Testcontainers"
                | "BeforeEach"
                | "AfterEach"
                | "BeforeAll"
                | "AfterAll"
        )
    })
}

/// Whether a class of Python is one of tests by what it derives from.
fn is_test_case(document: &Document, line: u32) -> bool {
    let lines: Vec<&str> = (line..line.saturating_add(20)).map(|line| document.line(line)).collect();
    let head = lines.join("\n");
    let Some((_, bases)) = head.split_once("class ").and_then(|(_, head)| head.split_once(['(', ':'])) else {
        return false;
    };
    let is_derived = head[..head.len() - bases.len()].ends_with('(');
    let bases = bases.split(')').next().unwrap_or(bases);
    let mut bases = bases.split(',').map(str::trim).filter(|base| !base.contains('='));
    is_derived && bases.any(|base| base.rsplit('.').next().is_some_and(|name| name.ends_with("TestCase")))
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_that_mean_tests() {
        for test in [
            "test",
            "cfg(test)",
            "cfg( all(test, feature = \"x\") )",
            "cfg(all(unix, all(test)))",
            "cfg(any(test))",
            "tokio::test",
            "tokio::test(flavor = \"multi_thread\")",
            "rstest",
            "test_case(1, 2; \"named\")",
            "bench",
        ] {
            assert!(is_rust_test(test), "{test}");
        }
        for other in [
            "cfg_attr(test, derive(Debug))",
            "cfg(any(test, feature = \"x\"))",
            "cfg(not(test))",
            "cfg(all(not(test), unix))",
            "cfg(feature = \"test\")",
            "cfg(all(feature = \"a,test\"))",
            "doc = \"test\"",
            "allow(test)",
            "cfg(any())",
        ] {
            assert!(!is_rust_test(other), "{other}");
        }
    }

    #[test]
    fn attributes_are_told_apart() {
        let of = |text: &str| {
            let mut found = Vec::new();
            let whole = split(text, &mut found);
            (found, whole)
        };
        assert_eq!(
            of("#[test] #[ignore = \"]\"] // x"),
            (vec!["test".into(), "ignore = \"]\"".into()], true)
        );
        assert_eq!(of("#[a([1])] fn x() {}"), (vec!["a([1])".into()], false));
        assert_eq!(of("#[a("), (vec![], false));
        assert_eq!(of("let x = [1]"), (vec![], false));
    }

    #[test]
    fn annotations_are_known_with_their_packages() {
        for test in ["@Test", "@org.junit.jupiter.api.Test", "@Override @Test void x()", "@Test(timeout = 1)"]
        {
            assert!(has_annotation(test), "{test}");
        }
        for other in ["@TestOnly", "@VisibleForTesting", "void Test()", "@org.Test.Other"] {
            assert!(!has_annotation(other), "{other}");
        }
    }
}
