//! What a script needs to run.
//!
//! Looked at before the start: the system answers "no such file" about the script where it means the interpreter,
//! and `env` starts very well, only to say on stderr that it found nothing.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::find::{has_separator, is_executable};

/// More than any system reads of a first line.
const FIRST_LINE: u64 = 4096;

/// The interpreter in the file's first line, if it is certain that there is none.
pub(super) fn missing_interpreter(file: &Path, dir: &Path, search_path: &OsStr) -> Option<PathBuf> {
    // A file that may be executed and not read is no script.
    let head = crate::fs::read_head(file, FIRST_LINE).ok()?;
    let (program, argument) = first_line(&head)?;
    if matches!(dir.join(program).try_exists(), Ok(false)) {
        return Some(program.to_owned());
    }
    let is_env = program.file_name().is_some_and(|name| name == "env");
    let name = OsStr::from_bytes(wanted_of_env(argument).filter(|_| is_env)?);
    (!env_finds(name, dir, search_path)).then(|| name.into())
}

/// The program behind `#!` and what follows it, which is one argument. Without a program the line says nothing.
fn first_line(head: &[u8]) -> Option<(&Path, &[u8])> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?.trim_ascii_start();
    let end = line.iter().position(|byte| b" \t".contains(byte)).unwrap_or(line.len());
    let (program, argument) = line.split_at(end);
    (!program.is_empty()).then(|| (Path::new(OsStr::from_bytes(program)), argument.trim_ascii()))
}

/// What `env` will look for. None where only `env` itself could say: options, quotes, variables.
fn wanted_of_env(argument: &[u8]) -> Option<&[u8]> {
    let split = argument.strip_prefix(b"-S");
    let mut words = split
        .unwrap_or(argument)
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty() && !word.contains(&b'='));
    let word = words.next()?;
    // Without `-S`, Linux takes the words for one name and others do not.
    let one_name = split.is_some() || words.next().is_none();
    let plain = !word.starts_with(b"-") && !word.iter().any(|byte| b"'\"\\$".contains(byte));
    (one_name && plain).then_some(word)
}

/// As `env` does it: unlike us it also takes relative entries of the `PATH`, and it does so in `dir`.
fn env_finds(name: &OsStr, dir: &Path, search_path: &OsStr) -> bool {
    if has_separator(name) {
        return is_executable(&dir.join(name));
    }
    std::env::split_paths(search_path).any(|entry| is_executable(&dir.join(entry).join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_first_line_as_the_system_does() {
        let read = |head: &str| {
            first_line(head.as_bytes())
                .map(|(program, argument)| format!("{}|{}", program.display(), argument.escape_ascii()))
        };
        assert_eq!(read("#!/bin/sh\necho").as_deref(), Some("/bin/sh|"));
        assert_eq!(read("#! /bin/sh -e \t\n").as_deref(), Some("/bin/sh|-e"));
        assert_eq!(read("#!/usr/bin/env -S node --x").as_deref(), Some("/usr/bin/env|-S node --x"));
        assert_eq!(read("#!/bin/sh\r\n").as_deref(), Some("/bin/sh\r|"));
        for no_script in ["", "#!", "#!\n/bin/sh", "#!  \n", "\x7fELF", " #!/bin/sh"] {
            assert_eq!(read(no_script), None, "{no_script:?}");
        }
    }

    #[test]
    fn knows_what_env_looks_for_or_says_nothing() {
        let wanted = |argument: &str| {
            wanted_of_env(argument.as_bytes()).map(|name| String::from_utf8(name.to_vec()).unwrap())
        };
        assert_eq!(wanted("node").as_deref(), Some("node"));
        assert_eq!(wanted("-S node --flag").as_deref(), Some("node"));
        assert_eq!(wanted("-SA=1 B=2 node").as_deref(), Some("node"));
        for unsaid in ["", "node --flag", "-i node", "-S -i node", "-S 'node' x", "-S ${HOME}/node"] {
            assert_eq!(wanted(unsaid), None, "{unsaid}");
        }
    }
}
