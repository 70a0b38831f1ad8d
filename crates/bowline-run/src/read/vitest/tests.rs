//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_of_tests_and_files() {
    expect(
        &read(include_str!("../../../tests/recorded/vitest/json.txt")),
        r#"
failed adds prices (/home/me/shop/test/cart.test.js:6): AssertionError: expected 3 to be 4 // Object.is equality
failed parse of text reads [lists] (in order) (/home/me/shop/test/cart.test.js:16): AssertionError: expected [ 1, 2 ] to deeply equal [ 1, 3 ]
failed parse of text is not empty (/home/me/shop/test/cart.test.js:20): RangeError: an empty cart cannot be parsed
failed doubles 3 to 7 (/home/me/shop/test/cart.test.js:30): AssertionError: expected 6 to be 7 // Object.is equality
failed fails in a helper (/home/me/shop/test/cart.test.js:34): AssertionError: expected 1 to be 2 // Object.is equality
failed matches its snapshot (/home/me/shop/test/cart.test.js:38): Snapshot `matches its snapshot 1` mismatched
failed never ends (/home/me/shop/test/cart.test.js:45): timed out
failed with a hook first (/home/me/shop/test/hooks.test.js:5): no database
failed with a hook second (/home/me/shop/test/hooks.test.js:5): no database
failed /home/me/shop/test/imports.test.js (/home/me/shop/test/imports.test.js): Cannot find module '../src/gone.js' imported from /home/me/shop/test/imports.test.js
failed /home/me/shop/test/syntax.test.js (/home/me/shop/test/syntax.test.js:4): Parse failure: Parse failed with 1 error:⏎Unexpected token⏎2:⏎3: test("never seen", () => {⏎4:   const x = ;⏎               ^⏎5: });⏎At file: /test/syntax.test.js:4:12
3 passed, 11 failed, 2 skipped
"#,
    );
}

#[test]
fn version_five() {
    expect(
        &read(include_str!("../../../tests/recorded/vitest/five.json")),
        r#"
failed adds prices (/home/me/shop/test/cart.test.js:6): AssertionError: expected 3 to be 4 // Object.is equality
failed parse of text reads [lists] (in order) (/home/me/shop/test/cart.test.js:16): AssertionError: expected [ 1, 2 ] to deeply equal [ 1, 3 ]
failed parse of text is not empty (/home/me/shop/test/cart.test.js:20): RangeError: an empty cart cannot be parsed
failed doubles 3 to 7 (/home/me/shop/test/cart.test.js:30): AssertionError: expected 6 to be 7 // Object.is equality
failed fails in a helper (/home/me/shop/test/cart.test.js:34): AssertionError: expected 1 to be 2 // Object.is equality
failed matches its snapshot (/home/me/shop/test/cart.test.js:38): Snapshot `matches its snapshot 1` mismatched
failed never ends (/home/me/shop/test/cart.test.js:45): Test timed out in 50ms.⏎If this is a long-running test, pass a timeout value as the last argument or configure it globally with "testTimeout".
failed with a hook first (/home/me/shop/test/hooks.test.js:5): no database
failed with a hook second (/home/me/shop/test/hooks.test.js:5): no database
failed /home/me/shop/test/imports.test.js (/home/me/shop/test/imports.test.js): Cannot find module '../src/gone.js' imported from /home/me/shop/test/imports.test.js
failed /home/me/shop/test/syntax.test.js (/home/me/shop/test/syntax.test.js:4): Parse failure: Parse failed with 1 error:⏎Unexpected token⏎2:⏎3: test("never seen", () => {⏎4:   const x = ;⏎               ^⏎5: });⏎At file: /test/syntax.test.js:4:12
3 passed, 11 failed, 2 skipped
"#,
    );
}
