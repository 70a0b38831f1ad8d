//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_of_two_modules() {
    expect(
        &read(include_str!("../../../tests/recorded/maven/tests.txt")),
        r#"
failed shop.CartTest$OfText#readsNumbers (shop/CartTest.java:47): expected: <3> but was: <2>
failed shop.CartTest#saysMuch (shop/CartTest.java:36): first line⏎second line ==> expected: <true> but was: <false>
failed shop.CartTest#failsInAHelper (shop/CartTest.java:31): expected: <2> but was: <1>
failed shop.CartTest#failsInTheCart (shop/CartTest.java:26): java.lang.IllegalArgumentException: an empty cart cannot be parsed
failed shop.CartTest#addsPrices (shop/CartTest.java:16): the sum ==> expected: <4> but was: <3>
failed shop.CartTest#doubles (shop/CartTest.java:54): expected: <7> but was: <6>
failed shop.HookTest#first (shop/HookTest.java:9): java.lang.IllegalStateException: no database
failed shop.legacy.PriceTest#refusesNegatives (-): Expected exception: java.lang.IllegalArgumentException
failed shop.legacy.PriceTest#ends (shop/legacy/PriceTest.java:21): org.junit.runners.model.TestTimedOutException: test timed out after 50 milliseconds
failed shop.legacy.PriceTest#showsCents (shop/legacy/PriceTest.java:11): expected:<1.[0]5> but was:<1.[]5>
3 passed, 10 failed, 2 skipped
"#,
    );
}

#[test]
fn errors_of_the_compiler() {
    expect(
        &read(include_str!("../../../tests/recorded/maven/compile.txt")),
        r#"
error /home/me/shop/broken/src/main/java/shop/broken/Broken.java:7:17: incompatible types: java.lang.String cannot be converted to int
error /home/me/shop/broken/src/main/java/shop/broken/Broken.java:10:16: cannot find symbol⏎  symbol:   method nowhere(int)⏎  location: class shop.broken.Broken
error /home/me/shop/broken/src/main/java/shop/broken/Broken.java:15:16: incompatible types: java.util.ArrayList<java.lang.Integer> cannot be converted to java.util.List<java.lang.String>
"#,
    );
}

#[test]
fn a_pom_that_cannot_be_read() {
    expect(
        &read(include_str!("../../../tests/recorded/maven/pom.txt")),
        r#"
error /home/me/shop/bad.xml:7:13: Malformed POM /home/me/shop/bad.xml: Unrecognised tag: 'packging' (position: START_TAG seen ...</version>\n  <packging>... @7:13)
"#,
    );
}

#[test]
fn surefire_2_kotlin_and_builds_that_came_to_nothing() {
    expect(
        &read(
            "[ERROR] addsPrices(shop.CartTest)  Time elapsed: 0.05 s  <<< FAILURE!\n\
             java.lang.AssertionError: expected:<4> but was:<3>\n\tat shop.CartTest.addsPrices(CartTest.java:16)\n\n\
             [ERROR] shop.DatabaseTest  Time elapsed: 0.1 s  <<< ERROR!\n\
             java.lang.IllegalStateException: no database\n\tat shop.DatabaseTest.open(DatabaseTest.java:5)\n\
             Caused by: java.net.ConnectException: refused\n\
             [WARNING] C:\\a b\\Cart.kt: (3, 4) Variable 'unused' is never used\n",
        ),
        r#"
warning C:\a b\Cart.kt:3:4: Variable 'unused' is never used
failed shop.CartTest#addsPrices (shop/CartTest.java:16): expected:<4> but was:<3>
failed shop.DatabaseTest (shop/DatabaseTest.java:5): java.lang.IllegalStateException: no database⏎Caused by: java.net.ConnectException: refused
"#,
    );
    expect(
        &read(
            "[ERROR] Failed to execute goal on project core: Could not resolve dependencies -> [Help 1]\n[ERROR] \n",
        ),
        r#"
error -: Failed to execute goal on project core: Could not resolve dependencies
"#,
    );
}
