//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn errors() {
    expect(
        &read(include_str!("../../../tests/recorded/phpstan/json.txt")),
        r#"
error /home/me/shop/src/Cart.php:9 return.type: Method Shop\Cart::total() should return int but returns float|int.
error /home/me/shop/src/Cart.php:14 method.notFound: Call to an undefined method Shop\Cart::nowhere().
error -: Ignored error pattern #old# was not matched in reported errors.
"#,
    );
}
