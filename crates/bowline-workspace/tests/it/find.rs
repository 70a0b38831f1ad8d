//! Symbols by name and by path.

use bowline_testkit::Fixture;
use insta::assert_snapshot;

use super::{definitions, error, find, open, patient};

const SHOP: &str = "//- /shop/cart.rs
pub struct Cart;
impl Cart {
    pub fn add(&self) {}
}
pub fn add() {}
//- /bank/account.py
class Account:
    def add(self): pass
//- /bank/store.go
package bank

type Store struct{}

func (s *Store) Add() {}
";

async fn go(symbol_path: &str, language: Option<&str>) -> String {
    let fixture = Fixture::new(SHOP);
    match open(&fixture).go_to_symbol(symbol_path, language, &patient()).await {
        Ok(found) => definitions(&fixture, &found),
        Err(failed) => error(&fixture, &failed),
    }
}

#[tokio::test]
async fn goes_to_a_name_anywhere() {
    assert_snapshot!(go("add", None).await, @r"
    /bank/account.py:2:9-12 Method Account.add
    /shop/cart.rs:3:12-15 Method Cart.add
    /shop/cart.rs:5:8-11 Function add
    ");
    assert_snapshot!(go("add", Some("python")).await, @"/bank/account.py:2:9-12 Method Account.add");
}

#[tokio::test]
async fn qualifiers_narrow_to_a_type_or_a_module() {
    assert_snapshot!(go("Cart.add", None).await, @"/shop/cart.rs:3:12-15 Method Cart.add");
    assert_snapshot!(go("shop::cart::Cart::add", None).await, @"/shop/cart.rs:3:12-15 Method Cart.add");
    assert_snapshot!(go("cart::add", None).await, @"/shop/cart.rs:5:8-11 Function add");
    assert_snapshot!(go("(*Store).Add", None).await, @"/bank/store.go:5:17-20 Method Store.Add");
    assert_snapshot!(go("bank.Store.Add", None).await, @"/bank/store.go:5:17-20 Method Store.Add");
}

#[tokio::test]
async fn never_answers_with_another_name() {
    for path in ["Basket.add", "ad", "ADD", "", "..", "Cart.add.more"] {
        assert_eq!(go(path, None).await, "nothing", "{path}");
    }
    assert_snapshot!(go("add", Some("klingon")).await, @"error: unknown language `klingon`; use one of: rust, python, go, typescript, typescriptreact, javascript, java, c, cpp, csharp, ruby, php, shellscript");
}

#[tokio::test]
async fn finds_parts_of_names_best_first() {
    let fixture = Fixture::new(
        "//- /a.rs\nfn regreet() {}\nfn greeter() {}\nfn Greet() {}\n//- /b.py\ndef greet(): pass\n",
    );
    let workspace = open(&fixture);
    assert_snapshot!(find(&fixture, &workspace, "greet").await, @r"
    /b.py:1 greet
    /a.rs:3 Greet
    /a.rs:2 greeter
    /a.rs:1 regreet
    ");
    assert_snapshot!(find(&fixture, &workspace, "rgt").await, @"/a.rs:1 regreet");
    let page = workspace.find_symbols("greet", 1, 2, &patient()).await.unwrap().value;
    assert_eq!((page.hits[0].symbol.name.as_str(), page.total), ("greeter", 4));
}
