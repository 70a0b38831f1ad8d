//! Python.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_classes_functions_and_assignments() {
    let text = r#"import os
from a import b as c

LIMIT = 10
name: str = "x"
a, b = 1, 2
name = "again"
type Pair[T] = tuple[T, T]

@decorator(1)
class Point(Base, metaclass=Meta):
    """Doc."""
    count = 0
    MAX: int = 3

    def __init__(self, x, y=0):
        self.x = x
        self.x = y
        other.z = 1

    @property
    async def area(self) -> float:
        def helper(): pass
        local = 1
        self.cache, b = 1, 2
        return 1

    class Inner:
        pass

def free(
    a,
    *args: int,
    **kwargs,
) -> None:
    pass

if True:
    def conditional(): ...
"#;
    assert_snapshot!(outline(Language::Python, text), @r#"
    LIMIT [Constant] :4  | LIMIT = 10
    name [Variable] :5  | name: str = "x"
    a [Variable] :6  | a, b = 1, 2
    b [Variable] :6  | a, b = 1, 2
    Pair [Class] :8  | type Pair[T] = tuple[T, T]
    Point [Class] :11-29  | class Point(Base, metaclass=Meta)
      count [Field] :13  in Point  | count = 0
      MAX [Constant] :14  in Point  | MAX: int = 3
      __init__ [Constructor] :16-19  in Point  | def __init__(self, x, y=0)
      x [Field] :17  in Point  | self.x = x
      area [Method] :22-26  in Point  | async def area(self) -> float
        helper [Function] :23  in Point.area  | def helper()
      Inner [Class] :28-29  in Point  | class Inner
    free [Function] :31-36  | def free( a, *args: int, **kwargs, ) -> None
    conditional [Function] :39  | def conditional()
    "#);
}

#[test]
fn names_mean_the_nearest_binding() {
    check(
        Language::Python,
        &[
            ("def f(a, b=1): return a$0 + b", "def f(‹a›, b=1): return «a» + b"),
            ("def f(*args, **kw): return kw$0", "def f(*args, **‹kw›): return «kw»"),
            ("def f(a: int, *, b: str = a): return b$0", "def f(a: int, *, ‹b›: str = a): return «b»"),
            ("a = 1\ndef f(a=a$0): pass", "not local"),
            // One name is one variable in all of a function, blocks or not.
            (
                "def f():\n  if c:\n    x = 1\n  for x in y: pass\n  x$0\n",
                "def f():\n  if c:\n    ‹x› = 1\n  for «x» in y: pass\n  «x»\n",
            ),
            ("def f():\n  x$0\n  x = 1\n", "def f():\n  «x»\n  ‹x› = 1\n"),
            ("x = 1\ndef f():\n  global x\n  x$0 = 2\n", "not local"),
            ("x = 1\ndef f():\n  x$0\n", "not local"),
            (
                "def f():\n  x = 1\n  def g():\n    nonlocal x\n    x$0 = 2\n  x\n",
                "def f():\n  ‹x› = 1\n  def g():\n    nonlocal «x»\n    «x» = 2\n  «x»\n",
            ),
            (
                "def f():\n  x = 1\n  def g():\n    x = 2\n  x$0\n",
                "def f():\n  ‹x› = 1\n  def g():\n    x = 2\n  «x»\n",
            ),
            ("def f(x): return [x$0 for x in x]", "def f(x): return [«x» for ‹x› in x]"),
            ("def f(x): return [x for x in x$0]", "def f(‹x›): return [x for x in «x»]"),
            (
                "def f(): return {k: v for k, v in d if k$0}",
                "def f(): return {«k»: v for ‹k›, v in d if «k»}",
            ),
            ("y = [a for b in c for a in b$0]", "y = [a for ‹b› in c for a in «b»]"),
            ("g = lambda x, y=1: x$0 + y", "g = lambda ‹x›, y=1: «x» + y"),
            (
                "def f():\n  with open(p) as h:\n    h$0.read()\n",
                "def f():\n  with open(p) as ‹h›:\n    «h».read()\n",
            ),
            (
                "def f():\n  try: pass\n  except E as e:\n    e$0\n",
                "def f():\n  try: pass\n  except E as ‹e›:\n    «e»\n",
            ),
            ("def f():\n  if (n := g()): n$0\n", "def f():\n  if (‹n› := g()): «n»\n"),
            (
                "def f(v):\n  match v:\n    case P(x=a, y=[b, *c]): a$0\n    case A.B: pass\n",
                "def f(v):\n  match v:\n    case P(x=‹a›, y=[b, *c]): «a»\n    case A.B: pass\n",
            ),
            ("def f(v):\n  match v:\n    case A.B$0: pass\n", "not local"),
            (
                "def f(v):\n  match v:\n    case {'k': w}: w$0\n",
                "def f(v):\n  match v:\n    case {'k': ‹w›}: «w»\n",
            ),
            ("def f():\n  def g(): pass\n  g$0()\n", "def f():\n  def ‹g›(): pass\n  «g»()\n"),
            ("class C:\n  x = 1\n  def f(self): return x$0\n", "not local"),
            (
                "def o(x):\n  class C:\n    x = 1\n    def f(self): return x$0\n",
                "def o(‹x›):\n  class C:\n    x = 1\n    def f(self): return «x»\n",
            ),
            ("def f(x): return o.x$0", "not local"),
            ("def f(x): return g(x$0=x)", "not local"),
            ("def f(x): return g(x=x$0)", "def f(‹x›): return g(x=«x»)"),
            ("def f(x): return f'{x$0}'", "def f(‹x›): return f'{«x»}'"),
            ("def f[T](a: T) -> T$0: pass", "def f[‹T›](a: «T») -> «T»: pass"),
            ("def f():\n  import os\n  os$0\n", "not local"),
            ("def f(x): 'x$0'", "no name"),
        ],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = r#"# make
class S:
    def make(self): self.make(); S.make; x.make(); a.b.make; make(); "make"; f(make=1)
def take(make): make
"#;
    assert_snapshot!(uses(Language::Python, "make", text), @"
    3:9 Plain declares
    3:26 Qualified by S
    3:36 Qualified by S
    3:44 Qualified by x
    3:56 Member
    3:62 Call
    3:80 Key
    4:10 Plain declares local
    4:17 Plain local
    ");
}
