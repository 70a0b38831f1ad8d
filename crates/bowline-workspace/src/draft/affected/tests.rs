//! Tables of changes and what they mean for others.

use bowline_syntax::{parse, surface_changes};

use super::*;

fn consequences(path: &str, before: &str, after: &str) -> String {
    let path = Path::new(path);
    let language = Language::of_path(path).unwrap();
    let parsed = |text: &str| parse(language, text, &|| false).unwrap();
    let changes = surface_changes(path, &parsed(before), &parsed(after));
    let all = Consequences::of(path, language, &changes.symbols);
    // A type that was there before can be asked about.
    assert!(all.targets.iter().all(|target| target.before.is_some()), "{:?}", all.targets);
    let mut told: Vec<String> =
        all.targets.iter().map(|target| format!("{:?} {}", target.spread, target.name)).collect();
    told.extend(all.candidates.iter().map(|candidate| format!("look at {}", candidate.target.name)));
    told.extend(all.new_names.iter().map(|name| format!("new {name}")));
    told.join(", ")
}

#[test]
fn members_change_their_types_as_far_as_the_language_goes() {
    for (path, before, after, expected) in [
        ("a.ts", "interface I { a: number }", "interface I { a: string }", "Structure I, Value a"),
        ("a.ts", "interface I { a: number }", "interface I { a: number; b?: string }", "Structure I"),
        ("a.ts", "interface I { a: number }", "interface I { a: number; b: string }", "Structure I"),
        ("a.ts", "class C {}", "class C { m() {} }", "Structure C"),
        (
            "a.ts",
            "export abstract class C {\n  protected abstract m(): void\n}",
            "export abstract class C {\n  protected abstract m(): void\n\n  protected abstract n(): string\n}",
            "Structure C",
        ),
        (
            "a.py",
            "class C:\n    def m(self) -> int: ...\n",
            "class C:\n    def m(self) -> str: ...\n",
            "Derived C, Value m",
        ),
        (
            "a.py",
            "class C(Protocol):\n    def m(self) -> int: ...\n",
            "class C(Protocol):\n    def m(self) -> str: ...\n",
            "Structure C, Value m",
        ),
        ("a.py", "class C:\n    x: int\n", "class C:\n    x: int\n    y: int\n", "Uses C"),
        (
            "a.go",
            "package a\ntype T struct { A int }\n",
            "package a\ntype T struct { B int }\n",
            "Uses A, Uses T, new B",
        ),
        (
            "a.go",
            "package a\nfunc (t T) M() {}\n",
            "package a\nfunc (t T) M(a int) {}\n",
            "Value M, Structure T",
        ),
        (
            "a.go",
            "package a\ntype T struct {}\n",
            "package a\ntype T struct {}\nfunc (t T) M() {}\n",
            "Derived T, new M",
        ),
        (
            "a.py",
            "class C:\n    def __init__(self, x: int) -> None: ...\n",
            "class C:\n    def __init__(self, x: int, y: int) -> None: ...\n",
            "Uses C, Value __init__",
        ),
        (
            "a.py",
            "class C(NamedTuple):\n    x: int\n",
            "class C(NamedTuple):\n    x: int\n    y: int\n",
            "Structure C",
        ),
        ("a.py", "class C(Enum):\n    A = 1\n", "class C(Enum):\n    A = 1\n    B = 2\n", "Structure C"),
        ("a.cpp", "struct S { int a; };\n", "struct S { int a; int b; };\n", "Structure S"),
        ("a.py", "class C(A):\n    pass\n", "class C(B):\n    pass\n", "Structure C"),
        (
            "a.py",
            "class C:\n    x: int\n    def __len__(self) -> int: ...\n",
            "class C:\n    x: int\n",
            "Structure C, Uses __len__",
        ),
        (
            "a.py",
            "class C:\n    x: int\n    def m(self) -> int: ...\n",
            "class C:\n    x: int\n",
            "Uses C, Uses m",
        ),
        ("a.h", "typedef int *handle;\n", "typedef long handle;\n", "Structure handle"),
        (
            "a.go",
            "package a\ntype I interface { A() }\n",
            "package a\ntype I interface { A(); B() }\n",
            "Structure I, new B",
        ),
        ("a.ts", "export const a = 1", "export const a = 2; export const b = 1", "look at a, new b"),
        ("a.ts", "export function f() {}", "", "Uses f"),
    ] {
        assert_eq!(consequences(path, before, after), expected, "{path}:\n{before}\n->\n{after}");
    }
}

