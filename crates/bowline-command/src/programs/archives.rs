//! One file made of many, and many of one: `tar`, `zip`, `7z`, `ar`, `cpio`.

mod tar;
mod zip;

use super::Meaning;
use super::line::{Order, parse};
use super::look::only_asks_about_itself;
use super::meaning::below;
use super::table::{Kind, Row};
use crate::{Creates, Pin, Word};

pub(super) const ROWS: &[Row] = &[
    ("tar gtar bsdtar", Kind::Does(tar::tar)),
    ("zip", Kind::Does(zip::zip)),
    ("unzip", Kind::Does(zip::unzip)),
    ("zipinfo", Kind::Does(listed)),
    ("7z 7za 7zr 7zz", Kind::Does(seven)),
    ("rar unrar", Kind::Does(rar)),
    ("ar gar llvm-ar", Kind::Does(ar)),
    ("cpio gcpio", Kind::Does(cpio)),
    ("star afio shar unshar", Kind::Hidden("which files it writes is said by an archive or a list")),
    ("jar", Kind::Does(jar)),
];

const HIDDEN: &str = "which files it writes is said by an archive";

fn listed(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    words[1..].iter().filter(|word| !word.start().starts_with('-')).for_each(|path| meaning.reads(path));
    meaning
}

fn rar(words: &[Word]) -> Meaning {
    match words.get(1).and_then(Word::literal) {
        Some("l" | "lt" | "lb" | "v" | "vt" | "t") => listed(&words[1..]),
        None => Meaning::default(),
        Some(_) => Meaning::code(Pin::Everything, HIDDEN),
    }
}

/// Options that say how well it packs, what it asks, and what it tells.
const SEVEN_QUIET: &[&str] = &[
    "-y", "-r", "-r-", "-bd", "-bb", "-bt", "-mx", "-mmt", "-m0", "-ms", "-t", "-ao", "-p", "-ssc", "-spe",
    "-slt",
];

fn seven(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let Some(command) = words.get(1) else { return meaning };
    let (options, operands): (Vec<&Word>, Vec<&Word>) =
        words[2..].iter().partition(|word| word.may_be_option() || word.start().starts_with('@'));
    let is_quiet = |word: &&&Word| SEVEN_QUIET.iter().any(|quiet| word.start().starts_with(quiet));
    let others: Vec<&&Word> =
        options.iter().filter(|word| word.literal().is_none() || !is_quiet(word)).collect();
    let target = others.iter().find_map(|word| word.literal()?.strip_prefix("-o"));
    let is_known = others.iter().all(|word| word.literal().is_some_and(|text| text.starts_with("-o")));
    match (command.literal(), operands.split_first()) {
        (Some("l" | "t" | "i" | "b" | "h"), _) if is_known => {
            operands.iter().for_each(|path| meaning.reads(path));
        }
        (Some("x" | "e"), Some((archive, _))) if is_known => {
            meaning.reads(archive);
            meaning.writes_at(target.filter(|target| !target.is_empty()).unwrap_or("."), true);
        }
        (Some("a" | "u"), Some((archive, sources))) if is_known => {
            meaning.writes(archive, false);
            if let Some(name) = archive.literal().filter(|name| !name.contains('.')) {
                meaning.writes_at(format!("{name}.7z"), false);
            }
            sources.iter().for_each(|source| meaning.reads_below(source));
            if sources.is_empty() {
                meaning.reads_below(&Word::Literal(".".to_owned()));
            }
        }
        _ => {
            meaning.opaque(Pin::Everything, HIDDEN);
            if let Some((archive, _)) = operands.split_first() {
                meaning.writes(archive, false);
            }
        }
    }
    meaning
}

