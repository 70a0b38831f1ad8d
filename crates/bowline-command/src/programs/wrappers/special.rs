//! Wrappers with ways of their own: `flock -c`, `busybox`, `script`, `bwrap`.

use super::doubt_options;
use super::users::{rest_of, run_or_shell};
use crate::programs::Meaning;
use crate::programs::line::{Order, parse};
use crate::{Pin, Word};

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

/// Options of `bwrap` and `proot` that take one word; those with two stand in the other list.
const ONE: &[&str] = &[
    "--args",
    "--argv0",
    "--as-pid-1",
    "--bind-data",
    "--block-fd",
    "--cap-add",
    "--cap-drop",
    "--chdir",
    "--chmod",
    "--dev",
    "--dir",
    "--exec-label",
    "--file-label",
    "--gid",
    "--hostname",
    "--info-fd",
    "--json-status-fd",
    "--lock-file",
    "--mqueue",
    "--overlay-src",
    "--perms",
    "--pidns",
    "--proc",
    "--remount-ro",
    "--ro-overlay",
    "--seccomp",
    "--size",
    "--sync-fd",
    "--tmp-overlay",
    "--tmpfs",
    "--uid",
    "--unsetenv",
    "--userns",
    "--userns2",
    "--userns-block-fd",
    "--add-seccomp-fd",
    "-r",
    "--rootfs",
    "-b",
    "-m",
    "--mount",
    "-w",
    "--pwd",
    "--cwd",
    "-v",
    "--verbose",
    "-k",
    "--kernel-release",
    "-i",
    "--change-id",
    "-q",
    "--qemu",
    "-S",
    "-R",
];

const TWO: &[&str] = &[
    "--bind",
    "--bind-try",
    "--dev-bind",
    "--dev-bind-try",
    "--ro-bind",
    "--ro-bind-try",
    "--setenv",
    "--symlink",
    "--file",
    "--ro-bind-data",
    "--bind-fd",
    "--ro-bind-fd",
    "--overlay",
];

/// The command is what follows the options, whose words are the sandbox's own. Where it is not sure where they end, what
/// follows `--` is one, too.
pub(super) fn sandbox(words: &[Word]) -> Meaning {
    let mut meaning = after_dashes(words);
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|word| word.start().starts_with('-')) {
        let name = word.literal().unwrap_or_default();
        at += match name {
            "--" => break,
            _ if name.contains('=') => 1,
            _ if TWO.contains(&name) => 3,
            _ if ONE.contains(&name) => 2,
            _ => 1,
        };
    }
    let rest = words.get(at..).unwrap_or_default();
    if rest.first().is_some_and(|word| word.literal() != Some("--")) {
        meaning.runs.push(rest.to_vec());
    }
    meaning
}
