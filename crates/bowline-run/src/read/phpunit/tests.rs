//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_errors_and_cases() {
    expect(
        &read(include_str!("../../../tests/recorded/phpunit/run.txt")),
        r#"
failed Shop\Tests\CartTest::testFailsInTheCart (/home/me/shop/tests/CartTest.php:27): InvalidArgumentException: an empty cart cannot be parsed
failed Shop\Tests\HookTest::testFirst (/home/me/shop/tests/HookTest.php:11): RuntimeException: no database
failed Shop\Tests\CartTest::testAddsPrices (/home/me/shop/tests/CartTest.php:17): Failed asserting that 3 is identical to 4.
failed Shop\Tests\CartTest::testFailsInAHelper (/home/me/shop/tests/CartTest.php:32): Failed asserting that 1 is identical to 2.
failed Shop\Tests\CartTest::testArrays (/home/me/shop/tests/CartTest.php:37): the numbers⏎Failed asserting that two arrays are identical.⏎--- Expected⏎+++ Actual⏎@@ @@⏎ Array &0 (⏎     0 => 1⏎-    1 => 3⏎+    1 => 2⏎ )
failed Shop\Tests\CartTest::testDoubles with data set "three to seven" (/home/me/shop/tests/CartTest.php:43): Failed asserting that 6 is identical to 7.
failed Shop\Tests\CartTest::testDoubles with data set #0 (/home/me/shop/tests/CartTest.php:43): Failed asserting that 8 is identical to 9.
3 passed, 7 failed, 2 skipped
"#,
    );
}

#[test]
fn deprecations_are_no_failures() {
    expect(
        &read(include_str!("../../../tests/recorded/phpunit/ten.txt")),
        r#"
failed Shop\Tests\CartTest::testDoubles with data set "three to seven" (/home/me/shop/tests/CartTest.php:43): Failed asserting that 6 is identical to 7.
3 passed, 1 failed, 0 skipped
"#,
    );
}
