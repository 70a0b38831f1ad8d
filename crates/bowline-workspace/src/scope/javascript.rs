//! What a package of JavaScript or TypeScript is, and which others it imports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bowline_std::fs::read_text;

use super::places::{Reader, normalized};

/// A manifest is a few lines.
const MOST_MANIFEST: u64 = 256 << 10;
/// In the order in which a path without one is completed.
const EXTENSIONS: [&str; 9] = ["ts", "tsx", "d.ts", "js", "jsx", "mjs", "cjs", "mts", "cts"];
/// What is written in an import, and what may lie there instead.
const STAND_INS: [(&str, &[&str]); 4] =
    [("js", &["ts", "tsx", "d.ts"]), ("jsx", &["tsx"]), ("mjs", &["mts"]), ("cjs", &["cts"])];

/// The package that a file belongs to, and the packages that it imports directly. `None`: there is no package but the
/// whole project.
pub(super) fn packages(reader: &mut Reader, file: &Path) -> Option<(Vec<PathBuf>, BTreeSet<PathBuf>)> {
    let file = reader.inside(file)?;
    let package = package_of(file.parent()?, reader.root())?;
    let package = if package != reader.root() {
        package
    } else if !gathers(reader.root()) {
        return None;
    } else if file.parent()? != reader.root() {
        // Beside the packages of a workspace a directory stands for itself, and at its top a file.
        file.parent()?.to_owned()
    } else {
        file.clone()
    };
    let is_another = |directory: &Path| directory.join("package.json").is_file();
    let files = if package == file {
        vec![file]
    } else {
        reader.files(&package, &is_source, &|directory| !is_another(directory))
    };
    let mut used = BTreeSet::new();
    for file in &files {
        let Some(text) = reader.text(file) else { continue };
        for wanted in imports(&text) {
            used.extend(resolve(reader, file, &wanted));
        }
    }
    used.retain(|path| !path.starts_with(&package));
    Some((vec![package], used))
}

fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// Whether the manifest of the project is that of many packages.
fn gathers(root: &Path) -> bool {
    let names_members = |text: (String, _)| text.0.contains("\"workspaces\"");
    read_text(&root.join("package.json"), MOST_MANIFEST).is_ok_and(names_members)
        || ["pnpm-workspace.yaml", "lerna.json", "nx.json"].iter().any(|name| root.join(name).is_file())
}

/// The nearest directory with a manifest.
fn package_of(directory: &Path, root: &Path) -> Option<PathBuf> {
    let mut above = directory.ancestors().take_while(|directory| directory.starts_with(root));
    above.find(|directory| directory.join("package.json").is_file()).map(Path::to_owned)
}

/// The package that an import leads to, if it is one of the project's own. A file that is in none stands for its
/// directory, and one at the top for itself.
fn resolve(reader: &Reader, file: &Path, wanted: &str) -> Option<PathBuf> {
    let directory = file.parent()?;
    let target = if wanted.starts_with("./") || wanted.starts_with("../") || wanted == "." || wanted == ".." {
        let path = normalized(&directory.join(wanted))?;
        path.starts_with(reader.root()).then(|| module(&path)).flatten()?
    } else {
        linked(reader, directory, wanted)?
    };
    let target = reader.inside(&target)?;
    if target.components().any(|part| part.as_os_str() == "node_modules") {
        return None;
    }
    let home = if target.is_dir() { target.as_path() } else { target.parent()? };
    match package_of(home, reader.root()) {
        Some(package) if package != reader.root() => Some(package),
        _ if home != reader.root() => Some(home.to_owned()),
        _ => target.is_file().then_some(target),
    }
}

/// A package of the same workspace, by its name: package managers link it into `node_modules`.
fn linked(reader: &Reader, directory: &Path, wanted: &str) -> Option<PathBuf> {
    let parts = if wanted.starts_with('@') { 2 } else { 1 };
    let name: PathBuf = wanted.split('/').take(parts).collect();
    let is_plain = name.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !is_plain || name.as_os_str().is_empty() {
        return None;
    }
    let above = directory.ancestors().take_while(|directory| directory.starts_with(reader.root()));
    let link =
        above.map(|directory| directory.join("node_modules").join(&name)).find(|link| link.is_symlink())?;
    reader.inside(&link).filter(|real| real.is_dir())
}

/// The file or directory that a path in an import means.
fn module(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_owned());
    }
    let with = |path: &Path, extension: &str| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{extension}"));
        path.with_file_name(name)
    };
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let stand_ins =
        STAND_INS.iter().filter(|(written, _)| *written == extension).flat_map(|(_, others)| *others);
    let instead = stand_ins.map(|other| path.with_extension(other));
    let completed = EXTENSIONS.iter().map(|extension| with(path, extension));
    let index = EXTENSIONS.iter().map(|extension| path.join(format!("index.{extension}")));
    let file = instead.chain(completed).chain(index).find(|file| file.is_file());
    file.or_else(|| path.is_dir().then(|| path.to_owned()))
}

/// What a text imports, as it is written there: `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`,
/// `require('x')`. What stands in strings, templates and comments is none.
pub(super) fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The last two things before a string, which tell what it is.
    let (mut last, mut before) = (Token::Other, Token::Other);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let taken = match next {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '/' if !last.ends_value() => {
                (before, last) = (last, Token::Other);
                regex(rest)
            }
            '"' | '\'' | '`' => {
                let length = quoted(rest, next);
                let is_import = matches!(last, Token::From | Token::Import)
                    || (last == Token::Open && matches!(before, Token::Import | Token::Require));
                if is_import && next != '`' && length >= 2 && rest[..length].ends_with(next) {
                    found.push(rest[1..length - 1].to_owned());
                }
                (before, last) = (last, Token::Value);
                length
            }
            _ if is_letter(next) => {
                let end = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
                (before, last) = (last, Token::of_word(&rest[..end], &last));
                end
            }
            _ if next.is_whitespace() => next.len_utf8(),
            other => {
                let token = match other {
                    '(' => Token::Open,
                    '.' => Token::Dot,
                    ')' | ']' => Token::Value,
                    _ => Token::Other,
                };
                (before, last) = (last, token);
                other.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    From,
    Import,
    Require,
    Open,
    Dot,
    /// Something that a value ends with: behind it `/` divides.
    Value,
    Other,
}

impl Token {
    fn of_word(word: &str, last: &Self) -> Self {
        match word {
            // A property of that name is none of these.
            _ if *last == Self::Dot => Self::Value,
            "from" => Self::From,
            "import" => Self::Import,
            "require" => Self::Require,
            "return" | "typeof" | "case" | "in" | "of" | "delete" | "void" | "throw" | "new" | "await" => {
                Self::Other
            }
            _ => Self::Value,
        }
    }

    fn ends_value(self) -> bool {
        matches!(self, Self::Value | Self::From | Self::Require)
    }
}

fn is_letter(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric()
}

/// How long the string is that begins here. One that is not closed ends with its line, a template with the text.
fn quoted(rest: &str, quote: char) -> usize {
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            '\n' if quote != '`' => return at,
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// How long the regular expression is that begins here; one letter, if it is none.
fn regex(rest: &str) -> usize {
    let (mut letters, mut in_class) = (rest.char_indices().skip(1), false);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => {
                letters.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return at + 1,
            '\n' => return 1,
            _ => {}
        }
    }
    1
}
