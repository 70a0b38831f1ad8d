//! Places and what they stand in: which symbol, and whether that is a test.

mod marks;

use std::path::PathBuf;

use bowline_code::{IndexedSymbol, Location, Position, Span};

use super::tests_for::is_test_file;
use crate::outlines::Outlined;
use crate::workspace::Work;
use crate::{Document, Patience, Workspace, WorkspaceError};

/// A place where something is used, and what it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The names around the place, outermost first, joined by dots. Empty at the top of a file.
    pub name: String,
    pub place: Location,
    /// The name of the innermost function or type around it.
    pub around: Option<Span>,
    pub is_test: bool,
}

impl Workspace {
    /// What each place stands in. Files that no grammar reads are looked at by their names alone.
    pub async fn callers(
        &self,
        places: Vec<Location>,
        patience: &Patience<'_>,
    ) -> Result<Vec<Caller>, WorkspaceError> {
        self.blocking(patience, move |work| callers(work, places)).await
    }
}

/// Each file is read once. Blocks.
pub(super) fn callers(work: &Work, places: Vec<Location>) -> Result<Vec<Caller>, WorkspaceError> {
    let mut last: Option<(PathBuf, bool, Option<Read>)> = None;
    let mut found = Vec::with_capacity(places.len());
    for place in places {
        if work.stopped() {
            return Err(WorkspaceError::Cancelled);
        }
        if last.as_ref().is_none_or(|(file, ..)| *file != place.file) {
            let read = work.outlined(&place.file).ok().and_then(Read::new);
            let root = work.shared.roots.around(&place.file);
            let named = root.and_then(|root| place.file.strip_prefix(root).ok()).unwrap_or(&place.file);
            let in_tests = is_test_file(named) || marks::is_test_module(work, &place.file);
            last = Some((place.file.clone(), in_tests, read));
        }
        let (in_test_file, read) =
            last.as_ref().map_or((false, None), |(_, in_tests, read)| (*in_tests, read.as_ref()));
        found.push(caller(place, in_test_file, read));
    }
    Ok(found)
}

struct Read {
    document: Document,
    /// In the order of the text: what stands in another comes after it.
    symbols: Outlined,
}

impl Read {
    fn new((document, symbols): (Document, Option<Outlined>)) -> Option<Self> {
        Some(Self { document, symbols: symbols? })
    }
}

fn caller(place: Location, in_test_file: bool, read: Option<&Read>) -> Caller {
    let Some(read) = read else {
        return Caller { name: String::new(), place, around: None, is_test: in_test_file };
    };
    let at = Position::new(place.line, place.column);
    // A receiver is around a method as much as a block would be, and is known only to the symbol itself.
    let around: Vec<&IndexedSymbol> = read.symbols.iter().filter(|symbol| symbol.range.touches(at)).collect();
    let is_test = in_test_file || around.iter().any(|symbol| marks::is_test(&read.document, symbol));
    let innermost = around.last();
    let name = innermost.map_or_else(String::new, |symbol| match symbol.container.as_str() {
        "" => symbol.name.clone(),
        container => format!("{container}.{}", symbol.name),
    });
    Caller { name, around: innermost.map(|symbol| symbol.selection), is_test, place }
}
