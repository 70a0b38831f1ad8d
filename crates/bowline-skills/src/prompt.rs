//! Skills as prompts: the arguments that a hint speaks of, and the text that a model is handed.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Skill, Summary};

/// More than so many arguments are no hint any more.
const MOST: usize = 16;

/// One argument of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptArgument {
    /// Letters, digits, `-` and `_`; no two are the same.
    pub name: String,
    /// The words of the hint.
    pub description: String,
    pub required: bool,
}

/// Required arguments that were not given, in the order of the hint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("these arguments are missing: {}", .0.join(", "))]
pub struct MissingArguments(pub Vec<String>);

/// What `argument-hint` asks for.
///
/// `[x]` and `<x>` are required, `[optional: x]` is not. `[a | b]` and `[a / b]` are two arguments, either of which will
/// do. `--flag <value>` is the argument `flag`, and a flag is never required.
pub fn arguments(summary: &Summary) -> Vec<PromptArgument> {
    let hint = summary.metadata.get("argument-hint").map_or("", String::as_str);
    let mut arguments = Arguments::default();
    let mut rest = hint;
    while let Some(group) = next_group(&mut rest) {
        arguments.group(group);
    }
    arguments.found
}

/// The skill's text, the arguments before it.
pub fn render(skill: &Skill, values: &BTreeMap<String, String>) -> Result<String, MissingArguments> {
    let arguments = arguments(&skill.summary);
    let given = |name: &str| values.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
    let missing: Vec<String> =
        arguments.iter().filter(|a| a.required && given(&a.name).is_none()).map(|a| a.name.clone()).collect();
    if !missing.is_empty() {
        return Err(MissingArguments(missing));
    }
    // Those of the hint in its order, then whatever else was given.
    let named: BTreeSet<&str> = arguments.iter().map(|a| a.name.as_str()).collect();
    let others = values.keys().map(String::as_str).filter(|name| !named.contains(name));
    let lines: Vec<String> = arguments
        .iter()
        .map(|a| a.name.as_str())
        .chain(others)
        .filter_map(|name| Some(format!("- {name}: {}\n", given(name)?)))
        .collect();
    if lines.is_empty() {
        return Ok(skill.body.clone());
    }
    Ok(format!("Arguments:\n{}\n{}", lines.concat(), skill.body))
}

/// A part of a hint.
#[derive(Clone, Copy)]
enum Group<'a> {
    /// What stands between brackets.
    Bracket(&'a str),
    /// `--flag`, outside of brackets.
    Flag(&'a str),
}

/// The next group of the hint. Words outside of brackets say nothing.
fn next_group<'a>(rest: &mut &'a str) -> Option<Group<'a>> {
    let at = [rest.find(['[', '<']), rest.find("--")].into_iter().flatten().min()?;
    let text = &rest[at..];
    if let Some(flag) = text.strip_prefix("--") {
        let end = flag.find(|c: char| c.is_whitespace() || "[<=".contains(c)).unwrap_or(flag.len());
        let after = flag[end..].trim_start_matches([' ', '=']);
        // `--flag <value>`: the value belongs to the flag.
        *rest = match after.strip_prefix('<').and_then(|value| value.split_once('>')) {
            Some((_, after)) => after,
            None => &flag[end..],
        };
        return Some(Group::Flag(&flag[..end]));
    }
    let (open, close) = if text.starts_with('[') { ('[', ']') } else { ('<', '>') };
    let mut depth = 0_usize;
    let end = text.char_indices().find(|(_, c)| {
        if *c == open {
            depth += 1;
        } else if *c == close {
            depth -= 1;
        }
        depth == 0
    });
    let (inside, after) = match end {
        Some((end, _)) => (&text[1..end], &text[end + 1..]),
        None => (&text[1..], ""),
    };
    *rest = after;
    Some(Group::Bracket(inside))
}

#[derive(Default)]
struct Arguments {
    found: Vec<PromptArgument>,
}

impl Arguments {
    fn group(&mut self, group: Group<'_>) {
        let text = match group {
            Group::Flag(flag) => return self.add(flag, &format!("--{flag}"), false),
            Group::Bracket(text) => text.trim(),
        };
        if let Some(flag) = text.strip_prefix("--") {
            let name = flag.split(|c: char| c.is_whitespace() || c == '=').next().unwrap_or(flag);
            return self.add(name, text, false);
        }
        let optional = text
            .get(..9)
            .filter(|word| word.eq_ignore_ascii_case("optional:"))
            .map(|word| &text[word.len()..]);
        let words = optional.unwrap_or(text);
        let alternatives: Vec<&str> = split_alternatives(words);
        let required = optional.is_none() && alternatives.len() == 1;
        for words in alternatives {
            self.add(words, words.trim(), required);
        }
    }