#[test]
fn hovers_prove_only_what_they_say() {
    let none = BTreeSet::new();
    let changed = BTreeSet::from(["Opts".to_owned()]);
    let ts = Some(Language::TypeScript);
    let code = |text: &str| format!("```typescript\n{text}\n```\nsome words");
    assert!(says_the_same(ts, &code("const a: number"), &code("const a: number"), &none));
    assert!(!says_the_same(ts, &code("const a: number"), &code("const a: string"), &none));
    assert!(!says_the_same(ts, &code("const a: Opts"), &code("const a: Opts"), &changed));
    assert!(!says_the_same(
        ts,
        &code("const a: { b: 1; ... 4 more ...; }"),
        &code("const a: { b: 1; ... 4 more ...; }"),
        &none
    ));
    assert!(says_the_same(
        ts,
        &code("function f(...a: any[]): void"),
        &code("function f(...a: any[]): void"),
        &none
    ));
    let py = Some(Language::Python);
    assert!(says_the_same(
        py,
        "(function) def f() -> int\n\nold words",
        "(function) def f() -> int\n\nnew",
        &none
    ));
    assert!(!says_the_same(py, "def f(a: Unknown) -> Unknown", "def f(a: Unknown) -> Unknown", &none));
    let known = "(function) def f(\n    a: Unknown,\n    b: int = 0\n) -> bytes";
    assert!(says_the_same(py, known, known, &none), "calls need not infer it anew");
    assert!(!says_the_same(py, "", "", &none));
}

#[test]
fn types_that_hold_a_changed_one_change_with_it() {
    let in_file = |path: &str, text: &str, name: &str, spread: Spread| {
        let path = Path::new(path);
        let parsed = parse(Language::of_path(path).unwrap(), text, &|| false).unwrap();
        let line = text.lines().position(|line| line.contains(name)).unwrap();
        let column = text.lines().nth(line).unwrap().find(name).unwrap();
        let at = Position::new(u32::try_from(line).unwrap() + 1, u32::try_from(column).unwrap() + 1);
        match bowline_syntax::mentions_at(path, &parsed, &[at]).remove(0) {
            Mentioned::By(all) => all.iter().find_map(|mention| {
                Some((mention.holder.as_ref()?.name.clone(), holder_step(path, spread, mention)?))
            }),
            other => panic!("{other:?}"),
        }
    };
    for (path, text, spread, expected) in [
        ("a.ts", "interface S {\n  r: Changed\n}\n", Spread::Structure, Some(Spread::Structure)),
        ("a.ts", "interface S {\n  r: Changed\n}\n", Spread::Uses, None),
        ("a.py", "class S:\n    r: Changed\n", Spread::Structure, None),
        ("a.py", "class S(Protocol):\n    r: Changed\n", Spread::Structure, Some(Spread::Structure)),
        ("a.go", "package a\n\ntype S struct {\n\tr Changed\n}\n", Spread::Uses, Some(Spread::Uses)),
        ("a.go", "package a\n\ntype S struct {\n\tr *Changed\n}\n", Spread::Uses, None),
        ("a.go", "package a\n\ntype S struct {\n\tr []Changed\n}\n", Spread::Uses, None),
        ("a.go", "package a\n\ntype S struct {\n\tr [Changed]byte\n}\n", Spread::Value, Some(Spread::Uses)),
        ("a.c", "struct S {\n  struct Changed r;\n};\n", Spread::Uses, Some(Spread::Uses)),
        ("a.c", "struct S {\n  struct Changed *r;\n};\n", Spread::Uses, None),
    ] {
        let expected = expected.map(|spread| ("S".to_owned(), spread));
        assert_eq!(in_file(path, text, "Changed", spread), expected, "{path}: {text}");
    }
}

#[test]
fn uses_are_checked_as_far_as_the_change_goes() {
    let mention = |kind, part| {
        let at = Position::new(1, 1);
        Mention { name: "D".into(), kind, at, part, holder: None }
    };
    let class = mention(SymbolKind::Class, Part::Declared);
    let value = mention(SymbolKind::Function, Part::Inferred);
    assert!(concerns(Spread::Derived, &Mentioned::By(vec![value.clone(), class.clone()])));
    assert!(!concerns(Spread::Derived, &Mentioned::By(vec![value.clone()])));
    assert!(concerns(Spread::Uses, &Mentioned::Hidden) && !concerns(Spread::Derived, &Mentioned::Loose));
    for (path, spread, mention, expected) in [
        ("a.py", Spread::Value, &class, Step::Changes(Spread::Structure)),
        ("a.py", Spread::Uses, &class, Step::Changes(Spread::Uses)),
        ("a.py", Spread::Uses, &value, Step::Look),
        ("a.go", Spread::Value, &class, Step::Changes(Spread::Structure)),
        ("a.go", Spread::Uses, &class, Step::Changes(Spread::Uses)),
        ("a.c", Spread::Value, &class, Step::Changes(Spread::Uses)),
    ] {
        assert_eq!(step(Path::new(path), spread, mention), expected, "{path} {spread:?} {mention:?}");
    }
}
