//! `gh` and its like.

use super::only_asks_about_itself;
use crate::programs::Meaning;
use crate::programs::line::{Order, parse};
use crate::{Pin, Word};

/// What may be looked at.
const ABOUT: &str = "pr issue repo run release workflow mr label gist auth project ruleset cache secret variable org search codespace attestation";

const LOOKS: &str = "view list status diff checks ls watch";

/// Options whose value is a file that is read, or holds one after `@`.
const READS: &[&str] = &[
    "-F",
    "--field",
    "-f",
    "--raw-field",
    "--input",
    "--body-file",
    "--notes-file",
    "--env-file",
    "--template",
    "-T",
];

/// Options whose value is written.
const WRITES: &[&str] = &["-D", "--dir", "-O", "--output", "-o"];

/// `gh pr view` looks; `gh api`, `gh alias`, `gh extension` and unknown words do more.
pub(in crate::programs) fn forge(words: &[Word]) -> Meaning {
    let literal = |at: usize| words.get(at).and_then(Word::literal);
    let has = |list: &str, name: &str| list.split(' ').any(|each| each == name);
    let (about, sub) = (literal(1), literal(2));
    let looks = about.is_some_and(|about| {
        has(ABOUT, about) && (about == "search" || sub.is_some_and(|sub| has(LOOKS, sub)))
    }) || (about == Some("api") && gets(words));
    // It would start a browser, or show what opens the account.
    let is_loud = |word: &Word| {
        let text = word.start();
        (word.literal().is_none() && word.may_be_option())
            || text.starts_with("--w") && !text.starts_with("--workflow")
            || text.starts_with("--show-t")
            || !text.starts_with("--")
                && text.starts_with('-')
                && text.len() == 2
                && text.ends_with('w')
                && about != Some("run")
    };
    if only_asks_about_itself(words) || words.len() == 1 {
        return Meaning::default();
    }
    let mut meaning = Meaning::default();
    if !looks || words[1..].iter().any(is_loud) {
        let pin = if sub.is_some_and(|sub| !sub.starts_with('-')) && !looks {
            Pin::Words(3)
        } else {
            Pin::Everything
        };
        meaning.opaque(pin, format!("`{}` changes what is elsewhere", words[0].shown()));
    }
    files(words, &mut meaning);
    let sends = matches!(
        (about, sub),
        (Some("gist"), Some("create" | "edit")) | (Some("release"), Some("create" | "upload"))
    );
    if sends {
        words
            .iter()
            .skip(3)
            .filter(|word| !word.start().starts_with('-'))
            .for_each(|path| meaning.reads(path));
    }
    let brings = matches!((about, sub), (Some("run" | "release"), Some("download")));
    if brings && meaning.touches.iter().all(|touched| touched.access != crate::Access::Write) {
        meaning.writes_at(".", true);
    }
    meaning
}

/// What `gh api` may be told without sending anything. A field or a body makes it a change.
const API: &str =
    "paginate slurp q/jq= i/include p/preview= silent verbose cache= H/header= X/method= t/template=";

/// It asks the forge itself for one thing, and shows it.
fn gets(words: &[Word]) -> bool {
    let line = parse(&words[1..], API, Order::Anywhere);
    let is =
        |name: &str, fits: fn(&str) -> bool| line.values(name).all(|value| value.literal().is_some_and(fits));
    let is_place = |word: &Word| {
        let text = word.shown();
        // Where it is a whole address, another machine is asked.
        !text.contains("://") && text.trim_start_matches('/') != "graphql" && !text.contains(['$', '`', '\\'])
    };
    words[0].literal() == Some("gh")
        && line.unsure.is_none()
        && line.operands.len() == 1
        && line.words().all(is_place)
        && is("X", |method| method == "GET")
        // A header may name another method.
        && is("H", |header| header.to_ascii_lowercase().starts_with("accept:"))
        && is("t", |template| !template.starts_with('@'))
}

fn files(words: &[Word], meaning: &mut Meaning) {
    for (at, word) in words.iter().enumerate().skip(2) {
        let text = word.start();
        let name = text.split('=').next().unwrap_or_default();
        let (name, value) = match text.contains('=') && text.starts_with("--") {
            true => (name, Some(word.after(name.len() + 1))),
            false if !text.starts_with("--") && text.len() > 2 && text.is_char_boundary(2) => {
                (&text[..2], Some(word.after(2)))
            }
            false => (text, words.get(at + 1).cloned()),
        };
        let Some(value) = value else { continue };
        if WRITES.contains(&name) {
            meaning.writes(&value, true);
        }
        if READS.contains(&name) {
            match value.start().split_once('=') {
                Some((key, rest)) if rest.starts_with('@') => meaning.reads(&value.after(key.len() + 2)),
                Some(_) => {}
                None => meaning.reads(&value),
            }
        }
    }
}
