//! Output of gcc 12.2 and GNU make 4.3.

use super::super::place::shown;
use super::*;

#[test]
fn what_compilers_and_make_say() {
    let printed = "\
make[1]: Entering directory '/src/m/lib'
cc -Wall -c -o a.o a.c
a.c: In function ‘main’:
a.c:5:12: error: ‘missing’ undeclared (first use in this function)
    5 |     return missing + add(1);
a.c:5:12: note: each undeclared identifier is reported only once for each function it appears in
a.c:4:9: warning: unused variable ‘unused’ [-Wunused-variable]
make[1]: *** [Makefile:2: a.o] Error 1
make[1]: Leaving directory '/src/m/lib'
b.c:1:10: fatal error: nosuch.h: No such file or directory
/usr/bin/ld: /tmp/ccX.o: in function `main':
c.c:(.text+0x5): undefined reference to `gone'
/usr/bin/ld: /src/m/d.c:2: undefined reference to `far'
/usr/bin/ld: cannot find -lnosuch: No such file or directory
collect2: error: ld returned 1 exit status
gcc: fatal error: no input files
Makefile:5: *** missing separator.  Stop.
make: *** No rule to make target 'x.c', needed by 'x.o'.  Stop.
make: *** [Makefile:3: all] Error 2
";
    assert_eq!(
        shown(&cc(printed).problems),
        [
            "/src/m/lib/a.c:5:12 error: ‘missing’ undeclared (first use in this function)",
            "/src/m/lib/a.c:4:9 warning [-Wunused-variable]: unused variable ‘unused’",
            "b.c:1:10 error: nosuch.h: No such file or directory",
            "c.c error: undefined reference to `gone'",
            "/src/m/d.c:2 error: undefined reference to `far'",
            "- error: cannot find -lnosuch: No such file or directory",
            "- error: no input files",
            "Makefile:5 error: missing separator.",
            "- error: No rule to make target 'x.c', needed by 'x.o'",
        ]
    );
}
