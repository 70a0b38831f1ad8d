//! Tables of two texts and who can see the difference.

use std::path::Path;

use super::{Extent, extent};
use crate::{Language, parse};

fn seen(path: &str, before: &str, after: &str) -> Extent {
    let path = Path::new(path);
    let language = Language::of_path(path).unwrap();
    let parsed = |text: &str| parse(language, text, &|| false).unwrap();
    extent(path, &parsed(before), &parsed(after))
}

#[track_caller]
fn check(path: &str, rows: &[(&str, &str, Extent)]) {
    for (before, after, expected) in rows {
        assert_eq!(seen(path, before, after), *expected, "{path}:\n{before}\n->\n{after}");
        assert_eq!(
            seen(path, after, before),
            *expected,
            "{path}, the other way round:\n{after}\n->\n{before}"
        );
    }
}

use Extent::{Anywhere, File, Unit};

#[test]
fn go() {
    let with = |body: &str| format!("package a\nfunc f(a int) int {{ {body} }}\n");
    check(
        "a.go",
        &[
            ("package a\n", "// hi\npackage a\n\n", File),
            ("package a\nvar x = 1\n", "package a\r\n\r\nvar x = 1 // one\r\n", File),
            (&with("return 1"), &with("return a + 2"), Unit),
            (&with("x := 1; return x"), &with("type t struct{}; _ = t{}; return 1"), Unit),
            ("package a\nfunc (t T) M() {}\n", "package a\nfunc (t T) M() { t.n() }\n", Unit),
            ("package a\nfunc init() { a() }\n", "package a\nfunc init() { b() }\n", Unit),
            (
                "package a\nfunc größe() int { return 1 }\n",
                "package a\nfunc größe() int { return 2 }\n",
                Unit,
            ),
            (
                "package a\nfunc F[T any](t T) T { return t }\n",
                "package a\nfunc F[T any](t T) T { x := t; return x }\n",
                Unit,
            ),
            ("package a\nfunc f() int { return 1 }\n", "package a\nfunc f() int64 { return 1 }\n", Anywhere),
            ("package a\nfunc f() {}\n", "package a\nfunc f() {}\nfunc g() {}\n", Anywhere),
            ("package a\nimport \"fmt\"\n", "package a\nimport \"os\"\n", Anywhere),
            ("package a\nimport \"fmt\"\n", "package a\nimport _ \"fmt\"\n", Anywhere),
            ("package a\nimport \"fmt\"\n", "package a\nimport . \"fmt\"\n", Anywhere),
            ("package a\nconst C = 1\n", "package a\nconst C = 2\n", Anywhere),
            (
                "package a\nvar f = func() int { return 1 }\n",
                "package a\nvar f = func() int { return 2 }\n",
                Anywhere,
            ),
            ("package a\ntype T struct{ B }\n", "package a\ntype T struct{ *B }\n", Anywhere),
            ("package a\nfunc (t T) M() {}\n", "package a\nfunc (t *T) M() {}\n", Anywhere),
            ("package a\n", "//go:build linux\n\npackage a\n", Anywhere),
            ("package a\nfunc F() {}\n", "package a\n// Deprecated: use G.\nfunc F() {}\n", Anywhere),
            ("package a\n// int x;\nimport \"C\"\n", "package a\n// int y;\nimport \"C\"\n", Anywhere),
            (
                "package a\nfunc f(s string, a ...any) { p(s, a...) }\n",
                "package a\nfunc f(s string, a ...any) {}\n",
                Anywhere,
            ),
            ("package a\nfunc f() { g() }\n", "package a\nfunc f() { panic(1) }\n", Anywhere),
            ("package a\nfunc f() { g() }\n", "package a\nfunc f() { for { g() } }\n", Anywhere),
            (&with("return 1"), &with("return ("), Anywhere),
            ("package a\nvar s = `a\n b`\n", "package a\nvar s = `a\n  b`\n", Anywhere),
        ],
    );
}

