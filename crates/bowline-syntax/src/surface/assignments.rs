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

/// The variables of a function whose types its body decides.
#[derive(Default)]
pub(super) struct Variables<'a> {
    /// Whatever it assigns, imports, or declares inside of itself.
    pub(super) locals: BTreeSet<&'a str>,
    /// Those that it declares to be the module's, in Python.
    pub(super) globals: BTreeSet<&'a str>,
    /// Parameters that stand in a condition, which may narrow their types.
    narrowed: BTreeSet<&'a str>,
}

impl<'a> Variables<'a> {
    pub(super) fn of(parsed: &'a Parsed, function: Node<'_>) -> Self {
        let mut finder = Finder { parsed, found: Self::default(), conditions: BTreeSet::new() };
        walk(function.walk(), (), &mut finder);
        let Finder { mut found, conditions, .. } = finder;
        found.narrowed = parameters(parsed, function).filter(|name| conditions.contains(name)).collect();
        found
    }

    /// Whether the type of what is assigned here follows from one of them.
    pub(super) fn decide(&self, parsed: &Parsed, assignment: Node<'_>) -> bool {
        let text = |node: Node<'_>| parsed.text().get(node.byte_range()).unwrap_or_default();
        let value = assignment.child_by_field_name("right").map_or("", text);
        words(text(assignment)).any(|word| self.locals.contains(word))
            || words(value).any(|word| self.narrowed.contains(word))
    }
}

fn parameters<'a>(parsed: &'a Parsed, function: Node<'_>) -> impl Iterator<Item = &'a str> {
    let all = function.child_by_field_name("parameters");
    let count = all.map_or(0, |all| all.named_child_count());
    let each = (0..count).filter_map(move |index| all?.named_child(index as u32)).collect::<Vec<_>>();
    each.into_iter().filter_map(|one| words(parsed.text().get(one.byte_range())?).next())
}

struct Finder<'a> {
    parsed: &'a Parsed,
    found: Variables<'a>,
    /// The words of all conditions.
    conditions: BTreeSet<&'a str>,
}

impl<'t> Visitor<'t> for Finder<'_> {
    type State = ();

    fn enter(&mut self, place: &Place<'_, 't>, _: &mut ()) -> Option<()> {
        let node = place.node;
        let text = |node: Node<'_>| self.parsed.text().get(node.byte_range()).unwrap_or_default();
        let field = |name: &str| node.child_by_field_name(name).map_or("", text);
        match node.kind() {
            "global_statement" => {
                self.found.globals.extend(words(text(node)).filter(|word| *word != "global"));
            }
            "if_statement" | "elif_clause" | "while_statement" => {
                self.conditions.extend(words(field("condition")));
            }
            "match_statement" => self.conditions.extend(words(field("subject"))),
            "assert_statement" | "conditional_expression" | "boolean_operator" | "if_clause" => {
                self.conditions.extend(words(text(node)));
            }
            // Declared inside of the function; the function itself is not.
            "function_definition" | "class_definition" if !place.parents.is_empty() => {
                self.found.locals.extend(words(field("name")));
            }
            "import_statement" | "import_from_statement" | "case_pattern" => {
                self.found.locals.extend(words(text(node)));
            }
            _ => {}
        }
        if let Some(left) = assigned_by(node) {
            let parts = text(left).split(',').filter(|part| !part.contains(['.', '[']));
            self.found.locals.extend(parts.flat_map(words));
        }
        Some(())
    }
}
