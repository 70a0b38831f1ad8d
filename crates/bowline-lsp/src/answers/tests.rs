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

#[test]
fn tokens_are_counted_from_the_one_before() {
    let legend =
        Legend::new(&json!({"tokenTypes": ["function", "type"], "tokenModifiers": ["declaration", "async"]}));
    let answer = json!({"data": [0, 1, 3, 0, 1, 0, 5, 2, 1, 0, 1, 0, 6, 0, 3]});
    let tokens = reader(Encoding::Utf16).tokens(Path::new("/w/a.go"), &raw(&answer), &legend).unwrap();
    let shown: Vec<String> = tokens
        .iter()
        .map(|token| {
            let Span { start, end } = token.span;
            format!("{}:{}-{} {} {:?}", start.line, start.column, end.column, token.kind, token.modifiers)
        })
        .collect();
    assert_eq!(
        shown,
        [r#"1:2-5 function ["declaration"]"#, "1:7-9 type []", r#"2:1-7 function ["declaration", "async"]"#]
    );
    let mut odd = reader(Encoding::Utf16);
    let unknown = json!({"data": [0, 0, 1, 9, 0]});
    assert!(odd.tokens(Path::new("/w/a.go"), &raw(&unknown), &legend).unwrap().is_empty());
    assert_eq!(odd.dropped, 1, "a kind that the legend does not know");
    let cut = odd.tokens(Path::new("/w/a.go"), &raw(&json!({"data": [0, 0, 1]})), &legend);
    assert_eq!(cut.unwrap_err(), "3 numbers are no whole tokens");
    assert!(odd.tokens(Path::new("/w/a.go"), &raw(&Value::Null), &legend).unwrap().is_empty());
}

#[test]
fn hints_may_be_written_in_parts() {
    let answer = json!([
        {"position": {"line": 1, "character": 4}, "label": [{"value": ": "}, {"value": "Rope"}], "kind": 1, "paddingLeft": true},
        {"position": {"line": 0, "character": 2}, "label": "first:", "tooltip": {"kind": "markdown", "value": "which"}},
        {"label": "nowhere"},
    ]);
    let mut reader = reader(Encoding::Utf16);
    let hints = reader.inlay_hints(Path::new("/w/a.go"), &raw(&answer)).unwrap();
    let shown: Vec<_> =
        hints.iter().map(|hint| (hint.at.line, hint.at.column, hint.label.as_str())).collect();
    assert_eq!(shown, [(1, 3, "first:"), (2, 5, ": Rope")]);
    assert_eq!(
        (hints[0].tooltip.as_deref(), hints[1].kind, hints[1].padding_left),
        (Some("which"), Some(1), true)
    );
    assert_eq!(reader.dropped, 1);
}

#[test]
fn items_of_hierarchies_are_handed_back_as_they_came() {
    let item = json!({"name": "tie", "kind": 12, "uri": "file:///w/a.go", "detail": "knots", "range": range((1, 0), (3, 1)), "selectionRange": range((1, 5), (1, 8)), "data": {"secret": 7}});
    let answer = json!([{"from": item, "fromRanges": [range((2, 1), (2, 4)), range((2, 1), (2, 4))]}, {"from": {"name": 1}}]);
    let mut reader = reader(Encoding::Utf16);
    let calls = reader.calls(&raw(&answer), "from", Path::new("/w/b.go")).unwrap();
    assert_eq!((calls.len(), calls[0].places.len(), reader.dropped), (1, 1, 1));
    assert_eq!(calls[0].item.as_sent["data"]["secret"], 7);
    assert_eq!(shown(std::slice::from_ref(&calls[0].item.location)), ["/w/a.go:2:6-2:9"]);
}

#[test]
fn completions_are_sorted_as_an_editor_would() {
    let items = json!([{"label": "b", "sortText": "2"}, {"label": "a", "sortText": "3"}, {"label": "1"}, {"label": ""}]);
    for answer in [json!({"isIncomplete": true, "items": items.clone()}), items] {
        let mut reader = reader(Encoding::Utf16);
        let found = reader.completions(Path::new("/w/a.go"), &raw(&answer)).unwrap();
        let labels: Vec<&str> = found.items.iter().filter_map(|item| item["label"].as_str()).collect();
        assert_eq!(
            (labels, reader.dropped, found.is_incomplete),
            (vec!["1", "b", "a"], 1, answer.is_object())
        );
    }
}

#[test]
fn edits_stay_as_they_are_but_for_the_way_columns_are_counted() {
    let edit = |from, to| json!({"range": range((0, from), (0, to)), "newText": "Z", "more": {"kept": true}});
    let path = "/w/é.go";
    let list = reader(Encoding::Utf8).edits(Path::new(path), &raw(&json!([edit(7, 8)]))).unwrap();
    assert_eq!(list, [edit(5, 6)]);
    let same = reader(Encoding::Utf16).edits(Path::new(path), &raw(&json!([edit(5, 6)]))).unwrap();
    assert_eq!(same, [edit(5, 6)]);
    let uri = "file:///w/%C3%A9.go";
    let action = |from, to| {
        json!({
            "title": "Do", "edit": {
                "changes": {uri: [edit(from, to)]},
                "documentChanges": [{"textDocument": {"uri": uri, "version": 1}, "edits": [edit(from, to)]}],
            },
        })
    };
    let actions =
        json!([action(7, 8), {"title": "Run", "command": "do.it", "arguments": [1]}, {"nothing": 1}]);
    let mut reader = reader(Encoding::Utf8);
    let mut read = reader.actions(&raw(&actions)).unwrap();
    assert_eq!(read[0], action(7, 8), "the server has to know it again");
    reader.recount_actions(&mut read);
    assert_eq!(read[0], action(5, 6));
    assert_eq!(
        read[1],
        json!({"title": "Run", "command": {"title": "Run", "command": "do.it", "arguments": [1]}})
    );
    assert_eq!((read.len(), reader.dropped), (2, 1));
}

#[test]
fn what_can_be_renamed_comes_in_three_forms() {
    let text: Arc<str> = "let größe = 1;\n".into();
    let shown = crate::Shown {
        path: "/w/a.go".into(),
        uri: "file:///w/a.go".into(),
        language: "go".into(),
        version: 1,
        lines: Arc::new(LineTable::new(&text)),
        text,
    };
    let at = Position::new(1, 6);
    let whole = range((0, 4), (0, 9));
    for answer in [json!({"range": whole, "placeholder": "größe"}), whole, json!({"defaultBehavior": true})]
    {
        let found = reader(Encoding::Utf16).renamable(&shown, at, &raw(&answer)).unwrap().unwrap();
        assert_eq!(
            (found.placeholder.as_str(), found.span.start.column, found.span.end.column),
            ("größe", 5, 10)
        );
    }
    assert_eq!(reader(Encoding::Utf16).renamable(&shown, at, &raw(&Value::Null)).unwrap(), None);
    assert!(reader(Encoding::Utf16).renamable(&shown, at, &raw(&json!({"x": 1}))).is_err());
}

#[test]
fn symbols_stand_as_in_the_text_whatever_the_server_sorts_by() {
    let symbol = |name: &str, line| json!({"name": name, "kind": 12, "range": range((line, 0), (line, 9)), "selectionRange": range((line, 0), (line, 1))});
    let answer = json!([symbol("b", 3), symbol("a", 7), symbol("c", 1)]);
    let symbols = reader(Encoding::Utf16).symbols(Path::new("/w/a.go"), &raw(&answer)).unwrap();
    assert_eq!(symbols.iter().map(|symbol| symbol.name.as_str()).collect::<Vec<_>>(), ["c", "b", "a"]);
}
