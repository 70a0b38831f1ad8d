//! C++, by clangd. Headers by `.h` belong to another server than those by `.hpp`.

use super::{Accepted, Breaks, Compiler, New, Removed, Renamed, Row, Table, Text, compare, compilers};

#[tokio::test(flavor = "multi_thread")]
async fn verdicts_of_cpp() {
    compare(&TABLE).await;
}

static TABLE: Table = Table {
    title: "C++, by clangd",
    language: "cpp",
    servers: &[("c", "BOWLINE_SERVER_CLANGD"), ("cpp", "BOWLINE_SERVER_CLANGD")],
    project: PROJECT,
    crlf: &["tools/crlf.hpp"],
    compiler: Compiler::InPlace(compilers::cpp),
    rows: ROWS,
    not_known: 2,
};

const PROJECT: &str = r#"//- /rope/rope.hpp
#pragma once

namespace rope {

struct Rope {
  const char* label;
  int metres;
};

struct Knot {
  virtual ~Knot() = default;
  virtual const char* name() const = 0;
};

Rope make(const char* label, int metres);
Rope splice(const Rope& first, const Rope& second);

inline int länge(const Rope& größe) {
  return größe.metres;
}

inline auto twice(const Rope& rope) {
  return rope.metres * 2;
}

}  // namespace rope
//- /rope/rope.cpp
#include "rope/rope.hpp"

namespace rope {

static int forgotten() {
  return 1;
}

Rope make(const char* label, int metres) {
  return Rope{label, metres};
}

Rope splice(const Rope& first, const Rope& second) {
  return make(first.label, first.metres + second.metres);
}

}  // namespace rope
//- /rope/spare.h
#ifndef SPARE_H
#define SPARE_H

int spare(int count);
int unused_spare(void);

#define LIMIT 200
#define HALF(n) ((n) / 2)

struct spare_pair {
  int first;
  int second;
};

#endif
//- /rope/spare.cpp
#include "rope/spare.h"

int spare(int count) {
  return count + 3;
}
//- /rope/lonely.hpp
#pragma once

inline int lonely() {
  return 4;
}
//- /knots/knots.hpp
#pragma once
#include "rope/rope.hpp"

namespace knots {

struct Bowline : rope::Knot {
  const char* name() const override;
};

rope::Rope tie(const rope::Rope& one, const rope::Rope& other);

}  // namespace knots
//- /knots/knots.cpp
#include "knots/knots.hpp"

namespace knots {

const char* Bowline::name() const {
  return "bowline";
}

rope::Rope tie(const rope::Rope& one, const rope::Rope& other) {
  return rope::splice(one, other);
}

}  // namespace knots
//- /chain/first.hpp
#pragma once

inline auto count() {
  return 1;
}

constexpr int Most = 200;
//- /chain/second.hpp
#pragma once
#include "first.hpp"

inline auto total() {
  return count();
}

template <typename T>
auto doubled(T value) {
  return value + value;
}
//- /chain/third.cpp
#include "second.hpp"

int* amount = total() ? nullptr : nullptr;
int sum = total();
int pair = doubled(sum);
static_assert(Most < 250, "it must fit");
//- /tools/crlf.hpp
#pragma once

inline int thrice(int n) {
  return n * 3;
}
//- /broken.cpp
int* wrong = 1.5;

int fine() {
  return 1;
}
//- /rope/rope_test.cpp
#include "rope/rope.hpp"

int test_splice() {
  rope::Rope joined = rope::splice(rope::make("a", 1), rope::make("b", 2));
  return joined.metres == 3 ? 0 : 1;
}
//- /main.cpp
#include "knots/knots.hpp"
#include "rope/spare.h"
#include "tools/crlf.hpp"

int main() {
  rope::Rope longer = rope::make("größer 😀", 3);
  rope::Rope shorter = rope::make("klein", 1);
  knots::Bowline bowline;
  spare_pair pair = {1, 2};
  int room[LIMIT - 100] = {0};
  int tripled = thrice(2);
  return rope::länge(knots::tie(longer, shorter)) + spare(1) + HALF(pair.second) + room[0] + tripled +
         rope::twice(longer) + bowline.name()[0];
}
//- /forms/inner.hpp
#pragma once

struct Inner {
  int a;
};
//- /forms/outer.hpp
#pragma once

#include "inner.hpp"

struct Outer {
  Inner inner;
};

Outer twice(Outer& outer);
//- /forms/outer.cpp
#include "outer.hpp"

Outer twice(Outer& outer) {
  return outer;
}
"#;

