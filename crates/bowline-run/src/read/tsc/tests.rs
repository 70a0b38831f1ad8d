//! What was printed, and what is read from it.

use super::read;
use crate::read::shown::expect;

#[test]
fn problems_with_their_places() {
    expect(
        &read(include_str!("../../../tests/recorded/tsc/plain.txt")),
        r#"
error src/cart.ts:10:14 TS2322: Type 'string' is not assignable to type 'number'.
error src/cart.ts:12:44 TS2322: Type '{ amount: number; currency: string; }' is not assignable to type 'number'.
error src/main.ts:1:17 TS2305: Module '"./cart"' has no exported member 'missing'.
error src/main.ts:2:24 TS2307: Cannot find module './nowhere' or its corresponding type declarations.
error src/main.ts:4:27 TS2741: Property 'price' is missing in type '{ name: string; }' but required in type 'Item'.
error src/with space (and parens)/odd.ts:2:3 TS2322: Type 'number' is not assignable to type 'boolean'.
"#,
    );
}

#[test]
fn the_form_for_people() {
    expect(
        &read(include_str!("../../../tests/recorded/tsc/pretty.txt")),
        r#"
error src/cart.ts:10:14 TS2322: Type 'string' is not assignable to type 'number'.
error src/cart.ts:12:44 TS2322: Type '{ amount: number; currency: string; }' is not assignable to type 'number'.
error src/main.ts:1:17 TS2305: Module '"./cart"' has no exported member 'missing'.
error src/main.ts:2:24 TS2307: Cannot find module './nowhere' or its corresponding type declarations.
error src/main.ts:4:27 TS2741: Property 'price' is missing in type '{ name: string; }' but required in type 'Item'.
error src/with space (and parens)/odd.ts:2:3 TS2322: Type 'number' is not assignable to type 'boolean'.
"#,
    );
}

#[test]
fn explanations_windows_and_what_is_about_no_file() {
    expect(
        &read(
            "error TS18003: No inputs were found in config file.\r\n\
             C:\\a b\\ä (1).ts(3,7): error TS2322: Type 'A' is not assignable to type 'B'.\r\n  \
             Types of property 'x' are incompatible.\r\n    Type 'string' is not assignable to type 'number'.\r\n\
             \r\nFound 2 errors.\r\nnot(3,4): an error TS1: this\r\n",
        ),
        r#"
error - TS18003: No inputs were found in config file.
error C:\a b\ä (1).ts:3:7 TS2322: Type 'A' is not assignable to type 'B'.⏎  Types of property 'x' are incompatible.⏎    Type 'string' is not assignable to type 'number'.
"#,
    );
}
