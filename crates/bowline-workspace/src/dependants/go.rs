//! What files of Go bring in, by the last name of the path; packages are directories.

use std::path::{Path, PathBuf};

use super::facts::Facts;
use super::family::{after_word, key, name_of, skip};

pub(super) fn read(text: &str) -> Facts {
    let mut facts = Facts::default();
    for rest in after_word(text, "import") {
        let rest = skip(rest, &[]);
        match rest.strip_prefix('(') {
            Some(group) => group_of_imports(group, &mut facts.mentions),
            None => {
                let name_ends = |c: char| !(matches!(c, '_' | '.') || c.is_alphanumeric());
                import(skip(rest.trim_start_matches(|c| !name_ends(c)), &[]), &mut facts.mentions);
            }
        }
    }
    facts
}

fn group_of_imports(mut rest: &str, mentions: &mut Vec<u64>) {
    loop {
        rest = skip(rest, &[]);
        let Some(next) = rest.chars().next().filter(|next| *next != ')') else { return };
        rest = &rest[import(rest, mentions).unwrap_or(next.len_utf8())..];
    }
}

/// Reads one path, if it stands here, and says how long it is. One that is not closed ends with its line and is none.
fn import(rest: &str, mentions: &mut Vec<u64>) -> Option<usize> {
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '`'))?;
    let path = rest[1..].lines().next()?.split_once(quote)?.0;
    mentions.extend(names_of_import(path).iter().map(|name| key(name)));
    Some(path.len() + 2)
}

pub(super) fn is_test(path: &Path) -> bool {
    name_of(path).ends_with("_test.go")
}

/// The names that the package of a directory is imported by, without what `go.mod` adds.
pub(super) fn names(directory: &Path) -> Vec<String> {
    let name = name_of(directory);
    let outer = is_version(&name).then(|| directory.parent().map(name_of)).flatten();
    [name].into_iter().chain(outer).collect()
}

/// Where the packages of `go.mod` and `go.work` lie that are not called like their directory.
pub(super) fn packages(path: &Path, text: &str) -> Vec<(PathBuf, String)> {
    let Some(directory) = path.parent() else { return Vec::new() };
    let mut packages = Vec::new();
    let mut in_module = false;
    let unquoted = |word: &str| word.trim_matches(['"', '`']).to_owned();
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
        let module = if in_module { Some(line) } else { line.trim().strip_prefix("module") };
        in_module = module.is_some_and(|module| module.trim() == "(");
        if let Some(module) = module {
            packages.push((directory.to_owned(), unquoted(module.trim())));
        }
        if let Some((from, to)) = line.split_once("=>") {
            let from = from.trim().trim_start_matches("replace").split_whitespace().next();
            let to = to.split_whitespace().next().map(unquoted).filter(|to| to.starts_with(['.', '/']));
            if let (Some(from), Some(to)) = (from, to) {
                packages.push((bowline_std::fs::absolute(directory, Path::new(&to)), unquoted(from)));
            }
        }
    }
    let each = |(directory, path): (PathBuf, String)| {
        names_of_import(&path).into_iter().map(move |name| (directory.clone(), name))
    };
    packages.into_iter().flat_map(each).collect()
}

fn is_version(name: &str) -> bool {
    name.strip_prefix('v')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

fn names_of_import(path: &str) -> Vec<String> {
    let mut parts = path.split('/').rev().filter(|part| !part.is_empty());
    let Some(last) = parts.next() else { return Vec::new() };
    let mut names = vec![last.to_owned()];
    if is_version(last) {
        names.extend(parts.next().map(str::to_owned));
    } else if let Some((name, version)) = last.rsplit_once('.')
        && is_version(version)
    {
        names.push(name.to_owned());
    }
    names
}
