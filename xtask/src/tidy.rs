//! `cargo xtask tidy`: the rules of the house that no compiler knows. `cargo test` runs them too.
//!
//! Each rule is a function from the files to its findings, so that its tests hold a few lines of text.

mod arrows;
mod length;
mod listed;
mod module_docs;
mod papers;
mod tree;
mod words;

use std::fmt;

use anyhow::{Result, bail};

use crate::arguments::Arguments;
use tree::Tree;

const RULES: [fn(&Tree) -> Vec<Finding>; 7] = [
    module_docs::check,
    listed::check,
    arrows::check,
    length::check,
    words::check_todo,
    words::check_places,
    papers::check,
];

/// What is out of order, where, and how to mend it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    line: usize,
    what: String,
}

impl Finding {
    fn new(path: impl Into<String>, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.into(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

pub(crate) fn main(arguments: Arguments) -> Result<()> {
    arguments.finish()?;
    run()
}

pub(crate) fn run() -> Result<()> {
    crate::run::header("tidy");
    let tree = Tree::read()?;
    let findings = check(&tree);
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => {
            println!("-- tidy: {} files in order", tree.len());
            Ok(())
        }
        1 => bail!("one thing is out of order"),
        several => bail!("{several} things are out of order"),
    }
}

fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(tree)).collect();
    findings.sort();
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_is_in_order() {
        let findings: Vec<String> = check(&Tree::read().unwrap()).iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "\n{}\n", findings.join("\n"));
    }
}
