//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn the_compiler() {
    expect(
        &read(include_str!("../../../tests/recorded/kotlin/kotlinc.txt")),
        r#"
error src/Broken Cart.kt:4:24: return type mismatch: expected 'Int', actual 'String'.
error src/Broken Cart.kt:6:21: unresolved reference 'nowhere'.
"#,
    );
}

#[test]
fn the_plugin_of_gradle() {
    expect(
        &read(include_str!("../../../tests/recorded/kotlin/gradle.txt")),
        r#"
error /home/me/shop/src/main/kotlin/Cart.kt:4:24: Return type mismatch: expected 'Int', actual 'String'.
error /home/me/shop/src/main/kotlin/Cart.kt:6:21: Unresolved reference: nowhere
warning C:/Users/me/shop/src/main/kotlin/Cart.kt:9:13: Variable 'unused' is never used
"#,
    );
}
