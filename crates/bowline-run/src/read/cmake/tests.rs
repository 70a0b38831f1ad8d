//! Output of CMake 3.25 with gcc 12.2.

use super::super::place::shown;
use super::*;

#[test]
fn a_project_that_cannot_be_configured() {
    let problems = configure(include_str!("../../../tests/recorded/cmake.txt")).problems;
    let shown = shown(&problems);
    assert_eq!(shown[0], "CMakeLists.txt:4 warning: old");
    assert!(shown[1].starts_with(
        "CMakeLists.txt:5 error: By not providing \"FindNoSuch.cmake\" in CMAKE_MODULE_PATH this"
    ));
    assert!(shown[1].ends_with(
        "\"NoSuch\"\nprovides a separate development package or SDK, be sure it has been\ninstalled."
    ));
    assert_eq!(shown.len(), 2);
    let parse = "CMake Error at CMakeLists.txt:6:\n  Parse error.  Function missing ending \")\".\n\n\n-- Configuring incomplete\n\
                 CMake Error: The source directory \"/x\" does not exist.\nSpecify --help for usage\n";
    assert_eq!(
        super::super::place::shown(&configure(parse).problems),
        [
            "CMakeLists.txt:6 error: Parse error.  Function missing ending \")\".",
            "- error: The source directory \"/x\" does not exist.",
        ]
    );
}

#[test]
fn a_build() {
    assert_eq!(
        shown(&build(include_str!("../../../tests/recorded/cmake-build.txt")).problems),
        [
            "/src/m/src/a.c:5:12 error: ‘missing’ undeclared (first use in this function)",
            "/src/m/src/a.c:5:22 error: too few arguments to function ‘add’",
            "/src/m/src/a.c:4:9 warning [-Wunused-variable]: unused variable ‘unused’",
            "/src/m/src/b.cpp:6:24 error: conversion from ‘int’ to non-scalar type ‘std::string’ {aka \
             ‘std::__cxx11::basic_string<char>’} requested",
            "/src/m/src/b.cpp:7:16 error: call of overloaded ‘size(std::string&)’ is ambiguous",
            "c.c error: undefined reference to `gone'",
        ]
    );
}
