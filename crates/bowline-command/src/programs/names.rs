//! Programs that print names of files and nothing else, and what `xargs` makes of these.

use super::line::{Line, Order, parse};
use crate::Word;

/// Names that stand on a standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names {
    /// Each begins with one of these directories, as they are written.
    pub(crate) below: Vec<String>,
    /// And ends in a name like this, if that is known.
    only: Option<String>,
    /// Each ends with a zero byte. Otherwise with the end of a line, which a name may hold as well.
    ends_with_zero: bool,
}

/// What this command prints, if that is names of files below some directories, and nothing else.
pub(crate) fn printed(words: &[Word]) -> Option<Names> {
    let literal: Option<Vec<&str>> = words.iter().map(spelt).collect();
    let literal = literal?;
    match *literal.first()? {
        "find" => find(&literal[1..]),
        "grep" => {
            let line = known(words, GREP)?;
            let is_names = line.has("l L") && line.has("r R");
            let only: Vec<&Word> = line.values("include").collect();
            let only = match only.as_slice() {
                [Word::Literal(one)] => Some(one.as_str()),
                [Word::Unknown { text, .. }] => text.split_once('=').map(|(_, one)| one),
                _ => None,
            };
            is_names.then(|| searched(&line, line.has("e f"), only, line.has("Z")))?
        }
        "rg" => {
            let line = known(words, RG)?;
            line.has("l files").then(|| searched(&line, line.has("e f files"), None, line.has("0")))?
        }
        "fd" | "fdfind" => searched(&known(words, FD)?, false, None, known(words, FD)?.has("0")),
        "git" if literal.get(1) == Some(&"ls-files") => {
            let line = known(&words[1..], LS_FILES)?;
            searched(&line, true, None, line.has("z"))
        }
        "git" if literal.get(1) == Some(&"grep") => {
            let line = known(&words[1..], GIT_GREP)?;
            line.has("l").then(|| searched(&line, line.has("e"), None, line.has("z")))?
        }
        _ => None,
    }
}

/// As it is written, if it is known or an option with a pattern that no file is called like: `--include=*.ts`.
fn spelt(word: &Word) -> Option<&str> {
    match word {
        Word::Literal(text) => Some(text),
        Word::Unknown { start, text, .. } => {
            let is_option =
                start.starts_with("--") && start.contains('=') && text.starts_with(start.as_str());
            (is_option && !text.contains(['$', '`', '(', '{', '~', '"', '\''])).then_some(text)
        }
    }
}

const GREP: &str = "r R l L i/ignore-case w/word-regexp x F/fixed-strings E/extended-regexp P G n s I v e/regexp= \
    f/file= include= exclude= exclude-dir= Z/null m/max-count= H";
const RG: &str = "l/files-with-matches files i/ignore-case s S/smart-case w/word-regexp F/fixed-strings U/multiline \
    u n g/glob= iglob= t/type= T/type-not= e/regexp= f/file= hidden no-ignore 0/null L/follow m/max-count= P/pcre2";
const FD: &str =
    "e/extension= t/type= H/hidden I/no-ignore g/glob 0/print0 s i F d/max-depth= E/exclude= u L/follow";
const LS_FILES: &str = "z c/cached o/others m/modified d/deleted exclude-standard";
const GIT_GREP: &str = "l/files-with-matches i w F E P n e= z/null I untracked cached";

/// Nothing but options that are listed.
fn known(words: &[Word], options: &'static str) -> Option<Line> {
    Some(parse(words, options, Order::Anywhere)).filter(|line| line.unsure.is_none())
}

/// The operands, of which the first is what is looked for unless that is told by an option.
fn searched(line: &Line, is_told: bool, only: Option<&str>, ends_with_zero: bool) -> Option<Names> {
    let operands = line.words().skip(usize::from(!is_told)).filter_map(Word::literal);
    names(operands.collect(), only, ends_with_zero)
}

/// Without a directory, names begin with whatever they are called, and that may be an option.
fn names(below: Vec<&str>, only: Option<&str>, ends_with_zero: bool) -> Option<Names> {
    let is_plain = |text: &str| {
        !text.is_empty()
            && !text.starts_with(['-', ':'])
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-@+".contains(letter))
    };
    let is_simple = |text: &&str| {
        text.chars().all(|letter| letter.is_ascii_alphanumeric() || "*?._-".contains(letter))
            && !text.contains("**")
    };
    (!below.is_empty() && below.iter().all(|text| is_plain(text))).then(|| Names {
        below: below.into_iter().map(str::to_owned).collect(),
        only: only.filter(is_simple).map(str::to_owned),
        ends_with_zero,
    })
}

/// The places before the first test; tests that only choose names.
fn find(words: &[&str]) -> Option<Names> {
    let words = match words {
        ["-P" | "-H", rest @ ..] => rest,
        words => words,
    };
    let count =
        words.iter().take_while(|word| !word.starts_with('-') && !matches!(**word, "(" | "!")).count();
    let (places, tests) = words.split_at(count);
    let (mut only, mut is_narrow, mut ends_with_zero) = (None, true, false);
    let (mut prints, mut at) = (0, 0);
    while let Some(test) = tests.get(at) {
        at += 1;
        match *test {
            "-name" => {
                only = Some(*tests.get(at)?);
                at += 1;
            }
            "-iname" | "-path" | "-ipath" | "-type" | "-maxdepth" | "-mindepth" | "-mtime" | "-mmin"
            | "-size" => at += 1,
            "-empty" | "-a" | "-and" => {}
            "-o" | "-or" | "-not" | "!" | "(" | ")" | "-prune" => is_narrow = false,
            "-print" => prints += 1,
            "-print0" => {
                prints += 1;
                ends_with_zero = true;
            }
            _ => return None,
        }
    }
    let places = if places.is_empty() { vec!["."] } else { places.to_vec() };
    (prints <= 1).then(|| names(places, only.filter(|_| is_narrow), ends_with_zero))?
}

/// Whether this command prints some of the lines that it reads, and changes none of them.
pub(crate) fn hands_on(words: &[Word]) -> bool {
    let literal: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
    let Some(literal) = literal else { return false };
    let line = match literal.first() {
        Some(&"sort") => known(words, "u r n V f"),
        Some(&"uniq") => known(words, "u d i"),
        Some(&"head" | &"tail") => known(words, "n/lines= #"),
        Some(&"grep") => {
            known(words, "v i E F P w x e=").filter(|line| line.operands.len() == usize::from(!line.has("e")))
        }
        _ => None,
    };
    line.is_some_and(|line| literal[0] == "grep" || line.operands.is_empty())
}

/// The words that `xargs` appends or puts in for these names, and whether a name may become several words.
pub(crate) fn appended(words: &[Word], names: &Names) -> Option<(Vec<Word>, bool)> {
    if words.first().and_then(Word::literal) != Some("xargs") {
        return None;
    }
    let line = parse(words, super::wrappers::XARGS, Order::First);
    if line.unsure.is_some() || line.has("a E e i J o") || line.has("0") != names.ends_with_zero {
        return None;
    }
    let made = names.below.iter().map(|directory| {
        let start = format!("{}/", directory.trim_end_matches('/'));
        let text =
            format!("{start}**{}", names.only.as_ref().map_or(String::new(), |only| format!("/{only}")));
        Word::Unknown { start, text, splits: true }
    });
    Some((made.collect(), !line.has("0")))
}
