//! Symbols of one file by their path of names.

use std::path::Path;

use bowline_code::{Position, Span, Symbol, SymbolKind};
use bowline_syntax::{Language, Parsed};

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
    pub kind: SymbolKind,
    /// The trait that it is written for, where several `impl`s of one type may have the same name.
    pub of: Option<String>,
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
        match by_syntax {
            Ok(all) => {
                let found = pick_named(all, symbol_path);
                if !found.is_empty() || !self.speaks(path) {
                    return Ok(found);
                }
                // Outlines of servers hold more than ours: parameters, what macros make.
                match self.outlined(path, patience).await {
                    Ok(all) => Ok(pick_named(all, symbol_path)),
                    Err(WorkspaceError::Cancelled) => Err(WorkspaceError::Cancelled),
                    Err(_) => Ok(found),
                }
            }
            // No grammar reads it; a server may.
            Err(WorkspaceError::UnknownLanguage { .. }) => {
                Ok(pick_named(self.outlined(path, patience).await?, symbol_path))
            }
            Err(error) => Err(error),
        }
    }

    /// Every symbol that the outline of a file shows.
    async fn outlined(&self, path: &Path, patience: &Patience<'_>) -> Result<Vec<Named>, WorkspaceError> {
        let outline = self.outline(path, patience).await?;
        let mut all = Vec::new();
        flatten(&outline.value.symbols, "", &mut all);
        Ok(all)
    }
}

/// Every symbol of a text.
pub(crate) fn all_named(parsed: &Parsed) -> Vec<Named> {
    let traits = implementations(parsed);
    let named = parsed.flat_symbols().into_iter().map(|symbol| {
        let name = [symbol.container.as_str(), symbol.name.as_str()];
        let name = name.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        let of = traits
            .iter()
            .find(|(range, _)| range.start <= symbol.selection.start && symbol.selection.end <= range.end)
            .map(|(_, of)| of.clone());
        Named { name, selection: symbol.selection, range: symbol.range, kind: symbol.kind, of }
    });
    named.collect()
}

/// Where the implementations of traits are, and of which.
fn implementations(parsed: &Parsed) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut open = if parsed.language() == Language::Rust { parsed.symbols() } else { Vec::new() };
    while let Some(symbol) = open.pop() {
        let of = symbol.name.strip_prefix("impl ").and_then(|head| head.split_once(" for "));
        if let Some((of, _)) = of.filter(|_| symbol.kind == SymbolKind::Object) {
            found.push((symbol.range, without_arguments(of)));
        }
        open.extend(symbol.children);
    }
    found
}

/// Those that a path of names means.
fn pick_named(all: Vec<Named>, symbol_path: &str) -> Vec<Named> {
    pick_numbered(all, symbol_path).into_iter().map(|(_, named)| named).collect()
}

/// Those that a path of names means, each with the number that picks it.
pub(crate) fn pick_numbered(all: Vec<Named>, symbol_path: &str) -> Vec<(usize, Named)> {
    let (written, ordinal) = ordinal(symbol_path);
    let (written, of) = implemented(written);
    let wanted: Vec<String> = segments(&written).iter().map(|name| without_arguments(name)).collect();
    let fits = |named: &Named| {
        let names = segments(&named.name);
        !wanted.is_empty()
            && names.ends_with(&wanted)
            && of.as_ref().is_none_or(|of| named.of.as_ref() == Some(of))
    };
    let found: Vec<(usize, Named)> = all.into_iter().filter(fits).enumerate().collect();
    if let Some(index) = ordinal {
        return found.into_iter().filter(|(number, _)| *number == index).collect();
    }
    // `total` means the function of that name rather than those inside others.
    let is_outermost = |named: &Named| segments(&named.name).len() == wanted.len();
    let any_outermost = found.iter().any(|(_, named)| is_outermost(named));
    // And `Shop` means the class rather than its constructor.
    let names: Vec<String> = found.iter().map(|(_, named)| format!("{}.", named.name)).collect();
    let is_inside = |named: &Named| names.iter().any(|around| named.name.starts_with(around));
    let meant = |named: &Named| if any_outermost { is_outermost(named) } else { !is_inside(named) };
    found.into_iter().filter(|(_, named)| meant(named)).collect()
}

/// `<T as Trait>::name` as `T::name` and the trait.
fn implemented(path: &str) -> (String, Option<String>) {
    let parts = path.trim().strip_prefix('<').and_then(|path| {
        let (of, name) = path.rsplit_once(">::")?;
        let (implementing, implemented) = of.split_once(" as ")?;
        Some((format!("{}::{name}", implementing.trim()), without_arguments(implemented.trim())))
    });
    match parts {
        Some((path, of)) => (path, Some(of)),
        None => (path.to_owned(), None),
    }
}

/// `Stack` of `Stack<T>` and `Stack[T]`.
fn without_arguments(name: &str) -> String {
    let end = name.char_indices().find(|(at, c)| *at > 0 && matches!(c, '<' | '[')).map(|(at, _)| at);
    name.get(..end.unwrap_or(name.len())).unwrap_or(name).trim().to_owned()
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
        all.push(Named {
            name: name.clone(),
            selection: symbol.selection,
            range: symbol.range,
            kind: symbol.kind,
            of: None,
        });
        flatten(&symbol.children, &name, all);
    }
}

impl Named {
    /// Where to ask about it.
    pub fn position(&self) -> Position {
        self.selection.start
    }

    /// A path that means it, as far as names can tell.
    pub(crate) fn path(&self) -> String {
        match (&self.of, self.name.rsplit_once('.')) {
            (Some(of), Some((around, name))) => format!("<{around} as {of}>::{name}"),
            _ => self.name.clone(),
        }
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
