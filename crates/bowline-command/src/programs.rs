//! What programs do with their arguments: which commands they run, which files they touch, what is not known.
//!
//! One small file for each kind of program, and one table that leads there.

use crate::{Access, Doubt, Pin, Word};

/// What one command does, by its words alone. Paths are as written; the walk knows where the command runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// Commands that it runs, as words: `env`, `xargs`, `find -exec`, `timeout`.
    pub(crate) runs: Vec<Vec<Word>>,
    /// Code of the shell that it runs: `bash -c`, `eval`, `trap`, `watch`, `su -c`.
    pub(crate) shell: Vec<Word>,
    /// It runs as shell code what it is given on its standard input: `bash`, `sh -s`.
    pub(crate) shell_from_stdin: bool,
    /// It takes a patch on its standard input, as `apply_patch` does.
    pub(crate) patch_from_stdin: bool,
    pub(crate) touches: Vec<Touched>,
    pub(crate) doubts: Vec<Doubt>,
    pub(crate) is_wrapper: bool,
    pub(crate) pin: Option<Pin>,
    /// The working directory of what follows: `cd`, `pushd`; of what it runs: `env -C`, `git -C`.
    pub(crate) moves_to: Option<Word>,
}

/// A path that a program touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) access: Access,
    pub(crate) path: Word,
    pub(crate) is_deep: bool,
}

/// What this command does. The first word is a literal; it is looked up by its last part (`/usr/bin/env` is `env`).
pub(crate) fn meaning(words: &[Word]) -> Meaning {
    let _ = words;
    Meaning::default()
}
