//! The cases as `docs/reference/symbol-edits.md` lists them. `UPDATE_TABLE=1` writes it anew.

use super::cases::{self, Case, Expected};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/symbol-edits.md");

const HEAD: &str = "\
# What is done to symbols, case by case

Written by `UPDATE_TABLE=1 cargo test -p bowline-workspace --test it symbol_edits`, and checked by every run of it. The texts \
before and after are in `crates/bowline-workspace/tests/it/symbol_edits/`, one file per language.

A symbol is named by its path: `name`, `Type.method`, `Type::method`, `(*Type).method`, `outer.inner`, `<Type as Trait>::method`. \
A path that means several symbols is refused with their places; `name[0]` is the first of them. For a body, only those that have \
one are meant.

- **body** takes what is between the braces, with or without them; text that ends with the closing brace (or `end`) alone is \
read as what is left of it. The text is indented to fit, in tabs or spaces as the file has them; lines of text literals are left \
alone. An expression is replaced by an expression, or by a block where the language allows one. A suite must hold a statement. \
A whole declaration is refused.
- **before** and **after** put code on lines of its own, above everything that belongs to the symbol (doc comment, attributes, \
decorators, `export`, `template`) or below its separator and the comment on its last line, with as many empty lines between as \
are there already. In a list with commas, commas are put as they are needed. A symbol that shares its line with others is refused, \
unless it is an element of a list.
- **delete** takes all of that, one comma, and the empty lines that kept it apart. The only statement of a Python suite becomes \
`pass`. Names that are declared together, parameters, and what is inside an expression are refused.
- **replace** puts text in the place of the declaration, without its doc comment and attributes.

Whatever is done, a file that could be read can be read afterwards, every other symbol is where it was, and the new text is where \
it was put; otherwise it is refused, with the line, and nothing is changed.

";

#[test]
fn the_page_lists_every_case() {
    let text = page(&cases::all());
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(FILE, &text).unwrap();
    }
    let written = std::fs::read_to_string(FILE).unwrap_or_default();
    assert_eq!(written, text, "the page is not what the cases are (UPDATE_TABLE=1)");
}

fn page(cases: &[Case]) -> String {
    let mut text = HEAD.to_owned();
    text.push_str("| # | file | case | edit | outcome |\n|---|---|---|---|---|\n");
    for (index, case) in cases.iter().enumerate() {
        let outcome = match &case.expected {
            Expected::After(_) => "done".to_owned(),
            Expected::Refused(told) => {
                let why = told.split_once(" is left as it is: ").map_or(told.as_str(), |(_, why)| why);
                format!("refused: {}", why.replace('|', "\\|"))
            }
        };
        let (number, file, title) = (index + 1, &case.file, &case.title);
        let edit = format!("{} `{}`", case.does.as_str(), case.symbol);
        text.push_str(&format!("| {number} | {file} | {title} | {edit} | {outcome} |\n"));
    }
    text
}

#[test]
fn there_are_enough_of_them() {
    let cases = cases::all();
    let languages: std::collections::BTreeSet<&str> = cases.iter().map(|case| case.file.as_str()).collect();
    let refused = cases.iter().filter(|case| matches!(case.expected, Expected::Refused(_))).count();
    assert!(
        cases.len() >= 90 && languages.len() >= 13 && refused >= 30,
        "{} {languages:?} {refused}",
        cases.len()
    );
}
