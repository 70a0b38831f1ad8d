//! What an agent reads that has a search and can open files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::questions::Question;
use super::{Outcome, Part};

/// Maximum number of lines read of a search.
const MAX_LINES: usize = 100;
/// Maximum number of lines read of a file.
const MAX_LINES_OF_FILE: usize = 2000;
/// Maximum number of files opened because a search found them.
const MAX_FILES: usize = 5;

/// Which files must be opened after a search.
#[derive(Clone, Copy)]
pub(super) enum Open {
    Nothing,
    These(&'static [&'static str]),
    /// Those with something found in them, in order: the first five.
    Hits,
    TheseAndHits(&'static [&'static str]),
}

pub(in crate::bench) fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// What is read for a question, and whether the answer is in it.
pub(super) fn read(question: &Question, endings: &[&str], root: &Path) -> Result<Outcome> {
    let (mut parts, mut text) = (Vec::new(), String::new());
    let mut hits = BTreeSet::new();
    for word in question.greps {
        let mut printed = String::new();
        for (file, line) in grep(root, endings, word)? {
            printed += &line;
            printed.push('\n');
            hits.insert(file);
        }
        parts.push(Part { what: format!("grep {word}"), tokens: tokens(printed.len()) });
        text += &printed;
    }
    for file in opened(&question.opens, hits) {
        let all = std::fs::read_to_string(root.join(&file))
            .with_context(|| format!("cannot read `{}`", file.display()))?;
        let shown: String = all.split_inclusive('\n').take(MAX_LINES_OF_FILE).collect();
        parts.push(Part { what: file.display().to_string(), tokens: tokens(shown.len()) });
        text += &shown;
    }
    Ok(Outcome::Answer { parts, fault: question.missing(&text) })
}

fn opened(opens: &Open, hits: BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let (named, takes_hits): (&[&str], bool) = match opens {
        Open::Nothing => (&[], false),
        Open::These(files) => (files, false),
        Open::Hits => (&[], true),
        Open::TheseAndHits(files) => (files, true),
    };
    let mut files: Vec<PathBuf> = named.iter().map(PathBuf::from).collect();
    if takes_hits {
        let more: Vec<PathBuf> = hits.into_iter().filter(|file| !files.contains(file)).collect();
        files.extend(more.into_iter().take(MAX_FILES));
    }
    files
}

/// As `grep -rnw --include='*.ending' word` prints it, in the order of names and not of the disk: the file of each
/// line, and the line. What is hidden and what was built is passed over, as searches of today do it.
fn grep(root: &Path, endings: &[&str], word: &str) -> Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    search(root, Path::new(""), endings, word, &mut found)?;
    Ok(found)
}

fn search(
    root: &Path,
    below: &Path,
    endings: &[&str],
    word: &str,
    found: &mut Vec<(PathBuf, String)>,
) -> Result<()> {
    let mut entries = std::fs::read_dir(root.join(below))?.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        if found.len() >= MAX_LINES {
            return Ok(());
        }
        let name = entry.file_name();
        let path = below.join(&name);
        let kind = entry.file_type()?;
        if kind.is_dir() {
            let shown = name.to_string_lossy();
            if !shown.starts_with('.') && shown != "target" && shown != "node_modules" {
                search(root, &path, endings, word, found)?;
            }
        } else if kind.is_file()
            && path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one))
        {
            let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
            let lines = text.lines().enumerate().filter(|(_, line)| has_word(line, word));
            let lines =
                lines.map(|(at, line)| (path.clone(), format!("{}:{}:{line}", path.display(), at + 1)));
            found.extend(lines.take(MAX_LINES - found.len()));
        }
    }
    Ok(())
}

pub(super) fn has_word(line: &str, word: &str) -> bool {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    line.match_indices(word).any(|(at, _)| {
        !is_part(line[..at].chars().next_back()) && !is_part(line[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::tokens::questions::QUESTIONS;

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
            grep(folder.path(), &["py"], "x").unwrap().into_iter().map(|(_, line)| line).collect();
        assert_eq!(lines, ["a.py:1:x = 1", "b.py:1:import x"]);
        let question = Question { greps: &["x"], opens: Open::Hits, expected: &["xx = 2"], ..QUESTIONS[0] };
        let Outcome::Answer { parts, fault } = read(&question, &["py"], folder.path()).unwrap() else {
            panic!("it is an answer");
        };
        let counted: Vec<(&str, usize)> =
            parts.iter().map(|part| (part.what.as_str(), part.tokens)).collect();
        assert_eq!(counted, [("grep x", 8), ("a.py", 4), ("b.py", 3)]);
        assert_eq!(fault, None);
    }

    #[test]
    fn what_is_read_is_wrong_without_the_expected_words() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.py"), "x = 1\n").unwrap();
        let question = Question { greps: &["x"], opens: Open::Nothing, expected: &["y"], ..QUESTIONS[0] };
        assert_eq!(read(&question, &["py"], folder.path()).unwrap().tokens(), None);
    }
}
