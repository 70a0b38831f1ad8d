//! Texts, as each shell reads them, and how much of them is read.

use std::collections::HashSet;
use std::rc::Rc;

use super::parser::{self, Dialect};
use super::walker::{Stdin, Walker};
use super::{rough, witness};
use crate::programs::names::MARK;
use crate::{Command, ShellKind, Word};

/// How much is walked: words, commands and touched files, in all readings of all texts.
pub(super) const MAX_STEPS: usize = 16_000;

/// Which shells may run the text that is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shells {
    Bash,
    /// Its reading by bash has been walked.
    Posix,
    Any,
}

impl Shells {
    pub(super) fn of(kind: ShellKind) -> Self {
        match kind {
            ShellKind::Unknown => Self::Any,
            ShellKind::Bash => Self::Bash,
        }
    }
}

impl Walker {
    /// So many steps are taken.
    pub(super) fn spend(&self, steps: usize) {
        self.steps.set(self.steps.get().saturating_sub(steps));
    }

    /// No step is left.
    pub(super) fn is_spent(&self) -> bool {
        self.steps.get() == 0
    }

    /// The text is refused for its size: `how` it is too large. Its words are searched for commands all the same.
    pub(super) fn too_much(&mut self, text: &str, how: &str) {
        let why = format!("it is {how} than the gate reads: {} characters; split it", text.chars().count());
        self.script.forbidden.push(why.clone());
        self.doubt(why);
        for words in rough::commands(text) {
            self.seen_elsewhere(words);
        }
    }

    /// Shell code in the shell that is running now.
    pub(super) fn code(&mut self, text: &str) {
        if !self.may_go_on(text.len() / 16) {
            return;
        }
        match self.shells {
            Shells::Bash => {
                self.read_as(text, Dialect::Bash);
            }
            Shells::Posix => {
                self.read_as(text, Dialect::Posix);
            }
            Shells::Any => self.both(text),
        }
    }

    /// As bash reads it; and as other shells do, where that is something else. Both count.
    fn both(&mut self, text: &str) {
        let (begin, before) = (self.script.commands.len(), self.shell.clone());
        if !self.read_as(text, Dialect::Bash) {
            return;
        }
        let middle = self.script.commands.len();
        let after = std::mem::replace(&mut self.shell, before);
        self.shells = Shells::Posix;
        self.read_as(text, Dialect::Posix);
        self.shells = Shells::Any;
        self.shell.places.merge(&after.places);
        if self.shell.assigned != after.assigned {
            let both = self.shell.assigned.intersection(&after.assigned).cloned().collect();
            self.shell.assigned = Rc::new(both);
        }
        if self.shell.stdin != after.stdin {
            self.shell.stdin = Stdin::Unknown;
        }
        let also = self.script.commands.split_off(middle);
        let mut known: HashSet<Command> = self.script.commands[begin..].iter().cloned().collect();
        self.script.commands.extend(also.into_iter().filter(|command| known.insert(command.clone())));
    }

    /// Whether another dialect has another reading.
    fn read_as(&mut self, text: &str, dialect: Dialect) -> bool {
        if let Some(odd) = text.chars().find(is_odd) {
            self.doubt(format!("it holds the control character `{}`", odd.escape_default()));
        }
        let reading = parser::parse(text, dialect);
        // The grammar takes as long for it as the walk.
        self.spend(text.len() / 64 + reading.tokens);
        if reading.is_too_long {
            self.spend(MAX_STEPS);
            return false;
        }
        for why in reading.doubts {
            self.doubt(why);
        }
        let before = self.shells;
        if self.shells == Shells::Any && reading.differs {
            // The other reading has its own turn, with all that this text holds.
            self.shells = Shells::Bash;
        }
        self.body(&reading.body);
        self.shells = before;
        if dialect == Dialect::Posix {
            return reading.differs;
        }
        if reading.is_broken {
            for words in rough::commands(text) {
                self.seen_elsewhere(words);
            }
            // Whatever the grammar might add: there is a doubt, and every word is listed.
            return reading.differs;
        }
        let witnessed = witness::look(text, &reading.sights);
        for why in witnessed.doubts {
            self.doubt(why);
        }
        for part in witnessed.missed {
            for words in rough::commands(&part) {
                self.seen_elsewhere(words);
            }
        }
        reading.differs
    }

    /// A command that another reader may see in the text.
    pub(super) fn seen_elsewhere(&mut self, words: Vec<String>) {
        let words: Vec<Word> = words.into_iter().map(Word::Literal).collect();
        self.script.commands.push(Command { words, core: None, is_wrapper: false, pin: None });
    }
}

/// A letter that is not shown, or is one of our own marks.
fn is_odd(letter: &char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t') || *letter == MARK
}
