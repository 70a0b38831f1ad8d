//! Other names of modules of JavaScript and TypeScript: `paths` of a `tsconfig.json`, and what a `package.json` exports.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::facts::{Facts, Setting, Unclear};
use super::family::name_of;
use super::script::{NEAR_INDEX, stem};

/// One more name that a file is imported by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Alias {
    /// Files whose path ends so, by this name. `None`: by any.
    Exact { below: Option<PathBuf>, tail: Vec<String>, name: Option<String> },
    /// The part of the path that the star stands for, within what stands around it. Behind it comes `rest`.
    Star { around: (String, String), taken: (String, String), rest: Vec<String> },
    /// Endings of names that are left out.
    Suffix(String),
    /// Relative paths lead to several places.
    RootDirs,
    /// Settings that are in another file as well.
    Extends(String),
}

pub(super) fn read(path: &Path, text: &str) -> Facts {
    let Ok(Value::Object(settings)) = serde_json::from_str(&plain_json(text)) else {
        // An empty file sets nothing.
        let unclear = (!text.trim().is_empty()).then_some(Unclear::Setting);
        return Facts { unclear, ..Facts::default() };
    };
    let mut aliases = Vec::new();
    if name_of(path) == "package.json" {
        package(path.parent().unwrap_or(path), &settings, &mut aliases);
    } else {
        compiler(&settings, &mut aliases);
    }
    Facts { setting: Setting::Script(aliases), ..Facts::default() }
}

/// Every name that these add for a file, and whether it has any name at all.
pub(super) fn names<'a>(path: &Path, aliases: impl Iterator<Item = &'a Alias>) -> (Vec<String>, bool) {
    let own: Vec<String> = segments(path.parent().unwrap_or(path));
    let stem = stem(&name_of(path));
    let is_index = stem == "index" || stem.starts_with("index.");
    let mut whole = own.clone();
    whole.push(stem.clone());
    let paths: Vec<&[String]> = if is_index { vec![&whole, &own] } else { vec![&whole] };
    let (mut names, mut any) = (Vec::new(), false);
    for alias in aliases {
        match alias {
            Alias::Exact { below, tail, name } => {
                let fits = below.as_ref().is_none_or(|below| path.starts_with(below))
                    && paths.iter().any(|path| path.ends_with(tail));
                match name {
                    Some(name) if fits => names.push(name.clone()),
                    None if fits => any = true,
                    _ => {}
                }
            }
            Alias::Star { around, taken, rest } => {
                for path in paths.iter().filter(|path| path.ends_with(rest)) {
                    let Some(part) = path[..path.len() - rest.len()].last() else { continue };
                    let part = part.strip_suffix(&taken.1).unwrap_or(part);
                    for part in [Some(part), part.strip_prefix(&taken.0)].into_iter().flatten() {
                        names.push(format!("{}{part}{}", around.0, around.1));
                        names.push(format!("{part}{}", around.1));
                    }
                }
            }
            Alias::Suffix(suffix) => names.extend(stem.strip_suffix(suffix).map(str::to_owned)),
            Alias::RootDirs if is_index => names.push(NEAR_INDEX.to_owned()),
            Alias::RootDirs | Alias::Extends(_) => {}
        }
    }
    (names, any)
}

fn segments(path: &Path) -> Vec<String> {
    path.iter().map(|part| part.to_string_lossy().to_lowercase()).collect()
}

fn compiler(settings: &Map<String, Value>, aliases: &mut Vec<Alias>) {
    let mut extended = Vec::new();
    settings.get("extends").into_iter().for_each(|value| strings(value, &mut extended));
    aliases.extend(extended.iter().flat_map(|path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        let named = if name.ends_with(".json") { name.to_owned() } else { format!("{name}.json") };
        [Alias::Extends(named.to_lowercase())]
    }));
    let Some(options) = settings.get("compilerOptions").and_then(Value::as_object) else { return };
    for (written, targets) in options.get("paths").and_then(Value::as_object).into_iter().flatten() {
        each_target(written, targets, |target| alias(None, written, target, 2), aliases);
    }
    let mut suffixes = Vec::new();
    options.get("moduleSuffixes").into_iter().for_each(|value| strings(value, &mut suffixes));
    aliases
        .extend(suffixes.into_iter().filter(|it| !it.is_empty()).map(|it| Alias::Suffix(it.to_lowercase())));
    if options.contains_key("rootDirs") {
        aliases.push(Alias::RootDirs);
    }
}

