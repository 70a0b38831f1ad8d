//! What the walk knows while it goes through a tree, and how it goes through statements.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;

use super::aliases::Aliases;
use super::arithmetic::literal;
use super::descriptors::Descriptors;
use super::places::Places;
use super::reading::{MAX_STEPS, Shells};
use super::resolve::is_count;
use super::syntax::{Body, Joint, Node, Piece, Raw};
use crate::programs::Found;
use crate::programs::names::{MARK, Names, unmarked};
use crate::word::counts_processors;
use crate::{Doubt, Script, Surroundings, Word};

/// Statements within statements, over all texts that hold texts.
const DEEPEST: usize = 100;

/// How much may be walked again: bodies of called functions, second rounds of loops, guesses.
const EXTRA: usize = 8_000;

/// Doubts of one kind that are told.
const MOST_DOUBTS: usize = 64;

pub(super) struct Walker {
    pub(super) script: Script,
    pub(super) shells: Shells,
    pub(super) shell: Shell,
    pub(super) home: Option<PathBuf>,
    pub(super) variables: BTreeMap<String, Values>,
    functions: BTreeMap<String, Vec<Rc<Node>>>,
    /// Functions that are being walked: one that calls itself has been seen.
    running: Vec<String>,
    /// Variables that arithmetic looks at.
    pub(super) reckoned: BTreeSet<String>,
    /// Variables that hold more than one value.
    pub(super) arrays: BTreeSet<String>,
    /// Variables that a declaration gives a text that is not known, or looks like an array.
    pub(super) declared: BTreeSet<String>,
    pub(super) depth: usize,
    extra: usize,
    pub(super) steps: Cell<usize>,
    is_again: bool,
    pub(super) descriptors: Descriptors,
    /// Where the `cd` that was walked last leads, if it succeeds.
    pub(super) arrived: Option<Places>,
    pub(super) aliases: Aliases,
    /// What `{}` stands for in the command that is walked.
    pub(super) found: Option<Found>,
    /// Words whose values are all tried one by one: as they stand, they say nothing more.
    pub(super) tried: Vec<String>,
    /// Values of variables that are patterns for files.
    pub(super) globs: BTreeSet<String>,
    /// Variables of which all values were known when they were asked for, and how many there were.
    pub(super) relied: RefCell<BTreeMap<String, usize>>,
}

/// What a subshell has a copy of.
#[derive(Debug, Clone)]
pub(super) struct Shell {
    pub(super) places: Places,
    pub(super) stdin: Stdin,
    /// Variables that have been assigned to, whatever was true on the way here.
    pub(super) assigned: Rc<BTreeSet<String>>,
}

/// What a command finds on its standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stdin {
    /// Whatever the command line was given, a pipe, a file.
    Unknown,
    /// What another command of this text writes.
    Pipe,
    Nothing,
    /// Exactly this text, if it is known.
    Text(Option<String>),
    /// Names of files.
    Names(Names),
}

impl Stdin {
    /// Another command writes it.
    pub(super) fn is_pipe(&self) -> bool {
        matches!(self, Self::Pipe | Self::Names(_))
    }
}

/// What a variable may hold, by all assignments that were seen.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    pub(super) texts: Vec<String>,
    /// Something that is no plain number was assigned.
    pub(super) is_more: bool,
    /// Something was assigned that is known only when it runs.
    pub(super) is_unknown: bool,
}

impl Walker {
    pub(super) fn new(surroundings: &Surroundings) -> Self {
        Self {
            script: Script::default(),
            shells: Shells::of(surroundings.shell),
            shell: Shell {
                places: Places::new(surroundings.cwd.as_deref()),
                stdin: Stdin::Unknown,
                assigned: Rc::default(),
            },
            home: surroundings.home.clone(),
            variables: BTreeMap::new(),
            functions: BTreeMap::new(),
            running: Vec::new(),
            reckoned: BTreeSet::new(),
            arrays: BTreeSet::new(),
            declared: BTreeSet::new(),
            depth: 0,
            extra: EXTRA,
            steps: Cell::new(MAX_STEPS),
            is_again: false,
            descriptors: Descriptors::default(),
            arrived: None,
            aliases: Aliases::default(),
            found: None,
            tried: Vec::new(),
            globs: BTreeSet::new(),
            relied: RefCell::default(),
        }
    }

