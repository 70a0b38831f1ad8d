//! C and C++.

use super::check;

#[tokio::test]
async fn headers_reach_their_includers() {
    let tree = "\
//- /inc/size.h
int size(void);
//- /inc/all.hpp
#pragma once
#include \"size.h\"
//- /a.c
#include \"inc/size.h\"
//- /b.cpp
#  include <inc/all.hpp>
//- /c.cc
/* first */ #include \"../x/size.h\" // here
//- /d.c
#include \"sizes.h\"
//- /e.c\n#inc\\
lude \"SIZE.H\"
//- /f.c
int f( {{{
#include \"size.h\"\r
//- /table.tpl
#include \"inc/size.h\"
//- /g.c
#include \"table.tpl\"
//- /Core
#include \"inc/size.h\"
//- /h.cpp
#include <lib/Core>
//- /unity.c
#include \"d.c\"
//- /README
#include \"inc/size.h\"
";
    check(
        tree,
        &[
            ("inc/size.h", "Core a.c c.cc e.c f.c inc/all.hpp table.tpl b.cpp g.c h.cpp"),
            ("inc/all.hpp", "b.cpp"),
            ("a.c", ""),
            ("d.c", "unity.c"),
            ("sizes.h", "d.c unity.c"),
        ],
    )
    .await;
}

#[tokio::test]
async fn cycles_end_and_names_need_not_be_ascii() {
    let tree = "\
//- /größe.h
#include \"b.h\"
//- /b.h
#include \"größe.h\"
//- /c.c
#include \"b.h\"
";
    check(tree, &[("größe.h", "b.h c.c"), ("b.h", "c.c größe.h"), ("c.c", "")]).await;
}

#[tokio::test]
async fn what_cannot_be_followed_is_said() {
    let computed = "//- /a.h\nint a;\n//- /b.c\n#include CONFIG_H\n";
    check(computed, &[("a.h", " but `/b.c` includes files by names that are computed")]).await;
    let modules = "//- /a.h\nint a;\n//- /b.cpp\nexport module b;\n";
    check(modules, &[("a.h", " but `/b.cpp` uses modules of C++, which are not followed")]).await;
}

#[tokio::test]
async fn headers_that_the_compiler_includes_reach_everything() {
    let tree = "\
//- /compile_flags.txt
-Wall
-include
src/config.h
//- /src/config.h
#include \"base.h\"
//- /src/base.h
int b;
//- /src/a.c
int a;
";
    check(tree, &[("src/config.h", "src/a.c src/base.h"), ("src/base.h", "src/config.h src/a.c")]).await;
}
