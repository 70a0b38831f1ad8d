//! How git takes the words of a subcommand apart.
//!
//! Its `parse-options` differs from what `line` knows: `--no-x` undoes `--x`, and options of the walk through the history,
//! of diffs and of the subcommand itself come from several lists.

use crate::Word;
use crate::programs::line::{Given, Line, Order, Use};

/// Lists of options, in the signs of `line::parse`.
pub(super) type Options = &'static [&'static str];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    /// Only if it is attached.
    Attached,
}

/// An option of a list.
#[derive(Debug, Clone, Copy)]
struct Listed {
    /// All its names, of which the first stands for it.
    names: &'static str,
    takes: Takes,
    usage: Use,
}

/// What a long option means.
enum Found {
    Option(Listed),
    /// It takes this one back; all of them, if it is cut so short that it may be any.
    Undo(Option<Listed>),
    Unknown,
}

pub(super) fn parse(words: &[Word], options: Options, order: Order) -> Line {
    let mut line = Line::default();
    // Words that were taken for values, and look like options themselves.
    let mut swallowed = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let is_operand = line.dashes.is_some()
            || (order == Order::First && !line.operands.is_empty())
            || !word.may_be_option()
            || begins_with_hash(word);
        if is_operand {
            line.operands.push((at, word.clone()));
        } else if matches!(word.literal(), Some("--" | "--end-of-options")) {
            line.dashes = Some(at);
        } else if !word.start().starts_with('-') {
            loose(&mut line, format!("`{}` may be an option", word.shown()));
            line.operands.push((at, word.clone()));
        } else {
            let count = take(&mut line, word, words.get(at + 1), options);
            swallowed
                .extend(words[at + 1..].iter().take(count).filter(|value| value.may_be_option()).cloned());
            at += count;
        }
        at += 1;
    }
    // Versions of git differ in which options take values. What may be an option that does harm is counted as one.
    for word in swallowed.iter().filter(|word| word.start().starts_with('-')) {
        let mut other = Line::default();
        take(&mut other, word, None, options);
        line.given.extend(other.given.into_iter().filter(|given| given.usage != Use::Plain));
    }
    line
}

/// Commands of git that print the names of commits by their hashes, and nothing else.
const HASHES: &[&str] =
    &["git merge-base ", "git rev-parse HEAD", "git rev-parse --short HEAD", "git rev-parse --verify HEAD"];

/// `"$(git merge-base main HEAD)..HEAD"` is no option, though it is not known.
fn begins_with_hash(word: &Word) -> bool {
    let Word::Unknown { start, text, .. } = word else { return false };
    let Some(code) = text.trim_start_matches('"').strip_prefix("$(") else { return false };
    let Some((code, rest)) = code.split_once(')') else { return false };
    let is_plain = |text: &str| {
        text.chars().all(|letter| letter.is_ascii_alphanumeric() || " -_./@~^:\"".contains(letter))
    };
    // Where nothing is printed, what follows is the beginning.
    let bare = rest.replace('"', "");
    let goes_on = bare.is_empty() || bare.starts_with(['.', '~', '^', ':']);
    start.is_empty()
        && is_plain(code)
        && is_plain(rest)
        && goes_on
        && HASHES.iter().any(|hash| {
            code.strip_prefix(hash)
                .is_some_and(|rest| hash.ends_with(' ') || rest.starts_with(['~', '^']) || rest.is_empty())
        })
}

fn loose(line: &mut Line, why: String) {
    line.unsure.get_or_insert_with(|| why.clone());
    line.loose.get_or_insert(why);
}

/// One word that begins with a dash. How many of the words after it were its value.
fn take(line: &mut Line, word: &Word, next: Option<&Word>, options: Options) -> usize {
    if word.start().starts_with("--") {
        long(line, word, next, options)
    } else {
        short(line, word, next, options)
    }
}

fn long(line: &mut Line, word: &Word, next: Option<&Word>, options: Options) -> usize {
    let text = word.start();
    let (name, attached) = match text.split_once('=') {
        Some((name, _)) => (name, Some(word.after(name.len() + 1))),
        None => (text, None),
    };
    if word.literal().is_none() && (attached.is_none() || word.is_loose()) {
        loose(line, format!("`{}` may be any option", word.shown()));
    }
    match find(options, name.trim_start_matches('-')) {
        Found::Option(option) => give(line, option, attached, next),
        Found::Undo(option) => {
            // What runs or writes stays: a list may be wrong in what it takes for the opposite.
            line.given.retain(|given| {
                given.usage != Use::Plain || option.is_some_and(|option| first(option.names) != given.name)
            });
            0
        }
        Found::Unknown if name == "--help" => 0,
        Found::Unknown => {
            line.unsure.get_or_insert(format!("the option `{name}` is not known"));
            0
        }
    }
}

/// A cluster of letters: `-rf`, `-n5`, `-ofile`.
fn short(line: &mut Line, word: &Word, next: Option<&Word>, options: Options) -> usize {
    let text = word.start();
    if each(options).any(|option| option.names == "#")
        && text[1..].starts_with(|first: char| first.is_ascii_digit())
    {
        return 0;
    }
    for (at, letter) in text.char_indices().skip(1) {
        let end = at + letter.len_utf8();
        let has_name = |option: &Listed| option.names.split('/').any(|name| name == &text[at..end]);
        let Some(option) = each(options).find(has_name) else {
            line.unsure.get_or_insert(format!("the option `-{letter}` is not known"));
            continue;
        };
        let is_last = end == text.len() && word.literal().is_some();
        if option.takes == Takes::Nothing || (option.takes == Takes::Attached && is_last) {
            give(line, option, None, None);
        } else if is_last {
            return give(line, option, None, next);
        } else {
            if word.is_loose() {
                loose(line, format!("`{}` may be any option", word.shown()));
            }
            give(line, option, Some(word.after(end)), None);
            return 0;
        }
    }
    if word.literal().is_none() {
        loose(line, format!("`{}` may be any option", word.shown()));
    }
    0
}