/// What is built and what it is built from lie in different directories, so only the last name counts.
fn package(directory: &Path, settings: &Map<String, Value>, aliases: &mut Vec<Alias>) {
    let name = settings.get("name").and_then(Value::as_str).unwrap_or_default();
    let called = [name.rsplit('/').next().unwrap_or_default().to_owned(), name_of(directory)];
    let mut entries = vec!["index".to_owned()];
    for field in ["main", "module", "types", "typings", "browser"] {
        settings.get(field).into_iter().for_each(|value| strings(value, &mut entries));
    }
    for field in ["exports", "imports", "typesVersions"] {
        for (written, targets) in settings.get(field).map(subpaths).unwrap_or_default() {
            if written.is_empty() || written == "." {
                strings(targets, &mut entries);
            } else {
                each_target(written, targets, |target| alias(Some(directory), written, target, 1), aliases);
            }
        }
    }
    for entry in entries {
        let tail = vec![stem(entry.rsplit('/').next().unwrap_or(&entry))];
        for name in called.iter().filter(|name| !name.is_empty()) {
            let below = Some(directory.to_owned());
            aliases.push(Alias::Exact { below, tail: tail.clone(), name: Some(name.to_lowercase()) });
        }
    }
}

/// The subpaths of an export, with everything that they may mean. Conditions have none.
fn subpaths(value: &Value) -> Vec<(&str, &Value)> {
    match value {
        Value::Object(map) => map
            .iter()
            .flat_map(|(name, value)| {
                let is_path = name.starts_with(['.', '#']) || value.is_array();
                if is_path { vec![(name.as_str(), value)] } else { subpaths(value) }
            })
            .collect(),
        value => vec![("", value)],
    }
}

fn each_target(
    written: &str,
    targets: &Value,
    alias: impl Fn(&str) -> Option<Alias>,
    aliases: &mut Vec<Alias>,
) {
    let mut found = Vec::new();
    strings(targets, &mut found);
    tracing::trace!(written, targets = found.len(), "another name");
    aliases.extend(found.iter().filter_map(|target| alias(target)));
}

pub(super) fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| strings(value, found)),
        Value::Object(map) => map.values().for_each(|value| strings(value, found)),
        _ => {}
    }
}

/// What is written in imports, and the path that it leads to. So many names of the path tell files apart.
fn alias(below: Option<&Path>, written: &str, target: &str, telling: usize) -> Option<Alias> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let parts = |path: &str| -> Vec<String> {
        let mut parts: Vec<String> =
            path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).map(str::to_lowercase).collect();
        if let Some(last) = parts.last_mut() {
            *last = stem(last);
        }
        parts
    };
    let exact = |target: &str, name: Option<String>| {
        let tail = parts(target);
        let tail = tail[tail.len().saturating_sub(telling)..].to_vec();
        Some(Alias::Exact { below: below.map(Path::to_owned), tail, name })
    };
    match (written.split_once('*'), target.split_once('*')) {
        (None, _) => exact(target, Some(last(written))),
        (Some((_, after)), None) => exact(target, after.contains('/').then(|| last(after))),
        (Some((_, after)), Some((_, rest))) if after.contains('/') => {
            exact(rest.split_once('/').map_or("", |(_, rest)| rest), Some(last(after)))
        }
        (Some((before, after)), Some((from, to))) => {
            let (ending, rest) = to.split_once('/').unwrap_or((to, ""));
            let ending = if rest.is_empty() { stem(ending) } else { ending.to_lowercase() };
            let (around, taken) = ((last(before), after.to_lowercase()), (last(from), ending));
            let rest = parts(rest);
            let is_plain = [&around.0, &around.1, &taken.0, &taken.1].iter().all(|part| part.is_empty());
            (!is_plain || !rest.is_empty()).then_some(Alias::Star { around, taken, rest })
        }
    }
}

/// JSON with comments and commas too many, as the compiler reads it, without them.
pub(super) fn plain_json(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text.trim_start_matches('\u{feff}'));
    while let Some(next) = rest.chars().next() {
        let taken = match next {
            '"' => {
                let mut letters = rest.char_indices().skip(1);
                let mut end = rest.len();
                while let Some((at, letter)) = letters.next() {
                    if letter == '\\' {
                        letters.next();
                    } else if letter == '"' {
                        end = at + 1;
                        break;
                    }
                }
                plain.push_str(&rest[..end]);
                end
            }
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '}' | ']' => {
                let kept = plain.trim_end().trim_end_matches(',').len();
                plain.truncate(kept);
                plain.push(next);
                1
            }
            other => {
                plain.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    plain
}
