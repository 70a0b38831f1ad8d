//! The attributes of Rust: which code stands under a `cfg`, and which of them are known to hold.

use super::{Conditions, Stretch, is_word, length_of_string};

/// The conditions of a Rust text, but for those that are known to hold.
pub(in super::super) fn of_rust(text: &str, is_known: &dyn Fn(&str) -> bool) -> Conditions {
    let tokens = tokens(text);
    let ends = ends(&tokens);
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line =
        |offset: usize| u32::try_from(starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX);
    let mut conditions = Conditions::default();
    let mut around: Vec<usize> = Vec::new();
    for (index, (at, token)) in tokens.iter().enumerate() {
        // A literal may be several lines long.
        conditions.code.extend(line(*at)..=line(at + token.len() - 1));
        match *token {
            "(" | "[" | "{" => around.push(index),
            ")" | "]" | "}" => drop(around.pop()),
            _ => {}
        }
        let Some(attribute) = Attribute::read(text, &tokens, &ends, index) else { continue };
        // `cfg_if!` has another branch where it does not hold.
        let is_branch = index > 0 && tokens[index - 1].1 == "if";
        if is_known(attribute.condition) && !is_branch {
            continue;
        }
        let (first, last) = match attribute.about {
            About::Around => around.last().map_or((0, tokens.len() - 1), |open| (*open, ends[*open])),
            About::Itself => (index, attribute.end),
            About::Next => (index, end_of_next(&tokens, &ends, attribute.end + 1)),
        };
        let lines = line(tokens[first].0)..=line(tokens[last].0);
        let condition = format!("#[cfg({})]", attribute.condition);
        conditions.stretches.push(Stretch { lines, condition });
    }
    conditions
}

/// A `cfg` or `cfg_attr`.
struct Attribute<'a> {
    about: About,
    condition: &'a str,
    /// Its last token.
    end: usize,
}

/// What an attribute is about.
enum About {
    /// `#![cfg(…)]`: the block or the file that it stands in.
    Around,
    /// `#[cfg_attr(…)]`: other attributes.
    Itself,
    Next,
}

impl<'a> Attribute<'a> {
    fn read(text: &'a str, tokens: &[(usize, &str)], ends: &[usize], at: usize) -> Option<Self> {
        let token = |index: usize| tokens.get(index).map_or("", |(_, token)| *token);
        if token(at) != "#" {
            return None;
        }
        let is_inner = token(at + 1) == "!";
        let open = at + 1 + usize::from(is_inner);
        if token(open) != "[" || token(open + 2) != "(" {
            return None;
        }
        let inside = text.get(tokens[open + 2].0 + 1..tokens[ends[open + 2]].0)?;
        let (about, condition) = match token(open + 1) {
            "cfg" if is_inner => (About::Around, inside),
            "cfg" => (About::Next, inside),
            "cfg_attr" => (About::Itself, parts(inside).next()?),
            _ => return None,
        };
        Some(Self { about, condition: condition.trim().trim_end_matches(','), end: ends[open] })
    }
}

/// The last token of what stands behind an attribute: an item, a statement, a field, an arm, an argument.
fn end_of_next(tokens: &[(usize, &str)], ends: &[usize], from: usize) -> usize {
    let token = |index: usize| tokens.get(index).map_or("", |(_, token)| *token);
    let mut begin = from;
    while token(begin) == "#" && token(begin + 1) == "[" {
        begin = ends[begin + 1] + 1;
    }
    let mut word = begin;
    if token(word) == "pub" {
        word = if token(word + 1) == "(" { ends[word + 1] + 1 } else { word + 1 };
    }
    let is_function = ["fn", "unsafe", "async", "extern", "{"].contains(&token(word + 1));
    let ends_with_semicolon =
        ["let", "use", "static", "type"].contains(&token(word)) || token(word) == "const" && !is_function;
    // What is listed ends with a comma; in an item a comma stands between parameters.
    let is_listed = !ends_with_semicolon && !is_item(token(word));
    let last = tokens.len().saturating_sub(1);
    let mut index = begin;
    while index <= last {
        match token(index) {
            ")" | "]" | "}" => return index.saturating_sub(1),
            ";" => return index,
            "," if is_listed => return index,
            "(" | "[" => index = ends[index],
            "{" if ends_with_semicolon => index = ends[index],
            "{" => {
                let end = ends[index];
                let goes_on = match token(end + 1) {
                    "else" => true,
                    // A block by itself, and not a pattern or a value.
                    _ if index == begin => false,
                    "." | "?" | ";" | "," | ">" | "=" | "|" => true,
                    "if" => is_listed,
                    _ => false,
                };
                if !goes_on {
                    return end;
                }
                index = end;
            }
            _ => {}
        }
        index += 1;
    }
    last
}

