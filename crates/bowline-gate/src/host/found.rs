//! What an entry was found to mean in a call: the strongest match, and the very command or file that it is about.

use std::path::Path;

use bowline_command::{Access, Command};

use crate::PathFact;
use crate::scope::Match;

/// The strongest match that was found, and the first entry that it is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) entry: usize,
    pub(super) certain: bool,
    pub(super) cause: Cause<'a>,
}

/// What it is about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cause<'a> {
    /// The call itself: its tool, its effect, an argument.
    Call,
    Command(&'a Command),
    File(File<'a>),
    Address(&'a str),
}

/// A file that is touched.
#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) access: Access,
    pub(super) path: &'a PathFact,
    pub(super) seen: Seen<'a>,
}

/// By which name it was found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seen<'a> {
    /// Its own.
    Itself,
    /// That of a file below it.
    Below(&'a Path),
    /// Another name of the same file.
    Linked(&'a Path),
    /// None: what is below it, or what else it is called, is not known.
    Unknown,
}

#[derive(Debug, Default)]
pub(super) struct Best<'a> {
    pub(super) found: Option<Found<'a>>,
}

impl<'a> Best<'a> {
    pub(super) fn take(&mut self, entry: usize, found: Match, cause: Cause<'a>) {
        let certain = match found {
            Match::No => return,
            Match::Maybe => false,
            Match::Yes => true,
        };
        let better = self.found.is_none_or(|best| (certain, best.entry) > (best.certain, entry));
        if better {
            self.found = Some(Found { entry, certain, cause });
        }
    }

    pub(super) fn all(&mut self, entries: impl Iterator<Item = usize>) {
        entries.for_each(|entry| self.take(entry, Match::Yes, Cause::Call));
    }
}
