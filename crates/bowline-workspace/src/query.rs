//! The questions that can be asked of a workspace, and the shapes of their answers.

mod asked;
mod callers;
mod clash;
mod commands;
mod concurrent;
mod crew;
mod cross;
mod definition;
mod diagnostics;
mod editing_context;
mod explore;
mod find;
mod glance;
mod hierarchy;
mod hover;
mod impact;
mod named;
mod narrow;
mod neighbours;
mod opened;
mod outline;
mod recall;
mod references;
mod removal;
mod removed;
mod served;
mod tests_for;

use std::path::PathBuf;

use bowline_code::{Engine, IndexedSymbol, Location, Span, Symbol, SymbolKind};

pub(crate) use asked::clamped;
pub use callers::Caller;
pub use clash::Clashes;
pub use commands::Offer;
pub use concurrent::ConcurrentUse;
pub(crate) use crew::KnownMembers;
pub use cross::{CrossReferences, RepoPlace};
pub(crate) use definition::name_at;
pub use diagnostics::{Diagnoses, FileDiagnoses};
pub use editing_context::{Callee, EditingContext};
pub use explore::Explored;
pub use hierarchy::{Calls, Hierarchy, Ways};
pub use impact::{ChangedFile, Impact, Impacted, Reached, Scope, is_elsewhere};
pub use named::Named;
pub(crate) use named::{all_named, pick_numbered};
pub use opened::Opened;
pub use removal::Removal;
pub use removed::{Removed, RemovedSymbol, StillUsed};
use served::Reason;
pub(crate) use served::{TextLender, Unserved, is_worth_another_life, late, server_deadline};
pub use tests_for::{KnownBy, TestFile, is_test_file};

/// An answer, and how sure it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<T> {
    pub value: T,
    pub engine: Engine,
    /// Whether everything the answer depends on was known: all files of the workspace, where it depends on those.
    pub indexed: bool,
    /// Why the better engine did not answer, where it should have.
    pub note: Option<String>,
}

impl<T> Found<T> {
    fn by_syntax(value: T, indexed: bool) -> Self {
        Self { value, engine: Engine::Syntax, indexed, note: None }
    }

    fn by_server(value: T, indexed: bool) -> Self {
        Self { value, engine: Engine::Server, indexed, note: None }
    }

    fn noting(mut self, reason: Option<&Reason>) -> Self {
        self.note = reason.map(Reason::note);
        self
    }
}

/// The symbols of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub path: PathBuf,
    pub language: String,
    pub symbols: Vec<Symbol>,
    /// The grammar could not read all of the file.
    pub has_error: bool,
    /// The size of the file.
    pub bytes: usize,
}

/// One symbol with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolSource {
    pub path: PathBuf,
    pub symbol: Symbol,
    /// The names around it, outermost first.
    pub container: Vec<String>,
    pub start_line: u32,
    pub end_line: u32,
    /// These lines, whole, as they are in the file.
    pub source: String,
    /// The size of the file.
    pub bytes: usize,
}

/// A symbol somewhere in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolHit {
    pub path: PathBuf,
    pub language: String,
    pub symbol: IndexedSymbol,
}

impl SymbolHit {
    /// Where its name is.
    pub fn location(&self) -> Location {
        Location::new(&self.path, self.symbol.selection)
    }
}

/// One page of symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbols {
    pub hits: Vec<SymbolHit>,
    /// On all pages.
    pub total: usize,
}

/// Where something is defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Empty where only a place is known.
    pub name: String,
    /// `None` for a local binding.
    pub kind: Option<SymbolKind>,
    /// The names around it, outermost first, joined by dots.
    pub container: String,
    /// Its name.
    pub location: Location,
    /// The whole of it.
    pub range: Span,
}

impl From<Location> for Definition {
    /// A server says where, and nothing else.
    fn from(location: Location) -> Self {
        let range = location.span();
        Self { name: String::new(), kind: None, container: String::new(), location, range }
    }
}

impl From<crate::SymbolRow> for Definition {
    fn from((path, _, symbol): crate::SymbolRow) -> Self {
        Self {
            location: Location::new(path, symbol.selection),
            name: symbol.name,
            kind: Some(symbol.kind),
            container: symbol.container,
            range: symbol.range,
        }
    }
}

/// Where a name is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct References {
    pub name: String,
    /// By path, line and column.
    pub places: Vec<Location>,
    /// How many there are; more than `places` if there are very many.
    pub total: usize,
}
