//! C.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_sees_through_declarators() {
    let text = r#"#include <stdio.h>
#define LIMIT 10
#define SQUARE(x) ((x) * (x))
typedef struct { int x, *y; char name[10]; } Point;
typedef struct Node { struct Node *next; unsigned flag : 1; } Node;
typedef struct Tag { int a; } *TagPointer;
typedef int (*Callback)(int a);
struct Forward;
union Bits { float f; int i; };
enum Color { RED, GREEN = 2 };
typedef enum { ON, OFF } Switch;
extern int count, *pointer, table[3];
int (*handler)(int);
static inline int *make(struct Node *n, int count) {
    int local = 1;
    struct Inner { int z; };
    return 0;
}
int prototype(int a);
struct Node *find(void), *other;
#ifdef LIMIT
int guarded(void) { return 1; }
#endif
"#;
    assert_snapshot!(outline(Language::C, text), @"
    LIMIT [Constant] :2  | #define LIMIT 10
    SQUARE [Function] :3  | #define SQUARE(x) ((x) * (x))
    Point [Struct] :4  | typedef struct
      x [Field] :4  in Point  | int x, *y
      y [Field] :4  in Point  | int x, *y
      name [Field] :4  in Point  | char name[10]
    Node [Struct] :5  | struct Node
      next [Field] :5  in Node  | struct Node *next
      flag [Field] :5  in Node  | unsigned flag : 1
    TagPointer [Class] :6  | typedef struct Tag { int a; } *TagPointer
    Tag [Struct] :6  | struct Tag
      a [Field] :6  in Tag  | int a
    Callback [Class] :7  | typedef int (*Callback)(int a)
    Bits [Struct] :9  | union Bits
      f [Field] :9  in Bits  | float f
      i [Field] :9  in Bits  | int i
    Color [Enum] :10  | enum Color
      RED [EnumMember] :10  in Color
      GREEN [EnumMember] :10  in Color  | GREEN = 2
    Switch [Enum] :11  | typedef enum { ON, OFF } Switch
      ON [EnumMember] :11  in Switch
      OFF [EnumMember] :11  in Switch
    count [Variable] :12  | extern int count, *pointer, table[3]
    pointer [Variable] :12  | extern int count, *pointer, table[3]
    table [Variable] :12  | extern int count, *pointer, table[3]
    handler [Variable] :13  | int (*handler)(int)
    make [Function] :14-18  | static inline int *make(struct Node *n, int count)
      Inner [Struct] :16  in make  | struct Inner
        z [Field] :16  in make.Inner  | int z
    prototype [Function] :19  | int prototype(int a)
    find [Function] :20  | struct Node *find(void), *other
    other [Variable] :20  | struct Node *find(void), *other
    guarded [Function] :22  | int guarded(void)
    ");
}

#[test]
fn names_mean_the_nearest_binding() {
    check(
        Language::C,
        &[
            ("int f(int a, char *b) { return *b$0 + a; }", "int f(int a, char *‹b›) { return *«b» + a; }"),
            ("int f(int (*g)(int x)) { return g$0(1); }", "int f(int (*‹g›)(int x)) { return «g»(1); }"),
            ("int f(void) { int x = 1, *y = &x$0; }", "int f(void) { int ‹x› = 1, *y = &«x»; }"),
            (
                "int f(void) { int x = 1; { int x = 2; x; } x$0; }",
                "int f(void) { int ‹x› = 1; { int x = 2; x; } «x»; }",
            ),
            ("int f(int n) { int a[n$0]; }", "int f(int ‹n›) { int a[«n»]; }"),
            (
                "int f(void) { for (int i = 0; i < 3; i++) i$0; }",
                "int f(void) { for (int ‹i› = 0; «i» < 3; «i»++) «i»; }",
            ),
            ("int f(int x) { return p->x$0; }", "not local"),
            ("int f(int x) { struct P p = { .x$0 = x }; }", "not local"),
            ("int x; int f(void) { return x$0; }", "not local"),
            ("int f(int a$0);", "no name"),
            ("#define F(x, y) ((x$0) + y)\n", "#define F(‹x›, y) ((«x») + y)\n"),
            (
                "int f(void) { struct L { int a; }; struct L$0 b; }",
                "int f(void) { struct ‹L› { int a; }; struct «L» b; }",
            ),
            ("int f(int a) { goto a$0; a: return a; }", "no name"),
        ],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"/* make */
#define CALL make(1)
int make(int a);
int make(int a) { return a; }
int g(void) { make(1); p->make(); p.make = 1; &make; "make"; struct P q = { .make = 1 }; make *t; }
"#;
    assert_snapshot!(uses(Language::C, "make", text), @"
    2:14 Call
    3:5 Plain declares
    4:5 Plain declares
    5:15 Call
    5:27 MemberCall
    5:37 Member
    5:48 Plain
    5:78 Key
    5:90 Type
    ");
}
