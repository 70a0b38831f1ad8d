//! Which tests belong to a file, and how that is known. The conventions themselves are tested beside their table.

use bowline_testkit::Fixture;
use bowline_workspace::KnownBy;
use insta::assert_snapshot;

use super::{error, open, patient};

async fn tests_for(text: &str, path: &str) -> String {
    let fixture = Fixture::new(text);
    let found = match open(&fixture).tests_for(path.as_ref(), &patient()).await {
        Ok(found) => found.value,
        Err(failed) => return error(&fixture, &failed),
    };
    let shown = found.iter().map(|test| {
        let how = match &test.known_by {
            KnownBy::Itself => "itself".to_owned(),
            KnownBy::Imports => "imports".to_owned(),
            KnownBy::UsesNames => "uses".to_owned(),
            KnownBy::Through(file) => format!("through {}", file.display()),
            KnownBy::NamedAfter => "named".to_owned(),
        };
        fixture.relative(&format!("{} {how}", test.path.display()))
    });
    shown.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn rust_tests_are_inside_beside_and_in_the_crates_tests() {
    let text = "//- /Cargo.toml\n//- /src/gate.rs\npub fn decide() {}\n#[cfg(test)]\nmod tests;\n\
        //- /src/gate/tests.rs\n//- /src/inline.rs\nfn a() {}\n#[cfg(test)]\nmod tests {}\n\
        //- /src/door.rs\npub fn open() { decide() }\n#[cfg(test)]\nmod tests { fn t() { super::open() } }\n\
        //- /tests/it/one.rs\nfn t() { decide() }\n//- /tests/it/two.rs\nfn t() { other() }\n\
        //- /tests/it/three.rs\nfn t() { open() }\n";
    assert_snapshot!(tests_for(text, "src/gate.rs").await, @r"
    /src/door.rs uses
    /src/gate/tests.rs imports
    /tests/it/one.rs uses
    /tests/it/three.rs through /src/door.rs
    ");
    assert_snapshot!(tests_for(text, "src/inline.rs").await, @"/src/inline.rs itself");
    assert_snapshot!(tests_for(text, "tests/it/one.rs").await, @"/tests/it/one.rs itself");
}

#[tokio::test]
async fn tests_of_another_crate_name_the_crate() {
    let text = "//- /a/Cargo.toml\n[package]\nname = \"knot-core\"\n//- /a/src/lib.rs\npub fn tie() {}\n\
        //- /b/Cargo.toml\n[package]\nname = \"b\"\n//- /b/tests/with.rs\nuse knot_core::tie;\n//- /b/tests/without.rs\nfn tie() {}\n";
    assert_snapshot!(tests_for(text, "a/src/lib.rs").await, @"/b/tests/with.rs uses");
}

#[tokio::test]
async fn ignored_tests_do_not_count_and_none_is_an_answer() {
    let text = "//- /.gitignore\ndist/\n//- /a.ts\n//- /a.test.ts\nimport './a'\n//- /dist/a.test.ts\nimport '../a'\n//- /b.kt\n//- /BTest.kt\n//- /c.md\n";
    assert_snapshot!(tests_for(text, "a.ts").await, @"/a.test.ts imports");
    assert_snapshot!(tests_for(text, "c.md").await, @"");
    assert_snapshot!(tests_for(text, "none.ts").await, @"error: no such file: `/none.ts`");
}

#[tokio::test]
async fn scripts_by_path_alias_package_and_index() {
    let text = "//- /tsconfig.base.json\n{ \"compilerOptions\": { /* names */ \"paths\": { \"@shop/*\": [\"./src/*\"], } } }\n\
        //- /tsconfig.json\n{ \"extends\": \"./tsconfig.base.json\" }\n//- /package.json\n{ \"name\": \"acme\", \"main\": \"dist/index.js\" }\n\
        //- /src/cart.ts\nexport const a = 1;\n//- /src/index.ts\nexport * from './cart';\n\
        //- /src/other/cart.ts\nexport const b = 1;\n\
        //- /src/cart.test.ts\nimport { b } from './other/cart';\n\
        //- /src/relative.test.ts\nimport { a } from './cart.js';\n\
        //- /test/alias.spec.ts\nimport { a } from '@shop/cart';\n\
        //- /test/required.test.js\nconst { a } = require('../src/cart');\n\
        //- /test/entry.test.ts\nimport { a } from '..';\nimport { a as b } from '../src';\n\
        //- /test/package.test.ts\nimport { a } from 'acme';\n\
        //- /test/stranger.test.ts\nimport { a } from 'cart';\n";
    assert_snapshot!(tests_for(text, "src/cart.ts").await, @r"
    /src/relative.test.ts imports
    /test/alias.spec.ts imports
    /test/required.test.js imports
    /test/entry.test.ts through /src/index.ts
    /test/package.test.ts through /src/index.ts
    /src/cart.test.ts named
    ");
    assert_snapshot!(tests_for(text, "src/other/cart.ts").await, @"/src/cart.test.ts imports");
}

#[tokio::test]
async fn python_absolute_relative_and_through_conftest() {
    let text = "//- /src/shop/__init__.py\n//- /src/shop/cart.py\ndef add(): pass\n//- /src/bank/__init__.py\n//- /src/bank/cart.py\n\
        //- /src/shop/till.py\nfrom .cart import add\n\
        //- /src/shop/tests/test_near.py\nfrom ..cart import add\n\
        //- /tests/test_cart.py\nfrom shop import cart\n\
        //- /tests/test_bank.py\nfrom bank import cart\nfrom bank.cart import (\n  add,\n)\n\
        //- /tests/test_till.py\nimport shop.till as till\n\
        //- /tests/slow/conftest.py\nimport importlib\ncart = importlib.import_module('shop.cart')\n\
        //- /tests/slow/test_fixture.py\ndef test_it(cart): pass\n";
    assert_snapshot!(tests_for(text, "src/shop/cart.py").await, @r"
    /src/shop/tests/test_near.py imports
    /tests/slow/conftest.py imports
    /tests/test_cart.py imports
    /tests/slow/test_fixture.py through /tests/slow/conftest.py
    /tests/test_till.py through /src/shop/till.py
    ");
    assert_snapshot!(tests_for(text, "src/bank/cart.py").await, @r"
    /tests/test_bank.py imports
    /tests/test_cart.py named
    ");
}

#[tokio::test]
async fn go_tests_of_the_package_and_of_others_that_import_it() {
    let text = "//- /go.mod\nmodule example.com/shop\n\n//- /cart/cart.go\npackage cart\n\nfunc Add() {}\nfunc sum() {}\n\
        //- /cart/till.go\npackage cart\n\nfunc Till() { sum() }\n\
        //- /cart/cart_test.go\npackage cart\n\nfunc TestNothing(t *T) {}\n\
        //- /cart/sum_test.go\npackage cart\n\nfunc TestSum(t *T) { sum() }\n\
        //- /cart/till_test.go\npackage cart_test\n\nfunc TestTill(t *T) { cart.Till() }\n\
        //- /web/web_test.go\npackage web\n\nimport \"example.com/shop/cart\"\n\nfunc TestWeb(t *T) { cart.Add() }\n\
        //- /web/own_test.go\npackage web\n\nfunc Add() {}\n";
    assert_snapshot!(tests_for(text, "cart/cart.go").await, @r"
    /cart/sum_test.go uses
    /web/web_test.go uses
    /cart/till_test.go through /cart/till.go
    /cart/cart_test.go named
    ");
}

#[tokio::test]
async fn c_tests_include_the_header() {
    let text = "//- /src/cart.c\n#include \"cart.h\"\nint add(void) { return 1; }\n//- /src/cart.h\nint add(void);\n\
        //- /lib/cart.h\nint other(void);\n//- /src/shop.h\n#include \"cart.h\"\n\
        //- /tests/test_add.c\n#include <stdio.h>\n#include \"../src/cart.h\"\n\
        //- /tests/test_shop.cpp\n#include <src/shop.h>\n//- /lib/test_other.c\n#include \"cart.h\"\n//- /tests/cart_test.c\nint main(void);\n";
    assert_snapshot!(tests_for(text, "src/cart.c").await, @r"
    /tests/test_add.c through /src/cart.h
    /tests/test_shop.cpp through /src/shop.h
    /tests/cart_test.c named
    ");
    assert_snapshot!(tests_for(text, "src/cart.h").await, @r"
    /tests/test_add.c imports
    /tests/test_shop.cpp through /src/shop.h
    /tests/cart_test.c named
    ");
}

#[tokio::test]
async fn classes_by_their_package_and_name() {
    let text = "//- /src/main/java/shop/Cart.java\npackage shop;\npublic class Cart {}\n\
        //- /src/test/java/shop/PriceTest.java\npackage shop;\nclass PriceTest { Cart cart; }\n\
        //- /src/test/java/web/WebTest.java\npackage web;\nimport shop.Cart;\nclass WebTest { Cart cart; }\n\
        //- /src/test/java/bank/BankTest.java\npackage bank;\nclass BankTest { Cart cart; }\n\
        //- /src/test/java/shop/CartTest.java\npackage shop;\nclass CartTest { }\n";
    assert_snapshot!(tests_for(text, "src/main/java/shop/Cart.java").await, @r"
    /src/test/java/shop/PriceTest.java uses
    /src/test/java/web/WebTest.java uses
    /src/test/java/shop/CartTest.java named
    ");
    let text = "//- /Shop/Cart.cs\nnamespace Acme.Shop;\npublic class Cart {}\n//- /Shop.Tests/PriceTests.cs\nusing Acme.Shop;\nclass PriceTests { Cart cart; }\n\
        //- /Shop.Tests/BankTests.cs\nusing Acme.Bank;\nclass BankTests { Cart cart; }\n";
    assert_snapshot!(tests_for(text, "Shop/Cart.cs").await, @"/Shop.Tests/PriceTests.cs uses");
    let text = "//- /src/Cart.kt\npackage shop\nclass Cart\n//- /src/PriceTest.kt\npackage shop\nclass PriceTest { val cart = Cart() }\n";
    assert_snapshot!(tests_for(text, "src/Cart.kt").await, @"/src/PriceTest.kt uses");
    let text = "//- /src/Cart.php\n<?php\nnamespace Acme\\Shop;\nclass Cart {}\n//- /tests/PriceTest.php\n<?php\nuse Acme\\Shop\\Cart;\nclass PriceTest { function t() { new Cart(); } }\n\
        //- /tests/OtherTest.php\n<?php\nuse Acme\\Bank\\Cart;\nclass OtherTest { function t() { new Cart(); } }\n";
    assert_snapshot!(tests_for(text, "src/Cart.php").await, @"/tests/PriceTest.php uses");
}

#[tokio::test]
async fn ruby_by_what_is_required_or_named() {
    let text = "//- /lib/shop/cart.rb\nclass Cart; end\n//- /spec/price_spec.rb\nrequire 'shop/cart'\n//- /spec/near_spec.rb\nrequire_relative '../lib/shop/cart'\n\
        //- /spec/rails_spec.rb\nCart.new\n//- /spec/other_spec.rb\nrequire 'bank/cart'\n";
    assert_snapshot!(tests_for(text, "lib/shop/cart.rb").await, @r"
    /spec/near_spec.rb imports
    /spec/price_spec.rb imports
    /spec/rails_spec.rb uses
    ");
}
