//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn tests_of_a_build() {
    expect(
        &read(include_str!("../../../tests/recorded/zig/build_test.txt")),
        r#"
failed cart.test.adds prices (/home/me/shop/src/cart.zig:19): expected 4, found 3
failed cart.test.fails in the cart (/home/me/shop/src/cart.zig:27): if (text.len == 0) return error.EmptyCart;
failed cart.test.fails in a helper (/home/me/shop/src/cart.zig:31): expected 2, found 1
failed cart.test.texts (/home/me/shop/src/cart.zig:35): ====== expected this output: =========⏎tea␃⏎⏎======== instead found this: =========⏎coffee␃⏎⏎======================================⏎First difference occurs on line 1:⏎expected:⏎tea⏎^ ('\x74')⏎found:⏎coffee⏎^ ('\x63')
failed cart.test.leaks (/home/me/shop/src/cart.zig:43): leaked 1 allocations:⏎[SafeAllocator] (err): leaked [addr: 7fa86e4a8010, len: 3 (0x3) align: 1] allocated at:
failed cart.decltest.parse (/home/me/shop/src/cart.zig:47): if (!ok) return error.TestUnexpectedResult;
2 passed, 5 failed, 1 skipped
"#,
    );
}

#[test]
fn tests_of_a_build_0_13() {
    expect(
        &read(include_str!("../../../tests/recorded/zig/build_test_0_13.txt")),
        r#"
failed cart.test.adds prices (/home/me/shop/src/cart.zig:19): expected 4, found 3
failed cart.test.fails in the cart (/home/me/shop/src/cart.zig:27): if (text.len == 0) return error.EmptyCart;
failed cart.test.fails in a helper (/home/me/shop/src/cart.zig:31): expected 2, found 1
failed cart.test.texts (/home/me/shop/src/cart.zig:35): ====== expected this output: =========⏎tea␃⏎⏎======== instead found this: =========⏎coffee␃⏎⏎======================================⏎First difference occurs on line 1:⏎expected:⏎tea⏎^ ('\x74')⏎found:⏎coffee⏎^ ('\x63')
failed cart.test.leaks (/home/me/shop/src/cart.zig:43): leaked: [gpa] (err): memory address 0x7fe9e2a1d000 leaked:
failed cart.decltest.parse (/home/me/shop/src/cart.zig:47): if (!ok) return error.TestUnexpectedResult;
2 passed, 5 failed, 1 skipped
"#,
    );
}

#[test]
fn tests_of_a_file() {
    expect(
        &read(include_str!("../../../tests/recorded/zig/test.txt")),
        r#"
failed cart.test.adds prices (/home/me/shop/src/cart.zig:19): expected 4, found 3
failed cart.test.fails in the cart (/home/me/shop/src/cart.zig:27): error.EmptyCart
failed cart.test.fails in a helper (/home/me/shop/src/cart.zig:31): expected 2, found 1
failed cart.test.texts (/home/me/shop/src/cart.zig:35): ====== expected this output: =========⏎tea␃⏎⏎======== instead found this: =========⏎coffee␃⏎⏎======================================⏎First difference occurs on line 1:⏎expected:⏎tea⏎^ ('\x74')⏎found:⏎coffee⏎^ ('\x63')
failed cart.test.leaks (/home/me/shop/src/cart.zig:43): [SafeAllocator] (err): leaked [addr: 7f9a81aa8010, len: 3 (0x3) align: 1] allocated at:
failed cart.decltest.parse (/home/me/shop/src/cart.zig:47): error.TestUnexpectedResult
2 passed, 5 failed, 1 skipped
"#,
    );
}

#[test]
fn errors() {
    expect(
        &read(include_str!("../../../tests/recorded/zig/errors.txt")),
        r#"
error src/broken.zig:6:5: use of undeclared identifier 'nowhere'
"#,
    );
}
