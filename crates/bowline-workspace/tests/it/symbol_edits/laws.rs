//! What holds for every symbol of every case: a body is itself, what is inserted can be taken out again, line ends are those
//! of the file, and whatever is put in, nothing else changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bowline_code::{Encoding, Span};
use bowline_syntax::{Language, Parsed, Parts, Place, Style, parse};
use proptest::prelude::*;

use super::cases::{self, Case, Does, Expected};
use super::{Desk, edit, faults, outcome};

/// One symbol of a text, with a path that means it and nothing else.
struct Known {
    path: String,
    parts: Parts,
}

fn read(file: &str, text: &str) -> Parsed {
    parse(Language::of_path(file.as_ref()).unwrap(), text, &|| false).unwrap()
}

fn symbols(parsed: &Parsed) -> Vec<Known> {
    let bytes = |span: Span| -> Range<usize> {
        let at = |at| parsed.lines().offset(parsed.text(), at, Encoding::Utf16).unwrap();
        at(span.start)..at(span.end)
    };
    let flat = parsed.flat_symbols();
    let path = |index: usize| match flat[index].container.as_str() {
        "" => flat[index].name.clone(),
        container => format!("{container}.{}", flat[index].name),
    };
    let mut known = Vec::new();
    for (index, symbol) in flat.iter().enumerate() {
        let own = path(index);
        // Its number among all whose path ends so.
        let ends = |other: usize| path(other) == own || path(other).ends_with(&format!(".{own}"));
        let number = (0..index).filter(|other| ends(*other)).count();
        let parts = parsed.parts(&bytes(symbol.selection));
        let parts = parts.unwrap_or_else(|| panic!("`{own}` has no parts"));
        known.push(Known { path: format!("{own}[{number}]"), parts });
    }
    known
}

/// Every text that a case begins with.
fn texts() -> Vec<(String, String)> {
    let texts: BTreeSet<_> = cases::all().into_iter().map(|case| (case.file, case.before)).collect();
    texts.into_iter().collect()
}

#[tokio::test]
async fn a_body_is_itself() {
    let mut bodies = 0;
    for (file, text) in texts() {
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let desk = Desk::new(&file, &text);
            for known in symbols(&read(&file, &text)) {
                let Some(body) = known.parts.body else { continue };
                let own = if body.style == Style::Delimited { body.outer } else { body.inner };
                let edit = edit(&file, Does::Body, &known.path, &text[own]);
                let found = desk.edited(&file, vec![edit]).await;
                // What is cut apart is refused, whatever is put in.
                if found.as_ref().is_err_and(|told| told.contains(" cuts it apart: ")) {
                    continue;
                }
                // A lone comment or nothing is no suite, and stays refused.
                assert_eq!(found.as_deref(), Ok(text.as_str()), "{file} {}", known.path);
                bodies += 1;
            }
        }
    }
    assert!(bodies > 200, "{bodies} bodies");
}

/// Declarations of `zzz` that may stand beside some symbol.
fn snippets(file: &str) -> &'static [&'static str] {
    match file.rsplit('.').next().unwrap() {
        "go" => &["func zzz() {\n\treturn\n}", "zzz int", "zzz = 1"],
        "py" => &["def zzz():\n    return 1", "zzz = 1"],
        "rs" => &["fn zzz() {\n    1\n}", "zzz: u8", "zzz"],
        "ts" | "tsx" | "js" => {
            &["function zzz() {\n  return 1;\n}", "zzz() {\n  return 1;\n}", "zzz = 1", "zzz(): void;"]
        }
        "java" => &["void zzz() {\n    return;\n}", "zzz"],
        "c" | "cpp" => &["int zzz(void) {\n  return 1;\n}", "int zzz;", "zzz"],
        "cs" => &["void zzz() {\n    return;\n}", "class zzz {}", "zzz"],
        "rb" => &["def zzz\n  1\nend"],
        "php" => &["function zzz()\n{\n    return 1;\n}", "case zzz = 'z';"],
        "sh" => &["zzz() {\n  echo 1\n}"],
        other => panic!("no snippets for {other}"),
    }
}

#[tokio::test]
async fn what_is_inserted_can_be_taken_out() {
    let mut done: BTreeMap<String, usize> = BTreeMap::new();
    for (file, text) in texts() {
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let desk = Desk::new(&file, &text);
            for known in symbols(&read(&file, &text)) {
                for (does, code) in [Does::Before, Does::After]
                    .into_iter()
                    .flat_map(|does| snippets(&file).iter().map(move |code| (does, code)))
                {
                    let insert = edit(&file, does, &known.path, code);
                    let Ok(with) = desk.edited(&file, vec![insert.clone()]).await else { continue };
                    let names = symbols(&read(&file, &with));
                    let mut added =
                        names.iter().filter(|known| known.path.split(['.', '[']).any(|name| name == "zzz"));
                    // Not every text is a declaration in every place.
                    let Some(added) = added.next() else { continue };
                    let found =
                        desk.edited(&file, vec![insert, edit(&file, Does::Delete, &added.path, "")]).await;
                    let what = format!("{file} {does:?} {} {code:?}\n{with}", known.path);
                    assert_eq!(found.as_deref(), Ok(text.as_str()), "{what}");
                    *done.entry(file.clone()).or_default() += 1;
                }
            }
        }
    }
    let few: Vec<_> = done.iter().filter(|(_, times)| **times < 4).collect();
    assert!(done.len() >= 13 && few.is_empty(), "{done:?}");
}