#[test]
fn typescript() {
    let with = |body: &str| format!("export function f(a: number): number {{ {body} }}\n");
    check(
        "a.ts",
        &[
            ("let a = 1;\n", "// one\nlet a = 1;   /* two */\r\n", File),
            (&with("return 1"), &with("const b = 2; return a + b"), File),
            (&with("return 1"), &with("let n = 0; n += 1; n++; return n"), File),
            ("class A { m(): void {} }\n", "class A { m(): void { this.n(); } }\n", File),
            (
                "class A { get m(): number { return 1 } }\n",
                "class A { get m(): number { return 2 } }\n",
                File,
            ),
            (
                "export const f = (a: number): string => `a`;\n",
                "export const f = (a: number): string => `b`;\n",
                File,
            ),
            (
                "export const f = async (): Promise<void> => {};\n",
                "export const f = async (): Promise<void> => { await g(); };\n",
                File,
            ),
            (
                "export function is(a: unknown): a is string { return true }\n",
                "export function is(a: unknown): a is string { return typeof a === 'string' }\n",
                File,
            ),
            (
                "export default function (): void { a() }\n",
                "export default function (): void { b() }\n",
                File,
            ),
            (
                "export function größe(): number { return 1 }\n",
                "export function größe(): number { return 2 }\n",
                File,
            ),
            (
                "namespace N { export function f(): void {} }\n",
                "namespace N { export function f(): void { a() } }\n",
                File,
            ),
            ("export function f() { return 1 }\n", "export function f() { return 'a' }\n", Anywhere),
            (
                "export const f = (a: number) => a;\n",
                "export const f = (a: number) => String(a);\n",
                Anywhere,
            ),
            ("export const f: F = (a) => a;\n", "export const f: F = (a) => null;\n", File),
            ("describe('a', () => { f(1) });\n", "describe('a', () => { f(2) });\n", File),
            (
                "class A { x; constructor() { this.x = 1 } }\n",
                "class A { x; constructor() { this.x = '' } }\n",
                Anywhere,
            ),
            ("class A { set x(v) { this.y = v } }\n", "class A { set x(v) { } }\n", Anywhere),
            (
                "class A { static x; static { this.x = 1 } }\n",
                "class A { static x; static { this.x = '' } }\n",
                Anywhere,
            ),
            (
                "export function f() { let x = 1; const g = (): void => { }; return x }\n",
                "export function f() { let x = 1; const g = (): void => { x = 2 }; return x }\n",
                Anywhere,
            ),
            (
                "let x: A | null = a; export const g = () => x; function f(): void {}\n",
                "let x: A | null = a; export const g = () => x; function f(): void { x = null }\n",
                Anywhere,
            ),
            (&with("return 1"), &with("import('./b'); return 1"), Anywhere),
            ("export { a } from './b';\n", "export { a as c } from './b';\n", Anywhere),
            ("export default 1;\n", "export default 'a';\n", Anywhere),
            ("import { a } from './b';\n", "import * as a from './b';\n", Anywhere),
            ("export function f(): void {}\n", "/** @deprecated */\nexport function f(): void {}\n", File),
            ("let a = 1;\n", "/// <reference path=\"b.d.ts\" />\nlet a = 1;\n", Anywhere),
            ("@d(() => 1) class A {}\n", "@d(() => 2) class A {}\n", Anywhere),
            ("export function f(a = 1): void {}\n", "export function f(a = ''): void {}\n", Anywhere),
            ("export interface A { b(): void }\n", "export interface A { b(): number }\n", Anywhere),
            (&with("return 1"), &with("return (("), Anywhere),
        ],
    );
    check(
        "a.tsx",
        &[
            (
                "export function F(): X { return <a>b</a> }\n",
                "export function F(): X { return <i>b</i> }\n",
                File,
            ),
            ("export const F = () => <a>b</a>;\n", "export const F = () => <a>b  c</a>;\n", Anywhere),
        ],
    );
}

#[test]
fn javascript_hides_only_comments() {
    check(
        "a.js",
        &[
            ("let a = 1\n", "let a = 1 // one\n", File),
            ("let a = 1\n", "\n\nlet a   = 1\n", File),
            ("function f() { return 1 }\n", "function f() { return 2 }\n", Anywhere),
            ("function F() { this.x = 1 }\n", "function F() { this.y = 1 }\n", Anywhere),
            (
                "/** @returns {number} */ function f() {}\n",
                "/** @returns {string} */ function f() {}\n",
                Anywhere,
            ),
            ("function f() { return\n1 }\n", "function f() { return 1 }\n", Anywhere),
            ("module.exports = a\n", "module.exports = b\n", Anywhere),
            ("a('  ')\n", "a(' ')\n", Anywhere),
            ("a(`${x}  ${y}`)\n", "a(`${x} ${y}`)\n", Anywhere),
            ("a(/ x/)\n", "a(/x/)\n", Anywhere),
        ],
    );
}

