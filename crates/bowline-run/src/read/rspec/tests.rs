//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn failures_of_examples() {
    expect(
        &read(include_str!("../../../tests/recorded/rspec/json.txt")),
        r#"
failed Cart adds prices (./spec/cart_spec.rb:6): expected: 4⏎     got: 3⏎⏎(compared using ==)
failed Cart doubles 3 to 7 (./spec/cart_spec.rb:27): expected: 7⏎     got: 6⏎⏎(compared using ==)
failed Cart fails in a helper (./spec/cart_spec.rb:32): expected: 2⏎     got: 1⏎⏎(compared using ==)
failed Cart with a hook first (./spec/cart_spec.rb:36): RuntimeError: no database
failed Cart.parse of text reads numbers (./spec/cart_spec.rb:16): expected: 3⏎     got: 2⏎⏎(compared using ==)
failed Cart.parse of text is not empty (./spec/cart_spec.rb:20): ArgumentError: an empty cart cannot be parsed
2 passed, 6 failed, 2 skipped
"#,
    );
}

#[test]
fn a_file_that_cannot_be_loaded() {
    expect(
        &read(include_str!("../../../tests/recorded/rspec/unloaded.txt")),
        r#"
failed ./spec/broken_spec.rb (./spec/broken_spec.rb:1): require "nowhere"⏎⏎LoadError:⏎  cannot load such file -- nowhere
0 passed, 1 failed, 0 skipped
"#,
    );
}
