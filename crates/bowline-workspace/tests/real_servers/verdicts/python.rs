//! Python, by pyright.

use super::{Accepted, Breaks, Compiler, New, Removed, Renamed, Row, Table, Text, compare, compilers};

#[tokio::test(flavor = "multi_thread")]
async fn verdicts_of_python() {
    compare(&TABLE).await;
}

static TABLE: Table = Table {
    title: "Python, by pyright",
    language: "python",
    servers: &[("python", "BOWLINE_SERVER_PYRIGHT")],
    project: PROJECT,
    crlf: &["tools/crlf.py"],
    compiler: Compiler::SideBySide(compilers::pyright),
    rows: ROWS,
    not_known: 2,
};

const PROJECT: &str = r#"//- /pyrightconfig.json
{"typeCheckingMode": "standard"}
//- /rigging/__init__.py
from .rope import Rope as Rope
//- /rigging/rope.py
from typing import Protocol


class Rope:
    def __init__(self, label: str, metres: int) -> None:
        self.label = label
        self.metres = metres


class Knot(Protocol):
    def name(self) -> str: ...


def splice(first: Rope, second: Rope) -> Rope:
    return Rope(first.label + second.label, first.metres + second.metres)


def describe(rope: Rope) -> str:
    return f"{rope.label}: {rope.metres}"


def forgotten() -> int:
    return 1


def länge(größe: Rope) -> int:
    return größe.metres
//- /rigging/spare.py
def spare() -> int:
    return 3


def other() -> int:
    return 4
//- /rigging/lonely.py
def lonely() -> int:
    return 4
//- /knots/__init__.py
//- /knots/knots.py
from rigging.rope import Knot, Rope, splice


class Bowline:
    def name(self) -> str:
        return "bowline"


ALL: list[Knot] = [Bowline()]


def tie(one: Rope, other: Rope) -> Rope:
    return splice(one, other)
//- /chain/__init__.py
//- /chain/first.py
def count():
    return 1


LIMIT = 3
//- /chain/second.py
from . import first


def total():
    return first.count()
//- /chain/third.py
from .second import total

amount: int = total()
//- /chain/stars.py
from .first import *
//- /chain/through.py
from .stars import LIMIT

limit: int = LIMIT
//- /tools/__init__.py
//- /tools/crlf.py
def twice(n: int) -> int:
    return n * 2
//- /broken.py
wrong: int = "text"


def fine() -> int:
    return 1
//- /tests/test_rope.py
from rigging.rope import Rope, splice


def test_splice() -> None:
    joined = splice(Rope("a", 1), Rope("b", 2))
    assert joined.metres == 3
//- /main.py
from chain import third
from knots.knots import ALL, tie
from rigging import Rope, spare
from rigging.rope import describe, länge
from tools.crlf import twice

long = Rope("größer 😀", 3)
short = Rope("klein", 1)
doubled: int = twice(2)
print(describe(tie(long, short)), länge(long), doubled)
print(third.amount, spare.spare(), spare.other(), ALL[0].name())
//- /ways/__init__.py
from .impl import run as run
//- /ways/impl.py
def run() -> int:
    return 1
//- /ways/impl2.py
def run() -> str:
    return ""
//- /ways/ran.py
from . import run

ran: int = run()
//- /ways/shape.py
from dataclasses import dataclass


class Base:
    def only(self) -> int:
        return 1


class Other:
    pass


class Box(Base):
    def __init__(self) -> None:
        self.held = None

    def __len__(self) -> int:
        return 1

    def connect(self) -> None:
        self.held = Base()


@dataclass
class Point:
    x: int


def numbers() -> tuple[int, int]:
    return 1, 2


def texts() -> tuple[str, str]:
    return "", ""


one, two = numbers()
//- /ways/make.py
from .shape import Box


def make() -> Box:
    return Box()
//- /ways/far.py
from .make import make

number: int = make().only()
length: int = len(make())
held = make().held
if held:
    held.only()
//- /ways/near.py
from .shape import Point, one

