//! Which files the tests of `find` leave, as far as that is certain.

use super::super::readers::search::simple;
use super::end_of_command;
use crate::{Filter, Word};

/// What the words of a search say of names.
pub(super) struct Expression {
    /// Where a test stands, and the patterns of which one must match.
    names: Vec<(usize, Vec<String>)>,
    /// Where `-type f` stands.
    files: Option<usize>,
    follows_links: bool,
    /// Something other than a plain conjunction begins here: nothing is certain.
    is_open: bool,
}

impl Expression {
    pub(super) fn read(words: &[Word]) -> Self {
        let mut read = Self { names: Vec::new(), files: None, follows_links: false, is_open: false };
        let mut at = 1;
        let mut is_negated = false;
        while at < words.len() {
            let text = words[at].literal();
            let value = words.get(at + 1).and_then(Word::literal);
            let was_negated = std::mem::take(&mut is_negated);
            match text {
                None => read.is_open |= words[at].may_be_option() || words[at].is_loose(),
                Some("-L" | "-follow" | "-H") => read.follows_links = true,
                Some("!" | "-not") => is_negated = !was_negated,
                Some("-name") if !was_negated => {
                    let pattern = value.and_then(simple);
                    read.names.extend(pattern.map(|pattern| (at, vec![pattern])));
                    at += 1;
                }
                Some("-type") if !was_negated => {
                    read.files = read.files.or((value == Some("f")).then_some(at));
                    at += 1;
                }
                Some("(") => match alternatives(&words[at..]) {
                    Some((names, count)) => {
                        read.names.extend((!was_negated).then_some((at, names)));
                        at += count;
                    }
                    None => read.is_open = true,
                },
                Some("-o" | "-or" | "," | ")") => read.is_open = true,
                Some("-exec" | "-execdir" | "-ok" | "-okdir") => at = end_of_command(words, at + 1),
                Some("-fprintf") => at += 2,
                Some(one) if has_value(one) => at += 1,
                Some(_) => {}
            }
            at += 1;
        }
        read
    }

    /// What an action finds that stands at this word, and whether these are files and no directories.
    pub(super) fn before(&self, at: usize) -> (Filter, bool) {
        if self.is_open {
            return (Filter { follows_links: true, ..Filter::default() }, false);
        }
        let is_files = self.files.is_some_and(|place| place < at);
        let mut names = self.names.iter().filter(|(place, _)| *place < at);
        let filter = Filter {
            only: names.next().map(|(_, names)| names.clone()).unwrap_or_default(),
            // A link that was found is read where it leads.
            follows_links: self.follows_links || !is_files,
            ..Filter::default()
        };
        (filter, is_files)
    }
}

fn has_value(text: &str) -> bool {
    super::ONE.split(' ').any(|one| one == text)
        || (text.starts_with("-newer") && text.len() == 8)
        || matches!(text, "-fprint" | "-fprint0" | "-fls" | "-files0-from")
}

/// `( -name a -o -name b )`: the patterns, and the place of the last word.
fn alternatives(words: &[Word]) -> Option<(Vec<String>, usize)> {
    let mut names = Vec::new();
    let mut at = 1;
    loop {
        let is_name = words.get(at).and_then(Word::literal) == Some("-name");
        names.push(words.get(at + 1).filter(|_| is_name)?.literal().and_then(simple)?);
        match words.get(at + 2)?.literal()? {
            ")" => return Some((names, at + 2)),
            "-o" | "-or" => at += 3,
            _ => return None,
        }
    }
}
