//! Names of files that one command of a pipe prints, and the next one takes for its words.

use super::syntax::Node;
use super::walker::{Stdin, Walker};
use crate::Word;
use crate::programs::INPUT;
use crate::programs::meaning;
use crate::programs::names::{Names, appended, hands_on, printed};

impl Walker {
    /// What this command prints, if it is names: its own, or some of those that it reads.
    pub(super) fn printed(&mut self, node: &Node, read: Option<&Names>) -> Option<Names> {
        let Node::Simple(simple) = node else { return None };
        if !simple.assignments.is_empty() || !simple.redirects.is_empty() {
            return None;
        }
        let words: Vec<Word> =
            simple.words.iter().flat_map(|raw| self.resolve(raw)).map(|resolved| resolved.word).collect();
        let program = words.first().and_then(Word::literal)?;
        if self.is_function(program) {
            return None;
        }
        printed(&words).or_else(|| read.filter(|_| hands_on(&words)).cloned())
    }

    /// Runs what another command runs. What `xargs` puts in are the names that it reads, if these are known.
    pub(super) fn run_given(&mut self, by: &[Word], run: Vec<Word>, stdin: &Stdin) {
        let Stdin::Names(names) = stdin else { return self.run(run, stdin) };
        let Some((given, splits_names)) = appended(by, names) else { return self.run(run, &Stdin::Unknown) };
        let is_input = |word: &Word| matches!(word, Word::Unknown { start, text, .. } if start.is_empty() && text == INPUT);
        let is_part =
            |word: &Word| matches!(word, Word::Unknown { text, .. } if text == INPUT) && !is_input(word);
        if run.iter().any(is_part) {
            return self.run(run, &Stdin::Unknown);
        }
        let filled: Vec<Word> = run
            .iter()
            .flat_map(|word| if is_input(word) { given.clone() } else { vec![word.clone()] })
            .collect();
        // Names that may be split are looked at by whoever looks at the touched files: there must be some.
        let touched = meaning(&filled).touches;
        let is_told = given.iter().all(|word| touched.iter().any(|touched| touched.path == *word));
        if splits_names && !is_told {
            return self.run(run, &Stdin::Unknown);
        }
        let before = std::mem::replace(&mut self.splits_names, splits_names);
        self.run(filled, &Stdin::Nothing);
        self.splits_names = before;
    }
}
