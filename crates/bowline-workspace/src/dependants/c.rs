//! What files of C and C++ include, by name.

use super::facts::{Facts, Unclear};
use super::family::{key, skip};

pub(super) fn read(text: &str) -> Facts {
    let mut facts = Facts::default();
    let joined;
    let text = if text.contains("\\\n") || text.contains("\\\r\n") {
        joined = text.replace("\\\r\n", "").replace("\\\n", "");
        &joined
    } else {
        text
    };
    for line in text.split(['\n', '\r']) {
        let line = line.trim_start_matches('\u{feff}');
        // A directive may stand behind a comment.
        let start =
            if line.contains("*/") { line.rfind("*/").map_or(line, |at| &line[at + 2..]) } else { line };
        for line in [skip(line, &[]), skip(start, &[])] {
            let directive = ["#", "%:", "??="].iter().find_map(|mark| line.strip_prefix(mark));
            match directive {
                Some(directive) => include(skip(directive, &[]), &mut facts),
                None if names_module(line) => facts.unclear = Some(Unclear::Modules),
                None => {}
            }
        }
    }
    facts
}

fn include(directive: &str, facts: &mut Facts) {
    let word_ends = directive.find(|c: char| !(c == '_' || c.is_alphanumeric())).unwrap_or(directive.len());
    if !matches!(&directive[..word_ends], "include" | "import" | "include_next" | "embed") {
        return;
    }
    let named = skip(&directive[word_ends..], &[]);
    let end = match named.chars().next() {
        Some('"') => '"',
        Some('<') => '>',
        Some(_) => return facts.unclear = Some(Unclear::ComputedInclude),
        None => return,
    };
    let path = named[1..].split(end).next().unwrap_or_default();
    facts.mentions.extend(path.rsplit(['/', '\\']).next().map(|name| key(name.trim())));
}

/// Modules of C++ are named by what is in a file, which is not followed.
fn names_module(line: &str) -> bool {
    let line = line.strip_prefix("export ").map_or(line, str::trim_start);
    let behind = line.strip_prefix("import").or_else(|| line.strip_prefix("module"));
    // A variable may have that name: `module = find();`.
    let is_code = |rest: &str| rest.contains(['=', '(', '[', '-', '+']);
    behind.is_some_and(|rest| {
        rest.starts_with([' ', '<', '"', ';', '\t']) && rest.contains(';') && !is_code(rest)
    })
}

/// Headers that the settings of a compiler include into every file.
pub(super) fn forced(text: &str) -> Vec<u64> {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '=' | '[' | ']' | '\\');
    let behind = ["-include", "-include-pch", "/FI", "-imacros"]
        .into_iter()
        .flat_map(|option| text.match_indices(option).map(move |(at, _)| &text[at + option.len()..]));
    behind
        .filter_map(|rest| rest.trim_start_matches(is_mark).split(is_mark).next())
        .filter_map(|path| path.rsplit('/').next())
        .filter(|name| !name.is_empty())
        .map(key)
        .collect()
}
