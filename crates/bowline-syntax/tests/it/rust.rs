//! Rust.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_items_members_and_impls() {
    let text = r#"//! Doc.
use std::fmt;

/// A point.
#[derive(Debug)]
pub struct Point<T> {
    #[serde(default)]
    pub x: T,
    y: T,
}
struct Unit(u8, u8);
union Bits { whole: u32 }
pub enum Shape {
    Circle(f64),
    Square { side: f64 },
    None,
}
pub trait Area: fmt::Debug {
    const SIDES: usize;
    type Unit;
    fn area(&self) -> f64;
    fn twice(&self) -> f64 { self.area() * 2.0 }
}
impl<T: Copy> Point<T> {
    pub const ORIGIN: u8 = 0;
    #[inline]
    pub fn new(
        x: T,
        y: T,
    ) -> Self {
        fn helper() {}
        let local = 1;
        const INNER: u8 = 1;
        Point { x, y }
    }
}
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) }
}
impl Area for &'_ dyn a::Other {}
mod inner {
    pub(crate) static COUNT: u32 = 0;
    type Pair = (u8, u8);
    impl Deep { fn dig() {} }
}
macro_rules! shout { ($x:expr) => { $x }; }
extern "C" { fn outside(); }
async unsafe fn free<'a, T>(x: &'a T) -> T where T: Clone { todo!() }
"#;
    assert_snapshot!(outline(Language::Rust, text), @"
    Point [Struct] :6-10  | pub struct Point<T>
      x [Field] :8  in Point  | pub x: T
      y [Field] :9  in Point  | y: T
    Unit [Struct] :11  | struct Unit
    Bits [Struct] :12  | union Bits
      whole [Field] :12  in Bits  | whole: u32
    Shape [Enum] :13-17  | pub enum Shape
      Circle [EnumMember] :14  in Shape  | Circle(f64)
      Square [EnumMember] :15  in Shape  | Square { side: f64 }
        side [Field] :15  in Shape.Square  | side: f64
      None [EnumMember] :16  in Shape
    Area [Interface] :18-23  | pub trait Area: fmt::Debug
      SIDES [Constant] :19  in Area  | const SIDES: usize
      Unit [Class] :20  in Area  | type Unit
      area [Method] :21  in Area  | fn area(&self) -> f64
      twice [Method] :22  in Area  | fn twice(&self) -> f64
    impl Point<T> [Object] :24-36  not indexed  | impl<T: Copy> Point<T>
      ORIGIN [Constant] :25  in Point  | pub const ORIGIN: u8 = 0
      new [Method] :27-35  in Point  | pub fn new( x: T, y: T, ) -> Self
        helper [Function] :31  in Point.new  | fn helper()
    impl fmt::Display for Shape [Object] :37-39  not indexed
      fmt [Method] :38  in Shape  | fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result
    impl Area for &'_ dyn a::Other [Object] :40  not indexed
    inner [Module] :41-45  | mod inner
      COUNT [Variable] :42  in inner  | pub(crate) static COUNT: u32 = 0
      Pair [Class] :43  in inner  | type Pair = (u8, u8)
      impl Deep [Object] :44  not indexed
        dig [Method] :44  in inner.Deep  | fn dig()
    shout [Function] :46  | macro_rules! shout { ($x:expr) => { $x }; }
    outside [Function] :47  | fn outside()
    free [Function] :48  | async unsafe fn free<'a, T>(x: &'a T) -> T where T: Clone
    ");
}

