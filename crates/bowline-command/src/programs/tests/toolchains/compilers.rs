//! Compilers that are started by hand.

use super::super::check;

#[test]
fn ordinary_work_says_what_it_runs() {
    check(
        r#"
        gcc a.c -o b => ~1, r a.c, w b
        gcc -g -o /tmp/t tests/t.c => ~1, r tests/t.c, w /tmp/t
        gcc -fsyntax-only src/x.c => ~1, r src/x.c
        gcc -c src/x.c => ~1, r src/x.c, w x.o
        cc -Wall -Wextra -Werror=return-type -O2 main.c => ~1, r main.c, w a.out
        g++ -std=c++17 -O2 -Wall -Iinclude src/main.cpp -o /tmp/main => ~1, r include, r src/main.cpp, w /tmp/main
        clang++ -fsanitize=address,undefined -g x.cpp y.o -L lib -lm -o x => ~1, r x.cpp, r y.o, w x
        gcc --version => ok
        rustc --version => ok
        rustc --explain E0382 => ~1, x .
        rustc --edition 2021 /tmp/test.rs -o /tmp/bin => ~1, w /tmp/bin, r /tmp/test.rs, x .
        rustc -O -C opt-level=3 -Awarnings x.rs -o x => ~1, w x, r x.rs, x .
        javac -d /tmp/out src/Foo.java src/Bar.java => ~1, w /tmp/out/**, r src/Foo.java, r src/Bar.java, x .
        javac -Xlint:all -d out A.java => ~1, w out/**, r A.java, x .
        "#,
    );
}

#[test]
fn other_code_and_other_files_are_seen() {
    check(
        r#"
        gcc -fplugin=./evil.so a.c -o b => ~all, r a.c, w b
        gcc -wrapper ./evil a.c -o b => ~all, r ./evil, r a.c, w b
        gcc -B. a.c -o b => ~all, r a.c, w b
        gcc -specs=evil a.c -o b => ~all, r a.c, w b
        gcc @evil -o b => ~all, r @evil, w b
        gcc -Wl,-o,prot/x a.c -o b => ~all, r a.c, w b
        gcc -MD -MF prot/x a.c -o b => ~all, r prot/x, r a.c, w b
        gcc -save-temps a.c -o b => ~all, r a.c, w b
        gcc -fuse-ld=evil a.c -o b => ~all, r a.c, w b
        gcc -oprot/x a.c => ~1, r a.c, w prot/x
        gcc -o b -o prot/x a.c => ~all, r a.c, w prot/x
        gcc evil.ld => ~all, r evil.ld, w a.out
        gcc a.o => ~all, r a.o, w a.out
        gcc a.c -L. -levil => ~all, r a.c, w a.out
        gcc prot.h => ~all, r prot.h, w a.out
        gcc --output=prot/x a.c => ~all, r a.c, w a.out
        clang -Xclang -load a.c -o b => ~all, r a.c, w b
        gcc $x a.c -o b => ~all, r a.c, w b
        rustc x.rs => ~all, r x.rs, x .
        rustc x.rs -o prot/x => ~1, w prot/x, r x.rs, x .
        rustc -C linker=./evil x.rs -o x => ~all, w x, r x.rs, x .
        rustc -Clinker=./evil x.rs -o x => ~all, w x, r x.rs, x .
        rustc --emit=asm=prot/x x.rs -o x => ~all, w x, r x.rs, x .
        rustc --print=cfg=prot/x x.rs -o x => ~all, w x, r x.rs, x .
        rustc --extern a=evil.so x.rs -o x => ~all, w x, r a=evil.so, r x.rs, x .
        rustc --target=evil.json x.rs -o x => ~all, w x, r x.rs, x .
        rustc +./evil x.rs -o x => ~all, w x, r +./evil, r x.rs, x .
        rustc @evil -o x => ~all, w x, r @evil, x .
        javac A.java => ~all, r A.java, x .
        javac -cp evil.jar -d out A.java => ~all, w out/**, r evil.jar, r A.java, x .
        javac -processorpath evil -d out A.java => ~all, w out/**, r evil, r A.java, x .
        javac -J-javaagent:evil.jar -d out A.java => ~all, w out/**, r A.java, x .
        javac -d out @evil => ~all, w out/**, r @evil, x .
        "#,
    );
}
