//! Subcommands of git that read or write files which need not be its own.

use super::addresses::addresses;
use super::spec::{MAX_LEVELS, shows, shows_any, touch, tracked, unignored};
use super::subs::Call;
use crate::programs::Meaning;
use crate::programs::line::Line;
use crate::programs::meaning::{below, last_part};
use crate::{Access, Filter, Pin, Word};

const FROM_TOP: &str = "the path is reckoned from the top of the repository, wherever that is";

pub(super) fn reads_operands(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    if call.line.has("stdin-paths") {
        meaning.opaque(Pin::Everything, "which files are read is said on its standard input");
    }
    call.line.words().for_each(|word| meaning.reads(word));
    meaning
}

/// A file's content becomes an object. One that is a tree or a commit is history that git itself has not made.
pub(super) fn hash_object(call: &Call<'_>) -> Meaning {
    let mut meaning = reads_operands(call);
    let is_blob = |word: &Word| word.literal() == Some("blob");
    if !call.line.values("t").all(is_blob) || call.line.has("literally") {
        meaning.opaque(Pin::Everything, "it makes history that may hold any file");
    }
    meaning
}

/// What is in a bundle becomes history of this repository.
pub(super) fn unbundle(call: &Call<'_>) -> Meaning {
    let mut meaning = reads_operands(call);
    meaning.opaque(Pin::Everything, "it takes history from a file");
    meaning
}

/// What is added can be shown by any other command of git.
pub(super) fn add(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    if line.has("n refresh") && !line.has("p") {
        return meaning;
    }
    let filter = Filter { skips_ignored: !line.has("f"), may_be_fewer: true, ..unignored() };
    let mut is_limited = false;
    for word in line.words() {
        is_limited |= touch(Access::Read, word, &filter, &mut meaning);
    }
    if !is_limited {
        // Wherever the command runs, all of the repository is added.
        let filter = Filter { whole_repository: true, ..filter };
        meaning.touch(Access::Read, &Word::Literal(".".to_owned()), true, filter);
        shows_any(&mut meaning);
    }
    meaning
}

pub(super) fn commit(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    for word in line.words() {
        touch(Access::Read, word, &tracked(), &mut meaning);
    }
    if line.has("p interactive v a") {
        shows_any(&mut meaning);
    }
    meaning
}

pub(super) fn update_index(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    // `mode,object,path`, or three words.
    for value in line.values("cacheinfo") {
        if let Some((_, path)) = value.literal().and_then(|text| text.rsplit_once(',')) {
            meaning.writes_at(path, false);
        }
    }
    if line.has("index-info stdin") {
        meaning.opaque(Pin::Everything, "which files are meant is said on its standard input");
    }
    for word in line.words() {
        meaning.reads(word);
        if line.has("cacheinfo") {
            meaning.writes(word, false);
        }
    }
    meaning
}

pub(super) fn checkout_index(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(call.spelt), "it changes files that are not named");
    let line = &call.line;
    if line.has("stdin") {
        meaning.opaque(Pin::Everything, "which files are meant is said on its standard input");
    }
    let prefix = line.values("prefix").next_back();
    if let Some(prefix) = prefix {
        meaning.opaque(Pin::Everything, FROM_TOP);
        // Not a directory, but the beginning of a path.
        match prefix.literal() {
            Some(text) => meaning.writes_at(directory(text), true),
            None => meaning.writes(prefix, true),
        }
    } else {
        meaning.touch(Access::Write, &Word::Literal(".".to_owned()), true, tracked());
    }
    for word in line.words() {
        meaning.reads(word);
        if prefix.is_none() {
            meaning.writes(word, false);
        }
    }
    if line.operands.is_empty() {
        shows_any(&mut meaning);
    }
    meaning
}

/// Of the beginning of a path: the directory in which it will be.
fn directory(start: &str) -> &str {
    match start.rsplit_once('/') {
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    }
}

/// The first is changed by what the others say.
pub(super) fn merge_file(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    if line.has("object-id") {
        line.words().for_each(|word| {
            if !super::spec::shows_in_commit(word, &mut meaning) {
                shows_any(&mut meaning);
            }
        });
        return meaning;
    }
    line.words().for_each(|word| meaning.reads(word));
    if let Some(first) = line.operand(0).filter(|_| !line.has("p")) {
        meaning.writes(first, false);
    }
    meaning
}

pub(super) fn pack_objects(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, FROM_TOP);
    match call.line.operands.last().map(|(_, word)| word) {
        Some(Word::Literal(start)) => meaning.writes_at(directory(start), true),
        Some(unknown) => meaning.writes(unknown, true),
        None => {}
    }
    meaning
}

/// The message is read from standard input, and goes to two files.
pub(super) fn mailinfo(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    call.line.words().for_each(|word| meaning.writes(word, false));
    meaning
}

