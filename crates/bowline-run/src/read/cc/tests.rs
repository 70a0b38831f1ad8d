//! Output of gcc 12.2 and GNU make 4.3.

use super::super::place::shown;
use super::*;

#[test]
fn what_compilers_and_make_say() {
    assert_eq!(
        shown(&cc(include_str!("../../../tests/recorded/make.txt")).problems),
        [
            "/src/m/lib/a.c:3:12 error: ‘missing’ undeclared (first use in this function)",
            "/src/m/lib/a.c:2:9 warning [-Wunused-variable]: unused variable ‘unused’",
            "/src/m/b.c:1:10 error: nosuch.h: No such file or directory",
            "/src/m/c.c error: undefined reference to `gone'",
            "/src/m/d.c:2 error: undefined reference to `far'",
            "- error: cannot find -lnosuch: No such file or directory",
            "- error: no input files",
            "- error: No rule to make target 'x.c', needed by 'x.o'",
            "bad.mk:2 error: missing separator.",
        ]
    );
}