#[tokio::test]
async fn line_ends_are_those_of_the_file() {
    for case in cases::all() {
        let windows = |text: &str| text.replace('\n', "\r\n");
        for text in [case.text.clone(), windows(&case.text)] {
            let found = outcome(&case, &windows(&case.before), &text).await;
            let expected = match &case.expected {
                Expected::After(after) => Ok(windows(after)),
                Expected::Refused(told) => Err(told.clone()),
            };
            // One line alone does not tell how the lines of its file end.
            let ends_unknown = case.before.matches('\n').count() == 0;
            assert!(found == expected || ends_unknown, "{}, {}: {found:?}", case.file, case.title);
        }
    }
}

/// What an edit of this symbol may touch: its statement, the white space around that, and the comma before.
fn reach(text: &str, parts: &Parts) -> Range<usize> {
    let mut reach = parts.whole.clone();
    let mut add = |range: &Range<usize>| {
        reach = reach.start.min(range.start)..reach.end.max(range.end);
    };
    match &parts.place {
        Place::Alone => {}
        Place::Element(commas) => commas.before.iter().chain(&commas.behind).for_each(&mut add),
        Place::Part { of, .. } | Place::Bound { of, .. } => add(of),
    }
    let start = text[..reach.start].trim_end().len();
    let end = text.len() - text[reach.end..].trim_start().len();
    start..end
}

/// Everything outside of what an edit may touch is as it was, and nothing is unreadable that was not.
fn check_rest(file: &str, before: &str, after: &str, parts: &Parts) {
    let reach = reach(before, parts);
    assert!(after.starts_with(&before[..reach.start]), "{file}: the beginning changed\n{after}");
    assert!(after.ends_with(&before[reach.end..]), "{file}: the end changed\n{after}");
    assert!(after.len() >= reach.start + (before.len() - reach.end));
    assert!(faults(file, after) <= faults(file, before), "{file}: unreadable\n{after}");
}

#[tokio::test]
async fn nothing_else_changes() {
    for case in cases::all() {
        let Case { file, before, expected: Expected::After(after), symbol, .. } = &case else { continue };
        let own = symbol.rsplit(['.', ':', '#', '\\']).next().unwrap();
        let own = match own.rsplit_once('[') {
            Some((name, number)) if number != "]" => name,
            _ => own,
        };
        // Every symbol of that name may be the one.
        let known = symbols(&read(file, before));
        let same = |known: &&Known| {
            let path = known.path.rsplit_once('[').unwrap().0;
            path.ends_with(own) || path.ends_with(&format!("{own}()"))
        };
        let mut reaches = known.iter().filter(same).map(|known| reach(before, &known.parts));
        let is_inside = reaches
            .any(|reach| after.starts_with(&before[..reach.start]) && after.ends_with(&before[reach.end..]));
        assert!(is_inside, "{}, {}", case.file, case.title);
    }
}

/// What stands in a text by its names alone: how often each path does.
fn counted(parsed: &Parsed) -> BTreeMap<(String, String), usize> {
    let mut counted = BTreeMap::new();
    for symbol in parsed.flat_symbols() {
        *counted.entry((symbol.container, symbol.name)).or_default() += 1;
    }
    counted
}

/// Told from the names before and after, not from the parts that the edit is made with.
#[tokio::test]
async fn only_what_is_in_a_symbol_goes_with_it() {
    let mut done = 0;
    for (file, text) in texts() {
        let desk = Desk::new(&file, &text);
        let before = read(&file, &text);
        let flat = before.flat_symbols();
        for (known, target) in symbols(&before).iter().zip(&flat) {
            let Ok(after) = desk.edited(&file, vec![edit(&file, Does::Delete, &known.path, "")]).await else {
                continue;
            };
            let path = known.path.rsplit_once('[').unwrap().0;
            let mut left = counted(&before);
            for symbol in &flat {
                let is_below = symbol.container == path || symbol.container.starts_with(&format!("{path}."));
                let is_within = target.range.start <= symbol.selection.start
                    && symbol.selection.end <= target.range.end
                    && (target.kind.is_callable() || symbol.selection == target.selection);
                if is_below || is_within {
                    left.remove(&(symbol.container.clone(), symbol.name.clone()));
                }
            }
            let now = counted(&read(&file, &after));
            for (name, times) in left {
                assert!(now.get(&name) >= Some(&times), "{file} {}: {name:?} went, too\n{after}", known.path);
            }
            done += 1;
        }
    }
    assert!(done > 200, "{done} deleted");
}

const WORDS: [&str; 34] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "end",
    "\n",
    "\n",
    "\n",
    "  ",
    "\t",
    "return 1",
    "x",
    "`",
    "\"",
    "'''",
    "\"\"\"",
    "/*",
    "*/",
    "// c",
    "# c",
    "def f():",
    "fn f() {}",
    "func f() {}",
    "class A {",
    ",",
    ";",
    "=>",
    "=",
    ":",
    "é😀",
    "\r\n",
    "<<EOF",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_put_in_stays_where_it_is_put(
        which in any::<proptest::sample::Index>(),
        symbol in any::<proptest::sample::Index>(),
        does in prop::sample::select(vec![Does::Whole, Does::Body, Does::Before, Does::After, Does::Delete]),
        words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..14),
    ) {
        let texts = texts();
        let (file, text) = &texts[which.index(texts.len())];
        let known = symbols(&read(file, text));
        let known = &known[symbol.index(known.len())];
        let desk = Desk::new(file, text);
        let edits = vec![edit(file, does, &known.path, &words.concat())];
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        if let Ok(after) = runtime.block_on(desk.edited(file, edits)) {
            check_rest(file, text, &after, &known.parts);
        }
    }
}
