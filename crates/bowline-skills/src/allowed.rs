//! `allowed-tools`: a line or a list of entries, read with an eye on parentheses.

use crate::yaml::{Node, Value};
use crate::{AllowedEntry, AllowedTools};

impl AllowedTools {
    /// Reads a line such as `Read, Grep Bash(git add:*)`: blanks and commas outside parentheses stand between entries.
    pub fn parse(raw: &str) -> Self {
        let mut entries = Vec::new();
        entries_of(raw, &mut entries);
        Self { raw: raw.to_owned(), entries }
    }

    /// Reads the items of a list. An item may hold several entries.
    pub fn from_list<'a>(items: impl IntoIterator<Item = &'a str>) -> Self {
        let mut entries = Vec::new();
        let mut raw: Vec<&str> = Vec::new();
        for item in items {
            entries_of(item, &mut entries);
            raw.push(item.trim());
        }
        Self { raw: raw.join(" "), entries }
    }

    /// `Err` says what stands there instead of text or a list of text.
    pub(crate) fn from_node(node: &Node<'_>) -> Result<Self, (usize, &'static str)> {
        match &node.value {
            Value::Text { text, .. } => Ok(Self::parse(text.trim())),
            Value::List(items) => {
                let text = |item: &Node<'_>| match &item.value {
                    Value::Text { text, .. } => Ok(text.to_string()),
                    _ => Err((item.line, item.kind())),
                };
                let items = items.iter().map(text).collect::<Result<Vec<_>, _>>()?;
                Ok(Self::from_list(items.iter().map(String::as_str)))
            }
            Value::Map(_) => Err((node.line, node.kind())),
        }
    }
}

fn entries_of(text: &str, entries: &mut Vec<AllowedEntry>) {
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 && (c == ',' || c.is_whitespace()) => {
                push(&text[start..at], entries);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    push(&text[start..], entries);
}

fn push(word: &str, entries: &mut Vec<AllowedEntry>) {
    let word = word.trim();
    if word.is_empty() {
        return;
    }
    // Anything but one pair that ends the word stays a part of the name: no tool is called so, and it allows nothing.
    let entry = match word.strip_suffix(')').and_then(|open| open.split_once('(')) {
        Some((tool, scope)) if !tool.is_empty() => {
            AllowedEntry { tool: tool.to_owned(), scope: Some(scope.trim().to_owned()) }
        }
        _ => AllowedEntry { tool: word.to_owned(), scope: None },
    };
    if !entries.contains(&entry) {
        entries.push(entry);
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
}
