//! Java.

use bowline_run::Task;

use crate::harness::{Live, installed};

/// With a repository that has everything: nothing is fetched.
fn maven(more: &str) -> Live {
    let repository = installed("BOWLINE_RUNNER_MAVEN");
    let local = concat!("-Dmaven.", "repo.local");
    Live::of("maven").with_file(".mvn/maven.config", &format!("-o\n{local}={}\n{more}", repository.display()))
}

#[tokio::test]
async fn failing_tests_of_two_modules() {
    let live = maven("");
    let ran = live.run(Task::Test, None).await;
    assert!(!ran.outcome.success());
    let (cart, hook) = ("core/src/test/java/shop/CartTest.java", "core/src/test/java/shop/HookTest.java");
    let price = "legacy/src/test/java/shop/legacy/PriceTest.java";
    assert_eq!(
        ran.places(),
        [
            format!("shop.CartTest#addsPrices {cart}:16"),
            format!("shop.CartTest#doubles {cart}:54"),
            format!("shop.CartTest#failsInAHelper {cart}:31"),
            format!("shop.CartTest#failsInTheCart {cart}:26"),
            format!("shop.CartTest#saysMuch {cart}:36"),
            format!("shop.CartTest$OfText#readsNumbers {cart}:47"),
            format!("shop.HookTest#first {hook}:9"),
            format!("shop.legacy.PriceTest#ends {price}:21"),
            "shop.legacy.PriceTest#refusesNegatives -".to_owned(),
            format!("shop.legacy.PriceTest#showsCents {price}:11"),
        ]
    );
    assert_eq!(ran.message_of("shop.CartTest#addsPrices"), "the sum ==> expected: <4> but was: <3>");
    assert_eq!(ran.counts(), Some((3, 10, 2)));

    let one = live.run(Task::Test, Some("core/src/test/java/shop/CartTest.java::addsPrices")).await;
    assert_eq!(one.places(), [format!("shop.CartTest#addsPrices {cart}:16")]);
    assert!(live.run(Task::Build, None).await.outcome.success());
}

#[tokio::test]
async fn a_broken_build() {
    let ran = maven("-Pbroken\n").run(Task::Build, None).await;
    assert!(!ran.outcome.success());
    let file = "broken/src/main/java/shop/broken/Broken.java";
    let list =
        "java.util.ArrayList<java.lang.Integer> cannot be converted to java.util.List<java.lang.String>";
    assert_eq!(
        ran.problems(),
        [
            format!("{file}:7:17 error: incompatible types: java.lang.String cannot be converted to int"),
            format!(
                "{file}:10:16 error: cannot find symbol\n  symbol:   method nowhere(int)\n  location: class shop.broken.Broken"
            ),
            format!("{file}:15:16 error: incompatible types: {list}"),
        ]
    );
}