/// `ar rcs lib.a a.o`: one word of letters, words that some of these want, the archive, its members.
fn ar(words: &[Word]) -> Meaning {
    if only_asks_about_itself(words) {
        return Meaning::default();
    }
    let mut meaning = Meaning::default();
    let is_loud = |word: &&Word| {
        word.start().starts_with("--")
            || word.start().starts_with('@')
            || (word.literal().is_none() && word.may_be_option())
    };
    if words[1..].iter().any(|word| is_loud(&word)) {
        meaning.opaque(Pin::Everything, "`ar` may load plugins, and read options from a file");
    }
    let plain: Vec<&Word> = words[1..].iter().filter(|word| !word.start().starts_with("--")).collect();
    let Some((operation, rest)) = plain.split_first() else { return meaning };
    let Some(operation) = operation.literal().map(|text| text.trim_start_matches('-')) else {
        meaning.unreadable("what `ar` does cannot be told");
        return meaning;
    };
    // The letters may be spread over several words.
    if operation.contains('M') || rest.first().is_some_and(|word| word.start().starts_with('-')) {
        meaning.unreadable("what `ar` does is said elsewhere");
    }
    let own = usize::from(operation.contains(['a', 'b', 'i'])) + usize::from(operation.contains('N'));
    let Some((archive, members)) = rest.get(own..).and_then(|rest| rest.split_first()) else {
        return meaning;
    };
    meaning.reads(archive);
    if operation.contains(['r', 'q', 'd', 'm', 's']) {
        meaning.writes(archive, false);
    }
    if operation.contains(['r', 'q']) {
        members.iter().for_each(|member| meaning.reads(member));
    }
    if operation.contains('x') {
        match members {
            [] => meaning.writes_at(".", true),
            members => members.iter().for_each(|member| meaning.writes(member, false)),
        }
    }
    meaning
}

const CPIO: &str = "0/null A/append a/reset-access-time absolute-filenames B b/swap block-size= C/io-size= c \
    D/directory= d/make-directories device-independent/reproducible E/pattern-file=< F/file= f/nonmatching \
    force-local H/format= I= i/extract ignore-devno k L/dereference l/link M/message= m/preserve-modification-time \
    n/numeric-uid-gid no-absolute-filenames no-preserve-owner O= o/create only-verify-crc p/pass-through quiet \
    R/owner= r/rename rename-batch-file= renumber-inodes rsh-command=! S/swap-halfwords s/swap-bytes sparse \
    t/list to-stdout u/unconditional V/dot v/verbose warning= help usage version";

fn cpio(words: &[Word]) -> Meaning {
    let line = parse(words, CPIO, Order::Anywhere);
    let mut meaning = Meaning::default();
    meaning.uses(&line, "cpio");
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: what `cpio` writes cannot be told"));
    }
    let directory = line.values("D").next_back();
    let place = |path: &Word| match (directory.map(Word::literal), path.literal()) {
        (Some(Some(directory)), Some(path)) => Word::Literal(below(directory, path)),
        _ => path.clone(),
    };
    let archives: Vec<Word> = ["F", "I", "O"].iter().flat_map(|name| line.values(name)).map(&place).collect();
    if line.has("o") {
        archives.iter().for_each(|path| meaning.writes(path, false));
        meaning.opaque(Pin::Everything, "which files are packed is said by a list");
        return meaning;
    }
    archives.iter().for_each(|path| meaning.reads(path));
    if line.has("t to-stdout only-verify-crc") && !line.has("p") && line.unsure.is_none() {
        return meaning;
    }
    meaning.opaque(Pin::Everything, "which files it writes is said by an archive or a list");
    if line.has("p") {
        line.words().for_each(|path| meaning.writes(&place(path), true));
    } else {
        meaning.writes(&directory.cloned().unwrap_or_else(|| Word::Literal(".".to_owned())), true);
    }
    meaning
}

/// As `tar`, with fewer letters.
fn jar(words: &[Word]) -> Meaning {
    let is_told = words[1..].iter().any(|word| word.literal().is_none() || word.start().starts_with('@'));
    let letters = words.get(1).and_then(Word::literal).unwrap_or_default();
    let lists = matches!(letters.trim_start_matches('-'), "tf" | "tvf" | "list" | "version" | "help");
    if is_told || !lists {
        let mut meaning = Meaning::code(Pin::Everything, HIDDEN);
        for path in words.iter().skip(2) {
            meaning.changes(path, false, Creates::Nothing);
        }
        return meaning;
    }
    listed(&words[1..])
}