#[test]
fn names_mean_the_nearest_binding() {
    check(
        Language::Rust,
        &[
            ("fn f(a: u8) { g(a$0); }", "fn f(‹a›: u8) { g(«a»); }"),
            ("fn f(x: u8) { let x = x$0 + 1; x; }", "fn f(‹x›: u8) { let x = «x» + 1; x; }"),
            ("fn f(x: u8) { let x = x + 1; x$0; }", "fn f(x: u8) { let ‹x› = x + 1; «x»; }"),
            (
                "fn f(x: u8) { let $0x = x + 1; let x = x; x; }",
                "fn f(x: u8) { let ‹x› = x + 1; let x = «x»; x; }",
            ),
            (
                "fn f() { let a = 1; { let a = 2; a; } a$0; }",
                "fn f() { let ‹a› = 1; { let a = 2; a; } «a»; }",
            ),
            ("fn f() { let g = |x: u8, y| x + y$0; }", "fn f() { let g = |x: u8, ‹y›| x + «y»; }"),
            ("fn f(x: u8) { g(|| x$0); }", "fn f(‹x›: u8) { g(|| «x»); }"),
            (
                "fn f() { for (i, x) in x.iter() { i$0; } i; }",
                "fn f() { for (‹i›, x) in x.iter() { «i»; } i; }",
            ),
            ("fn f(x: u8) { for x in x$0 { x; } }", "fn f(‹x›: u8) { for x in «x» { x; } }"),
            (
                "fn f(v: E) { match v { E::A(x) | E::B { x, .. } if x > 0 => x$0, None => 1, _ => x } }",
                "fn f(v: E) { match v { E::A(‹x›) | E::B { «x», .. } if «x» > 0 => «x», None => 1, _ => x } }",
            ),
            ("fn f(v: E) { match v { None$0 => 1 } }", "not local"),
            (
                "fn f(x: O) { if let Some(x) = x { x$0; } else { x; } x; }",
                "fn f(x: O) { if let Some(‹x›) = x { «x»; } else { x; } x; }",
            ),
            (
                "fn f(x: O) { if let Some(x) = x { x; } else { x$0; } x; }",
                "fn f(‹x›: O) { if let Some(x) = «x» { x; } else { «x»; } «x»; }",
            ),
            (
                "fn f(x: O) { if let Some(x) = x && let Some(y) = x$0.y { x; } }",
                "fn f(x: O) { if let Some(‹x›) = x && let Some(y) = «x».y { «x»; } }",
            ),
            (
                "fn f(x: O) { let Some(x) = x else { x; return }; x$0; }",
                "fn f(x: O) { let Some(‹x›) = x else { x; return }; «x»; }",
            ),
            (
                "fn f() { while let Some(x) = it.next() { x$0; } }",
                "fn f() { while let Some(‹x›) = it.next() { «x»; } }",
            ),
            ("fn f(p: P) { let P { x, y: z } = p; z$0; }", "fn f(p: P) { let P { x, y: ‹z› } = p; «z»; }"),
            (
                "fn f(p: P) { let P { x, y: z } = p; P { x$0, y: z }; p.x }",
                "fn f(p: P) { let P { ‹x›, y: z } = p; P { «x», y: z }; p.x }",
            ),
            ("fn f(x: u8) { P { x$0: 1 }; }", "not local"),
            ("fn f(x: u8) { p.x$0; }", "not local"),
            ("fn f<T>(a: T) -> Vec<T$0> { T::new() }", "fn f<‹T›>(a: «T») -> Vec<«T»> { «T»::new() }"),
            ("impl<T> P<T> { fn f(a: T$0) {} }", "impl<‹T›> P<«T»> { fn f(a: «T») {} }"),
            ("fn f() { fn g() {} g$0(); }", "fn f() { fn ‹g›() {} «g»(); }"),
            ("fn f(x: u8) { fn g() { x$0; } }", "not local"),
            ("fn f() { fn h() {} fn g() { h$0(); } }", "fn f() { fn ‹h›() {} fn g() { «h»(); } }"),
            ("fn g() {} fn f() { g$0(); }", "not local"),
            (
                "fn f(x: u8) { println!(\"{}\", x$0, y.x, x::y, a::x) }",
                "fn f(‹x›: u8) { println!(\"{}\", «x», y.x, «x»::y, a::x) }",
            ),
            ("fn f(n: u8) { // n$0\n }", "no name"),
            ("fn f(a: u8) { 'a: loop { break 'a$0; } }", "no name"),
            (
                "fn f() { let mut v = 1; v$0 += 1; &mut v; }",
                "fn f() { let mut ‹v› = 1; «v» += 1; &mut «v»; }",
            ),
            ("fn f() { let n @ 1..=5 = g(); n$0 }", "fn f() { let ‹n› @ 1..=5 = g(); «n» }"),
        ],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"// make
struct S;
impl S {
    fn make() -> S { Self::make(); S::make(); a::b::make(); make(); "make"; S }
    fn go(&self) { self.make(); other.make; other.make(); x.y.make(); S { make: 1 }; make!(); }
}
fn take(make: u8) { make; assert!(make == S::make()); }
type T = make;
"#;
    assert_snapshot!(uses(Language::Rust, "make", text), @"
    4:8 Plain declares
    4:28 Qualified by S
    4:39 Qualified by S
    4:53 Qualified by b
    4:61 Call
    5:25 Qualified by S
    5:39 Member
    5:51 MemberCall
    5:63 MemberCall
    5:75 Key
    5:86 Call
    7:9 Plain declares local
    7:21 Plain local
    7:35 Plain local
    7:46 Qualified by S
    8:10 Type
    ");
}
