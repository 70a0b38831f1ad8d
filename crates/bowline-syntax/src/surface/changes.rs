//! Which declarations of a file differ between two texts, and whether others see it directly or only through what is
//! inferred; and in which declaration a name is mentioned.

mod attributes;
mod bindings;
mod groups;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bowline_code::{Encoding, Position, SymbolKind};

use super::bodies::words;
use super::{Bodies, Token, Writer};
use crate::outline::Found;
use crate::{Language, Parsed};

/// How a declaration differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// It says the same of itself, and what its type is inferred from is different.
    Inferred,
    /// What it says of itself is different.
    Declared,
    Added,
    Removed,
}

/// A declaration that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    pub name: String,
    pub kind: SymbolKind,
    pub difference: Difference,
    /// Where its name stands in the text before. `None`: it is not there.
    pub before: Option<Position>,
    pub after: Option<Position>,
    /// The type that it is a member of.
    pub owner: Option<Owner>,
    /// A member that need not be given, or a type that fits by its members: words of its declaration say so.
    pub words: BTreeSet<&'static str>,
}

/// The type around a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    pub name: String,
    pub kind: SymbolKind,
    pub before: Option<Position>,
    pub after: Option<Position>,
    pub words: BTreeSet<&'static str>,
}

/// Everything that others can see of the difference between two texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SurfaceChanges {
    pub symbols: Vec<Changed>,
    /// Something outside of every declaration differs: other files may depend on it in ways that no name tells.
    pub other: bool,
    /// Imported names that come from elsewhere now, or are not imported any more, with their positions before. Other
    /// files may import them from here.
    pub rebound: Vec<(String, Position)>,
    /// It declares something for a module or a scope that is not its own: `declare module 'x'`, `declare global`.
    pub augments: bool,
    /// A declaration mentions something of the module, of another, or of an object that it did not mention before: it may
    /// have a type of the same name from elsewhere now.
    pub names_more: bool,
}

/// How a declaration mentions a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// In what it says of itself.
    Declared,
    /// In what its type is inferred from.
    Inferred,
}

/// Where a name is mentioned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mentioned {
    /// In a body that no other file can see into, or in an import.
    Hidden,
    /// In declarations: several that share one statement, such as `a, b = f()`.
    By(Vec<Mention>),
    /// Outside of every declaration, where other files can see it: `export default wrap(f)`.
    Loose,
}

/// The declaration that mentions a name where others can see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub name: String,
    pub kind: SymbolKind,
    pub at: Position,
    pub part: Part,
    /// The type that it is a member of.
    pub holder: Option<Holder>,
}

/// A type whose member mentions a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub name: String,
    pub kind: SymbolKind,
    pub at: Position,
    pub words: BTreeSet<&'static str>,
    /// The member is a part of it, and not behind a pointer, in a slice, or a function.
    pub by_value: bool,
}

/// Words that decide how far a change of a type reaches.
const TELLING: [&str; 15] = [
    "?",
    "Protocol",
    "TypedDict",
    "NamedTuple",
    "Enum",
    "IntEnum",
    "StrEnum",
    "Flag",
    "IntFlag",
    "Choices",
    "TextChoices",
    "IntegerChoices",
    "[",
    "func",
    "abstractmethod",
];

/// The declarations that differ between two texts of the file of this name.
pub fn surface_changes(path: &Path, before: &Parsed, after: &Parsed) -> SurfaceChanges {
    let (old, new) = (Surface::of(path, before), Surface::of(path, after));
    let mut changes = SurfaceChanges::default();
    let keys: BTreeSet<&String> = old.symbols.keys().chain(new.symbols.keys()).collect();
    let nothing = Vec::new();
    for key in keys {
        let (was, is) = (old.symbols.get(key).unwrap_or(&nothing), new.symbols.get(key).unwrap_or(&nothing));
        for index in 0..was.len().max(is.len()) {
            let (was, is) = (was.get(index).copied(), is.get(index).copied());
            let Some(difference) = difference(&old, was, &new, is) else { continue };
            changes.symbols.extend(changed(&old, was, &new, is, difference));
            changes.names_more |= was.zip(is).is_some_and(|(was, is)| names_more(&old, was, &new, is));
        }
    }
    changes.other |= old.rest != new.rest;
    changes.other |= changes.symbols.iter().any(|changed| changed.name == "__all__");
    changes.augments = augmentations(before) != augmentations(after);
    if old.imports != new.imports {
        bindings::mark_users(&old, &new, &mut changes);
    }
    groups::mark_followers(&old, &new, &mut changes);
    attributes::mark_assigned(&old, &new, &mut changes);
    changes
}

