//! What a Python package is, and which others it imports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::places::Reader;

/// One import: how many dots, the names of the module, and what is taken from it, if it is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) dots: usize,
    pub(super) module: Vec<String>,
    pub(super) names: Vec<String>,
}

/// The package that a file belongs to, and the packages that it imports directly. `None`: the file is not in the
/// project.
pub(super) fn packages(reader: &mut Reader, file: &Path) -> Option<(Vec<PathBuf>, BTreeSet<PathBuf>)> {
    let file = reader.inside(file)?;
    let package = package_of(file.parent()?, reader.root());
    let is_root = package == reader.root();
    // Scripts at the top belong together; what lies below them is somebody else's.
    let files = reader.files(&package, &is_python, &|_| !is_root);
    let mut used = BTreeSet::new();
    for file in &files {
        let Some(text) = reader.text(file) else { continue };
        for import in imports(&text) {
            used.extend(resolve(reader, file, &package, &import));
        }
    }
    used.retain(|path| is_root || !path.starts_with(&package));
    Some((if is_root { files } else { vec![package] }, used))
}

fn is_python(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py" || extension == "pyi")
}

/// The outermost directory above this one that is a package without a gap. One that is no package stands for itself.
fn package_of(directory: &Path, root: &Path) -> PathBuf {
    let is_package = |directory: &&Path| {
        **directory != *root
            && ["__init__.py", "__init__.pyi"].iter().any(|name| directory.join(name).is_file())
    };
    let above = directory.ancestors().take_while(|directory| directory.starts_with(root));
    above.take_while(is_package).last().unwrap_or(directory).to_owned()
}

/// The packages that an import leads to, as far as they are the project's own.
fn resolve(reader: &Reader, file: &Path, package: &Path, import: &Import) -> BTreeSet<PathBuf> {
    let Some(directory) = file.parent() else {
        return BTreeSet::new();
    };
    let bases: Vec<PathBuf> = match import.dots {
        0 => {
            let sources = reader.root().join("src");
            let beside = package.parent().unwrap_or(package).to_owned();
            vec![directory.to_owned(), beside, reader.root().to_owned(), sources]
        }
        dots => directory.ancestors().nth(dots - 1).map(Path::to_owned).into_iter().collect(),
    };
    let module_names: Vec<&str> = import.module.iter().map(String::as_str).collect();
    let with =
        |name: &String| module_names.iter().copied().map(str::to_owned).chain([name.clone()]).collect();
    let mut wanted: Vec<Vec<String>> = import.names.iter().map(with).collect();
    if wanted.is_empty() {
        wanted.push(import.module.clone());
    }
    let found = wanted.iter().filter_map(|names| {
        bases
            .iter()
            .filter(|base| base.starts_with(reader.root()))
            .find_map(|base| module(reader, base, names))
    });
    found.filter_map(|module| unit(reader, &module)).collect()
}

/// The deepest file or directory that the names lead to: what is imported may be a module or something in one.
fn module(reader: &Reader, base: &Path, names: &[String]) -> Option<PathBuf> {
    (1..=names.len()).rev().find_map(|count| {
        let path = names[..count].iter().fold(base.to_owned(), |path, name| path.join(name));
        let as_file = ["py", "pyi"].into_iter().map(|extension| path.with_extension(extension));
        let file = as_file.filter(|file| file.is_file()).find_map(|file| reader.inside(&file));
        file.or_else(|| reader.inside(&path).filter(|path| path.is_dir() && path != reader.root()))
    })
}

/// The package of a module; the module itself, where it lies at the top.
fn unit(reader: &Reader, module: &Path) -> Option<PathBuf> {
    let directory = if module.is_dir() { module } else { module.parent()? };
    let package = package_of(directory, reader.root());
    if package != reader.root() {
        return Some(package);
    }
    module.is_file().then(|| module.to_owned())
}

