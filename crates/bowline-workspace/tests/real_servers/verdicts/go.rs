//! Go, by gopls.

use super::{Accepted, Breaks, Compiler, New, Removed, Renamed, Row, Table, Text, compare, compilers};

#[tokio::test(flavor = "multi_thread")]
async fn verdicts_of_go() {
    compare(&TABLE).await;
}

static TABLE: Table = Table {
    title: "Go, by gopls",
    language: "go",
    servers: &[("go", "BOWLINE_SERVER_GOPLS")],
    project: PROJECT,
    crlf: &["crlf/crlf.go"],
    compiler: Compiler::InPlace(compilers::go),
    rows: ROWS,
    not_known: 2,
};

const PROJECT: &str = r#"//- /go.mod
module example.com/rigging

go 1.21
//- /rope/rope.go
package rope

import "fmt"

type Rope struct {
	Label  string
	Metres int
}

type Knot interface {
	Name() string
}

func New(label string, metres int) Rope {
	return Rope{Label: label, Metres: metres}
}

func Splice(first, second Rope) Rope {
	return New(first.Label+second.Label, first.Metres+second.Metres)
}

func Describe(rope Rope) string {
	return fmt.Sprintf("%s: %d", rope.Label, rope.Metres)
}

func forgotten() int {
	return 1
}

func Länge(größe Rope) int {
	return größe.Metres
}
//- /rope/spare.go
package rope

func Spare() int {
	return 3
}
//- /rope/lonely.go
package rope

func lonely() int {
	return 4
}
//- /rope/limits.go
package rope

const Most = 200

type Pair [2]Rope
//- /rope/outside_test.go
package rope_test

import (
	"testing"

	"example.com/rigging/rope"
)

func TestPair(t *testing.T) {
	pair := rope.Pair{rope.New("a", 1), rope.New("b", 2)}
	if pair[0].Metres != 1 {
		t.Fatal(pair)
	}
}
//- /rope/rope_test.go
package rope

import "testing"

func TestSplice(t *testing.T) {
	joined := Splice(New("a", 1), New("b", 2))
	if joined.Metres != 3 {
		t.Fatal(joined)
	}
}
//- /knots/knots.go
package knots

import "example.com/rigging/rope"

type Bowline struct{}

func (Bowline) Name() string {
	return "bowline"
}

var All = []rope.Knot{Bowline{}}

var Most uint8 = rope.Most

func Tie(one, other rope.Rope) rope.Rope {
	return rope.Splice(one, other)
}
//- /chain/first/first.go
package first

func Count() int {
	return 1
}
//- /chain/second/second.go
package second

import "example.com/rigging/chain/first"

var Total = first.Count()
//- /chain/third/third.go
package third

import "example.com/rigging/chain/second"

var Sum int = second.Total
//- /crlf/crlf.go
package crlf

func Twice(n int) int {
	return n * 2
}
//- /broken/broken.go
package broken

var wrong int = "text"

func Fine() int {
	return 1
}
//- /main.go
package main

import (
	"fmt"

	"example.com/rigging/chain/third"
	"example.com/rigging/crlf"
	"example.com/rigging/knots"
	"example.com/rigging/rope"
)

func main() {
	long := rope.New("größer 😀", 3)
	short := rope.New("klein", 1)
	fmt.Println(rope.Describe(knots.Tie(long, short)), rope.Länge(long))
	fmt.Println(third.Sum, crlf.Twice(2), rope.Spare(), knots.All[0].Name())
}
//- /ways/v1/types/types.go
package types

type T int
//- /ways/v2/types/types.go
package types

type T string
//- /ways/source/source.go
package source

import "example.com/rigging/ways/v1/types"

type Color int

type Shade int

const (
	Red Color = iota
	Green
	Blue
)

type Point struct {
	X, Y int
}

type Named struct {
	Label string
}

func Make() types.T {
	return 0
}
//- /ways/source/more.go
package source

func (n Named) Title() string {
	return n.Label
}
//- /ways/far/far.go
package far

import "example.com/rigging/ways/source"

var color source.Color = source.Blue

func Across(p source.Point) int {
	return p.X
}

func Number() int {
	return int(source.Make()) + int(color)
}
//- /forms/size.go
package forms

