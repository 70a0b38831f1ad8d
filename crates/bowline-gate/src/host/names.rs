//! Patterns over names of tools, of which few are looked at for each name.

use std::collections::{BTreeSet, HashMap};

use bowline_call::Spelling;

use crate::pattern::Shape;
use crate::{BadPattern, NamePattern};

/// The patterns of a list.
#[derive(Debug, Default)]
pub(super) struct Names {
    all: Vec<Listed>,
    exact: HashMap<String, Vec<usize>>,
    /// By what stands before the first star.
    starts: Ends,
    /// By what stands after the last one, if nothing stands before the first.
    ends: Ends,
}

#[derive(Debug)]
struct Listed {
    owner: usize,
    spelling: Spelling,
    shape: Shape,
}

#[derive(Debug, Default)]
struct Ends {
    by_text: HashMap<String, Vec<usize>>,
    lengths: BTreeSet<usize>,
}

impl Ends {
    fn add(&mut self, text: &str, index: usize) {
        self.lengths.insert(text.len());
        self.by_text.entry(text.to_owned()).or_default().push(index);
    }
}

impl Names {
    pub(super) fn add(&mut self, owner: usize, pattern: &NamePattern) -> Result<(), BadPattern> {
        for spelling in pattern.spellings() {
            let (index, text) = (self.all.len(), spelling.text.as_str());
            let shape = Shape::of(text)?;
            let is_sign = |letter: char| "*?[]{}\\".contains(letter);
            let start = text.split(is_sign).next().unwrap_or_default();
            match shape {
                Shape::Exact => self.exact.entry(text.to_owned()).or_default().push(index),
                Shape::Stars if start.is_empty() => {
                    self.ends.add(text.rsplit('*').next().unwrap_or_default(), index);
                }
                Shape::Stars | Shape::Glob(_) => self.starts.add(start, index),
            }
            self.all.push(Listed { owner, spelling: spelling.clone(), shape });
        }
        Ok(())
    }

    /// The entries whose patterns mean this name, and how these were spelt.
    pub(super) fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (usize, &'a Spelling)> {
        let start = |length: &usize| self.starts.by_text.get(name.get(..*length)?);
        let end = |length: &usize| self.ends.by_text.get(name.get(name.len().checked_sub(*length)?..)?);
        let starts = self.starts.lengths.iter().filter_map(start).flatten();
        let ends = self.ends.lengths.iter().filter_map(end).flatten();
        let candidates = self.exact.get(name).into_iter().flatten().chain(starts).chain(ends);
        candidates
            .map(|index| &self.all[*index])
            .filter(|listed| listed.shape.is(&listed.spelling.text, name))
            .map(|listed| (listed.owner, &listed.spelling))
    }
}