fn give(line: &mut Line, option: Listed, attached: Option<Word>, next: Option<&Word>) -> usize {
    let takes_next = attached.is_none() && option.takes == Takes::Value && next.is_some();
    let value = if takes_next { next.cloned() } else { attached };
    if let Some(several @ Word::Unknown { splits: true, .. }) = next.filter(|_| takes_next) {
        loose(line, format!("`{}` may be several words", several.shown()));
    }
    let is_late = !line.operands.is_empty();
    line.given.push(Given { name: first(option.names), value, usage: option.usage, is_late });
    usize::from(takes_next)
}

/// A long name may be cut short, as long as only one begins like it.
fn find(options: Options, text: &str) -> Found {
    if matches!(text, "n" | "no" | "no-")
        && !each(options).any(|option| option.names.split('/').any(|name| name == text && name.len() > 1))
    {
        return Found::Undo(None);
    }
    let mut undone = None;
    let mut begins: Vec<(Listed, bool)> = Vec::new();
    for option in each(options) {
        for name in option.names.split('/').filter(|name| name.len() > 1) {
            let opposite = name.strip_prefix("no-");
            let negated = text.strip_prefix("no-");
            if name == text {
                return Found::Option(option);
            }
            if negated == Some(name) || opposite == Some(text) {
                undone.get_or_insert(option);
            }
            let is_cut = name.starts_with(text);
            let is_undo = negated.is_some_and(|text| name.starts_with(text))
                || opposite.is_some_and(|name| name.starts_with(text));
            let is_new =
                !begins.iter().any(|(other, undoes)| other.names == option.names && *undoes != is_cut);
            if (is_cut || is_undo) && is_new {
                begins.push((option, !is_cut));
            }
        }
    }
    match (undone, begins.as_slice()) {
        (Some(option), _) => Found::Undo(Some(option)),
        (None, [(option, false)]) => Found::Option(*option),
        (None, [(option, true)]) => Found::Undo(Some(*option)),
        // Git itself would refuse to guess.
        (None, _) => Found::Unknown,
    }
}

fn each(options: Options) -> impl Iterator<Item = Listed> {
    options.iter().flat_map(|list| list.split_ascii_whitespace()).map(listed)
}

fn first(names: &'static str) -> &'static str {
    names.split('/').next().unwrap_or_default()
}

fn listed(option: &'static str) -> Listed {
    let (rest, usage) = match option.as_bytes() {
        [_, .., b'<'] => (&option[..option.len() - 1], Use::Reads),
        [_, .., b'>'] => (&option[..option.len() - 1], Use::Writes),
        [_, .., b'!'] => (&option[..option.len() - 1], Use::Runs),
        _ => (option, Use::Plain),
    };
    let (names, takes) = match rest.as_bytes() {
        [_, .., b'='] => (&rest[..rest.len() - 1], Takes::Value),
        [_, .., b'?'] => (&rest[..rest.len() - 1], Takes::Attached),
        _ => (rest, Takes::Nothing),
    };
    Listed { names, takes, usage }
}

/// What of a list does harm by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Harm {
    None,
    Reads,
    WritesOrRuns,
}

pub(super) fn harm(options: Options) -> Harm {
    let harm = |option: Listed| match option.usage {
        Use::Plain => Harm::None,
        Use::Reads | Use::Lists => Harm::Reads,
        Use::Writes | Use::Runs | Use::Obeys => Harm::WritesOrRuns,
    };
    each(options).map(harm).max().unwrap_or(Harm::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: Options = &["n/dry-run f/force # S? L= output=> no-index", "get e= ext-diff! file=<"];

    fn given(text: &str) -> Vec<String> {
        let words: Vec<Word> = text.split(' ').map(|word| Word::Literal(word.to_owned())).collect();
        let line = parse(&words, OPTIONS, Order::Anywhere);
        let given = line.given.iter().map(|given| match &given.value {
            Some(value) => format!("{}={}", given.name, value.shown()),
            None => given.name.to_owned(),
        });
        let rest = line.operands.iter().map(|(_, word)| format!("[{}]", word.shown()));
        given.chain(rest).chain(line.unsure.is_some().then(|| "?".to_owned())).collect()
    }

    #[test]
    fn options_are_undone_shortened_and_swallowed() {
        for (text, expected) in [
            ("rm -n --no-dry-run x", "[x]"),
            ("rm -n --no-dry x", "[x]"),
            ("rm --no-dry-run -n", "n"),
            ("rm -n --no", ""),
            ("rm -n --no-force", "n"),
            ("x --get --no-get a b", "[a] [b]"),
            ("x --no-index", "no-index"),
            ("x --no-index --index", ""),
            ("x --ext-diff --no-ext-diff", "ext-diff"),
            ("x --outp=a --out b", "output=a output=b"),
            ("x -L --output=a", "L=--output=a output=a"),
            ("x -e -n", "e=-n"),
            ("x -nfea", "n f e=a"),
            ("x -Sa -S b", "S=a S [b]"),
            ("x -5 --odd", "?"),
            ("x -- -n", "[-n]"),
            ("x --end-of-options -n", "[-n]"),
        ] {
            assert_eq!(given(text).join(" "), expected, "{text}");
        }
    }
}
