//! Wrappers that run a command as another user: `sudo -s`, `su -c`, `runuser`.

use super::doubt_options;
use crate::programs::line::{Line, Order, parse};
use crate::programs::meaning::joined;
use crate::programs::{Meaning, environment};
use crate::{Pin, Word};

pub(super) fn rest_of(line: &Line, skip: usize) -> Vec<Word> {
    line.words().skip(skip).cloned().collect()
}

pub(super) fn sudo(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "A/askpass b/background B/bell C/close-from= D/chdir= E preserve-env? e/edit g/group= H/set-home \
            host= i/login K/remove-timestamp k/reset-timestamp l/list n/non-interactive P/preserve-groups \
            p/prompt= R/chroot= r/role= S/stdin s/shell T/command-timeout= t/type= U/other-user= u/user= \
            V/version v/validate N/no-update h/help",
        Order::First,
    );
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    meaning.moves_to = line.values("D").next_back().cloned();
    if line.has("R") {
        meaning.opaque(Pin::Everything, "it runs where paths are others");
    }
    if line.has("e") {
        meaning.opaque(Pin::Everything, "it starts an editor");
        line.words().for_each(|path| meaning.writes(path, false));
        return meaning;
    }
    // Before a word, `-h` may name another machine, and the word is not the command.
    if line.has("h") && !line.operands.is_empty() {
        meaning.unreadable("which command `sudo` runs cannot be told");
    }
    let rest = environment::without_assignments(rest_of(&line, 0), &mut meaning);
    run_or_shell(rest, line.has("i s"), &mut meaning);
    meaning
}

pub(super) fn doas(words: &[Word]) -> Meaning {
    let line = parse(words, "a= C= L n s u=", Order::First);
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    run_or_shell(rest_of(&line, 0), line.has("s"), &mut meaning);
    meaning
}

/// With a shell in between the words are joined and read once more.
pub(super) fn run_or_shell(rest: Vec<Word>, is_shell: bool, meaning: &mut Meaning) {
    match (rest.is_empty(), is_shell) {
        (true, true) => meaning.shell_from_stdin = true,
        (true, false) => {}
        (false, false) => meaning.runs.push(rest),
        (false, true) => match joined(&rest) {
            Some(code) => meaning.shell.push(code),
            None => meaning.unreadable("the command is known only when it runs"),
        },
    }
}

const SU: &str = "c/command= session-command= f/fast g/group= G/supp-group= l/login \
    m/p/preserve-environment P/pty s/shell= w/whitelist-environment= T/no-pty h/help V/version";

/// `su [-] [user [arguments of the shell]]`.
pub(super) fn su(words: &[Word]) -> Meaning {
    let line = parse(words, SU, Order::Anywhere);
    as_user(words, &line)
}

pub(super) fn runuser(words: &[Word]) -> Meaning {
    let line = parse(words, "u/user= g/group= G/supp-group= h/help V/version", Order::First);
    if !line.has("u") {
        return as_user(words, &parse(words, SU, Order::Anywhere));
    }
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    run_or_shell(rest_of(&line, 0), false, &mut meaning);
    meaning
}

fn as_user(words: &[Word], line: &Line) -> Meaning {
    let mut meaning = Meaning::default();
    doubt_options(words, line, &mut meaning);
    for name in ["c", "session-command"] {
        meaning.shell.extend(line.values(name).cloned());
    }
    let own = line.words().filter(|word| word.literal() != Some("-")).count();
    if own > 1 || line.has("s") {
        meaning.opaque(Pin::Everything, "what the other user's shell is told is not read");
    }
    meaning.shell_from_stdin = meaning.shell.is_empty();
    meaning
}

/// `sg group [-c] command`: a shell reads it.
pub(super) fn sg(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let rest: Vec<&Word> = words[1..].iter().filter(|word| word.literal() != Some("-")).skip(1).collect();
    match rest.iter().find(|word| !word.start().starts_with("-c")) {
        Some(code) => meaning.shell.push((*code).clone()),
        None => meaning.shell_from_stdin = true,
    }
    meaning.shell.extend(
        rest.iter()
            .filter(|word| word.start().len() > 2 && word.start().starts_with("-c"))
            .map(|word| word.after(2)),
    );
    meaning
}

pub(super) fn newgrp(_: &[Word]) -> Meaning {
    Meaning { shell_from_stdin: true, ..Meaning::default() }
}

/// `runcon context command`, or options in the place of the context.
pub(super) fn runcon(words: &[Word]) -> Meaning {
    let line = parse(words, "c/compute l/range= r/role= t/type= u/user= help version", Order::First);
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    let own = usize::from(!line.has("c l r t u"));
    run_or_shell(rest_of(&line, own), false, &mut meaning);
    meaning
}
