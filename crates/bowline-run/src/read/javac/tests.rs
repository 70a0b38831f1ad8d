//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn errors_with_columns() {
    expect(
        &read(include_str!("../../../tests/recorded/javac/errors.txt")),
        r#"
error src/Broken.java:7:17: incompatible types: String cannot be converted to int
error src/Broken.java:10:16: cannot find symbol⏎  symbol:   method nowhere(int)⏎  location: class Broken
error src/Broken.java:15:16: incompatible types: ArrayList<Integer> cannot be converted to List<String>
"#,
    );
}

#[test]
fn warnings_and_what_is_about_no_file() {
    expect(
        &read(include_str!("../../../tests/recorded/javac/warnings.txt")),
        r#"
warning C:\Users\me\shop\src\Cart.java:7:18 unchecked: unchecked call to add(E) as a member of the raw type List
warning - options: system modules path not set in conjunction with -source 11
error -: release version 99 not supported
"#,
    );
}
