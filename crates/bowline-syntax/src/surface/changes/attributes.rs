//! What functions assign outside of themselves: attributes of objects, globals, variables of a module. The type of what
//! is assigned is inferred from it, wherever that is declared.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use bowline_code::SymbolKind;
use tree_sitter::Node;

use super::{Changed, Difference, Owner, Surface, SurfaceChanges, key};
use crate::surface::assignments::{Variables, assigned_by, is_function, own_attributes};
use crate::surface::bodies::words;
use crate::walk::{Place, Visitor, walk};
use crate::{Language, Parsed};

/// Marks what is assigned in functions that differ, as far as the assignment may.
pub(super) fn mark_assigned(old: &Surface<'_>, new: &Surface<'_>, changes: &mut SurfaceChanges) {
    match old.parsed.language() {
        Language::Python | Language::TypeScript | Language::Tsx | Language::JavaScript => {}
        _ => return,
    }
    let (was, is) = (assigned(old.parsed), assigned(new.parsed));
    let targets: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    for target in targets {
        let (before, after) = (was.get(target), is.get(target));
        let written = |all: Option<&Assigned>| all.map(|all| all.written.clone());
        if written(before) == written(after) {
            continue;
        }
        let names = |all: Option<&Assigned>| -> BTreeSet<String> {
            let all = all.into_iter().flat_map(|all| &all.written);
            all.flat_map(|text| words(text)).map(str::to_owned).collect()
        };
        changes.names_more |= !names(after).is_subset(&names(before));
        let symbol = |surface: &Surface<'_>| surface.symbols.get(target).and_then(|all| all.first()).copied();
        if let (Some(there), Some(still)) = (symbol(old), symbol(new)) {
            // The server infers the type of what is assigned once from that, and can be asked there.
            let is_only = |all: Option<&Assigned>| all.is_some_and(|all| all.written.len() == 1);
            let is_inferred = is_only(before) && is_only(after) && target.contains('\u{0}');
            let difference = if is_inferred { Difference::Inferred } else { Difference::Declared };
            changes.mark((old, there), (new, still), difference);
            continue;
        }
        let Some(at) = before.map(|before| old.position(before.at)) else { continue };
        if changes.symbols.iter().any(|changed| changed.before == Some(at)) {
            continue;
        }
        let name = target.rsplit('\u{0}').next().unwrap_or(target).to_owned();
        changes.symbols.push(Changed {
            name,
            kind: SymbolKind::Property,
            difference: if after.is_some() { Difference::Declared } else { Difference::Removed },
            before: Some(at),
            after: after.map(|after| new.position(after.at)),
            owner: owner(old, new, target),
            words: Default::default(),
        });
    }
    mark_untyped_fields(old, new, changes);
}

/// The class that has an attribute.
fn owner(old: &Surface<'_>, new: &Surface<'_>, target: &str) -> Option<Owner> {
    let (class, _) = target.rsplit_once('\u{0}')?;
    let symbol = |surface: &Surface<'_>| surface.symbols.get(class).and_then(|all| all.first()).copied();
    let there = symbol(old)?;
    let found = &old.found[there];
    Some(Owner {
        name: found.name.clone(),
        kind: found.kind,
        before: Some(old.position(found.selection.start)),
        after: symbol(new).map(|it| new.position(new.found[it].selection.start)),
        words: old.words(there),
    })
}

