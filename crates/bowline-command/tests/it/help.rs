//! Every option that an installed program lists in its own help is known here.
//!
//! One that is not known makes a command unreadable; and where a name may be cut short, one that is missing makes others
//! ambiguous to nobody but the program.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use crate::read;

/// Programs that take options as GNU programs do, with what makes them tell their options.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "cp mv ln install rm rmdir unlink shred truncate touch mkdir mkfifo mknod mktemp chmod chown chgrp",
        "--help",
    ),
    ("tee split csplit patch gzip bzip2 xz zstd tar cpio rsync pigz", "--help"),
    ("curl", "--help all"),
    ("wget", "--help"),
    (
        "nohup timeout nice stdbuf env xargs setsid ionice chrt taskset prlimit choom uclampset setpriv unshare",
        "--help",
    ),
    (
        "nsenter chroot flock watch script strace fakeroot runuser su sudo systemd-run dbus-run-session",
        "--help",
    ),
    ("kill pkill killall fuser", "--help"),
];

/// The names in a help text that stand where an option is listed.
fn listed(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for line in text.lines() {
        let line = line.trim_start();
        if !line.starts_with('-') {
            continue;
        }
        // Two blanks end the list of names.
        let names = line.split("  ").next().unwrap_or_default();
        for name in names.split([',', ' ', '|', '/']) {
            let name = name.split(['=', '[', '<', ':', '{']).next().unwrap_or_default();
            let is_long = name.strip_prefix("--").is_some_and(|name| name.len() > 1);
            let is_short = name.len() == 2 && name.as_bytes()[1].is_ascii_alphabetic();
            let is_plain =
                name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
            if (is_long || is_short) && name.starts_with('-') && is_plain && !name.ends_with(['.', '-']) {
                all.insert(name.to_owned());
            }
        }
    }
    all
}

#[test]
#[expect(clippy::disallowed_methods, reason = "programs tell their options themselves")]
fn every_option_of_an_installed_program_is_known() {
    let mut unknown = Vec::new();
    for (programs, ask) in PROGRAMS {
        for program in programs.split(' ') {
            let answer = Command::new(program).args(ask.split(' ')).stdin(Stdio::null()).output();
            // What is not installed cannot be asked.
            let Ok(answer) = answer else { continue };
            let text = String::from_utf8_lossy(&answer.stdout) + String::from_utf8_lossy(&answer.stderr);
            for option in listed(&text) {
                let script = read(&format!("{program} {option} a b"));
                if script.doubts.iter().any(|doubt| doubt.text().contains("is not known")) {
                    unknown.push(format!("{program} {option}"));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "these are not known:\n{}", unknown.join("\n"));
}