    /// From here on, the variable has been assigned to.
    pub(super) fn sure(&mut self, name: &str) {
        if !self.shell.assigned.contains(name) {
            self.spend(self.shell.assigned.len() / 16);
            Rc::make_mut(&mut self.shell.assigned).insert(name.to_owned());
        }
    }

    /// It may be another variable, or none.
    pub(super) fn unsure(&mut self, name: &str) {
        if self.shell.assigned.contains(name) {
            self.spend(self.shell.assigned.len() / 16);
            Rc::make_mut(&mut self.shell.assigned).remove(name);
        }
    }

    /// A variable was taken to hold no more than it held then, and was given more since: by a loop, a function, a trap.
    pub(super) fn is_outdated(&self) -> bool {
        self.relied.borrow().iter().any(|(name, count)| {
            self.variables.get(name).is_some_and(|held| held.is_unknown || held.texts.len() > *count)
        })
    }

    /// The same walk from its beginning, with all that variables were given in this one.
    pub(super) fn restarted(self, surroundings: &Surroundings) -> Self {
        let (variables, globs) = (self.variables, self.globs);
        Self { variables, globs, extra: self.extra, steps: self.steps, ..Self::new(surroundings) }
    }

    pub(super) fn doubt(&mut self, why: impl Into<String>) {
        self.note(Doubt::Unreadable(why.into()));
    }

    pub(super) fn note(&mut self, doubt: Doubt) {
        let doubt = match doubt {
            Doubt::Unreadable(text) if text.contains(MARK) => Doubt::Unreadable(unmarked(&text)),
            Doubt::Opaque(text) if text.contains(MARK) => Doubt::Opaque(unmarked(&text)),
            other => other,
        };
        // Many are as good as more; only the first of each kind decides anything.
        let alike = self.script.doubts.iter().filter(|held| held.is_like(&doubt));
        let (mut count, mut is_held) = (0, false);
        for held in alike {
            count += 1;
            is_held |= *held == doubt;
        }
        if !is_held && count < MOST_DOUBTS {
            self.script.doubts.push(doubt);
        }
    }

    /// After everything has been walked: was arithmetic done with more than numbers?
    pub(super) fn finish(mut self) -> Script {
        let reckoned = std::mem::take(&mut self.reckoned);
        for name in reckoned {
            let is_number = self.variables.get(&name).is_some_and(|values| !values.is_more);
            if !is_number {
                self.doubt(format!("arithmetic looks at `{name}`, which may hold more than a number"));
            }
        }
        let filled: Vec<String> = self.declared.intersection(&self.arrays).cloned().collect();
        for name in filled {
            self.doubt(format!(
                "`{name}` is an array, and is declared with a text that would be expanded once more"
            ));
        }
        match self.descriptors.touches() {
            Ok(touches) => touches.into_iter().for_each(|touch| self.push_touch(touch)),
            Err(_) => self.doubt("it opens too many files again to be followed"),
        }
        if let Some(name) = self.taken() {
            self.doubt(format!("a program is given `{name}`, and may run what it says"));
        }
        let (more, is_whole) = self.aliases.touches(&self.script.touches);
        self.script.touches.extend(more);
        if !is_whole {
            self.doubt("links lead to links too often to be followed");
        }
        self.script
    }

    /// Another step, unless there have been too many.
    pub(super) fn may_go_on(&mut self, cost: usize) -> bool {
        if self.is_spent() {
            return false;
        }
        if self.depth > DEEPEST {
            self.doubt("it is nested too deep");
            return false;
        }
        if self.is_again {
            if self.extra <= cost {
                self.doubt("it calls itself too often to be followed");
                return false;
            }
            self.extra -= cost + 1;
        }
        true
    }

