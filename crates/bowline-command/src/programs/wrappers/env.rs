//! `env`: variables, a directory, and a command that may itself stand in one word.

use super::doubt_options;
use crate::programs::line::{Order, parse};
use crate::programs::{Meaning, environment};
use crate::{Pin, Word};

const OPTIONS: &str = "i/ignore-environment 0/null u/unset= C/chdir= S/split-string= v/debug P= a/argv0= \
    block-signal? default-signal? ignore-signal? list-signal-handling help version";

pub(super) fn env(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let mut words = words.to_vec();
    // `-S` puts its words in the place where it stands, options of env among them. It may do so again and again.
    for _ in 0..=MAX_SPLITS {
        let Some((before, string, after)) = at_split(&words) else { return finish(&words, meaning) };
        let Some(split) = string.literal().and_then(split) else {
            meaning.unreadable("what `env -S` splits cannot be told");
            meaning.runs.extend((!after.is_empty()).then_some(after));
            return meaning;
        };
        // Everything before it was an option of env, and stays one for the directory and the variables.
        let line = parse(&before, OPTIONS, Order::First);
        let kept = line.given.iter().filter(|given| matches!(given.name, "C" | "P"));
        let kept =
            kept.filter_map(|given| Some([Word::Literal(format!("-{}", given.name)), given.value.clone()?]));
        let kept: Vec<Word> = kept.flatten().collect();
        doubt_options(&words, &line, &mut meaning);
        words = std::iter::once(words[0].clone()).chain(kept).chain(split).chain(after).collect();
    }
    meaning.unreadable("`env -S` splits words that split words");
    meaning
}

/// The words up to the first `-S`, its string, and all words that follow it as they stand: they may begin with a dash, and
/// are no options before the string has been split.
fn at_split(words: &[Word]) -> Option<(Vec<Word>, Word, Vec<Word>)> {
    let may_split = |word: &&Word| {
        word.start().starts_with("--s") || (word.start().starts_with('-') && word.start().contains('S'))
    };
    let last = words.iter().take(MAX_OPTIONS).rposition(|word| may_split(&word))?;
    for count in 2..=words.len().min(last + 2) {
        let line = parse(&words[..count], OPTIONS, Order::First);
        if let Some(string) = line.values("S").next() {
            return Some((words[..count].to_vec(), string.clone(), words[count..].to_vec()));
        }
        if !line.operands.is_empty() {
            return None;
        }
    }
    None
}

const MAX_SPLITS: usize = 4;

/// Words among which a string to be split is looked for.
const MAX_OPTIONS: usize = 100;

fn finish(words: &[Word], mut meaning: Meaning) -> Meaning {
    let line = parse(words, OPTIONS, Order::First);
    doubt_options(words, &line, &mut meaning);
    if line.has("S") {
        meaning.unreadable("`env` has more options than are looked at");
    }
    meaning.moves_to = line.values("C").next_back().cloned();
    if line.has("P") {
        meaning.opaque(Pin::Everything, "`env -P` looks for programs in other places");
    }
    let mut rest: Vec<Word> = line.operands.iter().map(|(_, word)| word.clone()).collect();
    // A single dash is `-i`.
    while rest.first().and_then(Word::literal) == Some("-") {
        rest.remove(0);
    }
    let rest = environment::without_assignments(rest, &mut meaning);
    if !rest.is_empty() {
        meaning.runs.push(rest);
    }
    meaning
}

/// Blanks and simple quotes. Escapes and variables are env's own, and not followed.
fn split(text: &str) -> Option<Vec<Word>> {
    if text.contains(['\\', '$', '#']) {
        return None;
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_ascii_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then(|| words.into_iter().map(Word::Literal).collect())
}
