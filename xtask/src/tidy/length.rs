//! No file grows past what one can keep in mind.

use super::Finding;
use super::tree::{Tree, is_test, without_tests};

const MOST: usize = 500;

/// Files that are longer, and why that is right.
const LONGER: [(&str, &str); 0] = [];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.rust()
        .filter(|(path, _)| !is_test(path) && !LONGER.iter().any(|(long, _)| long == path))
        .filter_map(|(path, text)| {
            let lines = without_tests(text).lines().count();
            (lines > MOST).then(|| {
                let what = format!(
                    "{lines} lines without tests, above {MOST}: give its second job a file, or list it with a \
                     reason in xtask/src/tidy/length.rs"
                );
                Finding::new(path, MOST + 1, what)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_code_and_not_tests() {
        let code = "//! Long.\n".repeat(MOST);
        let tested = format!("{code}#[cfg(test)]\nmod tests {{\n}}\n");
        let long = format!("{code}fn a() {{}}\n");
        let tree = Tree::of(&[("a.rs", &tested), ("b.rs", &long), ("tests/it/main.rs", &long)]);
        let [finding] = &check(&tree)[..] else { panic!() };
        assert_eq!((finding.path.as_str(), finding.line), ("b.rs", 501));
    }
}