    /// Walks something that has been walked, or may not be there: it counts.
    pub(super) fn again(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_again, true);
        inner(self);
        self.is_again = before;
    }

    /// Runs `inner` in a shell of its own.
    pub(super) fn apart(&mut self, inner: impl FnOnce(&mut Self)) {
        let before = self.shell.clone();
        inner(self);
        self.shell = before;
    }

    pub(super) fn body(&mut self, body: &Body) {
        for node in body {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        self.spend(1);
        self.depth += 1;
        if self.may_go_on(0) {
            self.statement(node);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, node: &Node) {
        match node {
            Node::Simple(simple) => self.simple(simple),
            Node::Pipe(parts) => {
                let mut names: Option<Names> = None;
                for (index, part) in parts.iter().enumerate() {
                    let printed = self.printed(part, names.as_ref());
                    self.apart(|walker| {
                        if index > 0 {
                            walker.shell.stdin = names.take().map_or(Stdin::Pipe, Stdin::Names);
                        }
                        walker.node(part);
                    });
                    names = printed;
                }
            }
            Node::Chain(parts) => self.chain(parts),
            Node::Background(part) => self.apart(|walker| {
                walker.shell.stdin = Stdin::Unknown;
                walker.node(part);
            }),
            Node::Subshell(body, redirects) => {
                self.apart(|walker| walker.redirected(redirects, |walker| walker.body(body)));
            }
            Node::Group(body, redirects) => self.redirected(redirects, |walker| walker.body(body)),
            Node::If { conditions, branches, redirects } => self.redirected(redirects, |walker| {
                let (first, others) = conditions.split_at(1.min(conditions.len()));
                first.iter().for_each(|condition| walker.body(condition));
                let assigned = walker.shell.assigned.clone();
                others.iter().for_each(|condition| walker.body(condition));
                walker.shell.assigned = assigned;
                walker.either(branches, branches.len() > conditions.len());
            }),
            Node::Loop { head, arithmetic, body, redirects } => self.redirected(redirects, |walker| {
                for pieces in arithmetic {
                    walker.arithmetic(pieces);
                }
                walker.repeated(|walker| {
                    walker.body(head);
                    walker.body(body);
                });
            }),
            Node::For { name, words, body, redirects } => self.redirected(redirects, |walker| {
                for word in words {
                    walker.pieces(&word.pieces);
                    for resolved in walker.resolve(word) {
                        walker.assign_resolved(name, &resolved);
                    }
                }
                if words.is_empty() {
                    walker.assign(name, None);
                }
                walker.repeated(|walker| {
                    walker.sure(name);
                    walker.body(body);
                });
            }),
            Node::Case { value, patterns, branches, redirects } => self.redirected(redirects, |walker| {
                walker.pieces(&value.pieces);
                for pattern in patterns {
                    walker.pieces(&pattern.pieces);
                }
                walker.either(branches, false);
            }),
            Node::Test(words, redirects) => self.redirected(redirects, |walker| walker.test(words)),
            Node::Arithmetic(pieces, redirects) => {
                self.redirected(redirects, |walker| walker.arithmetic(pieces));
            }
            Node::Function { name, body } => {
                if counts_processors(name) {
                    self.doubt(format!("`{name}` is made to print something else than it does"));
                }
                self.functions.entry(name.clone()).or_default().push(Rc::clone(body));
                // As if it ran here; when it is called, it is walked again where it is called.
                self.apart(|walker| walker.node(body));
            }
            Node::Coprocess { name, body } => {
                self.arrays.insert(name.clone());
                self.assign(name, None);
                self.apart(|walker| {
                    walker.shell.stdin = Stdin::Unknown;
                    walker.node(body);
                });
            }
        }
    }

    /// The first part runs; each other one may.
    fn chain(&mut self, parts: &[(Joint, Node)]) {
        let mut sure = None;
        // Where the shell may be as well, if a `cd` on the way has failed.
        let mut elsewhere: Option<Places> = None;
        for (joint, part) in parts {
            if let (Joint::Or, Some(sure)) = (joint, &sure) {
                self.shell.assigned = Rc::clone(sure);
            }
            match (joint, self.arrived.take()) {
                (Joint::And, Some(arrived)) => {
                    let here = std::mem::replace(&mut self.shell.places, arrived);
                    elsewhere.get_or_insert_with(|| here.clone()).merge(&here);
                }
                (Joint::Or, _) => elsewhere.iter().for_each(|elsewhere| self.shell.places.merge(elsewhere)),
                _ => {}
            }
            self.node(part);
            sure.get_or_insert_with(|| Rc::clone(&self.shell.assigned));
            self.arrived = self.arrived.take().filter(|_| self.is_plain_cd(part));
        }
        self.arrived = None;
        elsewhere.iter().for_each(|elsewhere| self.shell.places.merge(elsewhere));
        self.shell.assigned = sure.unwrap_or_default();
    }

    /// `cd DIR`, and nothing else that could move the shell.
    fn is_plain_cd(&self, node: &Node) -> bool {
        let Node::Simple(simple) = node else { return false };
        simple.words.first().and_then(Raw::bare) == Some("cd")
            && simple.words.iter().all(|word| literal(&word.pieces).is_some())
            && simple.assignments.is_empty()
            && simple.redirects.is_empty()
            && !self.functions.contains_key("cd")
    }

    /// One of several bodies runs, or none.
    fn either(&mut self, branches: &[Body], is_any: bool) {
        let before = (self.shell.places.clone(), self.shell.assigned.clone());
        let mut after = before.0.clone();
        let mut assigned: Option<Rc<BTreeSet<String>>> = None;
        for branch in branches {
            (self.shell.places, self.shell.assigned) = before.clone();
            self.body(branch);
            after.merge(&self.shell.places);
            let here = std::mem::take(&mut self.shell.assigned);
            assigned = Some(match assigned {
                Some(assigned) => Rc::new(assigned.intersection(&here).cloned().collect()),
                None => here,
            });
        }
        self.shell.places = after;
        self.shell.assigned = assigned.filter(|_| is_any).unwrap_or(before.1);
    }

    /// A body that may run any number of times.
    fn repeated(&mut self, body: impl Fn(&mut Self)) {
        let (before, assigned) = (self.shell.places.clone(), self.shell.assigned.clone());
        body(self);
        if self.shell.places != before {
            self.shell.places.is_lost = true;
            self.shell.assigned = Rc::clone(&assigned);
            self.again(body);
        }
        self.shell.assigned = assigned;
    }

    /// The bodies of functions of this name, as they are called here.
    pub(super) fn call(&mut self, name: &str, arguments: &[Word]) {
        let Some(bodies) = self.functions.get(name) else {
            return;
        };
        if self.running.iter().any(|running| running == name) {
            return self.positional(arguments);
        }
        // Each body is a reading, and each call of each is a round.
        if self.extra <= bodies.len() {
            return self.doubt("it calls itself too often to be followed");
        }
        self.extra -= bodies.len();
        let bodies = bodies.clone();
        self.positional(arguments);
        self.running.push(name.to_owned());
        let assigned = self.shell.assigned.clone();
        for body in bodies {
            self.again(|walker| walker.node(&body));
        }
        // Whether the function was defined on the way here is not known.
        self.shell.assigned = assigned;
        self.running.pop();
    }

    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// `$1`, `$@` and so on may be these.
    pub(super) fn positional(&mut self, arguments: &[Word]) {
        let mut all = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let name = (index + 1).to_string();
            match argument.literal() {
                Some(text) => {
                    self.guess(&name, text);
                    all.push(text);
                }
                None => self.variables.entry(name).or_default().is_unknown = true,
            }
        }
        let is_unknown = all.len() < arguments.len();
        let all = all.join(" ");
        for name in ["@", "*"] {
            self.guess(name, &all);
            self.variables.entry(name.to_owned()).or_default().is_unknown |= is_unknown;
        }
    }

    /// Everything that runs while these are expanded.
    pub(super) fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Plain(_) | Piece::Quoted(_) => {}
                Piece::Code { body, .. } => {
                    let begin = self.script.commands.len();
                    self.apart(|walker| walker.body(body));
                    if is_count(body) {
                        // What is only counted needs no entry of its own.
                        self.script.commands[begin..]
                            .iter_mut()
                            .for_each(|command| command.is_wrapper = true);
                    }
                }
                Piece::Process(body) => self.apart(|walker| {
                    walker.shell.stdin = Stdin::Unknown;
                    walker.body(body);
                }),
                Piece::Arithmetic(inner) | Piece::Subscript(inner) => self.arithmetic(inner),
                Piece::Pattern(inner) => self.pieces(inner),
                Piece::Array(words) => {
                    for word in words {
                        self.element(word);
                    }
                }
                Piece::Param(param) => self.param(param),
            }
        }
    }
}