point = Point(1)
first: int = one
//- /forms/__init__.py
//- /forms/made.py
from enum import Enum
from typing import NamedTuple


class Made:
    def __init__(self, size: int) -> None:
        self.size = size


class Kept:
    def __init__(self, size: int | None) -> None:
        assert size is not None
        self.kept = size


class Pair(NamedTuple):
    x: int
    y: int


class Color(Enum):
    RED = 1


class Shape:
    def title(self):
        return "x"


limit: int | None = 5
bound = limit
//- /forms/asked.py
from typing import Protocol


class Titled(Protocol):
    def title(self) -> str: ...


def show(it: Titled) -> None:
    it.title()
//- /forms/give.py
from .made import Kept, Pair, Shape


def kept() -> Kept:
    return Kept(1)


def pair() -> Pair:
    return Pair(1, 2)


def shape() -> Shape:
    return Shape()
//- /forms/far.py
from .asked import show
from .give import kept, pair, shape

more: int = kept().kept + 1
x, y = pair()
show(shape())
//- /forms/near.py
from .made import Color, Made, bound

made = Made(1)
above = bound + 1


def value(color: Color) -> int:
    return color.value + 1
"#;

static ROWS: &[Row] = &[
    Row {
        name: "a type error",
        changes: &[Text("main.py", "Rope(\"klein\", 1)", "Rope(\"klein\", \"one\")")],
        expected: Breaks("main.py"),
    },
    Row {
        name: "a parameter more, its callers elsewhere",
        changes: &[Text(
            "rigging/rope.py",
            "first: Rope, second: Rope",
            "first: Rope, second: Rope, third: Rope",
        )],
        expected: Breaks("knots/knots.py"),
    },
    Row {
        name: "a parameter more that may be left out",
        changes: &[Text("rigging/rope.py", "second: Rope)", "second: Rope, mark: str = \"\")")],
        expected: Accepted,
    },
    Row {
        name: "an export deleted that is used elsewhere",
        changes: &[Text("rigging/spare.py", "def spare() -> int:\n    return 3\n", "")],
        expected: Breaks("main.py"),
    },
    Row {
        name: "a function deleted that nobody uses",
        changes: &[Text("rigging/rope.py", "def forgotten() -> int:\n    return 1\n\n\n", "")],
        expected: Accepted,
    },
    Row {
        name: "a function moved within its file",
        changes: &[
            Text("rigging/rope.py", "def forgotten() -> int:\n    return 1\n\n\n", ""),
            Text("rigging/rope.py", "class Knot", "def forgotten() -> int:\n    return 1\n\n\nclass Knot"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another file, its users follow",
        changes: &[
            Text("rigging/spare.py", "def other() -> int:\n    return 4\n", ""),
            Text("rigging/lonely.py", "def lonely", "def other() -> int:\n    return 4\n\n\ndef lonely"),
            Text("main.py", "import Rope, spare", "import Rope, lonely, spare"),
            Text("main.py", "spare.other()", "lonely.other()"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a function moved to another file, its users stay",
        changes: &[
            Text("rigging/spare.py", "def other() -> int:\n    return 4\n", ""),
            Text("rigging/lonely.py", "def lonely", "def other() -> int:\n    return 4\n\n\ndef lonely"),
        ],
        expected: Breaks("main.py"),
    },
    Row {
        name: "the error that there was is fixed",
        changes: &[Text("broken.py", "\"text\"", "1")],
        expected: Accepted,
    },
    Row {
        name: "one error fixed, another made",
        changes: &[Text("broken.py", "\"text\"", "1"), Text("broken.py", "return 1", "return \"one\"")],
        expected: Breaks("broken.py"),
    },
    Row {
        name: "white space",
        changes: &[Text("rigging/rope.py", "return größe.metres", "return  größe.metres")],
        expected: Accepted,
    },
    Row {
        name: "a comment",
        changes: &[Text("rigging/rope.py", "def splice", "# Joins: größer 😀.\ndef splice")],
        expected: Accepted,
    },
    Row {
        name: "letters outside ASCII, as text and as names",
        changes: &[
            Text("main.py", "größer 😀", "𝔤rößte 😀😀"),
            Text(
                "rigging/rope.py",
                "länge(größe: Rope) -> int:\n    return größe.",
                "länge(maß: Rope) -> int:\n    return maß.",
            ),
        ],
        expected: Accepted,
    },
    Row {
        name: "a name outside ASCII, at its declaration only",
        changes: &[Text("rigging/rope.py", "def länge", "def größe")],
        expected: Breaks("main.py"),
    },
    Row {
        name: "an import more, and used",
        changes: &[
            Text("knots/knots.py", "from rigging.rope import", "import textwrap\n\nfrom rigging.rope import"),
            Text("knots/knots.py", "return \"bowline\"", "return textwrap.dedent(\"bowline\")"),
        ],
        expected: Accepted,
    },
    Row {
        name: "an import more, and not used",
        changes: &[Text(
            "knots/knots.py",
            "from rigging.rope import",
            "import textwrap\n\nfrom rigging.rope import",
        )],
        expected: Accepted,
    },
    Row {
        name: "an import of what is not there",
        changes: &[Text(
            "knots/knots.py",
            "from rigging.rope import",
            "import nowhere\n\nfrom rigging.rope import",
        )],
        expected: Breaks("knots/knots.py"),
    },
    Row {
        name: "a syntax error",
        changes: &[Text("knots/knots.py", "def tie(one", "def tie((one")],
        expected: Breaks("knots/knots.py"),
    },
    Row {
        name: "a rename by the server",
        changes: &[Renamed("rigging/rope.py", "def s", "join")],
        expected: Accepted,
    },
    Row {
        name: "a rename of the declaration only",
        changes: &[Text("rigging/rope.py", "def splice", "def join")],
        expected: Breaks("knots/knots.py"),
    },
    Row {
        name: "an inferred type that only a user of a user minds",
        changes: &[Text("chain/first.py", "return 1", "return \"one\"")],
        expected: Breaks("chain/third.py"),
    },
    Row {
        name: "a value that is handed on by a star",
        changes: &[Text("chain/first.py", "LIMIT = 3", "LIMIT = \"3\"")],
        expected: Breaks("chain/through.py"),
    },
    Row {
        name: "a new file that an edited one imports",
        changes: &[
            New("rigging/fresh.py", "def one() -> int:\n    return 1\n"),
            Text("main.py", "from tools.crlf", "from rigging.fresh import one\nfrom tools.crlf"),
            Text("main.py", "länge(long),", "länge(long), one(),"),
        ],
        expected: Accepted,
    },
    Row {
        name: "a new file with an error",
        changes: &[New("rigging/fresh.py", "def one() -> int:\n    return \"one\"\n")],
        expected: Breaks("rigging/fresh.py"),
    },
    Row {
        name: "a file removed that is used elsewhere",
        changes: &[Removed("rigging/spare.py")],
        expected: Breaks("main.py"),
    },
    Row {
        name: "a body in a file with CRLF",
        changes: &[Text("tools/crlf.py", "    return n * 2\n", "    n += n\n    return n\n")],
        expected: Accepted,
    },
    Row {
        name: "a result in a file with CRLF",
        changes: &[Text("tools/crlf.py", "-> int:\n    return n * 2", "-> str:\n    return str(n)")],
        expected: Breaks("main.py"),
    },
    Row {
        name: "a test",
        changes: &[Text("tests/test_rope.py", "== 3", "== 3 and joined.label")],
        expected: Accepted,
    },
    Row {
        name: "a type error in a test",
        changes: &[Text("tests/test_rope.py", "Rope(\"b\", 2)", "Rope(2, 2)")],
        expected: Breaks("tests/test_rope.py"),
    },
    Row {
        name: "a method more that implementers elsewhere lack",
        changes: &[Text(
            "rigging/rope.py",
            "def name(self) -> str: ...",
            "def name(self) -> str: ...\n    def strength(self) -> int: ...",
        )],
        expected: Breaks("knots/knots.py"),
    },
    Row {
        name: "a body only",
        changes: &[Text(
            "rigging/rope.py",
            "return f\"{rope.label}: {rope.metres}\"",
            "text = f\"{rope.label}: {rope.metres}\"\n    return text",
        )],
        expected: Accepted,
    },
    Row {
        name: "a body whose inferred result changes",
        changes: &[Text("chain/second.py", "return first.count()", "return str(first.count())")],
        expected: Breaks("chain/third.py"),
    },
    Row {
        name: "a variable that is not used",
        changes: &[Text(
            "rigging/rope.py",
            "    return f\"{rope.label}",
            "    unused = 1\n    return f\"{rope.label}",
        )],
        expected: Accepted,
    },
    Row {
        name: "a sound edit in a file with an error",
        changes: &[Text("broken.py", "return 1", "one = 1\n    return one")],
        expected: Accepted,
    },
    Row {
        name: "an attribute that is no longer set",
        changes: &[Text(
            "rigging/rope.py",
            "        self.metres = metres\n",
            "        self.length = metres\n",
        )],
        expected: Breaks("tests/test_rope.py"),
    },
    Row {
        name: "a name that a package no longer hands on",
        changes: &[Text("rigging/__init__.py", "Rope as Rope", "Knot as Knot")],
        expected: Breaks("main.py"),
    },
    Row {
        name: "a name that is handed on from elsewhere",
        changes: &[Text("ways/__init__.py", "from .impl ", "from .impl2 ")],
        expected: Breaks("ways/ran.py"),
    },
    Row {
        name: "another base, where only an object of it is used",
        changes: &[Text("ways/shape.py", "class Box(Base)", "class Box(Other)")],
        expected: Breaks("ways/far.py"),
    },
    Row {
        name: "a method removed that only syntax calls",
        changes: &[Text("ways/shape.py", "    def __len__(self) -> int:\n        return 1\n\n", "")],
        expected: Breaks("ways/far.py"),
    },
    Row {
        name: "an attribute that another method assigns",
        changes: &[Text("ways/shape.py", "self.held = Base()", "self.held = Other()")],
        expected: Breaks("ways/far.py"),
    },
    Row {
        name: "a field and a method more at once",
        changes: &[Text(
            "ways/shape.py",
            "    x: int\n",
            "    x: int\n    y: int\n\n    def sum(self) -> int:\n        return self.x + self.y\n",
        )],
        expected: Breaks("ways/near.py"),
    },
    Row {
        name: "the first of two names that are assigned together",
        changes: &[Text("ways/shape.py", "one, two = numbers()", "one, two = texts()")],
        expected: Breaks("ways/near.py"),
    },
    Row {
        name: "a parameter more of what makes an object",
        changes: &[Text("forms/made.py", "size: int) -> None", "size: int, more: int) -> None")],
        expected: Breaks("forms/near.py"),
    },
    Row {
        name: "an assertion less that the type of an attribute follows from",
        changes: &[Text("forms/made.py", "        assert size is not None\n", "")],
        expected: Breaks("forms/far.py"),
    },
    Row {
        name: "a member more of a tuple that is unpacked elsewhere",
        changes: &[Text("forms/made.py", "    y: int\n", "    y: int\n    z: int = 0\n")],
        expected: Breaks("forms/far.py"),
    },
    Row {
        name: "the value of a member of an enumeration",
        changes: &[Text("forms/made.py", "RED = 1", "RED = \"red\"")],
        expected: Breaks("forms/near.py"),
    },
    Row {
        name: "a value that tells which part of a union it is",
        changes: &[Text("forms/made.py", "limit: int | None = 5", "limit: int | None = None")],
        expected: Breaks("forms/near.py"),
    },
    Row {
        name: "an inferred result that a protocol asks for elsewhere",
        changes: &[Text("forms/made.py", "return \"x\"", "return 1")],
        expected: Breaks("forms/far.py"),
    },
];