const N = 4

type Inner struct {
	A int
}

type Open struct{}

func first() int {
	return 1
}
//- /forms/hold.go
package forms

type Sized struct {
	Buf [N]byte
}

type Holding struct {
	inner Inner
}

type Shut struct{}

func (Shut) Close() {}

type Both struct {
	Open
	Shut
}

func New() Both {
	return Both{}
}
//- /forms/second.go
package forms

func second() int {
	return start
}
//- /forms/start.go
package forms

var start = first()

func Started() int {
	return second()
}
//- /forms/far/far.go
package far

import "example.com/rigging/forms"

var known map[forms.Holding]int

func Fill(s *forms.Sized) int {
	s.Buf = [4]byte{}
	forms.New().Close()
	return len(known)
}
"#;

static ROWS: &[Row] = &[
    Row {
        name: "a type error",
        changes: &[Text("main.go", "rope.New(\"klein\", 1)", "rope.New(\"klein\", \"one\")")],
        expected: Breaks("main.go"),
    },
    Row {
        name: "a parameter more, its callers elsewhere",
        changes: &[Text("rope/rope.go", "Splice(first, second Rope)", "Splice(first, second, third Rope)")],
        expected: Breaks("knots/knots.go"),
    },
    Row {
        name: "a parameter more that may be left out",
        changes: &[Text("rope/rope.go", "metres int) Rope", "metres int, marks ...string) Rope")],
        expected: Accepted,
    },
    Row {
        name: "an export deleted that is used elsewhere",
        changes: &[Text("rope/spare.go", "func Spare() int {\n\treturn 3\n}\n", "")],
        expected: Breaks("main.go"),
    },
    Row {
        name: "a function deleted that nobody uses",
        changes: &[Text("rope/rope.go", "func forgotten() int {\n\treturn 1\n}\n\n", "")],
        expected: Accepted,
    },
    Row {
        name: "a function moved within its file",
        changes: &[
            Text("rope/rope.go", "func forgotten() int {\n\treturn 1\n}\n\n", ""),
            Text("rope/rope.go", "type Knot", "func forgotten() int {\n\treturn 1\n}\n\ntype Knot"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another file of the package",
        changes: &[
            Text("rope/rope.go", "func forgotten() int {\n\treturn 1\n}\n\n", ""),
            Text("rope/lonely.go", "func lonely", "func forgotten() int {\n\treturn 1\n}\n\nfunc lonely"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another package, its users follow",
        changes: &[
            Text("rope/spare.go", "func Spare() int {\n\treturn 3\n}\n", ""),
            Text("crlf/crlf.go", "func Twice", "func Spare() int {\n\treturn 3\n}\n\nfunc Twice"),
            Text("main.go", "rope.Spare()", "crlf.Spare()"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another package, its users stay",
        changes: &[
            Text("rope/spare.go", "func Spare() int {\n\treturn 3\n}\n", ""),
            Text("crlf/crlf.go", "func Twice", "func Spare() int {\n\treturn 3\n}\n\nfunc Twice"),
        ],
        expected: Breaks("main.go"),
    },
    Row {
        name: "the error that there was is fixed",
        changes: &[Text("broken/broken.go", "\"text\"", "1")],
        expected: Accepted,
    },
    Row {
        name: "one error fixed, another made",
        changes: &[
            Text("broken/broken.go", "\"text\"", "1"),
            Text("broken/broken.go", "return 1", "return \"one\""),
        ],
        expected: Breaks("broken/broken.go"),
    },
    Row {
        name: "white space",
        changes: &[Text("rope/rope.go", "return größe.Metres", "return   größe.Metres")],
        expected: Accepted,
    },
    Row {
        name: "a comment",
        changes: &[Text("rope/rope.go", "func Splice", "// Splice joins: größer 😀.\nfunc Splice")],
        expected: Accepted,
    },
    Row {
        name: "letters outside ASCII, as text and as names",
        changes: &[
            Text("main.go", "größer 😀", "𝔤rößte 😀😀"),
            Text(
                "rope/rope.go",
                "Länge(größe Rope) int {\n\treturn größe.",
                "Länge(maß Rope) int {\n\treturn maß.",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a name outside ASCII, at its declaration only",
        changes: &[Text("rope/rope.go", "func Länge", "func Größe")],
        expected: Breaks("main.go"),
    },
    Row {
        name: "an import more, and used",
        changes: &[
            Text(
                "knots/knots.go",
                "import \"example.com/rigging/rope\"",
                "import (\n\t\"example.com/rigging/rope\"\n\t\"strings\"\n)",
            ),
            Text("knots/knots.go", "return \"bowline\"", "return strings.ToUpper(\"bowline\")"),
        ],
        expected: Accepted,
    },
    Row {
        name: "an import more, and not used",
        changes: &[Text(
            "knots/knots.go",
            "import \"example.com/rigging/rope\"",
            "import (\n\t\"example.com/rigging/rope\"\n\t\"strings\"\n)",
        )],
        expected: Breaks("knots/knots.go"),
    },
    Row {
        name: "an import of what is not there",
        changes: &[Text(
            "knots/knots.go",
            "import \"example.com/rigging/rope\"",
            "import (\n\t_ \"example.com/rigging/nowhere\"\n\t\"example.com/rigging/rope\"\n)",
        )],
        expected: Breaks("knots/knots.go"),
    },
    Row {
        name: "a syntax error",
        changes: &[Text("knots/knots.go", "func Tie(one", "func Tie((one")],
        expected: Breaks("knots/knots.go"),
    },
    Row {
        name: "a rename by the server",
        changes: &[Renamed("rope/rope.go", "func S", "Join")],
        expected: Accepted,
    },
    Row {
        name: "a rename of the declaration only",
        changes: &[Text("rope/rope.go", "func Splice", "func Join")],
        expected: Breaks("knots/knots.go"),
    },
    Row {
        name: "an inferred type that only a user of a user minds",
        changes: &[Text("chain/first/first.go", "Count() int", "Count() int64")],
        expected: Breaks("chain/third/third.go"),
    },
    Row {
        name: "a new file that an edited one imports",
        changes: &[
            New("fresh/fresh.go", "package fresh\n\nfunc One() int {\n\treturn 1\n}\n"),
            Text(
                "main.go",
                "\t\"example.com/rigging/knots\"",
                "\t\"example.com/rigging/fresh\"\n\t\"example.com/rigging/knots\"",
            ),
            Text("main.go", "third.Sum,", "third.Sum, fresh.One(),"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a new file with an error",
        changes: &[New("rope/fresh.go", "package rope\n\nfunc One() int {\n\treturn \"one\"\n}\n")],
        expected: Breaks("rope/fresh.go"),
    },
    Row {
        name: "a new file that declares what there is",
        changes: &[New("rope/fresh.go", "package rope\n\nfunc Spare() int {\n\treturn 1\n}\n")],
        expected: Breaks("rope/spare.go"),
    },
    Row {
        name: "a file removed that is used elsewhere",
        changes: &[Removed("rope/spare.go")],
        expected: Breaks("main.go"),
    },
    Row {
        name: "a file removed that nobody uses",
        changes: &[Removed("rope/lonely.go")],
        expected: Accepted,
    },
    Row {
        name: "a body in a file with CRLF",
        changes: &[Text("crlf/crlf.go", "{\n\treturn n * 2\n}", "{\n\tn += n\n\treturn n\n}")],
        expected: Accepted,
    },
    Row {
        name: "a result in a file with CRLF",
        changes: &[Text("crlf/crlf.go", "Twice(n int) int {\n\treturn n * 2\n}", "Twice(n int) {\n}")],
        expected: Breaks("main.go"),
    },
    Row {
        name: "a test",
        changes: &[Text(
            "rope/rope_test.go",
            "joined.Metres != 3",
            "joined.Metres != 3 || joined.Label == \"\"",
        )],
        expected: Accepted,
    },
    Row {
        name: "a type error in a test",
        changes: &[Text("rope/rope_test.go", "New(\"b\", 2)", "New(2, 2)")],
        expected: Breaks("rope/rope_test.go"),
    },
    Row {
        name: "a method more that implementers elsewhere lack",
        changes: &[Text("rope/rope.go", "\tName() string\n", "\tName() string\n\tStrength() int\n")],
        expected: Breaks("knots/knots.go"),
    },
    Row {
        name: "a body only",
        changes: &[Text(
            "rope/rope.go",
            "return Rope{Label: label, Metres: metres}",
            "rope := Rope{label, metres}\n\treturn rope",
        )],
        expected: Accepted,
    },
    Row {
        name: "a variable that is not used",
        changes: &[Text("rope/rope.go", "return Rope{Label", "unused := 1\n\treturn Rope{Label")],
        expected: Breaks("rope/rope.go"),
    },
    Row {
        name: "a sound edit in a file with an error",
        changes: &[Text("broken/broken.go", "return 1", "one := 1\n\treturn one")],
        expected: Accepted,
    },
    Row {
        name: "a field renamed that is used elsewhere",
        changes: &[
            Text("rope/rope.go", "\tMetres int", "\tLength int"),
            Text("rope/rope.go", "Metres: metres", "Length: metres"),
            Text("rope/rope.go", "first.Metres+second.Metres", "first.Length+second.Length"),
            Text("rope/rope.go", "rope.Metres", "rope.Length"),
            Text("rope/rope.go", "größe.Metres", "größe.Length"),
        ],
        expected: Breaks("rope/rope_test.go"),
    },
    Row {
        name: "a constant that is too large for a user",
        changes: &[Text("rope/limits.go", "Most = 200", "Most = 300")],
        expected: Breaks("knots/knots.go"),
    },
    Row {
        name: "a constant that still fits",
        changes: &[Text("rope/limits.go", "Most = 200", "Most = 255")],
        expected: Accepted,
    },
    Row {
        name: "a type that only the test beside the package minds",
        changes: &[Text("rope/limits.go", "[2]Rope", "[1]Rope")],
        expected: Breaks("rope/outside_test.go"),
    },
    Row {
        name: "an import that makes a circle",
        changes: &[Text(
            "rope/lonely.go",
            "package rope\n",
            "package rope\n\nimport _ \"example.com/rigging/knots\"\n",
        )],
        expected: Breaks("rope/lonely.go"),
    },
    Row {
        name: "another package clause",
        changes: &[Text("rope/spare.go", "package rope", "package other")],
        expected: Breaks("rope/spare.go"),
    },
    Row {
        name: "a method that implementers lose",
        changes: &[Text("knots/knots.go", "func (Bowline) Name()", "func (Bowline) Label()")],
        expected: Breaks("knots/knots.go"),
    },
    Row {
        name: "a package from another path under the same name",
        changes: &[
            Text("ways/source/source.go", "ways/v1/types", "ways/v2/types"),
            Text("ways/source/source.go", "return 0", "return \"\""),
        ],
        expected: Breaks("ways/far/far.go"),
    },
    Row {
        name: "the type of the first of several constants",
        changes: &[Text("ways/source/source.go", "Red Color = iota", "Red Shade = iota")],
        expected: Breaks("ways/far/far.go"),
    },
    Row {
        name: "the first of two fields that share a type",
        changes: &[Text("ways/source/source.go", "X, Y int", "X, Y string")],
        expected: Breaks("ways/far/far.go"),
    },
    Row {
        name: "a field more by the name of a method in another file",
        changes: &[Text("ways/source/source.go", "\tLabel string\n", "\tLabel string\n\tTitle string\n")],
        expected: Breaks("ways/source/more.go"),
    },
    Row {
        name: "a constant that the type of a field follows from",
        changes: &[Text("forms/size.go", "const N = 4", "const N = 5")],
        expected: Breaks("forms/far/far.go"),
    },
    Row {
        name: "a field more of what a key of a map holds",
        changes: &[Text("forms/size.go", "\tA int\n", "\tA int\n\tB []int\n")],
        expected: Breaks("forms/far/far.go"),
    },
    Row {
        name: "a method more that another embedded type has",
        changes: &[Text(
            "forms/size.go",
            "type Open struct{}\n",
            "type Open struct{}\n\nfunc (Open) Close() {}\n",
        )],
        expected: Breaks("forms/far/far.go"),
    },
    Row {
        name: "a cycle of initialisation over three files",
        changes: &[Text("forms/size.go", "return 1", "return second()")],
        expected: Breaks("forms/start.go"),
    },
];