/// Whether an item begins with this word.
fn is_item(word: &str) -> bool {
    matches!(
        word,
        "fn" | "struct"
            | "enum"
            | "union"
            | "impl"
            | "trait"
            | "mod"
            | "const"
            | "macro_rules"
            | "extern"
            | "unsafe"
            | "async"
            | "default"
            | "auto"
    )
}

/// For each bracket that opens, the one that closes it, or the last token.
fn ends(tokens: &[(usize, &str)]) -> Vec<usize> {
    let last = tokens.len().saturating_sub(1);
    let mut ends = vec![last; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, (_, token)) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => open.push(index),
            ")" | "]" | "}" => {
                if let Some(begin) = open.pop() {
                    ends[begin] = index;
                }
            }
            _ => {}
        }
    }
    ends
}

/// The words, literals and signs of a Rust text, without its comments.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        let length = match c {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            '/' if rest.starts_with("/*") => {
                at += length_of_comment(rest);
                continue;
            }
            '"' => length_of_string(rest),
            '\'' => length_of_character(rest),
            c if is_word(c) => {
                let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                word + length_behind_prefix(&rest[..word], &rest[word..])
            }
            c => c.len_utf8(),
        };
        tokens.push((at, &rest[..length]));
        at += length;
    }
    tokens
}

/// Comments of Rust hold others.
fn length_of_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        match here {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// A character, or the sign before the name of a lifetime.
fn length_of_character(rest: &str) -> usize {
    let mut following = rest.chars().skip(1);
    match (following.next(), following.next()) {
        (Some('\\'), _) => length_of_string(rest),
        (Some(c), Some('\'')) => c.len_utf8() + 2,
        _ => 1,
    }
}

/// The literal that a word like `r` or `b` begins.
fn length_behind_prefix(word: &str, rest: &str) -> usize {
    if !["r", "b", "br", "c", "cr"].contains(&word) {
        return 0;
    }
    if !word.ends_with('r') {
        return if rest.starts_with('"') { length_of_string(rest) } else { 0 };
    }
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let Some(text) = rest[hashes..].strip_prefix('"') else { return 0 };
    let end = format!("\"{}", "#".repeat(hashes));
    text.find(&end).map_or(rest.len(), |at| hashes + 1 + at + end.len())
}

/// What is separated by commas, within no other brackets.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    list.split(move |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}

/// Whether a condition of Rust holds in some build that is checked. `None`: that is not known. Tests are checked beside
/// the code that they test.
pub(in super::super) fn holds(condition: &str, is_for_host: bool) -> Option<bool> {
    let condition = condition.trim();
    let inside = |name: &str| condition.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')');
    let all = |list: &str| parts(list).map(|part| holds(part, is_for_host)).collect::<Vec<_>>();
    if let Some(inside) = inside("not") {
        return if inside.trim() == "test" { Some(true) } else { holds(inside, is_for_host).map(|it| !it) };
    }
    if let Some(list) = inside("all") {
        let known = all(list);
        return if known.contains(&Some(false)) { Some(false) } else { as_far_as_known(&known, true) };
    }
    if let Some(list) = inside("any") {
        let known = all(list);
        return if known.contains(&Some(true)) { Some(true) } else { as_far_as_known(&known, false) };
    }
    let (key, value) = condition.split_once('=').unwrap_or((condition, ""));
    let value = value.trim().trim_matches('"');
    match key.trim() {
        "test" | "debug_assertions" => Some(true),
        "unix" | "windows" if is_for_host => Some(std::env::consts::FAMILY == condition),
        "target_os" if is_for_host => Some(std::env::consts::OS == value),
        "target_family" if is_for_host => Some(std::env::consts::FAMILY == value),
        "target_arch" if is_for_host => Some(std::env::consts::ARCH == value),
        _ => None,
    }
}

