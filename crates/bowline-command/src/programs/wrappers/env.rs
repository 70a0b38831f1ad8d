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
    for _ in 0..=MOST_SPLITS {
        let line = parse(&words, OPTIONS, Order::First);
        let Some(string) = line.values("S").next() else { return finish(&words, meaning) };
        let Some(split) = string.literal().and_then(split) else {
            meaning.unreadable("what `env -S` splits cannot be told");
            return meaning;
        };
        // Everything before it was an option of env, and stays one for the directory and the variables.
        let rest = line.operands.iter().map(|(_, word)| word.clone());
        let kept =
            line.given.iter().filter(|given| given.name == "C").filter_map(|given| given.value.clone());
        let kept = kept.flat_map(|value| [Word::Literal("-C".to_owned()), value]);
        doubt_options(&words, &line, &mut meaning);
        words = std::iter::once(words[0].clone()).chain(kept).chain(split).chain(rest).collect();
    }
    meaning.unreadable("`env -S` splits words that split words");
    meaning
}

const MOST_SPLITS: usize = 4;

fn finish(words: &[Word], mut meaning: Meaning) -> Meaning {
    let line = parse(words, OPTIONS, Order::First);
    doubt_options(words, &line, &mut meaning);
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