static ROWS: &[Row] = &[
    Row {
        name: "a type error",
        changes: &[Text("main.cpp", "rope::make(\"klein\", 1)", "rope::make(\"klein\", \"one\")")],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a parameter more in a header, its callers elsewhere",
        changes: &[
            Text("rope/rope.hpp", "const Rope& second);", "const Rope& second, int times);"),
            Text("rope/rope.cpp", "const Rope& second) {", "const Rope& second, int) {"),
        ],
        expected: Breaks("knots/knots.cpp"),
    },
    Row {
        name: "a parameter more in a header of C, its callers elsewhere",
        changes: &[Text("rope/spare.h", "spare(int count);", "spare(int count, int more);")],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a parameter more that may be left out",
        changes: &[
            Text("rope/rope.hpp", "const Rope& second);", "const Rope& second, int times = 1);"),
            Text("rope/rope.cpp", "const Rope& second) {", "const Rope& second, int) {"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a declaration deleted that is used elsewhere",
        changes: &[Text("rope/spare.h", "int spare(int count);\n", "")],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a function deleted that nobody uses",
        changes: &[Text("rope/rope.cpp", "static int forgotten() {\n  return 1;\n}\n\n", "")],
        expected: Accepted,
    },
    Row {
        name: "a declaration deleted that nobody uses",
        changes: &[Text("rope/spare.h", "int unused_spare(void);\n", "")],
        expected: Accepted,
    },
    Row {
        name: "a function moved within its file",
        changes: &[
            Text(
                "rope/rope.hpp",
                "inline auto twice(const Rope& rope) {\n  return rope.metres * 2;\n}\n\n",
                "",
            ),
            Text(
                "rope/rope.hpp",
                "Rope make(",
                "inline auto twice(const Rope& rope) {\n  return rope.metres * 2;\n}\n\nRope make(",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved before what it needs",
        changes: &[
            Text(
                "rope/rope.hpp",
                "inline auto twice(const Rope& rope) {\n  return rope.metres * 2;\n}\n\n",
                "",
            ),
            Text(
                "rope/rope.hpp",
                "struct Rope {",
                "inline auto twice(const Rope& rope) {\n  return rope.metres * 2;\n}\n\nstruct Rope {",
            ),
        ],
        expected: Breaks("rope/rope.hpp"),
    },
    Row {
        name: "a function moved to another file, its users follow",
        changes: &[
            Text("tools/crlf.hpp", "inline int thrice(int n) {\n  return n * 3;\n}\n", ""),
            Text(
                "rope/lonely.hpp",
                "inline int lonely",
                "inline int thrice(int n) {\n  return n * 3;\n}\n\ninline int lonely",
            ),
            Text(
                "main.cpp",
                "#include \"rope/spare.h\"",
                "#include \"rope/lonely.hpp\"\n#include \"rope/spare.h\"",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another file, its users stay",
        changes: &[
            Text("tools/crlf.hpp", "inline int thrice(int n) {\n  return n * 3;\n}\n", ""),
            Text(
                "rope/lonely.hpp",
                "inline int lonely",
                "inline int thrice(int n) {\n  return n * 3;\n}\n\ninline int lonely",
            ),
        ],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "the error that there was is fixed",
        changes: &[Text("broken.cpp", "1.5", "nullptr")],
        expected: Accepted,
    },
    Row {
        name: "one error fixed, another made",
        changes: &[Text("broken.cpp", "1.5", "nullptr"), Text("broken.cpp", "return 1", "return \"one\"")],
        expected: Breaks("broken.cpp"),
    },
    Row {
        name: "white space",
        changes: &[Text("rope/rope.hpp", "return größe.metres", "return  größe.metres")],
        expected: Accepted,
    },
    Row {
        name: "a comment in a header",
        changes: &[Text("rope/rope.hpp", "Rope splice(", "// Joins: größer 😀.\nRope splice(")],
        expected: Accepted,
    },
    Row {
        name: "letters outside ASCII, as text and as names",
        changes: &[
            Text("main.cpp", "größer 😀", "𝔤rößte 😀😀"),
            Text(
                "rope/rope.hpp",
                "const Rope& größe) {\n  return größe.",
                "const Rope& maß) {\n  return maß.",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a name outside ASCII, at its declaration only",
        changes: &[Text("rope/rope.hpp", "int länge", "int größe")],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "an include more, and used",
        changes: &[
            Text(
                "knots/knots.cpp",
                "#include \"knots/knots.hpp\"\n",
                "#include \"knots/knots.hpp\"\n#include \"rope/lonely.hpp\"\n",
            ),
            Text("knots/knots.cpp", "return \"bowline\"", "return lonely() ? \"bowline\" : \"\""),
        ],
        expected: Accepted,
    },
    Row {
        name: "an include more, and not used",
        changes: &[Text(
            "knots/knots.cpp",
            "#include \"knots/knots.hpp\"\n",
            "#include \"knots/knots.hpp\"\n#include \"rope/lonely.hpp\"\n",
        )],
        expected: Accepted,
    },
    Row {
        name: "an include of what is not there",
        changes: &[Text(
            "knots/knots.cpp",
            "#include \"knots/knots.hpp\"\n",
            "#include \"knots/knots.hpp\"\n#include \"rope/nowhere.hpp\"\n",
        )],
        expected: Breaks("knots/knots.cpp"),
    },
    Row {
        name: "a syntax error",
        changes: &[Text("knots/knots.cpp", "rope::Rope tie(", "rope::Rope tie((")],
        expected: Breaks("knots/knots.cpp"),
    },
    Row {
        name: "a syntax error in a header",
        changes: &[Text("rope/rope.hpp", "  int metres;\n};", "  int metres;\n")],
        expected: Breaks("rope/rope.hpp"),
    },
    Row {
        name: "a rename by the server",
        changes: &[Renamed("rope/rope.hpp", "Rope s", "join")],
        expected: Accepted,
    },
    Row {
        name: "a rename of the declaration only",
        changes: &[Text("rope/rope.hpp", "Rope splice(", "Rope join(")],
        expected: Breaks("knots/knots.cpp"),
    },
    Row {
        name: "an inferred type that only a user of a user minds",
        changes: &[Text("chain/first.hpp", "return 1;", "return \"one\";")],
        expected: Breaks("chain/third.cpp"),
    },
    Row {
        name: "a constant that an assertion elsewhere minds",
        changes: &[Text("chain/first.hpp", "Most = 200", "Most = 300")],
        expected: Breaks("chain/third.cpp"),
    },
    Row {
        name: "a macro that a user minds",
        changes: &[Text("rope/spare.h", "LIMIT 200", "LIMIT 50")],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a macro that nobody minds",
        changes: &[Text("rope/spare.h", "((n) / 2)", "((n) >> 1)")],
        expected: Accepted,
    },
    Row {
        name: "a field renamed in a header of C that is used elsewhere",
        changes: &[Text("rope/spare.h", "  int second;", "  int last;")],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a field renamed in a header of C and in its user",
        changes: &[
            Text("rope/spare.h", "  int second;", "  int last;"),
            Text("main.cpp", "HALF(pair.second)", "HALF(pair.last)"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a field renamed in a header of C, and wrongly in its user",
        changes: &[
            Text("rope/spare.h", "  int second;", "  int last;"),
            Text("main.cpp", "HALF(pair.second)", "HALF(pair.lost)"),
        ],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a template that does not suit a user",
        changes: &[Text("chain/second.hpp", "return value + value;", "return value.twice();")],
        expected: Breaks("chain/third.cpp"),
    },
    Row {
        name: "a template whose result a user minds",
        changes: &[Text("chain/second.hpp", "return value + value;", "return static_cast<T*>(nullptr);")],
        expected: Breaks("chain/third.cpp"),
    },
    Row {
        name: "a new file that an edited one includes",
        changes: &[
            New("rope/fresh.hpp", "#pragma once\n\ninline int one() {\n  return 1;\n}\n"),
            Text(
                "main.cpp",
                "#include \"rope/spare.h\"",
                "#include \"rope/fresh.hpp\"\n#include \"rope/spare.h\"",
            ),
            Text("main.cpp", "+ spare(1)", "+ one() + spare(1)"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a new file with an error",
        changes: &[New("rope/fresh.cpp", "int one() {\n  return \"one\";\n}\n")],
        expected: Breaks("rope/fresh.cpp"),
    },
    Row {
        name: "a file removed that is used elsewhere",
        changes: &[Removed("tools/crlf.hpp")],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a body in a file with CRLF",
        changes: &[Text("tools/crlf.hpp", "  return n * 3;\n", "  n *= 3;\n  return n;\n")],
        expected: Accepted,
    },
    Row {
        name: "a result in a file with CRLF",
        changes: &[Text(
            "tools/crlf.hpp",
            "inline int thrice(int n) {\n  return n * 3;",
            "inline void thrice(int) {",
        )],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a test",
        changes: &[Text("rope/rope_test.cpp", "== 3", "== 3 && joined.label")],
        expected: Accepted,
    },
    Row {
        name: "a type error in a test",
        changes: &[Text("rope/rope_test.cpp", "rope::make(\"b\", 2)", "rope::make(\"b\", \"2\")")],
        expected: Breaks("rope/rope_test.cpp"),
    },
    Row {
        name: "a method more that implementers elsewhere lack",
        changes: &[Text(
            "rope/rope.hpp",
            "name() const = 0;",
            "name() const = 0;\n  virtual int strength() const = 0;",
        )],
        expected: Breaks("main.cpp"),
    },
    Row {
        name: "a body only",
        changes: &[Text(
            "rope/rope.cpp",
            "return Rope{label, metres};",
            "Rope made{label, metres};\n  return made;",
        )],
        expected: Accepted,
    },
    Row {
        name: "a variable that is not used",
        changes: &[Text("rope/rope.cpp", "return Rope{label", "int unused = 1;\n  return Rope{label")],
        expected: Accepted,
    },
    Row {
        name: "a sound edit in a file with an error",
        changes: &[Text("broken.cpp", "return 1;", "int one = 1;\n  return one;")],
        expected: Accepted,
    },
    Row {
        name: "no copies of what a member is",
        changes: &[Text(
            "forms/inner.hpp",
            "  int a;\n",
            "  int a;\n  Inner() = default;\n  Inner(const Inner&) = delete;\n",
        )],
        expected: Breaks("forms/outer.cpp"),
    },
];
