//! What an agent reads that has a search and can open files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::asked::Asked;

/// More lines of a search are not looked at.
const MOST_LINES: usize = 100;
/// Nor of a file.
const MOST_OF_A_FILE: usize = 2000;
/// Nor are more files opened that a search has found.
const MOST_FILES: usize = 5;

/// Which files must be opened after a search.
pub(super) enum Open {
    Nothing,
    These(&'static [&'static str]),
    /// Those with something found in them, in order: the first five.
    Hits,
    TheseAndHits(&'static [&'static str]),
}

/// All that is read for one question.
pub(super) struct Reading {
    pub(super) parts: Vec<Part>,
}

pub(super) struct Part {
    pub(super) what: String,
    pub(super) tokens: usize,
}

pub(in crate::bench) fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

impl Reading {
    pub(super) fn of(asked: &Asked, extension: &str, root: &Path) -> Result<Self> {
        let mut parts = Vec::new();
        let mut hits = BTreeSet::new();
        for word in asked.greps {
            let found = grep(root, extension, word)?;
            let bytes = found.iter().map(|(_, line)| line.len() + 1).sum();
            parts.push(Part { what: format!("grep {word}"), tokens: tokens(bytes) });
            hits.extend(found.into_iter().map(|(file, _)| file));
        }
        let (named, found): (&[&str], bool) = match &asked.opens {
            Open::Nothing => (&[], false),
            Open::These(files) => (files, false),
            Open::Hits => (&[], true),
            Open::TheseAndHits(files) => (files, true),
        };
        let mut files: Vec<PathBuf> = named.iter().map(PathBuf::from).collect();
        if found {
            let more: Vec<PathBuf> = hits.into_iter().filter(|file| !files.contains(file)).collect();
            files.extend(more.into_iter().take(MOST_FILES));
        }
        for file in files {
            let text = std::fs::read_to_string(root.join(&file))
                .with_context(|| format!("cannot read `{}`", file.display()))?;
            let read: usize = text.split_inclusive('\n').take(MOST_OF_A_FILE).map(str::len).sum();
            parts.push(Part { what: file.display().to_string(), tokens: tokens(read) });
        }
        if let Some(folder) = asked.lists {
            let names = std::fs::read_dir(root.join(folder))?.collect::<std::io::Result<Vec<_>>>()?;
            let bytes = names.iter().map(|entry| entry.file_name().len() + 1).sum();
            parts.push(Part { what: format!("ls {folder}"), tokens: tokens(bytes) });
        }
        Ok(Self { parts })
    }

    pub(super) fn total(&self) -> usize {
        self.parts.iter().map(|part| part.tokens).sum()
    }

    pub(super) fn told(&self) -> String {
        let short = |what: &str| match what.split_once(' ') {
            Some((command, _)) => command.to_owned(),
            None => what.rsplit('/').next().unwrap_or(what).to_owned(),
        };
        let parts = self.parts.iter().map(|part| format!("{} {}", short(&part.what), part.tokens));
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// As `grep -rnw --include='*.extension' word` prints it, in the order of names and not of the disk: the file of each
/// line, and the line. What is hidden and what was built is passed over, as searches of today do it.
fn grep(root: &Path, extension: &str, word: &str) -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    search(root, Path::new(""), extension, word, &mut found)?;
    Ok(found)
}

fn search(
    root: &Path,
    below: &Path,
    extension: &str,
    word: &str,
    found: &mut Vec<(PathBuf, String)>,
) -> Result<()> {
    let mut entries = std::fs::read_dir(root.join(below))?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        if found.len() >= MOST_LINES {
            return Ok(());
        }
        let name = entry.file_name();
        let path = below.join(&name);
        let kind = entry.file_type()?;
        if kind.is_dir() {
            let shown = name.to_string_lossy();
            if !shown.starts_with('.') && shown != "target" && shown != "node_modules" {
                search(root, &path, extension, word, found)?;
            }
        } else if kind.is_file() && name.to_string_lossy().ends_with(extension) {
            let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
            let lines = text.lines().enumerate().filter(|(_, line)| has_word(line, word));
            let lines =
                lines.map(|(at, line)| (path.clone(), format!("{}:{}:{line}", path.display(), at + 1)));
            found.extend(lines.take(MOST_LINES - found.len()));
        }
    }
    Ok(())
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    line.match_indices(word).any(|(at, _)| {
        !is_part(line[..at].chars().next_back()) && !is_part(line[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tokens::asked::ASKED;

    #[test]
    fn words_are_whole() {
        assert!(has_word("call(read_bounded)", "read_bounded"));
        assert!(!has_word("unread_bounded()", "read_bounded"));
        assert!(!has_word("read_bounded2", "read_bounded"));
    }

    #[test]
    fn a_search_is_in_order_and_a_file_is_counted_by_four() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("b.py", "import x\n"), ("a.py", "x = 1\nxx = 2\n"), ("c.txt", "x\n")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let lines: Vec<String> =
            grep(folder.path(), ".py", "x").unwrap().into_iter().map(|(_, line)| line).collect();
        assert_eq!(lines, ["a.py:1:x = 1", "b.py:1:import x"]);
        let asked = Asked { greps: &["x"], opens: Open::Hits, lists: None, ..ASKED[0] };
        let reading = Reading::of(&asked, ".py", folder.path()).unwrap();
        let counted: Vec<usize> = reading.parts.iter().map(|part| part.tokens).collect();
        assert_eq!(counted, [8, 4, 3]);
        assert_eq!(reading.told(), "grep 8, a.py 4, b.py 3");
    }

    #[test]
    fn what_is_asked_of_this_repository_is_there() {
        let root = crate::paths::root();
        for asked in ASKED.iter().filter(|asked| asked.repository == "bowline") {
            let reading = Reading::of(asked, ".rs", root).unwrap();
            assert!(reading.parts.iter().all(|part| part.tokens > 0), "{}", asked.question);
        }
    }
}
