//! The parts of one symbol: where it begins with all that belongs to it, where its body is, and what it shares with
//! others. Everything is in bytes.

mod around;
mod body;
mod faults;
mod item;
mod verbatim;

use std::ops::Range;

use crate::Parsed;

pub use body::{Body, Style};
pub use faults::Fault;

/// One symbol, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// All of it: doc comment, attributes and decorators in front, `export` and the like around, the separator and a
    /// comment behind it on its last line.
    pub whole: Range<usize>,
    /// Without comments, separators and the attributes that stand beside it.
    pub item: Range<usize>,
    pub body: Option<Body>,
    pub place: Place,
    /// Something else stands before it in the same container.
    pub follows: bool,
    /// Something else stands behind it in the same container.
    pub precedes: bool,
    pub value: Shared,
}

/// How a symbol stands among others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A statement or a member.
    Alone,
    /// An element of a list with commas between: a member of an enum, a field of an object.
    Element(Commas),
    /// One of several names of a declaration, which is all of `of`, and can go without the others.
    Part { of: Range<usize>, commas: Commas },
    /// It cannot be taken out of `of`, the statement around it.
    Bound { of: Range<usize>, why: Bond },
}

/// Values that constants have from the one before, where a language repeats them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shared {
    /// It has no value of its own.
    pub is_taken: bool,
    /// The constant behind it has none.
    pub taken_by: Option<Range<usize>>,
}

/// What binds a symbol to the statement that it is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bond {
    /// Several names get their values together.
    Names,
    /// It is a parameter, and so a part of a signature.
    Parameter,
    /// It is written inside an expression, or it is all that a statement such as `if` does.
    Expression,
}

/// The commas beside an element of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commas {
    pub before: Option<Range<usize>>,
    pub behind: Option<Range<usize>>,
}

impl Parsed {
    /// The parts of the symbol whose name takes up these bytes.
    pub fn parts(&self, selection: &Range<usize>) -> Option<Parts> {
        let item = item::find(self, selection)?;
        let whole = around::whole(self, &item);
        let body = body::of(self, &item);
        let (follows, precedes) = around::neighbours(self, &item, &whole);
        let item_range = item.node.start_byte()..around::trimmed_end(self, item.node);
        let value = around::shared(&item);
        Some(Parts { whole, item: item_range, body, place: item.place, follows, precedes, value })
    }

    /// Everything that the grammar could not read, in the order of the text.
    pub fn faults(&self) -> Vec<Fault> {
        faults::all(self)
    }

    /// The first bytes of those lines that begin inside a text literal: what stands there is data, and no indentation.
    pub fn verbatim_lines(&self) -> Vec<usize> {
        verbatim::lines(self)
    }

    /// Whether a suite, which is what some languages have in place of braces, holds nothing but this statement.
    pub fn is_alone_in_suite(&self, item: &Range<usize>) -> bool {
        around::is_alone_in_suite(self, item)
    }
}