/// Fields of scripts without a type and a value have the type of what the constructor assigns.
fn mark_untyped_fields(old: &Surface<'_>, new: &Surface<'_>, changes: &mut SurfaceChanges) {
    let is_constructor = |changed: &&Changed| changed.name == "constructor" && changed.owner.is_some();
    let owners: Vec<String> = changes
        .symbols
        .iter()
        .filter(is_constructor)
        .filter_map(|changed| changed.owner.as_ref().map(|owner| owner.name.clone()))
        .collect();
    for (key, indices) in &old.symbols {
        let Some(index) = indices.first() else { continue };
        let found = &old.found[*index];
        let is_field = matches!(found.kind, SymbolKind::Property | SymbolKind::Field);
        let is_owned = found.parent.is_some_and(|parent| owners.contains(&old.found[parent].name));
        let says_nothing = old.by_symbol[*index].iter().all(|token| token.text != ":" && !token.inferred);
        if let Some(still) = new.symbols.get(key).and_then(|all| all.first())
            && is_field
            && is_owned
            && says_nothing
        {
            changes.mark((old, *index), (new, *still), Difference::Declared);
        }
    }
}

/// The assignments to one thing.
struct Assigned {
    written: Vec<String>,
    /// Where its name stands in the first of them.
    at: usize,
}

/// Everything that functions assign outside of themselves, by the key that its symbol has.
fn assigned(parsed: &Parsed) -> BTreeMap<String, Assigned> {
    let is_variable = |symbol: &&crate::outline::Found| {
        symbol.parent.is_none() && matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
    };
    let of_module =
        parsed.outline().symbols.iter().filter(is_variable).map(|symbol| symbol.name.as_str()).collect();
    let mut finder = Finder { parsed, of_module, functions: HashMap::new(), found: BTreeMap::new() };
    walk(parsed.root().walk(), (), &mut finder);
    finder.found
}

struct Finder<'a> {
    parsed: &'a Parsed,
    /// Variables that are declared outside of every function.
    of_module: BTreeSet<&'a str>,
    /// The variables of functions, by their nodes.
    functions: HashMap<usize, Rc<Variables<'a>>>,
    found: BTreeMap<String, Assigned>,
}

impl Finder<'_> {
    fn note(&mut self, target: String, at: usize, written: &str) {
        let known = self.found.entry(target).or_insert_with(|| Assigned { written: Vec::new(), at });
        known.written.push(written.to_owned());
    }
}

impl<'t> Visitor<'t> for Finder<'_> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        let node = place.node;
        let text = |node: Node<'_>| self.parsed.text().get(node.byte_range()).unwrap_or_default();
        let Some(left) = assigned_by(node) else { return Some(()) };
        let function = place.parents.iter().rposition(|node| is_function(node.kind()));
        let Some(function) = function.map(|at| place.parents[at]) else { return Some(()) };
        let parsed = self.parsed;
        let known = self.functions.entry(function.id());
        let known = Rc::clone(known.or_insert_with(|| Rc::new(Variables::of(parsed, function))));
        // What is assigned from a variable of the function has the type of that variable.
        let written = if known.decide(parsed, node) { text(function) } else { text(node) };
        let globals = &known.globals;
        let mut own: Vec<(String, usize)> = Vec::new();
        if parsed.language() == Language::Python {
            let class = place.parents.iter().rfind(|node| node.kind() == "class_definition");
            let around = class.and_then(|class| self.key_of(*class));
            for (name, at) in own_attributes(parsed, function, left) {
                own.extend(around.as_ref().map(|class| (format!("{class}\u{0}{name}"), at)));
            }
            let assigned = words(text(left)).filter(|word| globals.contains(word));
            own.extend(assigned.map(|name| (name.to_owned(), left.start_byte())));
        } else {
            let assigned = words(text(left)).filter(|word| self.of_module.contains(word));
            own.extend(assigned.map(|name| (name.to_owned(), left.start_byte())));
        }
        for (target, at) in own {
            self.note(target, at, written);
        }
        Some(())
    }
}

impl Finder<'_> {
    /// The key of the symbol that a class is.
    fn key_of(&self, class: Node<'_>) -> Option<String> {
        let name = class.child_by_field_name("name")?.start_byte();
        let found = &self.parsed.outline().symbols;
        let index = found.iter().position(|symbol| symbol.selection.start == name)?;
        Some(key(found, index))
    }
}
