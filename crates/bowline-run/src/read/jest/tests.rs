//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_of_tests_and_files() {
    expect(
        &read(include_str!("../../../tests/recorded/jest/json.txt")),
        r#"
failed adds prices (/home/me/shop/test/cart.test.js:5): expect(received).toBe(expected) // Object.is equality⏎⏎Expected: 4⏎Received: 3
failed parse of text reads [lists] (in order) (/home/me/shop/test/cart.test.js:15): expect(received).toEqual(expected) // deep equality⏎⏎- Expected  - 1⏎+ Received  + 1⏎⏎  Array [⏎    1,⏎-   3,⏎+   2,⏎  ]
failed parse of text is not empty (/home/me/shop/test/cart.test.js:19): RangeError: an empty cart cannot be parsed
failed doubles 3 to 7 (/home/me/shop/test/cart.test.js:29): expect(received).toBe(expected) // Object.is equality⏎⏎Expected: 7⏎Received: 6
failed fails in a helper (/home/me/shop/test/cart.test.js:33): expect(received).toBe(expected) // Object.is equality⏎⏎Expected: 2⏎Received: 1
failed matches its snapshot (/home/me/shop/test/cart.test.js:37): expect(received).toMatchSnapshot()⏎⏎Snapshot name: `matches its snapshot 1`⏎⏎- Snapshot  - 1⏎+ Received  + 1⏎⏎  {⏎-   "total": 4,⏎+   "total": 5,⏎  }
failed never ends (/home/me/shop/test/cart.test.js:40): thrown: "Exceeded timeout of 50 ms for a test.⏎Add a timeout value to this test to increase the timeout, if this is a long-running test. See https://jestjs.io/docs/api#testname-fn-timeout."
failed with a hook first (/home/me/shop/test/hooks.test.js:3): no database
failed with a hook second (/home/me/shop/test/hooks.test.js:3): no database
failed /home/me/shop/test/syntax.test.js (/home/me/shop/test/syntax.test.js:2): SyntaxError: /home/me/shop/test/syntax.test.js: Unexpected token (2:12)⏎⏎  1 | test("never seen", () => {⏎> 2 |   const x = ;⏎    |             ^⏎  3 | });⏎  4 |
failed /home/me/shop/test/imports.test.js (/home/me/shop/test/imports.test.js:1): Cannot find module '../src/gone.js' from 'test/imports.test.js'⏎⏎> 1 | const { gone } = require("../src/gone.js");⏎    |                  ^⏎  2 |⏎  3 | test("never seen either", () => gone());⏎  4 |
3 passed, 11 failed, 2 skipped
"#,
    );
}
