//! Text that nobody would write: it may be read badly, but it must be read.

use bowline_code::{Span, Symbol};
use bowline_syntax::{Language, MAX_BYTES, Parsed, SyntaxError, parse, word_hash};
use proptest::prelude::*;

use crate::{outline, read};

/// Asks everything that can be asked.
fn exercise(parsed: &Parsed) {
    let text = parsed.text();
    let whole = parsed.lines().span(text, 0..text.len());
    let mut count = 0;
    check_nesting(&parsed.symbols(), whole, 0, &mut count);
    let flat = parsed.flat_symbols();
    assert!(flat.len() <= count);
    let words = parsed.words();
    assert!(words.is_sorted_by(|a, b| a < b));
    // Every name, but few offsets of a long text.
    let step = (text.len() / 64).max(1);
    for offset in (0..=text.len() + 1).step_by(step) {
        let Some(name) = parsed.name_at(offset) else {
            continue;
        };
        assert_eq!(text.get(name.bytes.clone()), Some(name.text.as_str()));
        assert!(name.bytes.start <= offset && offset <= name.bytes.end);
        assert!(words.binary_search(&word_hash(&name.text)).is_ok(), "`{}` is no word", name.text);
        let occurrences = parsed.occurrences(&name.text);
        let here = occurrences.iter().find(|it| it.bytes == name.bytes).expect("the name occurs where it is");
        let local = parsed.local(&name);
        assert_eq!(here.local, local.is_some());
        if let Some(local) = local {
            assert!(local.uses.contains(&name.bytes) && local.uses.contains(&local.declaration));
            assert!(
                local.uses.iter().all(|bytes| occurrences.iter().any(|it| it.bytes == *bytes && it.local))
            );
        }
    }
    for symbol in flat.iter().take(20) {
        parsed.occurrences(&symbol.name);
    }
}

fn check_nesting(symbols: &[Symbol], around: Span, level: usize, count: &mut usize) {
    assert!(level < 64 || symbols.is_empty());
    for symbol in symbols {
        *count += 1;
        assert!(
            around.start <= symbol.range.start && symbol.range.end <= around.end,
            "{symbol:?} in {around:?}"
        );
        assert!(symbol.range.start <= symbol.selection.start && symbol.selection.end <= symbol.range.end);
        assert!(!symbol.name.is_empty());
        check_nesting(&symbol.children, symbol.range, level + 1, count);
    }
}

/// Pieces that mean something to one language or another.
const PIECES: &[&str] = &[
    "fn f(",
    "def f(",
    "func (t *T) m(",
    "function f(",
    "class A ",
    "struct S ",
    "enum E ",
    "impl<T> A for ",
    "interface I ",
    "namespace N",
    "module M",
    "trait T ",
    "#define X ",
    "typedef ",
    "let x = ",
    "var y = ",
    "const z = ",
    "x := ",
    "$x = ",
    "local x=",
    "x",
    "y",
    "self",
    "this",
    "Self::",
    "a.b",
    "A::b",
    "->",
    "=>",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ",",
    ";",
    ":",
    "::",
    ".",
    "=",
    "|",
    "&",
    "*",
    "@",
    "#",
    "$",
    "!",
    "?",
    "'",
    "\"",
    "`",
    "/",
    "//",
    "/*",
    "*/",
    "\\",
    "<?php ",
    "?>",
    "<<EOF",
    "EOF",
    "\n",
    "\n  ",
    "\n    ",
    "\t",
    " ",
    "\r",
    "\r\n",
    "\u{feff}",
    "é",
    "😀",
    "\0",
    "1",
    "if ",
    "for ",
    "in ",
    "of ",
    "match ",
    "case ",
    "end",
    "do |x| ",
    "return ",
    "import ",
    "use ",
    "from ",
    "global x\n",
    "type ",
    "template <typename T> ",
    "async ",
    "lambda x: ",
    "attr_reader :a",
    "@a",
    ":a",
    "${x}",
    "f'{x}'",
    "=begin\n",
    "\"\"\"",
    "r#\"",
    "R\"(",
    "operator",
    "~",
    "public ",
    "record R(int a)",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_in_every_language(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60),
        noise in ".{0,20}",
        at in 0..60usize,
    ) {
        let mut pieces = pieces;
        pieces.insert(at.min(pieces.len()), &noise);
        let text = pieces.concat();
        for language in Language::ALL {
            exercise(&read(language, &text));
        }
    }
}

