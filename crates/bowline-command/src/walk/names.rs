//! Names of files that one command prints, and another one takes for its words.

use super::resolve::{Resolved, is_name};
use super::syntax::{Node, Piece, Raw};
use super::walker::{Stdin, Walker};
use crate::Word;
use crate::programs::INPUT;
use crate::programs::meaning;
use crate::programs::names::{Marks, Names, appended, hands_on, printed};

/// Subcommands of git that change nothing of what is tracked.
const LOOKS: &[&str] = &["ls-files", "diff", "status", "log", "show", "grep", "rev-parse", "blame", "branch"];

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
        let mut names = printed(&words).or_else(|| read.filter(|_| hands_on(&words)).cloned())?;
        names.is_tracked &= !self.changes_the_index();
        Some(names)
    }

    /// A command before this one may have made git track more.
    fn changes_the_index(&self) -> bool {
        self.script.commands.iter().any(|command| {
            let word = |at: usize| command.words.get(at).and_then(Word::literal).unwrap_or_default();
            word(0).rsplit('/').next() == Some("git") && !LOOKS.contains(&word(1))
        })
    }

    /// The words that the shell makes of `$(…)`, if names are printed there.
    pub(super) fn substituted(&mut self, raw: &Raw) -> Option<Vec<Resolved>> {
        let [Piece::Code { body, is_quoted: false }] = raw.pieces.as_slice() else { return None };
        let [node] = body.as_slice() else { return None };
        let names = match node {
            Node::Pipe(parts) => {
                let mut names = None;
                for part in parts {
                    names = Some(self.printed(part, names.as_ref())?);
                }
                names?
            }
            node => self.printed(node, None)?,
        };
        let resolved = |word: Word| Resolved { word, guesses: Vec::new(), is_complete: false };
        names.split().map(|words| words.into_iter().map(resolved).collect())
    }

    /// `read -r NAME` takes one name after the other. Whether it does so here.
    pub(super) fn read_names(&mut self, words: &[Word], stdin: &Stdin) -> bool {
        let Stdin::Names(names) = stdin else { return false };
        let literal: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
        let name = match literal.as_deref() {
            Some(["read", "-r", name] | ["read", name]) => *name,
            _ => return false,
        };
        let Some(lines) = names.lines().filter(|_| is_name(name) && !self.is_function("read")) else {
            return false;
        };
        for word in lines {
            let value = Resolved { word, guesses: Vec::new(), is_complete: false };
            self.assign_resolved(name, &value);
        }
        self.sure(name);
        true
    }

    /// The same words, but where names may become others: there must be a touch that says which files they are, so that
    /// the disk is looked at. Otherwise nothing is known of them.
    pub(super) fn told(&self, words: Vec<Word>) -> Vec<Word> {
        let may_split = |word: &Word| {
            matches!(word, Word::Unknown { text, .. } if {
                let (_, marks) = Marks::read(text);
                marks.splits || marks.expands
            })
        };
        if !words.iter().any(may_split) {
            return words;
        }
        let touched = meaning(&words).touches;
        let is_told = |word: &Word| touched.iter().any(|touched| touched.path == *word);
        if words.iter().filter(|word| may_split(word)).all(is_told) {
            return words;
        }
        let unknown = |word: Word| match word {
            Word::Unknown { text, .. } => Word::filled("", &format!("<{}>", Marks::read(&text).0), true),
            literal @ Word::Literal(_) => literal,
        };
        words.into_iter().map(|word| if may_split(&word) { unknown(word) } else { word }).collect()
    }

    /// Runs what another command runs. What `xargs` puts in are the names that it reads, if these are known.
    pub(super) fn run_given(&mut self, by: &[Word], run: Vec<Word>, stdin: &Stdin) {
        let Stdin::Names(names) = stdin else { return self.run(run, stdin) };
        let Some(given) = appended(by, names) else { return self.run(run, &Stdin::Unknown) };
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
        self.run(filled, &Stdin::Nothing);
    }
}
