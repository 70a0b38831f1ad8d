//! Tables of two texts and the declarations that differ.

use std::path::Path;

use bowline_code::Position;

use super::{Mentioned, mentions_at, surface_changes};
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
    told.extend(changes.augments.then(|| "augments".to_owned()));
    told.extend(changes.rebound.iter().map(|(name, _)| format!("rebound {name}")));
    told.join(", ")
}

#[track_caller]
fn check(path: &str, rows: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (before, after, expected) in rows {
        let told = differing(path, before, after);
        if told != *expected {
            wrong.push(format!("{before}\n->\n{after}\nsaid:     {told}\nexpected: {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{path}:\n{}", wrong.join("\n\n"));
}

#[test]
fn what_a_declaration_did_not_mention_before_is_told_from_its_own_names() {
    for (path, before, after, expected) in [
        (
            "a.ts",
            "import { f, g } from './x';\nexport const a = () => f();",
            "import { f, g } from './x';\nexport const a = () => g();",
            true,
        ),
        ("a.ts", "export const a = (x: X) => x.f();", "export const a = (x: X) => x.g();", true),
        (
            "a.ts",
            "export const a = (x: X) => { const y = x; return y }",
            "export const a = (x: X) => { const z = x; return z }",
            false,
        ),
        ("a.ts", "export function f(a: string) {}", "export function f(a: string, b = 1) {}", false),
        (
            "a.ts",
            "import { A } from './x';\nexport const a: A = 1;",
            "import { A } from './y';\nexport const a: A = 1;",
            true,
        ),
        ("a.py", "def f(a):\n    b = a\n    return b\n", "def f(a):\n    c = a\n    return c\n", false),
        (
            "a.py",
            "def g(): ...\ndef f(a):\n    return a\n",
            "def g(): ...\ndef f(a):\n    return g()\n",
            true,
        ),
    ] {
        let path = Path::new(path);
        let parsed = |text: &str| parse(Language::of_path(path).unwrap(), text, &|| false).unwrap();
        let changes = surface_changes(path, &parsed(before), &parsed(after));
        assert_eq!(changes.names_more, expected, "{before}\n->\n{after}");
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
            ("import { a } from './x';\nexport const c = 1;", "export const c = 1;", ""),
            (
                "import { a } from './x';\nexport { a };",
                "import { a } from './y';\nexport { a };",
                "rebound a",
            ),
            (
                "import { a } from './x';\nexport function f() { return a }",
                "import { a } from './y';\nexport function f() { return a + 1 }",
                "Declared f",
            ),
            ("import './x';\nexport const c = 1;", "export const c = 1;", "other"),
            ("export const { a, b } = f();", "export const { a, b } = g();", "Inferred a, Inferred b"),
            (
                "export let x: A | null = a;\nfunction f(): void { }",
                "export let x: A | null = a;\nfunction f(): void { x = null }",
                "Inferred f, Declared x",
            ),
            (
                "let x = a;\nexport const g = () => x;\nfunction f(): void { x = 1 }",
                "let x = a;\nexport const g = () => x;\nfunction f(): void { x = null }",
                "Declared x",
            ),
            (
                "const x: A | B = 1;\nexport const y = x;",
                "const x: A | B = 'a';\nexport const y = x;",
                "Declared x",
            ),
            ("assertText(raw);", "assertNumber(raw);", "other"),
            (
                "const v: A | undefined = get();\ninvariant(v);\nexport const w = v;",
                "const v: A | undefined = get();\nexport const w = v;",
                "other",
            ),
            (
                "const v = get();\nlog('a', v.b);\napp.use(() => v);",
                "const v = get();\nlog('a', v.b);\napp.use(() => v + 1);",
                "",
            ),
            (
                "import { A } from './x';\nexport { A };",
                "import type { A } from './x';\nexport { A };",
                "rebound A",
            ),
            (
                "import { A, B } from './x';\nexport { A, B };",
                "import { type A, B } from './x';\nexport { A, B };",
                "rebound A",
            ),
            (
                "declare module \"express\" { interface R { a: 1 } }",
                "declare module \"express\" { interface R { a: 2 } }",
                "Declared R.a, augments",
            ),
            (
                "export {};\ndeclare global { interface Window { a: 1 } }",
                "export {};\ndeclare global { interface Window { a: 2 } }",
                "Declared Window.a, augments",
            ),
            (
                "class C { x; constructor() { this.x = 1 } }",
                "class C { x; constructor() { this.x = '' } }",
                "Inferred C.constructor, Declared C.x",
            ),
            (
                "export const a = 1",
                "export const a = 1\ndeclare module './o' { interface O { m: string } }",
                "Added ./o, Added ./o.O, Added O.m, other, augments",
            ),
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
                "Declared A.x",
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
            (
                "class A:\n    def __init__(self):\n        self.c = None\n    def g(self) -> None:\n        self.c = F()\n",
                "class A:\n    def __init__(self):\n        self.c = None\n    def g(self) -> None:\n        self.c = G()\n",
                "Inferred A.g, Declared A.c",
            ),
            (
                "class A:\n    def g(self) -> None:\n        x = F()\n        self.c = x\n",
                "class A:\n    def g(self) -> None:\n        x = G()\n        self.c = x\n",
                "Inferred A.g, Inferred A.c",
            ),
            (
                "class A:\n    def g(self) -> None:\n        with F() as self.c:\n            pass\n",
                "class A:\n    def g(self) -> None:\n        with G() as self.c:\n            pass\n",
                "Inferred A.g, Declared A.c",
            ),
            (
                "x = None\ndef f() -> None:\n    global x\n    x = F()\n",
                "x = None\ndef f() -> None:\n    global x\n    x = G()\n",
                "Inferred f, Declared x",
            ),
            ("a, b = f()\n", "a, b = g()\n", "Inferred a, Inferred b"),
            ("from ._a import run\n", "from ._b import run\n", "rebound run"),
            ("from .run import run\n", "from .run import start\n", "rebound run"),
            ("from .a import X\n", "from .a import X as _X\n", "rebound X"),
            ("from .a import X\n", "from .a import X, Y\n", ""),
            ("from .a import *\n", "from .b import *\n", "other"),
            (
                "from a import Foo\ndef make():\n    return Foo()\n",
                "from b import Foo\ndef make():\n    return Foo(1)\n",
                "Declared make, rebound Foo",
            ),
            ("__all__: list[str] = ['f']\n", "__all__: list[str] = ['g']\n", "Declared __all__, other"),
            (
                "async def f() -> AsyncIterator[int]:\n    yield 1\n",
                "async def f() -> AsyncIterator[int]:\n    return g()\n",
                "Inferred f",
            ),
            ("main()\n", "other(1)\n", "other"),
            ("main()\n", "main(1)\n", ""),
            // The type of an attribute follows from what narrows a parameter, from imports and functions inside.
            (
                "class A:\n    def __init__(self, x: int | None) -> None:\n        assert x is not None\n        self.x = x\n",
                "class A:\n    def __init__(self, x: int | None) -> None:\n        self.x = x\n",
                "Inferred A.__init__, Declared A.x",
            ),
            (
                "class A:\n    def __init__(self, x: int) -> None:\n        self.x = x\n        log(1)\n",
                "class A:\n    def __init__(self, x: int) -> None:\n        self.x = x\n        log(2)\n",
                "",
            ),
            (
                "class A:\n    def f(self) -> None:\n        import a as m\n        self.m = m\n",
                "class A:\n    def f(self) -> None:\n        import b as m\n        self.m = m\n",
                "Declared A.m, rebound m",
            ),
            (
                "class A:\n    def f(self) -> None:\n        def h(): return 1\n        self.h = h\n",
                "class A:\n    def f(self) -> None:\n        def h(): return ''\n        self.h = h\n",
                "Inferred A.f, Inferred A.h",
            ),
            // What is assigned to a variable that may be several things says which of them it is from there on.
            ("x: int | None = 5\ny = x\n", "x: int | None = None\ny = x\n", "Declared x"),
            ("x: int | None = 5\n", "x: int | None = None\n", ""),
            ("x: dict[str, int] = {}\ny = x\n", "x: dict[str, int] = {'a': 1}\ny = x\n", ""),
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
            (
                "package a\ntype T struct { X, Y int }\n",
                "package a\ntype T struct { X, Y string }\n",
                "Declared T.X, Declared T.Y",
            ),
            (
                "package a\nimport \"m/v1/types\"\nfunc F() types.T { return 1 }\n",
                "package a\nimport \"m/v2/types\"\nfunc F() types.T { return 1 }\n",
                "Declared F",
            ),
            (
                "package a\nconst (\n\tA Color = iota\n\tB\n\tC\n)\n",
                "package a\nconst (\n\tA Shade = iota\n\tB\n\tC\n)\n",
                "Declared A, Declared B, Declared C",
            ),
            (
                "package a\nconst (\n\tA = iota\n\tC\n)\n",
                "package a\nconst (\n\tA = iota\n\tB\n\tC\n)\n",
                "Added B, Declared C",
            ),
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
            ("int a, b;\n", "long a, b;\n", "Declared a, Declared b"),
            ("enum e { A, N };\n", "enum e { A, B, N };\n", "Added e.B, Declared e.N"),
        ],
    );
}

#[test]
fn a_base_is_mentioned_where_others_see_it() {
    let text = "import { R } from './r'\n\nexport class Q<\n  T = unknown,\n> extends R {\n  a: T\n  #b?: number\n}\n";
    let parsed = parse(Language::TypeScript, text, &|| false).unwrap();
    let found = mentions_at(Path::new("b.ts"), &parsed, &[Position::new(5, 11)]);
    assert_eq!(shown(&found[0]), "Q Declared");
}

fn shown(mentioned: &Mentioned) -> String {
    match mentioned {
        Mentioned::By(all) => {
            let one = |it: &super::Mention| format!("{} {:?}", it.name, it.part);
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn mentions() {
    let text = "import { T, f } from './a';\nexport function g(a: T): void { f(); }\nexport const h = f();\nf();\n\
                export default wrap(f);\nexport const { i, j } = f();\n";
    let parsed = parse(Language::TypeScript, text, &|| false).unwrap();
    let ats = [(1, 10), (2, 22), (2, 33), (3, 18), (4, 1), (5, 21), (6, 25)];
    let ats = ats.map(|(line, column)| Position::new(line, column));
    let found = mentions_at(Path::new("b.ts"), &parsed, &ats);
    assert_eq!(
        found.iter().map(shown).collect::<Vec<_>>(),
        ["Hidden", "g Declared", "Hidden", "h Inferred", "Hidden", "Loose", "i Inferred, j Inferred"]
    );
    let text = "from a import f\nfor x in f():\n    pass\nwith f() as y:\n    pass\n";
    let parsed = parse(Language::Python, text, &|| false).unwrap();
    let found = mentions_at(Path::new("b.py"), &parsed, &[Position::new(2, 10), Position::new(4, 6)]);
    assert!(found.iter().all(|it| *it != Mentioned::Hidden), "{found:?}");
}
