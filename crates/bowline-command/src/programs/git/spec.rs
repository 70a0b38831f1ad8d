//! Which files the words of git mean: pathspecs, `commit:path`, and all of a repository.

use crate::programs::Meaning;
use crate::programs::Touched;
use crate::programs::line::Line;
use crate::programs::meaning::last_part;
use crate::{Access, Creates, Filter, Word};

/// Of what is named, all that git tracks.
pub(super) fn tracked() -> Filter {
    Filter { tracked_only: true, creates: Creates::Nothing, ..Filter::default() }
}

/// Of what is named, what git does not ignore.
pub(super) fn unignored() -> Filter {
    Filter {
        skips_ignored: true,
        except_directories: vec![".git".to_owned()],
        creates: Creates::Nothing,
        ..Filter::default()
    }
}

/// Some of the files of the repository, by what its history holds: which ones, the text does not say.
fn some(access: Access, only: Vec<String>, meaning: &mut Meaning) {
    let here = Word::Literal(".".to_owned());
    let filter = Filter { may_be_fewer: true, only, ..tracked() };
    let is_there =
        |touched: &Touched| touched.access == access && touched.filter == filter && touched.path == here;
    if !meaning.touches.iter().any(is_there) {
        meaning.touch(access, &here, true, filter);
    }
}

/// It shows what changed somewhere in the repository.
pub(super) fn shows_any(meaning: &mut Meaning) {
    some(Access::Read, Vec::new(), meaning);
}

/// It brings the tree to another state of the repository.
pub(super) fn changes_any(meaning: &mut Meaning) {
    some(Access::Write, Vec::new(), meaning);
}

/// Paths are compared without their case: which files of the repository they are is not known.
pub(super) fn ignores_case(meaning: &mut Meaning) {
    for access in [Access::Read, Access::Write] {
        let mut touched = meaning.touches.iter().filter(|touched| touched.access == access).peekable();
        let is_any = touched.peek().is_some();
        if touched.any(|touched| !touched.filter.tracked_only) {
            meaning.unreadable("which files are meant cannot be told, as the case of their names is ignored");
        }
        if is_any {
            some(access, Vec::new(), meaning);
        }
    }
}

/// A pathspec, by what is known of it.
enum Spec {
    /// A path from here.
    Path(Word),
    /// Everything that matches below this directory.
    Below(String),
    /// A path from the top of the repository.
    FromTop(String),
    /// Magic that is not followed.
    Anything,
    /// It takes files away from what others mean.
    Excludes,
}

impl Spec {
    fn of(word: &Word) -> Self {
        let Some(text) = word.literal() else { return Self::Path(word.clone()) };
        let Some(magic) = text.strip_prefix(':') else { return Self::pattern(text) };
        let (marks, rest) = match magic.strip_prefix('(') {
            Some(long) => long.split_once(')').unwrap_or((long, "")),
            None => {
                let end =
                    magic.find(|mark: char| !matches!(mark, '/' | '!' | '^' | ':')).unwrap_or(magic.len());
                magic.split_at(end)
            }
        };
        let is_long = magic.starts_with('(');
        let has = |long: &str, short: &[char]| {
            if is_long { marks.split(',').any(|mark| mark == long) } else { marks.contains(short) }
        };
        if has("exclude", &['!', '^']) {
            return Self::Excludes;
        }
        let is_known =
            !is_long || marks.split(',').all(|mark| matches!(mark, "" | "top" | "glob" | "literal"));
        match is_known {
            false => Self::Anything,
            true if has("top", &['/']) && rest.contains(PATTERN) => Self::Anything,
            true if has("top", &['/']) && rest.is_empty() => Self::Anything,
            true if has("top", &['/']) => Self::FromTop(rest.to_owned()),
            true if has("literal", &[]) => Self::Path(Word::Literal(rest.to_owned())),
            true => Self::pattern(rest),
        }
    }

    fn pattern(text: &str) -> Self {
        match text.find(PATTERN) {
            Some(at) => {
                Self::Below(text[..at].rsplit_once('/').map_or(".", |(directory, _)| directory).to_owned())
            }
            None if text.is_empty() => Self::Below(".".to_owned()),
            None => Self::Path(Word::Literal(text.to_owned())),
        }
    }
}

/// Directories in which a command may run, below the top of a repository.
pub(super) const MAX_LEVELS: usize = 4;

const PATTERN: &[char] = &['*', '?', '[', '\\'];

