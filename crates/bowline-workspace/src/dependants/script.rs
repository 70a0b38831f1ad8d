//! What files of JavaScript and TypeScript bring in, by the last name of the path.
//!
//! The text is searched for words, comments included: types are imported in those, too, and a file that no grammar can
//! read still brings in what it names. `import(name)` has no type that depends on a file, so nothing is lost by it.

use std::path::Path;

use bowline_syntax::Language;

use super::facts::Facts;
use super::family::{after_word, key, name_of, skip};

/// Longer ones first.
pub(super) const ENDINGS: [&str; 12] =
    [".d.ts", ".d.mts", ".d.cts", ".tsx", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".ts", ".js", ".json"];
/// Stands for every name: what is written cannot be read.
pub(super) const ANY: &str = "*";
/// An index that is named by a relative path. Its directory's name is mentioned as well, which tells more.
pub(super) const NEAR_INDEX: &str = "./index";

pub(super) fn read(path: &Path, text: &str) -> Facts {
    let mut facts = Facts::default();
    for word in ["from", "import", "require", "module"] {
        for rest in after_word(text, word) {
            mention(path, literal(skip(rest, &['('])), &mut facts.mentions);
        }
    }
    if text.contains("<reference") || text.contains("<amd") {
        for rest in ["path", "types"].into_iter().flat_map(|word| after_word(text, word)) {
            mention(path, literal(skip(rest, &['='])), &mut facts.mentions);
        }
    }
    let declares = after_word(text, "declare").map(|rest| skip(rest, &[]));
    facts.for_all = !is_module(path, text)
        || declares.into_iter().any(|rest| rest.starts_with("global") || rest.starts_with("module"))
        || text.contains("as namespace")
        // Every file with JSX in it uses these without saying so.
        || matches!(stem(&name_of(path)).as_str(), "jsx-runtime" | "jsx-dev-runtime");
    facts
}

/// The name of a file as it is imported.
pub(super) fn stem(name: &str) -> String {
    let name = name.to_lowercase();
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    stem.to_owned()
}

/// Every name that a file is imported by, without what settings add.
pub(super) fn names(path: &Path) -> Vec<String> {
    let name = name_of(path);
    let stem = stem(&name);
    let mut names = vec![ANY.to_owned()];
    // `a.d.css.ts` declares what is in `a.css`.
    if let Some((before, after)) = stem.split_once(".d.") {
        names.push(format!("{before}.{after}"));
    }
    if stem == "index" || stem.starts_with("index.") {
        names.extend(path.parent().map(name_of));
    }
    names.push(stem);
    names
}

/// A string without what would have to be computed: `None` is no string, an empty one none that can be read.
pub(super) fn literal(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let inside = &text[1..];
    let inside = &inside[..inside.find(quote)?];
    if inside.contains('\\') {
        return Some("");
    }
    let is_computed = inside.contains('\n') || quote == '`' && inside.contains("${");
    (!is_computed && !inside.is_empty()).then_some(inside)
}

fn mention(path: &Path, specifier: Option<&str>, mentions: &mut Vec<u64>) {
    let Some(specifier) = specifier else { return };
    if specifier.is_empty() {
        return mentions.push(key(ANY));
    }
    let specifier = specifier.split('?').next().unwrap_or(specifier);
    let mut parts: Vec<&str> = specifier.split('/').filter(|part| !part.is_empty()).collect();
    let is_near = specifier.starts_with('.');
    let names_index = parts.last().is_some_and(|last| stem(last) == "index");
    if names_index && is_near {
        parts.pop();
    }
    match parts.last() {
        None | Some(&("." | "..")) => {
            mentions.push(key(NEAR_INDEX));
            let ups = parts.iter().filter(|part| **part == "..").count();
            mentions.extend(path.ancestors().nth(ups + 1).map(|directory| key(&name_of(directory))));
        }
        Some(last) => {
            mentions.extend([key(last), key(&stem(last))]);
            if names_index {
                mentions.push(key(NEAR_INDEX));
            }
        }
    }
}

/// Whether it is a module for certain. What a script declares is everybody's.
fn is_module(path: &Path, text: &str) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    if matches!(ending.as_str(), "mts" | "cts" | "mjs" | "cjs") {
        return true;
    }
    if matches!(ending.as_str(), "js" | "jsx") {
        let says = |line: &str| {
            !line.trim_start().starts_with(['/', '*'])
                && ["require(", "module.exports", "exports."].iter().any(|words| line.contains(words))
        };
        if text.lines().any(says) {
            return true;
        }
    }
    // Up to the first thing that text can hide in, a line that begins so is what it seems to be.
    let code = skip(text.trim_start_matches('\u{feff}'), &[]);
    let plain = &code[..code.find("/*").unwrap_or(code.len()).min(code.find('`').unwrap_or(code.len()))];
    let ends = |rest: &str| rest.starts_with([' ', '{', '"', '\'', '*', '=']);
    let begins = |line: &str| {
        // `import A = B.C` makes no module.
        line.strip_prefix("import").is_some_and(|rest| ends(rest) && rest.contains(['{', '"', '\'', '*']))
            || line.strip_prefix("export").is_some_and(ends)
    };
    // What a namespace exports is not what the file exports.
    let is_flat = !code.contains("namespace ") && !code.contains("module ");
    is_flat && plain.lines().any(begins)
        || (code.contains("import") || code.contains("export")) && shows(path, text)
}

/// Whether its tree shows that it is a module.
fn shows(path: &Path, text: &str) -> bool {
    let Some(parsed) = Language::of_path(path).and_then(|it| bowline_syntax::parse(it, text, &|| false).ok())
    else {
        return false;
    };
    parsed.is_module()
}
