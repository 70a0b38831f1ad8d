//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn by_gradle() {
    expect(
        &read(include_str!("../../../tests/recorded/junit_xml/gradle.xml")),
        r#"
failed shop.legacy.PriceTest.refusesNegatives (-): Expected exception: java.lang.IllegalArgumentException
failed shop.legacy.PriceTest.ends (shop/legacy/PriceTest.java:21): org.junit.runners.model.TestTimedOutException: test timed out after 50 milliseconds
failed shop.legacy.PriceTest.showsCents (shop/legacy/PriceTest.java:11): expected:<1.[0]5> but was:<1.[]5>
1 passed, 3 failed, 1 skipped
"#,
    );
}

#[test]
fn by_surefire() {
    expect(
        &read(include_str!("../../../tests/recorded/junit_xml/surefire.xml")),
        r#"
failed shop.CartTest.saysMuch (shop/CartTest.java:36): first line⏎second line ==> expected: <true> but was: <false>
failed shop.CartTest.failsInAHelper (shop/CartTest.java:31): expected: <2> but was: <1>
failed shop.CartTest.failsInTheCart (shop/CartTest.java:26): an empty cart cannot be parsed
failed shop.CartTest.addsPrices (shop/CartTest.java:16): the sum ==> expected: <4> but was: <3>
failed shop.CartTest.doubles (shop/CartTest.java:54): expected: <7> but was: <6>
2 passed, 5 failed, 1 skipped
"#,
    );
}
