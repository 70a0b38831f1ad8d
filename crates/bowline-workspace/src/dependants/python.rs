//! What files of Python bring in, by every name of the path.
//!
//! The text is searched for words, wherever they stand: a file that no grammar can read still brings in what it names.

use std::path::Path;

use super::facts::Facts;
use super::family::{after_word, key, name_of};

pub(super) fn read(path: &Path, text: &str) -> Facts {
    let mut facts = Facts::default();
    for rest in after_word(text, "import") {
        facts.mentions.extend(listed(rest).into_iter().map(key));
    }
    for rest in after_word(text, "from") {
        from(path, rest, &mut facts.mentions);
    }
    for call in ["import_module", "__import__"] {
        for rest in after_word(text, call) {
            let Some(argument) = rest.trim_start().strip_prefix('(') else { continue };
            let argument = argument.trim_start();
            let quote = argument.chars().next().filter(|quote| matches!(quote, '"' | '\''));
            // What is imported by a computed name has no type for a checker, so nothing can break there.
            if let Some((dotted, _)) = quote.and_then(|quote| argument[1..].split_once(quote)) {
                facts.mentions.extend(dotted.split('.').map(key));
            }
        }
    }
    // `from package import *` brings in modules that only stand here.
    if name_of(path).starts_with("__init__.") && text.contains("__all__") {
        facts.mentions.extend(text.split(['"', '\'']).filter(|part| is_name(part)).map(key));
    }
    facts.for_all = name_of(path) == "__builtins__.pyi";
    facts
}

/// Every name that a file is imported by. One that is new or gone can hide a directory of its name.
pub(super) fn names(path: &Path, comes_or_goes: bool) -> Vec<String> {
    let name = name_of(path);
    let stem = name.split('.').next().unwrap_or_default();
    let name = match path.parent() {
        Some(directory) if stem == "__init__" => name_of(directory),
        _ => stem.to_owned(),
    };
    let name = name.strip_suffix("-stubs").map(str::to_owned).unwrap_or(name);
    let outer = comes_or_goes.then(|| format!("{name}/"));
    [name].into_iter().chain(outer).collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_letter)
}

/// `from` has been read.
fn from(path: &Path, rest: &str, mentions: &mut Vec<u64>) {
    let end = rest.find(|c: char| !(c == '.' || c == '\\' || is_letter(c) || c.is_whitespace()));
    let head = &rest[..end.unwrap_or(rest.len())];
    // The first `import` that is a word of its own; a module may be called `important`.
    let Some(taken) = after_word(head, "import").next() else { return };
    let module = &head[..head.len() - taken.len() - "import".len()];
    let module: String = module.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect();
    let dots = module.len() - module.trim_start_matches('.').len();
    let parts: Vec<&str> = module.split('.').filter(|part| !part.is_empty()).collect();
    match parts.split_last() {
        Some((last, outer)) => {
            mentions.push(key(last));
            mentions.extend(outer.iter().map(|part| key(&format!("{part}/"))));
        }
        None => mentions.extend(path.ancestors().nth(dots).map(|package| key(&name_of(package)))),
    }
    mentions.extend(listed(&rest[head.len() - taken.len()..]).into_iter().map(key));
}

/// The names of a list, in brackets or up to the end of the line.
pub(super) fn listed(rest: &str) -> Vec<&str> {
    let line = rest.trim_start_matches([' ', '\t', '\\', '\r', '\n']);
    let (mut rest, in_brackets) = line.strip_prefix('(').map_or((line, false), |inside| (inside, true));
    let (mut names, mut expected) = (Vec::new(), true);
    while let Some(next) = rest.chars().next() {
        let taken = match next {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '\\' => rest.len() - rest[1..].trim_start_matches(['\r', '\n']).len(),
            '\n' if !in_brackets => break,
            ',' | '.' => {
                expected = true;
                1
            }
            next if is_letter(next) => {
                let end = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
                // Behind a name stands only what it is called here.
                if expected {
                    names.push(&rest[..end]);
                }
                expected = false;
                end
            }
            next if next.is_whitespace() => next.len_utf8(),
            _ => break,
        };
        rest = &rest[taken..];
    }
    names
}

/// Names may be written with marks that are letters only together with others.
fn is_letter(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || !c.is_ascii() && !c.is_whitespace()
}