/// Every import of a text, wherever in it. What stands in strings and comments is none.
pub(super) fn imports(text: &str) -> Vec<Import> {
    let mut found = Vec::new();
    for line in logical_lines(text) {
        for statement in line.split(';') {
            // `if x: import y` is rare, and all the same an import.
            let behind_colon = statement.split_once(':').map(|(_, behind)| behind);
            for part in [Some(statement), behind_colon].into_iter().flatten() {
                let mut words = part.trim_start().splitn(2, |c: char| c.is_whitespace());
                match (words.next(), words.next()) {
                    (Some("import"), Some(rest)) => found.extend(plain_imports(rest)),
                    (Some("from"), Some(rest)) => found.extend(from_import(rest)),
                    // `from.x import y`
                    (Some(word), Some(rest)) if word.starts_with("from.") => {
                        found.extend(from_import(&format!("{} {rest}", &word[4..])));
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

fn plain_imports(rest: &str) -> Vec<Import> {
    let modules = rest.split(',').filter_map(|part| names(part.split_whitespace().next()?));
    modules.map(|module| Import { dots: 0, module, names: Vec::new() }).collect()
}

fn from_import(rest: &str) -> Option<Import> {
    // Dots may stand apart: `from . . x import y`.
    let (source, taken) = rest.split_once("import")?;
    let source: String = source.split_whitespace().collect();
    let module = source.trim_start_matches('.');
    let dots = source.len() - module.len();
    let module = if module.is_empty() { Vec::new() } else { names(module)? };
    if dots == 0 && module.is_empty() {
        return None;
    }
    let taken = taken.replace(['(', ')'], " ");
    let named = taken.split(',').filter_map(|part| part.split_whitespace().next());
    let names = named.filter(|name| is_name(name)).map(str::to_owned).collect();
    Some(Import { dots, module, names })
}

fn names(dotted: &str) -> Option<Vec<String>> {
    dotted.split('.').map(|name| is_name(name).then(|| name.to_owned())).collect()
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && letters.all(|letter| letter == '_' || letter.is_alphanumeric())
}

/// The lines of a text without its strings and comments, those joined that brackets or backslashes join. A text that
/// is no Python gives lines all the same.
fn logical_lines(text: &str) -> Vec<String> {
    let (mut lines, mut line, mut depth) = (Vec::new(), String::new(), 0_usize);
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        match next {
            '#' => taken = rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => taken = string(rest, next),
            '\\' if rest[1..].starts_with('\n') => {
                line.push(' ');
                taken = 2;
            }
            '\\' if rest[1..].starts_with("\r\n") => {
                line.push(' ');
                taken = 3;
            }
            // A bracket that is never closed must not swallow the whole text.
            '\n' | '\r' if depth == 0 || begins_statement(&rest[1..]) => {
                depth = 0;
                lines.push(std::mem::take(&mut line));
            }
            '(' | '[' | '{' => {
                depth += 1;
                line.push(next);
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                line.push(next);
            }
            other => line.push(if other.is_whitespace() { ' ' } else { other }),
        }
        rest = &rest[taken..];
    }
    lines.push(line);
    lines
}

/// Nothing inside brackets begins so at the start of a line.
fn begins_statement(rest: &str) -> bool {
    ["import ", "from ", "def ", "class "].iter().any(|word| rest.starts_with(word))
}

/// How long the string is that begins here.
fn string(rest: &str, quote: char) -> usize {
    let triple = [quote; 3].iter().collect::<String>();
    let (end, from) = if rest.starts_with(&triple) { (triple.as_str(), 3) } else { (&triple[..1], 1) };
    let mut at = from;
    while let Some(next) = rest[at..].chars().next() {
        if rest[at..].starts_with(end) {
            return at + end.len();
        }
        match next {
            // One that is not closed ends with its line.
            '\n' if from == 1 => return at,
            '\\' => {
                at += 1;
                at += rest[at..].chars().next().map_or(0, char::len_utf8);
            }
            other => at += other.len_utf8(),
        }
    }
    rest.len()
}
