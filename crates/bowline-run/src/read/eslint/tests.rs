//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn errors_and_warnings() {
    expect(
        &read(include_str!("../../../tests/recorded/eslint/json.txt")),
        r#"
error /home/me/shop/src/broken.js:2:3: Parsing error: Unexpected keyword 'return'
warning /home/me/shop/src/cart.js:2:9 no-unused-vars: 'unused' is assigned a value but never used.
error /home/me/shop/src/cart.js:3:13 eqeqeq: Expected '===' and instead saw '=='.
error /home/me/shop/src/cart.js:6:10 no-undef: 'sum' is not defined.
"#,
    );
}
