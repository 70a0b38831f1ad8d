//! The first walk: which symbols a text declares, and which words it is written with.

use std::{collections::HashSet, ops::Range};

use bowline_code::{LineTable, SymbolKind};
use tree_sitter::{Node, Tree};

use crate::{
    compiled::{Compiled, CompiledSymbol},
    detail::{head, one_line},
    grammar::{Kind, NameAt, Named, Nests, ScopeKind},
    positions::Positions,
    scopes::{name_bytes, name_text},
    site::{Site, SymbolSite, is_type, text_of},
    walk::{FieldId, Place, Visitor, walk},
    word::{names_in, word_hash},
};

/// Symbols nest no deeper than this, so that nothing done to their tree can exhaust the stack. What is written
/// deeper belongs to the innermost that counts.
const DEEPEST: u8 = 64;
/// Names of one declaration beyond this many are not listed: nobody wrote them.
const MOST_NAMES: usize = 1000;

pub(crate) struct Outline {
    /// In the order of the text; each after the one it is inside.
    pub(crate) symbols: Vec<Found>,
    /// Of all ranges and selections of the symbols.
    pub(crate) positions: Positions,
    /// Sorted, without duplicates.
    pub(crate) words: Vec<u32>,
}

pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) kind: SymbolKind,
    pub(crate) range: Range<usize>,
    pub(crate) selection: Range<usize>,
    /// Where its head ends and its body begins.
    pub(crate) head_end: usize,
    pub(crate) parent: Option<usize>,
    /// The container that the declaration names by itself.
    pub(crate) owner: Option<String>,
    /// It is shown in the tree, but is no symbol: its children belong to `owner`.
    pub(crate) stand_in: bool,
    rest: bool,
    depth: u8,
}

impl Found {
    /// What is shown beside the name.
    pub(crate) fn detail(&self, text: &str) -> Option<String> {
        let whole = text.get(self.range.start..self.head_end).unwrap_or_default();
        // A type whose grammar has no field for its body ends its head at the brace.
        let is_block = matches!(self.kind, SymbolKind::Struct | SymbolKind::Interface);
        let whole = if is_block { whole.split('{').next().unwrap_or(whole) } else { whole };
        let detail = head(whole);
        (!detail.is_empty() && detail != self.name).then_some(detail)
    }
}

pub(crate) fn outline(compiled: &Compiled, tree: &Tree, text: &str, lines: &LineTable) -> Outline {
    let mut walker = Walker { compiled, text, symbols: Vec::new(), words: Vec::new(), seen: HashSet::new() };
    walk(tree.walk(), State { open: None, in_function: false, group: None }, &mut walker);
    let Walker { symbols, mut words, .. } = walker;
    words.sort_unstable();
    words.dedup();
    let ends =
        |found: &Found| [found.range.start, found.range.end, found.selection.start, found.selection.end];
    let positions = Positions::new(lines, text, symbols.iter().flat_map(ends).collect());
    Outline { symbols, positions, words }
}

struct Walker<'a> {
    compiled: &'a Compiled,
    text: &'a str,
    symbols: Vec<Found>,
    words: Vec<u32>,
    /// What each container has, where that decides about another symbol.
    seen: HashSet<(Option<usize>, String)>,
}

#[derive(Clone, Copy)]
struct State {
    /// The symbol around.
    open: Option<usize>,
    in_function: bool,
    /// The declaration around, if its only item is yet to come.
    group: Option<(usize, usize)>,
}