pub(super) fn mailsplit(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    call.line.values("o").for_each(|directory| meaning.writes(directory, true));
    for word in call.line.words() {
        meaning.reads(word);
        // An old form names the directory last.
        if !call.line.has("o") {
            meaning.writes(word, true);
        }
    }
    meaning
}

pub(super) fn trailers(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    for word in call.line.words() {
        meaning.reads(word);
        for level in 1..=MAX_LEVELS {
            if let Some(path) = word.literal().filter(|path| !path.starts_with('/')) {
                meaning.reads(&Word::Literal(format!("{}{path}", "../".repeat(level))));
            }
        }
        if call.line.has("in-place") {
            meaning.writes(word, false);
        }
    }
    if call.line.has("in-place") {
        meaning.opaque(Pin::Everything, FROM_TOP);
    }
    if call.line.loose.is_some() {
        meaning.unreadable("a word of `git interpret-trailers` may be `--in-place`");
    }
    meaning
}

pub(super) fn archive(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    if line.has("l") {
        return meaning;
    }
    if line.has("remote") {
        addresses(line, &mut meaning);
        meaning.opaque(Pin::Everything, "another repository says what is in the archive");
    }
    match line.operands.split_first() {
        // The paths that follow the commit are all that is taken.
        Some(((_, first), paths)) if !paths.is_empty() => {
            if super::spec::shows_in_commit(first, &mut meaning) {
                shows_any(&mut meaning);
            }
            for (_, word) in paths {
                touch(Access::Read, word, &tracked(), &mut meaning);
            }
        }
        _ => shows(line, &mut meaning),
    }
    meaning
}

pub(super) fn format_patch(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    line.values("o").for_each(|path| meaning.writes(path, true));
    if !line.has("o stdout output") {
        meaning.opaque(Pin::Words(call.spelt), "it writes files by names that it makes up");
    }
    let mut parts = line.values("suffix").chain(line.values("v"));
    if parts.any(|part| part.literal().is_none_or(|part| part.contains('/'))) {
        meaning.unreadable("where a patch with such a name goes cannot be told");
    }
    shows(line, &mut meaning);
    meaning
}

/// It writes what it knows of the machine, and starts an editor.
pub(super) fn report(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(call.spelt), "it writes a file by a name that it makes up");
    let line = &call.line;
    let place = line.values("o").next_back().cloned().unwrap_or(Word::Literal(".".to_owned()));
    match line.values("s").next_back().map(Word::literal) {
        Some(Some(suffix)) if suffix.contains('/') => {
            meaning.unreadable(format!("where a file with `{suffix}` in its name goes cannot be told"));
        }
        Some(None) => meaning.unreadable("the name of the file is known only when it runs"),
        _ => {}
    }
    meaning.writes(&place, true);
    if let Some(path) = place.literal() {
        meaning.writes_at(below(path, "git-"), false);
    }
    meaning
}

pub(super) fn am(call: &Call<'_>) -> Meaning {
    let line = &call.line;
    if line.has("show-current-patch") {
        let mut meaning = Meaning::default();
        shows_any(&mut meaning);
        return meaning;
    }
    let mut meaning = Meaning::code(Pin::Everything, "which files change is said by the patch");
    line.words().for_each(|word| meaning.reads(word));
    super::spec::changes_any(&mut meaning);
    meaning
}

pub(super) fn apply(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    line.words().for_each(|word| meaning.reads(word));
    let only_looks = line.has("stat numstat summary check") && !line.has("apply");
    if !only_looks || line.loose.is_some() {
        meaning.opaque(Pin::Everything, "which files change is said by the patch");
        super::spec::changes_any(&mut meaning);
    }
    meaning
}

/// What it does is said by a stream; what it says is all of the history.
pub(super) fn fast(_: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Everything, "what it takes or gives is said by a stream");
    shows_any(&mut meaning);
    meaning
}

pub(super) fn read_tree(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::code(Pin::Words(call.spelt), "it changes files that are not named");
    super::spec::changes_any(&mut meaning);
    if call.line.has("index-output") {
        meaning.opaque(Pin::Everything, FROM_TOP);
    }
    ignore_files(&call.line, &mut meaning);
    meaning
}

pub(super) fn ls_files(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    ignore_files(&call.line, &mut meaning);
    meaning
}

/// Files of that name are read in every directory, and their lines show in what is left out.
fn ignore_files(line: &Line, meaning: &mut Meaning) {
    for name in line.values("exclude-per-directory") {
        meaning.reads(name);
        let Some(text) = name.literal() else { continue };
        let only = vec![last_part(text).to_owned()];
        let here = Word::Literal(".".to_owned());
        meaning.touch(Access::Read, &here, true, Filter { only, may_be_fewer: true, ..Filter::default() });
    }
}

/// Most of what it is asked is a name.
pub(super) fn rev_parse(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    if call.words.iter().any(|word| word.literal() == Some("--resolve-git-dir")) {
        call.words[1..].iter().for_each(|word| meaning.reads(word));
    }
    meaning
}
