//! `allowed-tools`: a line or a list of entries, read with an eye on parentheses.

use std::collections::HashSet;

use crate::yaml::{Node, Value};
use crate::{AllowedEntry, AllowedTools};

/// More than any host has tools. What follows is left out, which never widens.
pub(crate) const MOST: usize = 500;

impl AllowedTools {
    /// Reads a line such as `Read, Grep Bash(git add:*)`: blanks and commas outside parentheses stand between entries. Of
    /// more than 500 entries the first ones are read.
    pub fn parse(raw: &str) -> Self {
        let mut entries = Entries::default();
        entries.read(raw);
        Self { raw: raw.to_owned(), entries: entries.found }
    }

    /// Reads the items of a list. An item may hold several entries.
    pub fn from_list<'a>(items: impl IntoIterator<Item = &'a str>) -> Self {
        listed(items).0
    }

    /// What was understood, and whether there is more. `Err` says what stands there instead of text or a list of text.
    pub(crate) fn from_node(node: &Node<'_>) -> Result<(Self, bool), (usize, &'static str)> {
        match &node.value {
            Value::Text { text, .. } => Ok(listed([text.as_ref()])),
            Value::List(items) => {
                let text = |item: &Node<'_>| match &item.value {
                    Value::Text { text, .. } => Ok(text.to_string()),
                    _ => Err((item.line, item.kind())),
                };
                let items = items.iter().map(text).collect::<Result<Vec<_>, _>>()?;
                Ok(listed(items.iter().map(String::as_str)))
            }
            Value::Map(_) => Err((node.line, node.kind())),
        }
    }
}

fn listed<'a>(items: impl IntoIterator<Item = &'a str>) -> (AllowedTools, bool) {
    let mut entries = Entries::default();
    let mut raw: Vec<&str> = Vec::new();
    for item in items {
        entries.read(item);
        raw.push(item.trim_ascii());
    }
    (AllowedTools { raw: raw.join(" "), entries: entries.found }, entries.more)
}

/// Entries, each once, in their order.
#[derive(Default)]
struct Entries {
    found: Vec<AllowedEntry>,
    seen: HashSet<AllowedEntry>,
    more: bool,
}

impl Entries {
    fn read(&mut self, text: &str) {
        let mut depth = 0_usize;
        let mut start = 0;
        for (at, c) in text.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                // No other blank is one: it would stand between entries that people see as one.
                c if depth == 0 && (c == ',' || c.is_ascii_whitespace()) => {
                    self.push(&text[start..at]);
                    start = at + c.len_utf8();
                }
                _ => {}
            }
            if self.more {
                return;
            }
        }
        self.push(&text[start..]);
    }

    fn push(&mut self, word: &str) {
        let word = word.trim_ascii();
        if word.is_empty() {
            return;
        }
        // Anything but one pair that ends the word stays a part of the name: no tool is called so, and it allows nothing.
        let entry = match word.strip_suffix(')').and_then(|open| open.split_once('(')) {
            Some((tool, scope)) if !tool.is_empty() => {
                AllowedEntry { tool: tool.to_owned(), scope: Some(scope.trim_ascii().to_owned()) }
            }
            _ => AllowedEntry { tool: word.to_owned(), scope: None },
        };
        if self.seen.contains(&entry) {
            return;
        }
        if self.found.len() == MOST {
            self.more = true;
            return;
        }
        self.seen.insert(entry.clone());
        self.found.push(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tools: &AllowedTools) -> Vec<String> {
        let entry = |e: &AllowedEntry| match &e.scope {
            Some(scope) => format!("{}<{scope}>", e.tool),
            None => e.tool.clone(),
        };
        tools.entries.iter().map(entry).collect()
    }

    #[test]
    fn blanks_and_commas_outside_parentheses_stand_between_entries() {
        for (raw, understood) in [
            ("Read Grep", vec!["Read", "Grep"]),
            ("Read, Grep,Glob", vec!["Read", "Grep", "Glob"]),
            ("Bash(git add:*) Bash(git status:*)", vec!["Bash<git add:*>", "Bash<git status:*>"]),
            ("Bash(git:*), Read", vec!["Bash<git:*>", "Read"]),
            ("mcp__lsp__* Edit(/src/**)", vec!["mcp__lsp__*", "Edit</src/**>"]),
            ("Bash(a (b, c) d) Read", vec!["Bash<a (b, c) d>", "Read"]),
            ("Bash( git * )", vec!["Bash<git *>"]),
            ("Bash()", vec!["Bash<>"]),
            ("Read Read  Grep", vec!["Read", "Grep"]),
            ("*", vec!["*"]),
            ("", vec![]),
            (" , ,", vec![]),
        ] {
            assert_eq!(shown(&AllowedTools::parse(raw)), understood, "{raw}");
        }
    }

    #[test]
    fn unbalanced_parentheses_never_widen() {
        for (raw, understood) in [
            ("Bash(git add Read", vec!["Bash(git add Read"]),
            ("Bash)x( Read", vec!["Bash)x( Read"]),
            ("(git) Read", vec!["(git)", "Read"]),
            ("Bash(a)b Read", vec!["Bash(a)b", "Read"]),
        ] {
            assert_eq!(shown(&AllowedTools::parse(raw)), understood, "{raw}");
        }
    }

    #[test]
    fn a_list_is_its_items() {
        let tools = AllowedTools::from_list(["Read", " Bash(git add:*) ", "Grep, Glob"]);
        assert_eq!(shown(&tools), ["Read", "Bash<git add:*>", "Grep", "Glob"]);
        assert_eq!(tools.raw, "Read Bash(git add:*) Grep, Glob");
    }

    #[test]
    fn of_too_many_the_first_are_read_and_each_once() {
        let many: Vec<String> = (0..600).map(|n| format!("t{} t{n}", n / 2)).collect();
        let tools = AllowedTools::from_list(many.iter().map(String::as_str));
        assert_eq!(tools.entries.len(), MOST);
        let once: HashSet<_> = tools.entries.iter().collect();
        assert_eq!(once.len(), MOST);
    }
}