impl<'t> Visitor<'t> for Walker<'_> {
    type State = State;

    fn enter(&mut self, place: &Place<'_, 't>, above: &mut State) -> Option<State> {
        let node = place.node;
        let row = self.compiled.row(node.kind_id());
        if row.token {
            self.words.push(word_hash(name_text(self.text, node)));
            return None;
        }
        if row.raw {
            let raw = text_of(self.text, node);
            self.words.extend(names_in(raw).map(|bytes| word_hash(&raw[bytes])));
            return None;
        }
        let mut state = State { group: None, ..*above };
        if let Some(symbol) = &row.symbol
            && !(symbol.rule.not_local && above.in_function)
        {
            let site = Site { parents: place.parents, node, text: self.text };
            state.open = self.declare(symbol, &site, above);
        }
        if let Some(scope) = row.scope {
            state.in_function = match scope.kind {
                ScopeKind::Function => true,
                ScopeKind::Block => state.in_function,
                ScopeKind::Open | ScopeKind::Members | ScopeKind::HiddenMembers => false,
            };
        }
        if !row.items.is_empty() && only_child(node, &row.items) {
            state.group = above.group.or_else(|| Some((self.start(node), node.end_byte())));
        }
        Some(state)
    }
}

impl Walker<'_> {
    /// Records the symbols of one declaration and answers which symbol is around its children.
    fn declare(&mut self, symbol: &CompiledSymbol, site: &Site<'_, '_>, above: &mut State) -> Option<usize> {
        let rule = &symbol.rule;
        let rest = rule.rest && site.field("body").is_none();
        let mut parent = above.open;
        if rest
            && let Some(before) = parent
            && self.symbols[before].rest
        {
            self.symbols[before].range.end = site.node.start_byte();
            parent = self.symbols[before].parent;
        }
        if rule.lifted
            && let Some(callable) = parent
            && self.symbols[callable].kind.is_callable()
        {
            parent = self.symbols[callable].parent;
        }
        let nests = match rule.nests {
            Nests::Never => false,
            Nests::Always => true,
            Nests::When(test) => test(site),
        };
        let mut nested = above.open;
        for named in self.names(symbol, site) {
            let Some((name, kind)) = self.kind_of(symbol, site, &named, parent, above.in_function) else {
                continue;
            };
            let is_first = !self.compiled.once || self.seen.insert((parent, name.clone()));
            if rule.once && !is_first {
                continue;
            }
            let index = self.symbols.len();
            let node = named.whole.unwrap_or(site.node);
            let (start, end) = above.group.unwrap_or((self.start(node), node.end_byte()));
            let end = match (rest, site.above(1)) {
                (true, Some(around)) => around.end_byte(),
                _ => end,
            };
            // Some grammars end a declaration behind its line.
            let end = self.text.get(start..end).map_or(end, |text| start + text.trim_end().len());
            let depth = parent.map_or(0, |parent| self.symbols[parent].depth + 1);
            self.symbols.push(Found {
                name,
                kind,
                range: start..end,
                selection: name_bytes(self.text, named.node),
                head_end: self.head_end(node, kind).min(end),
                parent,
                owner: named.owner.or_else(|| rule.owner.and_then(|owner| owner(site))),
                stand_in: rule.stands_for.is_some(),
                rest,
                depth,
            });
            if nests && depth + 1 < DEEPEST {
                nested = Some(index);
                if rest {
                    above.open = nested;
                }
            }
        }
        nested
    }

    fn kind_of(
        &self,
        symbol: &CompiledSymbol,
        site: &Site<'_, '_>,
        named: &Named<'_>,
        parent: Option<usize>,
        in_function: bool,
    ) -> Option<(String, SymbolKind)> {
        let name = match symbol.rule.stands_for {
            Some(shown) => shown(site),
            None => one_line(name_text(self.text, named.node).trim_matches(['"', '\''])),
        };
        let enclosing = parent.map(|parent| self.symbols[parent].kind);
        let callable = named.callable;
        let owner = named.owner.as_deref();
        let asked = SymbolSite { site: *site, name: &name, callable, owner, enclosing, in_function };
        let kind = match symbol.rule.kind {
            Kind::Is(kind) => kind,
            Kind::Callable if !enclosing.is_some_and(is_type) => SymbolKind::Function,
            Kind::Callable if self.compiled.constructors.contains(&name.as_str()) => SymbolKind::Constructor,
            Kind::Callable => SymbolKind::Method,
            Kind::Ask(ask) => ask(&asked)?,
        };
        (!name.is_empty()).then_some((name, kind))
    }

    fn names<'t>(&self, symbol: &CompiledSymbol, site: &Site<'_, 't>) -> Vec<Named<'t>> {
        let node = site.node;
        let by_field = |field: FieldId| {
            let mut cursor = node.walk();
            node.children_by_field_id(field, &mut cursor).take(MOST_NAMES).collect::<Vec<_>>()
        };
        match (symbol.rule.name, symbol.field) {
            (NameAt::Ask(ask), _) => ask(site),
            (NameAt::Child(_), _) => {
                let mut cursor = node.walk();
                let found = node.children(&mut cursor).find(|child| child.kind_id() == symbol.kind);
                found.map(Named::plain).into_iter().collect()
            }
            (NameAt::Whole(_), Some(field)) => by_field(field).into_iter().map(Named::plain).collect(),
            // One name is by far the usual case.
            (NameAt::Field(_), Some(field)) => {
                by_field(field).into_iter().filter(Node::is_named).map(|child| self.last(child)).collect()
            }
            (NameAt::Pattern(_), Some(field)) => {
                by_field(field).into_iter().flat_map(|child| self.pattern_names(child)).collect()
            }
            (_, None) => Vec::new(),
        }
    }

    /// The last name of a path; anything else as it is written.
    fn last<'t>(&self, node: Node<'t>) -> Named<'t> {
        match self.compiled.last_name(node) {
            Some((name, before)) => {
                let owner = before.map(|before| one_line(text_of(self.text, before)));
                Named { owner, ..Named::plain(name) }
            }
            None => Named::plain(node),
        }
    }

    fn pattern_names<'t>(&self, pattern: Node<'t>) -> Vec<Named<'t>> {
        let mut names = PatternNames { compiled: self.compiled, found: Vec::new() };
        walk(pattern.walk(), (), &mut names);
        names.found
    }

    /// The declaration's beginning, attributes left out.
    fn start(&self, node: Node<'_>) -> usize {
        if !self.compiled.decorated {
            return node.start_byte();
        }
        let mut cursor = node.walk();
        // Attributes may be wrapped together with modifiers, one level deep.
        while cursor.goto_first_child() {
            while self.compiled.row(cursor.node().kind_id()).decoration || cursor.node().is_extra() {
                let moved =
                    cursor.goto_next_sibling() || (cursor.goto_parent() && cursor.goto_next_sibling());
                if !moved {
                    return node.start_byte();
                }
            }
            if !self.compiled.row(cursor.node().kind_id()).modifiers {
                return cursor.node().start_byte();
            }
        }
        node.start_byte()
    }

    fn head_end(&self, node: Node<'_>, kind: SymbolKind) -> usize {
        if kind == SymbolKind::EnumMember {
            return node.end_byte();
        }
        let body = |node: Node<'_>| {
            self.compiled
                .body
                .iter()
                .find_map(|field| node.child_by_field_id(field.get()))
                .map(|body| body.start_byte())
        };
        let value = || self.compiled.value.iter().find_map(|field| node.child_by_field_id(field.get()));
        body(node).or_else(|| value().and_then(body)).unwrap_or(node.end_byte())
    }
}

/// Exactly one child of these kinds. Looks no further than needed.
fn only_child(node: Node<'_>, kinds: &[u16]) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).filter(|child| kinds.contains(&child.kind_id())).take(2).count() == 1
}

/// Collects the names that a pattern binds.
struct PatternNames<'a, 't> {
    compiled: &'a Compiled,
    found: Vec<Named<'t>>,
}

impl<'t> Visitor<'t> for PatternNames<'_, 't> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        let row = self.compiled.row(place.node.kind_id());
        if let Some(parent) = place.parents.last()
            && self.compiled.row(parent.kind_id()).leaves_pattern(place.field)
        {
            return None;
        }
        if row.token && self.found.len() < MOST_NAMES {
            self.found.push(Named::plain(place.node));
        }
        (row.pattern && !row.token).then_some(())
    }
}