/// Whether a declaration mentions names of others that it did not mention before. Parameters and variables of its own are
/// no such names.
fn names_more(old: &Surface<'_>, was: usize, new: &Surface<'_>, is: usize) -> bool {
    let before: BTreeSet<&str> = old.by_symbol[was].iter().flat_map(|token| words(token.text)).collect();
    let imported: BTreeSet<&str> = bindings::bindings(new).into_iter().map(|binding| binding.name).collect();
    let is_declared = |word: &str| new.symbols.contains_key(word);
    let mut is_member = false;
    new.by_symbol[is].iter().filter(|token| !token.text.is_empty()).any(|token| {
        let after_dot = std::mem::replace(&mut is_member, matches!(token.text, "." | "?." | "->"));
        let is_new = |word: &str| {
            !before.contains(word)
                && (after_dot || token.leak || imported.contains(word) || is_declared(word))
        };
        words(token.text).any(is_new)
    })
}

/// A declaration of one or both texts, as one that differs.
fn changed(
    old: &Surface<'_>,
    was: Option<usize>,
    new: &Surface<'_>,
    is: Option<usize>,
    difference: Difference,
) -> Option<Changed> {
    let found = is.map(|it| &new.found[it]).or(was.map(|it| &old.found[it]))?;
    let mut words = was.map(|it| old.words(it)).unwrap_or_default();
    words.extend(is.map(|it| new.words(it)).unwrap_or_default());
    Some(Changed {
        name: found.name.clone(),
        kind: found.kind,
        difference,
        before: was.map(|it| old.position(old.found[it].selection.start)),
        after: is.map(|it| new.position(new.found[it].selection.start)),
        owner: owner(old, was, new, is),
        words,
    })
}

