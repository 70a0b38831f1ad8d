//! Which node a symbol is, and what it shares with others.

use std::ops::Range;

use tree_sitter::Node;

use super::{Bond, Commas, Place, around};
use crate::{Parsed, compiled::Compiled, outline::Found};

/// Declarations are wrapped a few levels deep; whatever is deeper is nothing that anybody wrote.
const DEEPEST: usize = 64;

/// A symbol among the nodes.
pub(super) struct Item<'t> {
    /// The node that declares it.
    pub(super) declares: Node<'t>,
    /// What it takes along when it goes: the statement around it, or its part of one.
    pub(super) node: Node<'t>,
    pub(super) place: Place,
}

pub(super) fn find<'t>(parsed: &'t Parsed, selection: &Range<usize>) -> Option<Item<'t>> {
    let compiled = parsed.language().compiled();
    let found = parsed.outline().symbols.iter().find(|found| found.selection == *selection)?;
    let declares = declaring(parsed, compiled, found)?;
    let (node, stops) = outermost(parsed, compiled, declares);
    let together = parsed
        .outline()
        .symbols
        .iter()
        .filter(|other| other.range == found.range && other.parent == found.parent)
        .any(|other| other.selection != found.selection);
    let has_type = declares
        .child_by_field_name("type")
        .is_some_and(|of| is_type_of(compiled, declares, of) && !is_all_declared(parsed, declares, of));
    if has_type && is_named_type(parsed, declares) {
        let of = around::of_statement(parsed, statement(compiled, node));
        return Some(Item { declares, node, place: Place::Bound { of, why: Bond::Names } });
    }
    if together {
        return Some(one_of_several(parsed, compiled, declares, node, selection));
    }
    if let Some(why) = stops {
        let of = around::of_statement(parsed, statement(compiled, node));
        return Some(Item { declares, node, place: Place::Bound { of, why } });
    }
    let parent = node.parent();
    let in_group = parent.filter(|parent| compiled.row(parent.kind_id()).items.contains(&node.kind_id()));
    let place = match (in_group, parent) {
        (Some(group), _) if has_comma(group) => {
            let (around, _) = outermost(parsed, compiled, group);
            Place::Part { of: around::of_statement(parsed, around), commas: commas(node) }
        }
        (None, Some(list)) if compiled.row(list.kind_id()).list => Place::Element(commas(node)),
        _ => Place::Alone,
    };
    Some(Item { declares, node, place })
}

fn declaring<'t>(parsed: &'t Parsed, compiled: &Compiled, found: &Found) -> Option<Node<'t>> {
    let selection = &found.selection;
    let mut node = parsed.root().descendant_for_byte_range(selection.start, selection.end)?;
    let mut below = node;
    for _ in 0..DEEPEST {
        if compiled.row(node.kind_id()).symbol.is_some() {
            // A list that declares each of its members: the member is what is meant.
            let is_member = below.byte_range() == found.range && node.byte_range() != found.range;
            return Some(if is_member && compiled.row(node.kind_id()).list { below } else { node });
        }
        below = node;
        node = node.parent()?;
    }
    None
}

/// The node and everything that is there for its sake alone; and what keeps it from being a statement of its own.
fn outermost<'t>(parsed: &Parsed, compiled: &Compiled, node: Node<'t>) -> (Node<'t>, Option<Bond>) {
    let mut node = node;
    for _ in 0..DEEPEST {
        let Some(parent) = node.parent() else { return (node, None) };
        let row = compiled.row(parent.kind_id());
        let is_only = row.items.contains(&node.kind_id()) && only(parent, |child| row.items.contains(&child));
        let is_around = row.around && only(parent, |child| child == node.kind_id());
        if is_type_of(compiled, parent, node) && !is_all_declared(parsed, parent, node) {
            return (node, Some(Bond::Names));
        }
        if is_only || is_around || wraps(parsed, parent, node) || is_type_of(compiled, parent, node) {
            node = parent;
            continue;
        }
        return (node, bond(compiled, parent, node));
    }
    (node, Some(Bond::Expression))
}

fn bond(compiled: &Compiled, parent: Node<'_>, node: Node<'_>) -> Option<Bond> {
    if parent.kind().contains("parameter") {
        return Some(Bond::Parameter);
    }
    let row = compiled.row(parent.kind_id());
    let is_expression = compiled.row(node.kind_id()).expression;
    let is_body = parent.parent().is_none()
        || row.list
        || compiled.row(parent.kind_id()).suite
        || parent
            .child(0)
            .is_some_and(|first| first.kind() == "{" || (first.kind() == "(" && !is_expression));
    // One of several declarators, or of several declarations in one group.
    let is_item = row.items.contains(&node.kind_id());
    let is_field = field_of(parent, node).is_some();
    (!is_item && !is_body && (is_field || is_expression)).then_some(Bond::Expression)
}