    fn add(&mut self, words: &str, description: &str, required: bool) {
        if self.found.len() >= MOST {
            return;
        }
        let clean = clean(words);
        if clean.is_empty() {
            return;
        }
        let mut name = clean.clone();
        let mut copy = 1;
        while self.found.iter().any(|argument| argument.name == name) {
            copy += 1;
            name = format!("{clean}-{copy}");
        }
        self.found.push(PromptArgument { name, description: description.to_owned(), required });
    }
}

/// `a | b`, `a|b` and `a / b`. A slash without blanks may belong to a path.
fn split_alternatives(words: &str) -> Vec<&str> {
    let parts = words.split('|').flat_map(|part| part.split(" / "));
    let mut parts: Vec<&str> = parts.filter(|part| !clean(part).is_empty()).collect();
    if let [one] = parts[..]
        && one.matches('/').count() == 1
        && !one.contains(|c: char| c.is_whitespace() || ".:".contains(c))
    {
        parts = one.split('/').filter(|part| !clean(part).is_empty()).collect();
    }
    parts
}

/// A name of letters, digits, `-` and `_`. `run=true` asks for `run`.
fn clean(words: &str) -> String {
    const LONGEST: usize = 64;
    let words = words.trim().trim_start_matches('-');
    let words = words.split('=').next().unwrap_or(words);
    let mut name = String::new();
    for c in words.chars().take(LONGEST) {
        if c.is_ascii_alphanumeric() || c == '_' {
            name.push(c);
        } else if !name.ends_with('-') && (c == '-' || c == ':' || c.is_whitespace()) {
            name.push('-');
        }
    }
    name.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Location, Scope};

    fn summary(hint: &str) -> Summary {
        Summary {
            name: "x".into(),
            description: "x".into(),
            license: None,
            compatibility: None,
            allowed_tools: None,
            metadata: BTreeMap::from([("argument-hint".to_owned(), hint.to_owned())]),
            has_phases: false,
            scope: Scope::User,
            location: Location::Embedded,
        }
    }

    fn shown(hint: &str) -> String {
        let all = arguments(&summary(hint));
        let one = |a: &PromptArgument| format!("{}{}", a.name, if a.required { "" } else { "?" });
        all.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_hint_becomes_arguments() {
        for (hint, understood) in [
            ("", ""),
            ("just words", ""),
            ("[file-path]", "file-path"),
            ("[old-name] [new-name]", "old-name new-name"),
            ("<file-path> [--type <TypeName>]", "file-path type?"),
            (
                "<file-or-directory> [--checks <type1>,<type2>] [--json] [--top N] [--diff]",
                "file-or-directory checks? json? top? diff?",
            ),
            (
                "[symbol-name] in [library-file:line:col] used by [consumer-root ...]",
                "symbol-name library-file-line-col consumer-root",
            ),
            ("[symbol-name / file-path]", "symbol-name? file-path?"),
            ("[symbol|file]", "symbol? file?"),
            ("[symbol/file]", "symbol? file?"),
            ("[file-path] [optional: start_line-end_line]", "file-path start_line-end_line?"),
            ("[file-path] [optional: run=true]", "file-path run?"),
            ("[a] [a] [A]", "a a-2 A"),
            ("--flag <value> <file>", "flag? file"),
            ("--flag=<value> <file>", "flag? file"),
            ("[the file to read]", "the-file-to-read"),
            ("[...] [] <> [|] [--] [é]", ""),
            ("[a [b] c] d", "a-b-c"),
            ("[unclosed", "unclosed"),
            ("a-b - -- [x]", "x"),
        ] {
            assert_eq!(shown(hint), understood, "{hint}");
        }
    }

    #[test]
    fn arguments_stand_before_the_text_in_the_order_of_the_hint() {
        let skill = Skill {
            summary: summary("[old-name] [new-name] [optional: scope]"),
            body: "# Rename\n".into(),
            truncated: None,
            files: Vec::new(),
            warnings: Vec::new(),
        };
        let values = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        assert_eq!(
            render(&skill, &values(&[("new-name", "b"), ("old-name", "a"), ("also", "c")])).unwrap(),
            "Arguments:\n- old-name: a\n- new-name: b\n- also: c\n\n# Rename\n"
        );
        let missing = render(&skill, &values(&[("old-name", " ")])).unwrap_err();
        assert_eq!(missing.to_string(), "these arguments are missing: old-name, new-name");
        let free = Skill { summary: summary(""), ..skill };
        assert_eq!(render(&free, &BTreeMap::new()).unwrap(), "# Rename\n");
    }

    proptest::proptest! {
        #[test]
        fn any_hint_gives_unique_clean_names(hint in "[-\\[\\]<>|/a-c .:=é]{0,60}") {
            let all = arguments(&summary(&hint));
            let names: BTreeSet<&str> = all.iter().map(|a| a.name.as_str()).collect();
            proptest::prop_assert_eq!(names.len(), all.len());
            for name in names {
                proptest::prop_assert!(!name.is_empty());
                proptest::prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            }
        }
    }
}
