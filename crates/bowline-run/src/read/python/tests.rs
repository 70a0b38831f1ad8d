//! Output of mypy 2.4, pyright 1.1.414 and Python 3.11.

use super::super::place::shown;
use super::*;

#[test]
fn what_mypy_says() {
    let printed = "\
a.py:2:12: error: Incompatible return value type (got \"int\", expected \"str\")  [return-value]
a.py:6:1: error: Cannot find implementation or library stub for module named \"nothere\"  [import-not-found]
a.py:6:1: note: See https://mypy.readthedocs.io/en/stable/running_mypy.html#missing-imports
b.py: error: Source file found twice under different module names: \"b\" and \"x.b\"
Found 2 errors in 1 file (checked 1 source file)
";
    assert_eq!(
        shown(&mypy(printed).problems),
        [
            "a.py:2:12 error [return-value]: Incompatible return value type (got \"int\", expected \"str\")",
            "a.py:6:1 error [import-not-found]: Cannot find implementation or library stub for module named \"nothere\"",
            "a.py:6:1 information: See https://mypy.readthedocs.io/en/stable/running_mypy.html#missing-imports",
        ]
    );
}

#[test]
fn what_pyright_says() {
    assert_eq!(
        shown(&pyright(include_str!("../../../tests/recorded/pyright.txt")).problems),
        [
            "/src/m/shop.py:2:12 error [reportReturnType]: Type \"int\" is not assignable to return type \"str\"\n\"int\" is \
             not assignable to \"str\"",
            "/src/m/shop.py:5:7 error [reportArgumentType]: Argument of type \"Literal['three']\" cannot be assigned to \
             parameter \"count\" of type \"int\" in function \"price\"\n\"Literal['three']\" is not assignable to \"int\"",
        ]
    );
}

#[test]
fn what_cannot_be_compiled() {
    let printed = "\
*** Error compiling './b.py'...
  File \"./b.py\", line 1
    def g(:
          ^
SyntaxError: invalid syntax

*** Error compiling './sub/c.py'...
Sorry: IndentationError: expected an indented block after 'if' statement on line 1 (c.py, line 2)
";
    assert_eq!(
        shown(&compileall(printed).problems),
        [
            "./b.py:1 error: SyntaxError: invalid syntax",
            "./sub/c.py:2 error: IndentationError: expected an indented block after 'if' statement on line 1 (c.py, line 2)",
        ]
    );
}