/// A call whose only argument is a declaration: `private def m`.
fn wraps(parsed: &Parsed, parent: Node<'_>, node: Node<'_>) -> bool {
    if parent.kind() == "argument_list" && matches!(node.kind(), "method" | "singleton_method") {
        return parent.named_child_count() == 1 && parent.parent().is_some_and(|call| call.kind() == "call");
    }
    let is_call = node.kind() == "argument_list" && parent.kind() == "call";
    is_call
        && node.named_child(0).is_some_and(|first| matches!(first.kind(), "method" | "singleton_method"))
        && parsed.text().get(parent.start_byte()..node.start_byte()).is_some_and(|word| {
            matches!(
                word.trim(),
                "private"
                    | "protected"
                    | "public"
                    | "module_function"
                    | "private_class_method"
                    | "public_class_method"
            )
        })
}

/// `struct S {…};` in a class, and `typedef struct S {…} S;`: the declaration is there for the type.
fn is_type_of(compiled: &Compiled, parent: Node<'_>, node: Node<'_>) -> bool {
    let declares_both =
        compiled.row(parent.kind_id()).symbol.is_some() && compiled.row(node.kind_id()).symbol.is_some();
    declares_both
        && field_of(parent, node) == Some("type")
        && matches!(
            node.kind(),
            "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier"
        )
}

/// A declaration declares nothing but the type that is written inside of it.
fn is_all_declared(parsed: &Parsed, declaration: Node<'_>, of: Node<'_>) -> bool {
    let names = parsed.outline().symbols.iter().map(|found| &found.selection);
    let mut inside =
        names.filter(|name| declaration.start_byte() <= name.start && name.end <= declaration.end_byte());
    inside.all(|name| of.start_byte() <= name.start && name.end <= of.end_byte())
}

/// The type that is written inside of a declaration is a symbol, too.
fn is_named_type(parsed: &Parsed, declaration: Node<'_>) -> bool {
    let name = declaration.child_by_field_name("type").and_then(|of| of.child_by_field_name("name"));
    name.is_some_and(|name| parsed.outline().symbols.iter().any(|found| found.selection == name.byte_range()))
}

fn one_of_several<'t>(
    parsed: &'t Parsed,
    compiled: &Compiled,
    declares: Node<'t>,
    around: Node<'t>,
    selection: &Range<usize>,
) -> Item<'t> {
    let of = around::of_statement(parsed, statement(compiled, around));
    let part = compiled.row(declares.kind_id()).splits.then(|| listed(declares, selection)).flatten();
    match part {
        Some(node) => Item { declares, node, place: Place::Part { of, commas: commas(node) } },
        None => Item { declares, node: around, place: Place::Bound { of, why: Bond::Names } },
    }
}

/// The part of a declaration that a name is in, if commas separate it from others.
fn listed<'t>(declares: Node<'t>, selection: &Range<usize>) -> Option<Node<'t>> {
    let mut node = declares;
    for _ in 0..4 {
        let next = child_around(node, selection)?;
        let commas = commas(next);
        if commas.before.is_some() || commas.behind.is_some() {
            return Some(next);
        }
        node = next;
    }
    None
}

/// The statement around an expression.
fn statement<'t>(compiled: &Compiled, node: Node<'t>) -> Node<'t> {
    let mut node = node;
    for _ in 0..DEEPEST {
        let Some(parent) = node.parent() else { return node };
        let is_body = parent.parent().is_none()
            || compiled.row(parent.kind_id()).suite
            || parent.child(0).is_some_and(|first| first.kind() == "{");
        if is_body {
            return node;
        }
        node = parent;
    }
    node
}

fn child_around<'t>(node: Node<'t>, bytes: &Range<usize>) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .find(|child| child.start_byte() <= bytes.start && bytes.end <= child.end_byte() && !child.is_extra())
}

fn only(node: Node<'_>, fits: impl Fn(u16) -> bool) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).filter(|child| fits(child.kind_id())).take(2).count() == 1
}

fn has_comma(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == ",")
}

fn field_of<'t>(parent: Node<'t>, node: Node<'t>) -> Option<&'t str> {
    let mut cursor = parent.walk();
    if !cursor.goto_first_child() {
        return None;
    }
    loop {
        if cursor.node() == node {
            return cursor.field_name();
        }
        if !cursor.goto_next_sibling() {
            return None;
        }
    }
}

fn commas(node: Node<'_>) -> Commas {
    let is_comma = |node: &Node<'_>| node.kind() == ",";
    let is_extra = |node: Node<'_>| node.is_extra() || node.kind() == "decorator";
    let before = around::first_not(node, |node| node.prev_sibling(), is_extra);
    let behind = around::first_not(node, |node| node.next_sibling(), is_extra);
    Commas {
        before: before.filter(is_comma).map(|node| node.byte_range()),
        behind: behind.filter(is_comma).map(|node| node.byte_range()),
    }
}
