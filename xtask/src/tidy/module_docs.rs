//! Every file says first what lives in it.

use super::Finding;
use super::tree::{Tree, is_sample};

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust()
        .filter(|(path, text)| !is_sample(path) && !text.starts_with("//!"))
        .map(|(path, _)| {
            Finding::new(path, 1, "begin the file with `//!` and one sentence on what lives here")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_a_file_without_its_sentence() {
        let tree = Tree::of(&[
            ("crates/a/src/lib.rs", "//! Words.\n"),
            ("crates/a/src/b.rs", "use std::fmt;\n//! Late.\n"),
            ("crates/a/tests/fixtures/c.rs", "fn main() {}\n"),
        ]);
        let [finding] = &check(&tree)[..] else { panic!() };
        assert_eq!(finding.path, "crates/a/src/b.rs");
    }
}
