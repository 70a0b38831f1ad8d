//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn errors_of_syntax() {
    expect(
        &read(include_str!("../../../tests/recorded/php/syntax.txt")),
        r#"
error src/Broken.php:3: syntax error, unexpected token "{", expecting variable
"#,
    );
}
