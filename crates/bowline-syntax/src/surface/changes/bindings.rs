//! What imports bind: which names mean something else now, and which declarations mention them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Changed, Difference, Surface, SurfaceChanges, Token, owner};
use crate::Language;

/// A name that an import binds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Binding<'a> {
    /// `*`: whatever the other file has. Empty: nothing, the file is only brought in.
    pub(super) name: &'a str,
    /// What it stands for, as it is written.
    pub(super) means: String,
    pub(super) at: usize,
}

/// The bindings of all imports of a text.
pub(super) fn bindings<'a>(surface: &Surface<'a>) -> Vec<Binding<'a>> {
    let mut statements: BTreeMap<usize, Vec<Token<'a>>> = BTreeMap::new();
    for token in surface.imports.iter().filter(|token| !token.text.is_empty()) {
        statements.entry(token.import.unwrap_or_default()).or_default().push(*token);
    }
    let of = |tokens: Vec<Token<'a>>| match surface.parsed.language() {
        Language::Go => of_go(&tokens),
        Language::Python => of_python(&tokens),
        _ => of_script(&tokens),
    };
    statements.into_values().flat_map(of).collect()
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c == '_' || c == '$' || c.is_alphabetic())
}

fn joined(tokens: &[Token<'_>]) -> String {
    tokens.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

/// `from HEAD import x, y as z`, `import a.b, c as d`.
fn of_python<'a>(tokens: &[Token<'a>]) -> Vec<Binding<'a>> {
    let import = tokens.iter().position(|token| token.text == "import").unwrap_or(0);
    let (head, items) = (joined(&tokens[..import]), &tokens[(import + 1).min(tokens.len())..]);
    let bind = |item: &[Token<'a>]| {
        let item: Vec<Token<'a>> = item.iter().filter(|it| !matches!(it.text, "(" | ")")).copied().collect();
        let is_renamed = item.iter().any(|token| token.text == "as");
        let mut names = item.iter().filter(|token| is_name(token.text) || token.text == "*");
        // `import a.b` binds `a`.
        let bound = if head.is_empty() && !is_renamed { names.next() } else { names.next_back() }?;
        Some(Binding { name: bound.text, means: format!("{head} {}", joined(&item)), at: bound.start })
    };
    items.split(|token| token.text == ",").filter_map(bind).collect()
}

/// `import D, { a as b } from 'HEAD'`, `import * as n from 'HEAD'`, `import 'HEAD'`.
fn of_script<'a>(tokens: &[Token<'a>]) -> Vec<Binding<'a>> {
    let is_text = |token: &&Token<'_>| token.text.starts_with(['"', '\'', '`']);
    let path = tokens.iter().filter(is_text).map(|token| token.text).collect::<Vec<_>>().join(" ");
    // `import type { A }`: what is a type alone has no value for those that it is handed on to. `{ type A }` says it of one.
    let word = |index: usize| tokens.get(index).map_or("", |token| token.text);
    let is_type = word(1) == "type" && !matches!(word(2), "from" | ",");
    let head = if is_type { format!("type {path}") } else { path };
    let of_statement = tokens.get(1).filter(|_| is_type).map(|token| token.start);
    let is_kept = |token: &&Token<'_>| {
        !is_text(token)
            && !matches!(token.text, "import" | "from" | "{" | "}" | ";" | "typeof")
            && Some(token.start) != of_statement
    };
    let items: Vec<Token<'a>> = tokens.iter().filter(is_kept).copied().collect();
    if items.is_empty() {
        let at = tokens.first().map_or(0, |token| token.start);
        return vec![Binding { name: "", means: head, at }];
    }
    let is_default =
        |item: &[Token<'_>]| item.first().is_some_and(|it| Some(it.start) == first_start(tokens));
    let bind = |item: &[Token<'a>]| {
        let bound = item.iter().rfind(|token| is_name(token.text))?;
        let place = if is_default(item) { "default" } else { "" };
        Some(Binding { name: bound.text, means: format!("{head} {place} {}", joined(item)), at: bound.start })
    };
    items.split(|token| token.text == ",").filter_map(bind).collect()
}

