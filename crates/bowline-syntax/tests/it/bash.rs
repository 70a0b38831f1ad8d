//! Bash.

use bowline_syntax::Language;
use insta::assert_snapshot;

use crate::{check, outline, uses};

#[test]
fn outline_shows_functions_and_variables() {
    let text = r#"#!/bin/bash
LIMIT=10
export NAME="x" OTHER=1
LIMIT=11
FOO=1 command
build() {
  local x=1
  y=2
}
function clean { rm -rf "$LIMIT"; }
if true; then
  function late() { :; }
fi
"#;
    assert_snapshot!(outline(Language::Bash, text), @r#"
    LIMIT [Variable] :2  | LIMIT=10
    NAME [Variable] :3  | NAME="x"
    OTHER [Variable] :3  | OTHER=1
    build [Function] :6-9  | build()
    clean [Function] :10  | function clean
    late [Function] :12  | function late()
    "#);
}

#[test]
fn names_mean_the_nearest_binding() {
    check(
        Language::Bash,
        &[
            (
                "f() {\n  local x=1 y\n  echo \"$x$0 ${x}\"\n}\n",
                "f() {\n  local ‹x›=1 y\n  echo \"$«x» ${«x»}\"\n}\n",
            ),
            ("f() {\n  local x=1 y\n  y$0=2\n}\n", "f() {\n  local x=1 ‹y›\n  «y»=2\n}\n"),
            ("x=1\nf() {\n  local x=$x$0\n}\n", "not local"),
            ("x=1\nf() {\n  echo $x$0\n}\n", "not local"),
        ],
    );
}

#[test]
fn occurrences_tell_their_role() {
    let text = "# build\nbuild() { :; }\nbuild now\ntrap build EXIT\necho \"build $(build)\"\nbuild=1\necho $build\n";
    assert_snapshot!(uses(Language::Bash, "build", text), @"
    2:1 Plain declares
    3:1 Call
    4:6 Key
    5:15 Call
    6:1 Plain
    7:7 Plain
    ");
}
