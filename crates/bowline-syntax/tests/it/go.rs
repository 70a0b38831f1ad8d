//! Go.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_gives_methods_to_their_receiver() {
    let text = r#"package main

import "fmt"

const Limit = 10
const (
	A, B = iota, 1
	C
)
var count, total int
var nested struct{ inner int }

// Point is one.
type Point[T any] struct {
	X, Y T `json:"x"`
	fmt.Stringer
}
type (
	Shape interface {
		Area() float64
		fmt.Stringer
	}
	Kind int
)
type Alias = Point[int]

func (p *Point[T]) Move(dx, dy T) (err error) {
	type local struct{ a int }
	var x = 1
	return nil
}
func (Kind) String() string { return "" }
func Free[T any](a T, rest ...int) T { return a }
"#;
    assert_snapshot!(outline(Language::Go, text), @r#"
    Limit [Constant] :5  | const Limit = 10
    A [Constant] :7  | A, B = iota, 1
    B [Constant] :7  | A, B = iota, 1
    C [Constant] :8
    count [Variable] :10  | var count, total int
    total [Variable] :10  | var count, total int
    nested [Variable] :11  | var nested struct{ inner int }
      inner [Field] :11  in nested  | inner int
    Point [Struct] :14-17  | type Point[T any] struct
      X [Field] :15  in Point  | X, Y T `json:"x"`
      Y [Field] :15  in Point  | X, Y T `json:"x"`
    Shape [Interface] :19-22  | Shape interface
      Area [Method] :20  in Shape  | Area() float64
    Kind [Class] :23  | Kind int
    Alias [Class] :25  | type Alias = Point[int]
    Move [Method] :27-31  in Point  | func (p *Point[T]) Move(dx, dy T) (err error)
      local [Struct] :28  in Point.Move  | type local struct
        a [Field] :28  in Point.Move.local  | a int
    String [Method] :32  in Kind  | func (Kind) String() string
    Free [Function] :33  | func Free[T any](a T, rest ...int) T
    "#);
}

#[test]
fn names_mean_the_nearest_binding() {
    let cases = [
        ("func f(a, b int, c ...int) { _ = b$0; _ = c }", "func f(a, ‹b› int, c ...int) { _ = «b»; _ = c }"),
        ("func (p *T) f() { p$0.x = 1 }", "func (‹p› *T) f() { «p».x = 1 }"),
        ("func f() (err error) { err$0 = nil; return }", "func f() (‹err› error) { «err» = nil; return }"),
        (
            "func f(x int) { if x := x + 1; x > 0 { g(x$0) } else { x++ } }",
            "func f(x int) { if ‹x› := x + 1; «x» > 0 { g(«x») } else { «x»++ } }",
        ),
        (
            "func f(x int) { if x := x$0 + 1; x > 0 { g(x) }; x++ }",
            "func f(‹x› int) { if x := «x» + 1; x > 0 { g(x) }; «x»++ }",
        ),
        (
            "func f() { a, err := g(); b, err := h(err$0); _, _ = a, b }",
            "func f() { a, ‹err› := g(); b, «err» := h(«err»); _, _ = a, b }",
        ),
        (
            "func f() { x := 1; { x := x; _ = x$0 }; _ = x }",
            "func f() { x := 1; { ‹x› := x; _ = «x» }; _ = x }",
        ),
        (
            "func f(xs []int) { for i, x := range xs { g(i, x$0) } }",
            "func f(xs []int) { for i, ‹x› := range xs { g(i, «x») } }",
        ),
        (
            "func f() { for i := 0; i < 3; i++ { g(i$0) } }",
            "func f() { for ‹i› := 0; «i» < 3; «i»++ { g(«i») } }",
        ),
        (
            "func f(v any) { switch v := v.(type) { case int: g(v$0) } }",
            "func f(v any) { switch ‹v› := v.(type) { case int: g(«v») } }",
        ),
        (
            "func f(v any) { switch v := v$0.(type) { case int: g(v) } }",
            "func f(‹v› any) { switch v := «v».(type) { case int: g(v) } }",
        ),
        (
            "func f(c chan int) { select { case m, ok := <-c: g(m$0, ok) } }",
            "func f(c chan int) { select { case ‹m›, ok := <-c: g(«m», ok) } }",
        ),
        (
            "func f() { h := func(n int) int { return n$0 }; h(1) }",
            "func f() { h := func(‹n› int) int { return «n» }; h(1) }",
        ),
        (
            "func f() { var x, y = 1, 2; const z = x$0; _ = y }",
            "func f() { var ‹x›, y = 1, 2; const z = «x»; _ = y }",
        ),
        ("func f[T any](a T) T$0 { return a }", "func f[‹T› any](a «T») «T» { return a }"),
        ("type P[T any] struct { x T$0 }", "type P[‹T› any] struct { x «T» }"),
        ("func f() { type l int; var x l$0 }", "func f() { type ‹l› int; var x «l» }"),
        ("func f(name string) { _ = P{name$0: name} }", "not local"),
        ("func f(name string) { _ = P{name: name$0} }", "func f(‹name› string) { _ = P{name: «name»} }"),
        (
            "func f(k string) { _ = map[string]int{k$0: 1} }",
            "func f(‹k› string) { _ = map[string]int{«k»: 1} }",
        ),
        ("func f(x int) { p.x$0 = 1 }", "not local"),
        ("var x int\nfunc f() { x$0++ }", "not local"),
    ];
    let cases = cases.map(|(text, expected)| {
        let expected =
            if expected == "not local" { expected.to_owned() } else { format!("package p\n{expected}") };
        (format!("package p\n{text}"), expected)
    });
    let cases: Vec<_> = cases.iter().map(|(text, expected)| (text.as_str(), expected.as_str())).collect();
    check(Language::Go, &cases);
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"package make // make
func (s *S) make() { s.make(); S.make(); pkg.make(); make(1); o.p.make = "make"; _ = S{make: 1} }
func take(make pkg.make) { _ = make }
type make int
"#;
    assert_snapshot!(uses(Language::Go, "make", text), @"
    2:13 Plain declares
    2:24 Qualified by S
    2:34 Qualified by S
    2:46 Qualified by pkg
    2:54 Call
    2:67 Member
    2:88 Key
    3:11 Plain declares local
    3:20 Qualified by pkg
    3:32 Plain local
    4:6 Type declares
    ");
}
