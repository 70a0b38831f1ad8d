//! Which symbol a path of names means.

use std::path::Path;

use bowline_syntax::Parsed;

use super::lines::{bytes_of, line_of};
use crate::draft::DraftError;
use crate::query::{Named, all_named, pick_numbered};

/// The one symbol that is meant. Where bodies are asked for, what has none is not meant: the signatures of an overloaded
/// function, a declaration beside its definition.
pub(in crate::draft) fn pick(
    path: &Path,
    parsed: &Parsed,
    symbol: &str,
    with_body: bool,
) -> Result<Named, DraftError> {
    let all = all_named(parsed);
    let known: Vec<String> = all.iter().map(|named| named.name.clone()).collect();
    let mut found = pick_numbered(all, symbol);
    if with_body && found.len() > 1 {
        let has_body = |named: &Named| {
            let parts = parsed.parts(&bytes_of(parsed, named.selection));
            parts.is_some_and(|parts| parts.body.is_some())
        };
        let bodies: Vec<(usize, Named)> =
            found.iter().filter(|(_, named)| has_body(named)).cloned().collect();
        if bodies.len() == 1 {
            found = bodies;
        }
    }
    let (path, symbol) = (path.to_owned(), symbol.to_owned());
    match found.len() {
        0 => Err(DraftError::NoSuchSymbol { path, symbol, known }),
        1 => Ok(found.remove(0).1),
        times => {
            let place = |(number, named): &(usize, Named)| {
                let line = line_of(parsed.text(), bytes_of(parsed, named.selection).start);
                format!("`{symbol}[{number}]` (line {line}: {})", named.path())
            };
            let mut places: Vec<String> = found.iter().take(10).map(place).collect();
            if times > places.len() {
                places.push(format!("and {} more", times - places.len()));
            }
            Err(DraftError::SymbolNotUnique { path, symbol, times, places: places.join(", ") })
        }
    }
}
