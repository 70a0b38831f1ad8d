//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn errors_and_warnings() {
    expect(
        &read(include_str!("../../../tests/recorded/swift/errors.txt")),
        r#"
error /home/me/my shop/Sources/Shop/Cart.swift:4:18: cannot convert value of type 'String' to specified type 'Int'
warning /home/me/my shop/Sources/Shop/Cart.swift:9:13: initialization of immutable value 'unused' was never used; consider replacing with assignment to '_' or removing it
error /home/me/my shop/Sources/Shop/Cart.swift:6:9: cannot find 'nowhere' in scope
"#,
    );
}

#[test]
fn xctest() {
    expect(
        &read(include_str!("../../../tests/recorded/swift/xctest.txt")),
        r#"
failed CartTests/testAddsPrices (/home/me/shop/Tests/ShopTests/CartTests.swift:9): XCTAssertEqual failed: ("3") is not equal to ("4") - the sum
failed CartTests/testIsNotEmpty (-): threw error "emptyCart"
1 passed, 2 failed, 1 skipped
"#,
    );
}

#[test]
fn xctest_on_a_mac() {
    expect(
        &read(include_str!("../../../tests/recorded/swift/xctest_mac.txt")),
        r#"
failed ShopTests.CartTests/testAddsPrices (/Users/me/my shop/Tests/ShopTests/CartTests.swift:9): XCTAssertEqual failed: ("3") is not equal to ("4")
0 passed, 1 failed, 0 skipped
"#,
    );
}

#[test]
fn swift_testing() {
    expect(
        &read(include_str!("../../../tests/recorded/swift/testing.txt")),
        r#"
failed addsPrices() (CartTests.swift:8): Expectation failed: (Cart.total([1, 2]) → 3) == 4⏎the sum
failed is not empty (CartTests.swift:12): Caught error: emptyCart
failed doubles(one:two:) (CartTests.swift:18): Expectation failed: (one * 2 → 6) == (two → 7) (with 2 arguments one → 3, two → 7)
1 passed, 3 failed, 0 skipped
"#,
    );
}
