//! A command line as a tree: what bash would make of the text before anything is expanded.

use std::cell::OnceCell;
use std::rc::Rc;

/// Statements that run one after the other.
pub(super) type Body = Vec<Node>;

#[derive(Debug)]
pub(super) enum Node {
    Simple(Simple),
    /// More than one, joined by `|`.
    Pipe(Vec<Node>),
    /// Joined by `&&` and `||`: each with what stands before it.
    Chain(Vec<(Joint, Node)>),
    /// Runs beside what follows, in a shell of its own.
    Background(Box<Node>),
    Subshell(Body, Vec<Redirect>),
    Group(Body, Vec<Redirect>),
    If {
        /// Conditions, in the order of asking: each runs if all before it have run.
        conditions: Vec<Body>,
        branches: Vec<Body>,
        redirects: Vec<Redirect>,
    },
    /// `while`, `until`, and `for ((…))`.
    Loop {
        head: Body,
        arithmetic: Vec<Vec<Piece>>,
        body: Body,
        redirects: Vec<Redirect>,
    },
    /// `for` and `select`.
    For {
        name: String,
        words: Vec<Raw>,
        body: Body,
        redirects: Vec<Redirect>,
    },
    Case {
        value: Raw,
        patterns: Vec<Raw>,
        branches: Vec<Body>,
        redirects: Vec<Redirect>,
    },
    /// `[[ … ]]`: words and operators as they stand.
    Test(Vec<Raw>, Vec<Redirect>),
    /// `(( … ))`
    Arithmetic(Vec<Piece>, Vec<Redirect>),
    Function {
        name: String,
        body: Rc<Node>,
    },
    Coprocess {
        name: String,
        body: Box<Node>,
    },
}

/// What stands before a part of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    First,
    And,
    Or,
}

#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) assignments: Vec<Raw>,
    pub(super) words: Vec<Raw>,
    pub(super) redirects: Vec<Redirect>,
}

/// A word as it is written.
#[derive(Debug, Clone, Default)]
pub(super) struct Raw {
    pub(super) pieces: Vec<Piece>,
    pub(super) text: String,
}

#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Unquoted: braces, globs and tildes count.
    Plain(String),
    Quoted(String),
    Param(Box<Param>),
    /// `$(…)` and backticks.
    Code {
        body: Rc<Body>,
        is_quoted: bool,
    },
    /// `<(…)` and `>(…)`.
    Process(Rc<Body>),
    /// `$((…))` and `$[…]`.
    Arithmetic(Vec<Piece>),
    /// What stands in the brackets of `name[…]=`.
    Subscript(Vec<Piece>),
    /// `(…)` after `name=`.
    Array(Vec<Raw>),
    /// `@(…)` and its kin.
    Pattern(Vec<Piece>),
}

/// `$x` and everything between `${` and `}`.
#[derive(Debug, Clone, Default)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) is_indirect: bool,
    pub(super) is_length: bool,
    pub(super) is_quoted: bool,
    pub(super) subscript: Option<Vec<Piece>>,
    /// The first one or two characters after the name: empty, `:-`, `#`, `@P` …
    pub(super) operator: String,
    pub(super) argument: Vec<Piece>,
}

#[derive(Debug, Clone)]
pub(super) struct Redirect {
    pub(super) descriptor: Descriptor,
    pub(super) kind: RedirectKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Descriptor {
    /// Zero for what reads, one for what writes.
    Usual,
    Number(String),
    /// `{name}>`
    Variable(String),
}

#[derive(Debug, Clone)]
pub(super) enum RedirectKind {
    Read(Raw),
    Write(Raw),
    /// `<>`
    ReadWrite(Raw),
    /// `<&word`, `>&word`: a number, `-`, or a file.
    CopyIn(Raw),
    CopyOut(Raw),
    HereString(Raw),
    HereDocument(Rc<OnceCell<Here>>),
}

/// The text of a here-document.
#[derive(Debug)]
pub(super) struct Here {
    /// The delimiter was quoted: the text is taken as it is.
    pub(super) is_verbatim: bool,
    pub(super) pieces: Vec<Piece>,
}

impl Raw {
    /// The text, if nothing in it is quoted or expanded.
    pub(super) fn bare(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Plain(text)] => Some(text),
            _ => None,
        }
    }
}
