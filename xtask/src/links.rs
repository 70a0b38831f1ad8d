//! Programs under a second name: a link, or a script for what another program must run.
//!
//! Both are put there in one step, and what is right already is left alone: it may be running.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Makes `place` a link to the program.
pub(crate) fn link(program: &Path, place: &Path) -> Result<()> {
    if fs::read_link(place).is_ok_and(|found| found == program) {
        return Ok(());
    }
    put(place, |path| symlink(program, path))
}

/// Makes `place` a script that turns into the program, with these words before its own arguments.
pub(crate) fn script(program: &Path, words: &[&Path], place: &Path) -> Result<()> {
    let line: Vec<String> = std::iter::once(program).chain(words.iter().copied()).map(quoted).collect();
    let text = format!("#!/bin/sh\nexec {} \"$@\"\n", line.join(" "));
    if fs::read_to_string(place).is_ok_and(|found| found == text) {
        return Ok(());
    }
    put(place, |path| {
        fs::write(path, &text)?;
        make_executable(path)
    })
}

fn put(place: &Path, make: impl FnMut(&Path) -> std::io::Result<()>) -> Result<()> {
    let folder = place.parent().context("it has no folder")?;
    fs::create_dir_all(folder)?;
    tempfile::Builder::new().make_in(folder, make)?.into_temp_path().persist(place)?;
    Ok(())
}

/// For a shell, whatever stands in it.
fn quoted(word: &Path) -> String {
    format!("'{}'", word.display().to_string().replace('\'', r"'\''"))
}

#[cfg(unix)]
fn symlink(program: &Path, place: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(program, place)
}

#[cfg(unix)]
fn make_executable(place: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(place, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::run;

    fn output(program: &Path, argument: &str) -> String {
        run::stdout(run::command(program).arg(argument), Duration::from_secs(20)).unwrap()
    }

    #[test]
    fn a_link_is_replaced_by_another_program() {
        let scratch = tempfile::tempdir().unwrap();
        let place = scratch.path().join("bin/it");
        link(Path::new("/bin/false"), &place).unwrap();
        link(Path::new("/bin/echo"), &place).unwrap();
        assert_eq!(output(&place, "hello"), "hello\n");
    }

    #[test]
    fn a_script_hands_on_what_it_is_given_whatever_it_is_called() {
        let scratch = tempfile::tempdir().unwrap();
        let words = scratch.path().join("it's $HOME");
        fs::write(&words, "printf '%s|' \"$@\"").unwrap();
        let place = scratch.path().join("bin/it");
        script(Path::new("/bin/sh"), &[&words], &place).unwrap();
        assert_eq!(output(&place, "a  b"), "a  b|");
        let written = fs::metadata(&place).unwrap().modified().unwrap();
        script(Path::new("/bin/sh"), &[&words], &place).unwrap();
        assert_eq!(fs::metadata(&place).unwrap().modified().unwrap(), written, "it was right");
    }
}
