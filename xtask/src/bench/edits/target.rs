//! The function that is edited: what it is called, where its body lies, and how its file must look afterwards.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::bench::drafts::project::{Generated, Kind};

pub(super) struct Target {
    pub(super) file: PathBuf,
    /// As it is before the first edit.
    pub(super) text: String,
    pub(super) name: &'static str,
    /// As both programs are told of it.
    pub(super) symbol_path: String,
    old: &'static str,
    /// From the line of its head to the end of its body.
    whole: Range<usize>,
    /// With its braces, if it has some.
    body: Range<usize>,
    /// What stands below its head: what the peer calls its body.
    below: usize,
}

impl Target {
    pub(super) fn of(project: &Generated) -> Result<Self> {
        let language = project.language;
        let edit = project.edit(Kind::Harmless)?;
        let (file, text, [old, ..], [head, _]) = (edit.file, edit.before, language.body, language.signature);
        let (name, _) = head.split_once('(').context("a function has parameters")?;
        let at_head = text.find(head).with_context(|| format!("no `{head}`"))?;
        let at_old = text.find(old).with_context(|| format!("no `{old}`"))?;
        let below = at_head + text[at_head..].find('\n').context("the head is a line")? + 1;
        let (start, end) = match language.name {
            "python" => (below, at_old + old.len()),
            _ => (below - 2, at_old + text[at_old..].find('}').context("no end")? + 1),
        };
        let line = text[..at_head].rfind('\n').map_or(0, |newline| newline + 1);
        let symbol_path = match (language.name, file.file_stem()) {
            ("cpp", Some(namespace)) => format!("{}.{name}", namespace.display()),
            _ => name.to_owned(),
        };
        Ok(Self { file, text, name, symbol_path, old, whole: line..end, body: start..end, below })
    }

    /// Another for each round, so that no text has been seen before.
    fn expression(round: usize) -> String {
        format!("depth + {}", 1000 + round)
    }

    pub(super) fn body(&self, round: usize) -> String {
        self.text[self.body.clone()].replacen(self.old, &Self::expression(round), 1)
    }

    pub(super) fn body_for_peer(&self, round: usize) -> String {
        self.text[self.below..self.body.end].replacen(self.old, &Self::expression(round), 1)
    }

    /// The file with another body.
    pub(super) fn after(&self, round: usize) -> String {
        self.text.replacen(self.old, &Self::expression(round), 1)
    }

    /// The same function by another name.
    pub(super) fn another(&self, round: usize) -> String {
        self.text[self.whole.clone()].replace(self.name, &format!("{}x{round}", self.name))
    }

    /// Whether nothing but the code has come to a text, at the end of the function. How much room is left around it is a
    /// matter of taste.
    pub(super) fn is_inserted(before: &str, code: &str, after: &str, body: &str) -> bool {
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let (before, code, after, body) = (bare(before), bare(code), bare(after), bare(body));
        before.split_once(&body).is_some_and(|(above, below)| after == format!("{above}{body}{code}{below}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::drafts::project::{LANGUAGES, Shape};

    #[test]
    fn bodies_and_heads_are_where_they_are_said_to_be() {
        let folder = tempfile::tempdir().unwrap();
        for language in &LANGUAGES {
            let shape = Shape { libraries: 4, users: 1, functions: 30 };
            let root = folder.path().join(language.name);
            let target = Target::of(&Generated::shaped(language, &root, shape).unwrap()).unwrap();
            assert_eq!(std::fs::read_to_string(&target.file).unwrap(), target.text);
            assert_eq!(target.text.matches(target.old).count(), 1);
            let (body, after) = (target.body(7), target.after(7));
            assert!(body.contains("depth + 1007") && after.contains(&body), "{body}");
            assert_eq!(body.starts_with('{'), language.name != "python");
            assert!(body.ends_with(&target.body_for_peer(7)));
            let code = target.another(7);
            assert!(code.contains(&format!("{}x7(", target.name)), "{code}");
            let inserted = after.replacen(&body, &format!("{body}\n\n{code}\n"), 1);
            assert!(Target::is_inserted(&after, &code, &inserted, &body));
            assert!(!Target::is_inserted(&after, &code, &after, &body));
            assert!(!Target::is_inserted(&after, &code, &format!("{after}{code}"), &body));
        }
    }
}
