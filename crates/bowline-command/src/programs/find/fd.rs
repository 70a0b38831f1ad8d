//! `fd`: names are told, and a command may be run on them.

use super::super::Meaning;
use super::{Order, parse};
use crate::{Pin, Word};

const FD: &str = "H/hidden I/no-ignore u/unrestricted s/case-sensitive i/ignore-case g/glob regex \
    F/fixed-strings a/absolute-path l/list-details L/follow p/full-path d/max-depth= min-depth= \
    exact-depth= E/exclude= prune t/type= e/extension= S/size= changed-within= changed-before= o/owner= \
    format= batch-size= ignore-file=< c/color= j/threads= max-results= 1 q/quiet show-errors \
    base-directory= path-separator= search-path= strip-cwd-prefix? one-file-system 0/print0 h/help \
    V/version no-ignore-vcs no-ignore-parent and=";

/// `-x` and `-X` are followed by a command, up to `;` or the end.
pub(super) fn fd(words: &[Word]) -> Meaning {
    let is_exec = |word: &Word| {
        word.literal().is_some_and(|text| {
            let is_cluster = text.starts_with('-') && !text.starts_with("--") && text.ends_with(['x', 'X']);
            is_cluster || (text.len() > 4 && ("--exec".starts_with(text) || "--exec-batch".starts_with(text)))
        })
    };
    let split = words.iter().position(is_exec).unwrap_or(words.len());
    let line = parse(&words[..split], FD, Order::Anywhere);
    let mut meaning = Meaning::default();
    meaning.uses(&line, "fd");
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `fd` may run commands"));
    }
    let command: Vec<Word> = words.get(split + 1..).unwrap_or_default().to_vec();
    if command.is_empty() {
        return meaning;
    }
    let has_place = command.iter().any(|word| word.start().contains('{'));
    let fill = |word: Word| match word.start().find('{') {
        Some(at) => Word::filled(&word.start()[..at], "<what was found>", false),
        None => word,
    };
    let mut command: Vec<Word> = command.into_iter().map(fill).collect();
    if let Some(end) = command.iter().position(|word| word.literal() == Some(";")) {
        if end + 1 < command.len() {
            meaning.opaque(Pin::Everything, "what follows the command of `fd` is not read");
        }
        command.truncate(end);
    }
    if !has_place {
        command.push(Word::filled("", "<what was found>", true));
    }
    meaning.runs.push(command);
    meaning
}
