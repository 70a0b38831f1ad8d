//! The papers that must exist beside the code.

use super::Finding;
use super::tree::Tree;

const ROOMS: &str = "crates/README.md";
const CHANGES: &str = "CHANGELOG.md";

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let rooms = tree.get(ROOMS).unwrap_or_default();
    for (name, _) in tree.crates() {
        let quoted = format!("`{name}`");
        // Lines about one room may mention others: the first name in a line is the one it is about.
        let lines = rooms
            .lines()
            .filter(|line| line.find('`').is_some_and(|at| line[at..].starts_with(&quoted)))
            .count();
        if lines != 1 {
            let what = format!("give {quoted} one line with its one job; it has {lines}");
            findings.push(Finding::new(ROOMS, 1, what));
        }
    }
    if tree.get(CHANGES).is_none() {
        let what = "is missing: what changes for users is written down in the commit that changes it";
        findings.push(Finding::new(CHANGES, 1, what));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_room_has_one_line_and_changes_have_a_place() {
        let rooms = "# Crates\n\n| [`bowline-a`](bowline-a) | words, see `bowline-b` |\n";
        let tree = Tree::of(&[
            ("crates/bowline-a/Cargo.toml", ""),
            ("crates/bowline-b/Cargo.toml", ""),
            (ROOMS, rooms),
        ]);
        let shown: Vec<String> = check(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "crates/README.md:1: give `bowline-b` one line with its one job; it has 0",
                "CHANGELOG.md:1: is missing: what changes for users is written down in the commit that changes it"
            ]
        );
    }
}