/// The files that a pathspec means are read or written. False if it only takes files away.
pub(super) fn touch(access: Access, word: &Word, filter: &Filter, meaning: &mut Meaning) -> bool {
    match Spec::of(word) {
        Spec::Path(path) => meaning.touch(access, &path, true, filter.clone()),
        Spec::Below(directory) => meaning.touch(access, &Word::Literal(directory), true, filter.clone()),
        Spec::FromTop(path) => {
            meaning.touch(access, &Word::Literal(path.clone()), true, filter.clone());
            // It may be a directory elsewhere than here.
            let is_new = access == Access::Write && filter.creates != Creates::Nothing;
            if is_new || !filter.tracked_only {
                for level in 1..=MAX_LEVELS {
                    let above = Word::Literal(format!("{}{path}", "../".repeat(level)));
                    meaning.touch(access, &above, true, filter.clone());
                }
            }
            some(access, Vec::new(), meaning);
        }
        Spec::Anything if access == Access::Write => {
            meaning.unreadable(format!("which files `{}` means cannot be told", word.shown()));
        }
        Spec::Anything if !filter.tracked_only => {
            let filter = Filter { whole_repository: true, may_be_fewer: true, ..filter.clone() };
            meaning.touch(access, &Word::Literal(".".to_owned()), true, filter);
        }
        Spec::Anything => some(access, Vec::new(), meaning),
        Spec::Excludes => return false,
    }
    true
}

/// The path in `commit:path`, `:path`, `:0:path`.
fn in_commit(word: &Word) -> Option<&str> {
    let text = word.literal()?;
    let (commit, path) = text.split_once(':')?;
    if !commit.is_empty() {
        // `HEAD^{/fix: x}` and `HEAD@{10:00}` hold colons that are none of these.
        let opened = commit.matches('{').count() > commit.matches('}').count();
        return if opened { text.rsplit_once("}:").map(|(_, path)| path) } else { Some(path) };
    }
    match path.strip_prefix(['0', '1', '2', '3']).and_then(|rest| rest.strip_prefix(':')) {
        Some(path) => Some(path),
        // `:/text` searches messages of commits; as a pathspec it is the top.
        None => Some(path.trim_start_matches('/')).filter(|path| !path.starts_with(['(', '!', '^'])),
    }
}

/// The content that `commit:path` names is shown. False if the word is not of this form.
pub(super) fn shows_in_commit(word: &Word, meaning: &mut Meaning) -> bool {
    let Some(path) = in_commit(word) else { return false };
    if path.is_empty() || path == "." {
        shows_any(meaning);
        return true;
    }
    let name = Word::Literal(path.to_owned());
    meaning.touch(Access::Read, &name, true, Filter::default());
    // In a directory below the top, it is another file.
    some(Access::Read, vec![last_part(path).to_owned()], meaning);
    true
}

/// The operands after `--`. Without `--` there are none.
pub(super) fn after_dashes(line: &Line) -> Vec<Word> {
    let Some(dashes) = line.dashes else { return Vec::new() };
    line.operands.iter().filter(|(at, _)| *at > dashes).map(|(_, word)| word.clone()).collect()
}

/// The operands before `--`.
pub(super) fn before_dashes(line: &Line) -> Vec<Word> {
    let end = line.dashes.unwrap_or(usize::MAX);
    line.operands.iter().filter(|(at, _)| *at < end).map(|(_, word)| word.clone()).collect()
}

/// What these operands mean is shown: commits, paths, or either, where only git knows which.
pub(super) fn shows(line: &Line, meaning: &mut Meaning) {
    let (commits, paths) = (before_dashes(line), after_dashes(line));
    // Below what is named, and not in all of the repository.
    let filter = Filter { may_be_fewer: true, tracked_only: true, ..Filter::default() };
    let is_limited = paths.iter().filter(|word| touch(Access::Read, word, &filter, meaning)).count() > 0;
    for word in &commits {
        if shows_in_commit(word, meaning) {
            continue;
        }
        match word.literal() {
            Some(text) if text.contains("..") && !text.starts_with("..") && !text.contains("/..") => {}
            Some(_) => {
                touch(Access::Read, word, &filter, meaning);
            }
            None => {}
        }
    }
    let are_in_commits = !commits.is_empty() && commits.iter().all(|word| in_commit(word).is_some());
    // Two are compared, and may be directories.
    if !is_limited && (!are_in_commits || commits.len() > 1) {
        shows_any(meaning);
    }
}
