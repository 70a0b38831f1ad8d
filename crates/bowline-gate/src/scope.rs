//! What stands between the parentheses of an entry, in rules and in lists of skills alike: `git:*`, `src/**`,
//! `domain:example.com`.

pub(crate) mod command;
pub(crate) mod domain;
pub(crate) mod path;

/// Whether something is meant by a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    No,
    /// Not everything is known that it depends on.
    Maybe,
    Yes,
}
