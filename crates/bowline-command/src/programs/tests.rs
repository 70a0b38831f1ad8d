//! What is said of many commands, as tables.

mod agents;
mod code;
mod git;
mod paths;
mod readers;
mod toolchains;
mod wrappers;

use proptest::prelude::*;

use super::{Meaning, Touched, meaning, table};
use crate::{Access, Doubt, Pin, Word};

/// Words as a shell would make them, as far as tables need: blanks separate, quotes join, `$x` is not known, nor is `*`.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(first) = letters.next_if(|_| true) {
        if first == ' ' {
            continue;
        }
        let (mut value, mut shown, mut start, mut splits) = (String::new(), String::new(), None, false);
        let mut quote = None;
        let mut next = Some(first);
        while let Some(letter) = next {
            shown.push(letter);
            match (quote, letter) {
                (Some(open), _) if letter == open => quote = None,
                (None, '\'' | '"') => quote = Some(letter),
                (Some('\''), _) => value.push(letter),
                (_, '$') | (None, '*' | '?') => {
                    start.get_or_insert_with(|| value.clone());
                    splits |= quote.is_none();
                }
                _ => value.push(letter),
            }
            next = letters.next_if(|&letter| quote.is_some() || letter != ' ');
        }
        words.push(match start {
            Some(start) => Word::Unknown { start, text: shown, splits },
            None => Word::Literal(value),
        });
    }
    words
}

fn shown_word(word: &Word) -> String {
    match word {
        Word::Literal(text) => text.clone(),
        Word::Unknown { start, splits: false, .. } => format!("{start}…"),
        Word::Unknown { start, .. } => format!("{start}……"),
    }
}

/// In one line: `wraps`, `runs […]`, `shell […]`, `<code`, `<patch`, `r path`, `w path`, `x path` (`/**` for everything below), `cd path`,
/// `?` for what cannot be read, `~2` and `~all` for what must be spelt, `NEVER` for what is refused. Nothing of it is `ok`.
fn shown(meaning: &Meaning) -> String {
    let joined = |words: &[Word]| words.iter().map(shown_word).collect::<Vec<_>>().join(" ");
    let mut parts = Vec::new();
    parts.extend(meaning.forbidden.is_some().then(|| "NEVER".to_owned()));
    parts.extend(
        meaning.doubts.iter().any(|doubt| matches!(doubt, Doubt::Unreadable(_))).then(|| "?".to_owned()),
    );
    parts.extend(meaning.pin.map(|pin| match pin {
        Pin::Words(count) => format!("~{count}"),
        Pin::Everything => "~all".to_owned(),
    }));
    parts.extend(meaning.is_wrapper.then(|| "wraps".to_owned()));
    parts.extend(meaning.runs.iter().map(|words| format!("runs [{}]", joined(words))));
    parts.extend(meaning.shell.iter().map(|code| format!("shell [{}]", shown_word(code))));
    parts.extend(meaning.shell_from_stdin.then(|| "<code".to_owned()));
    parts.extend(meaning.patch_from_stdin.then(|| "<patch".to_owned()));
    // Every command of git runs what the repository says: shown only where that is another one.
    let is_usual = |touched: &&Touched| {
        meaning.moves_to.is_none()
            && touched.access == Access::Execute
            && touched.path == Word::Literal(".git".to_owned())
    };
    let touches = meaning.touches.iter().chain(&meaning.unless_piped).filter(|touched| !is_usual(touched));
    parts.extend(touches.map(|touched| {
        let access = match touched.access {
            Access::Read => "r",
            Access::Write => "w",
            Access::Execute => "x",
        };
        format!("{access} {}{}", shown_word(&touched.path), if touched.is_deep { "/**" } else { "" })
    }));
    parts.extend(meaning.moves_to.iter().map(|word| format!("cd {}", shown_word(word))));
    if parts.is_empty() { "ok".to_owned() } else { parts.join(", ") }
}

/// Every row of `command => meaning`.
#[track_caller]
fn check(table: &str) {
    let rows = table.lines().map(str::trim).filter(|row| !row.is_empty());
    let wrong: Vec<String> = rows
        .filter_map(|row| {
            let (command, expected) = row.split_once(" => ").unwrap_or((row, ""));
            let found = shown(&meaning(&words(command.trim())));
            (found != expected.trim()).then(|| format!("{} => {found}", command.trim()))
        })
        .collect();
    assert!(wrong.is_empty(), "these mean something else:\n{}", wrong.join("\n"));
}