impl SurfaceChanges {
    /// Adds a declaration of both texts, or what is known of it differs at least so much.
    fn mark(
        &mut self,
        (old, was): (&Surface<'_>, usize),
        (new, is): (&Surface<'_>, usize),
        difference: Difference,
    ) {
        let Some(added) = changed(old, Some(was), new, Some(is), difference) else { return };
        match self.symbols.iter_mut().find(|known| known.before == added.before && known.name == added.name) {
            Some(known) => known.difference = known.difference.max(difference),
            None => self.symbols.push(added),
        }
    }
}

/// Where the names at these positions are mentioned.
pub fn mentions_at(path: &Path, parsed: &Parsed, ats: &[Position]) -> Vec<Mentioned> {
    let surface = Surface::of(path, parsed);
    let find = |at: &Position| {
        let offset = parsed.lines().offset(parsed.text(), *at, Encoding::Utf16).ok()?;
        let covers = |(token, _): &&(Token<'_>, Option<usize>)| {
            token.start <= offset && offset < token.start + token.text.len()
        };
        let (token, symbol) = surface.tokens.iter().find(covers)?;
        let Some(symbol) = symbol else {
            let is_hidden = token.import.is_some() || token.leak;
            return Some(if is_hidden { Mentioned::Hidden } else { Mentioned::Loose });
        };
        let part = if token.inferred { Part::Inferred } else { Part::Declared };
        let mention = |symbol: &usize| {
            let found = &surface.found[*symbol];
            let at = surface.position(found.selection.start);
            Mention { name: found.name.clone(), kind: found.kind, at, part, holder: surface.holder(*symbol) }
        };
        Some(Mentioned::By(surface.together(*symbol).map(mention).collect()))
    };
    ats.iter().map(|at| find(at).unwrap_or(Mentioned::Hidden)).collect()
}

/// What others can see of one text, by declaration.
struct Surface<'a> {
    parsed: &'a Parsed,
    found: &'a [Found],
    tokens: Vec<(Token<'a>, Option<usize>)>,
    /// By their names and those around them.
    symbols: BTreeMap<String, Vec<usize>>,
    by_symbol: Vec<Vec<Token<'a>>>,
    rest: Vec<Token<'a>>,
    imports: Vec<Token<'a>>,
    /// Those that others can see by themselves, by the place where they begin.
    seen: Vec<usize>,
}

impl<'a> Surface<'a> {
    fn of(path: &Path, parsed: &'a Parsed) -> Self {
        let found = &parsed.outline().symbols;
        let is_seen = |index: &usize| is_surface(found, *index);
        let mut seen: Vec<usize> = (0..found.len()).filter(is_seen).collect();
        // The innermost around a token is the last that begins before it and does not end before it.
        seen.sort_by_key(|index| (found[*index].range.start, std::cmp::Reverse(found[*index].range.end)));
        let around = |at: usize| {
            let until = seen.partition_point(|index| found[*index].range.start <= at);
            seen[..until].iter().rev().copied().find(|index| found[*index].range.contains(&at))
        };
        let mut surface = Self {
            parsed,
            found,
            tokens: Vec::new(),
            symbols: BTreeMap::new(),
            by_symbol: vec![Vec::new(); found.len()],
            rest: Vec::new(),
            imports: Vec::new(),
            seen: seen.clone(),
        };
        for token in Writer::write(path, parsed, Bodies::LeftOut) {
            let symbol = if token.import.is_some() { None } else { around(token.anchor) };
            surface.tokens.push((token, symbol));
            match symbol {
                Some(symbol) => {
                    let all: Vec<usize> = surface.together(symbol).copied().collect();
                    all.into_iter().for_each(|symbol| surface.by_symbol[symbol].push(token));
                }
                None if token.import.is_some() => surface.imports.push(token),
                // Punctuation and keywords between declarations come and go with them.
                None if token.text.is_empty() => {}
                None => surface.rest.push(token),
            }
        }
        for index in seen {
            surface.symbols.entry(key(found, index)).or_default().push(index);
        }
        surface
    }

    /// The declarations that share the statement of this one: `X, Y int`.
    fn together(&self, symbol: usize) -> impl Iterator<Item = &usize> {
        let range = &self.found[symbol].range;
        let from = self.seen.partition_point(|index| self.found[*index].range.start < range.start);
        let same =
            self.seen[from..].iter().take_while(|index| self.found[**index].range.start == range.start);
        same.filter(|index| self.found[**index].range == *range)
    }

    fn position(&self, offset: usize) -> Position {
        self.parsed.lines().position(self.parsed.text(), offset, Encoding::Utf16)
    }

    fn words(&self, index: usize) -> BTreeSet<&'static str> {
        let has =
            |word: &&str| self.by_symbol[index].iter().any(|token| token.text == *word && !token.inferred);
        TELLING.into_iter().filter(has).collect()
    }

    /// The type that a member stands in.
    fn holder(&self, index: usize) -> Option<Holder> {
        let parent = self.found[index].parent?;
        let around = &self.found[parent];
        let texts: Vec<&str> =
            self.by_symbol[index].iter().map(|token| token.text).filter(|text| !text.is_empty()).collect();
        let is_slice = texts.windows(2).any(|two| two == ["[", "]"]);
        let is_away = texts.iter().any(|text| matches!(*text, "*" | "&" | "map" | "func" | "chan"));
        Some(Holder {
            name: around.name.clone(),
            kind: around.kind,
            at: self.position(around.selection.start),
            words: self.words(parent),
            by_value: !is_slice && !is_away,
        })
    }

    fn owner(&self, index: usize) -> Option<(String, SymbolKind, usize, BTreeSet<&'static str>)> {
        let found = &self.found[index];
        if let Some(parent) = found.parent {
            let around = &self.found[parent];
            return Some((around.name.clone(), around.kind, around.selection.start, self.words(parent)));
        }
        // `func (t *T) m()` stands outside of its type, and names it.
        let owner = found.owner.as_deref()?;
        let head = self.parsed.text().get(found.range.start..found.selection.start)?;
        let at = found.range.start + head.rfind(owner)?;
        Some((owner.to_owned(), SymbolKind::Class, at, BTreeSet::new()))
    }
}

fn difference(
    old: &Surface<'_>,
    was: Option<usize>,
    new: &Surface<'_>,
    is: Option<usize>,
) -> Option<Difference> {
    let (was, is) = match (was, is) {
        (Some(was), Some(is)) => (was, is),
        (Some(_), None) => return Some(Difference::Removed),
        _ => return Some(Difference::Added),
    };
    let part = |surface: &Surface<'_>, index: usize, inferred: bool| -> Vec<(usize, u16, String)> {
        // What separates members comes and goes with them.
        let counts = |token: &&Token<'_>| token.inferred == inferred && !matches!(token.text, "," | ";");
        let tokens = surface.by_symbol[index].iter().filter(counts);
        tokens.map(|token| (token.depth, token.kind, token.text.to_owned())).collect()
    };
    if old.found[was].kind != new.found[is].kind || part(old, was, false) != part(new, is, false) {
        return Some(Difference::Declared);
    }
    (part(old, was, true) != part(new, is, true)).then_some(Difference::Inferred)
}

