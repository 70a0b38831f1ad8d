//! C#.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_types_and_members() {
    let text = r#"using System;
namespace A.B;

/// <summary>Doc.</summary>
[Serializable]
public partial class Point<T> : Base, IShape where T : class {
    public const int Limit = 10;
    private int x, y;
    [NonSerialized] private readonly List<string> names = new();
    public event EventHandler Changed;
    public delegate void Handler(int a);
    public string Name { get; set; } = "";
    public int Area => 1;
    public int this[int i] => i;
    public Point(int x) : base(x) { this.x = x; }
    ~Point() { }
    public static Point<T> operator +(Point<T> a, Point<T> b) => a;
    [Obsolete]
    public async Task<int> MoveAsync<U>(U by) {
        int Local(int a) => a;
        var z = 1;
        return z;
    }
}
public record Pair(int Left, string Right);
public struct Size { public int W; }
public interface IShape { int Sides { get; } void Draw(); }
enum Color { Red, Green = 2 }
"#;
    assert_snapshot!(outline(Language::CSharp, text), @"
    A.B [Namespace] :2-28  | namespace A.B
      Point [Class] :6-24  in A.B  | public partial class Point<T> : Base, IShape where T : class
        Limit [Constant] :7  in A.B.Point  | public const int Limit = 10
        x [Field] :8  in A.B.Point
        y [Field] :8  in A.B.Point
        names [Field] :9  in A.B.Point  | private readonly List<string> names = new()
        Changed [Event] :10  in A.B.Point  | public event EventHandler Changed
        Handler [Class] :11  in A.B.Point  | public delegate void Handler(int a)
        Name [Property] :12  in A.B.Point  | public string Name
        Area [Property] :13  in A.B.Point  | public int Area => 1
        Point [Constructor] :15  in A.B.Point  | public Point(int x) : base(x)
        Point [Method] :16  in A.B.Point  | ~Point()
        + [Operator] :17  in A.B.Point  | public static Point<T> operator +(Point<T> a, Point<T> b)
        MoveAsync [Method] :19-23  in A.B.Point  | public async Task<int> MoveAsync<U>(U by)
          Local [Function] :20  in A.B.Point.MoveAsync  | int Local(int a)
      Pair [Class] :25  in A.B  | public record Pair(int Left, string Right)
        Left [Property] :25  in A.B.Pair  | int Left
        Right [Property] :25  in A.B.Pair  | string Right
      Size [Struct] :26  in A.B  | public struct Size
        W [Field] :26  in A.B.Size  | public int W
      IShape [Interface] :27  in A.B  | public interface IShape
        Sides [Property] :27  in A.B.IShape  | int Sides
        Draw [Method] :27  in A.B.IShape  | void Draw()
      Color [Enum] :28  in A.B  | enum Color
        Red [EnumMember] :28  in A.B.Color
        Green [EnumMember] :28  in A.B.Color  | Green = 2
    ");
    assert_snapshot!(outline(Language::CSharp, "namespace A { namespace B.C { class D { } } }"), @"
    A [Namespace] :1  | namespace A
      B.C [Namespace] :1  in A  | namespace B.C
        D [Class] :1  in A.B.C  | class D
    ");
}

#[test]
fn names_mean_the_nearest_binding() {
    let cases = [
        ("void F(int a, params int[] b) { G(b$0); }", "void F(int a, params int[] ‹b›) { G(«b»); }"),
        ("void F() { var x = 1; { G(x$0); } }", "void F() { var ‹x› = 1; { G(«x»); } }"),
        ("void F() { foreach (var i in list) G(i$0); }", "void F() { foreach (var ‹i› in list) G(«i»); }"),
        (
            "void F() { for (int i = 0; i < 3; i++) G(i$0); }",
            "void F() { for (int ‹i› = 0; «i» < 3; «i»++) G(«i»); }",
        ),
        (
            "void F() { try { } catch (E e) when (e.X) { G(e$0); } }",
            "void F() { try { } catch (E ‹e›) when («e».X) { G(«e»); } }",
        ),
        ("void F() { using (var r = O()) { r$0.X(); } }", "void F() { using (var ‹r› = O()) { «r».X(); } }"),
        ("void F() { G(x => x$0 + 1); }", "void F() { G(‹x› => «x» + 1); }"),
        ("void F() { G((x, y) => { return y$0; }); }", "void F() { G((x, ‹y›) => { return «y»; }); }"),
        ("void F(object o) { if (o is S s) s$0.X(); }", "void F(object o) { if (o is S ‹s›) «s».X(); }"),
        ("void F() { if (T(out var v)) G(v$0); }", "void F() { if (T(out var ‹v›)) G(«v»); }"),
        ("void F() { var (a, b) = T(); G(a$0); }", "void F() { var (‹a›, b) = T(); G(«a»); }"),
        (
            "int F(object o) => o switch { S s => s$0.X, _ => 0 };",
            "int F(object o) => o switch { S ‹s› => «s».X, _ => 0 };",
        ),
        (
            "void F() { var q = from a in list let b = a where b > 0 select b$0; }",
            "void F() { var q = from a in list let ‹b› = a where «b» > 0 select «b»; }",
        ),
        ("void F() { int L(int n) => n; L$0(1); }", "void F() { int ‹L›(int n) => n; «L»(1); }"),
        ("T F<T>(T$0 a) { return a; }", "«T» F<‹T›>(«T» a) { return a; }"),
        ("int x; void F() { x$0 = 1; }", "not local"),
        ("void F(int x) { this.x$0 = x; }", "not local"),
        ("void F(int x) { new P { x$0 = x }; }", "not local"),
        ("void F(int x) { G(x$0: x); }", "not local"),
        ("void F(int x) { G(x: x$0); }", "void F(int ‹x›) { G(x: «x»); }"),
        ("void F(string s) { G($\"{s$0}\"); }", "void F(string ‹s›) { G($\"{«s»}\"); }"),
    ];
    let wrap = |text: &str| match text {
        "not local" => text.to_owned(),
        text => format!("class C {{ {text} }}"),
    };
    let cases = cases.map(|(text, expected)| (wrap(text), wrap(expected)));
    let cases: Vec<_> = cases.iter().map(|(text, expected)| (text.as_str(), expected.as_str())).collect();
    check(Language::CSharp, &cases);
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"class S { // Make
  void Make() { this.Make(); S.Make(); o.Make(); a.B.Make<int>(); Make(); o?.Make(); f = o.Make; }
  Make F(Make a, List<Make> b) { return new Make(); }
  void G(int Make) { H(Make); }
}
"#;
    assert_snapshot!(uses(Language::CSharp, "Make", text), @"
    2:8 Plain declares
    2:22 Qualified by S
    2:32 Qualified by S
    2:42 MemberCall
    2:54 Qualified by B
    2:67 Call
    2:78 Member
    2:92 Member
    3:3 Type
    3:10 Type
    3:23 Type
    3:45 Type
    4:14 Plain declares local
    4:24 Plain local
    ");
}
