//! Constants whose values follow from those before them: `iota` in Go, enumerators in C and C++.

use bowline_code::SymbolKind;

use super::{Difference, Surface, SurfaceChanges, key};
use crate::Language;

/// A constant differs with the ones before it in its group, although nothing is written of it.
pub(super) fn mark_followers(old: &Surface<'_>, new: &Surface<'_>, changes: &mut SurfaceChanges) {
    let around = match old.parsed.language() {
        Language::Go => "const_declaration",
        Language::C | Language::Cpp => "enumerator_list",
        _ => return,
    };
    let news = groups(new, around);
    for was in groups(old, around) {
        let keys: Vec<String> = was.iter().map(|index| key(old.found, *index)).collect();
        let shares = |group: &&Vec<usize>| group.iter().any(|index| keys.contains(&key(new.found, *index)));
        let Some(is) = news.iter().find(shares) else { continue };
        let same =
            was.iter().zip(is).take_while(|(was, is)| written(old, **was) == written(new, **is)).count();
        for index in &was[same..] {
            let own = key(old.found, *index);
            if let Some(there) = is.iter().find(|there| key(new.found, **there) == own) {
                changes.mark((old, *index), (new, *there), Difference::Declared);
            }
        }
    }
}

/// The constants of a text in their order, by the statement around them.
fn groups(surface: &Surface<'_>, around: &str) -> Vec<Vec<usize>> {
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    for index in &surface.seen {
        let symbol = &surface.found[*index];
        if !matches!(symbol.kind, SymbolKind::Constant | SymbolKind::EnumMember) {
            continue;
        }
        let root = surface.parsed.root();
        let mut node = root.descendant_for_byte_range(symbol.selection.start, symbol.selection.end);
        while let Some(inner) = node.filter(|node| node.kind() != around) {
            node = inner.parent();
        }
        let Some(start) = node.map(|node| node.start_byte()) else { continue };
        match found.last_mut().filter(|(at, _)| *at == start) {
            Some((_, group)) => group.push(*index),
            None => found.push((start, vec![*index])),
        }
    }
    found.into_iter().map(|(_, group)| group).filter(|group| group.len() > 1).collect()
}

fn written(surface: &Surface<'_>, index: usize) -> Vec<String> {
    let name = &surface.found[index].name;
    let tokens = surface.by_symbol[index].iter().filter(|token| !token.text.is_empty() && token.text != ",");
    std::iter::once(name.clone()).chain(tokens.map(|token| token.text.to_owned())).collect()
}