fn owner(old: &Surface<'_>, was: Option<usize>, new: &Surface<'_>, is: Option<usize>) -> Option<Owner> {
    let before = was.and_then(|it| old.owner(it));
    let after = is.and_then(|it| new.owner(it));
    let (name, kind, ..) = after.clone().or_else(|| before.clone())?;
    let mut words = before.as_ref().map(|it| it.3.clone()).unwrap_or_default();
    words.extend(after.as_ref().map(|it| it.3.clone()).unwrap_or_default());
    // A member that came or went has no type around it on one side, but its type may be there.
    let same = |these: &Surface<'_>, member: Option<usize>, those: &Surface<'_>| {
        let own = &these.found[member?];
        let key = match own.parent {
            Some(around) => key(these.found, around),
            None => own.owner.clone()?,
        };
        let index = *those.symbols.get(&key)?.first()?;
        Some(those.position(those.found[index].selection.start))
    };
    let before = before.map(|it| old.position(it.2)).or_else(|| same(new, is, old));
    let after = after.map(|it| new.position(it.2)).or_else(|| same(old, was, new));
    Some(Owner { name, kind, before, after, words })
}

/// What a file of TypeScript declares for modules and scopes that are not its own: `declare module 'x'`, `declare global`.
fn augmentations(parsed: &Parsed) -> Vec<&str> {
    let root = parsed.root();
    let all = (0..root.named_child_count()).filter_map(|index| root.named_child(index as u32));
    let is_augmenting = |node: &tree_sitter::Node<'_>| {
        if node.kind() != "ambient_declaration" {
            return false;
        }
        let children = (0..node.child_count()).filter_map(|index| node.child(index));
        let names_another = |child: &tree_sitter::Node<'_>| {
            child.child_by_field_name("name").is_some_and(|name| name.kind() == "string")
        };
        children.into_iter().any(|child| child.kind() == "global" || names_another(&child))
    };
    all.filter(is_augmenting).filter_map(|node| parsed.text().get(node.byte_range())).collect()
}

/// Whether others can see a symbol by itself: nothing around it is a function or a value.
fn is_surface(found: &[Found], index: usize) -> bool {
    let mut around = found[index].parent;
    while let Some(parent) = around {
        let is_container = found[parent].stand_in
            || matches!(
                found[parent].kind,
                SymbolKind::Class
                    | SymbolKind::Interface
                    | SymbolKind::Struct
                    | SymbolKind::Enum
                    | SymbolKind::Module
                    | SymbolKind::Namespace
                    | SymbolKind::Object
            );
        if !is_container {
            return false;
        }
        around = found[parent].parent;
    }
    !found[index].stand_in
}

fn key(found: &[Found], index: usize) -> String {
    let mut names = vec![found[index].name.as_str()];
    names.extend(found[index].owner.as_deref());
    let mut around = found[index].parent;
    while let Some(parent) = around {
        names.push(found[parent].owner.as_deref().unwrap_or(&found[parent].name));
        around = found[parent].parent;
    }
    names.reverse();
    names.join("\u{0}")
}

/// Whether hovers tell what a language infers, so that two of them can be compared.
pub fn hovers_tell_types(language: Language) -> bool {
    matches!(
        language,
        Language::Python | Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Go
    )
}

#[cfg(test)]
mod tests;
