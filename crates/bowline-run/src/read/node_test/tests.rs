//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_of_tests_and_files() {
    expect(
        &read(include_str!("../../../tests/recorded/node_test/tap.txt")),
        r#"
failed adds prices (/home/me/shop/test/cart.test.js:7): Expected values to be strictly equal:⏎⏎3 !== 4
failed reads [lists] (in order) (/home/me/shop/test/cart.test.js:17): Expected values to be strictly deep-equal:⏎+ actual - expected⏎⏎  [⏎    1,⏎+   2⏎-   3⏎  ]
failed is not empty (/home/me/shop/test/cart.test.js:21): an empty cart cannot be parsed
failed doubles 3 to 7 (/home/me/shop/test/cart.test.js:31): Expected values to be strictly equal:⏎⏎6 !== 7
failed fails in a helper (/home/me/shop/test/cart.test.js:36): Expected values to be strictly equal:⏎⏎1 !== 2
failed step one (/home/me/shop/test/cart.test.js:41): step one is not ready
failed never ends (/home/me/shop/test/cart.test.js:45): test timed out after 50ms
failed first (/home/me/shop/test/hooks.test.js:5): no database
failed second (/home/me/shop/test/hooks.test.js:5): no database
failed /home/me/shop/test/imports.test.js (/home/me/shop/test/imports.test.js): Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/me/shop/src/gone.js' imported from /home/me/shop/test/imports.test.js
failed /home/me/shop/test/syntax.test.js (/home/me/shop/test/syntax.test.js:4): SyntaxError: Unexpected token ';'
2 passed, 12 failed, 2 skipped
"#,
    );
}

#[test]
fn node_22() {
    expect(
        &read(include_str!("../../../tests/recorded/node_test/tap22.txt")),
        r#"
failed adds prices (/home/me/shop/test/cart.test.js:7): Expected values to be strictly equal:⏎⏎3 !== 4
failed reads [lists] (in order) (/home/me/shop/test/cart.test.js:17): Expected values to be strictly deep-equal:⏎+ actual - expected⏎⏎  [⏎    1,⏎+   2⏎-   3⏎  ]
failed is not empty (/home/me/shop/test/cart.test.js:21): an empty cart cannot be parsed
failed doubles 3 to 7 (/home/me/shop/test/cart.test.js:31): Expected values to be strictly equal:⏎⏎6 !== 7
failed fails in a helper (/home/me/shop/test/cart.test.js:36): Expected values to be strictly equal:⏎⏎1 !== 2
failed step one (/home/me/shop/test/cart.test.js:41): step one is not ready
failed never ends (/home/me/shop/test/cart.test.js:45): test timed out after 50ms
failed first (/home/me/shop/test/hooks.test.js:5): no database
failed second (/home/me/shop/test/hooks.test.js:5): no database
failed test/imports.test.js (/home/me/shop/test/imports.test.js): Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/home/me/shop/src/gone.js' imported from /home/me/shop/test/imports.test.js
failed test/syntax.test.js (/home/me/shop/test/syntax.test.js:4): SyntaxError: Unexpected token ';'
2 passed, 12 failed, 2 skipped
"#,
    );
}
