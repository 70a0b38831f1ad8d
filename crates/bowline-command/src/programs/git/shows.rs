//! Subcommands of git that show the content of files.
//!
//! Where no path is named, what changed anywhere in the repository is shown. Which files those are, the text does not say: it
//! counts as a reading of what the repository holds, which is looked up, and never of what git ignores.

use super::spec::{
    after_dashes, before_dashes, shows, shows_any, shows_in_commit, touch, tracked, unignored,
};
use super::subs::Call;
use crate::programs::Meaning;
use crate::programs::line::Line;
use crate::{Access, Filter, Pin, Word};

/// With one of these, the changes themselves are shown.
const PATCH: &str = "p U W patch-with-raw patch-with-stat binary word-diff word-diff-regex color-words cc c check \
    remerge-diff dd diff-merges ext-diff m";

/// With one of these alone, they are not.
const NO_PATCH: &str = "s raw numstat shortstat X cumulative dirstat-by-file summary name-only name-status stat \
    stat-width stat-name-width stat-graph-width stat-count compact-summary quiet";

/// `-L 1,5:file` and `-L :name:file`.
fn lines(line: &Line, meaning: &mut Meaning) {
    for range in line.values("L") {
        match range.literal().and_then(|text| text.rsplit_once(':')) {
            Some((_, path)) => {
                touch(Access::Read, &Word::Literal(path.to_owned()), &Filter::default(), meaning);
            }
            None => shows_any(meaning),
        }
    }
}

/// Changes are shown if they are asked for.
pub(super) fn log(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    lines(&call.line, &mut meaning);
    if call.line.has(PATCH) {
        shows(&call.line, &mut meaning);
    }
    meaning
}

/// Changes are shown unless something else is asked for.
pub(super) fn diff(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    lines(line, &mut meaning);
    let words = before_dashes(line);
    // A file by its place in a commit is shown whatever is asked for.
    let has_content = call.words[0].literal() == Some("show")
        && words.iter().any(|word| word.literal().is_none_or(|text| text.contains(':')));
    if !line.has(NO_PATCH) || line.has(PATCH) || has_content {
        shows(line, &mut meaning);
    }
    // Files that need not be in the repository; two paths outside of one are compared even without the option.
    let are_two = line.operands.len() == 2 && (line.dashes.is_none() || words.is_empty());
    if call.words[0].literal() == Some("diff") {
        line.words().for_each(|word| {
            if line.has("no-index") || are_two {
                meaning.touch(Access::Read, word, true, Filter::default());
            }
        });
    }
    meaning
}

pub(super) fn all(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    shows(&call.line, &mut meaning);
    meaning
}

/// Names of authors, unless changes are asked for.
pub(super) fn names(call: &Call<'_>) -> Meaning {
    log(call)
}

/// `git status -v` ends with a diff.
pub(super) fn if_verbose(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    if call.line.has("v") {
        shows_any(&mut meaning);
    }
    meaning
}

pub(super) fn blame(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    if call.line.has("output") {
        meaning
            .opaque(Pin::Everything, "the path is reckoned from the top of the repository, wherever that is");
    }
    for word in call.line.words() {
        if !shows_in_commit(word, &mut meaning) {
            touch(Access::Read, word, &Filter::default(), &mut meaning);
        }
    }
    meaning
}

pub(super) fn grep(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    let filter = if line.has("no-index no-exclude-standard") {
        Filter::default()
    } else if line.has("untracked") {
        unignored()
    } else {
        tracked()
    };
    let own = usize::from(!line.has("e f"));
    let commits = before_dashes(line);
    let paths = after_dashes(line);
    // The pattern may stand after the dashes.
    let from = own.saturating_sub(commits.len());
    let mut is_limited = false;
    for word in paths.iter().skip(from) {
        is_limited |= touch(Access::Read, word, &filter, &mut meaning);
    }
    for word in commits.iter().skip(own) {
        if shows_in_commit(word, &mut meaning) {
            shows_any(&mut meaning);
        } else {
            touch(Access::Read, word, &filter, &mut meaning);
        }
    }
    if !is_limited {
        // A word that is no commit is a path, and limits it.
        let filter = Filter { may_be_fewer: commits.len() > own, ..filter };
        meaning.touch(Access::Read, &Word::Literal(".".to_owned()), true, filter);
    }
    meaning
}

pub(super) fn cat_file(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    let line = &call.line;
    if line.has("t s e batch-check") && !line.has("p textconv filters batch batch-command") {
        return meaning;
    }
    line.values("path").for_each(|path| meaning.reads(path));
    shows(line, &mut meaning);
    meaning
}

pub(super) fn merge_tree(call: &Call<'_>) -> Meaning {
    let mut meaning = Meaning::default();
    if call.line.has("trivial-merge") || call.line.operands.len() > 2 {
        shows_any(&mut meaning);
    }
    meaning
}