#[test]
fn python() {
    check(
        "a.py",
        &[
            ("x = 1\n", "# one\nx = 1  # two\n\n\n", File),
            ("def f():\n    return 1\n", "def f():\r\n\r\n    # hi\r\n    return 1\r\n", File),
            ("f(a,\n  b)\n", "f(a, b)\n", File),
            ("if a:\n    b\n", "if a:\n  b\n", File),
            ("größe = 1\n", "größe = 1 # ä\n", File),
            ("if a:\n    b\nc\n", "if a:\n    b\n    c\n", Anywhere),
            (
                "class A:\n    def m(self):\n        self.x = 1\n",
                "class A:\n    def m(self):\n        self.y = 1\n",
                Anywhere,
            ),
            ("def f() -> int:\n    return 1\n", "def f() -> int:\n    return 2\n", File),
            ("def f():\n    'a'\n    return 1\n", "def f():\n    'b'\n    return 1\n", File),
            (
                "class A:\n    def m(self) -> None:\n        self.x = 1\n",
                "class A:\n    def m(self) -> None:\n        self.y = 1\n",
                Anywhere,
            ),
            ("def f():\n    return 1\n", "def f():\n    return ''\n", Anywhere),
            ("def f():\n    global x\n", "def f():\n    global y\n", Anywhere),
            ("x = []\n", "x = []  # type: list[int]\n", Anywhere),
            ("@a\ndef f(): ...\n", "@b\ndef f(): ...\n", Anywhere),
            ("from a import b\n", "from a import c\n", Anywhere),
            ("__all__ = ['a']\n", "__all__ = ['a', 'b']\n", Anywhere),
            ("x = '\\n \\n'\n", "x = '\\n  \\n'\n", Anywhere),
            ("x = 1\n", "x = (\n", Anywhere),
        ],
    );
}

#[test]
fn c_and_cpp() {
    check(
        "a.c",
        &[
            ("int f(void) { return 1; }\n", "int f(void) { int a = 2; return a; }\n", File),
            ("int x;\n", "/* x */\r\nint x; // y\r\n", File),
            ("static void f(void) {}\n", "static void f(void) { g(); }\n", File),
            ("struct s *f(int a) { return 0; }\n", "struct s *f(int a) { return &t; }\n", File),
            ("int f(void) { return 1; }\n", "long f(void) { return 1; }\n", Anywhere),
            ("int f(void) { return 1; }\n", "int f(void) {\n#define A 1\nreturn 1; }\n", Anywhere),
            ("int f(void) { return 1; }\n", "int f(void) { extern long y; return 1; }\n", Anywhere),
            ("#define A 1\n", "#define A 2\n", Anywhere),
            ("#define A(x) x\n", "#define A (x) x\n", Anywhere),
            ("inline int f(void) { return 1; }\n", "inline int f(void) { return 2; }\n", Anywhere),
            ("#include \"a.h\"\n", "#include \"b.h\"\n", Anywhere),
            ("int f(void) { return 1; }\n", "int f(void) { return ; ) }\n", Anywhere),
        ],
    );
    check(
        "a.cpp",
        &[
            (
                "namespace n { int A::f() const { return 1; } }\n",
                "namespace n { int A::f() const { return 2; } }\n",
                File,
            ),
            ("extern \"C\" { void f() { a(); } }\n", "extern \"C\" { void f() { b(); } }\n", File),
            ("auto f() { return 1; }\n", "auto f() { return 2L; }\n", Anywhere),
            ("auto f() -> int { return 1; }\n", "auto f() -> int { return 2; }\n", Anywhere),
            ("constexpr int f() { return 1; }\n", "constexpr int f() { return 2; }\n", Anywhere),
            (
                "template <class T> int f() { return 1; }\n",
                "template <class T> int f() { return 2; }\n",
                Anywhere,
            ),
            ("struct A { int f() { return 1; } };\n", "struct A { int f() { return 2; } };\n", Anywhere),
            ("A::A() { a(); }\n", "A::A() { b(); }\n", Anywhere),
        ],
    );
    check(
        "a.h",
        &[
            ("int f(void);\n", "int f(void); /* f */\n", File),
            ("static int f(void) { return 1; }\n", "static int f(void) { return 2; }\n", Anywhere),
            ("int f(void);\n", "int f(void); // IWYU pragma: export\n", Anywhere),
            ("class A { int f() { return 1; } };\n", "class A { int f() { return 2; } };\n", Anywhere),
        ],
    );
    check("a.hpp", &[("int f() { return 1; }\n", "int f() { return 2; }\n", Anywhere)]);
}

