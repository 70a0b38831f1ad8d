//! What functions assign: variables of their own, globals, attributes of their object.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::bodies::{is_script_function, words};
use crate::Parsed;
use crate::walk::{Place, Visitor, walk};

pub(super) fn is_function(kind: &str) -> bool {
    kind == "function_definition" || is_script_function(kind)
}

/// What a statement or expression assigns to.
pub(super) fn assigned_by(node: Node<'_>) -> Option<Node<'_>> {
    let field = match node.kind() {
        "assignment" | "augmented_assignment" | "for_statement" => "left",
        "assignment_expression" | "augmented_assignment_expression" | "for_in_statement" => "left",
        "update_expression" => "argument",
        "as_pattern" => "alias",
        "named_expression" => "name",
        _ => return None,
    };
    node.child_by_field_name(field)
}

/// The attributes of its own object that a function of Python assigns here, and where their names stand.
pub(super) fn own_attributes<'a>(
    parsed: &'a Parsed,
    function: Node<'_>,
    left: Node<'_>,
) -> Vec<(&'a str, usize)> {
    let text = |node: Node<'_>| parsed.text().get(node.byte_range()).unwrap_or_default();
    let first = function.child_by_field_name("parameters").and_then(|all| all.named_child(0));
    let first = first.and_then(|first| words(text(first)).next()).unwrap_or("self");
    let mut found = Vec::new();
    let mut left_to_see = vec![left];
    while let Some(node) = left_to_see.pop() {
        if node.kind() == "attribute"
            && let Some((object, name)) =
                node.child_by_field_name("object").zip(node.child_by_field_name("attribute"))
        {
            if ["self", "cls", first].contains(&text(object)) {
                found.push((text(name), name.start_byte()));
            }
            continue;
        }
        left_to_see.extend((0..node.named_child_count()).filter_map(|index| node.named_child(index as u32)));
    }
    found
}

/// The names of the variables that a function assigns.
pub(super) fn locals<'a>(parsed: &'a Parsed, function: Node<'_>) -> BTreeSet<&'a str> {
    Variables::of(parsed, function).locals
}

/// The variables that a function assigns.
pub(super) struct Variables<'a> {
    pub(super) locals: BTreeSet<&'a str>,
    /// Those that it declares to be the module's, in Python.
    pub(super) globals: BTreeSet<&'a str>,
}

impl<'a> Variables<'a> {
    pub(super) fn of(parsed: &'a Parsed, function: Node<'_>) -> Self {
        let mut finder = Finder { parsed, found: Self { locals: BTreeSet::new(), globals: BTreeSet::new() } };
        walk(function.walk(), (), &mut finder);
        finder.found
    }
}

struct Finder<'a> {
    parsed: &'a Parsed,
    found: Variables<'a>,
}

impl<'t> Visitor<'t> for Finder<'_> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        let text = |node: Node<'_>| self.parsed.text().get(node.byte_range()).unwrap_or_default();
        if place.node.kind() == "global_statement" {
            self.found.globals.extend(words(text(place.node)).filter(|word| *word != "global"));
        }
        if let Some(left) = assigned_by(place.node) {
            let parts = text(left).split(',').filter(|part| !part.contains(['.', '[']));
            self.found.locals.extend(parts.flat_map(words));
        }
        Some(())
    }
}
