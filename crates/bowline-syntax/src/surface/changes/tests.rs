//! Tables of two texts and the declarations that differ.

use std::path::Path;

use bowline_code::Position;

use super::{Part, mentions_at, surface_changes};
use crate::{Language, parse};

fn differing(path: &str, before: &str, after: &str) -> String {
    let path = Path::new(path);
    let language = Language::of_path(path).unwrap();
    let parsed = |text: &str| parse(language, text, &|| false).unwrap();
    let changes = surface_changes(path, &parsed(before), &parsed(after));
    let mut told: Vec<String> = changes
        .symbols
        .iter()
        .map(|changed| {
            let owner = changed.owner.as_ref().map(|owner| format!("{}.", owner.name)).unwrap_or_default();
            format!("{:?} {owner}{}", changed.difference, changed.name)
        })
        .collect();
    told.extend(changes.other.then(|| "other".to_owned()));
    told.extend(changes.no_longer_imported.iter().map(|name| format!("-import {name}")));
    told.join(", ")
}

#[track_caller]
fn check(path: &str, rows: &[(&str, &str, &str)]) {
    for (before, after, expected) in rows {
        assert_eq!(differing(path, before, after), *expected, "{path}:\n{before}\n->\n{after}");
    }
}

#[test]
fn typescript() {
    check(
        "a.ts",
        &[
            (
                "export function f(a: number) { return a }",
                "export function f(a: string) { return a }",
                "Declared f",
            ),
            (
                "export function f(a: number) { return a }",
                "export function f(a: number) { return 1 }",
                "Inferred f",
            ),
            ("export function f(): number { return 2 }", "export function f(): number { return 1 }", ""),
            ("export const x = 1;", "export const x = 2;", "Inferred x"),
            ("export const x: number = 1;", "export const x: number = 2;", ""),
            ("export const x: number = 1;", "export let x: number;", "Declared x"),
            ("function f() {}", "export function f() {}", "Declared f"),
            ("export function f() {}", "export function g() {}", "Removed f, Added g"),
            ("interface I { a: number }", "interface I { a: number; b?: string }", "Added I.b"),
            ("class C { m() { return 1 } }", "class C { m() { return 2 } }", "Inferred C.m"),
            ("class C {}", "class C extends D {}", "Declared C"),
            ("describe('a', () => { f(1) })", "describe('a', () => { f(2) })", ""),
            ("export * from './a';", "export * from './b';", "other"),
            (
                "import { a } from './x';\nexport const b = a;\nexport const c = 1;",
                "import { a } from './y';\nexport const b = a;\nexport const c = 1;",
                "Declared b",
            ),
            ("import { a } from './x';\nexport const c = 1;", "export const c = 1;", "-import a"),
        ],
    );
}

#[test]
fn python() {
    check(
        "a.py",
        &[
            ("def f(a: int) -> int:\n    return a\n", "def f(a: int) -> int:\n    return a + 1\n", ""),
            ("def f(a):\n    return a\n", "def f(a):\n    return a + 1\n", "Inferred f"),
            ("def f(a):\n    \"x\"\n    return a\n", "def f(a):\n    \"y\"\n    return a\n", ""),
            ("\"a\"\nX = 1\n", "\"b\"\nX = 1\n", ""),
            ("def f(a: int) -> int: ...\n", "def f(a: str) -> int: ...\n", "Declared f"),
            ("@d\ndef f() -> int: ...\n", "@e\ndef f() -> int: ...\n", "Declared f"),
            ("class A:\n    x: int\n", "class A:\n    x: int = 1\n", "Declared A.x"),
            ("class A:\n    x: int = 2\n", "class A:\n    x: int = 1\n", ""),
            (
                "class A:\n    x: int = field(init=False)\n",
                "class A:\n    x: int = field()\n",
                "Inferred A.x",
            ),
            (
                "class A:\n    def __init__(self) -> None:\n        self.a = 1\n",
                "class A:\n    def __init__(self) -> None:\n        self.a = 'x'\n",
                "Inferred A.a",
            ),
            (
                "class A:\n    def __init__(self) -> None:\n        self.a = 1\n",
                "class A:\n    def __init__(self) -> None:\n        self.b = 1\n",
                "Removed A.a, Added A.b",
            ),
            ("main()\n", "other(1)\n", "other"),
            ("main()\n", "main(1)\n", ""),
        ],
    );
}

#[test]
fn go() {
    check(
        "a.go",
        &[
            ("package a\nfunc F(a int) {}\n", "package a\nfunc F(a int, b int) {}\n", "Declared F"),
            (
                "package a\ntype T struct { A int }\n",
                "package a\ntype T struct { B int }\n",
                "Removed T.A, Added T.B",
            ),
            ("package a\nfunc (t *T) M() {}\n", "package a\nfunc (t *T) M(a int) {}\n", "Declared T.M"),
            ("package a\nvar x T = 1\n", "package a\nvar x T = 2\n", ""),
            ("package a\nvar x = f()\n", "package a\nvar x = g()\n", "Inferred x"),
        ],
    );
}

#[test]
fn c() {
    check(
        "a.h",
        &[
            ("#define A 1\n", "#define A 2\n", "Declared A"),
            ("struct s { int a; };\n", "struct s { long a; };\n", "Declared s.a"),
            ("int f(int);\n", "int f(long);\n", "Declared f"),
        ],
    );
}

#[test]
fn a_base_is_mentioned_where_others_see_it() {
    let text = "import { R } from './r'\n\nexport class Q<\n  T = unknown,\n> extends R {\n  a: T\n  #b?: number\n}\n";
    let parsed = parse(Language::TypeScript, text, &|| false).unwrap();
    let found = mentions_at(Path::new("b.ts"), &parsed, &[Position::new(5, 11)]);
    assert_eq!(found[0].as_ref().map(|it| (it.name.as_str(), it.part)), Some(("Q", Part::Declared)));
}

#[test]
fn mentions() {
    let text =
        "import { T, f } from './a';\nexport function g(a: T): void { f(); }\nexport const h = f();\nf();\n";
    let parsed = parse(Language::TypeScript, text, &|| false).unwrap();
    let ats = [
        Position::new(1, 10),
        Position::new(2, 22),
        Position::new(2, 33),
        Position::new(3, 18),
        Position::new(4, 1),
    ];
    let found = mentions_at(Path::new("b.ts"), &parsed, &ats);
    let told: Vec<Option<(String, Part)>> =
        found.into_iter().map(|it| it.map(|it| (it.name, it.part))).collect();
    assert_eq!(
        told,
        [None, Some(("g".into(), Part::Declared)), None, Some(("h".into(), Part::Inferred)), None]
    );
}
