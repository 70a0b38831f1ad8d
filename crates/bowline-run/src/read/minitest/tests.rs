//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_errors_and_specs() {
    expect(
        &read(include_str!("../../../tests/recorded/minitest/run.txt")),
        r#"
failed parse::of text#test_0001_reads numbers (test/cart_test.rb:46): Expected: 3⏎  Actual: 2
failed HookTest#test_first (test/cart_test.rb:35): RuntimeError: no database
failed CartTest#test_fails_in_the_cart (test/cart_test.rb:17): ArgumentError: an empty cart cannot be parsed
failed CartTest#test_fails_in_a_helper (test/cart_test.rb:21): Expected: 2⏎  Actual: 1
failed CartTest#test_adds_prices (test/cart_test.rb:9): Expected: 4⏎  Actual: 3
failed CartTest#test_with_words (test/cart_test.rb:25): the first line⏎the second line
1 passed, 6 failed, 1 skipped
"#,
    );
}

#[test]
fn by_rails() {
    expect(
        &read(include_str!("../../../tests/recorded/minitest/rails.txt")),
        r#"
failed CartTest#test_adds_prices (test/models/cart_test.rb:9): Expected: 4⏎  Actual: 3
failed CartTest#test_fails_in_the_cart (test/models/cart_test.rb:17): ArgumentError: an empty cart cannot be parsed
1 passed, 2 failed, 0 skipped
"#,
    );
}
