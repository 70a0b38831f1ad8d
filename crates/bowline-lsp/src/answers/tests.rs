//! Answers as servers really write them, and what is made of them.

use serde_json::json;

use super::*;

struct Texts;

impl Lender for Texts {
    fn text(&self, path: &Path) -> Option<Arc<str>> {
        (path == Path::new("/w/é.go")).then(|| Arc::from("x😀y z\r\nsecond\n"))
    }
}

fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).unwrap()
}

fn reader(encoding: Encoding) -> Reader<'static> {
    Reader::new(encoding, &Texts)
}

fn range(from: (u32, u32), to: (u32, u32)) -> Value {
    let at = |(line, character): (u32, u32)| json!({"line": line, "character": character});
    json!({"start": at(from), "end": at(to)})
}

fn shown(locations: &[Location]) -> Vec<String> {
    locations
        .iter()
        .map(|place| {
            format!(
                "{}:{}:{}-{}:{}",
                place.file.display(),
                place.line,
                place.column,
                place.end_line,
                place.end_column
            )
        })
        .collect()
}

#[test]
fn one_location_many_and_links_are_all_lists() {
    let location = json!({"uri": "file:///w/a.go", "range": range((0, 1), (0, 4))});
    let link = json!({"targetUri": "file:///w/a.go", "targetRange": range((0, 0), (9, 0)), "targetSelectionRange": range((0, 1), (0, 4))});
    for answer in [json!([location]), location.clone(), json!([link])] {
        let places = reader(Encoding::Utf16).locations(&raw(&answer)).unwrap();
        assert_eq!(shown(&places), ["/w/a.go:1:2-1:5"]);
    }
    assert_eq!(reader(Encoding::Utf16).locations(&raw(&Value::Null)).unwrap(), []);
    assert_eq!(reader(Encoding::Utf16).locations(&raw(&json!(7))).unwrap_err(), "a list was due, not `7`");
}

#[test]
fn columns_are_counted_anew_where_the_server_counts_otherwise() {
    // The `z` behind the face: byte 7, UTF-16 unit 5, character 4.
    for (encoding, column) in [(Encoding::Utf8, 7), (Encoding::Utf16, 5), (Encoding::Utf32, 4)] {
        let answer = json!([{"uri": "file:///w/%C3%A9.go", "range": range((0, column), (0, column + 1))}]);
        let places = reader(encoding).locations(&raw(&answer)).unwrap();
        assert_eq!(shown(&places), ["/w/é.go:1:6-1:7"], "{encoding:?}");
    }
    let beyond = json!([{"uri": "file:///w/%C3%A9.go", "range": range((0, 900), (77, 0))}]);
    assert_eq!(shown(&reader(Encoding::Utf8).locations(&raw(&beyond)).unwrap()), ["/w/é.go:1:7-3:1"]);
}

#[test]
fn elements_without_sense_are_left_out_and_counted() {
    let good = json!({"uri": "file:///w/a.go", "range": range((0, 1), (0, 4))});
    let negative = json!({"uri": "file:///w/a.go", "range": {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}});
    let mut reader = reader(Encoding::Utf16);
    let places = reader.locations(&raw(&json!([negative, good, {"range": {}}, null, 3]))).unwrap();
    assert_eq!((places.len(), reader.dropped), (1, 4));
}

#[test]
fn flat_symbols_are_put_into_each_other() {
    let flat = |name: &str, from, to| json!({"name": name, "kind": 5, "location": {"uri": "file:///w/a.go", "range": range(from, to)}});
    let answer =
        json!([flat("method", (1, 0), (2, 0)), flat("Type", (0, 0), (5, 0)), flat("Other", (6, 0), (7, 0))]);
    let symbols = reader(Encoding::Utf16).symbols(Path::new("/w/a.go"), &raw(&answer)).unwrap();
    let names: Vec<_> = symbols.iter().map(|symbol| (symbol.name.as_str(), symbol.children.len())).collect();
    assert_eq!(names, [("Type", 1), ("Other", 0)]);
}

