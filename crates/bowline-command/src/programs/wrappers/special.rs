//! Wrappers with ways of their own: `sudo -s`, `su -c`, `flock -c`, `busybox`.

use super::doubt_options;
use crate::programs::line::{Line, Order, parse};
use crate::programs::meaning::joined;
use crate::programs::{Meaning, environment};
use crate::{Pin, Word};

fn rest_of(line: &Line, skip: usize) -> Vec<Word> {
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
fn run_or_shell(rest: Vec<Word>, is_shell: bool, meaning: &mut Meaning) {
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

/// `flock file command`, `flock file -c code`, `flock fd`.
pub(super) fn flock(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "s/shared x/e/exclusive u/unlock n/nb/nonblock w/wait/timeout= E/conflict-exit-code= o/close \
            c/command= F/no-fork fcntl verbose h/help V/version",
        Order::First,
    );
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    meaning.shell.extend(line.values("c").cloned());
    let Some(file) = line.operand(0) else { return meaning };
    if file.literal().is_some_and(|file| file.parse::<u32>().is_err()) {
        meaning.writes(file, false);
    } else if file.is_loose() {
        meaning.unreadable("which command `flock` runs is known only when it runs");
    }
    let rest = rest_of(&line, 1);
    match rest.first().and_then(Word::literal) {
        Some("-c" | "--command") => meaning.shell.extend(rest.get(1).cloned()),
        Some(word) if word.starts_with('-') => {
            meaning.unreadable("which command `flock` runs cannot be told");
        }
        _ => run_or_shell(rest, false, &mut meaning),
    }
    meaning
}

pub(super) fn busybox(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    match words.get(1) {
        None => {}
        Some(word)
            if word.start().starts_with('-')
                && !matches!(word.literal(), Some("--list" | "--list-full" | "--help")) =>
        {
            meaning.opaque(Pin::Everything, "it installs programs");
        }
        Some(_) => meaning.runs.push(words[1..].to_vec()),
    }
    meaning
}

/// Records what a shell, or one command, says.
pub(super) fn script(words: &[Word]) -> Meaning {
    let line = parse(
        words,
        "a/append c/command= e/return E/echo= f/flush force I/log-in= B/log-io= O/log-out= \
            m/logging-format= o/output-limit= q/quiet t/timing? T/log-timing= k r d F= h/help V/version",
        Order::First,
    );
    let mut meaning = Meaning::default();
    doubt_options(words, &line, &mut meaning);
    meaning.shell.extend(line.values("c").cloned());
    for name in ["I", "B", "O", "T", "t"] {
        line.values(name).for_each(|path| meaning.writes(path, false));
    }
    match line.operand(0) {
        Some(path) => meaning.writes(path, false),
        None if !line.has("I B O") => meaning.writes_at("typescript", false),
        None => {}
    }
    // Elsewhere than on Linux the command follows the file.
    run_or_shell(rest_of(&line, 1), false, &mut meaning);
    meaning.shell_from_stdin = meaning.shell.is_empty() && meaning.runs.is_empty();
    meaning
}

/// It stays when everything else has ended.
pub(super) fn daemon(words: &[Word]) -> Meaning {
    let mut meaning = after_dashes(words);
    let named = words
        .iter()
        .zip(words.iter().skip(1))
        .filter(|(option, _)| matches!(option.literal(), Some("-x" | "--exec" | "-a" | "--startas")));
    meaning.runs.extend(named.map(|(_, program)| vec![program.clone()]));
    meaning
}

/// Its options are too many to know: what follows `--` is the command, and nobody can tell the rest.
pub(super) fn after_dashes(words: &[Word]) -> Meaning {
    let mut meaning =
        Meaning::code(Pin::Everything, format!("`{}` runs what its words say", words[0].shown()));
    if let Some(at) = words.iter().position(|word| word.literal() == Some("--")) {
        run_or_shell(words[at + 1..].to_vec(), false, &mut meaning);
    }
    meaning
}
