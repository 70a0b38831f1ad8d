//! Which symbol a path of names means.

use std::path::Path;

use bowline_syntax::{Language, Parsed};

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
    let mut found = match operator_at(symbol).filter(|_| parsed.language() == Language::Cpp) {
        Some(at) => as_written(&all, symbol, at),
        None => pick_numbered(all, symbol),
    };
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
            if found.iter().enumerate().any(|(index, (number, _))| index != *number) {
                places.push("where the numbers also count those inside of others".to_owned());
            }
            if times > found.len().min(10) {
                places.push(format!("and {} more", times - 10));
            }
            Err(DraftError::SymbolNotUnique { path, symbol, times, places: places.join(", ") })
        }
    }
}

/// Where the name of an operator begins in a path.
fn operator_at(symbol: &str) -> Option<usize> {
    let (word, is_part) = ("operator", |c: char| c.is_alphanumeric() || c == '_');
    let mut places = symbol.match_indices(word).map(|(at, _)| at);
    places.find(|at| {
        let (before, behind) = (symbol.get(..*at), symbol.get(at + word.len()..));
        !before.is_some_and(|text| text.ends_with(is_part))
            && !behind.is_some_and(|text| text.starts_with(is_part))
    })
}

/// The operators whose path ends with the one that is asked for. Their names are taken letter by letter: the brackets of
/// `operator[]` hold no number, and `operator<` has no arguments.
fn as_written(all: &[Named], symbol: &str, at: usize) -> Vec<(usize, Named)> {
    let (around, operator) = symbol.split_at_checked(at).unwrap_or(("", symbol));
    let mut depth = 0_usize;
    let mut path = String::new();
    for c in around.replace("::", ".").chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => path.push(c),
            _ => {}
        }
    }
    let named = |operator: &str| -> Vec<(usize, Named)> {
        let operator = operator.trim();
        let wanted = format!("{path}{operator}");
        let fits = |named: &&Named| {
            let name = named.name.as_str();
            // `operator bool()` is listed with its parentheses.
            let conversion = name.strip_suffix("()").filter(|_| operator.contains(' '));
            let around = name
                .strip_suffix(wanted.as_str())
                .or_else(|| conversion.and_then(|name| name.strip_suffix(wanted.as_str())));
            around.is_some_and(|around| around.is_empty() || around.ends_with('.'))
        };
        all.iter().filter(fits).cloned().enumerate().collect()
    };
    let numbered = operator.strip_suffix(']').and_then(|path| path.rsplit_once('['));
    match numbered.and_then(|(name, number)| Some((name, number.parse::<usize>().ok()?))) {
        Some((name, wanted)) => named(name).into_iter().filter(|(number, _)| *number == wanted).collect(),
        None => named(operator),
    }
}

#[cfg(test)]
mod tests {
    use bowline_syntax::parse;

    use super::*;

    const TEXT: &str = "\
struct Box { Box(); Box(int); int operator[](int i); int operator[](char c); };
namespace a { struct Box { Box(); int f(); }; int f(); }
namespace b { int f(int); }
";

    #[test]
    fn every_number_that_is_offered_means_the_one_that_it_says() {
        let parsed = parse(Language::Cpp, TEXT, &|| false).unwrap();
        let path = Path::new("a.cpp");
        let mut offered = 0;
        for symbol in ["Box", "f", "Box.Box", "Box::operator[]", "operator[]", "a.Box.f"] {
            let Err(DraftError::SymbolNotUnique { places, .. }) = pick(path, &parsed, symbol, false) else {
                continue;
            };
            for place in places.split(", ").filter(|place| place.starts_with('`')) {
                let (name, rest) = place[1..].split_once("` (line ").unwrap();
                let (line, full) = rest.trim_end_matches(')').split_once(": ").unwrap();
                let named = pick(path, &parsed, name, false).unwrap();
                assert_eq!(
                    (named.selection.start.line.to_string().as_str(), named.path().as_str()),
                    (line, full)
                );
                offered += 1;
            }
        }
        assert!(offered >= 8, "{offered}");
    }
}
