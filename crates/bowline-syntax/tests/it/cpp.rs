//! C++.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_gives_members_to_their_class() {
    let text = r#"namespace geo::inner {
template <typename T>
class Point : public Base {
public:
    Point(T x) : x_(x) {}
    virtual ~Point() = default;
    [[nodiscard]] T area() const;
    bool operator==(const Point& other) const { return true; }
    operator bool() const { return true; }
    static int count;
    using Value = T;
    enum class Kind { A, B };
    struct Inner { int z; };
    friend void swap(Point& a, Point& b);
    template <typename U> void move(U by) { auto f = [](int a) { return a; }; }
private:
    T x_, y_;
};
template <typename T> T Point<T>::area() const { return x_; }
void Other::run() {}
Other::Other() {}
int free(int a = 1) { int local; return a; }
}
template <typename T> concept Shape = requires(T t) { t.area(); };
template <typename T> using Alias = std::vector<T>;
namespace { int hidden; }
void geo::deep::Thing::go() {}
constexpr auto LIMIT = 10;
"#;
    assert_snapshot!(outline(Language::Cpp, text), @"
    geo::inner [Namespace] :1-23  | namespace geo::inner
      Point [Class] :2-18  in geo.inner  | template <typename T> class Point : public Base
        Point [Constructor] :5  in geo.inner.Point  | Point(T x) : x_(x)
        ~Point [Method] :6  in geo.inner.Point  | virtual ~Point() = default
        area [Method] :7  in geo.inner.Point  | T area() const
        operator== [Method] :8  in geo.inner.Point  | bool operator==(const Point& other) const
        operator bool() const [Method] :9  in geo.inner.Point
        count [Field] :10  in geo.inner.Point  | static int count
        Value [Class] :11  in geo.inner.Point  | using Value = T
        Kind [Enum] :12  in geo.inner.Point  | enum class Kind
          A [EnumMember] :12  in geo.inner.Point.Kind
          B [EnumMember] :12  in geo.inner.Point.Kind
        Inner [Struct] :13  in geo.inner.Point  | struct Inner
          z [Field] :13  in geo.inner.Point.Inner  | int z
        swap [Method] :14  in geo.inner.Point  | void swap(Point& a, Point& b)
        move [Method] :15  in geo.inner.Point  | template <typename U> void move(U by)
        x_ [Field] :17  in geo.inner.Point  | T x_, y_
        y_ [Field] :17  in geo.inner.Point  | T x_, y_
      area [Method] :19  in geo.inner.Point  | template <typename T> T Point<T>::area() const
      run [Method] :20  in geo.inner.Other  | void Other::run()
      Other [Constructor] :21  in geo.inner.Other  | Other::Other()
      free [Function] :22  in geo.inner  | int free(int a = 1)
    Shape [Interface] :24  | template <typename T> concept Shape = requires(T t)
    Alias [Class] :25  | template <typename T> using Alias = std::vector<T>
    hidden [Variable] :26  | int hidden
    go [Method] :27  in geo.deep.Thing  | void geo::deep::Thing::go()
    LIMIT [Variable] :28  | constexpr auto LIMIT = 10
    ");
}

#[test]
fn names_mean_the_nearest_binding() {
    check(
        Language::Cpp,
        &[
            (
                "int f(const int& a, int b = 1) { return a$0; }",
                "int f(const int& ‹a›, int b = 1) { return «a»; }",
            ),
            (
                "void f() { auto g = [x = 1](int y) { return x$0 + y; }; }",
                "void f() { auto g = [‹x› = 1](int y) { return «x» + y; }; }",
            ),
            (
                "void f(int x) { auto g = [x](int y) { return x$0 + y; }; }",
                "void f(int ‹x›) { auto g = [«x»](int y) { return «x» + y; }; }",
            ),
            (
                "void f(int x) { auto g = [&](int y) { return y$0; }; }",
                "void f(int x) { auto g = [&](int ‹y›) { return «y»; }; }",
            ),
            (
                "void f(V v) { for (const auto& x : v) { x$0; } }",
                "void f(V v) { for (const auto& ‹x› : v) { «x»; } }",
            ),
            ("void f() { auto [a, b] = g(); a$0; }", "void f() { auto [‹a›, b] = g(); «a»; }"),
            (
                "void f() { if (auto x = g(); x > 0) { x$0; } }",
                "void f() { if (auto ‹x› = g(); «x» > 0) { «x»; } }",
            ),
            (
                "void f() { try {} catch (const E& e) { e$0.what(); } }",
                "void f() { try {} catch (const E& ‹e›) { «e».what(); } }",
            ),
            (
                "template <typename T, int N> T f(T$0 a) { return N; }",
                "template <typename ‹T›, int N> «T» f(«T» a) { return N; }",
            ),
            (
                "template <typename T, int N> T f(T a) { return N$0; }",
                "template <typename T, int ‹N›> T f(T a) { return «N»; }",
            ),
            ("struct P { int x; int f() { return x$0; } };", "not local"),
            ("void f(int x) { a::x$0; }", "not local"),
        ],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"struct S { void make(); };
void S::make() { this->make(); S::make(); a::b::make<int>(); make(); o.make(); }
void f(int make) { make; }
"#;
    assert_snapshot!(uses(Language::Cpp, "make", text), @"
    1:17 Plain declares
    2:9 Qualified by S declares
    2:24 Qualified by S
    2:35 Qualified by S
    2:49 Qualified by b
    2:62 Call
    2:72 MemberCall
    3:12 Plain declares local
    3:20 Plain local
    ");
}
