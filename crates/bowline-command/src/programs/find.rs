//! `find` and `fd`: a search, and what is done with what was found.

mod expression;
mod fd;

use self::expression::Expression;
use super::line::{Order, parse};
use super::table::{Kind, Row};
use super::{Found, Meaning};
use crate::{Access, Creates, Filter, Word};

pub(super) const ROWS: &[Row] = &[("find gfind", Kind::Does(find)), ("fd fdfind", Kind::Does(fd::fd))];

/// Tests and actions with one value, which is no file that is written.
const ONE: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type \
    -xtype -size -mtime -atime -ctime -mmin -amin -cmin -Btime -Bmin -newer -anewer -cnewer -Bnewer \
    -maxdepth -mindepth -user -group -uid -gid -perm -links -inum -samefile -fstype -used -context \
    -regextype -printf -flags -D -f -since -until";

const NONE: &str = "( ) ! , -print -print0 -ls -prune -quit -depth -d -empty -executable -readable \
    -writable -follow -mount -xdev -daystart -noleaf -nouser -nogroup -true -false -not -a -and -o -or \
    -ignore_readdir_race -noignore_readdir_race -warn -nowarn -H -L -P -E -X -s -x -help --help -version \
    --version -O0 -O1 -O2 -O3 -acl";

fn find(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let mut at = 1;
    let mut starts: Vec<Word> = Vec::new();
    let mut is_expression = false;
    let mut deletes: Option<Filter> = None;
    let mut inner: Vec<(Vec<Word>, bool)> = Vec::new();
    let expression = Expression::read(words);
    // What all that is run may be given.
    let mut found: Option<(Filter, bool)> = None;
    while let Some(word) = words.get(at) {
        let Some(text) = word.literal() else {
            if is_expression || word.may_be_option() || word.is_loose() {
                meaning.unreadable(format!("`{}` may be an action of `find`", word.shown()));
            } else {
                starts.push(word.clone());
            }
            at += 1;
            continue;
        };
        let is_start = !is_expression && !text.starts_with('-') && !matches!(text, "(" | ")" | "!" | ",");
        // Before the first of these come the places, and before them a few options.
        is_expression |= !is_start
            && !matches!(text, "-H" | "-L" | "-P" | "-E" | "-X" | "-s" | "-x" | "-d" | "-f")
            && !text.starts_with("-O");
        let value = words.get(at + 1);
        match text {
            _ if is_start => starts.push(word.clone()),
            "-f" => {
                starts.extend(value.cloned());
                at += 1;
            }
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let end = end_of_command(words, at + 1);
                inner.push((words[at + 1..end].to_vec(), text.ends_with("dir")));
                // Two commands may be given different files: then nothing is left out.
                let found_here = expression.before(at);
                found = Some(match found {
                    Some(other) if other != found_here => {
                        (Filter { follows_links: true, ..Filter::default() }, false)
                    }
                    _ => found_here,
                });
                at = end;
            }
            "-delete" => {
                let (filter, _) = expression.before(at);
                // One that comes later may find more.
                deletes = Some(match deletes {
                    Some(other) if other != filter => Filter::default(),
                    _ => filter,
                });
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                match value {
                    Some(path) => meaning.writes(path, false),
                    None => meaning.unreadable(format!("`{text}` has no file")),
                }
                at += if text == "-fprintf" { 2 } else { 1 };
            }
            "-files0-from" => {
                value.iter().for_each(|path| meaning.reads(path));
                meaning.unreadable("where `find` begins is said by a file");
                at += 1;
            }
            _ if ONE.split(' ').any(|one| one == text) || (text.starts_with("-newer") && text.len() == 8) => {
                if value.is_some_and(|value| matches!(value, Word::Unknown { splits: true, .. })) {
                    meaning.unreadable(format!(
                        "`{}` may be several words: quote it",
                        value.map_or("", Word::shown)
                    ));
                }
                at += 1;
            }
            _ if NONE.split(' ').any(|none| none == text) => {}
            _ => meaning.unreadable(format!("`{text}` is not known: `find` may run and write")),
        }
        at += 1;
    }
    if starts.is_empty() {
        starts.push(Word::Literal(".".to_owned()));
    }
    // Names are looked at, and no files: nothing is read.
    if let Some(filter) = deletes {
        for start in &starts {
            let filter = Filter { creates: Creates::Nothing, follows_links: false, ..filter.clone() };
            meaning.touch(Access::Write, start, true, filter);
        }
    }
    inner.retain(|(command, _)| !command.is_empty());
    // What runs where a file was found means another file by each name.
    if inner.iter().any(|(_, is_there)| *is_there) {
        meaning.moves_to = Some(Word::filled("", "the directory of what was found", false));
    }
    meaning.found = found.map(|(filter, is_files)| Found { starts: starts.clone(), filter, is_files });
    meaning.runs.extend(inner.into_iter().map(|(command, is_dir)| filled(command, is_dir, &starts)));
    meaning
}

/// A command ends with `;`, or with `+` after `{}`.
fn end_of_command(words: &[Word], from: usize) -> usize {
    let ends = |at: usize| match words[at].literal() {
        Some(";") => true,
        Some("+") => at > from && words[at - 1].literal() == Some("{}"),
        _ => false,
    };
    (from..words.len()).find(|&at| ends(at)).unwrap_or(words.len())
}

/// What was found takes the place of `{}`: it begins like the place where the search began.
fn filled(command: Vec<Word>, is_dir: bool, starts: &[Word]) -> Vec<Word> {
    let start = match starts {
        _ if is_dir => "./",
        [Word::Literal(one)] => one,
        _ => "",
    };
    let fill = |word: Word| {
        let known = word.start();
        match known.find("{}") {
            // Exactly what was found.
            Some(0) if word.literal() == Some("{}") => Word::filled(start, Found::WORD, false),
            Some(0) => Word::filled(start, "<what was found, and more>", false),
            Some(at) => Word::filled(&known[..at], "<what was found, and more>", false),
            None if word.literal().is_none() && word.shown().contains("{}") => {
                Word::filled(known, word.shown(), true)
            }
            None => word,
        }
    };
    command.into_iter().map(fill).collect()
}
