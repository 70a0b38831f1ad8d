//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn errors_of_syntax() {
    expect(
        &read(include_str!("../../../tests/recorded/ruby/syntax.txt")),
        r#"
error lib/broken.rb:3: syntax error, unexpected integer literal, expecting ')'
error lib/broken.rb:5: syntax error, unexpected `end', expecting end-of-input
"#,
    );
}

#[test]
fn errors_of_syntax_since_3_4() {
    expect(
        &read(include_str!("../../../tests/recorded/ruby/prism.txt")),
        r#"
warning lib/broken.rb:3: possibly useless use of a literal in void context
error lib/broken.rb:3:5: unexpected integer; expected a `)` to close the parameters
error lib/broken.rb:5:1: unexpected 'end', ignoring it
"#,
    );
}
