//! Programs that print names of files and nothing else, and what `xargs` and the shell make of these.

use super::line::{Line, Order, parse};
use crate::Word;

/// Names that a program prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names {
    /// Each is in one of these places.
    below: Vec<Place>,
    /// Each ends with a zero byte. Otherwise with the end of a line, which a name may hold as well.
    ends_with_zero: bool,
    /// Git tracks the files.
    pub(crate) is_tracked: bool,
    /// They are names from the top of the repository.
    is_from_top: bool,
}

/// Without marks, as a person may see it.
pub(crate) fn unmarked(text: &str) -> String {
    text.split(MARK).step_by(2).collect()
}

impl Word {
    pub(crate) fn unmarked(&self) -> Self {
        match self {
            Self::Unknown { start, text, splits } if text.contains(MARK) => {
                Self::Unknown { start: start.clone(), text: unmarked(text), splits: *splits }
            }
            other => other.clone(),
        }
    }
}

/// Where a name lies.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// It begins with this directory, as it is written. An empty one: it begins with whatever it is called.
    directory: String,
    /// It ends in a name like this, if that is known.
    only: Option<String>,
}

/// What separates a pattern that stands for printed names from what is known of them: one letter for each. A text that holds
/// this letter itself is refused.
pub(crate) const MARK: char = '\u{fdd0}';

/// What is known of the names that a marked pattern stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Names with blanks, quotes or backslashes become others.
    pub(crate) splits: bool,
    /// Names that look like patterns become others.
    pub(crate) expands: bool,
    pub(crate) is_tracked: bool,
    pub(crate) is_from_top: bool,
}

impl Marks {
    /// The pattern, and what is known.
    pub(crate) fn read(text: &str) -> (&str, Self) {
        let Some((pattern, marks)) = text.split_once(MARK) else { return (text, Self::default()) };
        let has = |letter: char| marks.contains(letter);
        let marks = Self { splits: has('s'), expands: has('e'), is_tracked: has('t'), is_from_top: has('r') };
        (pattern, marks)
    }

    pub(crate) fn on(self, pattern: &str) -> String {
        let letters =
            [(self.splits, 's'), (self.expands, 'e'), (self.is_tracked, 't'), (self.is_from_top, 'r')];
        let marks: String = letters.iter().filter(|(is_set, _)| *is_set).map(|(_, letter)| *letter).collect();
        format!("{pattern}{MARK}{marks}{MARK}")
    }

    /// As the shell takes it without quotation marks.
    pub(crate) fn split(text: &str) -> String {
        let (pattern, marks) = Self::read(text);
        Self { splits: true, expands: true, ..marks }.on(pattern)
    }
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
            let below: Option<Vec<Place>> = match line.operands.is_empty() {
                true => Some(vec![Place { directory: String::new(), only: None }]),
                false => line.words().map(|word| pathspec(word.literal()?)).collect(),
            };
            let is_tracked = !line.has("o");
            Some(Names { below: below?, ends_with_zero: line.has("z"), is_tracked, is_from_top: false })
        }
        "git" if literal.get(1) == Some(&"diff") => {
            let line = known(&words[1..], DIFF)?;
            let below = vec![Place { directory: String::new(), only: None }];
            // What two commits differ in, or the index and a commit, may be tracked no more.
            let is_tracked = line.operands.is_empty() && !line.has("cached");
            line.has("name-only").then(|| Names {
                below,
                ends_with_zero: line.has("z"),
                is_tracked,
                is_from_top: true,
            })
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
const DIFF: &str = "name-only z diff-filter= cached/staged";
const GIT_GREP: &str = "l/files-with-matches i w F E P n e= z/null I untracked cached";

/// Nothing but options that are listed.
fn known(words: &[Word], options: &'static str) -> Option<Line> {
    Some(parse(words, options, Order::Anywhere)).filter(|line| line.unsure.is_none())
}

/// What a path or pattern of git means: its star stands for slashes as well.
fn pathspec(text: &str) -> Option<Place> {
    let Some(at) = text.find(['*', '?', '[']) else {
        return is_plain(text).then(|| Place { directory: text.to_owned(), only: None });
    };
    let directory = text[..at].rfind('/').map_or("", |end| &text[..end]);
    let last = text.rsplit('/').next().unwrap_or_default();
    let is_known = directory.is_empty() && !text.starts_with('/') || is_plain(directory);
    let is_pattern = !text.starts_with([':', '-']);
    (is_known && is_pattern).then(|| Place {
        directory: directory.to_owned(),
        only: Some(last).filter(|last| is_simple(last)).map(str::to_owned),
    })
}

fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['-', ':'])
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-@+".contains(letter))
}

fn is_simple(text: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || "*?._-".contains(letter))
        && !text.contains("**")
}

/// The operands, of which the first is what is looked for unless that is told by an option.
fn searched(line: &Line, is_told: bool, only: Option<&str>, ends_with_zero: bool) -> Option<Names> {
    let operands = line.words().skip(usize::from(!is_told)).filter_map(Word::literal);
    names(operands.collect(), only, ends_with_zero)
}

/// Without a directory, names begin with whatever they are called.
fn names(below: Vec<&str>, only: Option<&str>, ends_with_zero: bool) -> Option<Names> {
    let below = if below.is_empty() { vec![""] } else { below };
    below.iter().all(|text| text.is_empty() || is_plain(text)).then(|| Names {
        below: below
            .into_iter()
            .map(|directory| Place {
                directory: directory.to_owned(),
                only: only.filter(|only| is_simple(only)).map(str::to_owned),
            })
            .collect(),
        ends_with_zero,
        is_tracked: false,
        is_from_top: false,
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

/// The words that `xargs` appends or puts in for these names.
pub(crate) fn appended(words: &[Word], names: &Names) -> Option<Vec<Word>> {
    if words.first().and_then(Word::literal) != Some("xargs") {
        return None;
    }
    let line = parse(words, super::wrappers::XARGS, Order::First);
    if line.unsure.is_some() || line.has("a E e i J o") || line.has("0") != names.ends_with_zero {
        return None;
    }
    Some(names.words(Marks { splits: !line.has("0"), ..Marks::default() }))
}

impl Names {
    /// The words that stand for them where they are read with such marks.
    pub(crate) fn words(&self, marks: Marks) -> Vec<Word> {
        let made = self.below.iter().map(|place| {
            let start = match place.directory.as_str() {
                "" => String::new(),
                directory => format!("{}/", directory.trim_end_matches('/')),
            };
            let last = place.only.as_ref().map_or(String::new(), |only| format!("/{only}"));
            let marks = Marks {
                // Of what is tracked and gone, the disk does not say whether it begins with a dash; see `has_odd_names`.
                splits: marks.splits || self.is_tracked && start.is_empty(),
                is_tracked: self.is_tracked,
                is_from_top: self.is_from_top,
                ..marks
            };
            Word::Unknown { text: marks.on(&format!("{start}**{last}")), start, splits: true }
        });
        made.collect()
    }

    /// The words that the shell makes of them, if they are lines.
    pub(crate) fn split(&self) -> Option<Vec<Word>> {
        let marks = Marks { splits: true, expands: true, ..Marks::default() };
        (!self.ends_with_zero).then(|| self.words(marks))
    }

    /// What a variable holds that is given one line of them after the other.
    pub(crate) fn lines(&self) -> Option<Vec<Word>> {
        (!self.ends_with_zero).then(|| self.words(Marks { splits: true, ..Marks::default() }))
    }
}