#[test]
fn a_list_that_is_nested_without_end_is_no_danger() {
    let flat = |line: u32| json!({"name": "f", "kind": 12, "location": {"uri": "file:///w/a.go", "range": range((line, 0), (900_000 - line, 0))}});
    let answer = Value::Array((0..20_000).map(flat).collect());
    let symbols = reader(Encoding::Utf16).symbols(Path::new("/w/a.go"), &raw(&answer)).unwrap();
    let (mut depth, mut children) = (0, &symbols);
    while let Some(first) = children.first() {
        (depth, children) = (depth + 1, &first.children);
    }
    assert_eq!(depth, DEEPEST + 1);
}

#[test]
fn nested_symbols_keep_their_shape() {
    let child = json!({"name": "m", "detail": "()", "kind": 99, "range": range((1, 0), (2, 0)), "selectionRange": range((1, 4), (1, 5))});
    let answer = json!([{"name": "T", "kind": 23, "range": range((0, 0), (3, 0)), "selectionRange": range((0, 5), (0, 6)), "children": [child, {}]}]);
    let mut reader = reader(Encoding::Utf16);
    let symbols = reader.symbols(Path::new("/w/a.go"), &raw(&answer)).unwrap();
    assert_eq!(symbols[0].kind, SymbolKind::Struct);
    assert_eq!(symbols[0].children[0].selection.start, Position::new(2, 5));
    assert_eq!(symbols[0].children[0].kind, SymbolKind::Variable, "a kind of the future");
    assert_eq!(reader.dropped, 1);
}

#[test]
fn hovers_come_in_four_forms() {
    let text = |contents: Value| {
        let hover = reader(Encoding::Utf16)
            .hover(Path::new("/w/a.go"), &raw(&json!({"contents": contents})))
            .unwrap();
        hover.map(|hover| hover.text)
    };
    assert_eq!(text(json!("plain")).unwrap(), "plain");
    assert_eq!(text(json!({"kind": "markdown", "value": "**a**"})).unwrap(), "**a**");
    assert_eq!(text(json!({"language": "go", "value": "func f()"})).unwrap(), "```go\nfunc f()\n```");
    assert_eq!(text(json!(["a", {"language": "go", "value": "b"}])).unwrap(), "a\n\n```go\nb\n```");
    assert_eq!(text(json!("")), None);
    assert_eq!(reader(Encoding::Utf16).hover(Path::new("/w/a.go"), &raw(&Value::Null)).unwrap(), None);
}

#[test]
fn diagnostics_without_severity_are_errors() {
    let list = json!([
        {"range": range((0, 0), (0, 1)), "message": "a", "code": 7},
        {"range": range((0, 0), (0, 1)), "message": {"kind": "markdown", "value": "b"}, "severity": 2, "code": "E1", "source": "s"},
        {"message": "no range"},
    ]);
    let mut reader = reader(Encoding::Utf16);
    let found = reader.diagnostics(Path::new("/w/a.go"), &raw(&list)).unwrap();
    let seen: Vec<_> =
        found.iter().map(|found| (found.severity, found.code.as_deref(), found.message.as_str())).collect();
    assert_eq!(seen, [(Severity::Error, Some("7"), "a"), (Severity::Warning, Some("E1"), "b")]);
    assert_eq!(reader.dropped, 1);
}

#[test]
fn a_diagnostic_does_not_vanish_for_an_odd_detail() {
    let at = range((0, 0), (0, 1));
    let list = json!([
        {"range": at, "message": "a", "tags": ["x"], "severity": "high", "relatedInformation": 7, "source": 1},
        {"range": at, "message": "b", "severity": 2, "code": {}, "source": "s", "codeDescription": "no"},
    ]);
    let found = reader(Encoding::Utf16).diagnostics(Path::new("/w/a.go"), &raw(&list)).unwrap();
    let seen: Vec<_> = found
        .iter()
        .map(|found| (found.severity, found.code.as_deref(), found.source.as_deref(), found.message.as_str()))
        .collect();
    assert_eq!(seen, [(Severity::Error, None, None, "a"), (Severity::Warning, None, Some("s"), "b")]);
}

#[test]
fn nothing_but_nonsense_is_not_a_clean_file() {
    let list = json!([{"message": "no range"}, 7]);
    let answer = reader(Encoding::Utf16).diagnostics(Path::new("/w/a.go"), &raw(&list));
    assert_eq!(answer.unwrap_err(), "none of 2 diagnostics makes sense");
    assert_eq!(reader(Encoding::Utf16).diagnostics(Path::new("/w/a.go"), &raw(&json!([]))).unwrap(), []);
}