#[test]
fn rust() {
    check(
        "a.rs",
        &[
            ("fn f() {}\n", "// hi\nfn f() {}\n\n", File),
            ("fn f() -> u8 { 1 }\n", "fn f() -> u8 { let a = 2; a }\n", Unit),
            ("impl A { pub fn f(&self) { a() } }\n", "impl A { pub fn f(&self) { b() } }\n", Unit),
            ("fn f() { println!(\"a\"); }\n", "fn f() { println!(\"b\"); }\n", Unit),
            ("#[test]\nfn f() { a() }\n", "#[test]\nfn f() { b() }\n", Unit),
            ("fn f<T>(t: T) -> T { t }\n", "fn f<T>(t: T) -> T { let u = t; u }\n", Unit),
            ("trait T { fn f(&self) { a() } }\n", "trait T { fn f(&self) { b() } }\n", Unit),
            ("fn f() -> impl Fn() { || a() }\n", "fn f() -> impl Fn() { || b() }\n", Anywhere),
            ("async fn f() { a() }\n", "async fn f() { b() }\n", Anywhere),
            ("const fn f() -> u8 { 1 }\n", "const fn f() -> u8 { 2 }\n", Anywhere),
            ("fn f<const N: usize>() { a() }\n", "fn f<const N: usize>() { b() }\n", Anywhere),
            ("fn f() {}\n", "fn f() { impl A for B {} }\n", Anywhere),
            ("fn f() { declare!(A); }\n", "fn f() { declare!(B); }\n", Anywhere),
            ("#[tokio::main]\nasync fn f() { a() }\n", "#[tokio::main]\nasync fn f() { b() }\n", Anywhere),
            ("#[magic]\nimpl A { fn f() { a() } }\n", "#[magic]\nimpl A { fn f() { b() } }\n", Anywhere),
            ("m! { fn f() { a() } }\n", "m! { fn f() { b() } }\n", Anywhere),
            ("m! { /// a\nfn f() {} }\n", "m! { /// b\nfn f() {} }\n", Anywhere),
            ("macro_rules! m { () => { a } }\n", "macro_rules! m { () => { b } }\n", Anywhere),
            ("pub const A: u8 = 1;\n", "pub const A: u8 = 2;\n", Anywhere),
            ("fn f() { a() }\n", "fn f() { a( }\n", Anywhere),
        ],
    );
}

#[test]
fn other_languages_hide_only_comments() {
    check(
        "A.java",
        &[
            ("class A { }\n", "// hi\nclass A { }\n", File),
            ("class A { int f() { return 1; } }\n", "class A { int f() { return 2; } }\n", Anywhere),
        ],
    );
    check("a.rb", &[("x = 1\n", "x = 1 # one\n", File), ("def f; 1; end\n", "def f; 2; end\n", Anywhere)]);
    check("a.sh", &[("cat <<E\n a\nE\n", "cat <<E\n  a\nE\n", Anywhere)]);
}

#[test]
fn what_was_not_changed_is_not_seen_even_if_it_is_broken() {
    assert_eq!(seen("a.go", "package (", "package ("), File);
    assert_eq!(seen("a.go", "package (", "package ( "), Anywhere);
}

#[test]
fn a_compiler_reads_the_same() {
    let same = |before: &str, after: &str| {
        let parsed = |text: &str| parse(Language::Rust, text, &|| false).unwrap();
        super::same_code(Path::new("a.rs"), &parsed(before), &parsed(after))
    };
    assert!(same("/// One.\nfn f() {}\n", "/// Two.\n/// Three.\nfn f() {} // four\n"));
    assert!(!same("/// One.\nfn f() {}\n", "fn f() {}\n"), "documentation may be asked for");
    assert!(!same("fn f() {}\n", "fn f() { g() }\n"));
    let field = |comment: &str| format!("struct S {{\n    a: u32, {comment}\n}}\n");
    assert!(!same(&field("// the a"), &field("/// the a")), "it documents nothing, which is an error");
    assert!(same(&field("// the a"), &field("// an a")));
}
