//! Python.

use super::{ask, check, edit, shown};
use bowline_testkit::Fixture;

#[tokio::test]
async fn every_form_of_an_import_counts() {
    let tree = "\
//- /pkg/__init__.py
//- /pkg/stem.py
x = 1
//- /pkg/a.py
from . import stem
//- /pkg/b.py
from .stem import x
//- /pkg/sub/c.py
from .. import (
    other,  # first
    stem as s,
)
//- /pkg/sub/d.py
from ..stem import *
//- /e.py
import pkg.stem
//- /f.py
from pkg import stem
//- /g.py
if x: from pkg.stem import x
//- /h.py
import os, pkg.stem as q
//- /i.py
from pkg \\
    import stem
//- /j.py
from pkg import system
//- /k.py
from.pkg.stem import(x)
//- /l.py
def f():\r
    import pkg . stem\r
//- /m.py
import importlib; importlib.import_module('pkg.stem')
//- /n.py
from pkg.sub.d import x
//- /o.py
def broken(:
    ''' from pkg.stem import x
";
    check(
        tree,
        &[
            (
                "pkg/stem.py",
                "e.py f.py g.py h.py i.py k.py l.py m.py o.py pkg/a.py pkg/b.py pkg/sub/c.py pkg/sub/d.py n.py",
            ),
            ("pkg/sub/d.py", "n.py"),
            ("n.py", ""),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_package_stands_for_its_directory() {
    let tree = "\
//- /pkg/__init__.py
from .inner import x
//- /pkg/inner.py
x = 1
//- /pkg/other.py
from . import x
//- /a.py
import pkg
//- /b.py
from pkg import x
//- /c.py
from pkg.other import y
//- /d.py
import pkg.other
//- /stubs-stubs/__init__.pyi
x: int
//- /e.py
import stubs
";
    check(
        tree,
        &[
            ("pkg/__init__.py", "a.py b.py d.py pkg/other.py c.py"),
            ("pkg/inner.py", "pkg/__init__.py a.py b.py d.py pkg/other.py c.py"),
            ("stubs-stubs/__init__.pyi", "e.py"),
        ],
    )
    .await;
}

#[tokio::test]
async fn modules_that_only_all_names_count() {
    let tree = "\
//- /pkg/__init__.py
__all__ = ['sub']
//- /pkg/sub.py
x = 1
//- /a.py
from pkg import *
";
    check(tree, &[("pkg/sub.py", "pkg/__init__.py a.py")]).await;
}

#[tokio::test]
async fn a_conftest_reaches_what_is_below() {
    let tree = "\
//- /helpers.py
x = 1
//- /tests/conftest.py
import helpers
//- /tests/deep/test_a.py
def test(): pass
//- /other.py
x = 1
";
    check(
        tree,
        &[
            ("tests/conftest.py", "tests/deep/test_a.py"),
            ("helpers.py", "tests/conftest.py tests/deep/test_a.py"),
        ],
    )
    .await;
}

#[tokio::test]
async fn computed_names_reach_nobody() {
    let tree = "\
//- /a.py
x = 1
//- /load.py
import importlib
importlib.import_module(name)
__import__(n)
";
    check(tree, &[("a.py", "")]).await;
}

#[tokio::test]
async fn what_comes_or_goes_changes_what_others_find() {
    let tree = "\
//- /space/mod.py
x = 1
//- /a.py
from space.mod import x
//- /b.py
import fresh
//- /größe.py
y = 1
//- /c.py
import größe
";
    check(tree, &[("space.py", "a.py"), ("fresh.py", "b.py"), ("größe.py", "c.py")]).await;
    let fixture = Fixture::new(tree);
    let mut gone = edit(&fixture, "space/mod.py");
    gone.after = None;
    assert_eq!(shown(&fixture, &ask(&fixture, vec![gone], 9).await), "a.py");
}
