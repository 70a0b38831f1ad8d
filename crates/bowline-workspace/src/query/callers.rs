//! Places and what they stand in: which symbol, and whether that is a test.

mod marks;

use std::path::PathBuf;
use std::time::Instant;

use bowline_code::{IndexedSymbol, Location, Position, Span};

use super::tests_for::is_test_file;
use crate::outlines::Outlined;
use crate::workspace::Work;
use crate::{Document, Patience, Workspace, WorkspaceError};

/// How much of the time that is left is spent on reading what places stand in.
const READING: f32 = 0.8;

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

    /// The same, however the places come: each file is read once. Also how many files were not read, because the time
    /// for that was over: what is in those is known by its place alone.
    pub(super) async fn callers_in_any_order(
        &self,
        places: Vec<Location>,
        patience: &Patience<'_>,
    ) -> Result<(Vec<Caller>, usize), WorkspaceError> {
        let until = patience.part(READING).deadline;
        self.blocking(patience, move |work| {
            let mut order: Vec<usize> = (0..places.len()).collect();
            order.sort_by(|left, right| places[*left].cmp(&places[*right]));
            let sorted: Vec<Location> = order.iter().map(|index| places[*index].clone()).collect();
            let (callers, unread) = callers_until(work, sorted, until)?;
            let mut by_index: Vec<(usize, Caller)> = order.into_iter().zip(callers).collect();
            by_index.sort_by_key(|(index, _)| *index);
            Ok((by_index.into_iter().map(|(_, caller)| caller).collect(), unread))
        })
        .await
    }
}

/// Each file is read once. Blocks.
pub(super) fn callers(work: &Work, places: Vec<Location>) -> Result<Vec<Caller>, WorkspaceError> {
    callers_until(work, places, None).map(|(callers, _)| callers)
}

/// The same up to a moment, and how many files were left then.
fn callers_until(
    work: &Work,
    places: Vec<Location>,
    until: Option<Instant>,
) -> Result<(Vec<Caller>, usize), WorkspaceError> {
    let mut last: Option<(PathBuf, bool, Option<Read>)> = None;
    let (mut found, mut unread) = (Vec::with_capacity(places.len()), 0);
    for place in places {
        if work.stopped() {
            return Err(WorkspaceError::Cancelled);
        }
        if last.as_ref().is_none_or(|(file, ..)| *file != place.file) {
            let is_over = until.is_some_and(|until| Instant::now() >= until);
            unread += usize::from(is_over);
            let read = || work.outlined(&place.file).ok().and_then(Read::new);
            let read = if is_over { None } else { read() };
            let root = work.shared.roots.around(&place.file);
            let named = root.and_then(|root| place.file.strip_prefix(root).ok()).unwrap_or(&place.file);
            let in_tests = is_test_file(named) || marks::is_test_module(work, &place.file);
            last = Some((place.file.clone(), in_tests, read));
        }
        let (in_test_file, read) =
            last.as_ref().map_or((false, None), |(_, in_tests, read)| (*in_tests, read.as_ref()));
        found.push(caller(place, in_test_file, read));
    }
    Ok((found, unread))
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