#[test]
fn every_pin_has_its_doubt_and_the_other_way_round() {
    let arguments =
        ["", "-x", "a b", "$x", "-- $x", "-c code", "run x", "--help", "-o f", "x=y z", "- < >", "{} ;"];
    for name in table::all_names() {
        for argument in arguments {
            let meaning = meaning(&words(&format!("{name} {argument}")));
            let is_opaque = meaning.doubts.iter().any(|doubt| matches!(doubt, Doubt::Opaque(_)));
            assert_eq!(is_opaque, meaning.pin.is_some(), "`{name} {argument}`");
            assert!(meaning.runs.iter().all(|words| !words.is_empty()), "`{name} {argument}`");
        }
    }
}

#[test]
fn a_program_is_in_one_table_only() {
    let mut names = table::all_names();
    names.sort_unstable();
    let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    assert_eq!(twice, Vec::<&str>::new());
}

#[test]
fn nothing_is_said_of_a_program_that_nobody_knows() {
    check(
        "
        frobnicate --all $x => ok
        evil => ok
        ",
    );
}

/// Pieces that programs look for, in the wrong places.
fn any_word() -> impl Strategy<Value = Word> {
    let pieces = prop::sample::select(vec![
        "-",
        "--",
        "-c",
        "-e",
        "-x",
        "-S",
        "-I",
        "-o",
        "-t",
        "-f",
        "-C",
        "-exec",
        "-fprintf",
        ";",
        "+",
        "{}",
        "=",
        ":::",
        "--output=",
        "--exec",
        "run",
        "é",
        "-é",
        "--é=ü",
        "s/a/b/w",
        "{print > \"x",
        "/[",
        "(a|b)?",
        "a/../b/",
        "/",
        ".",
        "5",
        "x=y",
        "@",
        "+x",
    ]);
    let text = prop::collection::vec(pieces, 0..3).prop_map(|pieces| pieces.concat());
    prop_oneof![
        3 => text.clone().prop_map(Word::Literal),
        1 => (text.clone(), text, any::<bool>()).prop_map(|(start, text, splits)| Word::Unknown { start, text, splits }),
        1 => any::<String>().prop_map(Word::Literal),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_command_gets_an_answer(name in prop::sample::select(table::all_names()), rest in prop::collection::vec(any_word(), 0..7)) {
        let words: Vec<Word> = std::iter::once(Word::Literal(name.to_owned())).chain(rest).collect();
        let meaning = meaning(&words);
        let is_opaque = meaning.doubts.iter().any(|doubt| matches!(doubt, Doubt::Opaque(_)));
        prop_assert_eq!(is_opaque, meaning.pin.is_some());
        // Whoever pins more words than there are could never be allowed.
        prop_assert!(!matches!(meaning.pin, Some(Pin::Words(count)) if count > words.len() || count == 0));
        prop_assert!(meaning.runs.iter().all(|words| !words.is_empty()));
    }
}

/// A word that nobody knows never makes a command look better than the same command with the word that it turns out to be.
#[test]
fn an_unknown_word_hides_nothing() {
    let unknown = Word::Unknown { start: String::new(), text: "$x".to_owned(), splits: true };
    let mut hidden = Vec::new();
    for name in table::all_names() {
        for place in 0..3 {
            let with = |word: Word| {
                let mut words: Vec<Word> =
                    [name, "a", "b"].iter().map(|text| Word::Literal((*text).to_owned())).collect();
                words.insert(place + 1, word);
                meaning(&words)
            };
            let plain = with(Word::Literal("c".to_owned()));
            let unknown = with(unknown.clone());
            // A command whose program is not known is a doubt of the walk's.
            let is_known = unknown.runs.iter().all(|words| words[0].literal().is_some());
            let is_quiet = unknown.doubts.is_empty() && unknown.forbidden.is_none() && is_known;
            for loud in LOUD.iter().filter(|_| is_quiet) {
                let told = with(Word::Literal((*loud).to_owned()));
                if told.doubts.len() > plain.doubts.len()
                    || (told.forbidden.is_some() && plain.forbidden.is_none())
                {
                    hidden.push(format!("`{name}` with `{loud}` at {place}: {}", shown(&told)));
                }
            }
        }
    }
    assert!(hidden.is_empty(), "an unknown word hides:\n{}", hidden.join("\n"));
}

/// Options that make somebody run or write something.
const LOUD: &[&str] = &[
    "-exec",
    "-delete",
    "--output=x",
    "-Oevil",
    "--exec=evil",
    "--pre=evil",
    "--compress-program=evil",
    "-i",
    "--upload-pack=evil",
    "--to-command=evil",
    "-Ievil",
    "--checkpoint-action=exec=evil",
    "-oprot",
    "-K",
    "--config=x",
    "--filter=evil",
    "-xevil",
    "-c",
    "-e",
    "--ext-diff",
    "--plugin=x",
    "-C",
    "--pager=evil",
    "-p",
    "--yolo",
    "-1",
    "-9",
    "-f",
    "-r",
    "--init-file=x",
    "-va[1]",
];