/// Where the first word after `import` stands, if it is no brace: the default export has that place.
fn first_start(tokens: &[Token<'_>]) -> Option<usize> {
    let mut words = tokens.iter().filter(|token| !matches!(token.text, "import" | "type" | "typeof"));
    words.next().filter(|token| is_name(token.text)).map(|token| token.start)
}

/// `import name "path"`, several of them in brackets.
fn of_go<'a>(tokens: &[Token<'a>]) -> Vec<Binding<'a>> {
    let mut found = Vec::new();
    let mut alias: Option<Token<'a>> = None;
    for token in tokens {
        if !token.text.starts_with(['"', '`']) {
            alias = (is_name(token.text) && token.text != "import" || token.text == ".").then_some(*token);
            continue;
        }
        let bound = alias.take();
        let name = match bound {
            Some(alias) if alias.text == "." => "*",
            Some(alias) => alias.text,
            None => package_name(token.text.trim_matches(['"', '`'])),
        };
        let means = format!("{} {}", bound.map_or("", |alias| alias.text), token.text);
        found.push(Binding { name, means, at: bound.map_or(token.start, |alias| alias.start) });
    }
    found
}

/// The name that a package most likely has: the last part of its path that is no version.
fn package_name(path: &str) -> &str {
    let is_version = |part: &&str| {
        part.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
    };
    let last = path.rsplit('/').find(|part| !is_version(part)).unwrap_or(path);
    let last = last.split(".v").next().unwrap_or(last);
    last.rsplit('-').next().unwrap_or(last)
}

/// Declarations that mention a name which is now imported from elsewhere, or no more, may mean something else.
pub(super) fn mark_users(old: &Surface<'_>, new: &Surface<'_>, changes: &mut SurfaceChanges) {
    let (was, is) = (bindings(old), bindings(new));
    let meanings = |all: &[Binding<'_>]| -> BTreeMap<String, BTreeSet<String>> {
        let mut by_name: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for binding in all {
            by_name.entry(binding.name.to_owned()).or_default().insert(binding.means.clone());
        }
        by_name
    };
    let (old_means, new_means) = (meanings(&was), meanings(&is));
    let names: BTreeSet<&str> = old_means
        .keys()
        .chain(new_means.keys())
        .filter(|name| old_means.get(*name) != new_means.get(*name))
        .map(String::as_str)
        .collect();
    changes.names_more |= !names.is_empty();
    // What comes in without a name may be anything, also for those who import this file.
    changes.other |= names.contains("*") || names.contains("") && old.parsed.language() != Language::Go;
    // A module of Python hands on all that it imports; other languages say so.
    let hands_on = |name: &str| {
        old.parsed.language() == Language::Python
            || old.rest.iter().chain(&new.rest).any(|token| token.text == name)
    };
    for binding in was.iter().filter(|binding| names.contains(binding.name) && is_name(binding.name)) {
        if hands_on(binding.name) && old.parsed.language() != Language::Go {
            changes.rebound.push((binding.name.to_owned(), old.position(binding.at)));
        }
    }
    for (key, indices) in &new.symbols {
        for (nth, index) in indices.iter().enumerate() {
            let is_meant = |token: &&Token<'_>| !token.text.is_empty() && names.contains(token.text);
            let using: Vec<&Token<'_>> = new.by_symbol[*index].iter().filter(is_meant).collect();
            if using.is_empty() {
                continue;
            }
            // The same name from another place says the same and means something else.
            let means_another = using
                .iter()
                .any(|token| old_means.contains_key(token.text) && new_means.contains_key(token.text));
            let is_declared = means_another || using.iter().any(|token| !token.inferred);
            let difference = if is_declared { Difference::Declared } else { Difference::Inferred };
            let at = new.position(new.found[*index].selection.start);
            if let Some(known) = changes.symbols.iter_mut().find(|changed| changed.after == Some(at)) {
                known.difference = known.difference.max(difference);
                continue;
            }
            let found = &new.found[*index];
            let was = old.symbols.get(key).and_then(|before| before.get(nth)).copied();
            changes.symbols.push(Changed {
                name: found.name.clone(),
                kind: found.kind,
                difference,
                before: was.map(|it| old.position(old.found[it].selection.start)),
                after: Some(at),
                owner: owner(old, was, new, Some(*index)),
                words: new.words(*index),
            });
        }
    }
}
