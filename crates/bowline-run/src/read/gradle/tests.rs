//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_in_short_and_errors() {
    expect(
        &read(include_str!("../../../tests/recorded/gradle/short.txt")),
        r#"
error /home/me/shop/broken/src/main/java/shop/Broken.java:7:17: incompatible types: String cannot be converted to int
error /home/me/shop/broken/src/main/java/shop/Broken.java:10:16: cannot find symbol⏎  symbol:   method nowhere(int)⏎  location: class Broken
error /home/me/shop/broken/src/main/java/shop/Broken.java:15:16: incompatible types: ArrayList<Integer> cannot be converted to List<String>
failed shop.legacy.PriceTest.refusesNegatives (-): java.lang.AssertionError
failed shop.legacy.PriceTest.ends (shop/legacy/PriceTest.java:21): org.junit.runners.model.TestTimedOutException
failed shop.legacy.PriceTest.showsCents (shop/legacy/PriceTest.java:11): org.junit.ComparisonFailure
1 passed, 3 failed, 1 skipped
"#,
    );
}

#[test]
fn failures_in_full() {
    expect(
        &read(include_str!("../../../tests/recorded/gradle/full.txt")),
        r#"
failed shop.legacy.PriceTest.refusesNegatives (-): Expected exception: java.lang.IllegalArgumentException
failed shop.legacy.PriceTest.ends (shop/legacy/PriceTest.java:21): org.junit.runners.model.TestTimedOutException: test timed out after 50 milliseconds
failed shop.legacy.PriceTest.showsCents (shop/legacy/PriceTest.java:11): expected:<1.[0]5> but was:<1.[]5>
1 passed, 3 failed, 1 skipped
"#,
    );
}

#[test]
fn classes_within_classes_and_cases() {
    expect(
        &read(include_str!("../../../tests/recorded/gradle/junit5.txt")),
        r#"
failed CartTest.addsPrices (shop/CartTest.java:16): the sum ==> expected: <4> but was: <3>
failed CartTest$OfText.readsNumbers (shop/CartTest.java:47): expected: <3> but was: <2>
failed CartTest.doubles (shop/CartTest.java:54): expected: <7> but was: <6>
failed HookTest.first (shop/HookTest.java:9): java.lang.IllegalStateException: no database
2 passed, 4 failed, 1 skipped
"#,
    );
}

#[test]
fn errors_of_kotlin() {
    expect(
        &read(include_str!("../../../tests/recorded/gradle/kotlin.txt")),
        r#"
error /home/me/shop/app/src/main/kotlin/Broken Cart.kt:4:24: Return type mismatch: expected 'Int', actual 'String'.
error /home/me/shop/app/src/main/kotlin/Broken Cart.kt:6:21: Unresolved reference 'nowhere'.
warning /home/me/shop/app/src/main/kotlin/Cart.kt:9:13: Variable 'unused' is never used.
warning /home/me/shop/app/src/main/kotlin/Old.kt:3:7: Parameter 'x' is never used
"#,
    );
}

#[test]
fn a_script_that_fails() {
    expect(
        &read(include_str!("../../../tests/recorded/gradle/script.txt")),
        r#"
error /home/me/shop/build.gradle:12: A problem occurred evaluating root project 'shop'.⏎> Could not find method implementatio() for arguments [org.slf4j:slf4j-api:2.0.0] on object of type org.gradle.api.internal.artifacts.dsl.dependencies.DefaultDependencyHandler.
"#,
    );
}