#[test]
fn deep_nesting_overflows_nothing() {
    // The longer ones are slow to give up on in some grammars.
    let pairs = [
        ("(", ")", 100_000),
        ("[", "]", 100_000),
        ("{", "}", 100_000),
        ("x => {", "}", 2_000),
        ("a.b(", ")", 2_000),
    ];
    for language in Language::ALL {
        for (open, close, times) in pairs {
            for text in [open.repeat(times), format!("{}{}", open.repeat(times), close.repeat(times))] {
                match parse(language, text, &|| false) {
                    Ok(parsed) => exercise(&parsed),
                    Err(error) => assert!(matches!(error, SyntaxError::TooHard { .. })),
                }
            }
        }
    }
}

#[test]
fn deeply_nested_symbols_are_kept_in_a_shallow_tree() {
    let text = format!("{}{}", "mod m { ".repeat(500), "}".repeat(500));
    let parsed = read(Language::Rust, &text);
    exercise(&parsed);
    assert_eq!(parsed.flat_symbols().len(), 500);
    let text = format!("{}x = 1{}", "class A { void f() { ".repeat(2000), "} }".repeat(2000));
    exercise(&read(Language::Java, &text));
}

#[test]
fn many_scopes_with_one_name_stay_fast() {
    let text = format!("fn f() {{ {} x; {} }}", "{ let x = x; ".repeat(5000), "}".repeat(5000));
    exercise(&read(Language::Rust, &text));
    let text = format!("fn f(x: u8) {{ {} }}", "let x = x; ".repeat(5000));
    exercise(&read(Language::Rust, &text));
}

#[test]
fn one_long_line_with_wide_characters_stays_fast() {
    let text = format!("'😀'; {}", "function é() {} ".repeat(20_000));
    let parsed = read(Language::JavaScript, &text);
    let flat = parsed.flat_symbols();
    assert_eq!(flat.len(), 20_000);
    assert_eq!(flat[19_999].selection, parsed.lines().span(&text, text.len() - 8..text.len() - 6));
}

#[test]
fn a_byte_order_mark_and_any_line_end_are_read() {
    let text = "\u{feff}class A:\r\n  def f(self, 😀x):\r\n    return 1\r\n";
    exercise(&read(Language::Python, text));
    for language in Language::ALL {
        for text in ["\u{feff}", "\u{feff}\r", "", "\r", "\n\r\r\n", "\u{feff}x"] {
            exercise(&read(language, text));
        }
    }
    insta::assert_snapshot!(outline(Language::Rust, "\u{feff}struct A;\r\nfn b() {}\r\n"), @"
    A [Struct] :1  | struct A
    b [Function] :2  | fn b()
    ");
}

/// tree-sitter-bash alone would end the process here.
#[test]
fn a_brace_before_any_character_is_read() {
    for language in Language::ALL {
        for character in ['é', '✓', '😀', '\u{fea83}', '\u{10ffff}'] {
            exercise(&read(language, &format!("a {{{character}..{character}}}\r\\\r{character}x\n")));
        }
    }
}

#[test]
fn columns_count_utf16_units() {
    let parsed = read(Language::JavaScript, "/* 😀 */ function größe() {}");
    let symbol = &parsed.symbols()[0];
    assert_eq!(
        (symbol.range.start.column, symbol.selection.start.column, symbol.selection.end.column),
        (10, 19, 24)
    );
}

#[test]
fn says_when_it_cannot_read_all() {
    assert!(!read(Language::Rust, "fn f() {}").has_error());
    assert!(read(Language::Rust, "fn f( {} }").has_error());
}

#[test]
fn stops_when_asked_and_refuses_what_is_too_large() {
    let text = "fn f() {}\n".repeat(10_000);
    assert_eq!(parse(Language::Rust, text, &|| true).unwrap_err(), SyntaxError::Cancelled);
    let bytes = MAX_BYTES + 1;
    let error = parse(Language::Rust, " ".repeat(bytes), &|| false).unwrap_err();
    assert_eq!(error, SyntaxError::TooLarge { bytes, most: MAX_BYTES });
}
