//! Go.

use super::{ask, check, edit, shown};
use bowline_testkit::Fixture;

const TREE: &str = "\
//- /go.mod
module example.com/shop/v2
//- /shop.go
package shop
import _ \"example.com/shop/v2/store\"
//- /store/store.go
package store
type Base struct{}
//- /store/more.go
package store
func init() {}
//- /store/store_test.go
package store_test
import . \"example.com/shop/v2/store\"
//- /cart/cart.go
package cart
import (
\t// the store (of \"things\")
\ts \"example.com/shop/v2/store\"
)
type Cart struct{ s.Base }
//- /cart/other.go
package cart
//- /cart/cart_test.go
package cart
//- /page/page.go
package page
import \"example.com/shop/v2/cart\"; import \"fmt\"
//- /cmd/main.go
package main
import `example.com/shop/v2`
//- /tests/only_test.go
package tests
import \"example.com/shop/v2/page\"
//- /tests/help_test.go
package tests
//- /tests/doc.go
package tests
//- /user/user.go
package user
import \"example.com/shop/v2/tests\"
//- /apart/apart.go
package apart
import \"fmt\"
";

#[tokio::test]
async fn packages_reach_their_files_and_importers() {
    check(
        TREE,
        &[
            (
                "store/store.go",
                "cart/cart.go shop.go store/more.go store/store_test.go cart/cart_test.go cart/other.go cmd/main.go \
                 page/page.go tests/only_test.go tests/help_test.go",
            ),
            ("page/page.go", "tests/only_test.go tests/help_test.go"),
            ("shop.go", "cmd/main.go"),
            ("apart/apart.go", ""),
        ],
    )
    .await;
}

#[tokio::test]
async fn tests_reach_only_their_directory() {
    check(
        TREE,
        &[
            ("store/store_test.go", "store/more.go store/store.go"),
            ("cart/cart_test.go", "cart/cart.go cart/other.go"),
            ("tests/help_test.go", "tests/doc.go tests/only_test.go"),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_body_reaches_its_package() {
    let fixture = Fixture::new(TREE);
    let mut edited = edit(&fixture, "store/more.go");
    edited.after = Some("package store\nfunc init() { f() }\n".into());
    let found = ask(&fixture, vec![edited], 99).await;
    assert_eq!(shown(&fixture, &found), "store/store.go store/store_test.go");
}

#[tokio::test]
async fn new_packages_and_versions_and_replacements() {
    let tree = "\
//- /go.mod
module example.com/a
replace example.com/lib => ./third/lib-fork
replace (
\texample.com/more v1.0.0 => ./third/more-fork
)
//- /third/lib-fork/x.go
package lib
//- /third/more-fork/x.go
package more
//- /yaml/v3/y.go
package yaml
//- /a.go
package a
import \"example.com/a/fresh\"
//- /b/b.go
package b
import \"example.com/lib\"
//- /c/c.go
package c
import \"example.com/a/yaml/v3\"
//- /d/d.go
package d
import \"gopkg.in/fresh.v2\"
//- /e/e.go
package e
import \"example.com/more\"
//- /f/f.go
package f
func broken( {
import (
\t\"unclosed/path
\t\"example.com/a/fresh\"
";
    check(
        tree,
        &[
            ("fresh/new.go", "a.go d/d.go f/f.go"),
            ("third/lib-fork/x.go", "b/b.go"),
            ("third/more-fork/x.go", "e/e.go"),
            ("yaml/v3/y.go", "c/c.go"),
        ],
    )
    .await;
}