fn as_far_as_known(known: &[Option<bool>], all: bool) -> Option<bool> {
    (!known.contains(&None)).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::super::first_changed;
    use super::*;

    /// What is said of a change of one text of Rust into another.
    fn rust(text: &str, old: &str, new: &str) -> Option<String> {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        let is_known = |condition: &str| holds(condition, true) == Some(true);
        let changed = first_changed(text, &text.replace(old, new), |text| of_rust(text, &is_known));
        changed.map(|(line, condition)| format!("{line}: {condition}"))
    }

    const RUST: &str = r##"
#[cfg(feature = "fast")]
#[inline]
pub(crate) fn fast<A, B>(a: A) -> B
where
    A: Into<B>,
{
    one(r#"} #[cfg(x)] ""#, '}', "\"")
}

fn slow<'a>(a: &'a str) {
    two();
    #[cfg(nightly)]
    let b = match a {
        _ => three(),
    } + 1;
    four();
    match a {
        #[cfg(nightly)]
        "a" => five(),
        _ => six(),
    }
}

struct S {
    #[cfg(nightly)]
    seven: u8,
    eight: u8,
}

#[cfg(test)]
mod tests {
    fn nine() {}
}

// #[cfg(nightly)]
fn ten() {}

mod m {
    #![cfg(nightly)]
    fn eleven() {}
}

#[cfg_attr(nightly, doc = "twelve")]
fn thirteen() {}

cfg_if! {
    if #[cfg(test)] {
        fn fourteen() {}
    } else {
        fn fifteen() {}
    }
}
fn sixteen() {}
"##;

    #[test]
    fn code_under_an_attribute_ends_where_its_item_ends() {
        for (old, said) in [
            ("one(", Some("8: #[cfg(feature = \"fast\")]")),
            ("Into<B>", Some("6: #[cfg(feature = \"fast\")]")),
            ("two", None),
            ("three", Some("15: #[cfg(nightly)]")),
            ("+ 1", Some("16: #[cfg(nightly)]")),
            ("four()", None),
            ("five", Some("20: #[cfg(nightly)]")),
            ("six()", None),
            ("seven", Some("27: #[cfg(nightly)]")),
            ("eight", None),
            ("nine", None),
            ("ten()", None),
            ("eleven", Some("41: #[cfg(nightly)]")),
            ("twelve", Some("44: #[cfg(nightly)]")),
            ("thirteen", None),
            ("fourteen", Some("49: #[cfg(test)]")),
            ("fifteen", Some("51: #[cfg(test)]")),
            ("sixteen", None),
        ] {
            assert_eq!(rust(RUST, old, "other(").as_deref(), said, "{old}");
        }
        assert_eq!(
            rust(RUST, "    seven: u8,\n", "").as_deref(),
            Some("27: #[cfg(nightly)]"),
            "it was removed"
        );
        assert_eq!(rust(RUST, "#[inline]\n", "#[inline]\n// Why.\n"), None, "a comment is no code");
    }

    #[test]
    fn conditions_that_hold_here_are_known() {
        let here = std::env::consts::OS;
        let of = |condition: &str| holds(condition, true);
        assert_eq!(of("test"), Some(true));
        assert_eq!(of("not(test)"), Some(true));
        assert_eq!(of(&format!("all(test, target_os = \"{here}\")")), Some(true));
        assert_eq!(of("target_os = \"none\""), Some(false));
        assert_eq!(of("any(windows, unix)"), Some(true));
        assert_eq!(of("all(windows, unix)"), Some(false));
        assert_eq!(of("feature = \"x\""), None);
        assert_eq!(of("all(test, feature = \"x\")"), None);
        assert_eq!(of("not(any(test, feature = \"x\"))"), Some(false));
        assert_eq!(holds("unix", false), None, "it is built for another system");
    }

    #[test]
    fn an_edit_of_code_for_another_system() {
        let text = "#[cfg(windows)]\nfn a() { b() }\n#[cfg(unix)]\nfn a() { c() }\n";
        let (there, here) = if cfg!(unix) { ("b()", "c()") } else { ("c()", "b()") };
        assert!(rust(text, there, "d()").is_some());
        assert_eq!(rust(text, here, "d()"), None);
    }
}
