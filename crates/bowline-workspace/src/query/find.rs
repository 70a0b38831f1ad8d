//! Symbols by name.

use std::path::Path;

use bowline_syntax::Language;

use super::{Definition, Found, SymbolHit, Symbols};
use crate::{Patience, SymbolRow, Workspace, WorkspaceError};

impl Workspace {
    /// Symbols whose name holds the query, best first, one page of them.
    pub async fn find_symbols(
        &self,
        query: &str,
        limit: usize,
        offset: usize,
        patience: &Patience<'_>,
    ) -> Result<Found<Symbols>, WorkspaceError> {
        let query = query.to_owned();
        let ((rows, total), indexed) =
            self.ask(patience, move |store| store.search(&query, limit, offset)).await?;
        let hits =
            rows.into_iter().map(|(path, language, symbol)| SymbolHit { path, language, symbol }).collect();
        Ok(Found::by_syntax(Symbols { hits, total }, indexed))
    }

    /// The definitions that a path of names means: `name`, `Type.method`, `module::Type::method`. Empty when there
    /// are none; never something of another name.
    pub async fn go_to_symbol(
        &self,
        symbol_path: &str,
        language: Option<&str>,
        patience: &Patience<'_>,
    ) -> Result<Found<Vec<Definition>>, WorkspaceError> {
        let language = match language {
            None => None,
            Some(id) => Some(
                Language::from_id(id)
                    .ok_or_else(|| WorkspaceError::UnknownLanguageId { id: id.to_owned() })?,
            ),
        };
        let segments = segments(symbol_path);
        let Some((name, qualifiers)) = segments.split_last() else {
            return Ok(Found::by_syntax(Vec::new(), true));
        };
        let name = name.clone();
        let (rows, indexed) = self.ask(patience, move |store| store.named(&name)).await?;
        let speaks = |row: &SymbolRow| {
            let of_row = Language::of_path(&row.0);
            language.is_none_or(|language| of_row.is_some_and(|other| language.same_names(other)))
        };
        let definitions = rows
            .into_iter()
            .filter(|row| speaks(row) && qualifies(&row.0, &row.2.container, qualifiers))
            .map(Definition::from)
            .collect();
        Ok(Found::by_syntax(definitions, indexed))
    }
}

/// The names of a path, however the language joins them. `(*T).M()` is Go for `T.M`.
fn segments(path: &str) -> Vec<String> {
    let mut segments: Vec<String> = path
        .split(['.', ':', '\\', '#', '/'])
        .map(|segment| segment.trim_matches(|c: char| "()*&".contains(c) || c.is_whitespace()))
        .filter(|segment| !segment.is_empty())
        .map(str::to_owned)
        .collect();
    // Where the names begin, not names.
    let starts = segments.iter().take_while(|segment| matches!(segment.as_str(), "crate" | "self" | "super"));
    segments.drain(..starts.count());
    segments
}

/// Whether the names around a symbol end with the qualifiers. The outermost may be its file and directories,
/// which are modules in most languages.
fn qualifies(path: &Path, container: &str, qualifiers: &[String]) -> bool {
    let inside: Vec<&str> = container.split('.').filter(|segment| !segment.is_empty()).collect();
    let qualifiers: Vec<&str> = qualifiers.iter().map(String::as_str).collect();
    if qualifiers.len() <= inside.len() {
        return inside.ends_with(&qualifiers);
    }
    let (outer, inner) = qualifiers.split_at(qualifiers.len() - inside.len());
    if inner != inside {
        return false;
    }
    let directories: Vec<&str> = path
        .parent()
        .into_iter()
        .flat_map(Path::components)
        .filter_map(|part| part.as_os_str().to_str())
        .collect();
    let mut modules = directories.clone();
    modules.extend(path.file_stem().and_then(|stem| stem.to_str()));
    directories.ends_with(outer) || modules.ends_with(outer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_paths_apart_as_languages_write_them() {
        for path in ["a.b.C", "a::b::C", "crate::a::b::C", r"\a\b\C", "a/b#C", "(*a).b.C()"] {
            assert_eq!(segments(path), ["a", "b", "C"], "{path}");
        }
        assert_eq!(segments(" . "), [""; 0]);
    }

    #[test]
    fn outer_qualifiers_may_be_modules() {
        let fits = |container, qualifiers: &str| {
            qualifies(Path::new("/w/shop/cart.rs"), container, &segments(qualifiers))
        };
        assert!(fits("Cart", "Cart") && fits("Cart", "cart::Cart") && fits("Cart", "shop.cart.Cart"));
        assert!(fits("", "shop") && fits("", "cart") && fits("Cart", "shop.Cart"));
        assert!(!fits("Cart", "Basket") && !fits("Cart", "art") && !fits("", "Cart"));
    }
}
