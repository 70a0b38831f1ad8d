//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_of_tests_and_hooks() {
    expect(
        &read(include_str!("../../../tests/recorded/mocha/json.txt")),
        r#"
failed adds prices (/home/me/shop/test/cart.test.js:6): Expected values to be strictly equal:⏎⏎3 !== 4
failed fails in a helper (/home/me/shop/test/cart.test.js:26): Expected values to be strictly equal:⏎⏎1 !== 2
failed never ends (/home/me/shop/test/cart.test.js): Timeout of 50ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. (/home/me/shop/test/cart.test.js)
failed parse of text reads [lists] (in order) (/home/me/shop/test/cart.test.js:16): Expected values to be strictly deep-equal:⏎+ actual - expected⏎⏎  [⏎    1,⏎+   2⏎-   3⏎  ]
failed parse of text is not empty (/home/me/shop/test/cart.test.js:20): an empty cart cannot be parsed
failed with a hook first (/home/me/shop/test/cart.test.js:36): no database
1 passed, 6 failed, 2 skipped
"#,
    );
}

#[test]
fn a_file_that_cannot_be_loaded() {
    expect(
        &read(include_str!("../../../tests/recorded/mocha/unloaded.txt")),
        r#"
failed /home/me/shop/test/zsyntax.test.js (/home/me/shop/test/zsyntax.test.js:1): /home/me/shop/test/zsyntax.test.js:1⏎const x = ;⏎          ^⏎⏎SyntaxError: Unexpected token ';'
"#,
    );
}
