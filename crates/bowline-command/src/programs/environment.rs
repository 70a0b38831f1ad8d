//! Variables that decide what a program runs, or where it writes.
//!
//! They are grouped by the programs that look at them. A name that is in no list is taken for harmless, as most are: programs
//! of a project have variables of their own.

mod names;

use names::{ENDS, FAMILIES, HARMLESS, STARTS};

use super::Meaning;
use super::meaning::last_part;
use crate::Word;

/// A variable of this name decides what runs.
pub(crate) fn decides(name: &str) -> bool {
    let has = |list: &'static str, fits: &dyn Fn(&str) -> bool| list.split_ascii_whitespace().any(fits);
    !is_harmless(name)
        && (FAMILIES.iter().any(|(_, list)| has(list, &|known| known == name))
            || has(STARTS, &|start| name.starts_with(start))
            || has(ENDS, &|end| name.ends_with(end)))
}

/// These only say how much is told, in which colour and language, or to whom.
fn is_harmless(name: &str) -> bool {
    HARMLESS.split_ascii_whitespace().any(|harmless| harmless == name)
}

/// Options for a compiler that choose how it works, and no program or file: `RUSTFLAGS="-D warnings"`, `GOFLAGS=-mod=mod`.
pub(crate) fn are_plain_flags(name: &str, value: &str) -> bool {
    const GO: &str = "-v -x -race -short -trimpath -mod=mod -mod=vendor -mod=readonly -buildvcs=false -buildvcs=true \
        -buildvcs=auto -count=1 -failfast";
    let is_one_of = |list: &str, text: &str| list.split_ascii_whitespace().any(|each| each == text);
    match name {
        "RUSTFLAGS" | "RUSTDOCFLAGS" => are_plain_rust_flags(value),
        "GOFLAGS" => {
            let is_tags = |flag: &str| flag.strip_prefix("-tags=").is_some_and(is_name);
            value.split_ascii_whitespace().all(|flag| is_one_of(GO, flag) || is_tags(flag))
        }
        _ => false,
    }
}

/// Lints, conditions, and how code is made.
fn are_plain_rust_flags(value: &str) -> bool {
    const LINTS: [&str; 4] = ["-D", "-W", "-A", "-F"];
    const CODEGEN: &str =
        "opt-level debuginfo debug-assertions overflow-checks panic codegen-units target-cpu strip";
    let is_setting = |text: &str| {
        text.split_once('=')
            .is_some_and(|(name, value)| CODEGEN.split(' ').any(|known| known == name) && is_name(value))
    };
    let is_condition = |text: &str| !text.starts_with(['-', '@']) && !text.contains('/');
    let mut flags = value.split_ascii_whitespace();
    while let Some(flag) = flags.next() {
        let mut next = |fits: &dyn Fn(&str) -> bool| flags.next().is_some_and(fits);
        let is_plain = match flag {
            _ if LINTS.contains(&flag) => next(&is_name),
            "--cap-lints" => next(&is_name),
            "--cfg" => next(&is_condition),
            "-C" => next(&is_setting),
            _ => match flag.split_at_checked(2) {
                Some(("-C", setting)) => is_setting(setting),
                Some((lint, rest)) if LINTS.contains(&lint) => is_name(rest),
                _ => false,
            },
        };
        if !is_plain {
            return false;
        }
    }
    true
}

/// Of lints, tags and processors. No path, and no option.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-:,".contains(letter))
}

/// Programs that take every variable of their surroundings for one of their own, which their files use as commands.
const TAKES_ALL: &[&str] = &["make", "gmake", "bmake", "gnumake", "mk", "just", "task", "ninja", "rake"];

pub(crate) fn takes_all(program: &str) -> bool {
    TAKES_ALL.contains(&last_part(program))
}

/// Whether this assignment is one that even such a program makes nothing of. `None` is a value that is not known.
pub(crate) fn is_plain(name: &str, value: Option<&str>) -> bool {
    let is_text = |letter: char| letter.is_ascii_alphanumeric() || "_.,:+-/@%".contains(letter);
    is_harmless(name) && value.is_some_and(|value| value.chars().all(is_text))
}

/// Takes `NAME=value` from the front, as `env` and `sudo` do; what they change is a doubt.
pub(super) fn without_assignments(mut words: Vec<Word>, meaning: &mut Meaning) -> Vec<Word> {
    let count = words.iter().take_while(|word| word.start().split_once('=').is_some()).count();
    let program = words.get(count).map_or_else(String::new, |word| word.start().to_owned());
    for word in words.drain(..count) {
        let (name, _) = word.start().split_once('=').unwrap_or_default();
        let value = word.literal().map(|text| &text[name.len() + 1..]);
        let is_taken = takes_all(&program) && !is_plain(name, value);
        if decides(name) || is_taken || word.is_loose() {
            meaning.unreadable(format!("`{}` decides what runs", word.shown()));
        }
    }
    words
}
