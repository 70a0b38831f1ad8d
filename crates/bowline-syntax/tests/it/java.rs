//! Java.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_types_and_members() {
    let text = r#"package a.b;
import java.util.List;

/** Doc. */
@Deprecated
public class Point<T> extends Base implements Shape {
    public static final int LIMIT = 10;
    private int x, y;
    @Inject private List<String> names;
    static { int local = 1; }
    @Inject
    public Point(int x) { this.x = x; }
    @Override public <U> void move(U by) throws E {
        class Local { int inner; }
        Runnable r = new Runnable() { public void run() {} };
    }
    enum Color { RED, GREEN(1) { void shine() {} }; Color() {} int value; }
    interface Inner { int CONST = 1; void call(); default int two() { return 2; } }
    record Pair(int left, String right) { Pair { } static int z; }
    @interface Marker { String value() default ""; }
}
"#;
    assert_snapshot!(outline(Language::Java, text), @r#"
    Point [Class] :6-21  | public class Point<T> extends Base implements Shape
      LIMIT [Constant] :7  in Point  | public static final int LIMIT = 10
      x [Field] :8  in Point
      y [Field] :8  in Point
      names [Field] :9  in Point  | private List<String> names
      Point [Constructor] :12  in Point  | public Point(int x)
      move [Method] :13-16  in Point  | public <U> void move(U by) throws E
        Local [Class] :14  in Point.move  | class Local
          inner [Field] :14  in Point.move.Local  | int inner
        run [Method] :15  in Point.move  | public void run()
      Color [Enum] :17  in Point  | enum Color
        RED [EnumMember] :17  in Point.Color
        GREEN [EnumMember] :17  in Point.Color  | GREEN(1) { void shine() {} }
          shine [Method] :17  in Point.Color.GREEN  | void shine()
        Color [Constructor] :17  in Point.Color  | Color()
        value [Field] :17  in Point.Color  | int value
      Inner [Interface] :18  in Point  | interface Inner
        CONST [Constant] :18  in Point.Inner  | int CONST = 1
        call [Method] :18  in Point.Inner  | void call()
        two [Method] :18  in Point.Inner  | default int two()
      Pair [Class] :19  in Point  | record Pair(int left, String right)
        left [Field] :19  in Point.Pair  | int left
        right [Field] :19  in Point.Pair  | String right
        Pair [Constructor] :19  in Point.Pair
        z [Field] :19  in Point.Pair  | static int z
      Marker [Interface] :20  in Point  | @interface Marker
        value [Method] :20  in Point.Marker  | String value() default ""
    "#);
}

#[test]
fn names_mean_the_nearest_binding() {
    let cases = [
        ("void f(int a, int... b) { g(a, b$0); }", "void f(int a, int... ‹b›) { g(a, «b»); }"),
        ("void f() { int x = 1; { int y = x$0; } }", "void f() { int ‹x› = 1; { int y = «x»; } }"),
        ("int x; void f() { x$0 = 1; int x = 2; x = 3; }", "not local"),
        (
            "int x; void f() { x = 1; int x = 2; x$0 = 3; }",
            "int x; void f() { x = 1; int ‹x› = 2; «x» = 3; }",
        ),
        ("void f(int x) { this.x$0 = x; }", "not local"),
        (
            "void f() { for (int i = 0; i < 3; i++) g(i$0); }",
            "void f() { for (int ‹i› = 0; «i» < 3; «i»++) g(«i»); }",
        ),
        ("void f() { for (String s : s()) g(s$0); }", "void f() { for (String ‹s› : s()) g(«s»); }"),
        (
            "void f() { try (R r = o()) { r$0.x(); } catch (E e) { } }",
            "void f() { try (R ‹r› = o()) { «r».x(); } catch (E e) { } }",
        ),
        (
            "void f() { try { } catch (A | B e) { e$0.x(); } }",
            "void f() { try { } catch (A | B ‹e›) { «e».x(); } }",
        ),
        ("F f = x -> x$0 + 1;", "F f = ‹x› -> «x» + 1;"),
        ("F f = (x, y) -> { return y$0; };", "F f = (x, ‹y›) -> { return «y»; };"),
        ("F f = (int x) -> x$0;", "F f = (int ‹x›) -> «x»;"),
        (
            "void f(Object o) { if (o instanceof S s) s$0.x(); }",
            "void f(Object o) { if (o instanceof S ‹s›) «s».x(); }",
        ),
        (
            "void f(Object o) { switch (o) { case S s -> s$0.x(); case P(int a, var b) -> g(b); default -> {} } }",
            "void f(Object o) { switch (o) { case S ‹s› -> «s».x(); case P(int a, var b) -> g(b); default -> {} } }",
        ),
        (
            "void f(Object o) { switch (o) { case P(int a, var b) -> g(b$0); default -> {} } }",
            "void f(Object o) { switch (o) { case P(int a, var ‹b›) -> g(«b»); default -> {} } }",
        ),
        ("<T> T f(T$0 a) { return a; }", "<‹T›> «T» f(«T» a) { return a; }"),
        ("void f() { class L {} new L$0(); }", "void f() { class ‹L› {} new «L»(); }"),
        ("void f(int a) { a: while (true) break a$0; }", "no name"),
        (
            "void f(int n) { new R() { void g() { h(n$0); } }; }",
            "void f(int ‹n›) { new R() { void g() { h(«n»); } }; }",
        ),
    ];
    let wrap = |text: &str| match text {
        "not local" | "no name" => text.to_owned(),
        text => format!("class C {{ {text} }}"),
    };
    let cases = cases.map(|(text, expected)| (wrap(text), wrap(expected)));
    let cases: Vec<_> = cases.iter().map(|(text, expected)| (text.as_str(), expected.as_str())).collect();
    check(Language::Java, &cases);
    check(
        Language::Java,
        &[("class C<T> { T$0 x; void f(T a) {} }", "class C<‹T›> { «T» x; void f(«T» a) {} }")],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"import a.b.make;
class S { // make
  void make() { this.make(); S.make(); o.make(); a.b.make(); make(); "make".x(); S::make; f = o.make; }
  make g(int make) { return make; }
  @make(make = 1) int h;
}
"#;
    assert_snapshot!(uses(Language::Java, "make", text), @"
    1:12 Qualified by b
    3:8 Plain declares
    3:22 Qualified by S
    3:32 Qualified by S
    3:42 MemberCall
    3:54 MemberCall
    3:62 Call
    3:85 Qualified by S
    3:97 Member
    4:3 Type
    4:14 Plain declares local
    4:29 Plain local
    5:4 Type
    5:9 Key
    ");
}
