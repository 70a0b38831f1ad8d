//! `find` and `fd`: a search, and what is done with what was found.

use super::Meaning;
use super::line::{Order, parse};
use super::table::{Kind, Row};
use crate::{Pin, Word};

pub(super) const ROWS: &[Row] = &[("find gfind", Kind::Does(find)), ("fd fdfind", Kind::Does(fd))];

/// Tests and actions with one value, which is no file that is written.
const ONE: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type \
    -xtype -size -mtime -atime -ctime -mmin -amin -cmin -Btime -Bmin -newer -anewer -cnewer -Bnewer \
    -maxdepth -mindepth -user -group -uid -gid -perm -links -inum -samefile -fstype -used -context \
    -regextype -printf -flags -D -f -since -until";

const NONE: &str = "( ) ! , -print -print0 -ls -prune -quit -depth -d -empty -executable -readable \
    -writable -follow -mount -xdev -daystart -noleaf -nouser -nogroup -true -false -not -a -and -o -or \
    -ignore_readdir_race -noignore_readdir_race -warn -nowarn -H -L -P -E -X -s -x -help --help -version \
    --version -O0 -O1 -O2 -O3 -nogroup -acl";

fn find(words: &[Word]) -> Meaning {
    let mut meaning = Meaning::default();
    let mut at = 1;
    let mut starts: Vec<Word> = Vec::new();
    let mut is_expression = false;
    let mut deletes = false;
    let mut inner = Vec::new();
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
                at = end;
            }
            "-delete" => deletes = true,
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                match value {
                    Some(path) => meaning.writes(path, false),
                    None => meaning.unreadable(format!("`{text}` has no file")),
                }
                at += if text == "-fprintf" { 2 } else { 1 };
            }
            "-files0-from" => {
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
    if deletes {
        starts.iter().for_each(|start| meaning.writes(start, true));
    }
    meaning.runs.extend(inner.into_iter().map(|(command, is_dir)| filled(command, is_dir, &starts)));
    meaning.runs.retain(|command| !command.is_empty());
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
            Some(0) => Word::filled(start, "{}", false),
            Some(at) => Word::filled(&known[..at], "{}", false),
            None if word.literal().is_none() && word.shown().contains("{}") => {
                Word::filled(known, word.shown(), true)
            }
            None => word,
        }
    };
    command.into_iter().map(fill).collect()
}

const FD: &str = "H/hidden I/no-ignore u/unrestricted s/case-sensitive i/ignore-case g/glob regex \
    F/fixed-strings a/absolute-path l/list-details L/follow p/full-path d/max-depth= min-depth= \
    exact-depth= E/exclude= prune t/type= e/extension= S/size= changed-within= changed-before= o/owner= \
    format= batch-size= ignore-file= c/color= j/threads= max-results= 1 q/quiet show-errors \
    base-directory= path-separator= search-path= strip-cwd-prefix? one-file-system 0/print0 h/help \
    V/version no-ignore-vcs no-ignore-parent and=";

/// `-x` and `-X` are followed by a command, up to `;` or the end.
fn fd(words: &[Word]) -> Meaning {
    let is_exec = |word: &Word| {
        word.literal().is_some_and(|text| {
            let is_cluster = text.starts_with('-') && !text.starts_with("--") && text.ends_with(['x', 'X']);
            is_cluster || (text.len() > 4 && ("--exec".starts_with(text) || "--exec-batch".starts_with(text)))
        })
    };
    let split = words.iter().position(is_exec).unwrap_or(words.len());
    let line = parse(&words[..split], FD, Order::Anywhere);
    let mut meaning = Meaning::default();
    if let Some(why) = &line.unsure {
        meaning.unreadable(format!("{why}: `fd` may run commands"));
    }
    let command: Vec<Word> = words.get(split + 1..).unwrap_or_default().to_vec();
    if command.is_empty() {
        return meaning;
    }
    let has_place = command.iter().any(|word| word.start().contains('{'));
    let fill = |word: Word| match word.start().find('{') {
        Some(at) => Word::filled(&word.start()[..at], "{}", false),
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
