//! Symbols of one file by their path of names.

use std::path::Path;

use bowline_code::{Position, Span, Symbol};
use bowline_syntax::Parsed;

use super::find::segments;
use crate::{Patience, Workspace, WorkspaceError};

/// A symbol that a path of names may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The names around it and its own, joined by dots.
    pub name: String,
    /// Where its name is.
    pub selection: Span,
    /// The whole of it.
    pub range: Span,
}

impl Workspace {
    /// The symbols of a file that `name`, `Type.method` or `Type::method` means. `name[2]` is the third of that name.
    pub async fn named_in(
        &self,
        path: &Path,
        symbol_path: &str,
        patience: &Patience<'_>,
    ) -> Result<Vec<Named>, WorkspaceError> {
        let owned = path.to_owned();
        let by_syntax = self.reading(patience, move |work| Ok(all_named(work.read(&owned)?.parsed()?))).await;
        let all = match by_syntax {
            Ok(all) => all,
            // No grammar reads it; a server may.
            Err(WorkspaceError::UnknownLanguage { .. }) => {
                let outline = self.outline(path, patience).await?;
                let mut all = Vec::new();
                flatten(&outline.value.symbols, "", &mut all);
                all
            }
            Err(error) => return Err(error),
        };
        Ok(pick_named(all, symbol_path))
    }
}

/// Every symbol of a text.
pub(crate) fn all_named(parsed: &Parsed) -> Vec<Named> {
    let named = parsed.flat_symbols().into_iter().map(|symbol| {
        let name = [symbol.container.as_str(), symbol.name.as_str()];
        let name = name.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        Named { name, selection: symbol.selection, range: symbol.range }
    });
    named.collect()
}

/// Those that a path of names means.
pub(crate) fn pick_named(all: Vec<Named>, symbol_path: &str) -> Vec<Named> {
    let (written, ordinal) = ordinal(symbol_path);
    let wanted = segments(written);
    let fits = |named: &Named| {
        let names = segments(&named.name);
        !wanted.is_empty() && names.ends_with(&wanted)
    };
    let found: Vec<Named> = all.into_iter().filter(fits).collect();
    // `total` means the function of that name rather than those inside others.
    let outermost: Vec<Named> =
        found.iter().filter(|named| segments(&named.name).len() == wanted.len()).cloned().collect();
    let found = if outermost.is_empty() || ordinal.is_some() { found } else { outermost };
    match ordinal {
        None => found,
        Some(index) => found.into_iter().nth(index).into_iter().collect(),
    }
}

/// `name[2]` without its number, and the number.
fn ordinal(path: &str) -> (&str, Option<usize>) {
    let numbered = path.strip_suffix(']').and_then(|path| path.rsplit_once('['));
    match numbered.and_then(|(name, number)| Some((name, number.parse().ok()?))) {
        Some((name, number)) => (name, Some(number)),
        None => (path, None),
    }
}

fn flatten(symbols: &[Symbol], around: &str, all: &mut Vec<Named>) {
    for symbol in symbols {
        let name = if around.is_empty() { symbol.name.clone() } else { format!("{around}.{}", symbol.name) };
        all.push(Named { name: name.clone(), selection: symbol.selection, range: symbol.range });
        flatten(&symbol.children, &name, all);
    }
}

impl Named {
    /// Where to ask about it.
    pub fn position(&self) -> Position {
        self.selection.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_picks_one_of_several() {
        assert_eq!(ordinal("new[2]"), ("new", Some(2)));
        assert_eq!(ordinal("new"), ("new", None));
        assert_eq!(ordinal("a[x]"), ("a[x]", None));
    }
}
